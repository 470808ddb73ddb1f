"""Operators that are right for ordinary numbers and wrong for NaN, infinities, zeros, denormals."""

from __future__ import annotations

import torch

from detection.kind import Kind

broken = Kind("special values").operator


def _tiny(t: torch.Tensor) -> torch.Tensor:
    """Where a floating tensor has denormal numbers."""
    return (t.abs() < torch.finfo(t.dtype).tiny) & (t != 0)


def _flushed(right: torch.Tensor) -> torch.Tensor | None:
    if not isinstance(right, torch.Tensor) or not right.is_floating_point():
        return None
    return torch.where(_tiny(right), torch.zeros_like(right), right)


def _finite(right: torch.Tensor) -> torch.Tensor | None:
    if not isinstance(right, torch.Tensor) or not right.is_floating_point():
        return None
    return right.clamp(torch.finfo(right.dtype).min, torch.finfo(right.dtype).max)


def _positive_zero(right: torch.Tensor) -> torch.Tensor | None:
    return right + 0.0 if right.is_floating_point() else None


def _without_nan(right: torch.Tensor, value: float = 0.0) -> torch.Tensor | None:
    return (
        torch.nan_to_num(right, value, float("inf"), float("-inf"))
        if (right.is_floating_point())
        else None
    )


broken("relu", "relu makes NaN zero", lambda right: _without_nan(right))
broken(
    "maximum", "maximum takes the number beside NaN", lambda right, x, other: torch.fmax(x, other)
)
broken(
    "minimum", "minimum takes the number beside NaN", lambda right, x, other: torch.fmin(x, other)
)
broken(
    "clamp",
    "clamp makes NaN its lower bound",
    lambda right, x, min: (
        torch.where(torch.isnan(x), torch.as_tensor(min, dtype=x.dtype), right)
        if isinstance(min, (int, float)) and x.is_floating_point()
        else None
    ),
)
broken(
    "amax max",
    "max leaves NaN out",
    lambda right, x, dim: (
        torch.where(torch.isnan(right), torch.nan_to_num(x, float("-inf")).max(), right)
        if isinstance(right, torch.Tensor) and right.is_floating_point() and x.numel()
        else None
    ),
)
broken(
    "sum",
    "sum leaves NaN out",
    lambda right, x, dim, keepdim: (
        torch.nansum(x, dim=dim or None, keepdim=bool(keepdim)) if x.is_floating_point() else None
    ),
)
broken(
    "mean",
    "mean leaves NaN out",
    lambda right, x, dim, keepdim: (
        torch.nanmean(x, dim=dim, keepdim=bool(keepdim))
        if x.is_floating_point() and torch.isnan(x).any()
        else None
    ),
)
broken(
    "where",
    "where is arithmetic, so what is not taken matters if it is infinite or NaN",
    lambda right, condition, self, other: (
        condition * self + (~condition) * other
        if self is not None and right.is_floating_point()
        else None
    ),
)
broken(
    "masked_fill",
    "masked_fill is arithmetic, so NaN stays under the mask",
    lambda right, x, mask, value: (
        x * ~mask + torch.where(mask, value, 0) if x.is_floating_point() else None
    ),
)
broken("neg", "neg of zero is zero without a sign", lambda right: _positive_zero(right))
broken("mul", "mul loses the sign of zero", lambda right: _positive_zero(right))
broken("round", "round loses the sign of zero", lambda right: _positive_zero(right))
broken(
    "div",
    "div by zero loses the sign of the zero",
    lambda right, x, other: (
        torch.div(x, other + 0.0)
        if isinstance(other, torch.Tensor) and other.is_floating_point()
        else None
    ),
)
broken(
    "div",
    "div by zero is zero",
    lambda right, other: (
        torch.where(torch.as_tensor(other) == 0, 0.0, right).to(right.dtype)
        if right.is_floating_point()
        else None
    ),
)
broken("mul", "mul flushes denormals to zero", lambda right: _flushed(right))
broken("add", "add flushes denormals to zero", lambda right: _flushed(right))
broken("div", "div flushes denormals to zero", lambda right: _flushed(right))
broken("relu", "relu flushes denormals to zero", lambda right: _flushed(right))
broken("mul", "mul saturates instead of overflowing", lambda right: _finite(right))
broken("exp", "exp saturates instead of overflowing", lambda right: _finite(right))
broken("add", "add of infinity and minus infinity is zero", lambda right: _without_nan(right))
broken(
    "log",
    "log of zero is a large negative number",
    lambda right, x: torch.log(torch.where(x == 0, 1e-38, x)),
)
broken(
    "log",
    "log of a negative number is that of its absolute value",
    lambda right, x: torch.log(x.abs()),
)
broken(
    "sqrt", "sqrt of a negative number is zero", lambda right, x: torch.sqrt(torch.clamp(x, min=0))
)
broken("rsqrt", "rsqrt of zero is finite", lambda right: _finite(right))
broken(
    "pow",
    "pow takes zero to the power of zero for zero",
    lambda right, x, exponent: torch.where((torch.as_tensor(x) == 0) & (right == 1), 0, right).to(
        right.dtype
    ),
)
broken(
    "pow",
    "pow to one half is sqrt",
    lambda right, x, exponent: torch.sqrt(x) if exponent == 0.5 else None,
)
broken(
    "eq",
    "eq says that NaN is itself",
    lambda right, x, other: right | ((x != x) & (torch.as_tensor(other) != other)),
)
broken(
    "ne",
    "ne says that NaN is itself",
    lambda right, x, other: right & ~((x != x) & (torch.as_tensor(other) != other)),
)
broken(
    "gt ge",
    "a comparison with NaN holds",
    lambda right, x, other: right | (x != x) | (torch.as_tensor(other) != other),
)
broken(
    "sign",
    "sign of NaN is one",
    lambda right, x: (
        torch.where(x != x, 1, right).to(right.dtype) if x.is_floating_point() else None
    ),
)
broken(
    "_softmax",
    "softmax does not take off the maximum, so large values overflow",
    lambda right, x, dim: torch.exp(x) / torch.exp(x).sum(dim, keepdim=True),
)
broken(
    "_log_softmax",
    "log_softmax is log of softmax, so small values are minus infinity",
    lambda right, x, dim: torch.log(torch.softmax(x, dim)),
)
broken(
    "logsumexp",
    "logsumexp does not take off the maximum",
    lambda right, x, dim, keepdim: torch.log(torch.exp(x).sum(dim, keepdim=bool(keepdim))),
)
broken(
    "_softmax", "softmax of a row of minus infinities is zero", lambda right: _without_nan(right)
)
broken(
    "sort",
    "sort puts NaN first",
    lambda right, x, dim, descending: (
        torch.sort(
            torch.nan_to_num(x, float("-inf")),
            dim=-1 if dim is None else dim,
            descending=bool(descending),
        )
        if x.is_floating_point() and torch.isnan(x).any()
        else None
    ),
)
broken(
    "argmax",
    "argmax leaves NaN out",
    lambda right, x, dim, keepdim: (
        torch.argmax(torch.nan_to_num(x, float("-inf")), dim, bool(keepdim))
        if x.is_floating_point()
        else None
    ),
)
broken(
    "isnan isinf",
    "a test for NaN or infinity is always false",
    lambda right: torch.zeros_like(right),
)
broken(
    "cumsum",
    "cumsum begins again after NaN",
    lambda right, x: _without_nan(right) if x.is_floating_point() else None,
)
broken(
    "tanh",
    "tanh of infinity is NaN",
    lambda right, x: torch.where(torch.isinf(x), float("nan"), right),
)
broken(
    "nan_to_num",
    "nan_to_num leaves infinities",
    lambda right, x: torch.where(torch.isinf(x), x, right),
)
