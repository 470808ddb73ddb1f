"""A result that comes out now one way and now another: measured, and then expected as such."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from tests.cli.conftest import CASE
from tests.scaffold.test_new_exporter import exportdb

#: Wrong every third time, by a count that outlives its process.
INTERMITTENT = """
from pathlib import Path


class Mine:
    name = "mine"

    def capture(self, program):
        count = Path(__file__).with_name("count")
        with count.open("a") as file:
            file.write(".")
        bad = WRONG and len(count.read_text()) % 3 == 0
        return (lambda x: program.module(x) + 1) if bad else program.module
"""
RUN = ["own/adds.py", "--exporter", "mine.py:Mine", "--jobs", "1"]


@pytest.fixture(scope="module")
def here(tmp_path_factory: pytest.TempPathFactory) -> Path:
    where = tmp_path_factory.mktemp("intermittent")
    (where / "mine.py").write_text(INTERMITTENT.replace("WRONG", "True"))
    (where / "expectations").mkdir()
    (where / "own").mkdir()
    (where / "own" / "adds.py").write_text(CASE.format(title="Adds", body="x + 1"))
    return where


def test_an_intermittent_result_is_measured_accepted_and_then_expected(here: Path):
    done = exportdb(here, "run", *RUN, "--repeat-run", "6", "--out", "six.jsonl")
    assert done.returncode == 0, done.stderr
    assert "supported 4 times of 6, wrong 2 times of 6" in done.stdout
    proposed = "next: exportdb accept --issue LINK --exporter mine.py:Mine --cases own"
    assert proposed in done.stdout
    record = json.loads((here / "six.jsonl").read_text().splitlines()[1])
    assert (record["outcomes"], record["verdict"]) == ({"supported": 4, "wrong": 2}, "flaky")

    accept = ["accept", "--cases", "own", "--exporter", "mine.py:Mine"]
    refused = exportdb(here, *accept)
    assert refused.returncode == 1
    assert "wrong 2 times of 6, which needs a link" in refused.stderr
    accepted = exportdb(here, *accept, "--issue", "mine#7")
    assert accepted.returncode == 0, accepted.stderr
    text = (here / "expectations" / "adds.yaml").read_text()
    assert "outcome: supported" in text and "sometimes: [wrong]" in text and "issue: mine#7" in text

    seen = set()
    for _ in range(3):  # whichever it is
        done = exportdb(here, "check", *RUN, "--fresh", "--json")
        assert done.returncode == 0, done.stdout
        seen.add(json.loads(done.stdout.splitlines()[1])["outcome"])
    assert seen == {"supported", "wrong"}
    assert exportdb(here, *accept).returncode == 0  # once says nothing new
    assert (here / "expectations" / "adds.yaml").read_text() == text


def test_what_agrees_again_is_an_ordinary_expectation(here: Path):
    (here / "mine.py").write_text(INTERMITTENT.replace("WRONG", "False"))
    assert exportdb(here, "run", *RUN, "--repeat-run", "4").returncode == 0
    done = exportdb(here, "accept", "--cases", "own", "--exporter", "mine.py:Mine")
    assert done.returncode == 0, done.stderr
    text = (here / "expectations" / "adds.yaml").read_text()
    assert "wrong" not in text and "mine#7" not in text
