"""Passes over a graph that go by what mostly holds: one part, one write, one use, one type."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import GraphModule, Node

from detection.graphs import calls, is_write
from detection.kind import Kind
from detection.operators import name_of

kind = Kind("stranger: passes")
graph_pass = kind.graph_pass
aten = torch.ops.aten


def _replaced(graph: GraphModule, node: Node, by: Any) -> int:
    node.replace_all_uses_with(by)
    graph.graph.erase_node(node)
    return 1


@graph_pass("a part of what is joined is taken from the first")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph, "slice", "select", "narrow"):
        source = node.args[0]
        if isinstance(source, Node) and name_of(source.target) == "cat":
            parts = source.args[0]
            node.update_arg(0, parts[0])  # type: ignore[index]
            changed += 1
    return changed


@graph_pass("of several writes into one place the first is made")
def _(graph: GraphModule) -> int:
    changed, seen = 0, set[Any]()
    for node in calls(graph):
        if not is_write(node) or not isinstance(node.args[0], Node):
            continue
        root = node.args[0]
        while name_of(root.target) and is_write(root) and isinstance(root.args[0], Node):
            root = root.args[0]
        if (root, node.target) in seen:
            changed += _replaced(graph, node, node.args[0])
        seen.add((root, node.target))
    return changed


def _second_of(*names: str) -> Any:
    """Replaces a call upon the same call by the inner one."""

    def change(graph: GraphModule) -> int:
        changed = 0
        for node in calls(graph, *names):
            inner = node.args[0]
            if isinstance(inner, Node) and inner.target is node.target and len(node.args) > 1:
                changed += _replaced(graph, node, inner)
        return changed

    return change


graph_pass("the same operator twice in a row is made once, whatever its arguments",
           _second_of("cumsum", "sum", "mean", "transpose", "permute", "flip", "roll", "slice",
                      "sort", "diff", "pad", "expand", "unsqueeze", "squeeze"))  # fmt: skip


@graph_pass("a sum over what is put side by side is a sum of the first part")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph, "sum", "mean", "amax", "logsumexp"):
        source = node.args[0]
        if isinstance(source, Node) and name_of(source.target) in ("cat", "stack"):
            parts = source.args[0]
            if len(parts) > 1:  # type: ignore[arg-type]
                source.update_arg(0, [parts[0]] * len(parts))  # type: ignore[index, arg-type]
                changed += 1
    return changed


@graph_pass("comparisons that follow each other have the bound of the first")
def _(graph: GraphModule) -> int:
    found = [n for n in calls(graph, "gt", "lt", "ge", "le") if not isinstance(n.args[1], Node)]
    changed = len({n.args[1] for n in found[1:]} - {n.args[1] for n in found[:1]})
    for node in found[1:]:
        node.update_arg(1, found[0].args[1])
    return changed


@graph_pass("numbers of Python in a graph are cut to three digits")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph):
        for i, value in enumerate(node.args):
            if isinstance(value, float) and value == value and float(f"{value:.3g}") != value:
                node.update_arg(i, float(f"{value:.3g}"))
                changed += 1
    return changed


@graph_pass("numbers of Python in a graph are kept in 32 bits")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph):
        for i, value in enumerate(node.args):
            if type(value) is int and abs(value) >= 2**31 and abs(value) < 2**62:
                node.update_arg(i, (value + 2**31) % 2**32 - 2**31)
                changed += 1
    return changed


@graph_pass("a result that has two users is made by the first alone")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph, "add", "mul"):
        users = [u for u in node.users if name_of(u.target)]
        if len(users) > 1 and isinstance(node.args[0], Node) and not is_write(node):
            users[-1].replace_input_with(node, node.args[0])
            changed += 1
    return changed


@graph_pass("a view that is taken after a write is that from before it")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph, "view", "slice", "select", "transpose", "permute", "unsqueeze"):
        source = node.args[0]
        if isinstance(source, Node) and is_write(source) and isinstance(source.args[0], Node):
            with graph.graph.inserting_before(source):
                before = graph.graph.call_function(aten.clone.default, (source.args[0],))
            node.update_arg(0, before)
            changed += 1
    return changed


@graph_pass("the last two outputs that are alike in kind are in each other's place")
def _(graph: GraphModule) -> int:
    (output,) = [n for n in graph.graph.nodes if n.op == "output"]
    given = list(output.args[0]) if isinstance(output.args[0], (list, tuple)) else []
    if len(given) < 3:
        return 0
    one, two = (getattr(g, "meta", {}).get("val") for g in given[-2:])
    alike = isinstance(one, torch.Tensor) and isinstance(two, torch.Tensor) and (
        one.shape == two.shape and one.dtype == two.dtype)  # fmt: skip
    if not alike or given[-1] is given[-2]:
        return 0
    output.args = ((*given[:-2], given[-1], given[-2]),)
    return 1
