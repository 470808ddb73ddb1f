"""A waiver belongs to one result and ends: after a day, or with a version of torch."""

from __future__ import annotations

from pathlib import Path

import pytest

from tests.cli.conftest import Command

WORDS = ["own/double", "--cases", "own_cases", "--exporter", "mine.py:Mine"]


@pytest.fixture(scope="module")
def accept(exportdb: Command, folder: Path) -> list[str]:
    """The words that accept a wrong result."""
    spoiled = (folder / "mine.py").read_text().replace("return y", "return y + 1")
    (folder / "mine.py").write_text(spoiled)
    assert exportdb("run", *WORDS, "--out", "wrong.jsonl").returncode == 0
    return ["accept", "--from", "wrong.jsonl", *WORDS, "--expectations", "known"]


def test_a_waiver_that_ended_fails_the_check_with_a_clear_line(exportdb, accept, folder: Path):
    given = exportdb(*accept, "--issue", "me/mine#7", "--until", "2999-01-31")
    assert given.returncode == 0, given.stderr
    file = folder / "known" / "own" / "double.yaml"
    assert "until: '2999-01-31'" in file.read_text()
    check = ["check", *WORDS, "--expectations", "known"]
    good = file.read_text()
    assert exportdb(*check).returncode == 0
    for ends, says in (("2020-01-31", "on 2020-01-31"), ("torch 2.1", "with torch 2.1")):
        file.write_text(good.replace("2999-01-31", ends))
        failed = exportdb(*check)
        assert failed.returncode == 1
        assert f"the waiver me/mine#7 ended {says}" in failed.stdout
        refused = exportdb(*accept)
        assert refused.returncode == 1
        assert f"the waiver me/mine#7 ended {says}; give --issue" in refused.stderr
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
        (["--until", "soon"], "'soon' does not match the format '%Y-%m-%d'"),
        (["--until-torch", "later"], "'torch later' is neither a date like 2027-01-31 nor"),
        (["--until", "2999-01-31", "--until-torch", "2.99"], "not both"),
        (["--until", "2020-01-31", "--issue", "me/mine#7"], "ended on 2020-01-31"),
        (["--until-torch", "2.99"], "needs a link: --issue"),
    ],
)
def test_a_waiver_that_says_nothing_is_refused(exportdb, accept, words, says):
    done = exportdb(*accept[:-1], "nothing_known", *words, "--dry-run")
    assert done.returncode in (1, 2)
    assert says in done.stderr
