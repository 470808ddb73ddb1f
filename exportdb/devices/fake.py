"""Accelerators without the hardware: programs and samples made of fake tensors.

Owns the mode in which torch goes through a program on a device that is not there: shapes, strides,
dtypes and devices are those of the real one, values there are none. It needs a torch that is built
for the device, because autograd asks that build even for fake tensors (and ends the process where
it is missing). Nothing is computed, so only metadata is compared, as on ``meta``.
"""

from __future__ import annotations

from contextlib import AbstractContextManager
from typing import Any

from exportdb.devices.protocol import Device


class _Fake(Device):
    computes = False
    lacks = frozenset({"training", "backward"})  # a backward asks for streams of the device
    demands = frozenset({"fake"})
    own_process = True

    def __init__(self) -> None:
        self._mode: Any = None

    def unusable(self) -> str | None:
        import torch

        built = {
            "cuda": torch.backends.cuda.is_built,
            "xpu": torch.xpu._is_compiled,
            "mps": torch.backends.mps.is_built,
        }[self.torch_name]
        if not built():
            return (
                f"torch {torch.__version__} is built without {self.torch_name}, "
                "which even fake tensors need"
            )
        return None

    def prepare(self) -> None:
        import torch

        # At its first import it makes tensors, which must not land on the device.
        import torch._export.db.examples
        from torch._subclasses.fake_tensor import FakeTensor, FakeTensorMode
        from torch.fx.experimental.symbolic_shapes import ShapeEnv

        # What torch.export asks of a mode that its inputs were made in.
        self._mode = FakeTensorMode(
            shape_env=ShapeEnv(tracked_fakes=[]), allow_non_fake_inputs=True
        )
        FakeTensor.__deepcopy__ = _copied  # torch's own reads the memory, and crashes
        torch.backends.cudnn.enabled = (
            False  # asked whether it can do something, it asks the driver
        )

    def context(self) -> AbstractContextManager[object]:
        mode: AbstractContextManager[object] = self._mode
        return mode


class FakeCuda(_Fake):
    """CUDA without a GPU."""

    name = "fake-cuda"
    torch_name = "cuda"
    description = "CUDA without a GPU: captures, compares metadata"


class FakeXpu(_Fake):
    """An Intel GPU that is not there."""

    name = "fake-xpu"
    torch_name = "xpu"
    description = "XPU without a GPU: captures, compares metadata"


class FakeMps(_Fake):
    """Apple's Metal, on a Mac's build of torch, without using its GPU."""

    name = "fake-mps"
    torch_name = "mps"
    description = "MPS without a GPU: captures, compares metadata"


def _copied(tensor: Any, memo: dict[int, Any]) -> Any:
    """A deep copy of a fake tensor: what it shares memory with says nothing without memory."""
    import torch

    if id(tensor) not in memo:
        made = tensor.detach().clone()
        made = torch.nn.Parameter(made, False) if isinstance(tensor, torch.nn.Parameter) else made
        memo[id(tensor)] = made.requires_grad_(tensor.requires_grad)
    return memo[id(tensor)]
