"""Which samples would make a device useless for the rest of the process.

On a GPU a kernel that does not like a value (an index out of range, say) does not raise: an
assertion fails on the device, and whatever the process asks of it from then on raises. So a call
that may be refused is made on the CPU first.
"""

from __future__ import annotations

import copy
import opcode
from dataclasses import dataclass
from types import CodeType
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.errors import message_of
from exportdb.conformance.program import Inputs
from exportdb.conformance.sampling.planned import Around


@dataclass(frozen=True)
class DryRun:
    """Calls of copies of ``module`` on devices where they can fail without harm."""

    module: torch.nn.Module

    def is_fatal(self, inputs: Inputs, around: Around) -> bool:
        """Whether a kernel refuses values: what Python raises, and what sizes and dtypes alone
        lead to at the same place, is raised on any device."""
        raised = self._raised("cpu", inputs, around)
        if raised is None or _is_raised_by_python(raised):
            return False
        without_values = self._raised("meta", inputs, around)
        calls = _calls(raised)  # a kernel's counterpart on meta is often a function of Python
        return (
            without_values is None
            or isinstance(without_values, NotImplementedError)
            or "meta" in message_of(without_values)
            or _calls(without_values)[: len(calls)] != calls
        )

    def _raised(self, device: str, inputs: Inputs, around: Around) -> Exception | None:
        try:
            module = copy.deepcopy(self.module).to(device)
            args, kwargs = pytree.tree_map(lambda leaf: _copied(leaf, device), inputs)
            with torch.device(device), around():
                module(*args, **kwargs)
        except Exception as e:
            return e
        return None


def _copied(leaf: Any, device: str) -> Any:
    if isinstance(leaf, torch.Tensor):
        return leaf.detach().to(device, copy=True).requires_grad_(leaf.requires_grad)
    if isinstance(leaf, torch.nn.Module):
        return copy.deepcopy(leaf).to(device)
    return leaf


def _calls(e: Exception) -> list[tuple[CodeType, int]]:
    """The calls that were under way when ``e`` was raised, outermost first, each with its place in
    the bytecode."""
    calls, at = [], e.__traceback__
    while at is not None:
        calls.append((at.tb_frame.f_code, at.tb_lasti))
        at = at.tb_next
    return calls


def _is_raised_by_python(e: Exception) -> bool:
    """Whether a ``raise`` statement raised it, and not a kernel that Python called."""
    at = e.__traceback__
    while at is not None and at.tb_next is not None:
        at = at.tb_next
    if at is None or at.tb_frame.f_globals.get("__name__") == "torch.fx.graph_module":
        return False  # a graph (the body of a loop, say) raises anew what anything in it raised
    return at.tb_frame.f_code.co_code[at.tb_lasti] in _RAISES


_RAISES = {opcode.opmap[name] for name in ("RAISE_VARARGS", "RERAISE") if name in opcode.opmap}
