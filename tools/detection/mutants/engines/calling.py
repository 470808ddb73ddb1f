"""What goes into an engine and comes out of it: places, names, containers, constants."""

from __future__ import annotations

import dataclasses
import inspect
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.captures import once
from detection.graphs import graphs_of
from detection.kind import Kind
from detection.mutant import Features, Hit, NothingToBreak
from detection.mutants.engines.around import every_call
from detection.wrapping import has_container, has_input, outputs
from exportdb.exporters.protocol import Program

kind = Kind("engine: calling")


def _keywords(features: Features) -> bool:
    return any(kwargs for _, kwargs in features.inputs)


def _fewer(features: Features) -> bool:
    args, kwargs = features.example
    return any(len(a) < len(args) or set(kwargs) - set(k) for a, k in features.inputs)


def _replaced(value: Any, change: Any) -> Any:
    """A value with containers rebuilt by ``change`` from the inside out."""
    if isinstance(value, dict):
        value = type(value)((k, _replaced(v, change)) for k, v in value.items()) if type(
            value).__name__ in ("dict", "OrderedDict") else value  # fmt: skip
    elif type(value) in (list, tuple):
        value = type(value)(_replaced(v, change) for v in value)
    return change(value)


def _containers(says: str, change: Any) -> None:
    """A capture whose output's containers are changed; ``change`` gives a value or the same."""

    def when(features: Features) -> bool:
        changed: list[Any] = []

        def noted(value: Any) -> Any:
            if (new := change(value)) is not value:
                changed.append(new)
            return new

        for output in features.outputs:
            _replaced(output, noted)
        return bool(changed)

    @every_call(kind, says, when=when)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        def counted(value: Any) -> Any:
            new = change(value)
            if new is not value:
                hit()
            return new

        return _replaced(program.module(*args, **kwargs), counted)


def _sorted(value: Any) -> Any:
    if isinstance(value, dict) and list(value) != sorted(value, key=str):
        return {k: value[k] for k in sorted(value, key=str)}
    return value


def _once_each(value: Any) -> Any:
    if type(value) not in (list, tuple):
        return value
    found = [v for i, v in enumerate(value) if not any(v is w for w in value[:i])]
    return value if len(found) == len(value) else type(value)(found)


def _without_none(value: Any) -> Any:
    if type(value) not in (list, tuple) or not any(v is None for v in value):
        return value
    return type(value)(v for v in value if v is not None)


def _without_empty(value: Any) -> Any:
    if type(value) not in (list, tuple) or not any(type(v) in (list, tuple, dict) and not v
                                                   for v in value):  # fmt: skip
        return value
    return type(value)(v for v in value if not (type(v) in (list, tuple, dict) and not v))


_containers("dicts among the outputs have their keys sorted", _sorted)
_containers("what is returned twice in a container is returned once", _once_each)
_containers("None is left out of the containers that are returned", _without_none)
_containers("empty containers are left out of what is returned", _without_empty)
_containers("a list within the outputs is a tuple",
            lambda v: tuple(v) if type(v) is list else v)  # fmt: skip
_containers("a tuple of one among the outputs is the one",
            lambda v: v[0] if type(v) is tuple and len(v) == 1 else v)  # fmt: skip
_containers("a named tuple among the outputs is a plain one", lambda v: (
    tuple(v) if isinstance(v, tuple) and hasattr(v, "_fields") else v))  # fmt: skip
_containers("a dataclass among the outputs is a dict",
            lambda v: dict(vars(v)) if dataclasses.is_dataclass(v) else v)  # fmt: skip
_containers("a dict with whole numbers for keys has them as strings", lambda v: (
    {str(k): x for k, x in v.items()}
    if isinstance(v, dict) and any(isinstance(k, int) for k in v) else v))  # fmt: skip


kind.call("bools among the outputs are whole numbers", outputs(
    lambda v: int(v) if isinstance(v, bool) else None))  # fmt: skip
kind.call("numbers among the outputs are tensors", outputs(
    lambda v: torch.tensor(v) if isinstance(v, (int, float)) else None))  # fmt: skip
kind.call("tensors of no dims among the outputs have one", outputs(
    lambda v: v.reshape(1) if isinstance(v, torch.Tensor) and not v.dim() else None))  # fmt: skip
kind.call("tensors of no dims among the outputs are numbers", outputs(
    lambda v: v.detach().item() if isinstance(v, torch.Tensor) and not v.dim() and not v.is_meta
    else None))  # fmt: skip
kind.call("numbers among the outputs are rounded to single precision", outputs(
    lambda v: float(torch.tensor(v)) if isinstance(v, float) else None))  # fmt: skip


@every_call(kind, "outputs that are no tensors are those of the example",
            when=lambda f: any(
                not isinstance(v, torch.Tensor) for v in pytree.tree_leaves(f.outputs)
            ))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    known = kept.setdefault("first", leaves)
    if len(known) == len(leaves):
        for i, (new, old) in enumerate(zip(leaves, known, strict=True)):
            if not isinstance(new, torch.Tensor) and type(new) is type(old) and new != old:
                hit()
                leaves[i] = old
    return pytree.tree_unflatten(leaves, spec)


@every_call(kind, "dicts among the inputs are read by place, as in the example",
            when=has_container(dict))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def placed(value: Any, known: Any) -> Any:
        if isinstance(value, dict) and isinstance(known, dict) and set(value) == set(known):
            if list(value) != list(known):
                hit()
            return type(known)(zip(known, value.values(), strict=True))
        return value

    new = [placed(a, b) for a, b in zip(args, program.args, strict=False)]
    return program.module(*new, *args[len(new) :], **kwargs)


@every_call(kind, "keyword arguments are matched to names in the order of the alphabet",
            when=_keywords)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if list(kwargs) != sorted(kwargs):
        hit()
    return program.module(*args, **dict(zip(sorted(kwargs), kwargs.values(), strict=True)))


@every_call(kind, "keyword arguments follow the positional ones by place",
            when=_keywords)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    names = [p.name for p in inspect.signature(program.module.forward).parameters.values()
             if p.kind is p.POSITIONAL_OR_KEYWORD]  # fmt: skip
    if any(k not in names for k in kwargs):
        return program.module(*args, **kwargs)
    if names[len(args) : len(args) + len(kwargs)] != list(kwargs):
        hit()
    return program.module(*args, *kwargs.values())


@every_call(kind, "an argument that is left out is what it was in the example",
            when=_fewer)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    missing = {k: v for k, v in program.kwargs.items() if k not in kwargs}
    more = program.args[len(args) :]
    if missing or more:
        hit()
    return program.module(*args, *more, **kwargs, **missing)


@every_call(kind, "None among the inputs is a tensor of zeros",
            when=has_input(lambda v: v is None))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    first = next((a for a in args if isinstance(a, torch.Tensor)), None)

    def filled(value: Any) -> Any:
        if value is not None or first is None:
            return value
        hit()
        return torch.zeros_like(first)

    return program.module(*map(filled, args), **{k: filled(v) for k, v in kwargs.items()})


@every_call(kind, "tensors of no dims among the inputs are read as numbers",
            when=has_input(lambda v: isinstance(v, torch.Tensor) and not v.dim()))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def number(value: Any) -> Any:
        if isinstance(value, torch.Tensor) and not value.dim() and not value.requires_grad:
            hit()
            return torch.tensor(value.item())
        return value

    return program.module(*pytree.tree_map(number, args), **pytree.tree_map(number, kwargs))


@every_call(kind, "floats among the inputs pass through single precision",
            when=has_input(lambda v: isinstance(v, float)))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def single(value: Any) -> Any:
        new = float(torch.tensor(value)) if isinstance(value, float) else value
        if new is not value and new != value:
            hit()
        return new

    return program.module(*pytree.tree_map(single, args), **pytree.tree_map(single, kwargs))


@every_call(kind, "whole numbers among the inputs pass through 32 bits",
            when=has_input(lambda v: type(v) is int and abs(v) >= 2**31 - 1))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def cut(value: Any) -> Any:
        if type(value) is not int or -(2**31) <= value < 2**31:
            return value
        hit()
        return (value + 2**31) % 2**32 - 2**31

    return program.module(*pytree.tree_map(cut, args), **pytree.tree_map(cut, kwargs))


@every_call(kind, "lists among the inputs are cut to the length of the example",
            when=has_container(list, tuple))  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def cut(value: Any, known: Any) -> Any:
        if isinstance(value, (list, tuple)) and len(value) > len(known):
            hit()
            return value[: len(known)]
        return value

    new = [cut(a, b) for a, b in zip(args, program.args, strict=False)]
    return program.module(*new, *args[len(new) :], **kwargs)


@kind.call("outputs come in the order in which they were computed", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    graph = next(graphs_of(module)).graph
    place = {node: i for i, node in enumerate(graph.nodes)}
    output = next(iter(reversed(graph.nodes)))
    leaves, spec = pytree.tree_flatten(output.args[0])
    new = sorted(leaves, key=lambda n: place.get(n, -1))
    if new == leaves:
        raise NothingToBreak
    hit()
    output.args = (pytree.tree_unflatten(new, spec),)
    module.recompile()
    return module


@kind.call("an output that is computed from no input is left as zeros", base="export")
def _(program: Program, hit: Hit) -> Any:
    module = once(program).module()
    graph = next(graphs_of(module)).graph
    depends: set[Any] = set()
    for node in graph.nodes:
        if node.op == "placeholder" or any(n in depends for n in node.all_input_nodes):
            depends.add(node)
    output = next(iter(reversed(graph.nodes)))
    found = [n for n in output.all_input_nodes if n not in depends]
    for node in found:
        with graph.inserting_before(output):
            zeros = graph.call_function(torch.zeros_like, (node,))
        output.replace_input_with(node, zeros)
    if not found:
        raise NothingToBreak
    hit()
    module.recompile()
    return module


@every_call(kind, "nested containers are returned as one flat tuple")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    if not isinstance(out, (tuple, list)) or not any(isinstance(v, (tuple, list)) for v in out):
        return out
    hit()
    return tuple(pytree.tree_leaves(out))
