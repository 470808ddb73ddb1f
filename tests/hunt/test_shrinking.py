"""A generated program is made small in the same bucket: statements, inputs, sizes."""

from __future__ import annotations

from collections.abc import Sequence

import pytest

from exportdb.diagnose.reduce import smaller
from exportdb.hunt import changing, partial_program, shrinking

PROGRAM = '''"""
title: A
description: B
"""
import torch
from torch.export import Dim


class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.layer = torch.nn.Linear(3, 3)

    def forward(self, x, y, flag):
        v1 = self.layer(x)
        v2 = y.sin() + 1
        if x.shape[0] > 2:
            v3 = v2.frac() * 2
        else:
            v3 = v2.frac() * 3
        return v1, v3


dynamic_shapes = {
    "x": {0: Dim("n", min=2, max=16)}, "y": {0: Dim("m", min=2, max=16)}, "flag": None
}


def inputs(n=5, m=7):
    return torch.randn(n, 3), torch.randn(m), True
'''


def small(program: str, word: str) -> str:
    def still_fails(texts: Sequence[str]) -> list[bool]:
        return [word in text for text in texts]

    text, done = shrinking.shrunk(program, still_fails, partial_program.runs, seconds=60)
    assert done
    assert partial_program.runs([text]) == [True]
    return text


@pytest.mark.parametrize("needed", [True, False])
def test_what_fails_untrained_as_well_is_trained_no_more(needed: bool) -> None:
    program = PROGRAM.replace("description: B\n", "description: B\ntrain: true\n")

    def still_fails(texts: Sequence[str]) -> list[bool]:
        return [".frac()" in text and ("train: true" in text or not needed) for text in texts]

    text, _ = shrinking.shrunk(program, still_fails, partial_program.runs, seconds=60)
    assert ("train: true" in text) == needed


def test_only_what_the_failure_needs_is_left() -> None:
    text = small(PROGRAM, ".frac()")
    assert shrinking.split(text)[0] == shrinking.split(PROGRAM)[0]
    body = shrinking.split(text)[1]
    assert "frac" in body
    for gone in ("Linear", "flag", "if ", "sin", "Dim("):
        assert gone not in body.replace("import Dim", ""), body
    assert body.count("=") <= 3


def test_a_size_that_the_failure_needs_stays() -> None:
    body = shrinking.split(small(PROGRAM, "Dim('n'"))[1]
    assert "def inputs(n=5)" in body
    assert "Dim('m'" not in body


def test_what_one_result_needs_is_left_in_one_step() -> None:
    """Most programs return many results, and one is wrong."""
    program = shrinking.split(PROGRAM)[1]
    found = [text for text in shrinking.steps(program) if "return v1" in text]
    least = min(found, key=len)
    assert "self.layer(x)" in least
    for gone in ("sin", "frac", "if "):
        assert gone not in least
    by_name = program.replace("return v1, v3", 'return {"a": v1, "b": v3}')
    for whole in (program, by_name):
        second = min((t for t in shrinking.steps(whole) if "return v3" in t), key=len)
        assert "frac" in second
        assert "Linear" not in second


def test_what_one_change_of_state_needs_is_left_in_one_step() -> None:
    """What is lost there shows in no result."""
    program = shrinking.split(PROGRAM)[1].replace(
        "        v2 = y",
        "        v0 = x.sum(0)\n        self.layer.bias.data += v0\n        v2 = y",
    )
    found = [text for text in shrinking.steps(program) if "bias" in text]
    least = min(found, key=len)
    assert "v0 = x.sum(0)" in least
    for gone in ("v1", "sin", "frac", "if "):
        assert gone not in least


def test_variants_differ_and_run() -> None:
    texts = changing.near(PROGRAM, seed=1, count=8)
    assert len(texts) > 4
    assert all(text.endswith("\n") for text in texts)  # what a report has goes on behind it
    assert len({*texts, PROGRAM}) == len(texts) + 1
    assert all(partial_program.runs(texts))
    assert texts == changing.near(PROGRAM, seed=1, count=8)


def test_what_cannot_be_parsed_is_no_step() -> None:
    found = list(smaller("def make(x):\n    return x + [*range(3), x][-1]\n", "make"))
    assert "def make(x):\n    return x + [*range(3)][-1]\n" in found
    assert not any("x + *range" in text for text in found)


KEYWORDS = PROGRAM.replace("x, y, flag):", "x, y, flag, more=2):").replace(
    "torch.randn(n, 3), torch.randn(m), True",
    '(torch.randn(n, 3),), {"flag": True, "y": torch.randn(m)}',
)


def test_inputs_that_are_given_by_name_or_left_out_go_as_well() -> None:
    body = shrinking.split(small(KEYWORDS, ".frac()"))[1]
    assert "frac" in body
    for gone in ("flag", "more", "Linear"):
        assert gone not in body, body


def test_a_statement_is_added_to_a_program_with_inputs_by_name() -> None:
    near = changing.near(KEYWORDS, 3, 12)
    assert near
    assert partial_program.runs(near) == [True] * len(near)


def test_a_size_that_is_left_out_has_no_range_any_more() -> None:
    ranged = (
        PROGRAM.replace(
            "description: B\n",
            "description: B\ndims: {n: {min: 2, max: 16}, m: {min: 2, max: 16}}\ntags: [dims]\n",
        )
        .replace('Dim("n", min=2, max=16)', "Dim.AUTO")
        .replace('Dim("m", min=2, max=16)', "Dim.AUTO")
    )
    front, body = shrinking.split(small(ranged, ".frac()"))
    assert "def inputs():" in body and "dims:" not in front and "tags: [dims]" in front
    front, body = shrinking.split(small(ranged, "def inputs(n"))
    assert "def inputs(n=5):" in body and "dims: {n: {min: 2, max: 16}}\n" in front


LOOP = PROGRAM.replace(
    "        v2 = y.sin() + 1\n",
    "        v2 = torch._higher_order_ops.while_loop(\n"
    "            lambda i, a: i < 3, lambda i, a: (i + 1, a + 1), (torch.tensor(0), y))[1]\n"
    "        v2 = torch.cond(v2.sum() > 0, lambda a: a + 1, lambda a: a - 1, (v2,))\n",
)


def test_the_look_in_eager_compiles_nothing_and_ends(monkeypatch: pytest.MonkeyPatch) -> None:
    partial_program.runs([LOOP])  # the first one imports what it needs
    monkeypatch.setattr(partial_program, "LOOK", 0.5)
    endless, refused = LOOP.replace("i + 1", "i"), LOOP.replace("a - 1", "a.sum()")
    assert partial_program.runs([LOOP, endless, refused]) == [True, False, True]
    assert partial_program.runs([refused], compiled=True) == [False]
