"""The devices that torch brings: cpu, cuda and meta."""

from __future__ import annotations

from exportdb.devices.protocol import Device


class Cpu(Device):
    """The processor: always there."""

    name = "cpu"
    offers = frozenset({"values", "numpy", "collectives"})
    description = "the processor"


class Cuda(Device):
    """The current CUDA device."""

    name = "cuda"
    offers = frozenset({"values", "cuda"})
    lacks = frozenset({"cpu-kernels", "integer-product"})
    fragile = True
    description = "the current CUDA device"

    def unusable(self) -> str | None:
        import torch

        if torch.version.cuda is None:
            return f"torch {torch.__version__} is built without CUDA"
        if not torch.cuda.is_available():
            return f"torch {torch.__version__} finds no GPU on this machine"
        return None

    def prepare(self) -> None:
        # What CUDA and autograd start threads for is there before a program runs.
        self.check()

    def check(self) -> None:
        import torch

        x = torch.ones(1, device="cuda", requires_grad=True)
        torch.autograd.grad(x.sum(), x)
        torch.cuda.synchronize()

    def accelerator(self) -> str | None:
        import torch

        return str(torch.cuda.get_device_name())


class Meta(Device):
    """Tensors without storage: shapes, strides and dtypes are compared, values are not."""

    name = "meta"
    computes = False
    description = "tensors without storage: captures, compares metadata"
