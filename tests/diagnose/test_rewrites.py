"""Statements that ask the data, written otherwise: how they read, and that they do the same."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
import torch

from exportdb.diagnose.change import Change, edited
from exportdb.diagnose.origin import FileOrigin
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.rewriting.cached import uncached
from exportdb.diagnose.rewriting.decisions import undecided
from exportdb.diagnose.rewriting.logging_calls import without_call
from exportdb.diagnose.rewriting.loops import scanned
from exportdb.diagnose.rewriting.numpy_calls import without_numpy
from exportdb.diagnose.rewriting.routed_loops import over_all
from exportdb.diagnose.rewriting.sides import one_side
from exportdb.diagnose.rewriting.sizes import by_the_tensor, from_data, symbolic
from exportdb.diagnose.sameness import difference

Rewrite = Callable[[str, int], Iterator[tuple[Change, ...]]]


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
        ("if s is not None and s.any():\n    b = b * s", 1,
         "if s is not None:\n    b = torch.where(s.any(), b * s, b)"),
        ("if isinstance(a, C) and a.n > 1 and b:\n    b = a\nelse:\n    b = c", 1,
         "if isinstance(a, C):\n    b = torch.where(torch.logical_and(a.n > 1, b), a, c)\n"
         "else:\n    b = c"),
        ("if a.any():\n    self.x = 1", 1, ""),
        ("if a.any():\n    return a, b\nreturn c", 1, ""),
    ],
)  # fmt: skip
def test_a_decision_is_written_without_deciding(text: str, line: int, expected: str) -> None:
    assert rewritten(text, line) == expected


def all_changes(rewrite: Rewrite, text: str, line: int) -> list[str]:
    return [edited(text, changes).strip() for changes in rewrite(text, line)]


@pytest.mark.parametrize(
    "rewrite, text, line, expected",
    [
        (undecided,
         "def f(a):\n    m = a.max().item()\n    if m == 0.0:\n        s = 1.0\n"
         "    else:\n        s = m / 7\n    return s", 3,
         "def f(a):\n    m = a.max()\n    s = torch.where(m == 0.0, 1.0, m / 7)\n    return s"),
        (uncached,
         "def f(self, n):\n    if self._n != n:\n        self._bias = make(n)\n"
         "        self._n = n\n    return self._bias[:n]", 2,
         "def f(self, n):\n    bias_now = make(n)\n    return bias_now[:n]"),
        (uncached,
         "def f(self, h, w):\n    if (h, w) not in self.kept:\n        a = h + w\n"
         "        self.kept[(h, w)] = a * 2\n    return self.kept[h, w]", 2,
         "def f(self, h, w):\n    a = h + w\n    kept_now = a * 2\n    return kept_now"),
        (uncached,
         "def f(self, n):\n    a = self.kept.get(n)\n    if a is None:\n        a = make(n)\n"
         "        self.kept[n] = a\n    return a", 2,
         "def f(self, n):\n    a = make(n)\n    return a"),
        (uncached,
         "def f(self, n):\n    if n in self.kept:\n        return self.kept[n]\n"
         "    a = make(n)\n    self.kept[n] = a\n    return a", 2,
         "def f(self, n):\n    a = make(n)\n    return a"),
        (uncached, "@functools.lru_cache(maxsize=8)\ndef f(n):\n    return n", 3,
         "def f(n):\n    return n"),
        (without_numpy,
         "import numpy as np\ndef f(n, x):\n    a = torch.from_numpy(np.eye(n, dtype=bool))\n"
         "    return a, np.float32(2), x.detach().cpu().numpy().astype(np.float32)", 3,
         "import numpy as np\ndef f(n, x):\n    a = torch.eye(n, dtype=torch.bool)\n"
         "    return (a, float(2), x.detach().to(torch.float32))"),
        (without_call, "def f(x):\n    print(x.mean().item())\n    return x", 2,
         "def f(x):\n    if not torch.compiler.is_exporting():\n"
         "        print(x.mean().item())\n    return x"),
        (symbolic, "b = int(x.shape[0] / (h * w / 4))", 1, "b = x.shape[0] // (h * w // 4)"),
        (symbolic, "n = len(x) + int(x.size(1) * 0.5)", 1, "n = x.shape[0] + x.size(1) // 2"),
        (symbolic, "n = math.ceil(n / 3)", 1, "n = -(-n // 3)"),
        (from_data, "n = int(lens.max()) + 1", 1, "n = lens.max().item() + 1"),
        (by_the_tensor, "x = x[:, min(self.first) : max(lens)]", 1,
         "x = x[:, self.first.min():lens.max()]"),
        (one_side, "def f(a):\n    if a.sum() == 0:\n        return a\n    return a * 2", 2,
         "def f(a):\n    return a * 2"),
        (one_side, "def f(a):\n    if a.any():\n        a[a > 0] = 1\n    return a", 2,
         "def f(a):\n    a[a > 0] = 1\n    return a"),
        (one_side,
         "def f(a, s):\n    if s is not None and s != 1:\n        a = a * s\n    return a", 2,
         "def f(a, s):\n    if s is not None:\n        a = a * s\n    return a"),
        (one_side, "for i in n:\n    if i.any():\n        continue", 2, "for i in n:\n    pass"),
        (over_all,
         "def f(self, x, hit):\n    for e in hit:\n        x = self.experts[e.item()](x)\n"
         "    return x", 2,
         "def f(self, x, hit):\n    for e in range(len(self.experts)):\n"
         "        x = self.experts[e](x)\n    return x"),
    ],
)  # fmt: skip
def test_a_statement_is_written_so_that_it_can_be_captured(
    rewrite: Rewrite, text: str, line: int, expected: str
) -> None:
    assert expected in all_changes(rewrite, text, line)


@pytest.mark.parametrize(
    "rewrite, text",
    [
        (without_call, "def f(x):\n    out.append(x.item())\n    return out"),
        (scanned, "def f(x):\n    for i in range(len(x)):\n        ys.append(x[i - 1])"),
        (scanned, "def f(x):\n    for i in range(len(x)):\n        self.n += x[i]"),
        (uncached, "def f(self, n):\n    if n > 2:\n        n = self.n\n    return n"),
        (without_numpy, "import numpy as np\ndef f(n):\n    return np.fft.fft(n)"),
        (symbolic, "def f(x):\n    return int(x.mean())"),
        (from_data, "def f(x):\n    return int(x.shape[0] / 2)"),
        (by_the_tensor, "def f(x, n):\n    return max(x.shape[0], n), max(x, key=len)"),
        (one_side, "def f(x):\n    if x.any():\n        raise ValueError"),
        (over_all, "def f(self, x):\n    for i in range(3):\n        x = self.parts[i](x)"),
        (over_all, "def f(self, x):\n    for part in x:\n        self.kept.append(part)"),
    ],
)
def test_what_is_of_another_kind_is_left_alone(rewrite: Rewrite, text: str) -> None:
    assert not all_changes(rewrite, text, 2)


LOOP = """
import torch

def f(x, h):
    ys = []
    for i in range(x.shape[1]):
        h += x[:, i]
        ys.append(h * x[:, i, :])
    return torch.stack(ys, dim=1), torch.cat(ys, 1), h
"""


def test_a_loop_over_time_is_a_scan_that_gives_the_same() -> None:
    (text,) = all_changes(scanned, LOOP, 6)
    assert "for i" not in text
    results = []
    for source in (LOOP, text):
        space: dict[str, Any] = {}
        exec(source, space)
        results.append(space["f"](torch.arange(24.0).reshape(2, 3, 4), torch.ones(2, 4)))
    for expected, found in zip(*results, strict=True):
        assert torch.equal(expected, found)


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
    data = {"before": line, "count": 2, "text": replaced, "decides": True}
    change = Change("replace", "", data)
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


OPTIONAL = """
import torch

class Model(torch.nn.Module):
    def forward(self, x, scale=None):
        if x.sum() > 0 and scale is not None:
            x = x * scale
        return x

def make():
    return Model(), (torch.ones(3),), {"scale": torch.tensor(2.0)}
"""


def test_an_argument_that_may_be_left_out_is_left_out_once(tmp_path: Path) -> None:
    kept = "if scale is not None:\n    x = torch.where(x.sum() > 0, x * scale, x)"
    lost = "x = torch.where(x.sum() > 0, x * scale, x)"
    for replaced, said in ((kept, ""), (lost, "something else in eager")):
        found = difference(changed(tmp_path / "model.py", OPTIONAL, replaced))
        assert said in found and bool(found) == bool(said)


SQUARE_ROOT = """
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        if x.sum() > 0:
            x = x.clamp(min=0).sqrt()
        return x * 2

def make():
    return Model(), (torch.ones(3, requires_grad=GRAD),)
"""


@pytest.mark.parametrize("grad, said", [("True", "something else in eager"), ("False", "")])
def test_where_gradients_are_wanted_the_side_not_taken_must_not_reach_them(
    tmp_path: Path, grad: str, said: str
) -> None:
    replaced = "x = torch.where(x.sum() > 0, x.clamp(min=0).sqrt(), x)"
    text = SQUARE_ROOT.replace("GRAD", grad)
    found = difference(changed(tmp_path / "model.py", text, replaced))
    assert said in found and bool(found) == bool(said)


CHOSEN = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.experts = torch.nn.ModuleList(torch.nn.Linear(2, 2) for _ in range(3))

    def forward(self, x, picks):
        out = torch.zeros_like(x)
        for e in picks.unique().tolist():
            (rows,) = torch.where(picks == e)
            out[rows] += self.experts[e](x[rows])
        return out

def make():
    return Model(), (torch.ones(4, 2), torch.tensor([0, 2, 2, 0]))
"""


@pytest.mark.parametrize("more, said", [("x[rows]", ""), ("x", "something else")])
def test_all_experts_are_taken_where_those_that_nobody_chose_change_nothing(
    tmp_path: Path, more: str, said: str
) -> None:
    kept = {"x[rows]": "out[rows] += self.experts[e](x[rows])", "x": "out += self.experts[e](x)"}
    text = CHOSEN.replace(kept["x[rows]"], kept[more])
    (tmp_path / "model.py").write_text(text)
    line = text.splitlines().index("        for e in picks.unique().tolist():") + 1
    (changes,) = over_all(text, line)
    found = difference(ChangedProgram(FileOrigin(tmp_path / "model.py", "make"), text, changes))
    assert said in found and bool(found) == bool(said)


FIRST_CALL = """
import torch

class Model(torch.nn.Module):
    kept = None

    def forward(self, x):
        if self.kept is None:
            self.kept = KEPT
        return x - self.kept

def make():
    return Model(), (torch.ones(3),)
"""


@pytest.mark.parametrize("kept, said", [("torch.ones(3) * 2", ""), ("x.mean()", "something else")])
def test_a_call_before_the_capture_is_taken_only_where_it_changes_nothing(
    tmp_path: Path, kept: str, said: str
) -> None:
    text = FIRST_CALL.replace("KEPT", kept)
    (tmp_path / "model.py").write_text(text)
    origin = FileOrigin(tmp_path / "model.py", "make")
    found = difference(ChangedProgram(origin, text, (Change("warm", ""),)))
    assert said in found and bool(found) == bool(said)


def test_what_a_first_call_keeps_is_not_computed_each_time(tmp_path: Path) -> None:
    text = FIRST_CALL.replace("KEPT", "x.mean()")
    (tmp_path / "model.py").write_text(text)
    (changes,) = list(uncached(text, 8))
    origin = FileOrigin(tmp_path / "model.py", "make")
    assert "called again" in difference(ChangedProgram(origin, text, changes))


NORMED = """
import torch

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.norm = torch.nn.LayerNorm(3)

    def forward(self, x):
        found = self.norm(x) > 5
        if x[found].numel() == 0:
            return x.new_zeros(0)
        return x[found] * TIMES

def make():
    torch.manual_seed(0)
    return Model(), (torch.randn(4, 3),)
"""


@pytest.mark.parametrize("times, said", [("2", ""), ("2 if found.any() else x", "something else")])
def test_a_side_may_go_where_no_input_but_other_weights_show_that_the_rest_does_it(
    tmp_path: Path, times: str, said: str
) -> None:
    text = NORMED.replace("TIMES", times)
    (tmp_path / "model.py").write_text(text)
    line = text.splitlines().index("        if x[found].numel() == 0:") + 1
    (changes,) = one_side(text, line)
    found = difference(ChangedProgram(FileOrigin(tmp_path / "model.py", "make"), text, changes))
    assert said in found and bool(found) == bool(said)
