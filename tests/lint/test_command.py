"""``exportdb lint``: what it says, in which form, and with which exit code."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from tests.lint.fixtures import fixtures

BY_NAME = {f.name: f for kind in ("static", "executing") for f in fixtures(kind)}


def lint(*words: str, cwd: Path) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-m", "exportdb", "lint", *words]
    return subprocess.run(command, cwd=cwd, capture_output=True, text=True)


@pytest.fixture
def tree(tmp_path: Path) -> Path:
    """A tree with one case that allows itself what no check looks for."""
    BY_NAME["L017"].lay_out(tmp_path)
    return tmp_path


def test_a_problem_names_file_line_and_check_and_says_how_to_fix_it(tree: Path) -> None:
    done = lint("t", "--cases", "tree", "--static", cwd=tree)
    assert done.returncode == 1
    first, fix = done.stdout.splitlines()
    assert first == "tree/t/a.py:5: L017 allow names L999, and there is no such check"
    assert fix == "    Correct the ID; exportdb lint --list shows all of them."
    assert "1 problem in 1 case" in done.stderr


def test_json_is_one_problem_a_line(tree: Path) -> None:
    done = lint("t", "--cases", "tree", "--static", "--json", cwd=tree)
    [problem] = map(json.loads, done.stdout.splitlines())
    assert problem["path"] == "tree/t/a.py"
    assert (problem["line"], problem["check"]) == (5, "L017")
    assert problem["message"]
    assert problem["fix"]


def test_a_file_by_itself(tree: Path) -> None:
    done = lint("tree/t/a.py", cwd=tree)
    assert done.returncode == 1
    assert "L017" in done.stdout


def test_nothing_found_is_zero(tree: Path) -> None:
    path = tree / "tree/t/a.py"
    path.write_text(path.read_text().replace("allow: {L999: no such check}\n", ""))
    assert lint("t", "--cases", "tree", cwd=tree).returncode == 0


def test_the_parts_run_every_program_once_and_look_at_every_text(tmp_path: Path) -> None:
    case = '''"""
title: A program that cannot run{stop}
description: It is made for a test.
tags: []
"""
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        raise ValueError("never")

def inputs():
    return torch.ones(3)
'''
    for i in range(5):
        path = tmp_path / f"tree/t/case{i}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(case.format(stop="." if i == 3 else ""))
    ran: list[str] = []
    for part in ("1/2", "2/2"):
        done = lint("t", "--cases", "tree", "--shard", part, "--json", cwd=tmp_path)
        found = [json.loads(line) for line in done.stdout.splitlines()]
        assert ("tree/t/case3.py", "L007") in [(p["path"], p["check"]) for p in found]
        ran += {p["path"] for p in found if "never" in p["message"]}
    assert sorted(ran) == [f"tree/t/case{i}.py" for i in range(5)]


def test_a_broken_file_is_a_problem_and_hides_no_other(tree: Path) -> None:
    (tree / "tree/t/c.py").write_text("def broken(:\n")
    done = lint("t", "--cases", "tree", "--only", "--static", cwd=tree)
    assert done.returncode == 1
    assert {"L001", "L017"} == {
        line.split()[1] for line in done.stdout.splitlines() if line.startswith("tree")
    }


@pytest.mark.parametrize("words", [["no_such_topic"], ["--cases", "gone"], ["--explain", "L999"]])
def test_what_cannot_be_done_is_two(tree: Path, words: list[str]) -> None:
    done = lint(*words, cwd=tree)
    assert done.returncode == 2
    assert done.stderr
    assert "Traceback" not in done.stderr


def test_explain_and_list(tree: Path) -> None:
    explained = lint("--explain", "l012", cwd=tree)
    assert explained.returncode == 0
    assert explained.stdout.startswith("L012: References are issues")
    assert "allow: {L012: the reason}" in explained.stdout
    listed = lint("--list", "--json", cwd=tree)
    rows = [json.loads(line) for line in listed.stdout.splitlines()]
    assert {"L001", "L062"} <= {row["check"] for row in rows}
    assert all(row["what"] and row["why"] and row["fix"] for row in rows)


def test_static_imports_no_torch(tree: Path) -> None:
    code = (
        "import sys; from exportdb.cli.lint import command\n"
        "command.main(['--static'], standalone_mode=False)\n"
        "print('torch' in sys.modules)"
    )
    done = subprocess.run([sys.executable, "-c", code], cwd=tree, capture_output=True, text=True)
    assert done.stdout.splitlines()[-1] == "False"


def test_how_to_fix_several_problems_of_a_kind_in_a_row_is_said_once(tmp_path: Path) -> None:
    case = tmp_path / "tree" / "own" / "open.py"
    case.parent.mkdir(parents=True)
    case.write_text('"""\ntitle: Open\ntags: []  # TODO: which\ndescription: "TODO: what"\n"""\n')
    done = lint("--cases", "tree", "--only", "--static", cwd=tmp_path)
    assert done.stdout.count(" L038 ") == 2
    assert done.stdout.count("    Write what the line asks for") == 1
