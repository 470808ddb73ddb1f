"""Accelerators without the hardware: programs and samples made of fake tensors.

Owns the mode in which torch goes through a program on a device that is not there: shapes, strides,
dtypes and devices are those of the real one, values there are none. Any build of torch will do.
Nothing is computed, so only metadata is compared, as on ``meta``.
"""

from __future__ import annotations

import ctypes
from contextlib import AbstractContextManager
from pathlib import Path
from typing import Any

from exportdb.devices.protocol import Device

#: c10's table of device guards, by number of the device type (c10/core/impl).
_GUARDS = "_ZN3c104impl26device_guard_impl_registryE"


class _Fake(Device):
    computes = False
    lacks = frozenset({"training", "backward"})  # a backward asks for streams of the device
    demands = frozenset({"fake"})
    own_process = True

    def __init__(self) -> None:
        self._mode: Any = None

    def unusable(self) -> str | None:
        try:
            _guards()
        except (OSError, ValueError) as e:
            return f"this torch keeps its device guards where fake tensors cannot get one: {e}"
        return None

    def prepare(self) -> None:
        import torch

        _give_guard(self.torch_name)
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
    torch_name = "cuda:0"
    description = "CUDA without a GPU: captures, compares metadata"


class FakeXpu(_Fake):
    """An Intel GPU that is not there."""

    name = "fake-xpu"
    torch_name = "xpu:0"
    lacks = _Fake.lacks | {"attention"}  # it asks a kernel that other builds do not have
    description = "XPU without a GPU: captures, compares metadata"


class FakeMps(_Fake):
    """Apple's Metal that is not there."""

    name = "fake-mps"
    torch_name = "mps:0"
    lacks = _Fake.lacks | {"attention"}  # it asks a kernel that other builds do not have
    description = "MPS without a GPU: captures, compares metadata"


def _guards() -> ctypes.Array[ctypes.c_void_p]:
    """The table of device guards. Raises OSError or ValueError where it cannot be reached."""
    import torch

    folder = Path(torch.__file__).parent / "lib"
    library = next((folder / n for n in ("libc10.so", "libc10.dylib") if (folder / n).exists()), "")
    if not library:
        raise OSError(f"{folder} has no libc10")
    kinds = 1 + max(int(kind) for kind in torch._C._autograd.DeviceType.__members__.values())
    return (ctypes.c_void_p * kinds).in_dll(ctypes.CDLL(str(library)), _GUARDS)


def _give_guard(device: str) -> None:
    """Let torch switch to a device that it was built without.

    Indexing and autograd ask a guard to switch, for fake tensors too, and raise or abort where the
    build has none. That of ``meta`` does nothing, as is right here; being asked for the current
    device it would say ``meta``, so the device always goes by its index. For CUDA, torch does the
    like by itself (``ensureCUDADeviceGuardSet`` in c10), in builds with CUDA only.
    """
    import torch

    kinds = torch._C._autograd.DeviceType
    guards, mine = _guards(), int(getattr(kinds, torch.device(device).type.upper()))
    if not guards[mine]:
        guards[mine] = guards[int(kinds.Meta)]


def _copied(tensor: Any, memo: dict[int, Any]) -> Any:
    """A deep copy of a fake tensor: what it shares memory with says nothing without memory."""
    import torch

    if id(tensor) not in memo:
        made = tensor.detach().clone()
        made = torch.nn.Parameter(made, False) if isinstance(tensor, torch.nn.Parameter) else made
        memo[id(tensor)] = made.requires_grad_(tensor.requires_grad)
    return memo[id(tensor)]
