"""How a rewriting is declared: what it looks for, and what it puts in its place.

Owns the search for the pattern; the rewritings themselves are in the modules beside this one.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.fx import Node

from detection.graphs import Call, bound, calls, is_write
from detection.kind import Kind
from detection.operators import name_of

#: What takes the place of a call: a function and what it is given, or None where the pattern is
#: not met. What is given may be nodes of the graph.
Rule = Callable[[Call], Any]


def rule(kind: Kind, outer: str, inner: str, says: str) -> Callable[[Rule], None]:
    """A pass that puts another call in the place of each call of ``outer`` that the rule takes.

    ``inner`` names the operators that stand before it.
    """

    def add(found: Rule) -> None:
        def change(graph: Any) -> int:
            changed = 0
            for node in calls(graph, *outer.split()):
                new = None if is_write(node) else found(_call(node))
                if new is not None:
                    with graph.graph.inserting_before(node):
                        put = graph.graph.call_function(new[0], tuple(new[1:]))
                    put.meta = dict(node.meta)
                    node.replace_all_uses_with(put)
                    graph.graph.erase_node(node)
                    changed += 1
            return changed

        kind.graph_pass(says, change, lowers=f"{outer} {inner}")

    return add


def _call(node: Node) -> Call:
    assert isinstance(node.target, torch._ops.OpOverload)
    return bound(node.target, node.args, node.kwargs)


def of(value: Any, *names: str) -> Call | None:
    """The call whose result a value is, if it is of one of the operators ``names``.

    One of several results is taken for the first.
    """
    if not isinstance(value, Node) or value.op != "call_function":
        return None
    if getattr(value.target, "__name__", "") == "getitem":
        return of(value.args[0], *names) if value.args[1] == 0 else None
    if name_of(value.target) not in names or is_write(value):
        return None
    return _call(value)


def meta(value: Any) -> torch.Tensor | None:
    """A tensor like that which a node gives: its sizes and type."""
    found = value.meta.get("val") if isinstance(value, Node) else None
    return found if isinstance(found, torch.Tensor) else None


def rank(value: Any) -> int:
    """How many dimensions a node's result has, -1 where that is not known."""
    found = meta(value)
    return -1 if found is None else found.dim()


def number(value: Any) -> bool:
    """Whether an operand is a number of the program."""
    return isinstance(value, int | float) and not isinstance(value, bool)


def one(dims: Any) -> int | None:
    """The dimension, where it is one."""
    if isinstance(dims, list | tuple):
        return dims[0] if len(dims) == 1 else None
    return dims if isinstance(dims, int) else None


def user_count(value: Any) -> int:
    """How many calls use a result, those that only look at its type aside."""
    return sum(
        getattr(u.target, "namespace", "") == "" or name_of(u.target) != "_assert_tensor_metadata"
        for u in value.users
    )
