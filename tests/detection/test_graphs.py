"""Mutants made of exported graphs: what a wrong lowering or pass reaches, and what it leaves."""

from __future__ import annotations

import sys
from pathlib import Path

import torch

ROOT = Path(__file__).resolve().parents[2]
sys.path.insert(0, str(ROOT / "tools"))

import detection.mutants  # noqa: E402, F401  # fills MUTANTS
from detection import driver, given, score  # noqa: E402
from detection.graphs import lowering, passed, skipped  # noqa: E402
from detection.mutant import MUTANTS, Mutant  # noqa: E402
from detection.mutants.lowered.arguments import losing  # noqa: E402

from exportdb.cases.frontmatter import parse_case  # noqa: E402

PROGRAM = '''"""
title: A program
description: It is made for a test.
"""
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        {body}

def inputs():
    return torch.tensor([[-1.0, 2.0], [0.5, 3.0]])
'''


def case(body: str):
    return parse_case("program", Path("program.py"), PROGRAM.format(body=body))


def put(make, body: str) -> driver.Tally:
    """What comes of a capture made by ``make`` in a program with that body."""
    mutant = Mutant("test", "it is broken", "export", make)
    return driver.run([case(body)], [mutant], jobs=1).tallies[mutant.name]


def norm(weight: str) -> str:
    return f"return torch.nn.functional.layer_norm(x, (2,), {weight})"


def test_an_argument_that_is_not_passed_on_is_seen_where_it_matters():
    lost = lowering(["layer_norm"], losing("weight"))
    assert (
        put(lost, norm("torch.tensor([1.0, 2.0])")).caught["program"].startswith("wrong: example")
    )
    neutral = put(lost, norm("torch.ones(2)"))
    assert (neutral.tried, neutral.reached) == (1, [])


def test_an_operator_that_is_in_no_graph_is_in_no_case():
    tally = put(lowering(["layer_norm"], losing("weight")), "return x + 1")
    assert score.missed_because(tally) == score.NO_CASE


def test_an_argument_is_found_by_keyword_and_by_position():
    lost = lowering(["add"], losing("alpha"))
    assert put(lost, "return torch.add(x, x, alpha=3)").caught
    lost = lowering(["topk"], losing("largest"))
    assert put(lost, "return x.topk(1, 1, False)").caught


def test_a_lowering_that_gives_none_leaves_the_call_and_its_draw_alone():
    tally = put(lowering(["rand_like", "add_"], lambda call: None), "return x.clone().add_(1)")
    assert not tally.caught
    assert not put(lowering(["rand_like"], lambda call: None), "return torch.rand_like(x)").caught


def test_an_operator_that_writes_is_broken_too():
    lost = lowering(["add"], losing("alpha"))
    assert put(lost, "return x.clone().add_(x, alpha=3)").caught


def test_a_pass_that_changes_too_much_is_caught_and_one_that_finds_nothing_is_not_tried():
    body = "y = x.clone()\n        y.add_(1)\n        return y, x"
    dropped = passed(lambda graph: skipped(graph, "clone"))
    assert put(dropped, body).caught
    assert put(dropped, "return x * 2").tried == 0


def test_a_branch_is_reached():
    body = "return torch.cond(x.sum() > 9, lambda x: x.clone(), lambda x: x.sigmoid() * 2, (x,))"
    wrong = lowering(["sigmoid"], lambda call: call() + 1)
    lost = Mutant("test", "it is broken", "export", wrong)
    assert driver.run([case(body)], [lost], 1, enough=None).tallies[lost.name].caught


def test_each_mutant_of_arguments_names_an_operator_and_an_argument_of_its():
    for name, mutant in MUTANTS.items():
        if mutant.kind != "arguments":
            continue
        operators, argument = mutant.says.split(" do not get ")
        packets = [getattr(torch.ops.aten, o, None) for o in operators.split()]
        known = {
            a.name for packet in packets if packet is not None
            for overload in packet.overloads()
            for a in getattr(packet, overload)._schema.arguments
        }  # fmt: skip
        assert argument in known, name


def test_an_argument_counts_as_given_by_position_or_keyword_and_not_by_its_default():
    graph = """
      %1: float32[5] = aten.sum.dim_IntList(%0, [0, 1], True)
      %2: float32[5] = aten.add.Tensor(%1, %1, alpha=2)
      %3: float32[5] = aten.topk.default(%2, 1, -1, True, True)
      return [%3]
    """
    assert given.given("%1 = aten.sum.dim_IntList(%0, [0, 1], True)") == ("sum", {"keepdim"})
    assert given.given("return [%3]") is None
    found = given.never_given([graph])
    assert found["topk"] == ["dim", "largest", "sorted"]
    assert "keepdim" not in found["sum"] and "add" not in found


def test_an_argument_is_one_sided_until_some_call_has_it_otherwise():
    graph = """
      %1: float32[5] = aten.diagonal.default(%0, 1, 0, 1)
      %2: float32[5] = aten.max_pool2d.default(%1, [2, 2], [2, 2], [1, 1])
    """
    found = given.one_sided([graph])
    assert found["diagonal"] == ["dim1 negative", "dim2 negative", "offset negative"]
    assert "padding uneven" in found["max_pool2d"] and "ceil_mode True" in found["max_pool2d"]
    other = "%1 = aten.max_pool2d.default(%0, [2, 1], [2, 3], [0, 1], [1, 1], True)"
    assert given.one_sided([graph, other])["max_pool2d"] == ["dilation uneven"]
