"""Calls replaced by the lines of what they call: the program does the same, or is left alone."""

from __future__ import annotations

import ast
import random

import pytest

from exportdb.hunt import neutral
from exportdb.hunt.changing import CHANGES, with_change

TOP = """
import torch

def scaled(a, factor=2, *, shift=1.0):
    total = a * factor
    for step in range(2):
        total = total + step
    return total + shift

def doubled(a):
    a.mul_(2)

class Inner(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.weight = torch.nn.Parameter(torch.ones(3))
        self.calls = 0

    def forward(self, y, flag=True):
        self.calls += 1
        if flag:
            y = y * self.weight
        return y + self.calls

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.inner = Inner()

    def shifted(self, z):
        total = z + 1
        return total

    def forward(self, x):
        total = x.sum(0)
{}


def inputs(n=5):
    return (torch.randn(n, 3),)
"""
#: What ``forward`` may do, and what must not be in it any more.
INLINED = {
    "return scaled(x, factor=3) + total": "scaled(",
    "y = torch.relu(scaled(x))\nreturn y + total": "scaled(",
    "y = x + scaled(total, shift=2.0, factor=x.shape[0])\nreturn y": "scaled(",
    "y = x.clone()\ndoubled(y)\nreturn y": "doubled(",
    "return self.inner(x), total": "self.inner(x)",
    "y = self.inner(y=x, flag=False)\nreturn y": "self.inner(y=",
    "y = self.shifted(x)\nreturn y + total": "self.shifted(",
    "return (lambda: x + total)()": "lambda",
    "def put(a):\n    inside = a + total\n    return inside\ny = put(x)\nreturn put(y)": None,
    "y = x\nfor i in range(3):\n    y = scaled(y, i)\nreturn y": "scaled(",
    "if x.shape[0] > 2:\n    y = scaled(x)\nelse:\n    y = x\nreturn y": "scaled(",
    "def f(a):\n    return torch.cond(a.sum() > 0, lambda b: b + 1, lambda b: b - 1, (a,))\n"
    "return f(x)": "f(x)",
}
#: What is left alone: not every line would run where, or as often as, it does now.
LEFT = {
    "a branch that may not be taken": "return scaled(x) if x.shape[0] > 2 else x",
    "a value that a call before it may change": "return torch.relu_(x) + scaled(x)",
    "a part of the model that it may change": "return self.inner.calls + self.inner(x)",
    "a loop of its own": "return [scaled(a) for a in x]",
    "a return in the middle": "def f(a):\n    if a.dim() > 1:\n        return a\n    return a + 1\n"
    "return f(x)",
    "arguments out of a tuple": "return scaled(*(x, 2))",
    "a default that was made before": "def f(a, b=total):\n    return a + b\ntotal = x\n"
    "return f(x)",
    "two meanings": "def f(a):\n    return a\nif x.dim() > 3:\n    f = torch.relu\nreturn f(x)",
    "a generator": "def f(a):\n    yield a\nreturn list(f(x))",
    "a name of the program's that is another here": "range = x\nreturn scaled(range)",
    "functions made in a loop": "def f(a):\n    return lambda: a\nmade = []\n"
    "for i in range(2):\n    g = f(x + i)\n    made.append(g)\nreturn made[0]() + 1",
}  # fmt: skip
HOOK = "self.inner.register_forward_hook(print)"


def program(body: str) -> str:
    return TOP.format("\n".join(f"        {line}" for line in body.splitlines()))


def inlined(text: str, seed: int = 0) -> str | None:
    return with_change(text, CHANGES["inline"], random.Random(seed))


def forward(text: str) -> str:
    model = next(n for n in ast.parse(text).body if getattr(n, "name", "") == "Model")
    return ast.unparse(model.body[-1])  # type: ignore[attr-defined]


@pytest.mark.parametrize("body", INLINED)
def test_eager_cannot_tell(body: str) -> None:
    text = program(body)
    for seed in range(4):
        changed = inlined(text, seed)
        assert changed is not None
        assert INLINED[body] is None or INLINED[body] not in forward(changed)
        assert neutral._do_alike(text, changed)


@pytest.mark.parametrize("why", LEFT)
def test_what_may_do_something_else_is_left_alone(why: str) -> None:
    assert inlined(program(LEFT[why])) is None


def test_names_are_fresh_however_often_it_is_done() -> None:
    text = program("total = scaled(x)\nreturn scaled(total) + x.sum()")
    for _ in range(2):
        changed = inlined(text)
        assert changed is not None
        assert neutral._do_alike(text, changed)
        text = changed
    assert "scaled(" not in forward(text)
    assert inlined(text) is None


@pytest.mark.parametrize(
    ("before", "after"),
    [("def scaled", "@torch.no_grad()\ndef scaled"),
     ("self.inner = Inner()", f"self.inner = Inner()\n        {HOOK}"),
     ("self.inner = Inner()", "self.inner = Inner()\n        self.inner = torch.nn.Identity()"),
     ("class Inner(torch.nn.Module)", "class Inner(torch.nn.Linear)")],
)  # fmt: skip
def test_what_a_call_does_beside_is_not_lost(before: str, after: str) -> None:
    text = program("return self.inner(scaled(x))").replace(before, after)
    changed = inlined(text) or text
    untouched = "scaled(" if "scaled" in before else "self.inner("
    assert untouched in forward(changed)
