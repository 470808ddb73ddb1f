"""Programs that come from a suite, through the real command: one's own plug-in, torch's ExportDB,
operators. What is selected, how a record is named, what is accepted, what is never mixed up."""

from __future__ import annotations

import inspect
import json
import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from xml.etree import ElementTree as ET

import pytest

from exportdb.cases.frontmatter import parse_case
from exportdb.suites.cases import CaseProgram

pytest.importorskip("torch")
Command = Callable[..., subprocess.CompletedProcess[str]]

SUITE = """
import pathlib
import torch
from exportdb.cases.case import FrontMatter
from exportdb.suites.protocol import Definition, SuiteProgram


class Add(torch.nn.Module):
    def forward(self, x):
        return x + 1


class Branch(torch.nn.Module):
    def forward(self, x):
        return x + 1 if x.sum() > 0 else x - 1


class Tiny:
    name = "tiny"
    options = {"more": "0"}

    def programs(self, more="0"):
        with open(pathlib.Path(__file__).with_name("asked"), "a") as file:
            file.write("x")
        if not more.isdigit():
            raise ValueError(f"more={more}: give a whole number")
        for name, model in {"own/add_one": Add, "own/branch": Branch}.items():
            yield self.made(name, model)
        for number in range(int(more)):
            yield self.made(f"own/more_{number}", Add)

    def program(self, id):
        return self.made(id, Branch if id == "own/branch" else Add)

    def made(self, name, model):
        def define():
            inputs = lambda n=5: torch.arange(float(n)) + 1
            n = torch.export.Dim("n", min=2, max=9)
            return Definition({"Model": model}, inputs, {"n": 5}, {"x": {0: n}})

        tags = ("tiny.branch",) if model is Branch else ()
        meta = FrontMatter(f"A tiny {model.__name__}", "For the tests.", tags=tags)
        return SuiteProgram(name, define, meta, f"the text of {name}")


class Lacking(Tiny):
    name = "lacking"
    requirements = ("no-such-distribution",)


class Twice(Tiny):
    name = "twice"
    options = {}

    def programs(self):
        return [self.made("same", Add), self.made("same", Add)]


class Dies(Tiny):
    name = "dies"
    options = {}

    def programs(self):
        import os

        os.abort()
"""

#: A case that has the ID of a program of the suite, and does something else.
CASE = '''"""
title: Adds two
description: A case of the tests.
"""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 2 if x.sum() > 0 else x


def inputs():
    return torch.arange(6.0)
'''
TINY = ("--suite", "tiny.py:Tiny")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    root = tmp_path_factory.mktemp("suites")
    (root / "tiny.py").write_text(SUITE)
    (root / "cases" / "own").mkdir(parents=True)
    (root / "cases" / "own" / "add_one.py").write_text(CASE)
    return root


@pytest.fixture(scope="module")
def exportdb(folder: Path) -> Command:
    def run(*words: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *words],
            cwd=folder, env={**os.environ, "EXPORTDB_HOME": str(folder / "home")},
            capture_output=True, text=True, encoding="utf-8", timeout=300,
        )  # fmt: skip

    return run


def records(text: str) -> list[dict]:
    lines = [json.loads(line) for line in text.splitlines()]
    return [line for line in lines if line["kind"] == "record"]


def test_a_suite_of_ones_own_is_listed_and_shown_like_cases(exportdb):
    listed = json.loads(exportdb("list", *TINY, "--json").stdout)
    assert [(c["suite"], c["case"]) for c in listed] == [
        ("tiny", "own/add_one"), ("tiny", "own/branch"),
    ]  # fmt: skip
    assert "own/branch" not in exportdb("list", *TINY, "own/add*").stdout
    assert "own/add_one" not in exportdb("list", *TINY, "--tag", "tiny.branch").stdout
    shown = exportdb("show", *TINY, "own/branch").stdout
    assert "the text of own/branch" in shown and "A tiny Branch" in shown


def test_what_a_suite_has_is_asked_once(exportdb, folder):
    exportdb("list", *TINY)
    asked = (folder / "asked").read_text()
    assert exportdb("list", *TINY, "--json").returncode == 0
    assert (folder / "asked").read_text() == asked
    (folder / "tiny.py").write_text(SUITE + "\n# changed\n")
    exportdb("list", *TINY)
    assert len((folder / "asked").read_text()) == len(asked) + 1


def test_the_programs_of_a_suite_are_examined_like_cases(exportdb):
    done = exportdb("run", *TINY, "--exporter", "export", "--json")
    assert done.returncode == 0, done.stderr
    found = {r["case"]: r for r in records(done.stdout)}
    assert found["own/add_one"]["outcome"] == "supported"
    assert found["own/branch"]["outcome"] == "refused"
    assert {r["suite"] for r in found.values()} == {"tiny"}
    sizes = {s["sizes"].get("n") for s in found["own/add_one"]["samples"]}
    assert {2, 5, 9} <= sizes


def test_the_command_in_a_record_repeats_just_it(exportdb):
    done = exportdb("run", *TINY, "own/branch", "--exporter", "export", "--json")
    (record,) = records(done.stdout)
    again = exportdb(*record["repro"].split()[1:], "--json")
    assert [r["case"] for r in records(again.stdout)] == ["own/branch"]


def test_an_option_decides_which_programs_there_are(exportdb):
    more = exportdb("run", *TINY, "--suite-option", "more=2", "own/more_1", "--exporter",
                    "export", "--json")  # fmt: skip
    (record,) = records(more.stdout)
    assert record["case"] == "own/more_1" and "--suite-option more=2" in record["repro"]
    assert "own/more_1" not in exportdb("list", *TINY).stdout
    for option, says in {
        "more=many": "more=many: give a whole number",
        "mroe=2": "no suite asked for has the option 'mroe'; did you mean more?",
        "more": "give NAME=VALUE",
    }.items():
        wrong = exportdb("list", *TINY, "--suite-option", option)
        assert wrong.returncode == 2 and says in wrong.stderr


def test_a_case_and_a_program_of_the_same_id_are_never_mixed(exportdb, folder):
    both = ("--suite", "cases,tiny.py:Tiny", "--cases", "cases", "own/add_one")
    done = exportdb("run", *both, "--exporter", "export", "--out", "both.jsonl")
    assert done.returncode == 0, done.stderr
    assert "tiny:own/add_one" in done.stdout and "\nown/add_one " in done.stdout
    found = {r["suite"]: r for r in records((folder / "both.jsonl").read_text())}
    assert found["tiny"]["outcome"] == "supported"
    assert found["cases"]["outcome"] == "refused"
    junit = ET.fromstring(exportdb("report", "--format", "junit").stdout)
    assert {t.get("name") for t in junit.iter("testcase")} == {"own/add_one", "tiny:own/add_one"}
    again = exportdb("run", *both, "--exporter", "export", "--json")
    assert {r["suite"]: r["outcome"] for r in records(again.stdout)} == {
        "tiny": "supported", "cases": "refused",
    }  # fmt: skip
    assert all(r["cached"] for r in records(again.stdout))
    assert exportdb("diff", "both.jsonl", "last").stdout.strip() == "no difference"
    alone = exportdb("run", *TINY, "own/add_one", "--exporter", "export")
    assert alone.returncode == 0
    assert "own/add_one) only in A" not in exportdb("diff", "both.jsonl", "last").stdout
    gone = exportdb("diff", "both.jsonl", "last", "--json")
    assert [(json.loads(c)["suite"], json.loads(c)["kind"]) for c in gone.stdout.splitlines()] == [
        ("cases", "gone")
    ]


def test_what_was_accepted_of_a_suite_is_what_a_check_compares_with(exportdb, folder):
    asked = (*TINY, "--exporter", "export")
    assert exportdb("check", *asked, "--expectations", "cases").returncode == 1  # all is new
    refused = exportdb("accept", *TINY)
    assert refused.returncode == 2 and "--expectations DIR" in refused.stderr
    kept = ("--expectations", "kept")
    accepted = exportdb("accept", *TINY, *kept)
    assert accepted.returncode == 0 and "2 results accepted" in accepted.stderr
    assert exportdb("check", *asked, *kept).returncode == 0
    path = folder / "kept" / "tiny.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    assert [(line["program"], line["outcome"]) for line in lines] == [
        ("own/add_one", "supported"), ("own/branch", "refused"),
    ]  # fmt: skip
    assert lines[0]["dims"] == "1/1" and "GuardOnDataDependent" in lines[1]["error"]
    again = exportdb("accept", *TINY, *kept)
    assert "0 files changed" in again.stderr
    path.write_text(path.read_text().replace("1/1", "0/1"))
    changed = exportdb("check", *asked, *kept)
    assert changed.returncode == 1 and "changed: tiny:own/add_one" in changed.stdout
    path.write_text(path.read_text().replace('"supported"', '"wrong"'))
    assert "improved: tiny:own/add_one" in exportdb("check", *asked, *kept).stdout
    path.write_text("{}\n")
    broken = exportdb("check", *asked, *kept)
    assert broken.returncode == 2 and "tiny.jsonl:1" in broken.stderr


def test_a_suite_that_cannot_say_what_it_has_is_one_clear_error(exportdb):
    for name, says in {
        "Twice": "two programs with the ID same",
        "Lacking": "it needs no-such-distribution",
        "Dies": "SIGABRT",
        "Add": "is not a suite: it has no method programs()",
    }.items():
        done = exportdb("list", "--suite", f"tiny.py:{name}")
        assert done.returncode == 2 and says in done.stderr, done.stderr
        assert "Traceback" not in done.stderr
    assert "did you mean upstream?" in exportdb("list", "--suite", "upstraem").stderr
    assert "no program 'nothing'" in exportdb("run", *TINY, "nothing").stderr


def test_an_interrupted_run_of_a_suite_goes_on(exportdb, folder):
    home = folder / "home" / "runs"
    exportdb("run", *TINY, "--exporter", "export")
    run = max(home.glob("*.jsonl"))
    lines = run.read_text().splitlines(keepends=True)
    run.write_text("".join(lines[:-1]))
    done = exportdb("run", "--resume", "--json")
    assert {r["case"] for r in records(done.stdout)} == {"own/add_one", "own/branch"}


def test_shards_of_a_suite_are_the_whole(exportdb):
    parts = [
        {r["case"] for r in records(exportdb("run", *TINY, "--suite-option", "more=6",
                                             "--exporter", "export", "--shard", f"{i}/2",
                                             "--json").stdout)}
        for i in (1, 2)
    ]  # fmt: skip
    assert len(parts[0] | parts[1]) == 8 and not parts[0] & parts[1]


def test_torchs_own_exportdb_is_live(exportdb):
    from torch._export.db.examples import all_examples

    listed = json.loads(exportdb("list", "--suite", "upstream", "--json").stdout)
    assert {c["case"] for c in listed} == set(all_examples())
    done = exportdb("run", "--suite", "upstream", "cond_operands", "dynamic_shape_round",
                    "--exporter", "export", "--json")  # fmt: skip
    found = {r["case"]: r for r in records(done.stdout)}
    assert found["cond_operands"]["outcome"] == "supported"
    assert found["dynamic_shape_round"]["outcome"] == "refused"
    cost = found["cond_operands"]["cost"]
    assert (cost["dims_asked"], cost["dims_kept"]) == (1, 1)


def test_the_process_that_lists_and_runs_never_imports_torch(folder):
    code = (
        "import sys\nfrom exportdb.cli.main import main\n"
        "for words in (['list', '--suite', 'tiny.py:Tiny'], ['run', '--suite', 'tiny.py:Tiny',"
        " '--exporter', 'export']):\n"
        "    sys.argv[1:] = words\n    try:\n        main()\n    except SystemExit:\n        pass\n"
        "print('torch' in sys.modules, 'tiny' in sys.modules, file=sys.stderr)"
    )
    done = subprocess.run(
        [sys.executable, "-c", code], cwd=folder, capture_output=True, text=True, timeout=300,
        env={**os.environ, "EXPORTDB_HOME": str(folder / "elsewhere")},
    )  # fmt: skip
    assert done.stderr.splitlines()[-1] == "False False"
    assert "own/branch" in done.stdout


def test_a_program_that_is_in_no_file_shows_its_lines() -> None:
    for number in (1, 2):  # of the program that runs, not of one before it
        text = f'"""\ntitle: A\n"""\ndef inputs():\n    return {number}\n'
        case = parse_case("hunt/candidate", Path("no_such_file.py"), text)
        inputs = CaseProgram(case).load().inputs
        assert inspect.getsource(inputs) == f"def inputs():\n    return {number}\n"
