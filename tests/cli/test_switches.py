"""Running under switches: what the command takes, what the records say, what is compared."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

CASE = ["own/add_one", "--cases", "own_cases", "--exporter", "export"]
MINE = ["--expectations", "expected"]


def run(exportdb, *words: str) -> tuple[dict, dict]:
    done = exportdb("run", *CASE, *MINE, "--json", *words)
    assert done.returncode == 0, done.stderr
    header, record = map(json.loads, done.stdout.splitlines())
    return header, record


@pytest.fixture(scope="module")
def expected(exportdb):
    """What the run without switches came to is accepted."""
    run(exportdb)
    assert exportdb("accept", "--cases", "own_cases", *MINE).returncode == 0


def test_records_say_under_which_switches_they_were_made(exportdb, expected):
    header, record = run(exportdb, "--switch", "default-dtype=float64", "--switch", "deterministic")
    plain_header, plain = run(exportdb)
    assert header["switches"] == ["default-dtype=float64", "deterministic"]
    assert plain_header["switches"] == []
    assert header["env"] != plain_header["env"]
    assert "--switch default-dtype=float64 --switch deterministic" in record["repro"]
    assert "--switch" not in plain["repro"]


def test_they_are_not_compared_with_what_is_known_without(exportdb, expected, folder: Path):
    assert run(exportdb)[1]["verdict"] == "expected"
    assert run(exportdb, "--switch", "deterministic")[1]["verdict"] == "new"
    assert exportdb("accept", "--cases", "own_cases", *MINE).returncode == 0
    assert run(exportdb, "--switch", "deterministic")[1]["verdict"] == "expected"
    assert run(exportdb)[1]["verdict"] == "expected"
    assert "+deterministic" in (folder / "expected" / "own.yaml").read_text()


def test_no_line_of_a_report_looks_like_one_of_a_run_without(exportdb, expected):
    said = exportdb("run", *CASE, *MINE, "--switch", "mode=train", "--device", "cpu").stdout
    table, *_ = said.splitlines()
    assert table.split() == ["case", "export", "cpu+mode=train"]
    assert "1 result under mode=train: 1 new" in said
    assert "these expectations hold under mode=train only" in said
    accepted = exportdb("accept", "--cases", "own_cases", *MINE, "--dry-run").stderr
    assert "1 result under mode=train accepted" in accepted


def test_two_runs_under_the_same_switches_are_compared_under_their_name(exportdb, expected):
    run(exportdb, "--out", "train.jsonl", "--switch", "mode=train")
    done = exportdb("diff", "train.jsonl", "train.jsonl")
    assert [line[:2] for line in done.stdout.splitlines()[:2]] == ["A:", "B:"]
    assert done.stdout.count("mode=train") == 2


def test_diff_says_what_was_turned(exportdb, expected):
    run(exportdb, "--out", "plain.jsonl")
    run(exportdb, "--out", "mode.jsonl", "--switch", "mode=eval")
    done = exportdb("diff", "plain.jsonl", "mode.jsonl")
    assert "mode=eval" in done.stdout.splitlines()[1]
    run(exportdb, "--out", "float64.jsonl", "--switch", "default-dtype=float64")
    changes = exportdb("diff", "plain.jsonl", "float64.jsonl", "--json").stdout.splitlines()
    assert json.loads(changes[0])["switches"] == {
        "before": [], "after": ["default-dtype=float64"],
    }  # fmt: skip


def test_a_switch_that_does_not_exist_is_refused_with_a_hint(exportdb):
    done = exportdb("run", *CASE, "--switch", "detrministic")
    assert done.returncode == 2
    assert "did you mean deterministic?" in done.stderr
    done = exportdb("run", *CASE, "--switch", "default-dtype=int8")
    assert done.returncode == 2 and "float64" in done.stderr


def test_the_configuration_can_turn_them_and_the_command_wins(exportdb, folder: Path):
    config = folder / "exportdb.toml"
    config.write_text('switches = ["deterministic", "mode=eval"]\n')
    try:
        header, _ = run(exportdb, "--switch", "deterministic=off")
    finally:
        config.unlink()
    assert header["switches"] == ["mode=eval"]
