"""An out-of-tree device in pure Python, that really computes: the example of a device plug-in.

Owns what exportdb is told of the device; its kernels are ``toy_backend``'s, which is imported, and
registered with torch, only in the process that examines on it. To torch this is another device like
any accelerator's (its tensors mix with the CPU's no more than theirs do), so what an exporter knows
of the CPU alone shows here, on any machine.
"""

from __future__ import annotations

from exportdb.devices.protocol import Device


class Toy(Device):
    """Memory of the processor behind torch's key for devices that it does not know."""

    name = "toy"
    offers = frozenset({"values"})
    lacks = frozenset({"flex-attention", "sparse", "traced-derivatives"})
    own_process = True
    description = "out-of-tree device in Python (PrivateUse1), computes on the processor"

    def unusable(self) -> str | None:
        import torch

        taken = torch._C._get_privateuse1_backend_name()
        if taken not in ("privateuseone", self.name):
            return f"torch has room for one out-of-tree device, and {taken} has it"
        return None

    def prepare(self) -> None:
        from exportdb.devices import toy_backend

        toy_backend.register(self.name)
