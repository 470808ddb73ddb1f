"""Conversions between types, and results that have the type of another rule."""

from __future__ import annotations

import math
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.guests.values import floating, integral

types = Kind("guest: types")


@types.operator("_to_copy", "floats are rounded to integers")
def _(right: Any, x: Any) -> Any:
    if not (floating(x) and integral(right) and right.dtype != torch.bool):
        return None
    return torch.round(x).to(right.dtype)


@types.operator("_to_copy", "floats become bool through integers")
def _(right: Any, x: Any) -> Any:
    if not (floating(x) and right.dtype == torch.bool and torch.isfinite(x).all()):
        return None
    return x.to(torch.int64).to(torch.bool)


@types.operator("_to_copy", "int64 becomes a float through int32")
def _(right: Any, x: Any) -> Any:
    if x.dtype != torch.int64 or not right.is_floating_point():
        return None
    return x.to(torch.int32).to(right.dtype)


@types.operator("_to_copy", "integers saturate in narrower ones")
def _(right: Any, x: Any) -> Any:
    if not (
        integral(x)
        and integral(right)
        and right.dtype != torch.bool
        and x.dtype != torch.bool
        and right.itemsize < x.itemsize
    ):
        return None
    return x.clamp(torch.iinfo(right.dtype).min, torch.iinfo(right.dtype).max).to(right.dtype)


@types.operator("_to_copy", "floats are cut to bfloat16, not rounded")
def _(right: Any, x: Any) -> Any:
    if x.dtype != torch.float32 or right.dtype != torch.bfloat16:
        return None
    return (x.view(torch.int32) & -65536).view(torch.float32).to(torch.bfloat16)


@types.operator("_to_copy", "a complex number becomes real by its absolute value")
def _(right: Any, x: Any) -> Any:
    if not x.is_complex() or right.is_complex():
        return None
    return x.abs().to(right.dtype)


@types.operator("mul add sub", "a scalar float meets integers as an integer")
def _(right: Any, x: Any, other: Any) -> Any:
    if not (
        isinstance(other, float)
        and integral(x)
        and right.is_floating_point()
        and math.isfinite(other)
        and (right == x * other).all()
    ):
        return None
    return torch.mul(x, int(other)).to(right.dtype)


@types.operator("add sub mul", "a float64 tensor without dims promotes float32")
def _(right: Any, x: Any, other: Any) -> Any:
    if not (
        isinstance(other, torch.Tensor)
        and isinstance(x, torch.Tensor)
        and right.dtype == torch.float32
        and {x.dtype, other.dtype} == {torch.float32, torch.float64}
    ):
        return None
    return right.double()


@types.operator("true_divide div", "small integers divide to half precision")
def _(right: Any, x: Any, other: Any, rounding_mode: Any) -> Any:
    if (
        not isinstance(x, torch.Tensor)
        or x.dtype not in (torch.int8, torch.uint8, torch.int16)
        or rounding_mode is not None
        or right.dtype != torch.float32
    ):
        return None
    return right.half().float()


@types.operator("add", "uint8 saturates")
def _(right: Any, x: Any, other: Any, alpha: Any) -> Any:
    if not isinstance(right, torch.Tensor) or right.dtype != torch.uint8:
        return None
    return (
        (torch.as_tensor(x).to(torch.int32) + torch.as_tensor(other).to(torch.int32) * (alpha or 1))
        .clamp(0, 255)
        .to(torch.uint8)
    )


@types.lowering("linspace", "linspace stops short of its end")
def _(call: Call) -> Any:
    if isinstance(call.x, torch.Tensor) or isinstance(call["end"], torch.Tensor):
        return None
    return torch.linspace(call.x, call["end"], call["steps"] + 1)[:-1].to(call().dtype)


types.lowering("logspace", "logspace has base ten", lambda call: call(base=10.0))


@types.lowering("sum prod mean cumsum cumprod", "a reduction casts to its dtype at the end")
def _(call: Call) -> Any:
    if call["dtype"] is None or not (
        floating(call.x) or call["dtype"].itemsize < call.x.dtype.itemsize
    ):
        return None
    return call(dtype=None).to(call["dtype"])


@types.operator("view", "viewed bytes come in the other order")
def _(right: Any, x: Any, dtype: Any) -> Any:
    if not (dtype is not None and right.dim() and x.itemsize > right.itemsize):
        return None
    return right.flip(-1)
