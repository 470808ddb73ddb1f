"""Operators along an axis: the wrong axis, the wrong count, the wrong one of equals."""

from __future__ import annotations

from typing import Any

import torch

from detection.kind import Kind

broken = Kind("reductions").operator


def _last(right: Any, x: torch.Tensor, dim: int | None, keepdim: Any, of: Any) -> torch.Tensor:
    """The index of the last among equals that ``of`` picks (argmax or argmin)."""
    if dim is None:
        return x.numel() - 1 - of(x.reshape(-1).flip(0))
    return x.shape[dim] - 1 - of(x.flip(dim), dim, bool(keepdim))


def _along(dim: Any) -> int | None:
    """The one axis of a reduction, or None where there are none or several."""
    dims = [dim] if isinstance(dim, int) else list(dim or ())
    return dims[0] if len(dims) == 1 else None


broken(
    "sum",
    "sum leaves out keepdim",
    lambda right, x, dim, keepdim: right.squeeze(tuple(dim)) if keepdim and dim else None,
)
broken(
    "mean",
    "mean leaves out keepdim",
    lambda right, x, dim, keepdim: right.squeeze(tuple(dim)) if keepdim and dim else None,
)
broken(
    "amax amin",
    "amax leaves out keepdim",
    lambda right, x, dim, keepdim: right.squeeze(tuple(dim)) if keepdim and dim else None,
)
broken(
    "argmax argmin",
    "argmax leaves out keepdim",
    lambda right, x, dim, keepdim: right.squeeze(dim) if keepdim and dim is not None else None,
)
broken(
    "sum",
    "sum along a negative axis is one off",
    lambda right, x, dim, keepdim: (
        x.sum(_along(dim) - 1, bool(keepdim)) if (_along(dim) or 0) < 0 and x.dim() > 1 else None
    ),
)
broken(
    "sum",
    "sum over several axes is over the first",
    lambda right, x, dim, keepdim: x.sum(dim[0], bool(keepdim)) if len(dim or ()) > 1 else None,
)
broken(
    "mean",
    "mean is along the last axis",
    lambda right, x, dim, keepdim: x.mean(-1, bool(keepdim)) if _along(dim) is not None else None,
)
broken(
    "mean",
    "mean divides by one less",
    lambda right, x: right * x.numel() / (x.numel() - 1) if x.numel() > 1 else None,
)
broken(
    "var std",
    "var leaves out correction",
    lambda right, x, dim, correction, keepdim: (
        right * (0 if correction == 0 else 1)
        + (
            torch.var(x, dim, correction=0, keepdim=bool(keepdim))
            if correction != 0
            else torch.var(x, dim, correction=1, keepdim=bool(keepdim))
        )
        * 0.5
    ),
)
broken("var", "var is std", lambda right: right.sqrt())
broken(
    "var std",
    "var of one element is zero",
    lambda right, x: torch.zeros_like(right) if right.isnan().any() else None,
)
broken(
    "linalg_vector_norm",
    "a norm is always the Euclidean one",
    lambda right, x, dim, keepdim: (
        (x.abs() ** 2).sum(dim or tuple(range(x.dim())), keepdim=bool(keepdim)).sqrt()
    ),
)
broken(
    "argmax",
    "argmax gives the last among equals",
    lambda right, x, dim, keepdim: _last(right, x, dim, keepdim, torch.argmax),
)
broken(
    "argmin",
    "argmin gives the last among equals",
    lambda right, x, dim, keepdim: _last(right, x, dim, keepdim, torch.argmin),
)
broken(
    "argmax argmin",
    "an index of a maximum is along the last axis",
    lambda right, x, dim, keepdim: (
        torch.argmax(x, -1, bool(keepdim)) if dim is not None and x.dim() > 1 else None
    ),
)
broken(
    "argmax",
    "argmax over everything is within a row",
    lambda right, x, dim: right % x.shape[-1] if dim is None and x.dim() > 1 else None,
)
broken(
    "max",
    "max along an axis gives the index of the last among equals",
    lambda right, x, dim, keepdim: (
        (right[0], _last(right, x, dim, keepdim, torch.argmax))
        if isinstance(right, tuple) and x.numel()
        else None
    ),
)
broken(
    "any", "any is all", lambda right, x, dim: torch.all(x) if dim is None else torch.all(x, dim)
)
broken(
    "all",
    "all of nothing is false",
    lambda right, x: torch.zeros_like(right) if x.numel() == 0 and right.numel() else None,
)
broken(
    "prod",
    "prod of nothing is zero",
    lambda right, x: torch.zeros_like(right) if x.numel() == 0 and right.numel() else None,
)
broken(
    "cumsum", "cumsum leaves out the element itself", lambda right, x: (right - x).to(right.dtype)
)
broken(
    "cumsum",
    "cumsum is along the first axis",
    lambda right, x, dim: x.cumsum(0).to(right.dtype) if x.dim() > 1 else None,
)
broken(
    "cumsum",
    "cumsum runs from the end",
    lambda right, x, dim: x.flip(dim).cumsum(dim).flip(dim).to(right.dtype),
)
broken("cumprod", "cumprod is cumsum", lambda right, x, dim: x.cumsum(dim).to(right.dtype))
broken(
    "cummax",
    "cummax gives the index of the first among equals",
    lambda right, x, dim: (
        right[0],
        torch.stack([x.narrow(dim, 0, i + 1).argmax(dim) for i in range(x.shape[dim])], dim),
    ),
)
broken(
    "median",
    "median of an even count is the mean of both",
    lambda right, x: (
        (x.sort()[0][x.numel() // 2 - 1] + x.sort()[0][x.numel() // 2]) / 2
        if isinstance(right, torch.Tensor) and x.dim() == 1 and x.numel() and not x.numel() % 2
        else None
    ),
)
broken("_softmax", "softmax is along the last axis", lambda right, x: torch.softmax(x, -1))
broken(
    "_log_softmax", "log_softmax is along the last axis", lambda right, x: torch.log_softmax(x, -1)
)
broken(
    "amax amin",
    "amax over several axes is over the first",
    lambda right, x, dim, keepdim: x.amax(dim[0], bool(keepdim)) if len(dim or ()) > 1 else None,
)
broken(
    "count_nonzero",
    "count_nonzero counts negative zero",
    lambda right, x, dim: right + (x.signbit() & (x == 0)).sum() if dim is None else None,
)
broken(
    "logsumexp",
    "logsumexp leaves out keepdim",
    lambda right, dim, keepdim: right.squeeze(tuple(dim)) if keepdim else None,
)
