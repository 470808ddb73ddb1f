"""Statements that ask the data, written otherwise: how they read, and that they do the same."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.diagnose.change import Change, edited
from exportdb.diagnose.origin import FileOrigin
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.rewriting.decisions import undecided
from exportdb.diagnose.sameness import difference


def rewritten(text: str, line: int) -> str:
    """The program after the first rewrite for a line, "" if there is none."""
    for changes in undecided(text, line):
        return edited(text, changes).strip()
    return ""


@pytest.mark.parametrize(
    "text, line, expected",
    [
        ("if a.sum() > 0:\n    b = f(a)\nelse:\n    b = a", 1,
         "b = torch.where(a.sum() > 0, f(a), a)"),
        ("if a.any():\n    b += 1", 1, "b = torch.where(a.any(), b + 1, b)"),
        ("def f(a):\n    if a.max().item() > 1:\n        return a\n    return a / 2", 2,
         "def f(a):\n    return torch.where(a.max() > 1, a, a / 2)"),
        ("y = a if not bool(c) else b", 1, "y = torch.where(torch.logical_not(c), a, b)"),
        ("assert (a > 0).all(), 'no'", 1, "torch._check((a > 0).all().item())"),
        ("if a.min() < 0 or b.any():\n    raise ValueError", 1,
         "torch._check(torch.logical_not(torch.logical_or(a.min() < 0, b.any())).item())"),
        ("if a.any():\n    b = a\n    b = b * b", 1,
         "holds = a.any()\nb_then = a\nb_then = b_then * b_then\n"
         "b = torch.where(holds, b_then, b)"),
        ("if a.any():\n    self.x = 1", 1, ""),
        ("if a.any():\n    return a, b\nreturn c", 1, ""),
    ],
)  # fmt: skip
def test_a_decision_is_written_without_deciding(text: str, line: int, expected: str) -> None:
    assert rewritten(text, line) == expected


PROGRAM = """
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum() > LIMIT:
            x = x * 2
        return x

def make():
    return Model(), (torch.ones(3),)
"""


def changed(path: Path, text: str, replaced: str) -> ChangedProgram:
    path.write_text(text)
    line = text.splitlines().index(next(t for t in text.splitlines() if "if x" in t)) + 1
    change = Change("replace", "", {"before": line, "count": 2, "text": replaced})
    return ChangedProgram(FileOrigin(path, "make"), text, (change,))


@pytest.mark.parametrize(
    "limit, replaced, said",
    [
        ("0", "x = torch.where(x.sum() > 0, x * 2, x)", ""),
        ("0", "x = torch.where(x.sum() > 0, x * 3, x)", "something else in eager"),
        ("1e9", "x = torch.where(x.sum() > 1e9, x * 2, x)", "no input took both sides"),
    ],
)
def test_a_rewrite_is_taken_only_where_both_sides_were_seen_to_do_the_same(
    tmp_path: Path, limit: str, replaced: str, said: str
) -> None:
    program = changed(tmp_path / "model.py", PROGRAM.replace("LIMIT", limit), replaced)
    found = difference(program)
    assert said in found and bool(found) == bool(said)
