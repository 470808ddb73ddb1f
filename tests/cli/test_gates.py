"""A gate that ends early, that begins with what failed, and that is cut into parts by time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.cli.conftest import CASE, EXPORTER, Command

CASES = [f"c{i}" for i in range(6)]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """Six cases of one's own, of which nothing is expected, and an exporter that is right."""
    root = tmp_path_factory.mktemp("gates")
    for name in CASES:
        (root / "own").mkdir(exist_ok=True)
        (root / "own" / f"{name}.py").write_text(CASE.format(title="Adds", body="x + 1"))
    (root / "mine.py").write_text(EXPORTER)
    (root / "exportdb.toml").write_text('exporters = ["mine.py:Mine"]\n')
    return root


@pytest.fixture(scope="module")
def exportdb(here: Path) -> Command:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *words],
            cwd=here, env={**os.environ, "EXPORTDB_HOME": str(here / "home")},
            capture_output=True, text=True, timeout=300,
        )  # fmt: skip

    return run


FILES = [f"own/{name}.py" for name in CASES]


def measured(text: str) -> list[str]:
    """The cases of a run's JSON, in the order in which they were finished."""
    lines = [json.loads(line) for line in text.splitlines()]
    return [line["case"] for line in lines if line["kind"] == "record"]


@pytest.mark.parametrize("fresh", [["--fresh"], []], ids=["measured", "cached"])
def test_a_check_ends_after_so_many_failures_and_goes_on_when_asked(exportdb, fresh):
    done = exportdb("check", *FILES, "--jobs", "1", "--max-failures", "2", "--json", *fresh)
    assert done.returncode == 1, done.stderr
    assert len(measured(done.stdout)) == 2
    says = "stopped at 2 results not as expected (--max-failures 2): 4 of 6 were not"
    assert says in done.stderr
    words = done.stderr.partition("go on with: exportdb ")[2].split()
    assert len(measured(exportdb(*words, "--json").stdout)) == 4


def test_a_check_with_fewer_failures_examines_everything(exportdb):
    done = exportdb("check", *FILES, "--max-failures", "6", "--json")
    assert done.returncode == 1
    assert len(measured(done.stdout)) == 6
    assert "stopped" not in done.stderr


def test_what_failed_in_the_last_run_is_examined_first(exportdb, here: Path):
    known = here / "known"
    assert exportdb("run", *FILES).returncode == 0
    accepted = exportdb("accept", *CASES, "--cases", "own", "--expectations", str(known))
    assert accepted.returncode == 0, accepted.stderr
    against = [*FILES, "--expectations", str(known), "--jobs", "1", "--json", "--fresh"]
    assert measured(exportdb("check", *against).stdout) == CASES
    for name in ("c3", "c5"):
        text = (known / f"{name}.yaml").read_text()
        (known / f"{name}.yaml").write_text(text.replace("supported", "refused"))
    assert measured(exportdb("check", *against).stdout)[:3] == ["c0", "c1", "c2"]
    again = exportdb("check", *against, "--max-failures", "2")  # tries a failure again at once
    assert (again.returncode, measured(again.stdout)) == (1, ["c3", "c5"])
    assert "4 of 6 were not examined" in again.stderr


def test_what_improved_is_settled_by_the_command_that_is_printed(exportdb, here: Path):
    """The expectation is stale, so the check fails, and its last line fixes that and no more."""
    known = here / "stale"
    words = [*FILES[:3], "--expectations", "stale"]
    assert exportdb("run", *words).returncode == 0
    assert exportdb("accept", "--cases", "own", "--expectations", "stale").returncode == 0
    for name, outcome in (("c1", "refused"), ("c2", "predicted")):
        text = (known / f"{name}.yaml").read_text()
        (known / f"{name}.yaml").write_text(text.replace("supported", outcome))
    done = exportdb("check", *words, "--cases", "own")
    assert done.returncode == 1
    *_, first, second, empty, last = done.stdout.splitlines()
    assert first == "  changed: c2 · mine · cpu: predicted was expected, supported seen"
    assert second == "  improved: c1 · mine · cpu: refused was expected, supported seen"
    assert not empty and last.endswith("  (1 result better than expected)")
    command = last.removeprefix("next: exportdb ").partition("  (")[0]
    accepted = exportdb(*command.split())
    assert accepted.returncode == 0
    assert accepted.stderr.endswith(
        f"next: review the diff, then exportdb check {' '.join(words)} --cases own\n"
    )
    again = exportdb("check", *words)
    assert again.returncode == 1
    assert "not as expected: 1 of 3 results\n  changed: c2" in again.stdout
    assert "improved" not in again.stdout


def test_what_is_proposed_after_accept_can_be_pasted(exportdb, here: Path):
    """It names no file that would be written again, and not more cases than one would read."""
    words = [*FILES[:1], "--expectations", "pasted"]
    assert exportdb("run", *words, "--out", "records.jsonl").returncode == 0
    settled = ["--cases", "own", "--expectations", "pasted", "--from", "records.jsonl"]
    proposed = exportdb("accept", *settled).stderr.splitlines()[-1]
    assert proposed == f"next: review the diff, then exportdb check {' '.join(words)}"
    copies = [here / "copies" / f"d{i}.py" for i in range(13)]
    copies[0].parent.mkdir()
    for copy in copies:
        copy.write_text(CASE.format(title="Adds", body="x + 1"))
    names = [f"copies/{copy.name}" for copy in copies]
    assert exportdb("run", "--expectations", "pasted", *names).returncode == 0
    done = exportdb("accept", "--cases", "copies", "--expectations", "pasted")
    assert (
        done.stderr.splitlines()[-1]
        == "next: review the diff, then exportdb check on the 13 cases of that run"
    )


def test_shards_are_balanced_by_the_records_that_are_named(exportdb, here: Path):
    assert exportdb("run", *FILES, "--out", "times.jsonl").returncode == 0
    lines = [json.loads(line) for line in (here / "times.jsonl").read_text().splitlines()]
    for line in lines[1:]:
        line["seconds"] = {"capture": 50.0 if line["case"] == "c4" else 10.0}
    (here / "times.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines))
    parts = [
        measured(exportdb("run", *FILES, "--shard", f"{i}/2@times.jsonl", "--json").stdout)
        for i in (1, 2)
    ]
    assert sorted(map(sorted, parts)) == [["c0", "c1", "c2", "c3", "c5"], ["c4"]]
    (here / "times-1.jsonl").write_text("".join(json.dumps(line) + "\n" for line in lines[:4]))
    (here / "times-2.jsonl").write_text(json.dumps(lines[0]) + "\n" + "".join(
        json.dumps(line) + "\n" for line in lines[4:]))  # fmt: skip
    for several in ("times-*.jsonl", "times-1.jsonl,times-2.jsonl"):
        done = exportdb("run", *FILES, "--shard", f"1/2@{several}", "--json")
        assert measured(done.stdout) == parts[0], done.stderr
    lost = exportdb("run", *FILES, "--shard", "1/2@gone.jsonl")
    assert lost.returncode == 2
    assert "'gone.jsonl' is neither a record file nor the ID of a run" in lost.stderr


def test_the_expectations_beside_an_adapter_are_found(tmp_path: Path):
    def exportdb(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *words], cwd=tmp_path,
            env={**os.environ, "EXPORTDB_HOME": "home"}, capture_output=True, text=True,
        )  # fmt: skip

    (tmp_path / "own").mkdir()
    (tmp_path / "own" / "adds.py").write_text(CASE.format(title="Adds", body="x + 1"))
    for name in ("one", "two"):
        (tmp_path / name / "expectations").mkdir(parents=True)
        (tmp_path / name / "adapter.py").write_text(EXPORTER.replace("mine", name))
    words = ["own/adds.py", "--exporter", "one/adapter.py:Mine"]
    proposed = exportdb("run", *words).stdout.splitlines()[-1]
    assert proposed.startswith(
        "next: exportdb accept --dry-run --exporter one/adapter.py:Mine --cases own  ("
    )
    done = exportdb("accept", "--cases", "own", "--exporter", "one/adapter.py:Mine")
    assert done.returncode == 0, done.stderr
    assert (tmp_path / "one" / "expectations" / "adds.yaml").is_file()
    assert exportdb("check", *words).returncode == 0
    both = exportdb("check", *words, "--exporter", "two/adapter.py:Mine")
    assert both.returncode == 2
    assert "are both expectations beside an exporter; examine these exporters one" in both.stderr


#: One that does what torch.export does, or less.
EXTENDING = """
from exportdb.exporters.torch_export import Export


class Extending(Export):
    name, extends = "extending", "export"

    def capture(self, program):
        raise NotImplementedError("no kernel")
"""


def test_a_case_on_which_an_adapter_was_never_measured_is_new_and_no_regression(tmp_path: Path):
    """That the exporter it extends supports a case says nothing of the adapter."""
    (tmp_path / "ext.py").write_text(EXTENDING)
    check = ["check", "dynamic_shapes/derived_dim_double", "--exporter", "ext.py:Extending"]

    def run(*words: str) -> str:
        done = subprocess.run(
            [sys.executable, "-m", "exportdb", *words], cwd=tmp_path, capture_output=True,
            env={**os.environ, "EXPORTDB_HOME": "home"}, text=True, timeout=300,
        )  # fmt: skip
        return done.stdout + done.stderr

    first = run(*check)
    assert "1 result: 1 new" in first and "regressed" not in first
    said = "refused, not measured before; supported was only assumed"
    assert said in first and said in run("report", "--format", "junit")
    run("accept", *check[2:], "--expectations", "expectations")
    assert "1 result: 1 expected" in run(*check)
    more = ["check", "dynamic_shapes/static_size", *check[1:], "--measured-before"]
    later = run(*more)  # a case that came later
    assert "1 of 2 results are left out (--measured-before)" in later
    assert "1 result: 1 expected" in later
    assert "nothing selected was measured before" in run(*more[:2], *more[3:])
    (tmp_path / "ext.py").write_text(EXTENDING.replace("no kernel", "no memory"))
    assert "1 result: 1 changed" in run(*check)


def test_a_configured_adapter_is_annotated_too(exportdb, here: Path):
    (here / "mine.py").write_text(EXPORTER.replace("return y", "return y + 1"))
    try:
        assert exportdb("check", FILES[0]).returncode == 1
    finally:
        (here / "mine.py").write_text(EXPORTER)
    said = exportdb("report", "--format", "github").stdout
    assert "::error file=mine.py,line=2,title=≠ wrong" in said
    assert "::error file=own/c0.py,line=" in said


def test_only_affected_examines_what_changed_and_what_failed(exportdb, here: Path):
    known = here / "affected"
    known.mkdir()
    assert exportdb("run", *FILES[:3]).returncode == 0
    assert exportdb("accept", "--cases", "own", "--expectations", "affected").returncode == 0

    def affected() -> tuple[int, list[str]]:
        words = ["--expectations", "affected", "--only-affected", "--json"]
        done = exportdb("check", *FILES[:3], *words)
        return done.returncode, sorted(measured(done.stdout))

    assert affected() == (0, [])
    case, expected = here / "own" / "c1.py", known / "c2.yaml"
    case.write_text(case.read_text().replace("x + 1", "x + 2"))
    text = expected.read_text()
    expected.write_text(text.replace("supported", "refused"))
    assert affected() == (1, ["c1", "c2"])
    assert affected() == (1, ["c2"])  # c1 is as expected; what fails is never left out
    expected.write_text(text)
    assert affected() == (0, [])
    (here / "mine.py").write_text(EXPORTER + "# changed\n")
    assert affected() == (0, CASES[:3])
    said = exportdb("check", *FILES[:3], "--expectations", "affected", "--only-affected")
    assert "3 of 3 results are left out (--only-affected)" in said.stderr
    assert "nothing examined" in said.stdout
