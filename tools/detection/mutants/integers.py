"""Operators that are wrong for large, small or negative integers."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from detection.kind import Kind

broken = Kind("integers").operator

_INTEGERS = (torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8)


def _is_integer(t: Any) -> bool:
    return isinstance(t, torch.Tensor) and t.dtype in _INTEGERS


def _through(dtype: torch.dtype) -> Callable[..., Any]:
    """An int64 result that has been squeezed through ``dtype``."""

    def defect(right: Any) -> Any:
        if not isinstance(right, torch.Tensor) or right.dtype != torch.int64:
            return None
        return right.to(dtype).to(torch.int64)

    return defect


for name in ("add", "mul", "sum", "cumsum"):
    broken(name, f"{name} of int64 is computed in int32", _through(torch.int32))
for name in ("add", "sub", "mul", "sum"):
    broken(name, f"{name} of int64 is computed in float32", _through(torch.float32))
broken("prod", "prod of int64 is computed in int32", _through(torch.int32))
broken("pow", "pow of integers is computed in float32", _through(torch.float32))
broken("arange", "arange of integers is computed in float32", _through(torch.float32))


@broken("add", "add of small integers saturates")
def _(right: Any, x: Any, other: Any) -> Any:
    if not _is_integer(right) or right.dtype == torch.int64:
        return None
    exact = x.long() + torch.as_tensor(other).long()
    limits = torch.iinfo(right.dtype)
    return exact.clamp(limits.min, limits.max).to(right.dtype)


@broken("mul", "mul of small integers saturates")
def _(right: Any, x: Any, other: Any) -> Any:
    if not _is_integer(right) or right.dtype == torch.int64:
        return None
    exact = x.long() * torch.as_tensor(other).long()
    limits = torch.iinfo(right.dtype)
    return exact.clamp(limits.min, limits.max).to(right.dtype)


broken(
    "sub neg",
    "a negative result of uint8 is zero",
    lambda right: (
        torch.where(right > 127, 0, right).to(right.dtype)
        if isinstance(right, torch.Tensor) and right.dtype == torch.uint8
        else None
    ),
)
broken(
    "abs",
    "abs of the smallest integer is the largest",
    lambda right: (
        torch.where(right < 0, torch.iinfo(right.dtype).max, right).to(right.dtype)
        if _is_integer(right)
        else None
    ),
)
broken(
    "bitwise_right_shift __rshift__",
    "a right shift of a negative integer fills with zeros",
    lambda right, x, other: torch.where(x < 0, -right, right).to(right.dtype),
)
broken(
    "bitwise_left_shift __lshift__",
    "a left shift is computed in int32",
    lambda right: right.to(torch.int32).to(right.dtype) if _is_integer(right) else None,
)
broken(
    "bitwise_and __and__",
    "bitwise_and is logical",
    lambda right, x, other: (
        torch.logical_and(x, torch.as_tensor(other)).to(right.dtype) if _is_integer(right) else None
    ),
)
broken("bitwise_not", "bitwise_not is neg", lambda right, x: -x if _is_integer(x) else None)
broken(
    "bitwise_xor __xor__", "bitwise_xor is or", lambda right, x, other: torch.bitwise_or(x, other)
)
broken(
    "floor_divide div",
    "an integer division is computed in float32",
    lambda right, x, other: (
        (x.float() / torch.as_tensor(other).float()).floor().to(right.dtype)
        if _is_integer(right)
        else None
    ),
)
broken(
    "div",
    "div of integers is computed in float16",
    lambda right, x, other: (
        (x.half() / torch.as_tensor(other).half()).to(right.dtype)
        if _is_integer(x) and right.is_floating_point()
        else None
    ),
)
broken(
    "remainder",
    "remainder of integers is computed in float32",
    lambda right, x, other: (
        torch.remainder(x.float(), torch.as_tensor(other).float()).to(right.dtype)
        if _is_integer(right) and _is_integer(x)
        else None
    ),
)
broken(
    "_to_copy",
    "a conversion to an integer rounds",
    lambda right, x: (
        torch.round(x).to(right.dtype) if _is_integer(right) and x.is_floating_point() else None
    ),
)
broken(
    "_to_copy",
    "a conversion to a smaller integer saturates",
    lambda right, x: (
        x.clamp(torch.iinfo(right.dtype).min, torch.iinfo(right.dtype).max).to(right.dtype)
        if _is_integer(right) and _is_integer(x)
        else None
    ),
)
broken(
    "eq",
    "integers are compared in float32",
    lambda right, x, other: (
        torch.eq(x.float(), torch.as_tensor(other).float()) if _is_integer(x) else None
    ),
)
broken(
    "amax max argmax",
    "the largest integer is looked for in float32",
    lambda right, x: (
        x.float().max().to(x.dtype)
        if _is_integer(x)
        and isinstance(right, torch.Tensor)
        and not right.dim()
        and right.dtype == x.dtype
        and x.numel()
        else None
    ),
)
