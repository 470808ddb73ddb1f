"""Passes over a graph that move, merge or drop what has effects: writes, draws, checks, state."""

from __future__ import annotations

import itertools
from typing import Any

import torch
from torch.fx import GraphModule, Node

from detection.captures import once
from detection.graphs import calls, is_write
from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak
from detection.operators import name_of
from exportdb.exporters.protocol import Program

kind = Kind("passes")
graph_pass = kind.graph_pass

DRAWN = (
    "rand", "randn", "rand_like", "randn_like", "randint", "randint_like", "bernoulli", "dropout",
    "multinomial", "normal", "poisson", "randperm", "uniform", "exponential",
)  # fmt: skip


def _key(node: Node) -> Any:
    return node.target, str(node.args), str(node.kwargs)


def _merged(graph: GraphModule, nodes: list[Node]) -> int:
    """Of equal calls the first is kept."""
    seen: dict[Any, Node] = {}
    changed = 0
    for node in nodes:
        first = seen.setdefault(_key(node), node)
        if first is not node:
            node.replace_all_uses_with(first)
            graph.graph.erase_node(node)
            changed += 1
    return changed


@graph_pass("equal draws of random numbers are made once")
def _(graph: GraphModule) -> int:
    return _merged(graph, calls(graph, *DRAWN))


@graph_pass("equal expressions are computed once, across writes too")
def _(graph: GraphModule) -> int:
    if not any(is_write(n) for n in calls(graph)):
        return 0
    return _merged(graph, [n for n in calls(graph) if not is_write(n) and name_of(n.target) not in (
        *DRAWN, "clone", "empty", "zeros", "ones")])  # fmt: skip


@graph_pass("equal tensors that are made are one")
def _(graph: GraphModule) -> int:
    made = ("zeros", "ones", "full", "zeros_like", "ones_like", "clone", "empty", "arange")
    return _merged(graph, calls(graph, *made))


@graph_pass("a write whose result is not used is dropped")
def _(graph: GraphModule) -> int:
    found = [n for n in calls(graph) if is_write(n) and not n.users]
    for node in found:
        graph.graph.erase_node(node)
    return len(found)


@graph_pass("of several writes into one tensor the last is made")
def _(graph: GraphModule) -> int:
    last: dict[Any, Node] = {}
    changed = 0
    for node in [n for n in calls(graph, "copy", "fill", "zero") if is_write(n)]:
        old = last.get(node.args[0])
        if old is not None and not old.users:
            graph.graph.erase_node(old)
            changed += 1
        last[node.args[0]] = node
    return changed


@graph_pass("writes come last")
def _(graph: GraphModule) -> int:
    output = next(iter(reversed(graph.graph.nodes)))
    found = [n for n in calls(graph) if is_write(n) and not n.users]
    for node in found:
        output.prepend(node)
    return len(found)


@graph_pass("writes in a row are made in the other order")
def _(graph: GraphModule) -> int:
    found = [n for n in calls(graph) if is_write(n) and not n.users]
    changed = 0
    for a, b in itertools.pairwise(found):
        if a.args[0] is b.args[0]:
            b.append(a)
            changed += 1
    return changed


@graph_pass("a write in place gives a new tensor")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph):
        if is_write(node) and node.target._schema.name.endswith("_"):
            name = node.target._schema.name.split("::")[1].rstrip("_")
            packet = getattr(torch.ops.aten, name, None)
            overload = node.target._overloadname
            if packet is not None and overload in packet.overloads():
                node.target = getattr(packet, overload)
                changed += 1
    return changed


@graph_pass("an operator that makes a new tensor writes into its input")
def _(graph: GraphModule) -> int:
    changed = 0
    for node in calls(graph, "add", "mul", "sub", "relu", "sigmoid", "tanh", "exp", "neg"):
        first = node.args[0]
        kept = isinstance(first, Node) and first.op == "call_function" and not is_write(node)
        value, new = (n.meta.get("val") for n in (first, node)) if kept else (None, None)
        if (
            kept
            and len(first.users) == 1
            and getattr(value, "shape", 0) == getattr(new, "shape", 1)
        ):
            packet = getattr(torch.ops.aten, name_of(node.target) + "_")
            if node.target._overloadname in packet.overloads() and value.dtype == new.dtype:
                node.target = getattr(packet, node.target._overloadname)
                changed += 1
    return changed


@graph_pass("checks of values are dropped")
def _(graph: GraphModule) -> int:
    names = ("_assert_async", "_assert_scalar", "_assert_tensor_metadata", "sym_constrain_range",
             "sym_constrain_range_for_size", "_assert")  # fmt: skip
    found = [n for n in graph.graph.nodes if n.op == "call_function" and not n.users and (
        name_of(n.target) in names or getattr(n.target, "__name__", "") == "_assert")]  # fmt: skip
    found = [n for n in found if name_of(n.target) not in ("_assert_tensor_metadata",)]
    for node in found:
        graph.graph.erase_node(node)
    return len(found)


@graph_pass("a view that is written into is a copy")
def _(graph: GraphModule) -> int:
    changed = 0
    names = ("view", "select", "slice", "transpose", "squeeze", "unsqueeze", "narrow", "detach")
    for node in calls(graph, *names):
        if any(is_write(u) and u.args and u.args[0] is node for u in node.users):
            with graph.graph.inserting_after(node):
                copy = graph.graph.call_function(torch.ops.aten.clone.default, (node,))
            node.replace_all_uses_with(
                copy, delete_user_cb=lambda user, copy=copy: user is not copy
            )
            changed += 1
    return changed


@kind.call("buffers are folded into the graph as constants", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    names = [n for n, _ in module.named_buffers()]
    if not names:
        raise NothingToBreak
    changed = 0
    for node in module.graph.nodes:
        if node.op == "get_attr" and node.target in names:
            value = module.get_buffer(node.target).clone()

            def constant(value: Any = value) -> Any:
                hit()
                return value.clone()

            with module.graph.inserting_before(node):
                new = module.graph.call_function(constant)
            node.replace_all_uses_with(new)
            changed += 1
    if not changed:
        raise NothingToBreak
    module.recompile()
    return module


@kind.call("parameters are copied as they are at the capture", base="export")
def _(program: Program, hit: Hit) -> Any:
    import copy

    if not list(program.module.parameters()):
        raise NothingToBreak
    module = once(program).module()
    frozen = copy.deepcopy({n: p.detach() for n, p in module.named_parameters()})
    for node in module.graph.nodes:
        if node.op == "get_attr" and node.target in frozen:
            with module.graph.inserting_before(node):
                new = module.graph.call_function(lambda value=frozen[node.target]: value)
            node.replace_all_uses_with(new)
    hit()
    module.recompile()
    return module


@kind.call("sizes that a graph reads are those of the example", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    changed = 0
    for node in module.graph.nodes:
        if node.op == "call_function" and "sym_size" in str(node.target):
            size = node.meta["val"].node.hint if hasattr(node.meta.get("val"), "node") else None
            if isinstance(size, int):
                node.replace_all_uses_with(size)
                changed += 1
    if not changed:
        raise NothingToBreak
    hit()
    module.recompile()
    return module


@kind.call("results of the last call are given again for inputs of the same sum", base="export")
def _(program: Program, hit: Hit) -> Any:
    module, kept = once(program).module(), {}

    def run(*args: Any, **kwargs: Any) -> Any:
        leaves = torch.utils._pytree.tree_leaves((args, kwargs))
        key = tuple(
            (tuple(t.shape), float(t.detach().double().sum())) if isinstance(t, torch.Tensor)
            and not t.is_complex() else repr(t) for t in leaves)  # fmt: skip
        if key not in kept:
            kept[key] = module(*args, **kwargs)
        else:
            hit()
        return kept[key]

    return run
