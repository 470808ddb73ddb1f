"""What is given and what comes out: containers, numbers and tensors that change on the way."""

from __future__ import annotations

from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection import wrapping
from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from detection.mutants.guests.values import single
from exportdb.exporters.protocol import Program

calling = Kind("guest: calling")


@calling.call(
    "keyword arguments are taken in the order of the example", when=lambda f: len(f.example[1]) > 1
)
def _(program: Program, hit: Hit) -> Any:
    names = list(program.kwargs)

    def run(*args: Any, **kwargs: Any) -> Any:
        if set(names) == set(kwargs) and list(kwargs) != names:
            hit()
            kwargs = dict(zip(names, kwargs.values(), strict=False))
        return program.module(*args, **kwargs)

    return run


@calling.call(
    "values of a dict are taken in the order of the example",
    when=lambda f: any(isinstance(a, dict) for a in f.example[0]),
)
def _(program: Program, hit: Hit) -> Any:
    example = program.args

    def fix(a: Any, b: Any) -> Any:
        if (
            isinstance(a, dict)
            and type(a) is dict
            and isinstance(b, dict)
            and set(a) == set(b)
            and list(a) != list(b)
        ):
            hit()
            return dict(zip(b, a.values(), strict=False))
        return a

    def run(*args: Any, **kwargs: Any) -> Any:
        return program.module(*[fix(a, b) for a, b in zip(args, example, strict=False)], **kwargs)

    return run


calling.call(
    "an output dict has its keys sorted",
    wrapping.output(
        lambda out: (
            dict(sorted(out.items(), key=lambda i: str(i[0])))
            if type(out) is dict and list(out) != sorted(out, key=str)
            else None
        )
    ),
)
calling.call(
    "an OrderedDict that is returned is a dict",
    wrapping.output(
        lambda out: dict(out) if isinstance(out, dict) and type(out) is not dict else None
    ),
)
calling.call(
    "a tuple of one element comes out as the element",
    wrapping.output(lambda out: out[0] if type(out) is tuple and len(out) == 1 else None),
)
calling.call(
    "a list that is returned is a tuple",
    wrapping.output(lambda out: tuple(out) if type(out) is list else None),
)


def _inner_lists(out: Any) -> Any:
    if type(out) is dict and any(type(value) is list for value in out.values()):
        return {k: tuple(value) if type(value) is list else value for k, value in out.items()}
    if type(out) is tuple and any(type(value) is list for value in out):
        return tuple(tuple(value) if type(value) is list else value for value in out)
    return None


calling.call("lists within the output come out as tuples", wrapping.output(_inner_lists))
calling.call(
    "a named tuple that is returned is a plain tuple",
    wrapping.output(
        lambda out: tuple(out) if isinstance(out, tuple) and hasattr(out, "_fields") else None
    ),
)
calling.call(
    "None among several outputs is left out",
    wrapping.output(
        lambda out: (
            tuple(value for value in out if value is not None)
            if type(out) is tuple and any(value is None for value in out)
            else None
        )
    ),
)
calling.call(
    "an empty list among the outputs is None",
    wrapping.output(
        lambda out: (
            tuple(
                None if isinstance(value, (list, tuple, dict)) and not value else value
                for value in out
            )
            if type(out) is tuple
            and any(isinstance(value, (list, tuple, dict)) and not value for value in out)
            else None
        )
    ),
)
calling.call(
    "numbers come out as tensors",
    wrapping.outputs(lambda value: torch.tensor(value) if type(value) in (int, float) else None),
)
calling.call(
    "a bool comes out as an integer",
    wrapping.outputs(lambda value: int(value) if type(value) is bool else None),
)
calling.call(
    "a float that is whole comes out as an integer",
    wrapping.outputs(
        lambda value: int(value) if type(value) is float and value.is_integer() else None
    ),
)
calling.call(
    "tensors without dims come out with one",
    wrapping.outputs(wrapping.on_tensors(lambda t: t.reshape(1) if not t.dim() else None)),
)
calling.call(
    "bool tensors come out as uint8",
    wrapping.outputs(
        wrapping.on_tensors(lambda t: t.to(torch.uint8) if t.dtype == torch.bool else None)
    ),
)
calling.call(
    "int32 tensors come out as int64",
    wrapping.outputs(wrapping.on_tensors(lambda t: t.long() if t.dtype == torch.int32 else None)),
)
calling.call(
    "scalar tensors of float64 come out in single precision",
    wrapping.outputs(
        wrapping.on_tensors(
            lambda t: t.float() if t.dtype == torch.float64 and not t.dim() else None
        )
    ),
)
calling.call(
    "string inputs are those of the example",
    wrapping.like_example(lambda a, b: b if type(a) is str and a != b else None),
)
calling.call(
    "an input of None is baked",
    wrapping.like_example(lambda a, b: wrapping.NOTHING if b is None and a is not None else None),
)
calling.call(
    "bool inputs are those of the example",
    wrapping.like_example(lambda a, b: b if type(a) is bool and a != b else None),
)
calling.call(
    "float inputs go through single precision",
    wrapping.inputs(
        lambda value: single(value) if type(value) is float and single(value) != value else None
    ),
)
calling.call(
    "integer inputs are cut to 32 bits",
    wrapping.inputs(
        lambda value: (
            (value + 2**31) % 2**32 - 2**31 if type(value) is int and abs(value) > 2**31 else None
        )
    ),
)
calling.call(
    "inputs of float64 go through single precision",
    wrapping.inputs(
        wrapping.on_tensors(
            lambda t: (
                t.float().double() if t.dtype == torch.float64 and not t.requires_grad else None
            )
        )
    ),
)
calling.call(
    "an input tensor with one element is taken as a number",
    wrapping.inputs(
        wrapping.on_tensors(lambda t: t.reshape(()) if t.numel() == 1 and t.dim() == 1 else None)
    ),
)


@every_call(calling, "an empty input gives zeros in all outputs")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if any(t.numel() == 0 for t in wrapping.tensors((args, kwargs))):
        return pytree.tree_map(
            lambda value: (
                (hit(), torch.zeros_like(value))[1] if isinstance(value, torch.Tensor) else value
            ),
            program.module(*args, **kwargs),
        )
    return program.module(*args, **kwargs)
