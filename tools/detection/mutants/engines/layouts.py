"""How values lie in memory: strides, offsets, formats, bits that say how to read a value."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.graphs import Call
from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak
from detection.mutants.engines.around import every_call, instead
from detection.wrapping import inputs, on_tensors, outputs
from exportdb.exporters.protocol import Program
from exportdb.suites.copying import copied

kind = Kind("engine: layouts")


def _dense(t: torch.Tensor) -> bool:
    return t.layout is torch.strided and not t.is_meta and type(t) in (
        torch.Tensor, torch.nn.Parameter)  # fmt: skip


def _strides(shape: Any) -> list[int]:
    found: list[int] = []
    for _ in shape:
        found.insert(0, found[0] * max(shape[len(shape) - len(found)], 1) if found else 1)
    return found


def _room(t: torch.Tensor, offset: int) -> bool:
    return offset + t.numel() <= t.untyped_storage().nbytes() // max(t.element_size(), 1)


def _read(says: str, wanted: Callable[[torch.Tensor], bool]) -> None:
    """A capture that reads inputs for which ``wanted`` holds as though they were contiguous."""

    def change(t: torch.Tensor) -> Any:
        if not _dense(t) or t.is_contiguous() or not wanted(t) or not _room(t, t.storage_offset()):
            return None
        return torch.as_strided(t, t.shape, _strides(t.shape), t.storage_offset())

    kind.call(says, inputs(on_tensors(change)))


_read("matrices that lie transposed are read row by row",
      lambda t: t.dim() == 2 and t.stride(0) < t.stride(1))  # fmt: skip
_read("images whose channels lie last are read channel by channel",
      lambda t: t.dim() == 4 and t.is_contiguous(memory_format=torch.channels_last))  # fmt: skip
_read("rows with a gap between them are read without it",
      lambda t: t.dim() > 1 and t.stride(-1) == 1)  # fmt: skip
_read("values with a gap between them are read without it",
      lambda t: t.dim() > 0 and t.stride(-1) > 1)  # fmt: skip

kind.call("of an expanded input one value is read, and zeros beyond", inputs(on_tensors(
    lambda t: torch.cat([t[:1], torch.zeros_like(t[1:])])
    if _dense(t) and t.dim() and t.stride(0) == 0 and t.shape[0] > 1 else None)))  # fmt: skip
kind.call("the bit that says conjugated is not read", inputs(on_tensors(
    lambda t: t.conj() if _dense(t) and t.is_conj() else None)))  # fmt: skip
kind.call("the bit that says negated is not read", inputs(on_tensors(
    lambda t: -t if _dense(t) and t.is_neg() else None)))  # fmt: skip
kind.call(
    "sparse inputs are read as dense ones",
    inputs(
        on_tensors(
            lambda t: t.to_dense() if t.layout in (torch.sparse_coo, torch.sparse_csr) else None
        )
    ),
)
kind.call(
    "sparse outputs are dense",
    outputs(
        on_tensors(
            lambda t: t.to_dense() if t.layout in (torch.sparse_coo, torch.sparse_csr) else None
        )
    ),
)
kind.call("outputs lie row by row", outputs(on_tensors(
    lambda t: None if not _dense(t) or t.is_contiguous() else t.contiguous())))  # fmt: skip
kind.call("images among the outputs have their channels last", outputs(on_tensors(
    lambda t: t.contiguous(memory_format=torch.channels_last)
    if _dense(t) and t.dim() == 4 and t.shape[1] > 1
    and not t.is_contiguous(memory_format=torch.channels_last) else None)))  # fmt: skip
kind.call("inputs of subclasses are plain tensors", inputs(on_tensors(
    lambda t: t.as_subclass(torch.Tensor)
    if type(t) not in (torch.Tensor, torch.nn.Parameter) else None)))  # fmt: skip


@kind.call("weights that lie transposed are read row by row")
def _(program: Program, hit: Hit) -> Any:
    module, changed = copied(program.module), 0
    for owner in module.modules():
        for name, p in [*owner._parameters.items(), *owner._buffers.items()]:
            if p is None or not _dense(p) or p.is_contiguous() or not _room(p, p.storage_offset()):
                continue
            new = p.detach().as_strided(p.shape, _strides(p.shape), p.storage_offset())
            changed += 1
            setattr(owner, name, torch.nn.Parameter(new) if name in owner._parameters else new)
    if not changed:
        raise NothingToBreak
    hit()
    return module


@instead(kind, "as_strided", "as_strided has the strides of contiguous memory")
def _(call: Call, kept: Any) -> Any:
    strides = _strides(call["size"])
    return None if strides == list(call["stride"]) else call(stride=strides)


@instead(kind, "clone contiguous empty_like zeros_like ones_like full_like",
         "a copy lies row by row whatever is asked for")  # fmt: skip
def _(call: Call, kept: Any) -> Any:
    new = call()
    return None if new.is_contiguous() else new.contiguous()


@instead(kind, "transpose permute", "the result of turning dims lies row by row, and is not turned")
def _(call: Call, kept: Any) -> Any:
    new = call()
    square = len(set(new.shape)) < new.dim()
    return call.x.reshape(new.shape) if square and call.x.shape == new.shape else None


@every_call(kind, "the strides of an output are those of the example's")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    for i, t in enumerate(leaves):
        if isinstance(t, torch.Tensor) and _dense(t) and t.dim() > 1 and not t.requires_grad:
            order = kept.setdefault(i, sorted(range(t.dim()), key=lambda d: -t.stride(d)))
            mine = sorted(range(t.dim()), key=lambda d: -t.stride(d))
            if len(order) == t.dim() and mine != order:
                hit()
                back = [order.index(d) for d in range(t.dim())]
                leaves[i] = t.permute(order).contiguous().permute(back)
    return pytree.tree_unflatten(leaves, spec)
