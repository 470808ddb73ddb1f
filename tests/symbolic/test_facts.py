"""What the engine recorded, read from real captures."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest
import torch
from torch.export import Dim
from torch.fx.experimental.proxy_tensor import make_fx

from exportdb.symbolic import facts
from exportdb.symbolic.facts import Counts, DimFact, Facts, SymbolFact
from tests.symbolic import programs

MODES = pytest.mark.parametrize("strict", [False, True], ids=["non-strict", "strict"])


def captured(program, strict: bool = False) -> Facts:
    module, args, kwargs, shapes = program
    exported = torch.export.export(module, args, kwargs, dynamic_shapes=shapes, strict=strict)
    return facts.read(exported, forward=module, args=args, kwargs=kwargs, dynamic_shapes=shapes)


@MODES
def test_a_published_range_that_tracing_did_not_believe_is_a_finding(strict: bool) -> None:
    read = captured(programs.size_branch(), strict)
    assert read.symbols == (SymbolFact("s0", "x.size()[0]", True, ("2", "32"), ("1", "32")),)
    assert read.findings == (
        (
            "range-wider-than-guards",
            "x.size()[0] is published as 1..32, but tracing assumed 2..32",
        ),
    )
    assert read.ranges == {"x.size()[0]": ("1", "32")}


def test_a_range_that_tracing_believed_is_no_finding() -> None:
    assert captured(programs.double()).findings == ()


@MODES
def test_a_derived_dim_is_an_expression_of_its_root(strict: bool) -> None:
    read = captured(programs.double(), strict)
    assert read.dims == (
        DimFact("x.size()[0]", "n", True, "s0"),
        DimFact("y.size()[0]", "2*n", True, "2*s0"),
    )
    assert read.replacements == {"y.size()[0]": "2*x.size()[0]"}
    assert read.ranges == {"x.size()[0]": ("2", "32"), "y.size()[0]": ("4", "64")}
    assert read.counts.symbols == 1


@MODES
def test_a_size_that_auto_gave_up_is_reported_as_the_constant_it_became(strict: bool) -> None:
    read = captured(programs.specialising(), strict)
    assert read.dims == (
        DimFact("x.size()[0]", "AUTO", False, "5"),
        DimFact("x.size()[1]", "AUTO", True, "s0"),
    )
    assert "x.size()[0] == 5" in read.guards
    assert read.replacements == {"x.size()[0]": "5"}


def test_a_batch_equal_to_the_channels_is_tied_to_them_by_symbolic_tracing() -> None:
    module = programs.Channels()
    tied = make_fx(module, tracing_mode="symbolic", _allow_non_fake_inputs=True)(torch.randn(6, 6))
    shapes = {"x": {0: Dim.AUTO, 1: Dim.AUTO}}
    read = facts.read(tied, forward=module, args=(torch.randn(6, 6),), dynamic_shapes=shapes)
    assert [(d.kept, d.value) for d in read.dims] == [(False, "6"), (False, "6")]
    free = make_fx(module, tracing_mode="symbolic", _allow_non_fake_inputs=True)(torch.randn(5, 6))
    read = facts.read(free, forward=module, args=(torch.randn(5, 6),), dynamic_shapes=shapes)
    assert [(d.kept, d.value) for d in read.dims] == [(True, "s0"), (False, "6")]


@MODES
def test_a_value_read_from_a_tensor_is_an_unbacked_symbol(strict: bool) -> None:
    read = captured(programs.item(), strict)
    assert read.symbols[1] == SymbolFact("u0", "aten.item.default", False, ("2", "32"), ("2", "32"))
    assert read.runtime_assertions == ("u0 <= x.size()[0]", "u0 >= 2")
    assert read.counts == Counts(guards=0, symbols=2, unbacked=1, runtime_assertions=2)
    assert "programs.py" in read.display.lines["u0 <= x.size()[0]"]


@MODES
def test_guards_are_over_input_names_with_the_line_that_caused_them(strict: bool) -> None:
    read = captured(programs.nested(), strict)
    assert read.guards == ("rest[0].size()[0] > 4",)
    assert read.display.lines[read.guards[0]].startswith("programs.py:")
    assert read.display.lines[read.guards[0]].endswith("in forward")
    assert [s.source for s in read.symbols] == [
        "batch['x'].size()[0]", "rest[0].size()[0]", "k",
    ]  # fmt: skip
    assert read.display.hints == {"s0": "5", "s1": "7", "s2": "9"}


@pytest.mark.parametrize("name", ["size_branch", "double", "item", "nested"])
def test_two_modes_that_record_the_same_give_the_same_facts(name: str) -> None:
    make = getattr(programs, name)
    assert captured(make(), False).stable() == captured(make(), True).stable()


def test_a_graph_of_make_fx_publishes_nothing() -> None:
    def function(x, y):
        return x.sum() + y[: x.shape[0]] if x.shape[0] > 3 else y

    inputs = (torch.randn(5), torch.randn(7))
    graph = make_fx(function, tracing_mode="symbolic")(*inputs)
    read = facts.read(graph, forward=function, args=inputs)
    assert read.guards == ("x.size()[0] <= y.size()[0]", "x.size()[0] > 3")
    assert [s.published for s in read.symbols] == [None, None]
    assert read.symbols[0].traced == ("4", "int_oo")
    assert read.ranges["x.size()[0]"] == ("4", "int_oo")


def test_a_static_program_has_no_facts_but_says_what_was_lost() -> None:
    read = captured((programs.Channels(), (torch.randn(4, 6),), {}, None))
    assert read.stable() == Facts().stable()


def test_without_the_program_inputs_are_called_as_in_the_graph() -> None:
    module, args, kwargs, shapes = programs.double()
    exported = torch.export.export(module, args, kwargs, dynamic_shapes=shapes)
    read = facts.read(exported)
    assert read.dims == ()
    assert list(read.ranges) == ["x.size()[0]", "y.size()[0]"]


def test_facts_are_json_and_their_stable_part_names_no_place() -> None:
    read = captured(programs.item())
    data = read.to_json()
    assert json.loads(json.dumps(data)) == data
    assert {k: v for k, v in data.items() if k != "display"} == read.stable()
    assert ".py" not in json.dumps(read.stable())


def test_reading_facts_twice_gives_the_same() -> None:
    module, args, kwargs, shapes = programs.item()
    exported = torch.export.export(module, args, kwargs, dynamic_shapes=shapes)
    assert facts.read(exported).to_json() == facts.read(exported).to_json()


def test_facts_are_the_same_under_every_hash_seed() -> None:
    code = (
        "import json\nfrom tests.symbolic import programs, test_facts\n"
        "for name in ('double', 'item', 'nested'):\n"
        "    print(json.dumps(test_facts.captured(getattr(programs, name)()).stable()))\n"
    )

    def run(seed: str) -> str:
        env = {**os.environ, "PYTHONHASHSEED": seed}
        here = Path(__file__).parents[2]
        done = subprocess.run(
            [sys.executable, "-c", code], env=env, cwd=here, capture_output=True, text=True
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    assert run("1") == run("4242")


def test_a_dim_declared_for_an_input_that_stays_unused_is_still_reported() -> None:
    class First(torch.nn.Module):
        def forward(self, x, y):
            return x + 1

    shapes = {"x": {0: Dim("n")}, "y": {0: Dim("m")}}
    read = captured((First(), (torch.randn(5), torch.randn(7)), {}, shapes))
    assert [(d.asked, d.value) for d in read.dims] == [("n", "s0"), ("m", "s1")]


@MODES
def test_of_sizes_found_equal_the_first_input_gives_the_name(strict: bool) -> None:
    class Matmul(torch.nn.Module):
        def forward(self, x, y):
            return x @ y

    k = Dim("k", min=2, max=16)
    shapes = {"x": {1: k}, "y": {0: k, 1: Dim.AUTO}}
    read = captured((Matmul(), (torch.randn(3, 5), torch.randn(5, 7)), {}, shapes), strict)
    assert [s.source for s in read.symbols] == ["x.size()[1]", "y.size()[1]"]
    assert read.replacements == {"y.size()[0]": "x.size()[1]"}
    assert read.guards == ("x.size()[1] == y.size()[0]",)
