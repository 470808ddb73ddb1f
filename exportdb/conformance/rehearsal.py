"""Which samples would make a device useless for the rest of the process.

On a GPU an index out of range does not raise where it happens: an assertion fails on the device,
and whatever the process asks of it from then on raises. So such a call is made on the CPU first.
"""

from __future__ import annotations

import copy
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.errors import message_of
from exportdb.conformance.program import Inputs
from exportdb.conformance.sampling.planned import Around

#: What the CPU says of a value that is looked at in a kernel; all else raises on a GPU as well.
_LOOKED_AT_IN_A_KERNEL = re.compile(
    r"out of (?:range|bounds)|[Cc]lass values|probability tensor|assert|greater or equal to 0"
)


@dataclass(frozen=True)
class Rehearsal:
    """A copy of ``module`` on the CPU, on which a call can fail without harm."""

    module: torch.nn.Module

    @cached_property
    def _on_cpu(self) -> torch.nn.Module:
        return copy.deepcopy(self.module).to("cpu")

    def is_fatal(self, inputs: Inputs, around: Around) -> bool:
        """Whether the module would make an assertion fail on the device."""
        try:
            args, kwargs = pytree.tree_map(_copy, inputs)
            with torch.device("cpu"), around():
                copy.deepcopy(self._on_cpu)(*args, **kwargs)
        except Exception as e:
            return bool(_LOOKED_AT_IN_A_KERNEL.search(message_of(e)))
        return False


def _copy(leaf: Any) -> Any:
    if isinstance(leaf, torch.Tensor):
        return leaf.detach().to("cpu", copy=True).requires_grad_(leaf.requires_grad)
    return leaf
