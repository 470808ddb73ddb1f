"""The plug-ins under ``plugins/``: each can be read without what it adapts, and does run with it.

What needs an exporter's own environment is done where that has been made (``exportdb env create
--exporter plugins/openvino/exportdb_openvino.py:Openvino``), and skipped elsewhere.
"""

from __future__ import annotations

import json
import os
import subprocess
import sys
import tomllib
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
import yaml
from packaging.requirements import Requirement

from exportdb.cases.database import load
from exportdb.environments import store
from exportdb.environments.wanted import wanted
from exportdb.plugins import EXPORTERS

PLUGINS = Path(__file__).parents[2] / "plugins"
FOLDERS = sorted(p.name for p in PLUGINS.iterdir() if p.is_dir())

#: What each makes of the programs below. An outcome that is not ``supported`` is a limit of it.
OUTCOMES = {
    "coreml": dict.fromkeys(["linear", "structure", "state"], "converted"),
    "iree": {"linear": "supported", "structure": "supported", "state": "supported"},
    "openvino": {"linear": "unguarded", "structure": "supported", "state": "wrong"},
    "tract": {"linear": "unguarded", "structure": "lossy", "state": "wrong"},
    "torchax": {"linear": "supported", "structure": "supported", "state": "wrong"},
    "tvm": {"linear": "supported", "structure": "supported", "state": "wrong"},
    "xnnpack": {"linear": "supported", "structure": "supported", "state": "supported"},
}

PROGRAMS = {
    "linear": """
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.linear = torch.nn.Linear(4, 3)

            def forward(self, x):
                return torch.relu(self.linear(x))

        dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}}

        def inputs(n=5):
            return torch.randn(n, 4)
    """,
    "structure": """
        class Model(torch.nn.Module):
            def forward(self, pair, *, scale):
                return {"sum": pair["left"] + pair["right"], "more": [pair["left"].t() * scale]}

        def inputs():
            return ({"right": torch.randn(2, 3), "left": torch.randn(2, 3)},), {
                "scale": torch.tensor(2.0)
            }
    """,
    "state": """
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("total", torch.zeros(3))

            def forward(self, x):
                self.total.add_(x)
                return self.total * 2

        def inputs():
            return torch.randn(3)
    """,
}

HEADER = '''"""
title: {name}
description: It is made for a test.
tags: [torch.dynamic-shape]
"""
import torch
from torch.export import Dim
'''


def declared(folder: str) -> tuple[str, str]:
    """The name that a plug-in's project gives its exporter, and where the class is."""
    project = tomllib.loads((PLUGINS / folder / "pyproject.toml").read_text())["project"]
    ((name, target),) = project["entry-points"][EXPORTERS].items()
    module, _, attribute = target.partition(":")
    return name, f"{PLUGINS / folder / module}.py:{attribute}"


def described(folder: str) -> dict[str, Any]:
    """What the class says of itself, told by a process of its own, and what that has imported."""
    path, _, attribute = declared(folder)[1].rpartition(":")
    code = (
        "import json, runpy, sys; before = set(sys.modules); "
        f"cls = runpy.run_path({path!r})[{attribute!r}]; "
        "names = {m.partition('.')[0] for m in set(sys.modules) - before}; "
        "print(json.dumps([cls.name, cls.requirements, sorted(names)]))"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    name, requirements, imported = json.loads(done.stdout)
    return {"name": name, "requirements": requirements, "imported": imported}


@pytest.mark.parametrize("folder", FOLDERS)
class TestReading:
    def test_its_class_has_the_name_that_its_project_declares(self, folder: str) -> None:
        assert described(folder)["name"] == declared(folder)[0]

    def test_loading_it_imports_neither_torch_nor_what_it_adapts(self, folder: str) -> None:
        imported = set(described(folder)["imported"])
        assert imported.isdisjoint({"torch", "jax", "onnx", "tvm", "iree", "openvino"})

    def test_everything_it_requires_is_pinned(self, folder: str) -> None:
        for requirement in map(Requirement, described(folder)["requirements"]):
            (pin,) = requirement.specifier
            assert pin.operator == "==", requirement

    def test_its_readme_says_how_to_run_it(self, folder: str) -> None:
        location = declared(folder)[1].removeprefix(f"{PLUGINS.parent}/")
        assert f"exportdb run --exporter {location}" in (PLUGINS / folder / "README.md").read_text()

    def test_no_file_of_it_makes_torch_leave_out_guards(self, folder: str) -> None:
        """torch does where the name of a caller's file contains one of these."""
        for path in (PLUGINS / folder).rglob("*.py"):
            name = str(path.relative_to(PLUGINS))
            assert not any(w in name for w in ("executorch", "torchao", "modai", "on_device_ai"))

    def test_its_expectations_are_of_cases_that_exist(self, folder: str) -> None:
        tree = PLUGINS / folder / "expectations"
        known = {case.id for case in load()}
        name = declared(folder)[0]
        for path in tree.rglob("*.yaml"):
            told = yaml.safe_load(path.read_text())
            if path.name == "exporters.yaml":
                assert set(told) == {name}
                continue
            for case, entries in told.items():
                assert case in known
                assert case.rpartition("/")[0] == path.stem
                assert set(entries) == {name}, case


@pytest.fixture
def records(tmp_path: Path) -> Callable[[str], dict[str, dict[str, Any]]]:
    """The records of the programs above with a plug-in, by the real command, by name."""

    def run(folder: str) -> dict[str, dict[str, Any]]:
        if store.find(wanted(described(folder)["requirements"])) is None:
            pytest.skip(f"no environment: exportdb env create --exporter {declared(folder)[1]}")
        tree = tmp_path / "cases" / "own"
        tree.mkdir(parents=True)
        for name, text in PROGRAMS.items():
            program = "\n".join(line[8:] for line in text.splitlines())
            (tree / f"{name}.py").write_text(HEADER.format(name=name) + program)
        done = subprocess.run(
            [sys.executable, "-m", "exportdb", "run", "own", "--cases", "cases", "--jobs", "1",
             "--exporter", declared(folder)[1], "--home", "home", "--out", "out.jsonl"],
            cwd=tmp_path, capture_output=True, text=True, timeout=300, env=dict(os.environ),
        )  # fmt: skip
        assert done.returncode == 0, done.stdout + done.stderr
        lines = map(json.loads, (tmp_path / "out.jsonl").read_text().splitlines())
        return {r["case"].removeprefix("own/"): r for r in lines if r["kind"] == "record"}

    return run


@pytest.mark.parametrize("folder", FOLDERS)
def test_it_runs_in_its_environment(folder: str, records) -> None:
    found = records(folder)
    assert {name: r["outcome"] for name, r in found.items()} == OUTCOMES[folder], {
        name: (r["error"], r["samples"]) for name, r in found.items()
    }
    assert found["linear"]["graph_readable"], "there is something to look at"
