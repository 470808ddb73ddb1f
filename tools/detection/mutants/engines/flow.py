"""Branches, loops and checks of an engine."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind, higher_order
from detection.mutant import Hit
from detection.mutants.engines.around import every_call, swapped
from detection.wrapping import tensors
from exportdb.exporters.protocol import Program

kind = Kind("engine: control flow")


def _higher(says: str, name: str, wrong: Callable[..., Any], needs: str = "") -> None:
    higher_order(kind, says, name, wrong, needs or name)


def _last_first(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    return no(*operands)


def _inverted(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    return no(*operands) if bool(condition) else yes(*operands)


def _on_copies(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    operands = [t.clone() if isinstance(t, torch.Tensor) else t for t in operands]
    return (yes if bool(condition) else no)(*operands)


def _remembered() -> Callable[..., Any]:
    kept: dict[int, bool] = {}

    def wrong(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
        taken = kept.setdefault(id(yes), bool(condition))
        return (yes if taken else no)(*operands)

    return wrong


def _both(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    """Both sides run, so that both draw and write; the right one is given."""
    a, b = yes(*operands), no(*operands)
    return a if bool(condition) else b


_higher("the second branch is always taken", "cond", _last_first)
_higher("the branches are in each other's place", "cond", _inverted)
_higher("the branch of the first call is taken by all", "cond", _remembered())
_higher("both branches run, and one is given", "cond", _both)


def _while(turns: Callable[[int], int]) -> Callable[..., Any]:
    def wrong(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
        first, count, now = tuple(carried), 0, tuple(carried)
        while bool(condition(*now, *more)):
            now, count = tuple(body(*now, *more)), count + 1
        now = first
        for _ in range(turns(count)):
            now = tuple(body(*now, *more))
        return now

    return wrong


def _one_carried(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    """Only what the first carried value becomes is carried on."""
    now = tuple(carried)
    while bool(condition(*now, *more)):
        new = tuple(body(*now, *more))
        now = (new[0], *now[1:])
    return now


_higher("a loop makes one turn too few", "while_loop", _while(lambda n: max(n - 1, 0)))
_higher("a loop makes one turn at least", "while_loop", _while(lambda n: max(n, 1)))
_higher("a loop makes no more than eight turns", "while_loop", _while(lambda n: min(n, 8)))
_higher("a loop carries on its first value alone", "while_loop", _one_carried)


def _scan(pick: Callable[[list[Any], list[Any], Any], Any]) -> Callable[..., Any]:
    def wrong(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
        out = list(sound(combine, init, xs, more))
        return pick(out[: len(init)], out[len(init) :], init)

    return wrong


def _short_scan(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    right = list(sound(combine, init, xs, more))
    if xs[0].shape[0] < 2:
        return right
    cut = list(sound(combine, init, [x[:-1] for x in xs], more))
    return [*cut[: len(init)], *right[len(init) :]]


_higher("what a scan gives at each step is in the other order", "scan", _scan(
    lambda carry, ys, init: [*carry, *(y.flip(0) for y in ys)]))  # fmt: skip
_higher("a scan gives the carry of the last step but one", "scan", _short_scan)
_higher("what a scan gives at each step is that of the last", "scan", _scan(
    lambda carry, ys, init: [*carry, *(y[-1:].expand_as(y).clone() for y in ys)]))  # fmt: skip
_higher("a scan gives the carry that it began with", "scan", _scan(
    lambda carry, ys, init: [*(torch.as_tensor(i).clone() for i in init), *ys]))  # fmt: skip


def _map_first(sound: Any, body: Any, xs: Any, more: Any = ()) -> Any:
    out = sound(body, xs, more)
    return pytree.tree_map(lambda t: t[:1].expand_as(t).clone(), out)


def _map_on_last(sound: Any, body: Any, xs: Any, more: Any = ()) -> Any:
    out = sound(body, xs, more)
    return pytree.tree_map(lambda t: t.flip(0), out)


_higher("a map gives its first row for all", "map_impl", _map_first)
_higher("a map gives its rows in the other order", "map_impl", _map_on_last)


def part(xs: Any, dim: int, start: int, end: int | None) -> Any:
    """Part of all of ``xs`` along a dim."""
    return pytree.tree_map(lambda x: x[(slice(None),) * dim + (slice(start, end),)], xs)


def _exclusive(sound: Any, combine: Any, xs: Any, dim: int, **named: Any) -> Any:
    out = sound(combine, xs, dim, **named)
    first, before = part(xs, dim, 0, 1), part(out, dim, 0, -1)
    return pytree.tree_map(lambda *parts: torch.cat(parts, dim), first, before)


def _one_step(sound: Any, combine: Any, xs: Any, dim: int, **named: Any) -> Any:
    new = combine(part(xs, dim, 0, -1), part(xs, dim, 1, None))
    return pytree.tree_map(lambda *parts: torch.cat(parts, dim), part(xs, dim, 0, 1), new)


swapped(kind, "an associative scan leaves out the element at hand", "associative_scan", _exclusive)
swapped(kind, "an associative scan combines neighbours alone", "associative_scan", _one_step)


def _unchecked(says: str, patched: Callable[[Hit], dict[Any, dict[str, Any]]]) -> None:
    """A capture that runs while functions of torch are others: ``{owner: {name: function}}``."""

    @every_call(kind, says)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        new = patched(hit)
        old = {owner: {n: getattr(owner, n) for n in names} for owner, names in new.items()}
        try:
            for owner, names in new.items():
                for name, function in names.items():
                    setattr(owner, name, function)
            return program.module(*args, **kwargs)
        finally:
            for owner, names in old.items():
                for name, function in names.items():
                    setattr(owner, name, function)


def _silent(hit: Hit) -> Callable[..., None]:
    def check(condition: Any = True, *more: Any, **named: Any) -> None:
        if not bool(torch.as_tensor(condition).all()):
            hit()

    return check


_unchecked("what a program checks by torch._check is not checked",
           lambda hit: {torch: {"_check": _silent(hit)}})  # fmt: skip
_unchecked("what a program checks of values is not checked", lambda hit: {
    torch: {n: _silent(hit) for n in ("_check_value", "_check_index", "_assert", "_assert_async")}
})  # fmt: skip


@every_call(kind, "a call that raises gives the result of the last one that did not")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    try:
        kept["last"] = program.module(*args, **kwargs)
    except Exception:
        if "last" not in kept:
            raise
        hit()
    return kept["last"]


@every_call(kind, "a call that raises has written what came before the error")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    try:
        return program.module(*args, **kwargs)
    except Exception:
        floats = [t for t in tensors((args, kwargs)) if t.is_floating_point()]
        for t in floats[:1]:
            if t.layout is torch.strided and not t.is_meta and not t.requires_grad and t.numel():
                hit()
                t.add_(1)
        raise
