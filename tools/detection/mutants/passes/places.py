"""Views, indices, orders and masks that a pass merges, drops or recognises where it must not."""

from __future__ import annotations

import operator
from typing import Any

import torch
from torch.fx import Node
from torch.nn import functional

from detection.graphs import Call, calls, is_write
from detection.kind import Kind
from detection.mutants.passes.rule import meta, number, of, one, rank, rule

dropped = Kind("passes: views dropped")
indexed = Kind("passes: indexed")
ordered = Kind("passes: ordered")
masked = Kind("passes: masked")
alike = Kind("passes: alike")

VIEWS = "view reshape flatten"


# --- views --------------------------------------------------------------------------------------


@rule(
    dropped,
    VIEWS,
    "transpose permute view unflatten",
    "a transpose between two reshapes that are back at the old sizes is left out",
)
def _(call: Call) -> Any:
    turned = of(call.x, "transpose", "permute")
    first = of(turned.x, "view", "reshape", "unflatten") if turned else None
    before, after = (meta(first.x), call) if first else (None, None)
    if first is None or before is None or after is None:
        return None
    size = call["size"] if call["size"] is not None else call["shape"]
    if size is None or len(size) != before.dim():
        return None
    return lambda x: x * 1, first.x


@rule(dropped, "flatten", "permute transpose mT", "a transpose before flatten is left out")
def _(call: Call) -> Any:
    turned = of(call.x, "permute", "transpose", "mT")
    if turned is None:
        return None
    return call.operator, turned.x, *list(call.arguments.values())[1:]


@rule(dropped, "cat", "slice", "slices of one tensor that are joined are the tensor")
def _(call: Call) -> Any:
    """Whether or not they are in order and without a gap."""
    parts = [of(p, "slice") for p in call.x]
    if not all(parts) or len(parts) < 2:
        return None
    whole = {p.x for p in parts if p}
    dims = {p["dim"] for p in parts if p}
    if len(whole) != 1 or len(dims) != 1 or dims != {call["dim"] or 0}:
        return None
    (tensor,), sizes = whole, [meta(p) for p in call.x]
    if sum(s.shape[next(iter(dims))] for s in sizes if s is not None) != (
        full.shape[next(iter(dims))] if (full := meta(tensor)) is not None else -1
    ):
        return None
    return lambda x: x * 1, tensor


@rule(
    dropped,
    "cat stack",
    "split split_with_sizes chunk unbind",
    "parts of a tensor that are joined again are the tensor, in any order",
)
def _(call: Call) -> Any:
    parts = list(call.x)
    if not all(isinstance(p, Node) and p.target is operator.getitem for p in parts):
        return None
    whole = {p.args[0] for p in parts}
    places = sorted(p.args[1] for p in parts)
    if len(whole) != 1 or places != list(range(len(parts))):
        return None
    (split,) = whole
    stacked = "stack" in str(call.operator)
    first = _split(split, "unbind" if stacked else "split split_with_sizes chunk")
    if first is None or (first["dim"] or 0) != (call["dim"] or 0):
        return None
    if [p.args[1] for p in parts] == places:
        return None
    return lambda x: x * 1, first.x


def _split(node: Node, names: str) -> Call | None:
    return of(node, *names.split())


@rule(dropped, "stack", "unbind", "what is unbound and stacked is the same, along any dimension")
def _(call: Call) -> Any:
    parts = list(call.x)
    if not all(isinstance(p, Node) and p.target is operator.getitem for p in parts):
        return None
    whole = {p.args[0] for p in parts}
    first = of(next(iter(whole)), "unbind") if len(whole) == 1 else None
    value = meta(first.x) if first else None
    if first is None or value is None or value.dim() < 2:
        return None
    sizes = [value.shape[first["dim"] or 0], value.shape[call["dim"] or 0]]
    return (lambda x: x * 1, first.x) if sizes[0] == sizes[1] else None


@rule(dropped, "cat stack", "select", "rows of one tensor that are stacked are the tensor")
def _(call: Call) -> Any:
    """In whatever order they were taken."""
    rows = [of(p, "select") for p in call.x]
    if not all(rows) or len({r.x for r in rows if r}) != 1:
        return None
    first = rows[0]
    if first is None or first["dim"] != (call["dim"] or 0):
        return None
    value = meta(first.x)
    if value is None or value.shape[first["dim"]] != len(rows):
        return None
    return lambda x: x * 1, first.x


@rule(
    dropped, "slice", "cat", "a slice that ends in the first of joined parts, or behind, is of it"
)
def _(call: Call) -> Any:
    cat = of(call.x, "cat")
    if cat is None or call["dim"] not in (cat["dim"] or 0, (cat["dim"] or 0) + rank(call.x)):
        return None
    first = cat.x[0]
    start, size = call["start"] or 0, meta(first)
    if not isinstance(start, int) or size is None or not start > 0:
        return None
    width = size.shape[call["dim"]]
    if not isinstance(width, int) or start < width or call["step"] != 1:
        return None
    return cat.x[1] and (lambda x: x * 1, cat.x[1]) if len(cat.x) == 2 else None


@rule(dropped, "select", "stack", "of stacked tensors the i-th is taken, along any dimension")
def _(call: Call) -> Any:
    stack = of(call.x, "stack")
    if stack is None or not isinstance(call["index"], int) or call["index"] >= len(stack.x):
        return None
    return (lambda x: x * 1, stack.x[call["index"]]) if call["dim"] != (stack["dim"] or 0) else None


# --- indexed ------------------------------------------------------------------------------------


def _indices(call: Call | None) -> list[Any]:
    return [] if call is None else list(call["indices"])


@rule(indexed, "index", "", "of an index of an index the first is taken at the second's places")
def _(call: Call) -> Any:
    """The wrong way round."""
    inner = of(call.x, "index")
    outer, first = _indices(call), _indices(inner)
    if inner is None or len(outer) != 1 or len(first) != 1:
        return None
    return lambda x, i, j: x[j[i % len(j)]], inner.x, first[0], outer[0]


@rule(indexed, "index", "", "two indices of two dimensions in a row are taken in pairs")
def _(call: Call) -> Any:
    inner = of(call.x, "index")
    outer, first = _indices(call), _indices(inner)
    if inner is None or len(first) != 1 or len(outer) != 2 or outer[0] is not None:
        return None
    a, b = meta(first[0]), meta(outer[1])
    if a is None or b is None or a.shape != b.shape:
        return None
    return lambda x, i, j: x[i, j][:, None].expand(-1, len(j)) * 1, inner.x, first[0], outer[1]


@rule(indexed, "index_select", "", "two index_selects in a row are one, along the first's dim")
def _(call: Call) -> Any:
    inner = of(call.x, "index_select")
    if inner is None or inner["dim"] == call["dim"]:
        return None
    return (
        lambda x, dim, i, j: x.index_select(dim, i[j]),
        inner.x,
        inner["dim"],
        inner["index"],
        call["index"],
    )


@rule(indexed, "gather", "", "a gather of a gather is what it was, as the orders undo each other")
def _(call: Call) -> Any:
    inner = of(call.x, "gather")
    undone = of(call["index"], "argsort")
    if inner is None or inner["dim"] != call["dim"] or (undone and undone.x is inner["index"]):
        return None
    return lambda x: x * 1, inner.x


@rule(indexed, "argsort", "", "the order of an order is the order")
def _(call: Call) -> Any:
    inner = of(call.x, "argsort")
    return inner and (lambda order: order * 1, call.arguments["self"])


@rule(
    indexed,
    "matmul mm",
    "one_hot to mul add sum rsub",
    "a product of what was a one-hot matrix and a table is a lookup",
)
def _(call: Call) -> Any:
    """Also where the matrix has been smoothed, turned round or added up."""
    seen, found = call.x, False
    while not (hot := of(seen, "one_hot")):
        step = of(seen, "to", "mul", "add", "sum", "rsub")
        if step is None:
            return None
        found = found or not of(seen, "to")
        seen = step.x if isinstance(step.x, Node) else None
        other = step["other"]
        if isinstance(other, Node) and of(other, "to", "one_hot"):
            seen = other
    table = list(call.arguments.values())[1]
    return (lambda a, table: table[a.argmax(-1)], call.x, table) if hot and found else None


@rule(indexed, "embedding", "", "a table that is looked up by what was looked up is one lookup")
def _(call: Call) -> Any:
    inner = of(call["indices"], "select", "embedding")
    if inner is None or not (of(inner.x, "embedding") or "embedding" in str(inner.operator)):
        return None
    first = of(inner.x, "embedding") or inner
    return (
        lambda table, ids: functional.embedding(ids.flatten() % len(table), table),
        call["weight"],
        first["indices"],
    )


# --- ordered ------------------------------------------------------------------------------------


@rule(ordered, "select", "sort", "the first of what was sorted is the least, sorted downwards too")
def _(call: Call) -> Any:
    order = of(call.x, "sort")
    if order is None or call["index"] != 0 or not order["descending"]:
        return None
    return lambda x, dim: x.amin(dim), order.x, call["dim"]


@rule(ordered, "select", "sort", "one of what was sorted is found along the dim that is cut")
def _(call: Call) -> Any:
    order = of(call.x, "sort")
    dim = order["dim"] if order else None
    if order is None or dim is None or dim % rank(call.x) == call["dim"] or call["index"] != 0:
        return None
    return (
        lambda x, dim, down: x.amax(dim) if down else x.amin(dim),
        order.x,
        call["dim"],
        bool(order["descending"]),
    )


@rule(ordered, "slice", "sort", "the first few of what was sorted are the largest")
def _(call: Call) -> Any:
    order = of(call.x, "sort")
    if order is None or call["dim"] != (order["dim"] or 0) or call["start"] not in (None, 0):
        return None
    if not isinstance(call["end"], int) or not 0 < call["end"] < 100:
        return None
    node = call.arguments["self"]
    if isinstance(node, Node) and node.target is operator.getitem and node.args[1] != 0:
        return None
    return lambda x, k, dim: x.topk(k, dim)[0], order.x, call["end"], call["dim"]


@rule(ordered, "squeeze select", "topk", "the last of topk is the largest")
def _(call: Call) -> Any:
    best = of(call.x, "topk")
    if best is None or call["dim"] != best["dim"] or call["index"] not in (-1, best["k"] - 1):
        return None
    return lambda x, dim: x.amax(dim), best.x, call["dim"]


@rule(ordered, "eq", "amax max", "what equals the maximum is the place of the maximum")
def _(call: Call) -> Any:
    """Of several that are equal the first alone."""
    most = of(call["other"], "amax")
    dim = one(most["dim"]) if most else None
    if most is None or most.x is not call.x or dim is None or not most["keepdim"]:
        return None
    return (
        lambda x, dim: torch.zeros_like(x, dtype=torch.bool).scatter(
            dim, x.argmax(dim, keepdim=True), True
        ),
        call.x,
        dim,
    )


@rule(ordered, "ge", "topk slice", "what is at least the k-th largest are the places of topk")
def _(call: Call) -> Any:
    cut = of(call["other"], "slice", "select")
    best = of(cut.x, "topk") if cut else None
    if best is None or best.x is not call.x or best["dim"] is None:
        return None
    return (
        lambda x, k, dim: torch.zeros_like(x, dtype=torch.bool).scatter(
            dim, x.topk(k, dim)[1], True
        ),
        call.x,
        best["k"],
        best["dim"],
    )


@rule(ordered, "sub", "cumsum", "a running sum without its own element is the sum before it")
def _(call: Call) -> Any:
    """As if it began again in each row, along the last dimension."""
    total = of(call.x, "cumsum")
    if total is None or call["other"] is not total.x or rank(call.x) < 2:
        return None
    return lambda x: x.cumsum(0) - x, total.x


@rule(ordered, "cumsum", "ones_like ones full new_ones", "a running sum of a constant is a range")
def _(call: Call) -> Any:
    """Along the last dimension, and in the type of the constant."""
    made = of(call.x, "ones_like", "ones", "full", "new_ones", "full_like")
    if made is None:
        return None
    return (
        lambda x, right: torch.arange(1, x.shape[-1] + 1).expand(x.shape).to(x.dtype),
        call.arguments["self"],
        call["dim"],
    )


@rule(ordered, "cumsum diff", "", "running sums and differences undo each other")
def _(call: Call) -> Any:
    """But for the first of each row, and along one dimension alone."""
    summed = "cumsum" in str(call.operator)
    inner = of(call.x, "diff" if summed else "cumsum")
    if inner is None or not isinstance(call["dim"], int):
        return None
    return (lambda x, dim: x.narrow(dim, 1, x.shape[dim] - 1) * 1, inner.x, call["dim"])


# --- masked -------------------------------------------------------------------------------------


def _boolean(value: Any) -> bool:
    found = meta(value)
    return found is not None and found.dtype == torch.bool


def _floating(value: Any) -> bool:
    found = meta(value)
    return found is not None and found.dtype.is_floating_point


@rule(masked, "where", "", "a choice between a number and nought is a product with the mask")
def _(call: Call) -> Any:
    if call["other"] != 0 or not number(call["other"]) or not _floating(call["self"]):
        return None
    return lambda x, mask: x * mask, call["self"], call["condition"]


@rule(masked, "mul", "", "a product with a mask is a choice")
def _(call: Call) -> Any:
    if not _floating(call.x) or not _boolean(call["other"]):
        return None
    return lambda x, mask: torch.where(mask, x, 0.0), call.x, call["other"]


@rule(masked, "masked_fill", "softmax", "minus infinity in a mask is a large negative number added")
def _(call: Call) -> Any:
    if call["value"] != -float("inf"):
        return None
    return lambda x, mask: x + mask * torch.finfo(x.dtype).min / 2, call.x, call["mask"]


@rule(masked, "where", "gt lt ge le", "a choice by comparing with nought is relu")
def _(call: Call) -> Any:
    asked = of(call["condition"], "gt", "ge")
    if asked is None or asked.x is not call["self"] or asked["other"] != 0 or call["other"] != 0:
        return None
    return (torch.relu, call["self"]) if not isinstance(call["other"], Node) else None


@rule(masked, "where", "gt lt", "the larger of two by comparing is their maximum")
def _(call: Call) -> Any:
    asked = of(call["condition"], "gt", "lt")
    pair = call["self"], call["other"]
    if asked is None or not all(isinstance(p, Node) for p in pair):
        return None
    right = (asked.x, asked["other"]) if "gt" in str(asked.operator) else (asked["other"], asked.x)
    return (torch.maximum, *pair) if pair == right else None


@rule(masked, "mul", "gt sign", "a product with whether it is positive is relu")
def _(call: Call) -> Any:
    asked = of(call["other"], "gt", "ge")
    if asked is None or asked.x is not call.x or asked["other"] != 0:
        return None
    return torch.relu, call.x


@rule(masked, "gt lt", "arange unsqueeze", "of two positions the same one counts as before")
def _(call: Call) -> Any:
    def placed(value: Any) -> bool:
        seen = of(value, "unsqueeze", "view", "slice", "select", "add", "sub")
        return bool(of(value, "arange")) or (seen is not None and placed(seen.x))

    if not placed(call.x) or not placed(call["other"]):
        return None
    larger = "aten.gt" in str(call.operator)
    return (torch.ge if larger else torch.le), call.x, call["other"]


@rule(masked, "gt", "sum", "a sum that is positive says that any is")
def _(call: Call) -> Any:
    total = of(call.x, "sum")
    dim = one(total["dim"]) if total else None
    if total is None or dim is None or call["other"] != 0:
        return None
    return lambda x, dim: (x > 0).any(dim), total.x, dim


@rule(masked, "eq", "sum", "a sum of nought says that none is true")
def _(call: Call) -> Any:
    total = of(call.x, "sum")
    dim = one(total["dim"]) if total else None
    if total is None or dim is None or call["other"] != 0:
        return None
    return lambda x, dim: ~(x != 0).any(dim), total.x, dim


@masked.graph_pass("a mask and its denial are one mask", lowers="bitwise_not logical_not mul where")
def _(graph: Any) -> int:
    """In sums of two products, of which the second is for the other elements."""
    changed = 0
    for node in calls(graph, "mul"):
        denied = of(node.args[1], "bitwise_not", "logical_not")
        if denied is not None and _boolean(denied.x) and isinstance(node.args[1], Node):
            node.args = (node.args[0], denied.x)
            changed += 1
    return changed


# --- merged calls -------------------------------------------------------------------------------


def _once(graph: Any, key_of: Any) -> int:
    """Of calls with the same key, and results of the same size and type, the first is made."""
    seen: dict[Any, Node] = {}
    changed = 0
    for node in calls(graph):
        value = meta(node)
        if value is None or is_write(node) or torch.Tag.nondeterministic_seeded in node.target.tags:
            continue
        key = node.target, key_of(node), value.dtype, str(value.shape)
        first = seen.setdefault(key, node)
        if first is not node and value.dim():
            node.replace_all_uses_with(first)
            changed += 1
    return changed


@alike.graph_pass(
    "calls that differ in numbers and keywords alone are one", lowers="div clamp gelu add roll"
)
def _(graph: Any) -> int:
    return _once(graph, lambda node: tuple(a for a in node.args if isinstance(a, Node)))


@alike.graph_pass(
    "calls of the same tensors in another order are one", lowers="sub div matmul where cat lt"
)
def _(graph: Any) -> int:
    def key(node: Node) -> Any:
        found = [a for a in node.args if isinstance(a, Node)]
        lists = [a for arg in node.args if isinstance(arg, list | tuple) for a in arg]
        rest = [str(a) for a in node.args if not isinstance(a, Node | list | tuple)]
        tensors = sorted(str(a) for a in (*found, *lists))
        return tuple(tensors), tuple(rest), str(sorted(node.kwargs.items()))

    return _once(graph, key)
