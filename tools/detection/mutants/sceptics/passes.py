"""Passes over a graph that are right nearly always, and what is lost when a graph is saved."""

from __future__ import annotations

import math
import operator
from collections.abc import Callable
from typing import Any

import torch
from torch.fx import Node
from torch.fx.node import map_aggregate

from detection.graphs import Call, calls, is_write, skipped
from detection.kind import Kind, higher_order
from detection.mutants.backends.witness import lowers
from detection.operators import name_of

folded = Kind("sceptic: folding")
saved = Kind("sceptic: saving")
merged = Kind("sceptic: merging")
symbols = Kind("sceptic: sizes computed")
flow = Kind("sceptic: control flow")


# --- folding: true of numbers, not of what is none ----------------------------------------------


@lowers(folded, "sub", "a thing less itself is nought", "x - x",
        "torch.tensor([float('inf'), 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    same = call["other"] is call.x and call.x.is_floating_point()
    return torch.zeros_like(call.x) if same else None


@lowers(folded, "div true_divide", "a thing by itself is one", "x / x", "torch.zeros(3)")
def _(call: Call) -> Any:
    same = call["other"] is call.x and call.x.is_floating_point()
    return torch.ones_like(call.x) if same else None


@lowers(folded, "eq ge le", "a thing equals itself", "x == x",
        "torch.tensor([float('nan'), 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    return torch.ones_like(call()) if call["other"] is call.x else None


@lowers(folded, "mul", "a thing times nought is nought", "x * 0.0",
        "torch.tensor([float('inf'), 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    nought = type(call["other"]) in (int, float) and call["other"] == 0
    return torch.zeros_like(call()) if nought and not call.operator._schema.is_mutable else None


def _folds(says: str, change: Callable[[Node], Any]) -> None:
    """A pass that puts another node in the place of those for which ``change`` gives one."""

    @folded.graph_pass(says)
    def _(graph: Any) -> int:
        found = 0
        for node in list(graph.graph.nodes):
            new = change(node)
            if new is not None:
                node.replace_all_uses_with(new)
                found += 1
        return found


def _made_by(node: Any, *names: str) -> bool:
    return isinstance(node, Node) and name_of(node.target) in names and not is_write(node)


def _argument(node: Node, place: int) -> Any:
    return node.args[place] if len(node.args) > place else None


def _root(node: Node) -> Any:
    if not _made_by(node, "sqrt"):
        return None
    inner = node.args[0]
    squared = _made_by(inner, "pow") and _argument(inner, 1) == 2
    squared |= _made_by(inner, "mul") and inner.args[0] is inner.args[1]
    return inner.args[0] if squared else None


def _whole(dtype: Any) -> bool:
    return isinstance(dtype, torch.dtype) and not (dtype.is_floating_point or dtype.is_complex)


def _casts(node: Node) -> Any:
    if not _made_by(node, "to", "_to_copy") or not _made_by(node.args[0], "to", "_to_copy"):
        return None
    inner = node.args[0]
    source = inner.args[0]
    here, before = (n.meta.get("val") for n in (node, source))
    if here is None or before is None or here.dtype != before.dtype:
        return None
    return source if inner.meta["val"].dtype != here.dtype else None


def _logarithm(node: Node) -> Any:
    return node.args[0].args[0] if _made_by(node, "log") and _made_by(node.args[0], "exp") else None


def _part_of_part(node: Node) -> Any:
    inner = node.args[0] if node.args else None
    if not _made_by(node, "slice") or not _made_by(inner, "slice"):
        return None
    if node.args[1:2] != inner.args[1:2] or not _argument(inner, 2):
        return None
    with node.graph.inserting_before(node):
        return node.graph.call_function(node.target, (inner.args[0], *node.args[1:]), node.kwargs)


def _halves(node: Node) -> Any:
    if not _made_by(node, "cat") or len(node.args[0]) != 2:
        return None
    parts = node.args[0]
    if not all(_made_by(p, "slice", "neg") for p in parts):
        return None
    sources = {p.args[0] for p in parts}
    return sources.pop() if len(sources) == 1 else None


_folds("the root of a square is the number itself", _root)
_folds("a cast there and back is left out", _casts)
_folds("the logarithm of a power is its exponent", _logarithm)
_folds("a part of a part is that of the whole", _part_of_part)
_folds("two parts put side by side are the whole", _halves)


# --- merging ------------------------------------------------------------------------------------


@merged.graph_pass("a constant in a program is written in place")
def _(graph: Any) -> int:
    return skipped(graph, "lift_fresh_copy")


@merged.graph_pass("a copy that is made of what no one else uses is left out")
def _(graph: Any) -> int:
    found = [n for n in calls(graph, "clone") if isinstance(n.args[0], Node)
             and n.args[0].op == "placeholder"]  # fmt: skip
    for node in found:
        node.replace_all_uses_with(node.args[0])
        graph.graph.erase_node(node)
    return len(found)


@merged.graph_pass("of two bounds in a row the second holds")
def _(graph: Any) -> int:
    found = [
        n
        for n in calls(graph, "clamp", "clamp_min", "clamp_max")
        if not is_write(n) and _made_by(n.args[0], "clamp", "clamp_min", "clamp_max")
    ]
    for node in found:
        node.replace_input_with(node.args[0], node.args[0].args[0])
    return len(found)


@merged.graph_pass("numbers that are the same in any type are one constant")
def _(graph: Any) -> int:
    made: dict[Any, Node] = {}
    found = 0
    for node in calls(graph, "zeros", "ones", "full", "arange"):
        sizes = _argument(node, 0)
        if any(isinstance(a, Node) for a in node.all_input_nodes):
            continue
        key = (node.target, str(sizes), str(node.args[1:]))
        if key in made and made[key].kwargs != node.kwargs:
            node.replace_all_uses_with(made[key])
            found += 1
        made.setdefault(key, node)
    return found


@merged.graph_pass("what is computed alike before and after a write is computed once")
def _(graph: Any) -> int:
    made: dict[Any, Node] = {}
    found = 0
    for node in calls(graph):
        if is_write(node) or torch.Tag.nondeterministic_seeded in node.target.tags:
            continue
        if not node.all_input_nodes:
            continue
        key = (node.target, str(node.args), str(node.kwargs))
        if key in made:
            node.replace_all_uses_with(made[key])
            found += 1
        made.setdefault(key, node)
    return found


# --- saving -------------------------------------------------------------------------------------


def _arguments(says: str, change: Callable[[Any], Any]) -> None:
    """A pass that changes those arguments in calls for which ``change`` gives another."""

    @saved.graph_pass(says)
    def _(graph: Any) -> int:
        found: list[Any] = []

        def changed(value: Any) -> Any:
            new = change(value)
            if new is None:
                return value
            found.append(value)
            return new

        for node in calls(graph):
            node.args = map_aggregate(node.args, changed)
            node.kwargs = map_aggregate(node.kwargs, changed)
        return len(found)


_arguments("infinite numbers are nought", lambda v: (
    0.0 if type(v) is float and math.isinf(v) else None))  # fmt: skip
_arguments("numbers that are none are nought", lambda v: (
    0.0 if type(v) is float and math.isnan(v) else None))  # fmt: skip
_arguments("half types are one", lambda v: torch.float16 if v is torch.bfloat16 else None)
_arguments("types of small whole numbers are one", lambda v: (
    torch.uint8 if v is torch.int8 else torch.int32 if v is torch.int16 else None))  # fmt: skip
_arguments("complex constants are real", lambda v: v.real if type(v) is complex else None)
_arguments("a negative nought is nought", lambda v: (
    0.0 if type(v) is float and v == 0 and math.copysign(1, v) < 0 else None))  # fmt: skip
_arguments("tiny numbers are nought", lambda v: (
    0.0 if type(v) is float and 0 < abs(v) < 1e-9 else None))  # fmt: skip


@saved.graph_pass("whole numbers beside tensors are floats")
def _(graph: Any) -> int:
    found = 0
    for node in calls(graph, "add", "sub", "mul"):
        if len(node.args) > 1 and type(node.args[1]) is int and not is_write(node):
            node.args = (node.args[0], float(node.args[1]), *node.args[2:])
            found += 1
    return found


@saved.graph_pass("arguments given by name are left to their defaults")
def _(graph: Any) -> int:
    found = 0
    for node in calls(graph, "sum", "mean", "any", "all", "argmax", "std", "var", "amax"):
        if node.kwargs:
            node.kwargs = {}
            found += 1
    return found


@saved.call("constants of a graph are single precision", base="export")
def _(program: Any, hit: Any) -> Any:
    from detection.captures import once
    from detection.mutant import NothingToBreak

    exported = once(program)
    if not any(isinstance(c, torch.Tensor) and c.dtype in (torch.float64, torch.complex128)
               for c in exported.constants.values()):  # fmt: skip
        raise NothingToBreak
    module = exported.module()
    for graph in module.modules():
        for name, value in list(vars(graph).items()) + list(graph._buffers.items()):
            if isinstance(value, torch.Tensor) and value.dtype is torch.float64:
                setattr(graph, name, value.float().double())
                hit()
    return module


# --- sizes that are computed --------------------------------------------------------------------


def _sizes(says: str, targets: tuple[Any, ...], new: Callable[..., Any]) -> None:
    """A pass that puts ``new`` in the place of what sizes are computed with."""

    @symbols.graph_pass(says)
    def _(graph: Any) -> int:
        found = [n for n in graph.graph.nodes if n.op == "call_function" and n.target in targets]
        for node in found:
            node.target = new
        return len(found)


def _towards_nought(a: int, b: int) -> int:
    return int(a / b)


def _remainder(a: int, b: int) -> int:
    return a - b * int(a / b)


_sizes("sizes are divided towards nought", (operator.floordiv,), _towards_nought)
_sizes("the remainder of a size has the sign of the size", (operator.mod,), _remainder)
_sizes("what is left of a size is never below nought", (operator.sub,), lambda a, b: max(a - b, 0))
_sizes("a quotient of sizes is whole", (operator.truediv, torch.sym_float),
       lambda a, b=1: a // b)  # fmt: skip
_sizes("a number cut to a size is rounded", (math.trunc, torch.sym_int), lambda a: round(a))
_sizes("the larger of two sizes is the second", (torch.sym_max,), lambda a, b: b)
_sizes("the smaller of two sizes is the second", (torch.sym_min,), lambda a, b: b)
_sizes("a size to a power is twice it", (operator.pow,), lambda a, b: a * b)
_sizes("a negative number of sizes is positive", (operator.neg,), lambda a: a)
_sizes("a comparison of sizes that may be equal is not", (operator.le, operator.ge),
       lambda a, b: a != b)  # fmt: skip


@symbols.graph_pass("a size is that of the last axis")
def _(graph: Any) -> int:
    found = 0
    for node in calls(graph, "sym_size"):
        shape = node.args[0].meta["val"].shape if isinstance(node.args[0], Node) else ()
        if len(shape) > 1 and node.args[1] % len(shape) != len(shape) - 1:
            node.args = (node.args[0], len(shape) - 1)
            found += 1
    return found


# --- control flow -------------------------------------------------------------------------------

_within: list[Any] = []


def _outer(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    """A branch within a branch goes as that does."""
    _within.append(condition)
    try:
        return sound(_within[0], yes, no, operands)
    finally:
        _within.pop()


def _once_more(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    out = sound(condition, body, carried, more)
    return body(*out, *more)


def _same_carry(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
    if not init:
        return sound(combine, init, xs, more)
    out = list(sound(combine, init, xs, more))
    return [*out[:-1], out[-1].flip(0)] if len(out) > len(init) else out


higher_order(flow, "a branch within a branch goes as that does", "cond", _outer, "cond")
higher_order(flow, "a loop makes one turn too many", "while_loop", _once_more, "while_loop")
higher_order(flow, "the last of what a scan gives is turned round", "scan", _same_carry, "scan")
