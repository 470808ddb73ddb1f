"""Loops, maps and scans as operators: which values go on, which rows go together."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind, higher_order
from detection.mutants.engines.around import swapped
from detection.mutants.engines.flow import part

kind = Kind("compiled: loops")


def _one_row(xs: Any) -> list[Any]:
    """All but the first of what is gone over have their first row everywhere."""
    return [x if not i or not x.shape[0] else x[:1].expand_as(x).clone() for i, x in enumerate(xs)]


def _scan_first(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    return sound(combine, init, _one_row(xs), more)


def _scan_swapped(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    out = list(sound(combine, init, xs, more))
    if len(init) > 1 and out[0].shape == out[1].shape:
        out[0], out[1] = out[1], out[0]
    return out


def _scan_single(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    out = list(sound(combine, init, xs, more))
    return [*(i.clone() for i in init), *out[len(init) :]] if xs[0].shape[0] == 1 else out


def _map_first(sound: Any, body: Any, xs: Any, more: Any = ()) -> Any:
    return sound(body, _one_row(xs), more)


def _map_single(sound: Any, body: Any, xs: Any, more: Any = ()) -> Any:
    out = sound(body, xs, more)
    return pytree.tree_map(torch.zeros_like, out) if xs[0].shape[0] == 1 else out


def _odd(sound: Any, combine: Any, xs: Any, dim: int, **named: Any) -> Any:
    out = sound(combine, xs, dim, **named)
    size = pytree.tree_leaves(xs)[0].shape[dim]
    if size % 2 == 0 or size < 3:
        return out
    last, before = part(xs, dim, -1, None), part(out, dim, 0, -1)
    return pytree.tree_map(lambda *parts: torch.cat(parts, dim), before, last)


def _blocks(sound: Any, combine: Any, xs: Any, dim: int, **named: Any) -> Any:
    size = pytree.tree_leaves(xs)[0].shape[dim]
    starts = range(0, size, 4)
    parts = [sound(combine, part(xs, dim, i, i + 4), dim, **named) for i in starts]
    return pytree.tree_map(lambda *each: torch.cat(each, dim), *parts)


def _while_stale(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    """Each carried value but the first is made of the new first one, not of the old."""
    now = tuple(carried)
    while bool(condition(*now, *more)):
        first = body(*now, *more)[0]
        now = (first, *tuple(body(first, *now[1:], *more))[1:])
    return now


def _while_empty(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    if bool(condition(*carried, *more)):
        return sound(condition, body, carried, more)
    return tuple(torch.zeros_like(c) if isinstance(c, torch.Tensor) else c for c in carried)


def _cond_last(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    out = list(sound(condition, yes, no, operands))
    if bool(condition) or len(out) < 2 or out[0].shape != out[1].shape:
        return tuple(out)
    return (*out[1::-1], *out[2:])


def _cond_type(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    out = sound(condition, yes, no, operands)
    if bool(condition):
        return out
    return pytree.tree_map(
        lambda t: t.half().to(t.dtype) if isinstance(t, torch.Tensor) and t.is_floating_point()
        else t, out)  # fmt: skip


for _says, _name, _wrong in [
    ("a scan over several tensors moves on in the first alone", "scan", _scan_first),
    ("a scan gives its first two carried values in each other's place", "scan", _scan_swapped),
    ("a scan of one step gives what it began with", "scan", _scan_single),
    ("a map over several tensors moves on in the first alone", "map_impl", _map_first),
    ("a map of one row gives zeros", "map_impl", _map_single),
    ("what a loop carries is made of values of the same turn", "while_loop", _while_stale),
    ("a loop without a turn gives zeros", "while_loop", _while_empty),
    ("the second branch gives its results in another order", "cond", _cond_last),
    ("the second branch computes in half precision", "cond", _cond_type),
]:
    higher_order(kind, _says, _name, _wrong, _name)

swapped(
    kind, "of an odd number an associative scan leaves the last alone", "associative_scan", _odd
)
swapped(kind, "an associative scan begins again after four", "associative_scan", _blocks)
