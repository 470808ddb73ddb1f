"""What differs beside the results of operators is owed to a line too: a store, and a gradient."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
import torch

from exportdb.records.record import FirstDifference

from .conftest import Made

STORES = """
class Model(torch.nn.Module):
    def forward(self, x, kept):
        y = x * 2
        STORE
        return y + 1

def inputs():
    return torch.linspace(0.1, 0.4, 4), {"last": torch.zeros(4), "all": [torch.ones(4)]}
"""


def keeps_nothing(x: torch.Tensor, kept: object) -> torch.Tensor:
    return x * 2 + 1


@pytest.mark.parametrize(
    "store",
    [
        'kept["last"] = y', 'kept["first"] = y', 'kept["all"].append(y)', 'del kept["last"]',
        'for _ in range(3): kept["all"].append(y)', 'kept["last"].copy_(y)',
    ],
)  # fmt: skip
def test_the_line_that_stores_what_a_capture_does_not_is_named(examine, store: str) -> None:
    record = examine(STORES.replace("STORE", store), Made(keeps_nothing))
    assert record.outcome == "wrong"
    assert record.departs and record.departs.code == store


def test_of_two_lines_that_store_none_is_named(examine) -> None:
    twice = 'kept["last"] = y\n        kept["first"] = y'
    record = examine(STORES.replace("STORE", twice), Made(keeps_nothing))
    assert record.outcome == "wrong" and record.departs is None


def test_a_store_is_not_blamed_for_another_result(examine) -> None:
    def other(x: torch.Tensor, kept: dict[str, Any]) -> torch.Tensor:
        kept["last"] = x * 2
        return torch.from_numpy((x * 3).numpy())

    record = examine(STORES.replace("STORE", 'kept["last"] = y'), Made(other))
    assert record.outcome == "wrong"
    assert record.departs is None or record.departs.code != 'kept["last"] = y'


def test_the_line_that_writes_to_a_buffer_is_named(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("calls", torch.zeros(()))

            def forward(self, x):
                self.calls = self.calls + 1
                return x * 2

        def inputs():
            return torch.linspace(0.1, 0.4, 4)
        """,
        Made(lambda x: x * 2),
    )
    assert record.outcome == "wrong" and record.departs
    assert record.departs.code == "self.calls = self.calls + 1"


def test_of_several_buffers_the_line_that_writes_to_the_one_that_differs_is_named(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def __init__(self):
                super().__init__()
                self.register_buffer("last", torch.zeros(4))
                self.register_buffer("total", torch.zeros(4))

            def forward(self, x):
                y = x.sin() * 2
                self.last.copy_(y)
                self.total += y.cos()
                return y * 3

        def inputs():
            return torch.linspace(0.1, 0.4, 4)
        """,
        # Where the runtime computes nobody sees what it has of sin and cos.
        Made(lambda x: torch.from_numpy(np.sin(x.numpy()) * 6)),
    )
    assert record.outcome == "wrong" and record.departs
    message = next(s.message for s in record.samples if s.result == "disagrees")
    code = {"last": "self.last.copy_(y)", "total": "self.total += y.cos()"}
    assert record.departs.code == code[message.split()[0]]


GRADIENT = """
class Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x):
        return x.round()

    @staticmethod
    def backward(ctx, gradient):
        return gradient

class Model(torch.nn.Module):
    def forward(self, x):
        y = x.sin() * 3
        z = BETWEEN
        return z + y

def inputs():
    return torch.linspace(0.1, 0.9, 4, requires_grad=True)
"""


@pytest.mark.parametrize(
    ("between", "call"),
    [
        ("Rounded.apply(y) * 2", lambda y: y.round() * 2),
        ("y.exp()", lambda y: y.detach().exp()),
        ("y.exp()", lambda y: (y * 1.0).exp().detach()),
    ],
)
def test_the_line_whose_gradient_a_capture_does_not_have_is_named(
    examine, between: str, call: Callable[[torch.Tensor], torch.Tensor]
) -> None:
    def captured(x: torch.Tensor) -> torch.Tensor:
        y = x.sin() * 3
        return call(y) + y

    record = examine(GRADIENT.replace("BETWEEN", between), Made(captured), more="train: true\n")
    assert record.outcome == "wrong"
    assert any(s.message.startswith("gradient") for s in record.samples)
    assert record.departs and record.departs.code == f"z = {between}"


def test_a_capture_that_ran_another_way_in_sight_departs_where_eager_computes(examine) -> None:
    record = examine(
        """
        class Model(torch.nn.Module):
            def forward(self, x):
                if type(x) is torch.Tensor:
                    return x.softmax(-1)
                return x

        def inputs():
            return torch.randn(3, 4)
        """
    )
    assert record.outcome == "wrong"
    assert (
        isinstance(record.departs, FirstDifference)
        and record.departs.code == "return x.softmax(-1)"
    )
