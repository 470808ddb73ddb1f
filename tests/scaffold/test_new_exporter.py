"""``exportdb new --exporter``: what it writes works as it is."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
import yaml

from exportdb.exporters.scaffold import ScaffoldError, write


def exportdb(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exportdb", *words], cwd=folder, capture_output=True, text=True,
        env={**os.environ, "EXPORTDB_HOME": str(folder / "home")}, timeout=300,
    )  # fmt: skip


def commands(readme: str) -> list[list[str]]:
    """The commands in a document's console blocks, as words."""
    blocks = re.findall(r"```console\n(.*?)```", readme, re.DOTALL)
    return [shlex.split(line, comments=True) for block in blocks for line in block.splitlines()]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("author")
    done = exportdb(where, "new", "--exporter", "my-compiler")
    assert done.returncode == 0, done.stderr
    assert "cd my-compiler" in done.stderr
    return where / "my-compiler"


def test_the_readmes_three_commands_work_in_their_order(folder: Path):
    three = commands((folder / "README.md").read_text())
    assert [words[1] for words in three] == ["run", "accept", "check"]
    for program, *words in three:
        assert program == "exportdb"
        # One case of the topic is enough here, and keeps the test short.
        done = exportdb(
            folder, *(w.replace("control_flow", "control_flow/cond_nested") for w in words)
        )
        assert done.returncode == 0, done.stdout + done.stderr
    assert "my-compiler" in (folder / "expectations/control_flow/cond_nested.yaml").read_text()
    assert "1 result: 1 expected" in done.stdout


def test_the_ci_job_is_valid_and_gates(folder: Path):
    job = yaml.safe_load((folder / "ci.yml").read_text())["conformance"]
    assert any(step.get("run", "").startswith("exportdb check") for step in job["steps"])


def test_nothing_is_overwritten(tmp_path: Path):
    first = write("mine", tmp_path)
    first[0].write_text("changed")
    for path in first[1:]:
        path.unlink()
    with pytest.raises(ScaffoldError, match=r"mine\.py is there already; nothing was written"):
        write("mine", tmp_path)
    assert first[0].read_text() == "changed"
    assert not any(path.exists() for path in first[1:])


@pytest.mark.parametrize("name", ["My", "a b", "../up", "class", "", "two--dashes"])
def test_a_bad_name_is_told(tmp_path: Path, name: str):
    with pytest.raises(ScaffoldError):
        write(name, tmp_path)
    assert list(tmp_path.iterdir()) == []


def test_the_command_wants_a_case_or_an_exporter_not_both(tmp_path: Path):
    for words in ([], ["a/b", "--exporter", "mine"]):
        done = exportdb(tmp_path, "new", *words)
        assert done.returncode == 2
        assert "give the ID of a case, or --exporter NAME" in done.stderr


def test_json_names_the_files(tmp_path: Path):
    done = exportdb(tmp_path, "new", "--exporter", "mine", "--into", "there", "--json")
    assert "there/mine.py" in json.loads(done.stdout)["paths"]
