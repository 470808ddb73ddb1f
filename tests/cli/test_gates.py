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
    says = "stopped after 2 results that are not as expected (--max-failures 2): 4 of 6 were not"
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
    lost = exportdb("run", *FILES, "--shard", "1/2@gone.jsonl")
    assert lost.returncode == 2
    assert "'gone.jsonl' is neither a record file nor the ID of a run" in lost.stderr
