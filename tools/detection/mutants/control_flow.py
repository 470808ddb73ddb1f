"""Operators that run parts of a program: branches, loops, maps and scans."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.captures import once
from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak
from exportdb.exporters.protocol import Program

call = Kind("control flow").call


def broken(name: str, says: str) -> Callable[[Callable[..., Any]], None]:
    """A defect of an operator in the exported graph.

    The defect takes the operator and its arguments, and gives a wrong result, or None where it has
    nothing to break.
    """
    operator = getattr(torch.ops.higher_order, name)

    def add(defect: Callable[..., Any]) -> None:
        def make(program: Program, hit: Hit) -> Any:
            def replaced(*args: Any, **kwargs: Any) -> Any:
                wrong = defect(operator, *args, **kwargs)
                if wrong is None:
                    return operator(*args, **kwargs)
                hit()
                return wrong

            module = once(program).module()
            nodes = [n for n in module.graph.nodes if n.target is operator]
            if not nodes:
                raise NothingToBreak
            for node in nodes:
                node.target = replaced
            module.recompile()
            return module

        call(says, make, base="export", needs=name)

    return add


@broken("cond", "cond takes the other branch")
def _(cond: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    return cond(torch.as_tensor(pred).logical_not(), true_fn, false_fn, operands)


@broken("cond", "cond always takes the true branch")
def _(cond: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    return None if pred else true_fn(*operands)


@broken("cond", "cond always takes the false branch")
def _(cond: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    return false_fn(*operands) if pred else None


@broken("cond", "cond computes both branches and adds them up with weights")
def _(cond: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    weight = 1.0 if pred else 0.0

    def mixed(a: Any, b: Any) -> Any:
        return a * weight + b * (1 - weight) if a.shape == b.shape else (a if pred else b)

    return pytree.tree_map(mixed, true_fn(*operands), false_fn(*operands))


@broken("cond", "cond gives its first result for all")
def _(cond: Any, pred: Any, true_fn: Any, false_fn: Any, operands: Any) -> Any:
    found = cond(pred, true_fn, false_fn, operands)
    return tuple(found[0].clone() for _ in found) if len(found) > 1 else None


def _loop(cond_fn: Any, body_fn: Any, carried: Any, more: Any, most: int = 10**6) -> Any:
    """What a while_loop computes, and after how many rounds."""
    rounds = 0
    while rounds < most and bool(cond_fn(*carried, *more)):
        carried, rounds = tuple(body_fn(*carried, *more)), rounds + 1
    return carried, rounds


@broken("while_loop", "while_loop runs at least once")
def _(loop: Any, cond_fn: Any, body_fn: Any, carried: Any, more: Any = ()) -> Any:
    if bool(cond_fn(*carried, *more)):
        return None
    return tuple(body_fn(*carried, *more))


@broken("while_loop", "while_loop runs once more")
def _(loop: Any, cond_fn: Any, body_fn: Any, carried: Any, more: Any = ()) -> Any:
    found, _ = _loop(cond_fn, body_fn, carried, more)
    return tuple(body_fn(*found, *more))


@broken("while_loop", "while_loop runs once less")
def _(loop: Any, cond_fn: Any, body_fn: Any, carried: Any, more: Any = ()) -> Any:
    rounds = _loop(cond_fn, body_fn, carried, more)[1]
    return _loop(cond_fn, body_fn, carried, more, rounds - 1)[0] if rounds else None


@broken("while_loop", "while_loop ends after eight rounds")
def _(loop: Any, cond_fn: Any, body_fn: Any, carried: Any, more: Any = ()) -> Any:
    found, rounds = _loop(cond_fn, body_fn, carried, more, 8)
    return found if rounds == 8 and bool(cond_fn(*found, *more)) else None


@broken("while_loop", "while_loop updates just the first of what it carries")
def _(loop: Any, cond_fn: Any, body_fn: Any, carried: Any, more: Any = ()) -> Any:
    found, rounds = _loop(cond_fn, body_fn, carried, more)
    return (found[0], *carried[1:]) if rounds and len(carried) > 1 else None


@broken("map_impl", "map gives the first result for every row")
def _(map_: Any, function: Any, xs: Any, more: Any) -> Any:
    found = map_(function, xs, more)
    return pytree.tree_map(lambda t: t[:1].expand_as(t).clone() if len(t) > 1 else t, found)


@broken("map_impl", "map goes from the end")
def _(map_: Any, function: Any, xs: Any, more: Any) -> Any:
    return pytree.tree_map(lambda t: t.flip(0), map_(function, xs, more))


@broken("map_impl", "map leaves out the last row")
def _(map_: Any, function: Any, xs: Any, more: Any) -> Any:
    found = map_(function, xs, more)
    return pytree.tree_map(lambda t: torch.cat([t[:-1], torch.zeros_like(t[-1:])]), found)


@broken("map_impl", "map of a single row gives the row")
def _(map_: Any, function: Any, xs: Any, more: Any) -> Any:
    found = map_(function, xs, more)
    if len(xs[0]) != 1 or found[0].shape != xs[0].shape:
        return None
    return type(found)([xs[0].clone(), *found[1:]])


@broken("scan", "scan begins with zeros")
def _(scan: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    return scan(combine, [torch.zeros_like(i) for i in init], xs, more)


@broken("scan", "scan goes from the end")
def _(scan: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    return scan(combine, init, [x.flip(0) for x in xs], more)


@broken("scan", "scan gives the state after the first step")
def _(scan: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    if len(xs[0]) < 2:
        return None
    found = list(scan(combine, init, xs, more))
    first = scan(combine, init, [x[:1] for x in xs], more)
    return [*first[: len(init)], *found[len(init) :]]


@broken("scan", "scan leaves out its last step")
def _(scan: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    if len(xs[0]) < 2:
        return None
    found = list(scan(combine, init, xs, more))
    short = scan(combine, init, [x[:-1] for x in xs], more)
    return [*short[: len(init)], *found[len(init) :]]
