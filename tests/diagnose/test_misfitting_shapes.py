"""``dynamic_shapes`` that do not nest as the inputs do: what was asked for is kept, or named."""

from __future__ import annotations

import dataclasses
import json
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest
import torch

from exportdb.diagnose import rules, shapes
from exportdb.diagnose.attempt import Seen, _around
from exportdb.diagnose.change import Change
from exportdb.diagnose.fitting import fitted
from exportdb.diagnose.left_to_torch import became_of_sizes
from exportdb.diagnose.origin import file_origin
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.search import Attempt, Search, Setup, _loses
from exportdb.plugins import EXPORTERS, find
from exportdb.records.record import Record

n, m = torch.export.Dim("n", min=2), torch.export.Dim("m", min=2)
x = torch.ones(3, 4)


def read(specs: Any, **inputs: Any) -> str:
    """What is asked of the inputs, as it is printed."""
    return shapes.printed(shapes.read(fitted(specs, inputs).specs, inputs), inputs)[-1]


def test_a_description_of_the_only_argument_is_enclosed() -> None:
    batch = {"image": x, "text": x}
    said = "dynamic_shapes = {'batch': {'image': {0: n}, 'text': {0: m}}}"
    assert read({"image": {0: n}, "text": {0: m}}, batch=batch) == said
    assert read([{0: n}, {0: m}], maps=[x, x]) == "dynamic_shapes = {'maps': [{0: n}, {0: m}]}"
    assert read({0: n}, x=x) == "dynamic_shapes = {'x': {0: n}}"


def test_a_description_of_one_tensor_is_repeated_for_each_of_a_group() -> None:
    assert read({"maps": {0: n}}, maps=[x, x]) == "dynamic_shapes = {'maps': [{0: n}, {0: n}]}"
    row = torch.ones(3)
    assert read({"rows": {0: n}}, rows=[row, row]) == "dynamic_shapes = {'rows': [{0: n}, {0: n}]}"
    assert read({"maps": (n, None)}, maps=[x, x]) == "dynamic_shapes = {'maps': [{0: n}, {0: n}]}"
    # A tensor without that axis is left as it is.
    extra = {"side": x, "scale": torch.tensor(2.0)}
    assert read({"extra": {0: n}}, extra=extra) == (
        "dynamic_shapes = {'extra': {'side': {0: n}, 'scale': None}}"
    )


@dataclasses.dataclass
class Pair:
    """Inputs by name."""

    first: torch.Tensor
    second: torch.Tensor


def test_a_description_of_a_class_is_that_of_its_parts() -> None:
    torch.export.register_dataclass(Pair)
    said = "dynamic_shapes = {'pair': [{0: n}, {0: n}]}"
    assert read({"pair": {0: n}}, pair=Pair(x, x)) == said
    assert read({"first": {0: n}, "second": {0: n}}, pair=Pair(x, x)) == said


def test_a_level_too_many_and_another_name_are_seen_through() -> None:
    assert read({"x": [{0: n}]}, x=x) == "dynamic_shapes = {'x': {0: n}}"
    assert read([[{0: n}, {1: m}]], x=x, y=x) == "dynamic_shapes = {'x': {0: n}, 'y': {1: m}}"
    assert read({"input": {0: n}, "y": None}, x=x, y=x) == (
        "dynamic_shapes = {'x': {0: n}, 'y': None}"
    )


@pytest.mark.parametrize(
    "specs",
    [
        {"x": {0: n}, "y": None},
        ({0: n}, {1: torch.export.Dim.AUTO}),
        {"x": (n, None), "y": [None, m]},
        None,
    ],
)
def test_what_fits_is_taken_as_it_is_written(specs: Any) -> None:
    found = fitted(specs, {"x": x, "y": x})
    assert found.specs is specs and not found.guessed and not found.lost


def test_what_was_for_an_argument_that_is_not_given_is_no_loss() -> None:
    found = fitted({"x": {0: n}, "bias": {0: n}}, {"x": x})
    assert found.guessed and not found.lost


RECORD = Record(
    case="m", suite="diagnose", exporter="export", device="cpu", outcome="supported", phase="done"
)

NOWHERE = """
import torch
from torch.export import Dim


class Sum(torch.nn.Module):
    def forward(self, x, y):
        return x + y


def make():
    n = Dim("n", min=2)
    return Sum(), (torch.ones(3), torch.ones(3)), {}, {"a": {0: n}, "b": {0: n}, "c": {0: n}}
"""

MATCHED = Change("match-structure", "give dynamic_shapes the structure of the inputs")


def test_sizes_that_are_constants_for_want_of_a_place_are_told_and_wait(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(NOWHERE)
    program = ChangedProgram(file_origin(f"{tmp_path / 'model.py'}:make"), NOWHERE, (MATCHED,))
    told = _around(program.subject())["lost"]
    assert told == ["x of other sizes than [3]", "y of other sizes than [3]"]
    seen = Seen(RECORD, lost=tuple(told))
    attempt = Attempt(Setup(program, find(EXPORTERS, "export")), seen)
    assert attempt.excludes == told
    assert _loses(attempt)  # it is taken only when nothing that keeps them is right


def test_the_structure_that_another_change_needs_is_said(tmp_path: Path) -> None:
    class Asked(Search):
        def examine(self, setups: Any, *rest: Any, **more: Any) -> list[Attempt]:
            raise AssertionError("the structure was to be left out")

    derived = Change("derive", "b is a", {"dim": "b", "of": "a", "whole": True})
    origin = file_origin(f"{Path(__file__)}:make")
    setup = Setup(ChangedProgram(origin, "", (MATCHED, derived)), find(EXPORTERS, "export"))
    attempt = Attempt(setup, Seen(RECORD))
    assert Asked(None)._without_needless(attempt, 0.0) is attempt  # type: ignore[arg-type]


def test_torch_is_imported_once() -> None:
    for line in ("import torch", "import dataclasses, torch", "import torch.nn as nn, torch.fx"):
        seen = Seen(RECORD, source=f'"""Text."""\n{line}\n')
        assert rules._imported_torch(seen, "Pair") == ""
    for line in ("from torch import nn", "import torch as t", "import torchvision"):
        assert rules._imported_torch(Seen(RECORD, source=line), "Pair") == "import torch\n\n\n"


def facts(ranges: dict[str, list[str]], **values: str) -> dict[str, Any]:
    dims = [
        {"source": f"{name}.size()[0]", "kept": not value.isdigit(), "value": value}
        for name, value in values.items()
    ]
    return {"dims": dims, "ranges": ranges}


def test_sizes_that_torch_decided_on_are_said_by_the_input_they_are_of() -> None:
    given = {"x.size()[0]": ("b", 2, 16), "y.size()[0]": ("b", 2, 16)}
    open_range = {"x.size()[0]": ["2", "int_oo"]}
    assert not became_of_sizes(facts(open_range, x="s1", y="s1"), given)  # declared as one
    assert became_of_sizes(facts(open_range, x="s1", y="s1"), {}) == [
        "y.size()[0] other than x.size()[0]"
    ]
    assert became_of_sizes(facts({"x.size()[0]": ["4", "9"]}, x="s1", y="3"), given) == [
        "x.size()[0] below 4", "x.size()[0] above 9", "y.size()[0] other than 3",
    ]  # fmt: skip
    assert became_of_sizes(facts({}, x="8*_s0"), {}) == ["x.size()[0] that is not a multiple of 8"]


ONE_SHORT = """
import torch


class Both(torch.nn.Module):
    def forward(self, batch):
        return batch["image"] + batch["text"]


def make():
    n = torch.export.Dim("n", min=2, max=8)
    batch = {"image": torch.randn(3, 5), "text": torch.randn(3, 5)}
    return Both(), (batch,), {}, {"image": {0: n}, "text": {0: n}}
"""


def test_the_sizes_that_were_asked_for_stay_dynamic(tmp_path: Path) -> None:
    (tmp_path / "model.py").write_text(ONE_SHORT)
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "diagnose", "model.py:make", "--json",
         "--home", str(tmp_path / "home")],
        capture_output=True, text=True, cwd=tmp_path, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr
    fixed = json.loads(done.stdout)["fixed"]
    assert "+ dynamic_shapes = {'batch': {'image': {0: n}, 'text': {0: n}}}" in fixed["diff"]
    assert fixed["excludes"] == []
    assert {2, 8} <= {s["sizes"].get("n") for s in fixed["record"]["samples"]}
