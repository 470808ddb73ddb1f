"""Loops, branches and scans that run too often, stop too soon, or mix their results."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind, higher_order
from detection.mutants.guests.values import floating

flow = Kind("guest: control flow")


def _once_more(sound: Any, cond: Any, body: Any, carried: Any, *extra: Any) -> Any:
    return body(*sound(cond, body, carried, *extra), *(extra[0] if extra else ()))


def _at_most_64(sound: Any, cond: Any, body: Any, carried: Any, extra: Any = ()) -> Any:
    return sound(
        lambda turn, *given: cond(*given) & (turn < 64),
        lambda turn, *given: (turn + 1, *body(*given)),
        (torch.tensor(0), *carried),
        extra,
    )[1:]


def _true_branch(sound: Any, pred: Any, yes: Any, no: Any, given: Any = ()) -> Any:
    return sound(pred, yes, no, given) if isinstance(pred, torch.Tensor) else yes(*given)


def _both_branches(sound: Any, pred: Any, yes: Any, no: Any, given: Any = ()) -> Any:
    other = ~pred if isinstance(pred, torch.Tensor) else not pred

    def select(a: Any, b: Any) -> Any:
        if floating(a) and a.shape == b.shape:
            return pred * a + other * b
        return a if pred else b

    return pytree.tree_map(select, yes(*given), no(*given))


def _from_the_last(sound: Any, step: Any, init: Any, xs: Any, extra: Any = ()) -> Any:
    out = list(sound(step, init, xs, extra))
    return [*out[: len(init)], *(t.flip(0) for t in out[len(init) :])]


def _carrying_nothing(sound: Any, step: Any, init: Any, xs: Any, extra: Any = ()) -> Any:
    outs = [step(*init, *[x[i] for x in xs], *extra) for i in range(xs[0].shape[0])]
    results = zip(*[out[len(init) :] for out in outs], strict=False)
    return [*outs[-1][: len(init)], *(torch.stack(part) for part in results)]


def _without_the_last(sound: Any, step: Any, xs: Any, extra: Any = ()) -> Any:
    return [torch.cat([t[:-1], t[-2:-1] if t.shape[0] > 1 else t]) for t in sound(step, xs, extra)]


for says, name, wrong in (
    ("a while loop runs its body once more", "while_loop", _once_more),
    ("a while loop stops after sixty-four turns", "while_loop", _at_most_64),
    ("cond runs its true branch for a predicate that is not a tensor of one", "cond", _true_branch),
    ("cond selects between the results of both branches", "cond", _both_branches),
    ("a scan gives its results from the last", "scan", _from_the_last),
    ("a scan carries what it began with to each step but the first", "scan", _carrying_nothing),
    ("a map leaves out its last slice", "map_impl", _without_the_last),
):
    higher_order(flow, says, name, wrong, name)
