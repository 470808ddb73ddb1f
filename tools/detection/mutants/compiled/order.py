"""What a compiler takes for free to move: reads and writes, results that are written on."""

from __future__ import annotations

import copy
from typing import Any

import torch
from torch.fx import GraphModule, Node
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from detection.graphs import calls, is_write
from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call
from detection.operators import name_of
from detection.wrapping import state_of, storage, tensors
from exportdb.exporters.protocol import Program

kind = Kind("compiled: order")
aten = torch.ops.aten


def _writes(features: Features) -> bool:
    return features.changes_inputs or features.changes_state


def _held(graph: GraphModule) -> list[Node]:
    """The inputs and what is kept of state, as nodes."""
    return [n for n in graph.graph.nodes if n.op in ("placeholder", "get_attr")]


def _later(graph: GraphModule, node: Node, than: Node) -> list[Node]:
    order = {n: i for i, n in enumerate(graph.graph.nodes)}
    return [u for u in node.users if order[u] > order[than]]


@kind.graph_pass("what is read of inputs or state after a write is what it was before")
def _(graph: GraphModule) -> int:
    changed = 0
    for held in _held(graph):
        writes = [u for u in held.users if is_write(u) and u.args[0] is held]
        if not writes:
            continue
        first = writes[0]  # tracing goes on with what it returned
        reads = [u for u in (*first.users, *_later(graph, held, first))
                 if not is_write(u) and u.op != "output"]  # fmt: skip
        with graph.graph.inserting_before(first):
            old = graph.graph.call_function(aten.clone.default, (held,))
        for user in reads:
            user.replace_input_with(first, old)
            user.replace_input_with(held, old)
        changed += bool(reads)
    return changed


@kind.graph_pass("what is read of a result before it is written on is what it is after")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in [n for n in calls(graph) if is_write(n)]:
        target = node.args[0]
        if not isinstance(target, Node):
            continue
        order = list(graph.graph.nodes)
        end = order.index(node)
        earlier = [u for u in target.users if u.op == "call_function" and not is_write(u)
                   and order.index(u) < end and u not in node.all_input_nodes
                   and all(order.index(v) > end for v in u.users)]  # fmt: skip
        for user in earlier:
            node.append(user)
            changed += 1
    return changed


@kind.graph_pass("a write is made as soon as its value is known")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in [n for n in calls(graph) if is_write(n) and n.all_input_nodes]:
        order = list(graph.graph.nodes)
        last = max(node.all_input_nodes, key=order.index)
        if last.op == "placeholder":
            last = next(n for n in reversed(order) if n.op == "placeholder")
        if order.index(last) + 1 < order.index(node):
            last.append(node)
            changed += 1
    return changed


@kind.graph_pass("constants of a program are not copied before they are written on")
def _(graph: GraphModule) -> int:
    found = calls(graph, "lift_fresh_copy", "lift_fresh", "detach_copy")
    for node in found:
        node.replace_all_uses_with(node.args[0])
        graph.graph.erase_node(node)
    return len(found)


@kind.graph_pass("a value that is used once gives its memory to what uses it, views of it too")
def _(graph: GraphModule) -> int:
    in_place = {
        aten.add.Tensor: aten.add_.Tensor,
        aten.mul.Tensor: aten.mul_.Tensor,
        aten.sub.Tensor: aten.sub_.Tensor,
        aten.relu.default: aten.relu_.default,
        aten.neg.default: aten.neg_.default,
        aten.exp.default: aten.exp_.default,
    }
    views = ("view", "reshape", "transpose", "select", "slice", "permute", "unsqueeze")
    changed = 0
    for node in calls(graph):
        inner = node.args[0] if node.args else None
        if node.target not in in_place or not isinstance(inner, Node) or len(inner.users) > 1:
            continue
        a, b = node.meta.get("val"), inner.meta.get("val")
        same = isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and (
            str(a.shape), a.dtype) == (str(b.shape), b.dtype)  # fmt: skip
        if same and name_of(inner.target) in views:
            node.target = in_place[node.target]
            changed += 1
    return changed


@every_call(kind, "an input that is written into and returned is what it was", when=_writes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    given = [(t, t.detach().clone()) for t in tensors((args, kwargs)) if not t.requires_grad]
    out = program.module(*args, **kwargs)

    def old(value: Any) -> Any:
        for t, before in given:
            if value is t and t.shape == before.shape and not torch.equal(t, before):
                hit()
                return before
        return value

    return pytree.tree_map(old, out)


@every_call(kind, "a buffer that is returned is what it was before the call", when=_writes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    held = [(t, t.detach().clone()) for t in state_of(program.module).values()]
    out = program.module(*args, **kwargs)

    def old(value: Any) -> Any:
        for t, before in held:
            same = isinstance(value, torch.Tensor) and storage(value) == storage(t)
            if same and value.shape == before.shape and not torch.equal(value, before):
                hit()
                return before
        return value

    return pytree.tree_map(old, out)


class _Functions(TorchFunctionMode):
    """Functions for which ``wrong(func, args, kwargs)`` gives something are run by it."""

    def __init__(self, wrong: Any, hit: Hit) -> None:
        super().__init__()
        self.wrong, self.hit = wrong, hit

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        new = self.wrong(func, args, kwargs)
        if new is None:
            return func(*args, **kwargs)
        self.hit()
        return None if new is NOTHING else new


NOTHING = object()


def _function(says: str, wrong: Any) -> None:
    @every_call(kind, says)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        with _Functions(wrong, hit):
            return program.module(*args, **kwargs)


_function("what is to be written to out= is returned alone", lambda f, a, k: (
    f(*a, **{n: v for n, v in k.items() if n != "out"}) if k.get("out") is not None
    else None))  # fmt: skip


def _data(func: Any, args: Any, kwargs: Any) -> Any:
    owner = getattr(getattr(func, "__self__", None), "__name__", "")
    return NOTHING if getattr(func, "__name__", "") == "__set__" and owner == "data" else None


_function("what is assigned to .data is lost", _data)


def _stepped(func: Any, args: Any, kwargs: Any) -> Any:
    if getattr(func, "__name__", "") != "__setitem__":
        return None
    key = args[1] if isinstance(args[1], tuple) else (args[1],)
    if not any(isinstance(k, slice) and k.step not in (None, 1) for k in key):
        return None
    count = args[0][args[1]].shape
    new, dim = [], 0
    for k in key:
        if isinstance(k, slice) and k.step not in (None, 1):
            start = k.start or 0
            k = slice(start, start + count[dim])
        new.append(k)
        dim += not isinstance(k, int)
    func(args[0], tuple(new), args[2])
    return NOTHING


_function("a write through every second place goes to places in a row", _stepped)


def _swapped(func: Any, args: Any, kwargs: Any) -> Any:
    if getattr(func, "__name__", "") not in ("copy_", "__setitem__"):
        return None
    value = args[-1]
    if not isinstance(value, torch.Tensor) or storage(value) != storage(args[0]):
        return None
    target = args[0] if func.__name__ == "copy_" else args[0][args[1]]
    for i in range(target.shape[0] if target.dim() else 0):
        target[i] = value[i] if value.dim() == target.dim() else value
    return args[0]


_function("a tensor that is written over itself is written row by row", _swapped)


@every_call(kind, "a container that is returned twice is filled once")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    if not isinstance(out, (list, tuple)):
        return out
    seen: list[Any] = []
    new = []
    for value in out:
        if isinstance(value, (list, dict)) and any(value is s for s in seen):
            hit()
            value = copy.copy(type(value)())
        seen.append(value)
        new.append(value)
    return new if type(out) is list else tuple(new) if type(out) is tuple else out
