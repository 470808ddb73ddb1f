"""``exportdb matrix`` and ``run --python``: other interpreters, each with its own torch."""

from __future__ import annotations

import json
import subprocess
import sys
import venv
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # they make environments

OWN = ["own", "--cases", "cases", "--exporter", "mine.py:Here"]


@pytest.fixture(scope="module")
def old(user: Path, wheels: Path) -> Path:
    """An interpreter that says it has torch 2.11: this one's, under another version."""
    folder = user / "old"
    venv.create(folder, symlinks=True)
    site = next((folder / "lib").glob("python*/site-packages"))
    told = site / "torch-2.11.0.dist-info"
    told.mkdir()
    (told / "METADATA").write_text("Metadata-Version: 2.1\nName: torch\nVersion: 2.11.0\n")
    (site / "borrowed.pth").write_text(
        subprocess.run(
            [sys.executable, "-c", "import sysconfig as s; print(s.get_paths()['purelib'])"],
            capture_output=True, text=True, check=True,
        ).stdout
    )  # fmt: skip
    return folder / "bin" / "python"


@pytest.fixture(scope="module")
def here() -> str:
    from importlib import metadata

    return ".".join(metadata.version("torch").split(".")[:2])


@pytest.fixture(scope="module")
def expected(user: Path) -> list[str]:
    """On torch before 2.12 the first case is expected to be refused, which it is not."""
    folder = user / "matrix_expected" / "own"
    folder.mkdir(parents=True)
    for name in ("one", "two"):
        (folder / f"{name}.yaml").write_text(
            "here:\n- {outcome: supported}\n"
            + ("- {when: {torch: '<2.12'}, outcome: wrong, note: x}\n" if name == "one" else "")
        )
    return ["--expectations", str(folder.parent)]


def test_versions_side_by_side_each_with_its_own_expectations(exportdb, old, here, expected):
    done = exportdb(
        "matrix", *OWN, *expected, "--torch", f"2.11={old}", f"{here}={sys.executable}", "--json"
    )
    assert done.returncode == 0, done.stderr
    data = json.loads(done.stdout)
    assert [r["environment"]["torch"].split("+")[0][:4] for r in data["runs"]] == ["2.11", here]
    assert [r["verdicts"] for r in data["runs"]] == [
        {"improved": 1, "expected": 1},
        {"expected": 2},
    ]
    assert data["results"][0]["outcomes"] == {"2.11": "supported", here: "supported"}


def test_it_shows_a_table_and_the_next_command_which_works(exportdb, old, here, expected):
    done = exportdb("matrix", *OWN, *expected, "--torch", f"2.11={old}", f"{here}={sys.executable}")
    assert done.returncode == 0, done.stderr
    lines = done.stdout.splitlines()
    assert lines[0].split() == ["case", "exporter", "torch", "2.11", "torch", here]
    assert "own/one" in lines[1] and "✔ supported*" in lines[1]
    assert "2 of 2 results the same on all" in done.stdout
    (following,) = [line for line in lines if line.startswith("next: ")]
    shown = exportdb(*following.removeprefix("next: exportdb ").split())
    assert shown.returncode == 0, shown.stderr
    assert "A: torch 2.11.0" in shown.stdout


def test_it_gates_where_asked(exportdb, old, expected):
    done = exportdb("matrix", *OWN, *expected, "--torch", f"2.11={old}", "--check")
    assert done.returncode == 1


def test_an_interpreter_with_another_torch_is_told_and_the_rest_goes_on(exportdb, old, here):
    done = exportdb("matrix", *OWN, "--torch", f"2.9={old}", f"{here}={sys.executable}")
    assert done.returncode == 2
    assert "has torch 2.11.0" in done.stderr
    assert f"torch {here}: 2 new" in done.stdout


@pytest.mark.parametrize("entry", ["newest", "2.13=/no/such/python"])
def test_an_entry_that_means_nothing_is_told(exportdb, entry):
    done = exportdb("matrix", *OWN, "--torch", entry)
    assert done.returncode == 2
    assert entry.partition("=")[2] in done.stderr


def test_a_version_gets_an_environment_of_its_own(exportdb, here):
    from importlib import metadata

    version = metadata.version("torch").split("+")[0]
    done = exportdb("matrix", *OWN, "--torch", version)
    assert done.returncode == 0, done.stderr
    assert f"torch {version}: making an environment" in done.stderr
    assert "making" not in exportdb("matrix", *OWN, "--torch", version).stderr
    (mine,) = [
        m
        for m in json.loads(exportdb("env", "list", "--json").stdout)
        if m["requirements"] == [f"torch=={version}"]
    ]
    assert mine["lock"]


def test_interpreters_of_the_configuration(exportdb, old, user: Path):
    (user / "exportdb.toml").write_text(f'torch = {{"2.11" = "{old}"}}\n')
    try:
        done = exportdb("matrix", *OWN, "--torch", "2.11")
    finally:
        (user / "exportdb.toml").unlink()
    assert done.returncode == 0, done.stderr
    assert str(old) in done.stderr


def test_a_run_on_another_interpreter_can_be_repeated(exportdb, old, user: Path):
    done = exportdb("run", *OWN, "--python", str(old), "--out", "old.jsonl")
    assert done.returncode == 0, done.stderr
    first, *records = map(json.loads, (user / "old.jsonl").read_text().splitlines())
    assert first["torch"] == "2.11.0"
    assert records[0]["env"] == first["env"]
    repeated = exportdb(*records[0]["repro"].split()[1:])
    assert repeated.returncode == 0, repeated.stderr


def test_an_exporter_that_needs_another_torch_is_unavailable_there(exportdb, old):
    done = exportdb(
        "run", "own/one", "--cases", "cases", "--exporter", "mine.py:OtherTorch",
        "--python", str(old), "--json",
    )  # fmt: skip
    record = json.loads(done.stdout.splitlines()[1])
    assert record["outcome"] == "unavailable"
    assert "requires torch==1.0, and this run is on torch 2.11.0" in record["error"]["message"]
