"""Kernels that a compiler makes: how operands are broadcast, blocks, tails, what fills them up."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.engines.around import instead

kind = Kind("compiled: kernels")
lowering = kind.lowering


def _axis(call: Call) -> int | None:
    """The one axis of a reduction, where it has one."""
    dim = call["dim"]
    if isinstance(dim, (list, tuple)):
        dim = dim[0] if len(dim) == 1 else None
    return dim if isinstance(dim, int) and call.x.dim() and call.x.numel() else None


def _padded(x: torch.Tensor, dim: int, to: int, value: float) -> torch.Tensor | None:
    """``x`` filled up along an axis to a multiple of ``to``; None where it is one."""
    if not (more := -x.shape[dim] % to):
        return None
    shape = list(x.shape)
    shape[dim] = more
    return torch.cat([x, x.new_full(shape, value)], dim)


def _pointwise(says: str, names: str, wrong: Callable[[Call, Any, Any], Any]) -> None:
    """A wrong way with two operands of different shapes."""

    @lowering(names, says)
    def _(call: Call) -> Any:
        other = call["other"]
        if not isinstance(other, torch.Tensor) or not isinstance(call.x, torch.Tensor):
            return None
        if call.x.shape == other.shape or not call.x.numel() or not other.numel():
            return None
        return wrong(call, call.x, other)


def _modulo(call: Call, x: torch.Tensor, other: torch.Tensor) -> Any:
    shape = torch.broadcast_shapes(x.shape, other.shape)
    count = math.prod(shape)

    def spread(t: torch.Tensor) -> torch.Tensor:
        return t.reshape(-1)[torch.arange(count) % t.numel()].reshape(shape)

    return call(spread(x), other=spread(other))


def _both(call: Call, x: torch.Tensor, other: torch.Tensor) -> Any:
    shape = torch.broadcast_shapes(x.shape, other.shape)
    if shape in (x.shape, other.shape):
        return None
    return call(x[tuple(slice(0, 1) for _ in x.shape)].expand(shape), other=other)


_pointwise("an operand that is broadcast is read from its begin again when it ends",
           "add sub mul div maximum minimum eq lt gt", _modulo)  # fmt: skip
_pointwise("where both operands are broadcast the first is read at one place",
           "add sub mul div eq lt gt le ge", _both)  # fmt: skip


@lowering("where", "a choice has the condition of its first row for all")
def _(call: Call) -> Any:
    condition = call["condition"]
    if condition.dim() < 2 or condition.shape[0] < 2:
        return None
    return call(condition=condition[:1].expand_as(condition))


@lowering("matmul", "matrices of a batch that is broadcast are taken in turn")
def _(call: Call) -> Any:
    a, b = call.x, call["other"]
    batch = a.shape[:-2]
    if a.dim() < 3 or b.dim() < 3 or batch == b.shape[:-2]:
        return None
    whole = torch.broadcast_shapes(batch, b.shape[:-2])
    pick = torch.arange(math.prod(whole))
    first = a.reshape(-1, *a.shape[-2:])
    second = b.reshape(-1, *b.shape[-2:])
    out = first[pick % len(first)] @ second[pick % len(second)]
    return out.reshape(*whole, *out.shape[-2:])


# --- what fills up the last block ----------------------------------------------------------------


def _filled(says: str, names: str, value: float, whole: bool = False) -> None:
    """A reduction over an axis that is filled up with a value to a multiple of eight."""

    @lowering(names, says)
    def _(call: Call) -> Any:
        dim = _axis(call)
        if dim is None or (new := _padded(call.x, dim, 8, value)) is None:
            return None
        out = call(new)
        return out.narrow(dim, 0, call.x.shape[dim]) if whole else out


_filled("the largest of an axis is nought at least where blocks are filled up", "amax max", 0)
_filled("the least of an axis is nought at most where blocks are filled up", "amin min", 0)
_filled("a product is nought where blocks are filled up", "prod", 0)
_filled("a mean is divided by whole blocks", "mean", 0)
_filled("a softmax counts what fills up its blocks", "softmax log_softmax", 0, whole=True)
_filled("the variance counts what fills up its blocks", "var std", 0)
_filled("all of an axis is false where blocks are filled up", "all", 0)


@lowering("sort argsort topk", "sorting fills up to a power of two with noughts")
def _(call: Call) -> Any:
    dim = call["dim"] if call["dim"] is not None else -1
    if not call.x.dim() or not (size := call.x.shape[dim]):
        return None
    new = _padded(call.x, dim, 1 << (size - 1).bit_length(), 0)
    if new is None:
        return None
    out = call(new)
    if call["k"] is not None:
        return tuple(out)
    if isinstance(out, torch.Tensor):
        return out.narrow(dim, 0, size)
    return tuple(t.narrow(dim, 0, size) for t in out)


# --- what is put together of blocks --------------------------------------------------------------


@lowering("argmax argmin", "the place of the largest is counted within its block of sixteen")
def _(call: Call) -> Any:
    return call() % 16


@lowering("var std", "the variance is the mean of that of blocks of sixteen")
def _(call: Call) -> Any:
    dim = _axis(call)
    if dim is None or call.x.shape[dim] <= 16:
        return None
    parts = [p for p in call.x.split(16, dim) if p.shape[dim] == 16]
    return torch.stack([call(p) for p in parts]).mean(0)


@lowering("softmax", "a softmax is not scaled anew when a later block has a larger value")
def _(call: Call) -> Any:
    dim, size = _axis(call), 16
    if dim is None or call.x.shape[dim] <= size:
        return None
    parts = call.x.float().split(size, dim)
    tops = torch.stack([p.amax(dim, keepdim=True) for p in parts]).cummax(0).values
    top = tops[-1]
    each = [(p - t).exp() for p, t in zip(parts, tops, strict=True)]
    whole = torch.stack([e.sum(dim, keepdim=True) for e in each]).sum(0)
    return ((call.x.float() - top).exp() / whole).to(call().dtype)


@lowering("sum", "of a sum over all dims each row ends at a whole block of four")
def _(call: Call) -> Any:
    if call["dim"] or call.x.dim() < 2 or call.x.shape[-1] < 4:
        return None
    return call(call.x[..., : call.x.shape[-1] // 4 * 4])


@lowering("cumsum", "a running sum hands on the last value of a block, not its sum")
def _(call: Call) -> Any:
    dim = call["dim"]
    if not call.x.dim() or call.x.shape[dim] <= 16 or call["dtype"] is not None:
        return None
    parts = call.x.split(16, dim)
    out = [call(parts[0])]
    for before, part in itertools.pairwise(parts):
        out.append(call(part) + before.narrow(dim, before.shape[dim] - 1, 1))
    return torch.cat(out, dim)


@instead(kind, "add_ sub_ mul_ div_ add sub mul div",
         "the last block of a write in place overlaps the one before")  # fmt: skip
def _(call: Call, kept: Any) -> Any:
    x, other, count = call.x, call["other"], call.x.numel()
    if not call.operator._schema.is_mutable or count < 8 or not count % 8:
        return None
    if not x.is_contiguous() or x.requires_grad:
        return None
    if isinstance(other, torch.Tensor):
        other = other.expand(x.shape).reshape(-1)[count - 8 : count - count % 8]
    out = call()
    flat = x.view(-1)[count - 8 : count - count % 8]
    call(flat, other=other)
    return out


@lowering("index_select index gather embedding", "rows are looked up in tables of sixteen")
def _(call: Call) -> Any:
    for name in ("index", "indices"):
        places = call[name]
        if isinstance(places, torch.Tensor) and places.dtype is torch.int64:
            return call(**{name: places % 16})
    return None


@instead(kind, "index index_select gather take", "a place beyond the end is the last one")
def _(call: Call, kept: Any) -> Any:
    dim = call["dim"] or 0
    try:
        call()
    except (IndexError, RuntimeError):
        size = call.x.shape[dim] if call["indices"] is None else call.x.shape[0]
        if isinstance(call["index"], torch.Tensor):
            return call(index=call["index"].clamp(0, size - 1))
        places = call["indices"]
        if places and isinstance(places[0], torch.Tensor):
            return call(indices=[places[0].clamp(-size, size - 1), *places[1:]])
        raise
    return None
