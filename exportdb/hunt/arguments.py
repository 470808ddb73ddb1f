"""Calls of an operator that differ from torch's samples in one argument.

Owns what stands there instead: of a default, of a flag, of a tensor. Whether an operator takes it
is found out by running the call.
"""

from __future__ import annotations

import contextlib
import inspect
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

import torch

#: What is given to an argument, by its type in the schema of an operator of ATen.
_BY_TYPE: Mapping[str, tuple[Any, ...]] = {
    "bool": (True, False), "int": (1, 0, 2), "SymInt": (1, 0, 2), "float": (0.5, 2.0),
    "number": (2, 0.5), "ScalarType": (torch.float64, torch.float32),
}  # fmt: skip
#: Numbers that stand for a tensor, and dtypes that one of floating point is converted to.
_NUMBERS = (0, 1, 2, -1, 0.5)
_DTYPES = (torch.int64, torch.float64)
#: Beyond this float32 has not every whole number.
_ONE_BY_ONE = 2**24
#: Arguments that say where a result lies, not what it is, and those that are taken no more.
_NEVER = ("out", "inplace", "generator", "layout", "device", "pin_memory", "requires_grad",
          "size_average", "reduce")  # fmt: skip


def changed(
    args: Sequence[Any], kwargs: Mapping[str, Any]
) -> Iterator[tuple[tuple[Any, ...], dict[str, Any]]]:
    """The arguments of a call with one less, the last or a named one; with all whole numbers
    beyond those that float32 can tell apart; with a flag turned; with a number, a mask or another
    dtype for one of several tensors; with an end of the range for a share or a probability.

    >>> [*changed((1, True), {"end": 3})]
    [((1,), {'end': 3}), ((1, True), {}), ((1, False), {'end': 3})]
    >>> [kwargs for _, kwargs in changed((), {"other": torch.tensor([1])})]
    [{}, {'other': tensor([16777217])}]
    >>> [kwargs for _, kwargs in changed((), {"p": 0.3})]
    [{}, {'p': 1.0}, {'p': 0.0}]
    """
    args, kwargs = tuple(args), dict(kwargs)
    if len(args) > 1 and not isinstance(args[-1], torch.Tensor):
        yield args[:-1], kwargs
    for name in kwargs:
        yield args, {other: value for other, value in kwargs.items() if other != name}
    if any(map(_whole, (*args, *kwargs.values()))):
        yield tuple(map(_large, args)), {name: _large(value) for name, value in kwargs.items()}
    several = sum(isinstance(value, torch.Tensor) for value in (*args, *kwargs.values())) > 1
    for place, value in enumerate(args):
        for other in _others(value, several):
            yield (*args[:place], other, *args[place + 1 :]), kwargs
    for name, value in kwargs.items():
        for other in _others(value, several):
            yield args, kwargs | {name: other}


def _whole(value: Any) -> bool:
    """Whether it is a tensor of whole numbers that may be large."""
    return isinstance(value, torch.Tensor) and value.dtype in (torch.int32, torch.int64)


def _large(value: Any) -> Any:
    """A tensor of whole numbers with as many added as float32 counts one by one."""
    return value + _ONE_BY_ONE if _whole(value) else value


def _others(value: Any, several: bool) -> Iterator[Any]:
    """What stands for an argument, which may be one of several tensors."""
    if isinstance(value, bool):
        yield not value
    elif isinstance(value, float) and 0 < value < 1:
        yield from (1.0, 0.0)
    elif isinstance(value, torch.Tensor) and several:
        yield from _NUMBERS
        if value.dtype is not torch.bool:
            yield (value.real if value.is_complex() else value) > 0
        if value.is_floating_point():
            yield from (value.to(dtype) for dtype in _DTYPES if dtype is not value.dtype)


def left_out(function: str, given: int, named: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The arguments of what a program calls ``function`` that a call leaves to their defaults, each
    with other values; ``given`` are given by place.

    >>> [*left_out("torch.nan_to_num", 1, {"nan": 1.0})]
    [('posinf', 0.5), ('posinf', 2.0), ('neginf', 0.5), ('neginf', 2.0)]
    >>> [*left_out("torch.nn.functional.pairwise_distance", 4, {})]
    [('keepdim', True)]
    """
    found: dict[tuple[str, str], tuple[str, Any]] = {}
    for name, default, values in (*_of_schemas(function, given), *_of_signature(function, given)):
        if name not in named and name not in _NEVER and not name.startswith("_"):
            for value in values:
                if value is not default and value != default:
                    found.setdefault((name, repr(value)), (name, value))
    yield from found.values()


def _of_schemas(function: str, given: int) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    packet = getattr(torch.ops.aten, function.rpartition(".")[2], None)
    for overload in packet.overloads() if packet is not None else ():
        arguments = getattr(packet, overload)._schema.arguments
        for argument in arguments[given:]:
            kind = str(argument.real_type).removeprefix("Optional[").rstrip("]")
            if argument.has_default_value():
                yield argument.name, argument.default_value, _BY_TYPE.get(kind, ())


def _of_signature(function: str, given: int) -> Iterator[tuple[str, Any, tuple[Any, ...]]]:
    """Those of a function that is written in Python: the type of its default tells."""
    called: Any = torch
    for part in function.removeprefix("torch.").split("."):
        called = getattr(called, part, None)
    parameters: list[inspect.Parameter] = []
    with contextlib.suppress(TypeError, ValueError):  # one of C++ has no signature
        parameters = [*inspect.signature(called).parameters.values()]
    for parameter in parameters[given:]:
        kind = type(parameter.default).__name__
        yield parameter.name, parameter.default, _BY_TYPE.get(kind, ())
