"""A device that an index out of range ends for the process, as it ends a GPU."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator

import torch
from torch._higher_order_ops import while_loop

from exportdb.conformance.dry_run import DryRun
from exportdb.devices.builtin import Cpu
from exportdb.exporters.protocol import Artifact, Exporter, Program
from tests.conformance.conftest import results


class Fragile(Cpu):
    """The CPU, which programs can ask whether they are on it, and end."""

    name, torch_name = "fragile", "cpu"
    fragile = True
    here = lost = False

    @contextlib.contextmanager
    def context(self) -> Iterator[None]:
        Fragile.here = True
        yield
        Fragile.here = False

    def prepare(self) -> None:
        Fragile.lost = False

    def check(self) -> None:
        if Fragile.lost:
            raise RuntimeError("device-side assert triggered")


class Fearless(Fragile):
    """What would end it is not left out."""

    fragile = False


class Eager(Exporter):
    name = "eager"

    def capture(self, program: Program) -> Artifact:
        return Artifact(program.module)


class Ends(Eager):
    """Ends the device while it captures."""

    def capture(self, program: Program) -> Artifact:
        Fragile.lost = True
        raise RuntimeError("cannot capture this")


class Late(Eager):
    """Ends the device when it is run."""

    def capture(self, program: Program) -> Artifact:
        def call(*inputs: object) -> object:
            Fragile.lost = True
            return program.module(*inputs)

        return Artifact(call)


PICKS = """
from tests.conformance.test_dry_run import Fragile

class Model(torch.nn.Module):
    def forward(self, x, i):
        if Fragile.here and int(i.max()) >= 4:
            Fragile.lost = True
        return x[i]

def inputs():
    return torch.arange(4.0), torch.tensor([1, 3])

def rejects():
    yield torch.arange(4.0), torch.tensor([1, 7])
    yield torch.arange(4.0), torch.tensor([1.5, 2.5])
"""


def test_a_sample_that_would_end_it_is_left_out_and_no_other(examine) -> None:
    record = examine(PICKS, Eager(), Fragile())
    assert record.outcome == "supported", record.error
    assert "rejects[0]" not in results(record)
    assert results(record)["rejects[1]"] == "refused"
    assert record.left_out > examine(PICKS, Eager(), Cpu()).left_out


class PicksThenAdds(torch.nn.Module):
    def forward(self, x: torch.Tensor, i: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        return x[i] + y


def test_what_sizes_lead_to_later_does_not_save_a_device_that_has_ended_by_then() -> None:
    dry_run, x = DryRun(PicksThenAdds()), torch.arange(4.0)
    three = torch.ones(3)
    for index, fatal in ((7, True), (3, False)):
        inputs = (x, torch.tensor([1, index]), three), {}
        assert dry_run.is_fatal(inputs, contextlib.nullcontext) is fatal


class Loop(torch.nn.Module):
    def forward(self, x: torch.Tensor, i: torch.Tensor) -> torch.Tensor:
        found: torch.Tensor = while_loop(
            lambda i, y: i < 6, lambda i, y: (i + 1, y + x.index_select(0, i.view(1))), (i, x[:1])
        )[1]
        return found


def test_a_loop_raises_anew_from_python_what_a_kernel_in_its_body_raised() -> None:
    inputs = (torch.arange(4.0), torch.tensor(1)), {}
    assert DryRun(Loop()).is_fatal(inputs, contextlib.nullcontext)


def test_eager_that_ends_it_is_named_with_the_sample(examine) -> None:
    record = examine(PICKS, Eager(), Fearless())
    assert (record.outcome, record.phase) == ("error", "eager")
    assert "left the device fragile unusable" in record.error.message


def test_a_capture_that_ends_it_has_crashed(examine) -> None:
    record = examine(PICKS, Ends(), Fragile())
    assert (record.outcome, record.phase) == ("crashed", "capture")
    assert "cannot capture this" in record.error.message


def test_so_has_an_artifact_that_ends_it(examine) -> None:
    record = examine(PICKS, Late(), Fragile())
    assert (record.outcome, record.phase) == ("crashed", "run")
    assert "the artifact on example left the device" in record.error.message
