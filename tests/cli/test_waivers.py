"""A waiver belongs to one result and ends: after a day, or with a version of torch."""

from __future__ import annotations

import json
import re
import shlex
import xml.etree.ElementTree as ET
from pathlib import Path

import pytest

from tests.cli.conftest import Command

BOTH = ["own/double", "--cases", "own_cases", "--exporter", "mine.py:Mine,other.py:Other"]
WORDS = ["own/double", "--cases", "own_cases", "--exporter", "mine.py:Mine"]


@pytest.fixture(scope="module")
def accept(exportdb: Command, folder: Path) -> list[str]:
    """The words that accept a wrong result."""
    spoiled = (folder / "mine.py").read_text().replace("return y", "return y + 1")
    (folder / "mine.py").write_text(spoiled)
    other = spoiled.replace("class Mine", "class Other").replace('"mine"', '"other"')
    (folder / "other.py").write_text(other)
    assert exportdb("run", *BOTH, "--out", "wrong.jsonl").returncode == 0
    return ["accept", "--from", "wrong.jsonl", *WORDS, "--expectations", "known"]


def test_a_waiver_that_ended_fails_the_check_with_a_clear_line(exportdb, accept, folder: Path):
    given = exportdb(*accept, "--issue", "me/mine#7", "--until", "2999-01-31")
    assert given.returncode == 0, given.stderr
    file = folder / "known" / "own.yaml"
    assert "until: '2999-01-31'" in file.read_text()
    check = ["check", *WORDS, "--expectations", "known"]
    good = file.read_text()
    assert exportdb(*check).returncode == 0
    for ends, says in (("2020-01-31", "on 2020-01-31"), ("torch 2.1", "with torch 2.1")):
        file.write_text(good.replace("2999-01-31", ends))
        failed = exportdb(*check)
        assert failed.returncode == 1
        assert f"the waiver me/mine#7 ended {says}" in failed.stdout
        ended = file.read_text()
        junit = ET.fromstring(exportdb("report", "--format", "junit").stdout)
        said = [failure.attrib["message"] for failure in junit.iter("failure")]
        assert said == [f"the waiver me/mine#7 ended {says}"]
        told = json.loads(exportdb(*accept, "--json", "--dry-run").stdout)
        assert (told["accepted"], told["dry_run"]) == ([], True)
        [refusal] = told["refused"]
        assert (refusal["case"], refusal["outcome"]) == ("own/double", "wrong")
        assert f"ended {says}" in refusal["reason"]
        refused = exportdb(*accept)
        assert refused.returncode == 1
        assert f"the waiver me/mine#7 ended {says}; give --issue" in refused.stderr
        assert "what is wrong or crashed needs --issue LINK or --note TEXT" in failed.stdout
        [step] = [line for line in failed.stdout.splitlines() if line.startswith("next: ")]
        command = re.search(r"exportdb (accept .*?)  \(", step)[1]
        later = ("DATE", "2999-05-06") if "DATE" in command else ("VERSION", "99.1")
        assert f"{later[0]} is " in step
        filled = shlex.split(command.replace(*later))
        assert "me/mine#7" in filled and exportdb(*filled).returncode == 0
        assert later[1] in file.read_text() and ended != file.read_text()
        assert exportdb(*check).returncode == 0
    file.write_text(good.replace("'2999-01-31'", "2999-01-31"))
    assert "until must be a date in quotes, like '2027-01-31'" in exportdb(*accept).stderr
    file.write_text(good)
    kept = exportdb(*accept)
    assert "0 files changed" in kept.stderr
    assert exportdb(*accept, "--issue", "me/mine#8").returncode == 0
    assert "until" not in file.read_text()


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["--until", "soon"], "'soon' is not a day like 2027-01-31"),
        (["--until-torch", "later"], "'later' is not a version like 2.16"),
        (["--until", "2999-01-31", "--until-torch", "2.99"], "not both"),
        (
            ["--until", "2020-01-31", "--issue", "me/mine#7"],
            "2020-01-31 is past; give a later day",
        ),
        (["--until-torch", "2.99"], "needs a link: --issue"),
    ],
)
def test_a_waiver_that_says_nothing_is_refused(exportdb, accept, words, says):
    done = exportdb(*accept[:-1], "nothing_known", *words, "--dry-run")
    assert done.returncode in (1, 2)
    assert says in done.stderr


def test_of_two_results_that_are_wrong_alike_each_has_its_own_waiver(
    exportdb, accept, folder: Path
):
    """Only the one whose waiver ended fails; a report never gives one the link of the other."""
    kept, dry = ["--expectations", "two"], ""
    for exporter, words in (
        ("mine.py:Mine", ["--issue", "me/mine#7", "--until", "2999-01-31"]),
        ("other.py:Other", ["--note", "by design", "--until", "2999-02-28"]),
    ):
        one = [*accept[:3], "--cases", "own_cases", *kept, "--exporter", exporter, *words]
        dry = dry or exportdb(*one, "--dry-run").stderr
        assert exportdb(*one).returncode == 0
    assert dry.endswith("me/mine#7' --until 2999-01-31\n") and "next: exportdb accept --from" in dry
    file = folder / "two" / "own.yaml"
    file.write_text(file.read_text().replace("2999-01-31", "2020-01-31"))
    failed = exportdb("check", *BOTH, *kept)
    assert failed.returncode == 1
    assert "1 regressed, 1 expected" in failed.stdout
    file.write_text(file.read_text().replace("2999-02-28", "2020-02-28"))
    (heading,) = (
        line for line in exportdb("check", *BOTH, *kept).stdout.splitlines()
        if line.startswith("regressed: own/double · mine, other")
    )  # fmt: skip
    assert "the waiver me/mine#7 ended on 2020-01-31" in heading
    assert 'the waiver "by design" ended on 2020-02-28' in heading


def test_what_is_explained_for_all_cases_of_an_exporter_needs_no_link(
    exportdb, accept, folder: Path
):
    (folder / "by_design").mkdir()
    known = ["--expectations", "by_design"]
    assert "--issue LINK" in exportdb("run", *WORDS, *known).stdout
    (folder / "by_design" / "exporters.yaml").write_text("mine: {note: It adds one.}\n")
    done = exportdb("run", *WORDS, *known)
    assert "next: exportdb accept --dry-run" in done.stdout
    assert "--issue" not in done.stdout
    assert exportdb("accept", *WORDS, *known).returncode == 0
