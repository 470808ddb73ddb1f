"""``exportdb new --exporter``: what it writes works as it is."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path
from xml.etree import ElementTree

import pytest
import yaml

from exportdb.exporters.scaffold import ScaffoldError, write
from tests.cli.conftest import CASE, EXPORTER


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
    assert "my-compiler" in (folder / "expectations/control_flow.yaml").read_text()
    assert "1 result: 1 expected" in done.stdout


@pytest.fixture(scope="module")
def gated(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder with an adapter and one case of its author's, all that is written around them, and
    what is expected: four commands after the adapter."""
    where = tmp_path_factory.mktemp("gated")
    (where / "adapter.py").write_text(EXPORTER)
    (where / "own").mkdir()
    (where / "own" / "adds.py").write_text(CASE.format(title="Adds", body="x + 1"))
    done = exportdb(where, "new", "--exporter", "adapter.py:Mine")
    assert done.returncode == 0, done.stderr
    # One case keeps the test short.
    with (where / "exportdb.toml").open("a") as configuration:
        configuration.write('cases = ["own"]\nonly = true\n')
    for verb in ("run", "accept", "check"):
        done = exportdb(where, verb)
        assert done.returncode == 0, done.stdout + done.stderr
    return where


def steps(folder: Path, job: str) -> dict[str, str]:
    """The scripts of a job of the workflow, by the names of its steps, without what installs."""
    workflow = yaml.safe_load((folder / ".github/workflows/exportdb.yml").read_text())
    return {
        step["name"]: step["run"].replace("${{ matrix.torch }}", "2.13")
        for step in workflow["jobs"][job]["steps"]
        if "run" in step and step["name"] != "Install"
    }


def follow(folder: Path, script: str) -> subprocess.CompletedProcess[str]:
    """Run a script as GitHub does: it ends at the first command that fails."""
    variables = {
        **os.environ, "EXPORTDB_HOME": str(folder / "home"),
        "PATH": f"{Path(sys.executable).parent}:{os.environ['PATH']}",
        "GITHUB_STEP_SUMMARY": str(folder / "summary.md"),
    }  # fmt: skip
    return subprocess.run(
        ["bash", "-e", "-o", "pipefail", "-c", script], cwd=folder, env=variables,
        capture_output=True, text=True, timeout=600,
    )  # fmt: skip


def test_the_workflow_gates_and_reports(gated: Path):
    said = steps(gated, "check")
    assert list(said) == ["Check", "Report"]
    assert follow(gated, said["Check"]).returncode == 0
    text = (gated / "adapter.py").read_text()
    (gated / "adapter.py").write_text(text.replace("return y", "return y + 1"))
    broken = follow(gated, said["Check"])
    assert broken.returncode == 1, broken.stdout + broken.stderr
    done = follow(gated, said["Report"])
    assert done.returncode == 0, done.stderr
    assert "::error file=adapter.py,line=2,title=regressed" in done.stdout
    assert "### Not as expected" in (gated / "summary.md").read_text()
    assert 'failures="1"' in (gated / "reports/junit.xml").read_text()
    [run] = json.loads((gated / "reports/exportdb.sarif").read_text())["runs"]
    places = [
        p["physicalLocation"]["artifactLocation"]["uri"] for p in run["results"][0]["locations"]
    ]
    assert places == ["own/adds.py", "adapter.py"]
    (gated / "adapter.py").write_text(text)


def test_a_badge_says_what_is_supported_or_what_is_amiss(gated: Path):
    def badges() -> tuple[dict[str, str], str]:
        said = exportdb(gated, "report", "--format", "badge-json")
        picture = exportdb(gated, "report", "--format", "badge").stdout
        return json.loads(said.stdout), ElementTree.fromstring(picture).findtext("{*}title") or ""

    assert exportdb(gated, "check").returncode == 0
    assert badges() == (
        {"schemaVersion": 1, "label": "exportdb", "message": "1 of 1 supported",
         "color": "#2a7d3f"}, "exportdb: 1 of 1 supported",
    )  # fmt: skip
    assert exportdb(gated, "check", "--expectations", "own").returncode == 1  # nothing is expected
    message, title = badges()
    assert (message["message"], title[10:]) == ("1 of 1 not as expected",) * 2


@pytest.mark.slow
def test_the_workflow_publishes_the_site_with_the_badge(gated: Path):
    assert follow(gated, steps(gated, "check")["Check"]).returncode == 0
    done = follow(gated, steps(gated, "site")["Site"])
    assert done.returncode == 0, done.stderr
    assert "reading" in done.stderr and "records-2.13.jsonl" in done.stderr
    assert (gated / "site/index.html").is_file()
    assert json.loads((gated / "site/badge.json").read_text())["message"] == "1 of 1 supported"
    assert (gated / "site/badge.svg").read_text().startswith("<svg")


def test_an_adapter_that_is_not_there_is_told(tmp_path: Path):
    done = exportdb(tmp_path, "new", "--exporter", "adapter.py:Mine")
    assert done.returncode == 2
    assert "adapter.py" in done.stderr and "Traceback" not in done.stderr
    assert not list(tmp_path.glob("exportdb.toml"))


def test_nothing_is_overwritten(tmp_path: Path):
    first = write("mine", tmp_path)
    first[0].write_text("changed")
    for path in first[1:]:
        path.unlink()
    with pytest.raises(ScaffoldError, match=r"mine\.py already exists; nothing was written"):
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
