"""How an exported graph is broken: calls in it are replaced, or a pass over it does too much.

Owns the way of a defect into the graph that ``torch.export`` gives, where operators still are those
that a user calls (``layer_norm``, ``cross_entropy_loss``) and arguments still have their names. The
defects themselves are left to ``mutants``.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch._ops import OpOverload
from torch.fx import Graph, GraphModule, Node

from detection.captures import once
from detection.mutant import Hit, Make, NothingToBreak
from detection.operators import name_of, same
from exportdb.exporters.protocol import Program


class Copy:
    """A graph to see whether a pass finds anything in it; nothing runs it."""

    def __init__(self, graph: Graph) -> None:
        self.graph = graph


@dataclass(frozen=True)
class Call:
    """One call of an operator while the graph runs: its arguments by the names of its schema."""

    operator: OpOverload
    arguments: dict[str, Any]

    def __getitem__(self, name: str) -> Any:
        """An argument, None where this overload has no such."""
        return self.arguments.get(name)

    @property
    def x(self) -> Any:
        """The first argument, whatever its name."""
        return next(iter(self.arguments.values()))

    def defaults(self) -> dict[str, Any]:
        """The defaults of those arguments that have one."""
        arguments = self.operator._schema.arguments
        return {a.name: a.default_value for a in arguments if a.has_default_value()}

    def __call__(self, x: Any = None, **changed: Any) -> Any:
        """What the operator gives; with other arguments where they are named."""
        given = {**self.arguments, **changed}
        if x is not None:
            given[next(iter(given))] = x
        positional = [a.name for a in self.operator._schema.arguments if not a.kwarg_only]
        only = {name: value for name, value in given.items() if name not in positional}
        return self.operator(*(given[name] for name in positional), **only)


#: What a broken lowering makes of a call, or None where it has nothing to break.
Lowering = Callable[[Call], Any]
#: A pass over one graph: the number of places that it changed.
Pass = Callable[[Any], int]


def bound(func: OpOverload, args: Sequence[Any], kwargs: dict[str, Any]) -> Call:
    """A call of an operator as it stands in a graph."""
    found = {}
    for i, argument in enumerate(func._schema.arguments):
        default = argument.default_value if argument.has_default_value() else None
        found[argument.name] = args[i] if i < len(args) else kwargs.get(argument.name, default)
    return Call(func, found)


def _lowered(func: OpOverload, lowering: Lowering, hit: Hit) -> Callable[..., Any]:
    """The function that takes the place of ``func`` in a graph."""

    def run(*args: Any, **kwargs: Any) -> Any:
        call = bound(func, args, kwargs)
        if func._schema.is_mutable:
            wrong = lowering(call)
            if wrong is None:
                return func(*args, **kwargs)
            hit()
            return wrong
        right = func(*args, **kwargs)
        # What is drawn at random must be drawn once.
        state = torch.get_rng_state() if torch.Tag.nondeterministic_seeded in func.tags else None
        wrong = lowering(call)
        if state is not None and wrong is None:
            torch.set_rng_state(state)
        if wrong is None or same(right, wrong):
            return right
        hit()
        return wrong

    return run


def graphs_of(module: torch.nn.Module) -> Iterator[GraphModule]:
    """A module's graph and those within it."""
    for each in module.modules():
        if isinstance(each, GraphModule):
            yield each


def lowering(names: Sequence[str], wrong: Lowering) -> Make:
    """A capture by export in which the operators ``names`` are lowered wrongly."""

    def make(program: Program, hit: Hit) -> Any:
        exported = once(program)
        if not any(name_of(n.target) in names for g in graphs_of(exported.graph_module)
                   for n in g.graph.nodes):  # fmt: skip
            raise NothingToBreak
        module = exported.module()
        for graph in graphs_of(module):
            for node in graph.graph.nodes:
                if name_of(node.target) in names:
                    node.target = _lowered(node.target, wrong, hit)
            graph.recompile()
        return module

    return make


def passed(change: Pass) -> Make:
    """A capture by export with a pass over its graphs that changes too much."""

    def make(program: Program, hit: Hit) -> Any:
        exported = once(program)
        copies = (copy.deepcopy(g.graph) for g in graphs_of(exported.graph_module))
        if not any(change(Copy(graph)) for graph in copies):
            raise NothingToBreak
        module = exported.module()
        for graph in graphs_of(module):
            if change(graph):
                hit()
            graph.recompile()
        return module

    return make


def calls(graph: GraphModule, *names: str) -> list[Node]:
    """The calls of the operators ``names`` in a graph, of all of aten if none is named."""
    return [
        n for n in graph.graph.nodes
        if n.op == "call_function" and (name := name_of(n.target)) and (not names or name in names)
    ]  # fmt: skip


def is_write(node: Node) -> bool:
    """Whether a node writes into what it is given."""
    return isinstance(node.target, OpOverload) and node.target._schema.is_mutable


def skipped(graph: GraphModule, *names: str) -> int:
    """Replace calls by their first argument."""
    found = [n for n in calls(graph, *names) if isinstance(n.args[0], Node)]
    for node in found:
        node.replace_all_uses_with(node.args[0])
        graph.graph.erase_node(node)
    return len(found)
