"""The first page shows ``exportdb.examine`` with what it really prints."""

from __future__ import annotations

import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).parents[2]
SHOWN = re.compile(
    r"```python\n(import torch\n.*?exportdb\.examine.*?)```\n+```text\n(.*?)```", re.S
)


def test_the_program_of_the_first_pages_prints_what_stands_below_it(tmp_path: Path) -> None:
    pages = [ROOT / "README.md", ROOT / "docs" / "guides" / "start.md"]
    ((program, printed), other) = (SHOWN.findall(p.read_text("utf-8"))[0] for p in pages)
    assert other == (program, printed)
    script = tmp_path / "script.py"
    script.write_text(program, encoding="utf-8")
    done = subprocess.run(
        [sys.executable, "-X", "utf8", script], capture_output=True, text=True, encoding="utf-8",
        cwd=tmp_path, timeout=300,
    )  # fmt: skip
    assert done.stdout == printed, done.stderr
