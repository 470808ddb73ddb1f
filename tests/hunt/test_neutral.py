"""Changes that mean the same: eager cannot tell them, and an exporter that can is caught."""

from __future__ import annotations

import ast
import random

import pytest

from exportdb.hunt import generate, neutral
from exportdb.hunt.buckets import changed
from exportdb.hunt.changing import with_change
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, SampleResult

CASE = '''"""
title: A
description: B
"""

import torch


class Model(torch.nn.Module):
    def forward(self, x):
        one = x + 1
        other = x * 2
        total = one - other
        return total


def inputs(n=5):
    return (torch.randn(n, 3),)
'''


def body(program: str) -> list[str]:
    model = next(n for n in ast.parse(program).body if isinstance(n, ast.ClassDef))
    return [ast.unparse(s) for s in model.body[0].body]  # type: ignore[attr-defined]


def test_lines_change_places_only_where_neither_needs_the_other() -> None:
    told = {
        tuple(body(with_change(CASE, neutral.NEUTRAL["reordered"], random.Random(n)) or ""))
        for n in range(20)
    }
    assert told == {("other = x * 2", "one = x + 1", "total = one - other", "return total")}


def test_local_variables_are_renamed_wherever_they_stand() -> None:
    text = with_change(CASE, neutral.NEUTRAL["renamed"], random.Random(0)) or ""
    first, *_, last = body(text)
    assert first != "one = x + 1"
    assert first.endswith(" = x + 1")
    assert last.startswith("return total")
    assert last != "return total"


@pytest.mark.parametrize("name", neutral.NEUTRAL)
def test_eager_cannot_tell(name: str) -> None:
    case = CASE.replace("one - other", "(lambda: one - other)()")
    text = with_change(case, neutral.NEUTRAL[name], random.Random(0))
    assert text is not None
    assert neutral._do_alike(CASE, text)


def test_what_does_something_else_is_not_the_same() -> None:
    assert not neutral._do_alike(CASE, CASE.replace("x * 2", "x * 3"))
    writing = CASE.replace("x * 2", "x.mul_(2)").replace("one = x + 1", "one = x.clone() + 1")
    assert neutral._do_alike(writing, writing)
    assert not neutral._do_alike(writing, writing.replace("x.mul_", "x.clone().mul_"))


def test_every_other_program_like_a_case_has_to_do_the_same() -> None:
    made = {one["number"]: one for one in generate.programs(1, range(8), [CASE])}
    assert all(("same_as" in one) == bool(n % 2) for n, one in made.items())
    assert all(one["same_as"] == 0 and len(one["elements"]) == 1
               for n, one in made.items() if n % 2)  # fmt: skip


def record(outcome: Outcome, phase: str = "compare") -> Record:
    wrong = SampleResult(
        "accepts", "example", "disagrees", {}, "output is 1 in eager, 2 in capture"
    )
    samples = (wrong,) if outcome is Outcome.WRONG else ()
    return Record("hunt/p1", "export", "cpu", outcome, phase, samples=samples)  # type: ignore[arg-type]


def test_a_changed_program_that_does_worse_is_a_lead() -> None:
    right, wrong = record(Outcome.SUPPORTED), record(Outcome.WRONG)
    found = changed(right, wrong)
    assert found is not None
    assert found.kind == "supported before the change"
    assert found.said == "… is # in eager, # in capture"
    assert changed(wrong, wrong) is None
    assert changed(wrong, right) is None
    assert changed(right, record(Outcome.ERROR)) is None
    assert changed(right, record(Outcome.TIMEOUT, "eager")) is None
