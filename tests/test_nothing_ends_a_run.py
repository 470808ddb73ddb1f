"""Exporters that die, hang, exit, flood or break what is around them, through the real command:
each becomes a record of its own, and the others go on."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from . import broken_exporters as broken

PLUGIN = Path(broken.__file__)
CASE = "dynamic_shapes/derived_dim_double"


@pytest.fixture(scope="module")
def records(tmp_path_factory: pytest.TempPathFactory) -> dict[str, dict]:
    """Record by exporter of one run of all of them beside a sound one."""
    exporters = [f"{PLUGIN}:{name}" for name in broken.CAUGHT_ISOLATED]
    words = [w for e in [*exporters, "export"] for w in ("--exporter", e)]
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", CASE, *words, "--timeout", "20", "--json"],
        env={**os.environ, "EXPORTDB_HOME": str(tmp_path_factory.mktemp("home"))},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return {line["exporter"]: line for line in lines[1:]}


def kebab(name: str) -> str:
    return "".join(f"-{c.lower()}" if c.isupper() else c for c in name).lstrip("-")


@pytest.mark.parametrize("name", broken.CAUGHT_ISOLATED)
def test_it_is_a_record_with_the_right_outcome(name: str, records: dict[str, dict]) -> None:
    record = records[kebab(name)]
    assert record["outcome"] == broken.CAUGHT_ISOLATED[name]
    assert record["error"]["message"]
    assert record["phase"] in ("capture", "run", "compare")


def test_a_graph_that_raises_says_what_raised_and_where(records: dict[str, dict]) -> None:
    message = records["graph-raises"]["error"]["message"]
    assert "\nValueError: no graph today\n" in message
    assert f'  File "{PLUGIN}", line ' in message
    assert ", in graph\n" in message


def test_what_raised_in_torch_or_here_says_where(records: dict[str, dict]) -> None:
    assert "\n\nUser stack:\n  File " in records["breaks-torch"]["error"]["message"]


def test_the_sound_exporter_beside_them_is_untouched(records: dict[str, dict]) -> None:
    assert records["export"]["outcome"] == "supported"
    assert len(records) == len(broken.CAUGHT_ISOLATED) + 1


MODEL = """
import torch


def make():
    return torch.nn.Linear(2, 2), (torch.ones(1, 2),)
"""
CANDIDATE = '''"""
title: Linear
description: One layer.
"""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x + 1


def inputs():
    return torch.ones(2)
'''


def command(folder: Path, *words: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exportdb", *words, "--exporter", f"{PLUGIN}:BreaksTorch", "--json"],
        cwd=folder, env={**os.environ, "EXPORTDB_HOME": str(folder / "home")},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip


def test_each_of_several_tries_is_told_apart_from_a_fault_of_ours(tmp_path: Path) -> None:
    done = command(tmp_path, "run", CASE, "--repeat-run", "2")
    record = json.loads(done.stdout.splitlines()[1])
    assert (record["outcome"], record["outcomes"]) == ("crashed", {"crashed": 2})
    assert record["error"]["message"].startswith("what breaks-torch gave, or did to")


def test_diagnose_tells_it_apart(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(MODEL)
    done = command(tmp_path, "diagnose", "model.py:make", "--seconds", "1")
    assert done.returncode == 1, done.stderr
    before = json.loads(done.stdout)["before"]
    assert [attempt["record"]["outcome"] for attempt in before] == ["crashed"]
    assert before[0]["record"]["error"]["message"].startswith("what breaks-torch gave")


def test_a_reduction_tells_it_apart(tmp_path: Path) -> None:
    from exportdb.executors import open_executor
    from exportdb.hunt.trials import Target, Trials
    from exportdb.plugins import DEVICES, EXPORTERS, find
    from exportdb.runner.warm import warm_workers

    target = Target(find(EXPORTERS, f"{PLUGIN}:BreaksTorch"), find(DEVICES, "cpu"))
    with open_executor(warm_workers(["1"], tmp_path)) as executor:
        trials = Trials(executor)
        none, record = trials.records(["no case", CANDIDATE], target)
    assert none is None
    assert (record.outcome, record.error.type, trials.tried) == ("crashed", "Broken", 1)
