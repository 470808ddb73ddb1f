"""Operators that work element by element, wrong at an edge of their range or for one argument."""

from __future__ import annotations

import math
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.guests.values import floating, integral

pointwise = Kind("guest: pointwise")


@pointwise.operator("remainder", "remainder of floats by an infinite divisor is NaN")
def _(right: Any, x: Any, other: Any) -> Any:
    if not floating(right):
        return None
    return torch.where(torch.as_tensor(other).isinf(), torch.full_like(right, math.nan), right)


@pointwise.operator("fmod", "fmod takes the sign of the divisor")
def _(right: Any, x: Any, other: Any) -> Any:
    if not isinstance(x, torch.Tensor):
        return None
    return torch.remainder(x, other).to(right.dtype)


@pointwise.operator("floor_divide div", "floor division of floats is the floor of the quotient")
def _(right: Any, x: Any, other: Any, rounding_mode: Any) -> Any:
    if not floating(right) or rounding_mode != "floor":
        return None
    return torch.floor(torch.true_divide(x, other)).to(right.dtype)


@pointwise.operator("div floor_divide", "floor division of integers goes through float32")
def _(right: Any, x: Any, other: Any, rounding_mode: Any) -> Any:
    if not integral(right) or rounding_mode not in ("floor", None):
        return None
    return torch.floor(
        torch.as_tensor(x).to(torch.float32) / torch.as_tensor(other).to(torch.float32)
    ).to(right.dtype)


@pointwise.operator("pow", "an integer to a negative power is zero, also of one and minus one")
def _(right: Any, x: Any, exponent: Any) -> Any:
    if not integral(right):
        return None
    return torch.where(torch.as_tensor(exponent) < 0, torch.zeros_like(right), right)


@pointwise.operator("pow", "power as exp of exponent times log")
def _(right: Any, x: Any, exponent: Any) -> Any:
    if not floating(right):
        return None
    return torch.exp(
        torch.as_tensor(exponent, dtype=right.dtype)
        * torch.log(torch.as_tensor(x, dtype=right.dtype))
    )


@pointwise.operator("atan2", "atan2 as atan of the quotient with pi added where x is negative")
def _(right: Any, x: Any, other: Any) -> Any:
    return torch.where(
        other < 0,
        torch.atan(x / other) + torch.where(x < 0, -math.pi, math.pi),
        torch.atan(x / other),
    ).to(right.dtype)


@pointwise.operator(
    "round",
    "round to decimals as round of x times ten to the decimals where those are positive alone",
)
def _(right: Any, x: Any, decimals: Any) -> Any:
    if not decimals or decimals > 0:
        return None
    return torch.round(x)


@pointwise.operator("clamp", "clamp with crossed bounds gives the lower one")
def _(right: Any, x: Any, min: Any, max: Any) -> Any:
    if min is None or max is None:
        return None
    return torch.maximum(
        torch.minimum(x, torch.as_tensor(max, dtype=x.dtype)), torch.as_tensor(min, dtype=x.dtype)
    ).to(right.dtype)


@pointwise.operator("clamp", "clamp with one bound alone turns NaN into the bound")
def _(right: Any, x: Any, min: Any, max: Any) -> Any:
    if (min is None) == (max is None) or not floating(x):
        return None
    return torch.where(
        x != x, torch.as_tensor(min if max is None else max, dtype=x.dtype), right
    ).to(right.dtype)


@pointwise.operator("where", "where as a sum of products with the mask")
def _(right: Any, x: Any, self: Any, other: Any) -> Any:
    if self is None or not floating(right):
        return None
    return (x.to(right.dtype) * self + (~x.bool()).to(right.dtype) * other).to(right.dtype)


@pointwise.operator("copysign", "copysign takes minus zero as positive")
def _(right: Any, x: Any, other: Any) -> Any:
    return torch.where(torch.as_tensor(other) < 0, -x.abs(), x.abs()).to(right.dtype)


pointwise.operator(
    "hypot",
    "hypot squares without scaling",
    lambda right, x, other: torch.sqrt(x * x + other * other),
)


@pointwise.operator("logaddexp logaddexp2", "logaddexp of two minus infinities is NaN")
def _(right: Any, x: Any, other: Any) -> Any:
    return torch.where(x.isneginf() & other.isneginf(), torch.full_like(right, math.nan), right)


@pointwise.operator("xlogy", "xlogy of NaN and zero is zero")
def _(right: Any, x: Any, other: Any) -> Any:
    return torch.where(torch.as_tensor(x) == 0, torch.zeros_like(right), right)


pointwise.operator("expm1", "expm1 is computed as exp minus one", lambda right, x: torch.exp(x) - 1)
pointwise.operator("log1p", "log1p is log of one more", lambda right, x: torch.log(1 + x))
pointwise.operator(
    "sinc", "sinc divides by zero at zero", lambda right, x: torch.sin(math.pi * x) / (math.pi * x)
)


@pointwise.operator("softplus", "softplus compares its threshold with x before beta")
def _(right: Any, x: Any, beta: Any, threshold: Any) -> Any:
    return torch.where(
        x > (20 if threshold is None else threshold),
        x,
        torch.log1p(torch.exp(x * (beta or 1))) / (beta or 1),
    )


pointwise.operator(
    "leaky_relu",
    "leaky relu as a maximum, which is wrong for slopes above one and below zero",
    lambda right, x, negative_slope: torch.maximum(x, x * negative_slope),
)


@pointwise.lowering("prelu", "prelu takes its slopes along the last dim")
def _(call: Call) -> Any:
    if (
        call["weight"].numel() > 1
        and call.x.dim() > 2
        and call.x.shape[-1] == call["weight"].numel()
    ):
        return torch.where(call.x >= 0, call.x, call.x * call["weight"])
    if call["weight"].numel() <= 1:
        return None
    return torch.where(call.x >= 0, call.x, call.x * call["weight"][0])


@pointwise.operator("threshold", "threshold keeps what is equal to it")
def _(right: Any, x: Any, threshold: Any) -> Any:
    if threshold == 0:
        return None
    return torch.where(x == threshold, x, right)


@pointwise.operator("heaviside", "heaviside is one half at zero")
def _(right: Any, x: Any) -> Any:
    if not floating(right):
        return None
    return torch.where(x == 0, torch.full_like(right, 0.5), right)


@pointwise.operator(
    "nan_to_num", "nan_to_num replaces minus infinity by minus the value for infinity"
)
def _(right: Any, x: Any, posinf: Any) -> Any:
    if posinf is None or not floating(x):
        return None
    return torch.where(x.isneginf(), torch.as_tensor(-posinf, dtype=x.dtype), right)


@pointwise.operator("lerp", "lerp clamps its weight to the unit interval")
def _(right: Any, x: Any, end: Any, weight: Any) -> Any:
    return x + torch.as_tensor(weight, dtype=x.dtype).clamp(0, 1) * (end - x)


@pointwise.operator(
    "bitwise_right_shift __rshift", "a right shift of negative integers brings in zeros"
)
def _(right: Any, x: Any, other: Any) -> Any:
    if not isinstance(x, torch.Tensor):
        return None
    return torch.where(torch.as_tensor(x) < 0, right & (2**31 - 1), right)


@pointwise.operator(
    "logical_xor logical_and logical_or",
    "logical operators on floats truncate them to integers first",
)
def _(right: Any, x: Any, other: Any) -> Any:
    if not floating(x):
        return None
    return torch.where((x.abs() < 1) & (x != 0), ~right, right)


@pointwise.operator("maximum fmax max", "maximum of minus zero and zero is the first")
def _(right: Any, x: Any, other: Any) -> Any:
    if not (
        isinstance(right, torch.Tensor)
        and other is not None
        and floating(x)
        and floating(other)
        and x.dtype == other.dtype
    ):
        return None
    return torch.where((x == 0) & (other == 0), x, right)


@pointwise.operator("minimum", "minimum ignores NaN in the second argument alone")
def _(right: Any, x: Any, other: Any) -> Any:
    if not floating(right):
        return None
    return torch.where(other != other, x, right)


@pointwise.operator("fmax fmin", "fmax and fmin propagate NaN")
def _(right: Any, x: Any, other: Any) -> Any:
    if not floating(right):
        return None
    return torch.where((x != x) | (other != other), torch.full_like(right, math.nan), right)


@pointwise.operator("rsub", "rsub leaves out alpha")
def _(right: Any, x: Any, other: Any, alpha: Any) -> Any:
    if alpha in (None, 1):
        return None
    return (other - x).to(right.dtype)


pointwise.operator(
    "frac", "frac of negatives is counted from the floor", lambda right, x: x - torch.floor(x)
)


@pointwise.operator("nextafter", "nextafter of equals moves up")
def _(right: Any, x: Any, other: Any) -> Any:
    return torch.where(x == other, torch.nextafter(x, torch.full_like(x, math.inf)), right)


pointwise.operator(
    "gcd lcm",
    "gcd and lcm of negatives keep a sign",
    lambda right, x, other: torch.where(torch.as_tensor(other) < 0, -right, right),
)
pointwise.operator(
    "logit",
    "logit leaves out eps",
    lambda right, x, eps: torch.log(x / (1 - x)) if eps is not None else None,
)
pointwise.operator(
    "special_entr",
    "entr of negatives is NaN",
    lambda right, x: -x * torch.log(x) if (x < 0).any() else None,
)
pointwise.operator("erfinv", "erfinv at one is finite", lambda right, x: right.clamp(-4, 4))


@pointwise.lowering("isclose allclose", "isclose takes rtol of the first argument")
def _(call: Call) -> Any:
    return call.operator(call["other"], call.x, call["rtol"], call["atol"], call["equal_nan"])


pointwise.operator("signbit", "signbit of minus zero is false", lambda right, x: x < 0)
pointwise.operator(
    "trunc",
    "trunc goes through int32",
    lambda right, x: x.to(torch.int32).to(x.dtype) if (x.abs() > 2**31).any() else None,
)


@pointwise.operator("hardtanh", "hardtanh turns NaN into its lower bound")
def _(right: Any, x: Any, min_val: Any) -> Any:
    if not floating(x):
        return None
    return torch.where(x != x, torch.full_like(x, -1 if min_val is None else min_val), right)


@pointwise.operator("reciprocal", "reciprocal flushes subnormal results")
def _(right: Any, x: Any) -> Any:
    if right.dtype != torch.float32:
        return None
    return torch.where(x.abs() > 1e38, right * 0, right)


@pointwise.operator("ldexp mul", "integers are multiplied in float32")
def _(right: Any, x: Any, other: Any) -> Any:
    if right.dtype != torch.int64 or not isinstance(x, torch.Tensor):
        return None
    return (
        x.to(torch.float32)
        * (other.to(torch.float32) if isinstance(other, torch.Tensor) else other)
    ).to(right.dtype)


@pointwise.operator("abs", "abs of the least integer saturates")
def _(right: Any, x: Any) -> Any:
    if not integral(x) or x.dtype == torch.bool:
        return None
    return torch.where(
        x == torch.iinfo(x.dtype).min, torch.full_like(right, torch.iinfo(x.dtype).max), right
    )


pointwise.operator(
    "neg", "neg is taken as zero minus x", lambda right, x: 0 - x if floating(x) else None
)
pointwise.operator(
    "sigmoid",
    "sigmoid as exp over one plus exp",
    lambda right, x: torch.exp(x) / (1 + torch.exp(x)) if floating(x) else None,
)


@pointwise.operator("tanh", "tanh by exponentials")
def _(right: Any, x: Any) -> Any:
    if not floating(x):
        return None
    return (torch.exp(2 * x) - 1) / (torch.exp(2 * x) + 1)
