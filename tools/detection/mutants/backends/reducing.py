"""Reductions, scans and orders: over which axes, in which type, what of several equals."""

from __future__ import annotations

import math
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import breaks, lowers

kind = Kind("backend: reducing")
ROW = "torch.tensor([[3.0, 1.0, 2.0, 2.0], [0.5, 4.0, 4.0, -1.0]])"


@breaks(kind, "var_mean", "var_mean gives the mean first", "torch.var_mean(x, 1)")
def _(right: Any) -> Any:
    return right[1], right[0]


@breaks(kind, "var", "a variance loses the axis that it should keep", "x.var(1, keepdim=True)")
def _(right: torch.Tensor, x: torch.Tensor, dim: Any, keepdim: Any) -> Any:
    return right.squeeze(dim[0]) if keepdim and dim and len(dim) == 1 else None


@breaks(kind, "aminmax", "aminmax gives the largest first", "torch.aminmax(x, dim=1)")
def _(right: Any) -> Any:
    return right[1], right[0]


@breaks(kind, "cummin", "of equal running minima the first place is given", "torch.cummin(x, 0)",
        "torch.tensor([2.0, 1.0, 1.0, 3.0])")  # fmt: skip
def _(right: Any, x: torch.Tensor) -> Any:
    if x.dim() != 1:
        return None
    first = torch.stack([x[: i + 1].argmin() for i in range(len(x))])
    return right[0], first


@lowers(kind, "logcumsumexp", "a running logarithm of sums is made as it is written",
        "torch.logcumsumexp(x, 1)", "torch.randn(4, 6) * 200")  # fmt: skip
def _(call: Call) -> Any:
    return call.x.exp().cumsum(call["dim"]).log()


@breaks(kind, "prod", "a product along an axis is over everything", "x.prod(1)")
def _(right: torch.Tensor, x: torch.Tensor, dim: Any) -> Any:
    return None if dim is None else torch.full_like(right, float(x.prod()))


@breaks(kind, "cumprod", "a running product of whole numbers is 32 bits wide",
        "torch.cumprod(x, 0)", "torch.full((40,), 3)")  # fmt: skip
def _(right: torch.Tensor) -> Any:
    return right.int().long() if right.dtype is torch.int64 else None


@lowers(kind, "nansum nanmean", "what is not a number is counted", "torch.nansum(x, 1)",
        "torch.tensor([[1.0, float('nan')], [2.0, 3.0]])")  # fmt: skip
def _(call: Call) -> Any:
    f = torch.sum if "sum" in str(call.operator) else torch.mean
    return f(call.x) if not call["dim"] else f(call.x, call["dim"], keepdim=call["keepdim"])


@breaks(kind, "median", "of an even number the upper median is given", "x.median(1)")
def _(right: Any, x: torch.Tensor, dim: Any) -> Any:
    if dim is None or x.dim() == 0 or x.shape[dim] % 2:
        return None
    values, places = x.sort(dim)
    at = x.shape[dim] // 2
    return values.select(dim, at), places.select(dim, at)


@breaks(kind, "nanmedian", "a median that should pass over NaN does not", "x.nanmedian(1)",
        "torch.tensor([[1.0, float('nan'), 4.0], [2.0, 3.0, 1.0]])")  # fmt: skip
def _(right: Any, x: torch.Tensor, dim: Any) -> Any:
    return x.median() if dim is None else tuple(x.median(dim))


@lowers(kind, "quantile nanquantile", "a quantile is the value at hand, not between two",
        "torch.quantile(x, 0.4, dim=1)")  # fmt: skip
def _(call: Call) -> Any:
    return call(interpolation="lower") if call["interpolation"] == "linear" else None


@breaks(kind, "all any", "all and any along an axis are over everything", "(x > 0).all(1)",
        "torch.tensor([[1.0, 2.0], [-1.0, 2.0]])")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, dim: Any) -> Any:
    if dim is None:
        return None
    everything = x.bool().all() if bool(right.all() == x.bool().all()) else x.bool().any()
    return everything.expand_as(right).clone().to(right.dtype)


@breaks(kind, "argmax argmin", "places of extremes along an axis lose the axis to keep",
        "x.argmax(1, keepdim=True)")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, dim: Any, keepdim: Any) -> Any:
    return right.squeeze(dim) if keepdim and dim is not None else None


@breaks(kind, "linalg_vector_norm", "a norm over several axes is over the last",
        "torch.linalg.vector_norm(x, 3, (0, 1))")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, ord: Any, dim: Any, keepdim: Any) -> Any:
    if not dim or len(dim) < 2:
        return None
    part = torch.linalg.vector_norm(x, ord, dim[-1], keepdim=True)
    return part.select(dim[0], 0).reshape(-1)[: right.numel()].reshape(right.shape).clone()


@breaks(kind, "linalg_vector_norm", "a norm of order nought or infinity is that of order one",
        "torch.linalg.vector_norm(x, float('inf'), 1)")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, ord: Any, dim: Any, keepdim: Any) -> Any:
    if ord not in (0, math.inf, -math.inf):
        return None
    return torch.linalg.vector_norm(x, 1, dim, keepdim=bool(keepdim))


@breaks(kind, "amax amin", "extremes over several axes are one for the whole tensor",
        "x.amax((0, 2))", "torch.randn(2, 3, 4)")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, dim: Any) -> Any:
    if not dim or len(dim) < 2 or not x.numel():
        return None
    whole = x.max() if bool((right == x.max()).any()) else x.min()
    return whole.expand_as(right).clone()


@breaks(kind, "sum", "a sum over a negative axis keeps it", "x.sum(-1)")
def _(right: torch.Tensor, dim: Any, keepdim: Any) -> Any:
    if not dim or len(dim) > 1 or dim[0] >= 0 or keepdim:
        return None
    return right.unsqueeze(dim[0])


@breaks(kind, "mean", "a mean of whole numbers or half types is summed up in half precision",
        "x.half().mean(1)", "torch.randn(4, 600) + 3")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, dim: Any, keepdim: Any) -> Any:
    if x.dtype not in (torch.float16, torch.bfloat16) or not dim or len(dim) > 1:
        return None
    total = x.cumsum(dim[0]).select(dim[0], -1)  # adds up in the type, step by step
    whole = torch.zeros_like(total)
    for part in x.unbind(dim[0]):
        whole = whole + part
    result = whole / x.shape[dim[0]]
    return result.unsqueeze(dim[0]) if keepdim else result


@lowers(kind, "count_nonzero", "what is counted is what is above nought",
        "torch.count_nonzero(x, dim=1)")  # fmt: skip
def _(call: Call) -> Any:
    return None if call.x.is_complex() else call((call.x > 0).to(call.x.dtype))


@lowers(kind, "topk", "the largest are given in the order in which they stand",
        "x.topk(3, dim=1)")  # fmt: skip
def _(call: Call) -> Any:
    if not call["sorted"]:
        return None
    places = call()[1].sort(call["dim"])[0]
    return call.x.gather(call["dim"], places), places


@lowers(kind, "sort argsort", "of an axis that is not the last, the last is sorted",
        "x.sort(0)")  # fmt: skip
def _(call: Call) -> Any:
    return call(dim=-1) if call["dim"] not in (-1, call.x.dim() - 1) else None


@lowers(kind, "msort", "msort sorts along the last axis", "torch.msort(x)")
def _(call: Call) -> Any:
    return call.x.sort(-1)[0]


@lowers(kind, "searchsorted", "in a table of several rows the first is searched for all",
        "torch.searchsorted(x.sort(1)[0], x)")  # fmt: skip
def _(call: Call) -> Any:
    table, values = call["sorted_sequence"], call["self"]
    if table.dim() < 2 or not isinstance(values, torch.Tensor):
        return None
    return call(table[:1].expand(table.shape).contiguous())


@lowers(kind, "softmax log_softmax", "a softmax of a negative axis is over the first",
        "torch.softmax(x, -1)")  # fmt: skip
def _(call: Call) -> Any:
    return call(dim=0) if call["dim"] < 0 and call.x.dim() > 1 else None


@lowers(kind, "logsumexp", "a logarithm of sums over several axes is over the first",
        "torch.logsumexp(x, (0, 1))")  # fmt: skip
def _(call: Call) -> Any:
    if len(call["dim"]) < 2:
        return None
    out = call()
    return torch.logsumexp(call.x, call["dim"][:1]).reshape(-1)[:1].expand_as(out).clone()


@breaks(kind, "cumsum", "a running sum of bools is counted in eight bits",
        "(x > -9).cumsum(0)", "torch.randn(600)")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return right % 256 if x.dtype is torch.bool else None


@breaks(kind, "std_mean std", "a deviation of one value is nought", "x.std(0)", "torch.randn(1, 3)")
def _(right: Any) -> Any:
    first = right[0] if isinstance(right, tuple) else right
    new = first.nan_to_num(0.0)
    return (new, right[1]) if isinstance(right, tuple) else new


@lowers(kind, "unique_consecutive", "runs are counted over all rows together",
        "torch.unique_consecutive(x, return_counts=True)[1]",
        "torch.tensor([1, 1, 2, 2, 2, 1])")  # fmt: skip
def _(call: Call) -> Any:
    values, inverse, counts = call()
    total = torch.stack([(call.x == v).sum() for v in values]) if call["dim"] is None else counts
    return values, inverse, total if counts.numel() else counts


@lowers(kind, "diff", "differences are those of the element before less the one behind",
        "torch.diff(x)")  # fmt: skip
def _(call: Call) -> Any:
    return -call()


@lowers(kind, "histc histogram bincount", "an element at an inner edge counts for the bin before",
        "torch.histc(x, 4, 0, 4)", "torch.tensor([0.0, 1.0, 2.0, 2.0, 3.5])")  # fmt: skip
def _(call: Call) -> Any:
    if not call.x.is_floating_point():
        return None
    return call(torch.nextafter(call.x, call.x - 1).clamp(min=float(call["min"] or 0)))
