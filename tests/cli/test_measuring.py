"""Run, accept, check, diff: the loop a user goes through with their own cases and exporter."""

from __future__ import annotations

import json
import os
import shlex
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from tests.cli.conftest import CASE

OWN = ["own", "--cases", "own_cases", "--exporter", "mine.py:Mine"]
MINE = ["--expectations", "expected"]


def lines(text: str) -> list[dict]:
    return [json.loads(line) for line in text.splitlines()]


@pytest.fixture(scope="module")
def first(exportdb):
    """A run of the exporter as it is, nothing being expected yet."""
    return exportdb("run", *OWN, *MINE, "--out", "first.jsonl")


@pytest.fixture(scope="module")
def accepted(exportdb, first):
    return exportdb("accept", "--cases", "own_cases", *MINE)


@pytest.fixture(scope="module")
def spoiled(exportdb, accepted, folder: Path):
    """A check after the exporter began to get every value wrong."""
    path = folder / "mine.py"
    path.write_text(path.read_text().replace("return y", "return y + 1"))
    return exportdb("check", *OWN, *MINE, "--out", "spoiled.jsonl")


def test_a_run_shows_what_is_supported_and_what_to_do_next(first):
    assert first.returncode == 0, first.stderr
    assert "own/add_one  ✔ supported" in first.stdout
    assert "2 results: 2 new" in first.stdout
    assert "next: exportdb accept" in first.stdout
    assert "\x1b" not in first.stdout + first.stderr  # a pipe gets plain text
    assert "examining: 2 results" in first.stderr


def test_a_dry_run_shows_the_difference_and_writes_nothing(exportdb, first, folder: Path):
    done = exportdb("accept", "--cases", "own_cases", "--dry-run", "--expectations", "elsewhere")
    assert done.returncode == 0
    assert "+own/add_one:" in done.stdout and "outcome: supported" in done.stdout
    assert "would change" in done.stderr
    assert not (folder / "elsewhere").exists()


def test_accepting_writes_beside_nothing_but_in_ones_own_tree(accepted, folder: Path):
    assert accepted.returncode == 0, accepted.stderr
    assert (folder / "expected/own.yaml").is_file()
    assert not list((folder / "own_cases").rglob("*.yaml"))


def test_what_was_accepted_passes_and_accepting_it_again_changes_nothing(
    exportdb, accepted, folder
):
    checked = exportdb("check", *OWN, *MINE)
    assert checked.returncode == 0, checked.stdout
    assert "2 results: 2 expected (2 from cache)" in checked.stdout
    before = (folder / "expected/own.yaml").read_bytes()
    again = exportdb("accept", "--cases", "own_cases", *MINE)
    assert again.stdout == ""
    assert "0 files changed" in again.stderr
    assert (folder / "expected/own.yaml").read_bytes() == before


def test_an_exporter_that_became_wrong_is_a_surprise_with_reason_and_repro(spoiled):
    assert spoiled.returncode == 1
    assert "≠ wrong*" in spoiled.stdout
    both = "regressed: own/add_one, own/double · mine · cpu: supported was expected, wrong seen"
    assert both in spoiled.stdout
    for case in ("own/add_one", "own/double"):
        assert f"  {case}: example: disagrees: output[0] is " in spoiled.stdout
    assert "repro: exportdb run" in spoiled.stdout


def test_a_wrong_result_is_accepted_with_an_issue_only(exportdb, spoiled, folder: Path):
    accept = ["accept", "--from", "spoiled.jsonl", "--cases", "own_cases", *MINE]
    refused = exportdb(*accept)
    assert refused.returncode == 1
    whose = "refused 2 results: own/add_one, own/double · mine · cpu: wrong needs a link: --issue"
    assert refused.stderr.count("needs a link") == 1
    assert whose in refused.stderr
    assert "outcome: wrong" not in (folder / "expected/own.yaml").read_text()
    [step] = [s for s in refused.stderr.splitlines() if s.startswith("next: ")]
    proposed = step.removeprefix("next: exportdb ").partition("  (")[0]
    assert proposed.startswith("accept own/add_one own/double --exporter mine.py:Mine")
    linked = exportdb(*shlex.split(proposed.replace("LINK", "me/mine#7")), "--dry-run")
    assert linked.returncode == 0
    assert "+    issue: me/mine#7" in linked.stdout
    several = "me/mine#7 is now given for 2 results: own/add_one, own/double; for a link of its own"
    assert several in linked.stderr
    one = shlex.split(proposed.replace("LINK", "me/mine#7").replace(" own/double", ""))
    assert "is now given for" not in exportdb(*one, "--dry-run").stderr


#: Eager fails where there is no row, which the declared range allows.
LAST_ROW = '''"""
title: Last row
description: It is read with a negative index.
tags: [torch.slicing]
"""
import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def forward(self, x):
        return x[-1]


dynamic_shapes = {"x": {0: Dim("n", max=32)}}


def inputs(n=5):
    return torch.randn(n, 3)
'''


def test_what_a_contributor_meets_says_what_to_do(exportdb, folder: Path):
    (folder / "new").mkdir()
    (folder / "new" / "last_row.py").write_text(LAST_ROW)
    said = exportdb("lint", "--cases", "new", "--only", "--static").stdout
    assert "the tag torch.slicing is not in new/tags.yaml; did you mean torch.view" in said
    said = exportdb("run", "--cases", "new", "--only", "--exporter", "make-fx").stdout
    assert "on the sample n=0: IndexError" in said
    assert "what to do: fix the program, or narrow the declared range" in said


FAILS = """
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.view(7)


def inputs():
    return torch.arange(6.0)
"""


def test_after_an_error_nothing_is_checked_before_that_is_fixed(exportdb, folder: Path):
    (folder / "more").mkdir()
    (folder / "more" / "good.py").write_text(CASE.format(title="Adds", body="x + 1"))
    (folder / "more" / "bad.py").write_text('"""\ntitle: Fails\n"""\n' + FAILS)
    words = ["--cases", "more", "--only", "--exporter", "good.py:Good"]
    (folder / "good.py").write_text(
        "class Good:\n    name = 'good'\n\n"
        "    def capture(self, program):\n        return program.module\n"
    )
    done = exportdb("run", *words)
    assert done.returncode == 2 and "next: fix the error shown above, then run again" in done.stdout
    done = exportdb("accept", *words, "--expectations", "good")
    assert done.returncode == 1 and "1 result accepted; 1 file changed; 1 refused" in done.stderr
    assert [line for line in done.stderr.splitlines() if line.startswith("next: ")] == [
        "next: review the diff",
        "next: exportdb report  (says what the errors are; fix them, then run again)",
    ]


def test_json_is_an_environment_and_then_records(exportdb, spoiled):
    done = exportdb("check", *OWN, *MINE, "--json")
    environment, *records = lines(done.stdout)
    assert done.returncode == 1
    assert environment["kind"] == "environment"
    assert {(r["case"], r["outcome"], r["expected"], r["verdict"]) for r in records} == {
        ("own/add_one", "wrong", "supported", "regressed"),
        ("own/double", "wrong", "supported", "regressed"),
    }


def test_two_runs_are_compared(exportdb, spoiled):
    done = exportdb("diff", "first.jsonl", "spoiled.jsonl")
    assert done.returncode == 1
    assert "supported -> wrong" in done.stdout
    assert done.stdout.endswith("2 regressed\n")
    back = lines(exportdb("diff", "spoiled.jsonl", "first.jsonl", "--json").stdout)
    assert [(c["kind"], c["case"]) for c in back] == [
        ("improved", "own/add_one"), ("improved", "own/double"),
    ]  # fmt: skip
    same = exportdb("diff", "first.jsonl", "first.jsonl")
    assert (same.returncode, same.stdout) == (0, "no difference\n")


def test_one_file_is_examined_by_itself(exportdb, spoiled):
    done = exportdb("run", "own_cases/own/double.py", "--exporter", "mine.py:Mine", "--json")
    assert [r["case"] for r in lines(done.stdout)[1:]] == ["double"]


def test_outcomes_select_by_what_is_expected(exportdb, spoiled):
    done = exportdb("run", *OWN, *MINE, "--outcome", "wrong")
    assert done.returncode == 2
    assert "nothing selected is expected to be wrong" in done.stderr


def test_an_interrupted_run_goes_on_with_the_options_it_had(exportdb, folder: Path, tmp_path: Path):
    home = {"EXPORTDB_HOME": str(tmp_path)}
    words = ["run", "top_k", "--exporter", "slow.py:Mine", "--jobs", "1"]
    started = subprocess.Popen(
        [sys.executable, "-m", "exportdb", *words],
        cwd=folder, env={**os.environ, **home},
        stdout=subprocess.PIPE, stderr=subprocess.PIPE, text=True,
        # A shell's background jobs, these tests among them perhaps, ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    finished = 0
    deadline = time.monotonic() + 120
    while finished < 3 and time.monotonic() < deadline and started.poll() is None:
        time.sleep(0.1)
        finished = sum(len(f.read_text().splitlines()) for f in tmp_path.glob("runs/*.jsonl"))
    started.send_signal(signal.SIGINT)
    _, said = started.communicate(timeout=60)
    assert started.returncode == 130, said
    assert "exportdb run --resume" in said
    assert "Traceback" not in said
    resumed = exportdb("run", "--resume", "--jobs", "2", "--json", **home)
    environment, *records = lines(resumed.stdout)
    assert len(records) == environment["planned"] > 3
    assert len({r["case"] for r in records}) == len(records)


def test_a_broken_case_hides_no_other_and_is_exit_code_two(exportdb, folder: Path, tmp_path: Path):
    tree = tmp_path / "tree"
    tree.mkdir()
    (tree / "fine.py").write_text((folder / "own_cases/own/double.py").read_text())
    (tree / "broken.py").write_text('"""\ntitel: x\n"""\n')
    done = exportdb("run", "fine", "broken", "--cases", str(tree), "--exporter", "export")
    assert done.returncode == 2
    assert "broken.py:2: unknown key 'titel'" in done.stderr + done.stdout


@pytest.mark.parametrize(
    ("source", "line"),
    [
        ("import not_there\n\nclass Broken:\n    pass\n", 1),
        ("class Broken:\n    def __init__(self):\n        self.x = not_there\n", 3),
        ("class Broken:\n    def capture(self, program:\n        return program\n", 2),
        ("class Broken:\n    def convert(self, program):\n        return program\n", 0),
    ],
    ids=["import", "constructor", "syntax", "no-capture"],
)
def test_a_broken_adapter_is_shown_at_its_own_line(exportdb, folder: Path, source: str, line: int):
    (folder / "broken.py").write_text(source)
    done = exportdb("run", "own", "--cases", "own_cases", "--exporter", "broken.py:Broken")
    assert done.returncode == 2
    assert "2 x setup: PluginError" in done.stdout
    assert "2 results: 2 errors" in done.stdout
    if line:
        assert f"your line: broken.py:{line}" in done.stdout
    assert "exportdb/plugins.py" not in done.stdout  # ours is nobody's to fix


@pytest.mark.parametrize("verb", [("run", "--exporter", "export"), ("list",), ("show",)])
def test_a_topic_of_which_no_case_can_be_read_says_why(exportdb, tmp_path: Path, verb):
    topic = tmp_path / "tree" / "mine"
    topic.mkdir(parents=True)
    (topic / "first.py").write_text('"""\ntitel: x\n"""\n')
    (topic / "Second-One.py").write_text('"""\ntitle: x\n"""\n')
    done = exportdb(*verb, "mine", "--cases", str(tmp_path / "tree"))
    assert done.returncode == 2
    assert "no case is named" not in done.stderr
    assert "first.py:2: unknown key 'titel'" in done.stderr
    assert "'mine/Second-One' is not a legal ID" in done.stderr


def test_doctor_tells_what_can_be_used_and_why_not(exportdb, folder: Path):
    (folder / "raises.py").write_text("class Any:\n    raise RuntimeError('no licence')\n")
    done = exportdb("doctor", "--exporter", "raises.py:Any", "--json")
    checks = {(c["kind"], c["name"]): c for c in json.loads(done.stdout)["checks"]}
    assert done.returncode == 0
    assert checks["exporter", "export"]["state"] == "ok"
    assert checks["exporter", "any"]["state"] == "problem"
    assert "no licence" in checks["exporter", "any"]["details"]


def test_doctor_without_a_place_to_write_says_so(exportdb, folder: Path):
    (folder / "a_file").write_text("")
    done = exportdb("doctor", EXPORTDB_HOME=str(folder / "a_file"))
    assert done.returncode == 2
    assert "cannot be written" in done.stdout
