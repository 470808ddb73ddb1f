"""Around the inputs of a capture lies poison, always the same; what is written there is seen."""

from __future__ import annotations

import ctypes
from typing import Any

import pytest
import torch

from exportdb.conformance.guard_zones import SIZE, GuardZones
from exportdb.devices.builtin import Cpu
from exportdb.exporters.protocol import Exporter


def end(tensor: torch.Tensor) -> int:
    return tensor.untyped_storage().data_ptr() + tensor.untyped_storage().nbytes()


TENSORS = {
    "matrix": torch.ones(2, 3),
    "transposed": torch.arange(6).reshape(2, 3).t().clone(memory_format=torch.preserve_format),
    "complex": torch.ones(3, dtype=torch.complex64),
    "scalar": torch.tensor(True),
    "parameter": torch.nn.Parameter(torch.ones(2)),
    "half": torch.arange(4.0).to(torch.bfloat16).requires_grad_(),
    "empty": torch.empty(0, 3),
}


@pytest.mark.parametrize("name", TENSORS)
def test_a_tensor_stays_what_it_was(name: str) -> None:
    tensor = TENSORS[name]
    before, address, stride = tensor.detach().clone(), tensor.data_ptr(), tensor.stride()
    dtype, asks, nbytes = tensor.dtype, tensor.requires_grad, tensor.untyped_storage().nbytes()
    zones = GuardZones([tensor])
    assert torch.equal(tensor, before)
    assert (tensor.dtype, tensor.stride(), tensor.requires_grad) == (dtype, stride, asks)
    assert tensor.is_leaf and tensor.data_ptr() % 64 == 0
    assert tensor.data_ptr() != address or not tensor.numel()
    assert tensor.untyped_storage().nbytes() == nbytes
    assert zones.written() == ()


def test_aliases_among_inputs_are_kept_and_what_is_no_tensor_is_left_alone() -> None:
    base = torch.arange(6.0)
    other = torch.empty(0).set_(base.untyped_storage(), 2, (2,), (1,))
    inputs: Any = ({"a": base, "n": 3}, [other, None])
    GuardZones(inputs)
    base.add_(1)
    assert other.tolist() == [3.0, 4.0]
    assert base.untyped_storage()._cdata == other.untyped_storage()._cdata


@pytest.mark.parametrize("offset", [0, 15, SIZE - 1, -SIZE])
def test_a_write_outside_is_seen_and_told_apart(offset: int) -> None:
    first, second = torch.ones(3), torch.ones(3)
    zones = GuardZones((first, second))
    at = end(second) + offset if offset >= 0 else second.data_ptr() + offset
    ctypes.memset(at, 0, 1)
    assert zones.written() == (1,)


def test_changing_the_values_is_no_write_outside() -> None:
    x = torch.ones(3)
    zones = GuardZones([x])
    x.fill_(7)
    x.mul_(x)
    assert zones.written() == () and x.tolist() == [49.0] * 3


def test_what_is_read_past_the_end_is_the_same_every_time() -> None:
    def beyond() -> list[int]:
        x = torch.ones(3)
        zones = GuardZones([x])
        found = list((ctypes.c_ubyte * 64).from_address(end(x)))
        assert not zones.written()
        return found

    assert beyond() == beyond() and len(set(beyond())) == 1


RESIZES = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x.resize_(6).fill_(1.0)

def inputs():
    return (torch.zeros(2),)
"""
WRITES = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2

dynamic_shapes = {"x": {0: Dim("n", min=2, max=8)}}

def inputs(n=3):
    return (torch.ones(n),)
"""


class Itself(Exporter):
    name = "itself"

    def capture(self, program):
        return program.module


class WritesForThree(Itself):
    """Fills up every input with zeros to three elements."""

    def capture(self, program):
        def run(x):
            if 0 < len(x) < 3:
                ctypes.memset(x.data_ptr() + 4 * len(x), 0, 12 - 4 * len(x))
            return program.module(x)

        return run


def test_a_program_may_still_resize_its_input(examine) -> None:
    assert examine(RESIZES, Itself(), Cpu()).outcome == "supported"


def test_a_record_says_that_a_capture_wrote_outside(examine) -> None:
    record = examine(WRITES, WritesForThree(), Cpu())
    assert record.outcome == "wrong"
    found = {f.id: f.message for f in record.findings}
    assert found["writes-out-of-bounds"].endswith("memory before or after x is written to")


def test_zones_of_another_byte_see_what_is_written_too() -> None:
    x = torch.zeros(4)
    zones = GuardZones([x], b"\x00")
    assert zones.written() == ()
    ctypes.memset(end(x), 1, 1)
    assert zones.written() == (0,)
