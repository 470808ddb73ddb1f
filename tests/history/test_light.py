"""What asks no history imports nothing of it; what does says which packages are missing."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

PROBE = """
import json, sys
from exportdb.cli.main import _run
_run(json.loads(sys.argv[1]))
print("imported:", *({"sqlalchemy", "alembic"} & set(sys.modules)), file=sys.stderr)
"""


def imported(words: list[str], home: Path) -> str:
    done = subprocess.run(
        [sys.executable, "-c", PROBE, json.dumps(words)], capture_output=True, text=True,
        env={**os.environ, "EXPORTDB_HOME": str(home)}, input="",
    )  # fmt: skip
    return done.stderr.rpartition("imported:")[2].strip()


@pytest.mark.parametrize(
    "words",
    [["--help"], ["list"], ["show", "top_k/int_argument"], ["explain", "GuardOnDataDependent"],
     ["schema", "status"], ["report"], ["diff", "last", "last"], ["log", "--help"],
     ["log", "top_k/int_argument"], ["status"]],
    ids=" ".join,
)  # fmt: skip
def test_without_a_run_nothing_of_the_database_is_imported(words, home):
    assert imported(words, home) == ""


def test_a_history_that_is_up_to_date_is_read_without_alembic(night, home):
    night(1, {"t/a": "supported"})
    assert "alembic" in imported(["status"], home)
    assert imported(["status"], home) == "sqlalchemy"


def test_what_is_missing_is_said(night, home, tmp_path):
    night(1, {"t/a": "supported"})
    probe = "import importlib.util as u\nfind = u.find_spec\n" + (
        "u.find_spec = lambda n, p=None: None if n == 'alembic' else find(n, p)\n" + PROBE
    )
    done = subprocess.run(
        [sys.executable, "-c", probe, '["status"]'], capture_output=True, text=True,
        env={**os.environ, "EXPORTDB_HOME": str(home)},
    )  # fmt: skip
    assert (
        "history needs alembic, not installed here: pip install 'exportdb[history]'" in done.stderr
    )
