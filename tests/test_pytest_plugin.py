"""``pytest --pyargs exportdb``: how an exporter's own CI runs the suite."""

from __future__ import annotations

import os
import subprocess
import sys
from importlib.metadata import version
from pathlib import Path

import pytest

from . import broken_exporters

PLUGIN = broken_exporters.__file__
TREE = {
    "adds": "return x + 1",
    "branches": "return x + 1 if x.sum() > 0 else x - 1",
}
CASE = '''"""
title: A program that {name}
description: Made for a test.
"""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        {body}


def inputs():
    return torch.ones(3)
'''


@pytest.fixture
def suite(tmp_path: Path):
    """Runs pytest on the suite with one small topic of cases of our own selected."""
    for name, body in TREE.items():
        path = tmp_path / "tree" / "mine" / f"{name}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(CASE.format(name=name, body=body))

    def run(*arguments: str, cache: bool = False) -> subprocess.CompletedProcess[str]:
        asked = [] if any("::" in word for word in arguments) else ["--pyargs", "exportdb"]
        cached = [] if cache else ["-p", "no:cacheprovider"]
        return subprocess.run(
            [sys.executable, "-m", "pytest", *asked, *cached, "-v", "-rx",
             f"--exportdb-cases={tmp_path / 'tree'}", "-k", "mine", *arguments],
            cwd=tmp_path, env={**os.environ, "EXPORTDB_HOME": str(tmp_path / "home")},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    return run


def test_each_case_is_an_item_with_a_readable_id(suite) -> None:
    done = suite("--exportdb-exporter=export", "--collect-only", "-qq")
    assert "exportdb::mine/adds[export-cpu]" in done.stdout
    assert "exportdb::mine/branches[export-cpu]" in done.stdout


def test_what_is_not_captured_and_not_expected_fails_with_the_way_to_repeat_it(suite) -> None:
    done = suite("--exportdb-exporter=export")
    assert done.returncode == 1
    assert "1 failed, 1 passed" in done.stdout
    assert "GuardOnDataDependentSymNode" in done.stdout
    assert "mine/branches.py:10 in forward\n    return x + 1 if x.sum() > 0" in done.stdout
    assert "E0001: " in done.stdout and "torch.cond" in done.stdout
    assert "To get more information" not in done.stdout and "docs.google.com" not in done.stdout
    assert "exportdb run" in done.stdout and "--exporter export --device cpu --fresh" in done.stdout


def test_expected_failures_are_xfails_and_an_unexpected_pass_fails(suite, tmp_path: Path) -> None:
    own = tmp_path / "expectations" / "mine"
    own.mkdir(parents=True)
    (own / "branches.yaml").write_text("export: {outcome: refused}\n")
    expecting = f"--exportdb-expectations={own.parent}"
    done = suite("--exportdb-exporter=export", expecting)
    assert done.returncode == 0, done.stdout
    assert "1 passed" in done.stdout and "1 xfailed" in done.stdout

    (own / "adds.yaml").write_text("export: {outcome: refused}\n")
    done = suite("--exportdb-exporter=export", expecting)
    assert done.returncode == 1
    assert "improved: refused was expected, supported seen" in done.stdout


def test_what_is_expected_of_an_exporter_holds_for_one_that_extends_it(suite, tmp_path: Path):
    (tmp_path / "own.py").write_text(
        "from exportdb.exporters.torch_export import Export\n\n"
        "class Own(Export):\n    name, extends = 'own', 'export'\n"
    )
    own = tmp_path / "expectations" / "mine"
    own.mkdir(parents=True)
    (own / "branches.yaml").write_text("export: {outcome: refused}\nown: {}\n")
    done = suite("--exportdb-exporter=own.py:Own", f"--exportdb-expectations={own.parent}")
    assert "1 passed" in done.stdout and "1 xfailed" in done.stdout, done.stdout


def test_what_cannot_be_used_is_skipped_unless_something_else_is_expected(suite, tmp_path: Path):
    (tmp_path / "own.py").write_text(
        "from exportdb.exporters.torch_export import Export\n\n"
        "class Own(Export):\n    name = 'own'\n\n"
        "    def unusable(self):\n        return 'its back end is gone'\n"
    )
    done = suite("--exportdb-exporter=own.py:Own", "-rs")
    assert (done.returncode, "2 skipped" in done.stdout) == (0, True), done.stdout

    own = tmp_path / "expectations" / "mine"
    own.mkdir(parents=True)
    measured = f"{'.'.join(version('torch').split('.')[:2])}/cpu"
    (own / "adds.yaml").write_text(f"own: {{outcome: supported, measured: [{measured}]}}\n")
    done = suite("--exportdb-exporter=own.py:Own", f"--exportdb-expectations={own.parent}")
    assert done.returncode == 1
    assert "1 failed, 1 skipped" in done.stdout
    assert "regressed: supported was expected, unavailable seen" in done.stdout
    assert "its back end is gone" in done.stdout


def test_it_works_under_xdist_with_a_plug_in_that_crashes(suite) -> None:
    done = suite(
        f"--exportdb-exporter={PLUGIN}:DiesBySignal", "--exportdb-exporter=export", "-n", "2"
    )
    assert "3 failed, 1 passed" in done.stdout
    assert "SIGSEGV" in done.stdout


@pytest.mark.slow
@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_what_failed_last_is_known_again(suite, workers: tuple[str, ...]) -> None:
    exporter = "--exportdb-exporter=export"
    first = suite(exporter, *workers, cache=True)
    assert "1 failed, 1 passed" in first.stdout
    again = suite(exporter, *workers, "--lf", cache=True)
    assert "1 failed" in again.stdout and "passed" not in again.stdout
    both = suite(exporter, "--ff", "--collect-only", "-qq", cache=True)
    ids = [line for line in both.stdout.splitlines() if line.startswith("exportdb::")]
    assert [i.partition("[")[0] for i in ids] == ["exportdb::mine/branches", "exportdb::mine/adds"]


def test_a_mistyped_id_leaves_what_failed_last_as_it_is(suite) -> None:
    exporter = "--exportdb-exporter=export"
    assert "1 failed, 1 passed" in suite(exporter, cache=True).stdout
    workers: tuple[str, ...]
    for workers in ((), ("-n", "2")):
        done = suite("exportdb::mine/branchs[export-cpu]", *workers, cache=True)
        assert done.returncode == pytest.ExitCode.USAGE_ERROR
        assert "did you mean exportdb::mine/branches[export-cpu]" in done.stderr
        again = suite(exporter, "--lf", "--collect-only", "-qq", cache=True)
        ids = [line for line in again.stdout.splitlines() if line.startswith("exportdb::")]
        assert ids == ["exportdb::mine/branches[export-cpu]"]


@pytest.mark.parametrize("workers", [(), ("-n", "2")])
def test_a_printed_id_can_be_pasted_back(suite, workers: tuple[str, ...]) -> None:
    done = suite("exportdb::mine/adds[export-strict-cpu]", *workers)
    assert "1 passed" in done.stdout, done.stdout
    assert "mine/adds[export-strict-cpu]" in done.stdout


def test_an_id_that_is_not_there_is_told(suite) -> None:
    done = suite("exportdb::mine/nothing[export-cpu]")
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert "there is no item exportdb::mine/nothing[export-cpu]" in done.stderr


def test_configured_exporters_need_no_option(suite, tmp_path: Path) -> None:
    (tmp_path / "exportdb.toml").write_text('exporters = ["make-fx"]\n')
    assert "exportdb::mine/adds[make-fx-cpu]" in suite("--collect-only", "-qq").stdout


@pytest.mark.parametrize(
    ("arguments", "complaint"),
    [
        (["--exportdb-exporter=exprt"], "did you mean export"),
        (["--exportdb-exporter=export", "--exportdb-tag=nope"], "no case is selected"),
        (["--exportdb-exporter=none.py:X"], "there is no file none.py"),
        (["--exportdb-exporter=export", "--exportdb-expectations=no"], "there is no folder no"),
    ],
)
def test_bad_input_is_one_clear_error(suite, arguments, complaint) -> None:
    done = suite(*arguments)
    assert done.returncode == pytest.ExitCode.USAGE_ERROR
    assert complaint in done.stderr
    assert "Traceback" not in done.stdout + done.stderr
