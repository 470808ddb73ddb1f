"""The program itself is a sound capture, whatever it does: nothing is held against it."""

from __future__ import annotations

import pytest
import torch

from exportdb.exporters.protocol import Exporter
from tests.conformance.conftest import Made, results

NAMED_LIKE_HOOKS = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.use_hooks, self.num_hooks, self.my_hooks = True, 2, None

    def forward(self, x):
        return x * 2

def inputs():
    return torch.randn(3)
"""
SETS = """
class Model(torch.nn.Module):
    def forward(self, x):
        {statement}
        return x * 2

def inputs():
    return torch.randn(3)
"""
SETTERS = [
    "torch.use_deterministic_algorithms(True)",
    'torch.set_float32_matmul_precision("high")',
    "torch._C._set_grad_enabled(False)",
]


class Itself(Exporter):
    """The module is the capture."""

    name = "itself"

    def capture(self, program):
        return program.module


@pytest.mark.parametrize("statement", SETTERS)
def test_a_program_may_set_torch_itself(examine, statement: str) -> None:
    assert examine(SETS.format(statement=statement), Itself()).outcome == "supported"


def test_attributes_may_be_named_like_hooks(examine) -> None:
    assert examine(NAMED_LIKE_HOOKS, Itself()).outcome == "supported"


def test_an_output_that_asks_for_a_gradient_too_leaves_other_gradients_right(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.linspace(1, 2, 3))

        def forward(self, x):
            with torch.no_grad():
                sign = (x * self.w).sign()
            return sign, x * self.w

    def inputs():
        return torch.randn(3)
    """

    class Recorded(Itself):
        def capture(self, program):
            w = program.module.w
            return lambda x: ((x * w).sign(), x * w)

    record = examine(program, Recorded(), more="train: true\n")
    assert results(record)["example"] == "lossy"


@pytest.mark.parametrize(("off", "outcome"), [(0, "supported"), (4, "wrong")])
def test_a_count_in_a_half_type_is_no_rounding(examine, off: int, outcome: str) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return (x == x).to(torch.bfloat16).sum()

    def inputs():
        return torch.ones(100)
    """
    made = Made(lambda x: (x == x).to(torch.bfloat16).sum() + off)
    assert examine(program, made).outcome == outcome


def test_views_in_a_list_are_put_back_without_their_history(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.linspace(1, 2, 3))
            base = torch.zeros(2, 3)
            self.states = [base[0], base[1]]

        def forward(self, x):
            self.states[0].add_(self.w * x)
            return self.states[0] * 2

    def inputs():
        return torch.randn(3)
    """
    assert examine(program, Itself(), more="train: true\n").outcome == "supported"


#: What a module keeps something in, and what a call makes of it.
STATE = {
    "generator": (
        "self.g = torch.Generator().manual_seed(3)",
        "x + torch.rand(3, generator=self.g)",
    ),
    "random": ("self.g = random.Random(3)", "x * self.g.random()"),
    "numpy": ("self.g = np.random.default_rng(3)", "x * float(self.g.random())"),
    "numpy-of-old": ("self.g = np.random.RandomState(3)", "x * float(self.g.rand())"),
    "count": ("self.g = itertools.count(1)", "x * next(self.g)"),
    "cycle-of-layers": (
        "self.f = torch.nn.Linear(3, 3); self.g = itertools.cycle([self.f, torch.neg])",
        "next(self.g)(x)",
    ),
    "iterator": ("self.g = iter(range(1, 100))", "x * next(self.g)"),
    "variable-of-a-function": ("self.g = counter()", "x * self.g()"),
    "bound-method": (
        "self.g = itertools.count(1).__next__; self.h = Called().step",
        "x * self.h()",
    ),
    "called-object": ("self.g = Called()", "x * self.g()"),
    "partial": ("self.g = functools.partial(appended, [])", "x * self.g()"),
    "cache": (
        "self.g = functools.lru_cache(None)(lambda n: torch.randn(n))",
        "x + self.g(x.shape[0])",
    ),
    "script": ("self.g = torch.jit.script(Scripted())", "self.g(x)"),
    "function-over-self": (
        "self.register_buffer('n', torch.zeros(())); self.g = lambda x: x * self.n.add_(1)",
        "self.g(x)",
    ),
    "forward-replaced": (
        "self.register_buffer('n', torch.zeros(())); self.forward = over(self.forward, self)",
        "x * self.n",
    ),
    "hook-that-removes-itself": (
        "self.s = None; self.h = self.register_forward_pre_hook(once)",
        "x - self.s",
    ),
    "hook-for-every-call": (
        "self.f = torch.nn.Identity()",
        "(self.f.register_forward_hook(lambda m, a, o: o * 2), self.f(x))[1]",
    ),
    "hook-that-counts": (
        "self.f = torch.nn.Identity(); self.f.register_forward_hook(counting())",
        "self.f(x)",
    ),
    "result-of-parameters": (
        "self.w = torch.nn.Parameter(torch.ones(3)); self.g = self.w * 2",
        "x * self.g",
    ),
    "layer-made-when-needed": (
        "self.f = None",
        "(setattr(self, 'f', self.f or torch.nn.Linear(3, 3)), self.f(x))[1]",
    ),
    "layer-added-when-needed": (
        "pass",
        "(hasattr(self, 'f') or self.add_module('f', torch.nn.Linear(3, 3)), self.f(x))[1]",
    ),
    "lock": ("self.g = threading.Lock()", "x * (1 + self.g.locked())"),
}
KEEPING = """
import functools, itertools, random, threading
import numpy as np

def counter():
    n = 0
    def step():
        nonlocal n
        n += 1
        return n
    return step

def counting():
    step = counter()
    return lambda m, a, o: o * step()

def appended(seen):
    seen.append(1)
    return len(seen)

def over(forward, module):
    def replaced(x):
        module.n.add_(1)
        return forward(x)
    return replaced

def once(module, args):
    module.s = args[0].mean()
    module.h.remove()

class Called:
    n = 0
    def step(self):
        self.n += 1
        return self.n
    __call__ = step

class Scripted(torch.nn.Module):
    n: int
    def __init__(self):
        super().__init__()
        self.n, self.kept = 0, torch.zeros(3)
    def forward(self, x):
        self.n += 1
        self.kept = self.kept + x
        return self.kept * self.n

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        {made}

    def forward(self, x):
        return {result}

def inputs():
    return torch.randn(3)
"""


@pytest.mark.parametrize("kind", STATE)
def test_a_module_may_keep_its_state_in_anything(examine, kind: str) -> None:
    made, result = STATE[kind]
    record = examine(KEEPING.format(made=made, result=result), Itself())
    assert record.outcome == "supported", record.samples


@pytest.mark.parametrize("kind", ["generator", "count", "variable-of-a-function", "script"])
def test_state_that_is_not_moved_on_shows_wherever_it_is_kept(examine, kind: str) -> None:
    made, result = STATE[kind]

    class Remembers(Itself):
        def capture(self, program):
            first = program.module(*program.args)
            return lambda x: x * 0 + first

    assert examine(KEEPING.format(made=made, result=result), Remembers()).outcome == "wrong"


def test_inputs_and_outputs_may_be_any_objects(examine) -> None:
    program = """
    import numpy as np

    class Box:
        __slots__ = ("value",)

        def __init__(self, value):
            self.value = value

    class Model(torch.nn.Module):
        def forward(self, x, table, generator, box, items, act):
            drawn = torch.rand(3, generator=generator) + torch.from_numpy(table) + next(items)
            box.value = act(x) + drawn
            return box, (x * i for i in range(3)), {"a": x}.values(), x.numpy(), generator

    def inputs():
        generator = torch.Generator().manual_seed(1)
        return torch.randn(3), np.ones(3), generator, Box(None), iter([1, 2]), torch.nn.ReLU()
    """
    assert examine(program, Itself()).outcome == "supported"


def test_an_input_may_be_a_result_of_operators(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, x, row):
            row.detach().add_(1)
            return x * 2, row

    def inputs():
        x = torch.randn(2, 3, requires_grad=True) * 2
        return x, x[0]
    """
    record = examine(program, Itself())
    assert record.outcome == "supported", record.samples


def test_an_input_of_which_there_are_no_copies_is_named(examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, parts):
            return sum(parts)

    def inputs():
        return ((torch.ones(2) for _ in range(3)),)
    """
    record = examine(program, Itself())
    assert record.outcome == "error"
    assert "no copy can be made: cannot pickle 'generator' object" in record.error.message


#: What the file of a program keeps something in, and what a call makes of it.
FILE_STATE = {
    "number": ("calls = 0", "global calls; calls += 1", "x * calls"),
    "new-name": ("", "global calls; calls = globals().get('calls', 0) + 1", "x * calls"),
    "list": ("seen = []", "seen.append(float(x.sum()))", "x * len(seen)"),
    "tensor": ("total = torch.zeros(3)", "total.add_(x)", "total.clone()"),
    "generator": ("g = torch.Generator().manual_seed(5)", "pass", "x + torch.rand(3, generator=g)"),
    "random": ("g = random.Random(5)", "pass", "x * g.random()"),
    "class": ("class Of:\n    n, seen = 0, []", "Of.n += 1; Of.seen.append(1)", "x * Of.n"),
    "own-class": ("", "type(self).seen = len(vars(type(self)))", "x * type(self).seen"),
    "default": ("def f(seen=[]):\n    seen.append(1)\n    return len(seen)", "pass", "x * f()"),
    "function": ("def f(x):\n    return x * f.n\nf.n = 0", "f.n += 1", "f(x)"),
    "cache": ("f = functools.lru_cache(None)(torch.randn)", "pass", "x + f(x.shape[0])"),
    "method": ("", "pass", "x + self.drawn(3)"),
    "object": ("class Of:\n    n = 0\nof = Of()", "of.n += 1", "x * of.n"),
    "made-with-the-module": ("table = {}", "table['n'] += 1", "x * table['n']"),
}
IN_FILE = """
import functools, random

{kept}

class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        globals().setdefault("table", {{}})["n"] = 3

    @functools.lru_cache(None)
    def drawn(self, n):
        return torch.randn(n)

    def forward(self, x):
        {call}
        return {result}

def inputs():
    return torch.randn(3)
"""


@pytest.mark.parametrize("kind", FILE_STATE)
def test_a_program_may_keep_its_state_in_its_file(examine, kind: str) -> None:
    kept, call, result = FILE_STATE[kind]
    record = examine(IN_FILE.format(kept=kept, call=call, result=result), Itself())
    assert record.outcome == "supported", record.samples


@pytest.mark.parametrize("kind", ["number", "list", "class", "generator"])
def test_what_the_file_keeps_and_a_capture_does_not_move_on_shows(examine, kind: str) -> None:
    kept, call, result = FILE_STATE[kind]

    class Remembers(Itself):
        def capture(self, program):
            x, y = program.args[0], program.module(*program.args)
            return lambda given: given - x + y

    record = examine(IN_FILE.format(kept=kept, call=call, result=result), Remembers())
    assert record.outcome == "wrong"
