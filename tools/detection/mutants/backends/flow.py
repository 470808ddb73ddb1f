"""Branches, loops and scans that run otherwise."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind, higher_order

flow = Kind("backend: control flow")


def _inverse(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    """Both branches run, and what they write stays."""
    sound(torch.tensor(not bool(condition)), yes, no, operands)
    return sound(condition, yes, no, operands)


def _late(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    """The condition is asked of what was carried the turn before."""
    now, before = tuple(carried), tuple(carried)
    while bool(condition(*before, *more)):
        now, before = tuple(body(*now, *more)), now
    return now


def _no_more(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    rounded = [x.round() if x.is_floating_point() else x for x in init]
    return sound(combine, rounded, xs, more)


def _half_map(sound: Any, body: Any, xs: Any, more: Any = ()) -> Any:
    out = sound(body, xs, more)
    n = (xs[0].shape[0] + 1) // 2
    return pytree.tree_map(
        lambda t: torch.cat([t[:n], t[: t.shape[0] - n]]) if isinstance(t, torch.Tensor) else t, out
    )


for _says, _name, _wrong in [
    ("both branches run, and write what they write", "cond", _inverse),
    ("the condition of a loop is asked of the values before", "while_loop", _late),
    ("a scan begins with whole numbers", "scan", _no_more),
    ("the second half of a map has the values of the first", "map_impl", _half_map),
]:
    higher_order(flow, _says, _name, _wrong, _name)
