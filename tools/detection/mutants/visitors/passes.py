"""Passes over a graph that hold for most programs, and not for all."""

from __future__ import annotations

from typing import Any

from torch.fx import Node

from detection.graphs import calls
from detection.kind import Kind

folded = Kind("visitor: folded")
moved = Kind("visitor: moved")

CONVOLUTIONS = ("conv1d", "conv2d", "conv3d", "convolution")
RELU = ("relu", "leaky_relu")


def _size(node: Any) -> Any:
    value = node.meta.get("val") if isinstance(node, Node) else None
    return getattr(value, "shape", None)


@folded.graph_pass("what pads before a convolution is nought")
def _(graph: Any) -> int:
    """So that it is the convolution's own padding, whatever value it has."""
    changed = 0
    for node in calls(graph, *CONVOLUTIONS):
        pad = node.args[0]
        if pad not in calls(graph, "pad", "constant_pad_nd"):
            continue
        place = 3 if pad in calls(graph, "pad") else 2
        if len(pad.args) > place and pad.args[place]:
            pad.args = (*pad.args[:place], 0.0, *pad.args[place + 1 :])
            changed += 1
    return changed


@moved.graph_pass("a factor is moved from before a ramp to behind it")
def _(graph: Any) -> int:
    """Though it may be below nought."""
    changed = 0
    for node in calls(graph, *RELU):
        product = node.args[0]
        if product not in calls(graph, "mul") or len(product.users) > 1:
            continue
        x, factor = product.args
        if not isinstance(factor, int | float) or not isinstance(x, Node):
            continue
        node.replace_input_with(product, x)
        with graph.graph.inserting_after(node):
            after = graph.graph.call_function(product.target, (node, factor))
        node.replace_all_uses_with(after, lambda user, _a=after: user is not _a)
        changed += 1
    return changed


@folded.graph_pass("what is added to all of a row before a softmax is left out")
def _(graph: Any) -> int:
    """What is the same for a row makes no difference; a mask is not the same for a row."""
    changed = 0
    for node in calls(graph, "softmax", "_softmax", "log_softmax"):
        total = node.args[0]
        if total not in calls(graph, "add"):
            continue
        whole, part = total.args[:2]
        if (
            _size(whole) == _size(total)
            and _size(part) is not None
            and len(_size(part)) < len(_size(total))
        ):
            node.replace_input_with(total, whole)
            changed += 1
    return changed


@moved.graph_pass("a cast is moved behind the sum before it")
def _(graph: Any) -> int:
    """Of two that are cast up and added: they are added first, and wrap or round."""
    changed = 0
    for node in calls(graph, "add", "mul"):
        casts = node.args[:2]
        if len(casts) < 2 or not all(c in calls(graph, "to", "_to_copy") for c in casts):
            continue
        kinds = {str(c.args[0].meta["val"].dtype) for c in casts}
        if len(kinds) > 1 or casts[0].target is not casts[1].target:
            continue
        cast, rest = casts[0].target, casts[0].args[1:]
        for c in casts:
            node.replace_input_with(c, c.args[0])
        with graph.graph.inserting_after(node):
            after = graph.graph.call_function(cast, (node, *rest), casts[0].kwargs)
        node.replace_all_uses_with(after, lambda user, _a=after: user is not _a)
        changed += 1
    return changed
