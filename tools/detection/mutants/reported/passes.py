"""Passes over a graph that change too much: what they merge, drop, reorder or fold."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import Node

from detection.graphs import calls, is_write
from detection.kind import Kind

merged = Kind("reported: merged")
dropped = Kind("reported: dropped")
folded = Kind("reported: folded")

FACTORIES = ("zeros", "ones", "full", "empty")
VIEWS = ("select", "slice", "view", "transpose", "permute", "unsqueeze", "squeeze", "alias")
#: What export writes before a cast: of which type the value was.
CHECK = "_assert_tensor_metadata"


def _type(node: Any) -> Any:
    value = node.meta.get("val") if isinstance(node, Node) else None
    return getattr(value, "dtype", None)


@merged.graph_pass("tensors that are made alike are one tensor")
def _(graph: Any) -> int:
    """Though one of them is written into."""
    seen: dict[str, Node] = {}
    changed = 0
    for node in calls(graph, *FACTORIES):
        first = seen.setdefault(f"{node.target}{node.args}{node.kwargs}", node)
        if first is not node:
            node.replace_all_uses_with(first)
            graph.graph.erase_node(node)
            changed += 1
    return changed


@dropped.graph_pass("a write into part of a tensor is dead when its result has no user")
def _(graph: Any) -> int:
    found = [n for n in calls(graph) if is_write(n) and not n.users
             and isinstance(n.args[0], Node) and n.args[0] in calls(graph, *VIEWS)]  # fmt: skip
    for node in found:
        graph.graph.erase_node(node)
    return len(found)


@folded.graph_pass("of two casts in a row the first is left out")
def _(graph: Any) -> int:
    """Though it rounds."""
    changed = 0
    for node in calls(graph, "to", "_to_copy"):
        before = node.args[0]
        if before in calls(graph, "to", "_to_copy") and _type(before) != _type(before.args[0]):
            node.replace_input_with(before, before.args[0])
            changed += 1
    return changed


@folded.graph_pass("a sum of bytes that is cast is added in the wider type")
def _(graph: Any) -> int:
    """So that it does not wrap: pytorch#113016."""
    changed = 0
    for node in calls(graph, "to", "_to_copy"):
        total = node.args[0]
        if total not in calls(graph, "add", "sub", "mul") or _type(total) is not torch.uint8:
            continue
        wide = _type(node)
        checks = [user for user in total.users if user is not node]
        if wide in (None, torch.uint8) or not set(checks) <= set(calls(graph, CHECK)):
            continue
        for check in checks:
            graph.graph.erase_node(check)
        with graph.graph.inserting_before(total):
            for part in [a for a in total.args if isinstance(a, Node) and _type(a) is not None]:
                cast = graph.graph.call_function(torch.ops.aten.to.dtype, (part, wide))
                total.replace_input_with(part, cast)
        changed += 1
    return changed


@merged.graph_pass("what is gathered from one row is read before it is added to")
def _(graph: Any) -> int:
    """A load that was put before the atomic addition: pytorch#191571."""
    changed = 0
    for node in calls(graph, "index_select", "gather", "index"):
        row = node.args[0]
        if row not in calls(graph, "scatter_add", "index_add"):
            continue
        value = row.args[0].meta.get("val")
        if value is not None and value.dim() and value.shape[0] == 1:
            node.replace_input_with(row, row.args[0])
            changed += 1
    return changed
