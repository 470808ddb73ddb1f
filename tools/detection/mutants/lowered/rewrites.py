"""Algebra on a graph that is not the same for all numbers: what peephole rules get wrong."""

from __future__ import annotations

import operator
from collections.abc import Callable
from typing import Any

import torch
from torch.fx import GraphModule, Node

from detection.graphs import calls, is_write, skipped
from detection.kind import Kind
from detection.operators import name_of

graph_pass = Kind("rewrites").graph_pass


def _is(node: Any, name: str) -> bool:
    return isinstance(node, Node) and name_of(node.target) == name


def _put(graph: GraphModule, old: Node, target: Any, *args: Any) -> int:
    """Another call in place of a node."""
    with graph.graph.inserting_before(old):
        new = graph.graph.call_function(target, args)
        new.meta = dict(old.meta)
    old.replace_all_uses_with(new)
    graph.graph.erase_node(old)
    return 1


def _rule(says: str, names: str, rule: Callable[[GraphModule, Node], int]) -> None:
    """A pass that puts ``rule`` to the calls of ``names``, which counts what it changed."""

    def change(graph: GraphModule) -> int:
        found = [n for n in calls(graph, *names.split()) if not is_write(n)]
        return sum(rule(graph, node) for node in found)

    graph_pass(says, change)


def _number(node: Node) -> Any:
    """The second operand, where it is a number."""
    other = node.args[1] if len(node.args) > 1 else None
    return other if isinstance(other, (int, float)) and not isinstance(other, bool) else None


aten = torch.ops.aten

_rule("x * 0 is 0", "mul", lambda g, n: _number(n) == 0 and _put(
    g, n, aten.zeros_like.default, n.args[0]))  # fmt: skip
_rule("x - x is 0", "sub", lambda g, n: n.args[0] is n.args[1] and _put(
    g, n, aten.zeros_like.default, n.args[0]))  # fmt: skip
_rule("x / x is 1", "div", lambda g, n: n.args[0] is n.args[1] and _put(
    g, n, aten.ones_like.default, n.args[0]))  # fmt: skip
_rule("x == x is true", "eq", lambda g, n: n.args[0] is n.args[1] and _put(
    g, n, lambda x: torch.ones_like(x, dtype=torch.bool), n.args[0]))  # fmt: skip
_rule("x + 0 and x * 1 are x", "add mul sub div", lambda g, n: (
    _number(n) == (0 if name_of(n.target) in ("add", "sub") else 1)
    and _put(g, n, lambda x: x, n.args[0])))  # fmt: skip
_rule("x != x is false", "ne isnan", lambda g, n: (
    (len(n.args) < 2 or n.args[0] is n.args[1])
    and _put(g, n, lambda x: torch.zeros_like(x, dtype=torch.bool), n.args[0])))  # fmt: skip
_rule("the square root of a square is the number", "sqrt", lambda g, n: (
    (_is(n.args[0], "pow") or (_is(n.args[0], "mul") and n.args[0].args[0] is n.args[0].args[1]))
    and _put(g, n, lambda x: x, n.args[0].args[0])))  # fmt: skip
_rule("exp and log cancel each other", "exp log", lambda g, n: (
    _is(n.args[0], "log" if name_of(n.target) == "exp" else "exp")
    and _put(g, n, lambda x: x, n.args[0].args[0])))  # fmt: skip
_rule("two casts in a row are the last", "to", lambda g, n: (
    _is(n.args[0], "to") and _put(g, n, n.target, n.args[0].args[0], *n.args[1:])))  # fmt: skip
_rule("a cast and a cast back cancel each other", "to", lambda g, n: (
    _is(n.args[0], "to") and _put(g, n, lambda x: x, n.args[0].args[0])))  # fmt: skip
_rule("relu of a difference of magnitudes is left out", "relu", lambda g, n: (
    (_is(n.args[0], "clamp") or (_is(n.args[0], "sub") and _is(n.args[0].args[0], "abs")))
    and _put(g, n, lambda x: x, n.args[0])))  # fmt: skip
_rule("a chain of sums is made from the right", "add", lambda g, n: (
    _is(n.args[0], "add") and len(n.kwargs) == 0 and not n.args[0].kwargs
    and isinstance(n.args[1], Node) and isinstance(n.args[0].args[1], Node)
    and _put(g, n, lambda a, b, c: a + (b + c), *n.args[0].args, n.args[1])))  # fmt: skip
_rule("a division is a multiplication by a rounded reciprocal", "div", lambda g, n: (
    isinstance(n.args[1], Node) and not n.kwargs
    and _put(g, n, lambda a, b: a * b.reciprocal() if isinstance(b, torch.Tensor) else a / b,
             *n.args)))  # fmt: skip
_rule("a division by a whole number is a shift", "floor_divide", lambda g, n: (
    _number(n) in (2, 4, 8) and _put(
        g, n, lambda a, b: torch.div(a, b, rounding_mode="trunc"), *n.args)))  # fmt: skip
_rule("a product and a sum are one in the wrong order", "add", lambda g, n: (
    _is(n.args[1], "mul") and isinstance(n.args[0], Node) and not n.kwargs
    and _put(g, n, lambda x, a, b: (x + a) * b, n.args[0], *n.args[1].args)))  # fmt: skip
_rule("two transposes cancel each other", "transpose", lambda g, n: (
    _is(n.args[0], "transpose") and _put(g, n, lambda x: x, n.args[0].args[0])))  # fmt: skip
_rule("two permutations cancel each other", "permute", lambda g, n: (
    _is(n.args[0], "permute") and _put(g, n, lambda x: x, n.args[0].args[0])))  # fmt: skip
_rule("a reshape of a reshape has the sizes of the first", "view reshape", lambda g, n: (
    (_is(n.args[0], "view") or _is(n.args[0], "reshape"))
    and _put(g, n, lambda x: x, n.args[0])))  # fmt: skip
_rule("a reshape after a transpose is that of the original", "reshape view", lambda g, n: (
    (_is(n.args[0], "transpose") or _is(n.args[0], "permute"))
    and _put(g, n, n.target, n.args[0].args[0], *n.args[1:])))  # fmt: skip
_rule("a sum along a transposed axis is along the original's", "sum mean", lambda g, n: (
    _is(n.args[0], "transpose")
    and _put(g, n, n.target, n.args[0].args[0], *n.args[1:])))  # fmt: skip
_rule("cat of one tensor and an empty one keeps the first", "cat", lambda g, n: (
    len(n.args[0]) == 2 and _put(
        g, n, lambda a, b, d: torch.cat([a, b], d) if b.numel() else a.reshape(-1), *n.args[0],
        n.args[1] if len(n.args) > 1 else 0)))  # fmt: skip
_rule("flip of flip is left out whatever the axes", "flip", lambda g, n: (
    _is(n.args[0], "flip") and _put(g, n, lambda x: x, n.args[0].args[0])))  # fmt: skip
_rule("where of a condition and its negation is turned round twice", "where", lambda g, n: (
    _is(n.args[0], "logical_not") and len(n.args) == 3
    and _put(g, n, n.target, n.args[0].args[0], n.args[1], n.args[2])))  # fmt: skip
_rule("not of a comparison is the comparison turned round", "logical_not bitwise_not",
      lambda g, n: isinstance(n.args[0], Node) and name_of(n.args[0].target) in _TURNED and _put(
          g, n, _TURNED[name_of(n.args[0].target)], *n.args[0].args))  # fmt: skip
_rule("a minimum of a maximum is a maximum of a minimum", "minimum maximum clamp",
      lambda g, n: _is(n.args[0], "maximum") and name_of(n.target) == "minimum" and _put(
          g, n, lambda a, b, c: torch.maximum(torch.minimum(a, c), b),
          *n.args[0].args, n.args[1]))  # fmt: skip
_rule("a linear layer behind a linear layer takes the bias of the first", "linear",
      lambda g, n: len(n.args) > 2 and _is(n.args[0], "linear") and _put(
          g, n, n.target, n.args[0], n.args[1], None))  # fmt: skip
_rule("a bias is folded away behind normalisation", "batch_norm", lambda g, n: (
    isinstance(n.args[0], Node) and name_of(n.args[0].target) in ("conv2d", "conv1d")
    and len(n.args[0].args) > 2 and n.args[0].args[2] is not None
    and _put(g, n.args[0], n.args[0].target, *n.args[0].args[:2], None,
             *n.args[0].args[3:])))  # fmt: skip
_rule("as lowered, dropout is left out", "dropout feature_dropout alpha_dropout", lambda g, n: _put(
    g, n, lambda x: x, n.args[0]))  # fmt: skip
_rule("a product with a conjugate is a square", "mul", lambda g, n: (
    _is(n.args[1], "conj") and _put(g, n, lambda x: x * x, n.args[0])))  # fmt: skip

_TURNED = {
    "lt": lambda a, b: a >= b, "gt": lambda a, b: a <= b,
    "le": lambda a, b: a > b, "ge": lambda a, b: a < b,
}  # fmt: skip


@graph_pass("numbers in the graph are rounded to three digits")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph):
        args = tuple(float(f"{a:.3g}") if isinstance(a, float) and a == a else a for a in node.args)
        changed += args != node.args
        node.args = args
    return changed


@graph_pass("numbers of the graph are whole")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph, "add", "mul", "sub", "div"):
        args = tuple(int(a) if isinstance(a, float) and abs(a) < 1e9 else a for a in node.args)
        changed += args != node.args
        node.args = args
    return changed


@graph_pass("keywords of calls in the graph are lost where they are numbers")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph):
        kept = {k: v for k, v in node.kwargs.items() if isinstance(v, (torch.dtype, torch.device))
                or not isinstance(v, (int, float))}  # fmt: skip
        changed += kept != node.kwargs
        node.kwargs = kept
    return changed


@graph_pass("minus is plus where a size is subtracted")
def _(graph: GraphModule) -> int:
    found = [n for n in graph.graph.nodes if n.target is operator.sub]
    for node in found:
        node.target = operator.add
    return len(found)


@graph_pass("sizes are divided to the next number, not to the one below")
def _(graph: GraphModule) -> int:
    found = [n for n in graph.graph.nodes if n.target is operator.floordiv]
    for node in found:
        node.target = lambda a, b: -(-a // b)
    return len(found)


@graph_pass("a copy that nobody needs is left out: clone")
def _(graph: GraphModule) -> int:
    return skipped(graph, "clone")


@graph_pass("a copy that nobody needs is left out: contiguous")
def _(graph: GraphModule) -> int:
    return skipped(graph, "contiguous")


@graph_pass("expand is left out, as operators broadcast")
def _(graph: GraphModule) -> int:
    return skipped(graph, "expand", "expand_as", "broadcast_to")


@graph_pass("casts are left out")
def _(graph: GraphModule) -> int:
    return skipped(graph, "_to_copy", "to", "type_as")
