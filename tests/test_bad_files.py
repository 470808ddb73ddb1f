"""Files of a database that are broken or hostile: one clear error each, and nothing is run."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

HEAD = '"""\ntitle: Bad\ndescription: Made for a test.\n'
BOMB = "tags: &a [x]\nrewrites: [*a, *a, *a]\n"
FILES = {
    "a syntax error": ('"""\ntitle: x\n', "syntax error"),
    "no front matter": ("import torch\n", "must begin with a docstring"),
    "a YAML bomb": (HEAD + BOMB + '"""\n', "aliases (*name) are not allowed"),
    "deep nesting": (HEAD + "tags: " + "[" * 500 + "]" * 500 + '\n"""\n', "nested deeper"),
    "an unknown key": (HEAD + 'tag: [x]\n"""\n', "unknown key 'tag'"),
    "a key twice": (HEAD + 'title: again\n"""\n', "given twice"),
    "a number that is text": (HEAD + 'tolerance: {rtol: 1e-5}\n"""\n', "YAML wants a dot"),
    "no UTF-8": (b"\xff\xfe", "UTF-8"),
}


def listed(folder: Path) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exportdb", "list", "--cases", str(folder)],
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir, lambda p: p.symlink_to("nowhere")])
def test_what_is_no_file_is_named_and_never_waited_for(make, tmp_path: Path) -> None:
    make(tmp_path / "pipe.py")
    done = listed(tmp_path)
    assert f"{tmp_path / 'pipe.py'}:1: cannot be read: it is not a regular file" in done.stderr
    assert "Traceback" not in done.stderr


@pytest.mark.parametrize("make", [os.mkfifo, os.mkdir])
def test_what_is_no_file_among_the_runs_is_no_run(make, tmp_path: Path) -> None:
    def told(*words: str) -> str:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *words, "--home", str(tmp_path)],
            capture_output=True, text=True, timeout=60, check=True,
        ).stdout  # fmt: skip

    case = "dynamic_shapes/derived_dim_double"
    told("run", case, "--exporter", "export")
    make(tmp_path / "runs" / "29991231-000000-00000.jsonl")
    assert "1 result: 1 expected" in told("report", "last")
    assert "supported since" in told("log", case)


@pytest.mark.parametrize("what", FILES)
def test_it_is_one_line_that_names_the_file(what: str, tmp_path: Path) -> None:
    text, complaint = FILES[what]
    path = tmp_path / "bad.py"
    path.write_bytes(text if isinstance(text, bytes) else text.encode())
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", str(path), "--exporter", "export"],
        env={**os.environ, "EXPORTDB_HOME": str(tmp_path / "home")},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert str(path) in line and complaint in line


@pytest.mark.parametrize("pattern", ["topic", "topic/*", "topic/Bad-Name"])
def test_a_topic_that_holds_nothing_readable_is_there_all_the_same(
    pattern: str, tmp_path: Path
) -> None:
    (tmp_path / "topic").mkdir()
    (tmp_path / "topic" / "Bad-Name.py").write_text(HEAD + '"""\n')
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", pattern, "--cases", str(tmp_path)],
        env={**os.environ, "EXPORTDB_HOME": str(tmp_path / "home")},
        capture_output=True, text=True, timeout=60, check=False,
    )  # fmt: skip
    assert done.returncode == 2
    (line,) = done.stderr.splitlines()
    assert "Bad-Name.py:1: 'topic/Bad-Name' is not a legal ID" in line
