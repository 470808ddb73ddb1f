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
