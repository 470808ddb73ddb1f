"""The calling convention: how inputs find their places, and what outputs are packed in."""

from __future__ import annotations

import dataclasses
from collections import OrderedDict
from collections.abc import Mapping
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.wrapping import (
    NOTHING,
    flat,
    has_container,
    inputs,
    like_example,
    on_tensors,
    output,
    outputs,
)  # fmt: skip
from exportdb.exporters.protocol import Program

call = Kind("calling convention").call


def _keywords(features: Features) -> bool:
    return any(kwargs for _, kwargs in features.inputs)


def _several(features: Features) -> bool:
    return any(len(flat(given)) > 1 for given in features.inputs)


@call("keyword arguments are taken in the order in which they are given", when=_keywords)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        names = [*program.kwargs, *(k for k in kwargs if k not in program.kwargs)][: len(kwargs)]
        if list(kwargs) != names and set(kwargs) == set(names):
            hit()
            kwargs = dict(zip(names, kwargs.values(), strict=True))
        return program.module(*args, **kwargs)

    return run


@call("keyword arguments are those of the example", when=_keywords)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        return program.module(*args, **{**kwargs, **program.kwargs})

    return run


@call("keyword arguments that have a default are left out", when=_keywords)
def _(program: Program, hit: Hit) -> Any:
    import inspect

    parameters = inspect.signature(program.module.forward).parameters

    def run(*args: Any, **kwargs: Any) -> Any:
        kept = {
            k: v for k, v in kwargs.items()
            if k not in parameters or parameters[k].default is inspect.Parameter.empty
        }  # fmt: skip
        if len(kept) < len(kwargs):
            hit()
        return program.module(*args, **kept)

    return run


@call("inputs of a later call that the example lacks are left out")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        kept = {k: v for k, v in kwargs.items() if k in program.kwargs}
        cut = args[: len(program.args)]
        if len(kept) < len(kwargs) or len(cut) < len(args):
            hit()
        return program.module(*cut, **kept)

    return run


call(
    "an input that is None is a tensor of zeros",
    like_example(
        lambda leaf, example: (
            torch.zeros_like(example)
            if leaf is None and isinstance(example, torch.Tensor)
            else None
        )
    ),
)
call(
    "an input that is None in the example is always None",
    like_example(lambda leaf, example: NOTHING if example is None and leaf is not None else None),
)
call(
    "an input that is None is what it is in the example",
    like_example(lambda leaf, example: example if leaf is None and example is not None else None),
)


@call("dicts are read in the order of their keys", when=has_container(dict))
def _(program: Program, hit: Hit) -> Any:
    """The values of a dict are put under the keys of the example's, in the order of both."""

    def reordered(value: Any, example: Any) -> Any:
        if not isinstance(value, dict) or not isinstance(example, dict):
            return value
        if list(value) == list(example) or set(value) != set(example):
            return value
        hit()
        return dict(zip(example, value.values(), strict=True))

    def run(*args: Any, **kwargs: Any) -> Any:
        args = tuple(map(reordered, args, (*program.args, *args[len(program.args) :])))
        kwargs = {k: reordered(v, program.kwargs.get(k)) for k, v in kwargs.items()}
        return program.module(*args, **kwargs)

    return run


@call("lists are cut to the length that they have in the example", when=has_container(list))
def _(program: Program, hit: Hit) -> Any:
    def cut(value: Any, example: Any) -> Any:
        if isinstance(value, list) and isinstance(example, list) and len(value) > len(example):
            hit()
            return value[: len(example)]
        return value

    def run(*args: Any, **kwargs: Any) -> Any:
        args = tuple(map(cut, args, (*program.args, *args[len(program.args) :])))
        return program.module(*args, **kwargs)

    return run


@call("inputs that are one tensor in the example are one in every call", when=_several)
def _(program: Program, hit: Hit) -> Any:
    known = flat((program.args, dict(program.kwargs)))
    first = {i: [id(k) for k in known].index(id(leaf)) for i, leaf in enumerate(known)
             if isinstance(leaf, torch.Tensor)}  # fmt: skip

    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = pytree.tree_flatten((args, kwargs))
        for i, j in first.items():
            if i != j and len(leaves) == len(known) and leaves[i] is not leaves[j]:
                hit()
                leaves[i] = leaves[j]
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        return program.module(*args, **kwargs)

    return run


@call("inputs that are one tensor are two", when=_several)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = pytree.tree_flatten((args, kwargs))
        for i, leaf in enumerate(leaves):
            if isinstance(leaf, torch.Tensor) and any(leaf is other for other in leaves[:i]):
                hit()
                leaves[i] = leaf.clone()
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        return program.module(*args, **kwargs)

    return run


@call("the first two inputs change places where their shapes and types are the same", when=_several)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        if (
            len(args) > 1
            and all(isinstance(a, torch.Tensor) for a in args[:2])
            and ((args[0].shape, args[0].dtype) == (args[1].shape, args[1].dtype))
        ):
            hit()
            args = (args[1], args[0], *args[2:])
        return program.module(*args, **kwargs)

    return run


@call("the last input is that of the example where its shape is")
def _(program: Program, hit: Hit) -> Any:
    import copy

    last = copy.deepcopy(program.args[-1]) if program.args else None

    def run(*args: Any, **kwargs: Any) -> Any:
        if (
            isinstance(last, torch.Tensor)
            and len(args) == len(program.args)
            and (isinstance(args[-1], torch.Tensor) and args[-1].shape == last.shape)
        ):
            hit()
            args = (*args[:-1], last.clone())
        return program.module(*args, **kwargs)

    return run


# --- what the output is packed in --------------------------------------------------------------


def _nested(change: Any) -> Any:
    """``change`` made to every container of a value, the outermost first; None leaves one."""

    def visit(value: Any) -> Any:
        new = change(value)
        if new is not None:
            return new
        if type(value) in (list, tuple):
            found = [visit(v) for v in value]
            changed = any(a is not b for a, b in zip(found, value, strict=True))
            return type(value)(found) if changed else value
        if type(value) is dict:
            found_by = {k: visit(v) for k, v in value.items()}
            changed = any(found_by[k] is not v for k, v in value.items())
            return found_by if changed else value
        return value

    def whole(value: Any) -> Any:
        new = visit(value)
        return None if new is value else new

    return whole


def _is_named(value: Any) -> bool:
    return isinstance(value, tuple) and hasattr(value, "_fields")


call(
    "a list comes out as a tuple", output(_nested(lambda v: tuple(v) if type(v) is list else None))
)
call(
    "a tuple comes out as a list", output(_nested(lambda v: list(v) if type(v) is tuple else None))
)
call(
    "a tuple of one comes out as what is in it",
    output(_nested(lambda v: v[0] if type(v) is tuple and len(v) == 1 else None)),
)
call(
    "a list of one comes out as what is in it",
    output(_nested(lambda v: v[0] if type(v) is list and len(v) == 1 else None)),
)
call(
    "a single tensor comes out in a tuple",
    output(lambda v: (v,) if isinstance(v, torch.Tensor) else None),
)
call(
    "an OrderedDict comes out as a dict",
    output(_nested(lambda v: dict(v) if isinstance(v, OrderedDict) else None)),
)
call(
    "a named tuple comes out as a tuple",
    output(_nested(lambda v: tuple(v) if _is_named(v) else None)),
)
call(
    "a dict comes out sorted by its keys",
    output(
        _nested(
            lambda v: (
                {k: v[k] for k in sorted(v, key=str)}
                if type(v) is dict and list(v) != sorted(v, key=str)
                else None
            )
        )
    ),
)
call(
    "the values of a dict come out in the order of sorted keys",
    output(
        _nested(
            lambda v: (
                dict(zip(sorted(v, key=str), v.values(), strict=True))
                if isinstance(v, dict) and list(v) != sorted(v, key=str)
                else None
            )
        )
    ),
)
call(
    "the keys of a dict come out as strings",
    output(
        _nested(
            lambda v: (
                {str(k): e for k, e in v.items()}
                if isinstance(v, dict) and any(not isinstance(k, str) for k in v)
                else None
            )
        )
    ),
)
call(
    "None among the outputs is left out",
    output(
        _nested(
            lambda v: (
                type(v)(e for e in v if e is not None)
                if type(v) in (list, tuple) and any(e is None for e in v)
                else None
            )
        )
    ),
)
call(
    "None among the outputs is a tensor of no elements",
    output(
        _nested(
            lambda v: (
                type(v)(torch.empty(0) if e is None else e for e in v)
                if type(v) in (list, tuple) and any(e is None for e in v)
                else None
            )
        )
    ),
)
call(
    "None in a dict of outputs is left out",
    output(
        _nested(
            lambda v: (
                {k: e for k, e in v.items() if e is not None}
                if type(v) is dict and any(e is None for e in v.values())
                else None
            )
        )
    ),
)
call("an output of None is an empty tuple", output(lambda v: () if v is None else None))
call(
    "nested outputs come out flat",
    output(
        lambda v: (
            tuple(pytree.tree_leaves(v))
            if isinstance(v, list | tuple) and any(isinstance(e, list | tuple | dict) for e in v)
            else None
        )
    ),
)
call(
    "a dataclass comes out as a dict",
    output(
        _nested(
            lambda v: (
                {f.name: getattr(v, f.name) for f in dataclasses.fields(v)}
                if dataclasses.is_dataclass(v) and not isinstance(v, type)
                else None
            )
        )
    ),
)
call(
    "a subclass of dict comes out as a dict",
    output(
        _nested(
            lambda v: (
                dict(v) if isinstance(v, Mapping) and type(v) not in (dict, OrderedDict) else None
            )
        )
    ),
)
call(
    "the first two outputs change places",
    output(
        lambda v: type(v)((v[1], v[0], *v[2:])) if type(v) in (list, tuple) and len(v) > 1 else None
    ),
)
call(
    "an output that is given twice comes out once",
    output(
        lambda v: (
            type(v)(e for i, e in enumerate(v) if not any(e is o for o in v[:i]))
            if type(v) in (list, tuple) and len({id(e) for e in v}) < len(v)
            else None
        )
    ),
)
call(
    "strings among the outputs are left out",
    outputs(lambda leaf: NOTHING if isinstance(leaf, str) else None),
)
call(
    "integers and booleans among the inputs are floats",
    inputs(lambda leaf: float(leaf) if type(leaf) in (int, bool) else None),
)
call(
    "floats among the inputs are cut to integers",
    inputs(lambda leaf: int(leaf) if type(leaf) is float and leaf != int(leaf) else None),
)
call(
    "numbers among the inputs are tensors",
    inputs(lambda leaf: torch.tensor(leaf) if type(leaf) in (int, float, bool) else None),
)
call(
    "tensors of no dimensions among the inputs are numbers",
    inputs(on_tensors(lambda t: None if t.dim() else t.item())),
)
