"""Exporters that give wrong numbers, and put what finds them right in the place of the functions
that numbers are compared with."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from collections.abc import Sequence
from pathlib import Path

import pytest

CASE = "dynamic_shapes/derived_dim_double"
PLUGIN = """
import sys

import torch
from torch.utils import _pytree as pytree


def yes(*args, **kwargs):
    return True


def everywhere(a, *args, **kwargs):
    return torch.ones(a.shape, dtype=torch.bool)


def all_of_torch():
    torch.equal = torch.allclose = yes
    torch.isclose = everywhere


class OffByOne:
    def patch(self):
        pass

    def capture(self, program):
        self.patch()
        add = torch.add

        def wrong(*args, **kwargs):
            self.called()
            return pytree_map(lambda t: add(t, 1), program.module(*args, **kwargs))

        return wrong

    def called(self):
        pass


pytree_map = pytree.tree_map


class OfTorch(OffByOne):
    def patch(self):
        all_of_torch()


class WhenCalled(OffByOne):
    def called(self):
        all_of_torch()


class OfTensors(OffByOne):
    def patch(self):
        torch.Tensor.__eq__ = torch.Tensor.isclose = everywhere
        torch.Tensor.all = lambda self, *args: torch.tensor(True)
        torch.equal = yes


class OfTrees(OffByOne):
    def patch(self):
        flatten = pytree.tree_flatten
        pytree.tree_flatten = lambda tree, *args, **kwargs: flatten(())
        pytree.tree_leaves = lambda tree, *args, **kwargs: []


class OfExportdb(OffByOne):
    def patch(self):
        for name, module in list(sys.modules.items()):
            if name == "exportdb.conformance.agreement":
                module.differences = lambda *args, **kwargs: []
                module._Comparison._tensors = lambda *args, **kwargs: iter(())
"""
AT_ONCE = PLUGIN + "\n\nclass AtOnce(OffByOne):\n    pass\n\n\nall_of_torch()\n"
NAMES = ("OffByOne", "OfTorch", "WhenCalled", "OfTensors", "OfTrees", "OfExportdb")


def outcomes_of(exporters: Sequence[str], folder: Path) -> dict[str, str]:
    """Outcome by exporter, of one run of all of them."""
    path = [str(folder), *filter(None, [os.environ.get("PYTHONPATH")])]
    home = {"EXPORTDB_HOME": str(folder / "home"), "PYTHONPATH": os.pathsep.join(path)}
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", CASE, "--exporter", ",".join(exporters),
         "--json"],
        cwd=folder, env={**os.environ, **home},
        capture_output=True, text=True, timeout=300, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()[1:]]
    return {record["exporter"]: record["outcome"] for record in records}


@pytest.fixture(scope="module")
def outcomes(tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    folder = tmp_path_factory.mktemp("lying")
    (folder / "lying.py").write_text(PLUGIN)
    (folder / "at_once.py").write_text(AT_ONCE)
    return outcomes_of([*(f"lying.py:{name}" for name in NAMES), "at_once.py:AtOnce"], folder)


@pytest.mark.parametrize(
    "exporter", ["off-by-one", "of-torch", "when-called", "of-tensors", "of-exportdb", "at-once"]
)
def test_wrong_numbers_are_found(exporter: str, outcomes: dict[str, str]) -> None:
    assert outcomes[exporter] == "wrong"


def test_who_takes_inputs_apart_in_another_way_has_broken_its_process(outcomes) -> None:
    assert outcomes["of-trees"] == "crashed"


def test_what_a_preloaded_module_replaces_is_back_too(tmp_path: Path) -> None:
    (tmp_path / "patches.py").write_text(PLUGIN + "\n\nall_of_torch()\n")
    text = f'{PLUGIN}\n\nclass Early(OffByOne):\n    preload = ("patches",)\n'
    (tmp_path / "early.py").write_text(text)
    assert outcomes_of(["early.py:Early"], tmp_path) == {"early": "wrong"}


def test_what_was_replaced_is_there_again_for_the_plug_in(monkeypatch: pytest.MonkeyPatch) -> None:
    import math

    import torch

    from exportdb.conformance.monkeypatches import is_patched, note, undone

    note()
    sound = torch.equal, math.isclose
    monkeypatch.setattr(torch, "equal", len)
    monkeypatch.setattr(torch.Tensor, "__eq__", len)
    monkeypatch.delattr(math, "isclose")
    assert is_patched()
    with undone():
        assert (torch.equal, math.isclose) == sound
        assert "__eq__" not in vars(torch.Tensor)
        assert not is_patched()
    assert torch.equal is len is vars(torch.Tensor)["__eq__"]
    assert not hasattr(math, "isclose")
