"""Switches reach the program and the capture, and are off again afterwards."""

from __future__ import annotations

import pytest
import torch

from exportdb.conformance.options import Options
from exportdb.conformance.switches import turned
from exportdb.records import switches

LINEAR = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.linear = torch.nn.Linear(4, 3)

    def forward(self, x):
        return torch.nn.functional.dropout(self.linear(x), training=self.training)

dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}}

def inputs(n=5):
    return torch.randn(n, 4)
"""
BRANCH = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2 if x.shape[0] == 1 else x + 1

dynamic_shapes = {"x": {0: Dim("n", min=1, max=8)}}

def inputs(n=5):
    return torch.randn(n, 4)
"""


def under(*words: str) -> Options:
    return Options(switches=switches.parse(words))


def state() -> tuple[object, ...]:
    return (
        torch.get_default_dtype(),
        torch.are_deterministic_algorithms_enabled(),
        torch.fx.experimental._config.backed_size_oblivious,
        torch._dynamo.config.assume_static_by_default,
    )


@pytest.mark.parametrize("name", switches.SWITCHES)
def test_every_value_can_be_set_and_is_undone(name: str) -> None:
    before = state()
    for value in switches.SWITCHES[name].values:
        with pytest.raises(ZeroDivisionError), turned(switches.parse([f"{name}={value}"])):
            turned_on = state()
            raise ZeroDivisionError
        assert state() == before
        default = value == switches.SWITCHES[name].values[0]
        assert name == "mode" or (turned_on == before) == default


def test_the_default_dtype_is_that_of_parameters_and_inputs(examine) -> None:
    assert "float64[s0, 4]" in examine(LINEAR, options=under("default-dtype=float64")).graph
    assert "float64" not in examine(LINEAR).graph


def test_the_mode_is_that_of_the_modules(examine) -> None:
    assert "0.5, True)" in examine(LINEAR, options=under("mode=train")).graph
    assert "0.5, False)" in examine(LINEAR, options=under("mode=eval")).graph


def test_backed_sizes_can_be_taken_for_unknown(examine) -> None:
    assert examine(BRANCH).outcome == "wrong"  # the branch of the example, for every size
    assert examine(BRANCH, options=under("backed-size-oblivious")).outcome == "refused"
