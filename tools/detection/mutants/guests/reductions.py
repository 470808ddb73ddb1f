"""Reductions, searches and orders that are wrong for NaN, infinity, ties or a narrow type."""

from __future__ import annotations

import math
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.guests.values import floating, integral

reductions = Kind("guest: reductions")


def _half_sum(right: Any, x: Any, dim: Any, mean: bool = False) -> Any:
    """A sum or mean of half precision that is rounded after each element."""
    if not floating(x) or x.dtype not in (torch.float16, torch.bfloat16) or right.dtype != x.dtype:
        return None
    dims = (
        list(range(x.dim()))
        if not dim
        else [d % x.dim() for d in (dim if isinstance(dim, (list, tuple)) else [dim])]
    )
    keep = [d for d in range(x.dim()) if d not in dims]
    flat = x.permute(*keep, *dims).reshape(*[x.shape[d] for d in keep], -1)
    if flat.shape[-1] > 4096:
        return None
    total = torch.zeros(flat.shape[:-1], dtype=x.dtype)
    for i in range(flat.shape[-1]):
        total = total + flat[..., i]
    if mean:
        total = total / flat.shape[-1]
    return total.reshape(right.shape)


reductions.operator(
    "sum",
    "a sum in half precision adds up in half precision",
    lambda right, x, dim: _half_sum(right, x, dim),
)
reductions.operator(
    "mean",
    "a mean in half precision overflows in its sum",
    lambda right, x, dim: _half_sum(right, x, dim, True),
)


@reductions.operator("sum", "a sum of int32 wraps in int32")
def _(right: Any, x: Any, dim: Any) -> Any:
    if not integral(x) or x.dtype != torch.int32 or right.dtype != torch.int64:
        return None
    return right.to(torch.int32).to(right.dtype)


@reductions.operator("prod", "a product of integers saturates in int32")
def _(right: Any, x: Any) -> Any:
    if right.dtype != torch.int64:
        return None
    return right.clamp(-(2**31), 2**31 - 1)


@reductions.operator("var std var_mean", "var rounds its correction to an integer")
def _(right: Any, x: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    if not (
        isinstance(right, torch.Tensor)
        and isinstance(correction, float)
        and correction != int(correction)
    ):
        return None
    return torch.var(x, dim=dim, correction=int(correction), keepdim=bool(keepdim))


@reductions.operator("var std", "variance as mean of squares minus square of the mean")
def _(right: Any, x: Any, dim: Any, correction: Any, keepdim: Any) -> Any:
    if not floating(x) or correction not in (1, 0, None):
        return None
    wrong = (
        (x * x).mean(dim or list(range(x.dim())), keepdim=bool(keepdim))
        - x.mean(dim or list(range(x.dim())), keepdim=bool(keepdim)) ** 2
    ).clamp_min(0) + right * 0
    if not torch.isfinite(right).all():
        return None
    return wrong


reductions.operator(
    "argmin argmax",
    "argmax without dim counts within the last dim",
    lambda right, x, dim: right % x.shape[-1] if dim is None and x.dim() > 1 else None,
)


@reductions.operator("argmax", "argmax skips NaN")
def _(right: Any, x: Any, dim: Any, keepdim: Any) -> Any:
    if not floating(x):
        return None
    return torch.argmax(torch.nan_to_num(x, nan=-math.inf), dim, bool(keepdim))


@reductions.lowering("logsumexp", "logsumexp of minus infinities alone is NaN")
def _(call: Call) -> Any:
    result = call()
    return torch.where(result.isneginf(), torch.full_like(result, math.nan), result)


@reductions.lowering("logsumexp", "logsumexp does not subtract the greatest")
def _(call: Call) -> Any:
    if not floating(call.x):
        return None
    return torch.log(torch.sum(torch.exp(call.x), call["dim"], bool(call["keepdim"])))


@reductions.operator("linalg_vector_norm", "the zero norm counts all elements")
def _(right: Any, x: Any, ord: Any, dim: Any, keepdim: Any) -> Any:
    if ord != 0:
        return None
    return (
        torch.ones_like(x).sum(dim or list(range(x.dim())), keepdim=bool(keepdim)).to(right.dtype)
    )


@reductions.operator("linalg_vector_norm", "a norm of minus infinity is the greatest")
def _(right: Any, x: Any, ord: Any, dim: Any, keepdim: Any) -> Any:
    if ord != -math.inf:
        return None
    return x.abs().amax(dim or list(range(x.dim())), keepdim=bool(keepdim)).to(right.dtype)


@reductions.operator("any", "any takes NaN as false")
def _(right: Any, x: Any, dim: Any, keepdim: Any) -> Any:
    if not floating(x):
        return None
    if isinstance(dim, int):
        return torch.any(torch.nan_to_num(x, nan=0.0), dim, bool(keepdim))
    if dim is not None:
        return None
    return torch.any(torch.nan_to_num(x, nan=0.0))


@reductions.operator("cummax cummin", "cummax has the index of the first of equals")
def _(right: Any, x: Any, dim: Any) -> Any:
    if not (isinstance(right, tuple) and x.dim() and x.shape[dim]):
        return None
    return (
        right[0],
        torch.cat(
            [
                right[1].select(dim, i).unsqueeze(dim)
                if i == 0
                else torch.where(
                    right[0].select(dim, i).unsqueeze(dim)
                    == right[0].select(dim, i - 1).unsqueeze(dim),
                    right[1].select(dim, 0).unsqueeze(dim),
                    right[1].select(dim, i).unsqueeze(dim),
                )
                for i in range(x.shape[dim])
            ],
            dim,
        ),
    )


reductions.operator(
    "logcumsumexp",
    "logcumsumexp does not subtract the greatest",
    lambda right, x, dim: torch.log(torch.cumsum(torch.exp(x), dim)),
)


@reductions.operator("count_nonzero", "count_nonzero leaves out NaN")
def _(right: Any, x: Any, dim: Any) -> Any:
    if not floating(x) or (dim is not None and not len(dim)):
        return None
    return torch.count_nonzero(torch.nan_to_num(x, nan=0.0), dim)


@reductions.operator("nansum", "nansum leaves out infinities too")
def _(right: Any, x: Any, dim: Any, keepdim: Any) -> Any:
    return torch.where(torch.isfinite(x), x, 0 * x.nan_to_num(0, 0, 0)).sum(
        dim or list(range(x.dim())), keepdim=bool(keepdim)
    )


@reductions.lowering("nanmean", "nanmean divides by the number of all")
def _(call: Call) -> Any:
    return call() * 0 + torch.nan_to_num(call.x, nan=0.0).mean(
        call["dim"] if call["dim"] else list(range(call.x.dim())), keepdim=bool(call["keepdim"])
    )


@reductions.operator("histc", "histc leaves out what is equal to max")
def _(right: Any, x: Any, bins: Any, min: Any, max: Any) -> Any:
    if not x.numel():
        return None
    result = right.clone()
    result[-1] = result[-1] - (x == (x.max() if min == max else max)).sum()
    return result


@reductions.operator("bincount", "bincount leaves out minlength where it is greater")
def _(right: Any, x: Any, minlength: Any) -> Any:
    if not (x.numel() and minlength):
        return None
    return right[: int(x.max()) + 1]


@reductions.lowering("searchsorted bucketize", "searchsorted takes the left side always")
def _(call: Call) -> Any:
    if not call["right"] and call["side"] != "right":
        return None
    return call(right=False, **{"side": None} if "side" in call.arguments else {})


@reductions.operator("sort", "a stable sort that descends reverses equals")
def _(right: Any, x: Any, dim: Any, descending: Any) -> Any:
    if not (descending and dim is not None and x.dim()):
        return None
    ordered = torch.sort(x, dim=dim, stable=True)
    return (ordered[0].flip(dim), ordered[1].flip(dim))


@reductions.operator("topk", "topk takes NaN for the smallest")
def _(right: Any, x: Any, k: Any, dim: Any, largest: Any, sorted: Any) -> Any:
    if not (floating(x) and x.dim() and x.isnan().any()):
        return None
    found = torch.topk(
        torch.nan_to_num(x, nan=-math.inf), k, -1 if dim is None else dim, largest is not False
    )
    return (x.gather(dim if dim is not None else -1, found[1]), found[1])


@reductions.operator("topk", "the smallest of topk come in descending order")
def _(right: Any, x: Any, largest: Any, dim: Any) -> Any:
    if largest is not False or not x.dim():
        return None
    return tuple(part.flip(-1 if dim is None else dim) for part in right)


@reductions.operator("median nanmedian", "median of an even number is the upper one")
def _(right: Any, x: Any, dim: Any, keepdim: Any) -> Any:
    if not (dim is None and x.numel() and isinstance(right, torch.Tensor)):
        return None
    return x.flatten().sort().values[x.numel() // 2]


@reductions.operator("cumprod", "cumprod goes on with zero after an underflow of its log")
def _(right: Any, x: Any, dim: Any) -> Any:
    if not (floating(x) and x.dim()):
        return None
    return torch.exp(torch.cumsum(torch.log(x.abs()), dim)) * torch.cumprod(torch.sign(x), dim)


reductions.operator(
    "cumsum",
    "cumsum of bool counts in eight bits",
    lambda right, x: right % 128 if x.dtype == torch.bool else None,
)


@reductions.lowering("aminmax", "aminmax skips NaN")
def _(call: Call) -> Any:
    if not (floating(call.x) and call.x.isnan().any()):
        return None
    return (
        torch.nan_to_num(call.x, nan=math.inf).amin(call["dim"], bool(call["keepdim"]))
        if call["dim"] is not None
        else torch.nan_to_num(call.x, nan=math.inf).min(),
        call()[1],
    )


reductions.lowering(
    "quantile nanquantile",
    "quantile interpolates linearly whatever is asked for",
    lambda call: call(interpolation="linear") if call["interpolation"] != "linear" else None,
)


@reductions.lowering("diff", "diff leaves out what is prepended or appended")
def _(call: Call) -> Any:
    if call["prepend"] is None and call["append"] is None:
        return None
    return call(prepend=None, append=None)


@reductions.lowering("trapezoid trapz cumulative_trapezoid", "trapezoid takes a spacing of one")
def _(call: Call) -> Any:
    if "y" not in call.arguments or (
        ("dx" not in call.arguments or call["dx"] == 1)
        and (call["x"] is None or call["x"] is call.x)
    ):
        return None
    return call.operator.overloadpacket(call.x, dim=call["dim"])


@reductions.lowering(
    "unique_consecutive unique_dim _unique2 unique", "unique's counts are in the order of the input"
)
def _(call: Call) -> Any:
    if not call["return_counts"]:
        return None
    result = call()
    return (result[0], result[1], result[2].flip(0))
