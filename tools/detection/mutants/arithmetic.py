"""Operators on single elements that give a wrong number for ordinary values."""

from __future__ import annotations

import torch

from detection.kind import Kind

broken = Kind("arithmetic").operator

broken(
    "add",
    "add leaves out alpha",
    lambda right, x, other, alpha: torch.add(x, other) if alpha not in (None, 1) else None,
)
broken(
    "sub",
    "sub leaves out alpha",
    lambda right, x, other, alpha: torch.sub(x, other) if alpha not in (None, 1) else None,
)
broken("sub", "sub takes its operands the other way round", lambda right: -right)
broken("rsub", "rsub is sub", lambda right: -right)
broken(
    "div",
    "div with rounding_mode floor truncates",
    lambda right, x, other, rounding_mode: (
        torch.div(x, other, rounding_mode="trunc") if rounding_mode == "floor" else None
    ),
)
broken(
    "div",
    "div with rounding_mode trunc floors",
    lambda right, x, other, rounding_mode: (
        torch.div(x, other, rounding_mode="floor") if rounding_mode == "trunc" else None
    ),
)
broken(
    "floor_divide",
    "floor_divide truncates towards zero",
    lambda right, x, other: torch.div(x, other, rounding_mode="trunc"),
)
broken(
    "remainder",
    "remainder has the sign of the dividend",
    lambda right, x, other: torch.fmod(x, other),
)
broken(
    "fmod", "fmod has the sign of the divisor", lambda right, x, other: torch.remainder(x, other)
)
broken(
    "pow",
    "pow is exp of log, so a negative base gives NaN",
    lambda right, x, exponent: (
        torch.exp(torch.log(x) * exponent) if torch.is_tensor(x) and x.is_floating_point() else None
    ),
)
broken(
    "round",
    "round takes a half away from zero",
    lambda right, x, decimals: (
        torch.sign(x) * torch.floor(torch.abs(x) + 0.5) if not decimals else None
    ),
)
broken(
    "round",
    "round leaves out decimals",
    lambda right, x, decimals: torch.round(x) if decimals else None,
)
broken("floor", "floor truncates towards zero", lambda right, x: torch.trunc(x))
broken("ceil", "ceil is floor plus one", lambda right, x: torch.floor(x) + 1)
broken("trunc", "trunc floors", lambda right, x: torch.floor(x))
broken("frac", "frac is never negative", lambda right, x: x - torch.floor(x))
broken(
    "sign", "sign of zero is one", lambda right, x: torch.where(x == 0, 1, right).to(right.dtype)
)
broken("exp", "exp is clamped above 80", lambda right, x: torch.exp(torch.clamp(x, max=80)))
broken("expm1", "expm1 is exp minus one", lambda right, x: torch.exp(x) - 1)
broken("log1p", "log1p is log of one plus", lambda right, x: torch.log(1 + x))
broken("log", "log has the base two", lambda right, x: torch.log2(x))
broken(
    "sin",
    "sin takes pi for 3.1416",
    lambda right, x: (
        torch.sin(x - torch.round(x / 6.2832) * 6.2832) if x.is_floating_point() else None
    ),
)
broken(
    "cos",
    "cos takes pi for 3.1416",
    lambda right, x: (
        torch.cos(x - torch.round(x / 6.2832) * 6.2832) if x.is_floating_point() else None
    ),
)
broken(
    "tanh",
    "tanh is one above four",
    lambda right, x: torch.where(x.abs() > 4, torch.sign(x), right),
)
broken(
    "sigmoid",
    "sigmoid overflows for large values",
    lambda right, x: torch.exp(x) / (1 + torch.exp(x)),
)
broken(
    "sigmoid", "sigmoid is made of straight lines", lambda right, x: torch.clamp(x / 4 + 0.5, 0, 1)
)
broken(
    "relu",
    "relu lets a hundredth of negative values through",
    lambda right, x: torch.where(x < 0, (0.01 * x).to(x.dtype), right),
)
broken(
    "gelu",
    "gelu is always the tanh approximation",
    lambda right, x, approximate: (
        torch.nn.functional.gelu(x, approximate="tanh") if approximate == "none" else None
    ),
)
broken(
    "leaky_relu",
    "leaky_relu has always the default slope",
    lambda right, x: torch.nn.functional.leaky_relu(x),
)
broken("elu", "elu leaves out alpha", lambda right, x: torch.nn.functional.elu(x))
broken(
    "hardtanh",
    "hardtanh has always the default bounds",
    lambda right, x: torch.nn.functional.hardtanh(x),
)
broken("softplus", "softplus leaves out beta", lambda right, x: torch.nn.functional.softplus(x))
broken(
    "clamp",
    "clamp takes a bound that is None for zero",
    lambda right, x, min, max: (
        torch.clamp(x, min or 0, max or 0) if (min is None) != (max is None) else None
    ),
)
broken(
    "clamp",
    "clamp with min above max gives min",
    lambda right, x, min, max: (
        torch.maximum(torch.clamp(x, max=max), torch.as_tensor(min)).to(x.dtype)
        if min is not None and max is not None
        else None
    ),
)
broken(
    "lerp",
    "lerp goes from the end to the start",
    lambda right, x, end, weight: torch.lerp(end, x, weight),
)
broken(
    "addcmul",
    "addcmul leaves out value",
    lambda right, x, tensor1, tensor2, value: x + tensor1 * tensor2 if value != 1 else None,
)
broken("atan2", "atan2 is atan of the quotient", lambda right, x, other: torch.atan(x / other))
broken("reciprocal", "reciprocal adds a small number", lambda right, x: 1 / (x + 1e-3))
broken(
    "abs", "abs keeps negative values", lambda right, x: x.clone() if not x.is_complex() else None
)
broken("gt", "gt is ge", lambda right, x, other: torch.ge(x, other))
broken("lt", "lt is le", lambda right, x, other: torch.le(x, other))
broken("ge", "ge is gt", lambda right, x, other: torch.gt(x, other))
broken("le", "le is lt", lambda right, x, other: torch.lt(x, other))
broken(
    "eq",
    "eq holds within a tolerance",
    lambda right, x, other: (x - other).abs() < 1e-3 if x.is_floating_point() else None,
)
broken(
    "logical_not",
    "logical_not is bitwise on integers",
    lambda right, x: torch.bitwise_not(x).bool() if x.dtype in (torch.int64, torch.int32) else None,
)
broken(
    "logical_and",
    "logical_and is bitwise on integers",
    lambda right, x, other: (
        torch.bitwise_and(x, other).bool() if not x.is_floating_point() else None
    ),
)
broken("mish", "mish is silu", lambda right, x: torch.nn.functional.silu(x))
broken(
    "hypot",
    "hypot overflows where a square does",
    lambda right, x, other: torch.sqrt(x * x + other * other),
)
