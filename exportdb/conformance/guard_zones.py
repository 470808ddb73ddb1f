"""Guard zones: poisoned memory around the inputs that a capture is given.

A kernel compiled for three rows that is given two reads or writes past their end. Without guard
zones it meets whatever lies there: the result, or the end of the process, is a matter of luck. With
them a read gives the same wrong value every time, and a write is seen and harms nobody (the idea is
AddressSanitizer's). Only plain tensors in the memory of the CPU have them; what follows from a
write is left to ``agreement``.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

#: Bytes before and after the memory of an input.
SIZE = 16 * 1024
# As a float it is -1.498, as an integer far below zero: adding, rounding, clamping and taking the
# absolute value all change it, so that even an operation in place leaves a trace.
POISON = b"\xbf"
# Where torch's own allocator begins; compiled kernels may count on it.
_ALIGNMENT = 64
#: What torch says when a program changes the size of memory that is not its own to change.
NOT_RESIZABLE = "not resizable"


class GuardZones:
    """The guard zones of the tensors among ``inputs``, which from now on lie between them.

    ``poison`` is the byte that they are filled with.
    """

    def __init__(self, inputs: Any, poison: bytes = POISON) -> None:
        leaves = pytree.tree_leaves(inputs)
        sharing: dict[int, list[torch.Tensor]] = {}
        for leaf in leaves:
            if isinstance(leaf, torch.Tensor) and leaf.layout is torch.strided:
                sharing.setdefault(_storage(leaf), []).append(leaf)
        found: dict[int, _GuardedStorage] = {}  # by the tensors in it
        for tensors in sharing.values():
            # A tensor that stays behind would no longer alias those that move; one without elements
            # has no memory, and whoever reads it reads from no address.
            if all(map(_movable, tensors)) and tensors[0].untyped_storage().nbytes():
                block = _GuardedStorage(tensors, poison)
                found |= {id(t): block for t in tensors}
        self._of_leaf = [found.get(id(leaf)) for leaf in leaves]

    def written(self) -> tuple[int, ...]:
        """The positions of the leaves before or after which something was written."""
        return tuple(
            i for i, block in enumerate(self._of_leaf) if block is not None and not block.intact
        )


class _GuardedStorage:
    """The memory of one storage between two zones; ``tensors`` are all that lie in it."""

    def __init__(self, tensors: list[torch.Tensor], poison: bytes) -> None:
        old = tensors[0].untyped_storage()
        self._nbytes, self._poison = old.nbytes(), poison
        self._memory = bytearray(poison) * (SIZE + _ALIGNMENT + self._nbytes + SIZE)
        address = torch.frombuffer(self._memory, dtype=torch.uint8).data_ptr()
        self._start = SIZE + -(address + SIZE) % _ALIGNMENT
        inner = torch.frombuffer(
            self._memory, dtype=torch.uint8, offset=self._start, count=self._nbytes
        )
        inner.copy_(torch.empty(0, dtype=torch.uint8, device="cpu").set_(old))
        for t in tensors:
            moved = torch.empty(0, dtype=t.dtype, device="cpu")
            t.data = moved.set_(inner.untyped_storage(), t.storage_offset(), t.size(), t.stride())

    @property
    def intact(self) -> bool:
        """Whether both zones are as they were."""
        end = self._start + self._nbytes
        before, after = self._memory[: self._start], self._memory[end:]
        return before == self._poison * len(before) and after == self._poison * len(after)


def _storage(tensor: torch.Tensor) -> int:
    try:
        return int(tensor.untyped_storage()._cdata)
    except (RuntimeError, NotImplementedError):  # a tensor subclass without storage
        return id(tensor)


def _movable(tensor: torch.Tensor) -> bool:
    """Whether a tensor is its memory and nothing more."""
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.device.type == "cpu"
        and tensor.is_leaf
        and not (tensor._is_view() or tensor.is_quantized or tensor.is_inference())
        and not (tensor.is_conj() or tensor.is_neg())
    )
