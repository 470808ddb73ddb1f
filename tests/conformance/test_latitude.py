"""What eager leaves open, how it rounds and which of equal elements it takes, is no disagreement;
everything beside it is."""

from __future__ import annotations

import pytest
import torch

from exportdb.exporters.protocol import Exporter

from .conftest import results

ROUNDS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.exp(x * 20)

def inputs():
    return torch.linspace(0.1, 3.3, 41)
"""

STEPS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return (x * 1000).round() / 1000

def inputs():
    return torch.linspace(0.1, 3.3, 41)
"""

SORTS = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x.argsort(dim=1, descending=True{stable}), x.amax(1)

def inputs():
    return torch.tensor([[1.2, 0.8, 2.4], [0.3, 1.9, 0.7]])
"""


def captured_as(run):
    """An exporter whose captures are ``run``, whatever the program."""

    class As(Exporter):
        name = "as"

        def capture(self, program):
            return run

    return As()


def in_double(x, off=0.0):
    """Rounded once at the end, as a fused kernel may do."""
    return (torch.exp(x.double() * 20) * (1 + off)).float()


def test_a_result_may_be_rounded_otherwise(examine):
    assert examine(ROUNDS, captured_as(in_double)).outcome == "supported"


def test_more_than_rounding_is_wrong(examine):
    assert examine(ROUNDS, captured_as(lambda x: in_double(x, off=1e-4))).outcome == "wrong"


def test_the_other_side_of_a_step_is_not_rounding(examine):
    def truncates(x):
        return (x * 1000).trunc() / 1000

    assert examine(STEPS, captured_as(truncates)).outcome == "wrong"


def last_of_equal(x, stable=False):
    found = x.flip(1).argsort(dim=1, descending=True, stable=True)
    return x.shape[1] - 1 - found, x.amax(1)


def test_equal_elements_may_come_in_another_order(examine):
    record = examine(SORTS.format(stable=""), captured_as(last_of_equal))
    assert record.outcome == "supported"
    ties = next(s for s in record.samples if s.name == "data: zeros")
    assert "which of equal elements" in ties.message


def test_a_stable_sort_has_one_order(examine):
    record = examine(SORTS.format(stable=", stable=True"), captured_as(last_of_equal))
    assert record.outcome == "wrong"
    assert results(record)["data: zeros"] == "disagrees"


def test_elements_that_differ_have_one_order(examine):
    def ascends(x):
        return x.argsort(dim=1), x.amax(1)

    assert examine(SORTS.format(stable=""), captured_as(ascends)).outcome == "wrong"


@pytest.mark.parametrize("amount", [1e-6, 1e-3])
def test_an_eager_that_the_capture_changed_excuses_nothing(examine, amount, monkeypatch):
    program = """
class Model(torch.nn.Module):
    def forward(self, x):
        return torch.special.expit(x) * 100

def inputs():
    return torch.randn(8)
"""
    real = torch.special.expit

    class Patches(Exporter):
        name = "patches"

        def capture(self, program):
            monkeypatch.setattr(torch.special, "expit", lambda x: real(x) + amount)
            return lambda x: torch.special.expit(x) * 100

    assert examine(program, Patches()).outcome == "wrong"


SIGNS = """
import itertools

TURNS = itertools.count()

class Model(torch.nn.Module):
    def forward(self, x):
        other = next(TURNS) % 2 if {alternates} else 1
        return (x * 0).abs() * (-1 if other else 1)

def inputs():
    return torch.tensor([1.0, -2.0])
"""


@pytest.mark.parametrize(("alternates", "outcome"), [(True, "supported"), (False, "lossy")])
def test_a_zero_has_a_sign_where_eager_gives_it_the_same_again(examine, alternates, outcome):
    program = SIGNS.format(alternates=alternates)
    assert examine(program, captured_as(lambda x: (x * 0).abs())).outcome == outcome
