"""Operators that run parts of a program: what a turn sees of the one before, what is kept."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind, higher_order
from detection.mutants.engines.around import swapped

flow = Kind("stranger: control flow")


def _fresh(value: Any) -> Any:
    return pytree.tree_map(lambda t: t.clone() if isinstance(t, torch.Tensor) else t, value)


def _kept_condition() -> Callable[..., Any]:
    """One that decides by the condition of the call before."""
    last: list[bool] = []

    def wrong(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
        now = bool(condition)
        used = last[-1] if last else now
        last.append(now)
        return sound(torch.tensor(used), yes, no, operands)

    return wrong


def _kept_operands() -> Callable[..., Any]:
    """One whose last operand is that of the first call, where it still fits."""
    first: list[torch.Tensor] = []

    def wrong(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
        found = list(operands)
        if len(found) > 1 and isinstance(found[-1], torch.Tensor):
            if not first:
                first.append(found[-1].detach().clone())
            if first[0].shape == found[-1].shape and first[0].dtype == found[-1].dtype:
                found[-1] = first[0].clone()
        return sound(condition, yes, no, tuple(found))

    return wrong


def _last_from_other(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    """The last of several results is the other branch's."""
    other = list(sound(torch.tensor(not bool(condition)), yes, no, _fresh(operands)))
    out = list(sound(condition, yes, no, operands))
    return (*out[:-1], other[-1]) if len(out) > 1 else tuple(out)


def _no_branch_on_grad(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    """No gradient comes back through the branch that is not the first."""
    out = sound(condition, yes, no, operands)
    if bool(condition):
        return out
    return pytree.tree_map(lambda t: t.detach() if isinstance(t, torch.Tensor) else t, out)


def _negated_late(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    """The condition is asked after the second branch has run on the operands themselves."""
    now = bool(condition)
    out = no(*operands)
    return sound(torch.tensor(now), yes, no, operands) if now else out


def _one_after_the_other(
    sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()
) -> Any:
    """Each carried value sees those that were made before it in the same turn."""
    now = list(carried)
    while bool(condition(*now, *more)):
        for i in range(len(now)):
            now[i] = body(*now, *more)[i]
    return tuple(now)


def _small_counter(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    """What is carried is rounded to three digits in each turn."""
    now = tuple(carried)
    while bool(condition(*now, *more)):
        now = tuple(
            t.to(torch.bfloat16).to(t.dtype) if t.is_floating_point() else t
            for t in body(*now, *more)
        )
    return now


def _in_place(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    """What is carried is written over what the loop began with."""
    out = sound(condition, body, carried, more)
    for old, new in zip(carried, out, strict=True):
        if isinstance(old, torch.Tensor) and old.shape == new.shape and not old.requires_grad:
            old.copy_(new)
    return out


def _seen_before(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    """What a scan gives at each step is that of the step before."""
    out, n = list(sound(combine, init, xs, more)), len(init)
    late = [torch.cat([y[:1], y[:-1]]) if y.shape[0] else y for y in out[n:]]
    return [*out[:n], *late]


def _last_carry_alone(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    """Of what a scan carries all but the last begins anew at each step."""
    n, now, given = len(init), list(init), []
    for i in range(xs[0].shape[0]):
        found = list(combine(*now, *(x[i] for x in xs), *more))
        now = [*init[:-1], found[n - 1]]
        given.append(found[n:])
        last = found[:n]
    if not given:
        return sound(combine, init, xs, more)
    return [*last, *(torch.stack(each) for each in zip(*given, strict=True))]


def _every_second(sound: Any, body: Any, xs: Any, more: Any = ()) -> Any:
    """Every second row of a map has the values of the row before."""
    out = sound(body, xs, more)
    n = xs[0].shape[0]
    rows = torch.arange(n) // 2 * 2
    return pytree.tree_map(lambda t: t[rows] if isinstance(t, torch.Tensor) else t, out)


def _itself(sound: Any, combine: Any, xs: Any, dim: int, **named: Any) -> Any:
    """An associative scan combines each element with itself first."""
    return sound(combine, combine(xs, xs), dim, **named)


for _says, _name, _wrong in [
    ("a branch is chosen by the condition of the call before", "cond", None),
    ("the last operand of a branch is that of the first call", "cond", None),
    ("the last result of a branch is the other branch's", "cond", _last_from_other),
    ("no gradient comes back through the second branch", "cond", _no_branch_on_grad),
    ("the second branch has run when the first is taken", "cond", _negated_late),
    ("what a loop carries is made one after the other", "while_loop", _one_after_the_other),
    ("what a loop carries is kept to three digits", "while_loop", _small_counter),
    ("what a loop began with is overwritten", "while_loop", _in_place),
    ("what a scan gives is one step late", "scan", _seen_before),
    ("of what a scan carries the last alone is handed on", "scan", _last_carry_alone),
    ("every second row of a map is that before it", "map_impl", _every_second),
]:
    if _wrong is None:
        _wrong = _kept_condition() if "call before" in _says else _kept_operands()
    higher_order(flow, _says, _name, _wrong, _name)

swapped(flow, "an associative scan takes each element twice", "associative_scan", _itself)
