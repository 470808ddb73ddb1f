"""What a caller who trains a module does between two calls shows in a capture."""

from __future__ import annotations

import copy
from collections.abc import Callable
from typing import Any

import pytest
import torch

from exportdb.exporters.make_fx import MakeFx
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.exporters.torch_compile import AotEager
from exportdb.exporters.torch_export import Export
from exportdb.records.record import Record
from tests.conformance.conftest import results

Examine = Callable[..., Record]
STEP = "example, after a training step"
SCALES = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.w = torch.nn.Parameter(torch.linspace(1, 2, 3))
        self.register_buffer("scale", torch.tensor([2.0, 3.0, 4.0]))

    def forward(self, x):
        return x * self.w * self.scale

def inputs():
    return torch.randn(3)
"""
TRAINED = "train: true\n"


class Wrapped(Exporter):
    """A copy of the program behind ``wrap(copy)``, which gives what is called."""

    name = "wrapped"

    def __init__(self, wrap: Callable[[torch.nn.Module], Callable[..., Any]]) -> None:
        self.wrap = wrap

    def capture(self, program: Program) -> Any:
        return self.wrap(copy.deepcopy(program.module))


def _folded(module: Any) -> Callable[..., Any]:
    scale = module.scale.detach().clone()
    return lambda x: x * module.w * scale


def _folded_weight(module: Any) -> Callable[..., Any]:
    w = module.w.detach().clone()
    return lambda x: x * w * module.scale


def _without_hooks(module: Any) -> Callable[..., Any]:
    def call(x: torch.Tensor) -> Any:
        module.w._backward_hooks = None
        return module(x)

    return call


def _gradients_anew(module: Any) -> Callable[..., Any]:
    def call(x: torch.Tensor) -> Any:
        module.w.grad = None
        return module(x)

    return call


def _cut_off(module: Any) -> Callable[..., Any]:
    return lambda x: module(x if x.is_leaf else x.detach())


@pytest.mark.parametrize("fold", [_folded, _folded_weight])
def test_state_that_was_folded_in_is_wrong(examine: Examine, fold: Any) -> None:
    record = examine(SCALES, Wrapped(fold))
    assert record.outcome == "wrong"
    assert [s.name for s in record.samples if (s.role, s.result) == ("accepts", "disagrees")] == [
        STEP
    ]


class Trains(Wrapped):
    """The same, gradients of inputs compared as well."""

    name = "trains"
    differentiates = True


@pytest.mark.parametrize("broken", [_without_hooks, _gradients_anew, _cut_off])
def test_gradients_as_a_caller_takes_them_are_compared(examine: Examine, broken: Any) -> None:
    record = examine(SCALES, Trains(broken))
    assert (record.outcome, results(record)[STEP]) == ("wrong", "disagrees")
    assert "gradient of" in next(s.message for s in record.samples if s.name == STEP)


@pytest.mark.parametrize("exporter", [Wrapped(lambda m: m), Trains(lambda m: m), Export(),
                                      AotEager()])  # fmt: skip
@pytest.mark.parametrize("more", ["", TRAINED])
def test_a_capture_that_runs_on_its_state_is_sound(
    examine: Examine, exporter: Exporter, more: str
) -> None:
    record = examine(SCALES, exporter, more=more)
    assert (record.outcome, results(record)[STEP]) == ("supported", "agrees")


def test_what_has_no_state_to_change_is_not_asked(examine: Examine) -> None:
    class Translated(Exporter):
        """Everything that was there when it was captured, in another form."""

        name = "translated"

        def capture(self, program: Program) -> Artifact:
            w, scale = (t.detach().clone() for t in (program.module.w, program.module.scale))
            return Artifact(call=lambda x: x * w * scale)

    for exporter in (Translated(), MakeFx()):
        assert STEP not in results(examine(SCALES, exporter))


def test_what_says_that_it_has_folded_state_in_is_not_asked(examine: Examine) -> None:
    """As a package of AOTInductor, which has small parameters in its code."""

    class Package(Exporter):
        name = "package"

        def capture(self, program: Program) -> Artifact:
            return Artifact(call=_folded(program.module), folded=["scale"])

    record = examine(SCALES, Package())
    assert record.outcome == "supported"
    assert STEP not in results(record)


def test_what_has_nothing_to_train_is_not_asked(examine: Examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def forward(self, x):
            return x * 2

    def inputs():
        return torch.randn(3)
    """
    assert STEP not in results(examine(program, Wrapped(lambda m: m)))
    assert results(examine(program, Trains(lambda m: m)))[STEP] == "agrees"


def test_state_that_shares_memory_is_changed_once(examine: Examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.linspace(1, 2, 4))
            self.register_buffer("all", torch.arange(4.0))
            self.register_buffer("some", self.all[1:3])
            self.register_buffer("one", torch.ones(1).expand(4))
            self.register_buffer("places", torch.tensor([3, 1]))

        def forward(self, x):
            return (x * self.all + self.w)[self.places] + self.some + self.one[:2]

    def inputs():
        return torch.randn(4)
    """
    for exporter in (Wrapped(lambda m: m), Export()):
        assert [s.message for s in examine(program, exporter).samples if s.name == STEP] == [""]


def test_inputs_that_are_written_to_may_be_results(examine: Examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.w = torch.nn.Parameter(torch.linspace(1, 2, 3))

        def forward(self, x):
            x.mul_(2)
            return x * self.w

    def inputs():
        return torch.randn(3)
    """
    for exporter in (Wrapped(lambda m: m), Export(), AotEager()):
        assert results(examine(program, exporter, more=TRAINED))[STEP] == "agrees"


def test_a_mean_that_the_first_call_sets_shows_where_inputs_are_fixed(examine: Examine) -> None:
    program = """
    class Model(torch.nn.Module):
        def __init__(self):
            super().__init__()
            self.mean = None

        def forward(self, x):
            if self.mean is None:
                self.mean = x.mean()
            return x - self.mean

    def inputs():
        return torch.linspace(1, 2, 3)
    """

    class Always(torch.nn.Module):
        def forward(self, x: torch.Tensor) -> torch.Tensor:
            return x - x.mean()

    assert examine(program, Wrapped(lambda m: m)).outcome == "supported"
    record = examine(program, Wrapped(lambda m: Always()))
    assert (record.outcome, results(record)["example, called again"]) == ("wrong", "disagrees")


HALF_WRITTEN = """
class Model(torch.nn.Module):
    def __init__(self):
        super().__init__()
        self.register_buffer("calls", torch.zeros(1))

    def forward(self, x):
        self.calls.add_(1)
        return x.view(3) + self.calls

def inputs():
    return torch.randn(3)

def rejects():
    yield torch.randn(4)
"""


def test_state_that_a_call_takes_back_when_it_raises_is_a_finding(examine: Examine) -> None:
    def taking_back(module: Any) -> Callable[..., Any]:
        def call(x: torch.Tensor) -> Any:
            before = module.calls.clone()
            try:
                return module(x)
            except RuntimeError:
                module.calls.copy_(before)
                raise

        return call

    sound, broken = (examine(HALF_WRITTEN, Wrapped(wrap)) for wrap in (lambda m: m, taking_back))
    assert (sound.outcome, broken.outcome) == ("supported", "supported")
    assert not sound.findings
    (found,) = broken.findings
    assert found.id == "state-differs-on-error"
    assert "after a call that raises calls[0] is 1.0 in eager, 0.0 in capture" in found.message


def test_a_capture_that_lays_out_a_parameter_anew_is_given_the_same_gradients(
    examine: Examine,
) -> None:
    """Every second row of a transposed matrix cannot be told from places that are one."""
    gaps = SCALES.replace("torch.linspace(1, 2, 3)", "torch.arange(12.0).reshape(3, 4).t()[::2]")
    for exporter in (Export(), AotEager()):
        assert examine(gaps, exporter, more=TRAINED).outcome == "supported"
