"""Loops, branches and packed sequences written otherwise: the module gives what it gave before."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from functools import partial
from typing import Any

import pytest
import torch

from exportdb.diagnose.change import Change, edited
from exportdb.diagnose.rewriting.by_comparison import compared
from exportdb.diagnose.rewriting.chosen_modules import all_of_them
from exportdb.diagnose.rewriting.conditional import as_cond
from exportdb.diagnose.rewriting.early_ends import without_early_end
from exportdb.diagnose.rewriting.kept_sizes import widened
from exportdb.diagnose.rewriting.packed import padded
from exportdb.diagnose.rewriting.rowwise import at_once, mapped

Rewrite = Callable[[str, int], Iterator[tuple[Change, ...]]]

HEAD = """
import torch
from torch import nn
from torch.nn.functional import one_hot
from torch.nn.utils.rnn import pack_padded_sequence, pad_packed_sequence

class Model(nn.Module):
    def __init__(self):
        super().__init__()
        self.parts = nn.ModuleList(nn.Linear(3, 3) for _ in range(4))
        self.start = torch.ones(5, 3)
        self.register_buffer("shift", torch.full((2, 5), 0.5))
        self.weights = nn.Parameter(torch.randn(5, 3))
        self.lstm = nn.LSTM(3, 4, batch_first=True)
        self.gru = nn.GRU(3, 4, bidirectional=True)

    def forward(self, {}):
{}
"""

X, ROWS = torch.linspace(-2, 2, 15).view(5, 3), torch.arange(12.0).view(4, 3)
ONE_HOT = ("classes", "return one_hot(classes) + one_hot(classes, num_classes=7).sum()")
CHOSEN = ("x, which", "return self.parts[which.item()](x)")
CHOSEN_BEFORE = ("x, which", "index = which.item()\nx = x + 1\nreturn self.parts[index](x)")
RETURNED = ("x", "if x.sum() > 0:\n    return x\nreturn x.mean(0)[None].expand(5, 3) * 2")
ASSIGNED = ("x", "y = x * 2\nif x.sum() > 0:\n    y = x + 1\n    y = y * y\nreturn y")
APPENDED = (
    "x",
    "found = []\nif x.sum() > 0:\n    found.append(x)\nelse:\n    found.append(-x)\n"
    "return found[0]",
)
BROKEN = (
    "x",
    "for i in range(6):\n    x = x + i\n    if x.sum() > 9:\n        break\n    x *= 2\nreturn x",
)
WHILE_BOUND = ("x", "n = 0\nwhile n < 6 and x.sum() < 40:\n    x = x + 1\n    n += 1\nreturn x")
WHILE = ("x", "while x.sum() < 40:\n    x = x + 1\nreturn x")
TIMES = ("x, n", "for i in range(n.item()):\n    x = x + i\nreturn x")
PACKED = (
    "x, lengths",
    "packed = pack_padded_sequence(x, lengths, batch_first=True, enforce_sorted=False)\n"
    "output, (state, _) = self.lstm(packed)\n"
    "output, sizes = pad_packed_sequence(output, batch_first=True)\nreturn output, state, sizes",
)
PACKED_BOTH = (
    "x, lengths",
    "packed = pack_padded_sequence(x, lengths.cpu(), enforce_sorted=False)\n"
    "output, state = self.gru(packed)\noutput, _ = pad_packed_sequence(output)\n"
    "return output, state",
)
EACH = ("x", "rows = []\nfor row in x:\n    rows.append(row.sin() * 2)\nreturn torch.stack(rows)")
EACH_BY_NUMBER = (
    "x, y",
    "rows = []\nfor i in range(x.shape[0]):\n    a = x[i] + y[:, i].sum()\n    rows.append(a)\n"
    "return torch.stack(rows, 1)",
)
COMPREHENSION = ("x", "return torch.cat([row.unsqueeze(0).softmax(-1) for row in x])")
TWO_LISTS = (
    "x, y",
    "a, b = [], []\nfor one, other in zip(x, y):\n    a.append(one @ other)\n"
    "    b.append(one.max())\nreturn torch.stack(a), torch.stack(b)",
)
WIDE = ("x", "return x + self.start + self.shift[0].unsqueeze(-1)")


def source_of(program: tuple[str, str]) -> str:
    parameters, body = program
    return HEAD.format(parameters, "\n".join(f"        {line}" for line in body.splitlines()))


def line_of(source: str, words: str) -> int:
    """The last line with these words."""
    return max(n for n, line in enumerate(source.splitlines(), 1) if words in line)


def model_of(source: str) -> torch.nn.Module:
    space: dict[str, Any] = {}
    exec(source, space)
    torch.manual_seed(0)
    made: torch.nn.Module = space["Model"]()
    return made


def rewrites(rewrite: Rewrite, program: tuple[str, str], words: str) -> list[str]:
    source = source_of(program)
    return [edited(source, changes) for changes in rewrite(source, line_of(source, words))]


LENGTHS = torch.tensor([2, 6, 3])


@pytest.mark.parametrize(
    ("rewrite", "program", "words", "given"),
    [
        (compared, ONE_HOT, "one_hot(classes)", [(torch.tensor([0, 3, 1]),), (torch.tensor([6]),)]),
        (all_of_them, CHOSEN, "which", [(X, torch.tensor(i)) for i in range(4)]),
        (all_of_them, CHOSEN_BEFORE, "self.parts[index]", [(X, torch.tensor(i)) for i in range(4)]),
        (as_cond, RETURNED, "if x.sum()", [(X + 1,), (X - 1,)]),
        (as_cond, ASSIGNED, "if x.sum()", [(X + 1,), (X - 1,)]),
        (as_cond, APPENDED, "if x.sum()", [(X + 1,), (X - 1,)]),
        (without_early_end, BROKEN, "if x.sum()", [(X,), (X + 1,), (X - 9,)]),
        (without_early_end, WHILE_BOUND, "while", [(X,), (X + 5,), (X - 9,)]),
        (without_early_end, WHILE, "while", [(X,), (X + 5,)]),
        (without_early_end, TIMES, "for i", [(X, torch.tensor(i)) for i in (0, 1, 4)]),
        (padded, PACKED, "packed = ", [(torch.randn(3, 6, 3), LENGTHS),
                                       (torch.randn(3, 8, 3), LENGTHS)]),
        (padded, PACKED_BOTH, "packed = ", [(torch.randn(6, 3, 3), LENGTHS)]),
        (at_once, EACH, "for row", [(X,), (ROWS,)]),
        (mapped, EACH, "for row", [(X,), (ROWS,)]),
        (mapped, EACH_BY_NUMBER, "for i", [(X, torch.randn(3, 5)), (ROWS, torch.randn(2, 4))]),
        (at_once, COMPREHENSION, "for row", [(X,), (ROWS,)]),
        (mapped, TWO_LISTS, "for one", [(X, X + 1), (ROWS, ROWS - 3)]),
        (partial(widened, size=5, name="x", axis=0), WIDE, "self.start", [(X,)]),
    ],
)  # fmt: skip
def test_some_rewrite_gives_the_same(
    rewrite: Rewrite, program: tuple[str, str], words: str, given: Sequence[tuple[Any, ...]]
) -> None:
    before = model_of(source_of(program))
    found = rewrites(rewrite, program, words)
    assert found and source_of(program) not in found
    same = [text for text in found if all(_alike(before, model_of(text), args) for args in given)]
    assert same, found


def _alike(one: torch.nn.Module, other: torch.nn.Module, args: tuple[Any, ...]) -> bool:
    with torch.compiler.set_stance("force_eager"):
        try:
            torch.testing.assert_close(other(*args), one(*args))
        except Exception:  # a rewrite that does not fit is not taken
            return False
    return True


@pytest.mark.parametrize("rows", [1, 3, 8])
def test_what_is_kept_for_the_example_is_widened_to_the_input(rows: int) -> None:
    (*_, text) = rewrites(partial(widened, size=5, name="x", axis=0), WIDE, "self.start")
    x = torch.randn(rows, 3)
    assert torch.equal(model_of(text)(x), x + 1.5)


@pytest.mark.parametrize(
    ("rewrite", "program", "words"),
    [
        (compared, ("x", "return x.argmax(-1)"), "return"),
        (all_of_them, ("x", "return self.parts[0](x)"), "return"),
        (as_cond, ("x", "if x.sum() > 0:\n    self.seen = x\nreturn x"), "if x"),
        (as_cond, ("x", "if x.sum() > 0:\n    return x\nx = x + 1\nreturn x"), "if x"),
        (without_early_end,
         ("x", "for i in range(3):\n    self.n = i\n    if x.any():\n        break\nreturn x"),
         "if x"),
        (padded, ("x", "return self.lstm(x)"), "return"),
        (mapped, ("x", "found = []\nfor i in range(4):\n    found.append(x[i] * i)\n"
                       "return torch.stack(found)"), "for i"),
        (partial(widened, size=5, name="x", axis=0), ("x", "return x @ self.weights"), "return"),
    ],
)  # fmt: skip
def test_what_is_of_another_kind_is_left_alone(
    rewrite: Rewrite, program: tuple[str, str], words: str
) -> None:
    assert rewrites(rewrite, program, words) == []
