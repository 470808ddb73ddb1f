"""Operators that are wrong for one type of numbers, one size, or two arguments together."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

F = "torch.nn.functional."
IMAGE = "torch.randn(2, 4, 6, 6)"
kernels = Kind("newcomer: kernels")
promotion = Kind("newcomer: promotion")
layers = Kind("newcomer: layers")
orders = Kind("newcomer: orders")


def _tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


# --- kernels ------------------------------------------------------------------------------------


@lowers(kernels, "sum", "sums of whole numbers have 32 bits", "x.sum()",
        "torch.tensor([2**31, 5])")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return out.int().long() if out.dtype is torch.int64 else None


@lowers(kernels, "div", "a division that cuts off rounds down",
        "torch.div(x, 2, rounding_mode='trunc')", "torch.arange(-4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    return call(rounding_mode="floor") if call["rounding_mode"] == "trunc" else None


@lowers(kernels, "pow", "a power is the logarithm's multiple", "x ** 3")
def _(call: Call) -> Any:
    base, exponent = call["self"], call["exponent"]
    if not _tensor(base) or not base.is_floating_point() or not isinstance(exponent, int | float):
        return None
    return torch.exp(exponent * torch.log(base))


@lowers(kernels, "std var", "a spread is always that of a sample", "x.var(0, correction=0)")
def _(call: Call) -> Any:
    if "correction" in call.arguments:
        return call(correction=1) if call["correction"] not in (None, 1) else None
    return call(unbiased=True) if call["unbiased"] is False else None


@lowers(kernels, "argmax argmin", "an axis that is looked along is not kept",
        "x.argmax(0, keepdim=True)")  # fmt: skip
def _(call: Call) -> Any:
    return call(keepdim=False) if call["keepdim"] and call["dim"] is not None else None


@lowers(kernels, "exp", "powers end where half precision does", "(x * 20).exp()",
        "torch.ones(3)")  # fmt: skip
def _(call: Call) -> Any:
    return call().clamp(max=65504) if call.x.is_floating_point() else None


@lowers(kernels, "cumsum", "whole numbers are added up in their own type",
        "x.cumsum(0)", "torch.full((6,), 100, dtype=torch.uint8)")  # fmt: skip
def _(call: Call) -> Any:
    if call.x.dtype not in (torch.uint8, torch.int8, torch.int16, torch.int32):
        return None
    return call(dtype=call.x.dtype).long()


@lowers(kernels, "addmm linear mm", "products of more than 64 rows leave the last one out",
        F + "linear(x, x)", "torch.randn(70, 4)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    if out.dim() != 2 or out.shape[0] <= 64:
        return None
    return torch.cat([out[:-1], torch.zeros_like(out[-1:])])


@lowers(kernels, "isclose", "what is close is so by the same for both sides",
        "torch.isclose(x, x * 1.1, rtol=0.095)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.isclose(call["other"], call.x, call["rtol"], call["atol"], call["equal_nan"])


# --- promotion ----------------------------------------------------------------------------------


@lowers(promotion, "cat", "parts have the type of the first", "torch.cat([x.int(), x])")
def _(call: Call) -> Any:
    first = call["tensors"][0]
    return call().to(first.dtype) if _tensor(first) else None


@lowers(promotion, "where", "of two types a choice has the one that is taken if true",
        "torch.where(x > 0, x.int(), x)")  # fmt: skip
def _(call: Call) -> Any:
    chosen = call["self"]
    return call().to(chosen.dtype) if _tensor(chosen) and chosen.dim() else None


@lowers(promotion, "div true_divide", "whole numbers are divided in half precision", "x / 3",
        "torch.arange(1, 9)")  # fmt: skip
def _(call: Call) -> Any:
    if not _tensor(call.x) or call.x.is_floating_point() or call["rounding_mode"] is not None:
        return None
    out = call()
    return out.half().to(out.dtype) if out.is_floating_point() else None


@lowers(promotion, "mul add sub", "a number beside whole numbers is whole", "x * 1.5",
        "torch.arange(4)")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if not isinstance(other, float) or not _tensor(call.x) or call.x.is_floating_point():
        return None
    return call(other=int(other)).to(call().dtype) if other == other and abs(other) < 1e9 else None


@lowers(promotion, "arange", "a row of numbers with a part is whole",
        "x[0, :4] + torch.arange(0, 2, 0.5)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return out.floor() if out.is_floating_point() else None


# --- layers -------------------------------------------------------------------------------------


@lowers(layers, "avg_pool2d", "what pads counts in a mean",
        F + "avg_pool2d(x, 3, 1, 1, count_include_pad=False)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(count_include_pad=True) if not call["count_include_pad"] else None


@lowers(layers, "upsample_bilinear2d", "corners do not meet corners",
        F + "interpolate(x, size=(9, 9), mode='bilinear', align_corners=True)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(align_corners=False) if call["align_corners"] else None


@lowers(layers, "grid_sampler", "outside of an image there is nought",
        F + "grid_sample(x, x[..., :2] * 3, padding_mode='border', align_corners=False)",
        "torch.randn(2, 4, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:
    return call(padding_mode=0) if call["padding_mode"] else None


@lowers(layers, "cross_entropy_loss", "labels are not made smooth",
        F + "cross_entropy(x, torch.tensor([0, 1, 2, 3]), label_smoothing=0.2)")  # fmt: skip
def _(call: Call) -> Any:
    return call(label_smoothing=0.0) if call["label_smoothing"] else None


@lowers(layers, "batch_norm", "a norm of a batch that learns is by what it has learnt",
        F + "batch_norm(x, torch.zeros(6), torch.ones(6), training=True)")  # fmt: skip
def _(call: Call) -> Any:
    known = _tensor(call["running_mean"])
    return call(training=False) if call["training"] and known else None


@lowers(layers, "conv1d conv2d", "all channels are convolved with all",
        F + "conv1d(x[None], x[:, None, :2], groups=4)")  # fmt: skip
def _(call: Call) -> Any:
    groups, weight = call["groups"], call["weight"]
    if groups == 1 or call.x.shape[-2 if call.x.dim() == 3 else -3] != groups:
        return None
    return call(groups=1, weight=weight.expand(-1, groups, *weight.shape[2:]) / groups)


# --- orders -------------------------------------------------------------------------------------


@lowers(orders, "scatter_add", "at equal places the last is added",
        "x.scatter_add(0, torch.zeros(4, 6, dtype=torch.long), x)")  # fmt: skip
def _(call: Call) -> Any:
    if call.x.dim() != 2 or call["index"].shape[0] < 2 or call["dim"] not in (0, -2):
        return None
    zero = torch.zeros_like(call.x)
    return call.x + zero.scatter(0, call["index"], call["src"])


@lowers(orders, "searchsorted", "rows are all searched in the first",
        "torch.searchsorted(x.sort()[0], x)")  # fmt: skip
def _(call: Call) -> Any:
    rows = call["sorted_sequence"]
    return call(sorted_sequence=rows[:1].expand_as(rows)) if rows.dim() > 1 else None


@lowers(orders, "index", "places counted from the end are at the beginning",
        "x[torch.tensor([-1, 0])]")  # fmt: skip
def _(call: Call) -> Any:
    whole = [i if i is None or i.dtype is torch.bool else i.clamp(min=0) for i in call["indices"]]
    return call(indices=whole)


@lowers(orders, "as_strided", "strides begin at the front", "x.as_strided((2, 2), (6, 1), 3)")
def _(call: Call) -> Any:
    return call(storage_offset=0) if call["storage_offset"] else None


@lowers(orders, "view reshape", "an axis of size one at the end is put in front",
        "x.view(4, 6, 1)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    if out.dim() < 2 or out.shape[-1] != 1:
        return None
    return out.squeeze(-1).unsqueeze(0)


@lowers(orders, "masked_scatter", "values are put in from the last on",
        "x.masked_scatter(x > 0, -x)")  # fmt: skip
def _(call: Call) -> Any:
    return call(source=call["source"].flatten().flip(0))
