"""What stands in a program for the arguments of a call of an operator.

Owns the three ways to have the tensors of a sample: as inputs of the program, of which a size may
vary; as variables that there are; written down. Which call it is, is left to ``opinfo``.
"""

from __future__ import annotations

import cmath
import math
import random
from collections.abc import Callable, Iterator
from dataclasses import replace
from typing import Any

import torch

from exportdb.hunt.opinfo import Call
from exportdb.hunt.writing import EXAMPLE, Dim, Parameter, Signature, dim

#: Elements of a tensor that is written down number by number, and inputs that a call may take.
_FEW, _NAMES = 30, "xyzuw"
#: How a tensor of a call becomes an input: with a size that varies, there and in what else is
#: asked for; in the tensors alone; as the very numbers of the sample; with a size that is any
#: multiple of the sample's, for operators that divide it (groups, channels, windows).
WAYS = ("sizes", "tensors", "numbers", "multiples")
#: Arguments whose repr is what a program says.
_AS_PRINTED = (bool, int, str, slice, complex, torch.dtype, torch.layout, torch.memory_format)


class NothingFits(Exception):
    """There is nothing in a program that could stand for what is asked for."""


def written(call: Call, tensor: Callable[[torch.Tensor], str], size: str = "", is_: int = 0) -> str:
    """The text of a call, with ``tensor`` for its tensors and ``size`` for each number that ``is_``
    one. Raises NothingFits."""

    def argument(value: Any) -> str:
        if isinstance(value, torch.Tensor):
            return tensor(value)
        if isinstance(value, torch.Size):
            value = tuple(value)
        if isinstance(value, list):
            return f"[{', '.join(map(argument, value))}]"
        if isinstance(value, tuple):
            inner = ", ".join(map(argument, value))
            return f"({inner}{',' if len(value) == 1 else ''})"
        if type(value) is int and size and value == is_:
            return size
        if value is None or isinstance(value, _AS_PRINTED):
            return repr(value)
        if isinstance(value, float):
            return _literal(value)
        raise NothingFits(type(value).__name__)

    args = [argument(value) for value in call.args]
    args += [f"{name}={argument(value)}" for name, value in call.kwargs.items()]
    return f"{call.function}({', '.join(args)})"


def statement(call: Call, said: str) -> str:
    """The statement that makes a call as ``said``, and builds what it calls. Raises
    NothingFits."""
    building = f"init: self.<o> = {written(call.built, made)}\n" if call.built else ""
    return f"{building}<v> = {said}"


def taking(call: Call, way: str, rng: random.Random, asks: bool = False) -> tuple[Signature, str]:
    """A program's inputs for the tensors of a call, which ask for a gradient if they are to, and
    the call. Raises NothingFits."""
    tensors = list(_tensors((*call.args, *call.kwargs.values())))
    names = dict(zip(map(id, tensors), _NAMES, strict=False))
    if not 0 < len(tensors) <= len(_NAMES):
        raise NothingFits(f"{len(tensors)} tensors")
    sizes = {size for t in tensors for size in t.shape}
    varying, varies = None, -1
    if way != "numbers":
        first = [size for t in tensors[:1] for size in t.shape]
        if way == "multiples":  # of one they are the other ways' sizes
            first = sorted(size for size in first if size > 1)
        if not first:
            raise NothingFits("no size")
        varies = first[-1] if way == "multiples" else rng.choice((first[0], first[0], *first))
        name = next((n for n, example in EXAMPLE.items() if example not in sizes), "n")
        varying = dim(rng, name)
    times = varies if way == "multiples" else 1
    parameters = [_parameter(names[id(t)], t, varying, varies, times) for t in tensors]
    if asks:
        parameters = [
            replace(p, made=f"({p.made}).requires_grad_()") if t.is_floating_point() else p
            for p, t in zip(parameters, tensors, strict=True)
        ]
    size = ""
    if way == "sizes":
        axes = ((n, axis) for t, n in zip(tensors, _NAMES, strict=False)
                for axis, s in enumerate(t.shape) if s == varies)  # fmt: skip
        size = "{}.shape[{}]".format(*next(axes))
    said = written(call, lambda t: names[id(t)], size, varies)
    return Signature((varying,) if varying else (), tuple(parameters)), said


def _tensors(values: Any) -> Iterator[torch.Tensor]:
    for value in values:
        if isinstance(value, torch.Tensor):
            yield value
        elif isinstance(value, list | tuple):
            yield from _tensors(value)


def _parameter(
    name: str, tensor: torch.Tensor, varying: Dim | None, varies: int, times: int
) -> Parameter:
    """One tensor of a call as an input, of which what is ``varies`` long is ``times`` a size that
    varies."""
    axes = [axis for axis, size in enumerate(tensor.shape) if varying and size == varies]
    factor = f"{times} * " if times > 1 else ""
    sizes = [f"{factor}{varying.name}" if axis in axes and varying else str(s)
             for axis, s in enumerate(tensor.shape)]  # fmt: skip
    said = varying and (varying.spec if varying.hint else f"{factor}{varying.spec}")
    shape = ", ".join(f"{axis}: {said}" for axis in axes)
    exactly = varying is None and tensor.numel() <= _FEW
    made = _numbers(tensor) if exactly else _random(tensor, sizes)
    return Parameter(name, made, f"{{{shape}}}" if shape else "None", (name,))


def _random(tensor: torch.Tensor, sizes: list[str]) -> str:
    """Random numbers in the range of a tensor's, with such sizes."""
    turned = tensor.dim() > 1 and not tensor.is_contiguous()
    if turned:
        sizes = [*sizes[:-2], sizes[-1], sizes[-2]]
    shape, dtype, end = ", ".join(sizes) or "()", tensor.dtype, ".mT" if turned else ""
    if dtype is torch.bool:
        return f"(torch.rand({shape}) > 0.4){end}"
    if dtype.is_complex:
        return f"torch.randn({shape}, dtype={dtype}){end}"
    low, high = _bounds(tensor)
    if not dtype.is_floating_point:
        sized = f"({', '.join(sizes)}{',' if len(sizes) == 1 else ''})"
        return f"torch.randint({int(low)}, {int(high) + 1}, {sized}, dtype={dtype}){end}"
    kind = "" if dtype is torch.float32 else f".to({dtype})"
    if low < 0:
        return f"torch.randn({shape}){kind}{end}"
    return f"({low:.1f} + {max(high - low, 1):.1f} * torch.rand({shape})){kind}{end}"


def _bounds(tensor: torch.Tensor) -> tuple[float, float]:
    if tensor.numel() == 0:
        return 0.0, 1.0
    finite = tensor.detach().double().nan_to_num(0, 1, -1)
    return finite.min().item(), finite.max().item()


def _numbers(tensor: torch.Tensor) -> str:
    """The very numbers of a tensor, to three digits."""
    if not tensor.numel():
        return f"torch.zeros({', '.join(map(str, tensor.shape))}, dtype={tensor.dtype})"
    values = tensor.double().round(decimals=3) if tensor.is_floating_point() else tensor
    kind = "" if tensor.dtype in (torch.int64, torch.bool) else f", dtype={tensor.dtype}"
    return f"torch.tensor({_literal(values.tolist())}{kind})"


def _literal(value: Any) -> str:
    """Numbers, and lists of them, as a program writes them: infinities and NaN have no literal."""
    if isinstance(value, list):
        return f"[{', '.join(map(_literal, value))}]"
    if isinstance(value, float) and not math.isfinite(value):
        return f'float("{value}")'
    if isinstance(value, complex) and not cmath.isfinite(value):
        return f"complex({_literal(value.real)}, {_literal(value.imag)})"
    return repr(value)


def made(tensor: torch.Tensor) -> str:
    """An expression without a variable for a tensor like this one. Raises NothingFits."""
    if tensor.numel() <= _FEW:
        return _numbers(tensor)
    count, shape, dtype = tensor.numel(), tuple(tensor.shape), tensor.dtype
    if dtype is torch.bool:
        return f"(torch.arange({count}).reshape({shape}) % 3 == 0)"
    if dtype.is_complex:
        line = f"torch.arange({count}).{{}}().reshape({shape})"
        return f"torch.complex({line.format('sin')}, {line.format('cos')}).to({dtype})"
    low, high = _bounds(tensor)
    if not dtype.is_floating_point:
        span = int(high - low) + 1
        return f"(torch.arange({count}).reshape({shape}) % {span} + {int(low)}).to({dtype})"
    if low < 0:
        middle = f"{(low + high) / 2:+.1f}"
        line = f"{max((high - low) / 2, 0.5):.1f} * torch.arange({count}).sin()"
        line += "" if float(middle) == 0 else f" {middle[0]} {middle[1:]}"
    else:
        line = f"{max(high, 1):.1f} * torch.arange({count}).sin().abs()"
    kind = "" if dtype is torch.float32 else f".to({dtype})"
    return f"({line}).reshape({shape}){kind}"
