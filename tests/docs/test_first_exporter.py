"""docs/first-exporter.md: its code runs, and its reports are what the real command says."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

from exportdb.cases.database import builtin_tree

PAGE = Path(__file__).parents[2] / "docs" / "first-exporter.md"


def blocks(language: str) -> list[str]:
    return re.findall(rf"```{language}\n(.*?)```", PAGE.read_text("utf-8"), re.DOTALL)


def report(command: str, folder: Path) -> list[str]:
    program, *words = shlex.split(command)
    assert program == "exportdb"
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", *words], cwd=folder, capture_output=True,
        text=True, encoding="utf-8", timeout=300, env={**os.environ, "EXPORTDB_HOME": str(folder)},
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    # Where the records lie and how long it took are of this machine.
    own = ("records:", "slowest:")
    return [line for line in done.stdout.splitlines() if not line.startswith(own)]


def shape(lines: list[str]) -> list[str]:
    """Lines without padding, and without the digits of values and the place of the database, which
    are the machine's."""
    here = f"{builtin_tree()}/"
    return [
        re.sub(r"-?\d+\.\d{6,}", "N", " ".join(line.replace(here, "cases/").split()))
        for line in lines
    ]


def test_the_pages_code_gives_the_pages_reports(tmp_path: Path):
    (toy, change), reports = blocks("python"), blocks("console")
    returned = next(line for line in toy.splitlines() if "return compiled" in line)
    assert len([line for line in toy.splitlines() if line.strip()]) <= 15
    versions = (toy, toy.replace(returned, change.rstrip("\n")))
    for code, shown in zip(versions, reports, strict=True):
        (tmp_path / "toy.py").write_text(code, encoding="utf-8")
        command, *lines = shown.splitlines()
        assert shape(report(command.removeprefix("$ "), tmp_path)) == shape(lines)
