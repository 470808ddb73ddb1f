"""Exporters in environments of their own, through the real command."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

pytestmark = pytest.mark.slow  # they make environments

OWN = ["own", "--cases", "cases", "--jobs", "2"]


def mine(*names: str) -> list[str]:
    return [word for name in names for word in ("--exporter", f"mine.py:{name}")]


@pytest.fixture(scope="module")
def first(exportdb):
    return exportdb("run", *OWN, *mine("Here", "Tiny", "Newer", "Absent"), "--out", "first.jsonl")


@pytest.fixture(scope="module")
def lines(first, user: Path):
    return [json.loads(line) for line in (user / "first.jsonl").read_text().splitlines()]


def test_each_is_examined_with_the_packages_it_asked_for(first, lines):
    records = [line for line in lines if line["kind"] == "record"]
    outcomes = {(r["exporter"], r["outcome"]) for r in records}
    assert outcomes == {
        ("here", "supported"), ("tiny", "supported"), ("newer", "wrong"), ("absent", "error"),
    }  # fmt: skip
    assert len(records) == 8, "two cases with four exporters, in one run"


def test_every_record_names_the_environment_it_was_made_in(lines):
    packages = {e["env"]: e["packages"] for e in lines if e["kind"] == "environment"}
    assert [line["kind"] for line in lines] == ["environment"] * 3 + ["record"] * 8
    compilers = {
        r["exporter"]: packages[r["env"]].get("tiny-compiler")
        for r in lines
        if r["kind"] == "record"
    }
    assert compilers == {"here": None, "tiny": "1.0", "newer": "2.0", "absent": None}


def test_one_that_cannot_be_made_is_one_error_with_the_next_command(first, lines):
    assert first.returncode == 2
    # Once with what to do; the end of the log names the results that are missing because of it.
    assert first.stdout.count("next: exportdb env create") == 1, first.stdout
    assert "no-such-compiler" in first.stdout
    assert "next: exportdb env create --exporter" in first.stdout
    absent = [r for r in lines if r.get("exporter") == "absent"]
    assert {r["error"]["type"] for r in absent} == {"NotRun"}
    assert all(r["error"]["message"].startswith("not run: ") for r in absent)


def test_it_says_that_environments_are_being_made(first):
    assert "making an environment with tiny-compiler==1.0" in first.stderr


def test_an_environment_is_made_once_and_its_results_are_known_again(exportdb, first):
    again = exportdb("run", *OWN, *mine("Tiny", "Newer"))
    assert again.returncode == 0, again.stdout + again.stderr
    assert "making" not in again.stderr
    assert "4 of them known already" in again.stderr


def test_what_takes_long_to_import_is_imported_once(exportdb, first):
    done = exportdb("run", *OWN, *mine("Preloaded"))
    assert done.stdout.count("✔ supported") == 2, done.stdout


@pytest.mark.slow
def test_pytest_items_are_examined_there_too(first, user: Path, variables):
    done = subprocess.run(
        [sys.executable, "-m", "pytest", "--pyargs", "exportdb", "-p", "no:cacheprovider", "-q",
         "--exportdb-exporter", "mine.py:Tiny", "--exportdb-exporter", "mine.py:Absent",
         "--exportdb-cases", "cases", "-k", "own/one"],
        cwd=user, env={**os.environ, **variables}, capture_output=True, text=True, timeout=300,
    )  # fmt: skip
    assert "1 failed, 1 passed" in done.stdout, done.stdout
    assert "not run: the environment of absent" in done.stdout


def test_accept_and_check_read_records_of_several_environments(exportdb, first):
    own = ["--expectations", "expected"]
    accepted = exportdb(
        "accept", "--from", "first.jsonl", "--cases", "cases", "--note", "It adds one.", *own
    )
    assert "refused: own/one · absent" in accepted.stderr, "an error is never expected"
    checked = exportdb("check", *OWN, *mine("Here", "Tiny", "Newer"), *own)
    assert checked.returncode == 0, checked.stdout + checked.stderr
    assert "6 results: 6 expected" in checked.stdout


def test_diff_says_all_the_places(exportdb, first, user: Path):
    one = exportdb("run", *OWN, *mine("Here"), "--out", "here.jsonl")
    assert one.returncode == 0
    shown = exportdb("diff", "first.jsonl", "here.jsonl")
    assert shown.returncode == 1
    assert "6 gone" in shown.stdout


def test_list_shows_what_each_holds(exportdb, first):
    shown = exportdb("env", "list", "--json")
    made = {m["requirements"][0]: m for m in json.loads(shown.stdout)}
    assert {"tiny-compiler==1.0", "tiny-compiler==2.0"} <= made.keys()
    assert "tiny-compiler==2.0" in made["tiny-compiler==2.0"]["lock"]
    assert "tiny-compiler==2.0" in exportdb("env", "list").stdout


def test_create_and_remove(exportdb, first):
    created = exportdb("env", "create", "--exporter", "mine.py:Tiny", "--json")
    (made,) = json.loads(created.stdout)
    assert "exists already" in created.stderr
    assert exportdb("env", "remove", made["name"][:8]).returncode == 0
    assert not Path(made["folder"]).exists()
    missing = exportdb("env", "remove", made["name"])
    assert missing.returncode == 2
    assert "exportdb env list shows all" in missing.stderr
    again = exportdb("env", "create", "--exporter", "mine.py:Tiny")
    assert again.returncode == 0, again.stderr
    assert made["name"] in again.stdout


def test_create_tells_what_is_wrong_with_which_package(exportdb):
    done = exportdb("env", "create", "--exporter", "mine.py:Absent")
    assert done.returncode == 2
    assert "no-such-compiler" in done.stderr.splitlines()[-1]


def test_one_whose_requirements_are_met_needs_none(exportdb):
    done = exportdb("env", "create", "--exporter", "mine.py:Here")
    assert done.returncode == 0
    assert "needs none" in done.stderr


def test_pip_makes_the_same_environment(exportdb, user: Path):
    envs = str(user / "pip_envs")
    done = exportdb(
        "env", "create", "--exporter", "mine.py:Tiny", "--json",
        EXPORTDB_ENV_TOOL="pip", EXPORTDB_ENVS=envs,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    (made,) = json.loads(done.stdout)
    assert made["tool"] == "pip"
    assert "tiny-compiler==1.0" in made["lock"]
