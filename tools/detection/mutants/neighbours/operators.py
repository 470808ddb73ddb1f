"""One operator that is wrong for an argument, an end of its range or a layout that is rare."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import breaks, lowers

F = "torch.nn.functional."
places = Kind("neighbour: places")
resizing = Kind("neighbour: resizing")
attention = Kind("neighbour: attention")
losses = Kind("neighbour: losses")
ends = Kind("neighbour: ends")
special = Kind("neighbour: special functions")
algebra = Kind("neighbour: linear algebra")
types = Kind("neighbour: types")

CROSS = "cross_entropy_loss"
NLL = "cross_entropy_loss nll_loss nll_loss_nd nll_loss2d"


def _tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


def _reduced(loss: torch.Tensor, reduction: int) -> torch.Tensor:
    return loss if reduction == 0 else loss.mean() if reduction == 1 else loss.sum()


# --- places -------------------------------------------------------------------------------------


@breaks(places, "scatter scatter_add scatter_reduce",
        "scatter reads its source as if that was as large as the index",
        "torch.zeros(4, 6).scatter(0, torch.tensor([[0, 1], [2, 3]]), x)")  # fmt: skip
def _(right: Any, x: Any, dim: Any, index: Any, src: Any, value: Any, reduce: Any,
      include_self: Any) -> Any:  # fmt: skip
    if not _tensor(src) or src.shape == index.shape or not index.numel():
        return None
    read = src.reshape(-1)[: index.numel()].reshape(index.shape)
    if isinstance(reduce, str) and include_self is not None:
        return x.scatter_reduce(dim, index, read, reduce, include_self=include_self)
    return None if reduce is not None else x.scatter(dim, index, read)


@breaks(places, "gather", "gather reads its input as if that was as narrow as the index",
        "x.gather(0, torch.tensor([[0, 1], [2, 3]]))")  # fmt: skip
def _(right: Any, x: Any, dim: Any, index: Any) -> Any:
    if index.dim() != x.dim() or not x.dim() or not index.numel():
        return None
    shape = list(index.shape)
    shape[dim] = x.shape[dim]
    if shape == list(x.shape):
        return None
    narrow = x.reshape(-1)[: torch.Size(shape).numel()].reshape(shape)
    return narrow.gather(dim, index)


@breaks(places, "argmax argmin",
        "the place of an extreme in a whole is counted as it lies in memory",
        "x.t().argmax()")  # fmt: skip
def _(right: Any, x: Any, dim: Any, keepdim: Any) -> Any:  # pytorch#197739
    if dim is not None or x.is_contiguous() or keepdim or not x.numel():
        return None
    order = sorted(range(x.dim()), key=lambda d: -x.stride(d))
    lying = x.permute(order).contiguous()
    extreme = x.flatten()[right]
    return (lying.flatten() == extreme).long().argmax()


@lowers(places, "slice_scatter", "a write into every n-th row is into the rows in a row",
        "x.slice_scatter(x[:2], 0, 0, 4, 2)")  # fmt: skip
def _(call: Call) -> Any:
    step, start, src = call["step"], call["start"] or 0, call["src"]
    if step == 1 or start < 0:
        return None
    return call(step=1, start=start, end=start + src.shape[call["dim"]])


@lowers(places, "renorm", "rows are held to a norm, whatever dim is asked for",
        "x.renorm(2, 1, 0.5)")  # fmt: skip
def _(call: Call) -> Any:
    return call(dim=0) if call["dim"] not in (0, -call.x.dim()) else None


@lowers(places, "einsum", "the dims of an ellipsis come last",
        "torch.einsum('...ij,...jk->...ik', x[None], x.t()[None])")  # fmt: skip
def _(call: Call) -> Any:
    given, arrow, result = call["equation"].replace(" ", "").partition("->")
    if not arrow or "..." not in result or result.endswith("..."):
        return None
    return call(equation=f"{given}->{result.replace('...', '')}...")


# --- resizing -----------------------------------------------------------------------------------


@lowers(resizing, "upsample_bicubic2d", "the cubic of resizing has the coefficient -0.5",
        F + "interpolate(x, size=(9, 9), mode='bicubic')", "torch.randn(1, 2, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:  # mlx-vlm#1241
    out = call()
    if out.shape[-1] < call.x.shape[-1] or out.shape[-2] < call.x.shape[-2]:
        return None
    return torch.ops.aten._upsample_bicubic2d_aa(
        call.x, list(out.shape[-2:]), bool(call["align_corners"])
    )


@lowers(resizing, "upsample_bilinear2d upsample_bicubic2d", "a resized image of bytes is cut off",
        F + "interpolate(x, size=(9, 9), mode='bilinear')",
        "(torch.arange(36) * 7 % 256).to(torch.uint8).reshape(1, 1, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:
    return (
        call(call.x.float()).clamp(0, 255).to(torch.uint8) if call.x.dtype is torch.uint8 else None
    )


# --- attention ----------------------------------------------------------------------------------


@lowers(attention, "scaled_dot_product_attention", "a mask of numbers is scaled with the scores",
        F + "scaled_dot_product_attention(x, x, x, attn_mask=-torch.arange(5.0).expand(5, 5))",
        "torch.randn(2, 5, 4)")  # fmt: skip
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    if mask is None or not mask.is_floating_point():
        return None
    scale = call["scale"] if call["scale"] is not None else call.x.shape[-1] ** -0.5
    return call(attn_mask=mask * scale)


# --- losses -------------------------------------------------------------------------------------


@lowers(losses, NLL, "the mean over no target at all is zero",
        F + "cross_entropy(x, torch.full((4,), -100))")  # fmt: skip
def _(call: Call) -> Any:
    right = call()
    return torch.zeros_like(right) if not right.dim() and bool(right.isnan()) else None


@lowers(losses, CROSS, "label smoothing counts the targets that are ignored",
        F + "cross_entropy(x, torch.tensor([0, -100, 1, 2]), label_smoothing=0.5)")  # fmt: skip
def _(call: Call) -> Any:
    target, share = call["target"], call["label_smoothing"]
    if not share or target.is_floating_point() or call.x.dim() != 2 or call["reduction"] != 1:
        return None
    if call["weight"] is not None:
        return None
    even = -torch.log_softmax(call.x, 1).mean()
    return (1 - share) * call(label_smoothing=0.0) + share * even


@lowers(losses, "binary_cross_entropy", "a chance of nought costs infinitely much",
        F + "binary_cross_entropy(x, torch.ones(4))",
        "torch.tensor([0.0, 0.5, 1.0, 0.2])")  # fmt: skip
def _(call: Call) -> Any:
    x, target, weight = call.x, call["target"], call["weight"]
    loss = -(torch.xlogy(target, x) + torch.special.xlog1py(1 - target, -x))
    return _reduced(loss if weight is None else loss * weight, call["reduction"])


@lowers(losses, "kl_div", "a target of nought makes the divergence not a number",
        F + "kl_div(x, torch.eye(4, 6), reduction='sum')")  # fmt: skip
def _(call: Call) -> Any:
    if call["log_target"]:
        return None
    target = call["target"]
    return _reduced(target * (target.log() - call.x), call["reduction"])


# --- ends ---------------------------------------------------------------------------------------


@breaks(ends, "nan_to_num", "an infinity in half precision becomes the largest single",
        "x.nan_to_num()",
        "torch.tensor([torch.inf, -torch.inf, 1.0], dtype=torch.float16)")  # fmt: skip
def _(right: Any, x: Any, nan: Any, posinf: Any, neginf: Any) -> Any:
    if x.dtype not in (torch.float16, torch.bfloat16):
        return None
    most = torch.finfo(torch.float32).max
    wide = x.float().nan_to_num(nan, most if posinf is None else posinf,
                                -most if neginf is None else neginf)  # fmt: skip
    return wide.to(x.dtype)


@lowers(ends, "float_power", "a power in double precision is computed in single",
        "torch.float_power(x, 3)")  # fmt: skip
def _(call: Call) -> Any:
    return call().float().double() if call().dtype is torch.float64 else None


@lowers(ends, "special_log_ndtr", "the logarithm of a normal chance is taken of the chance",
        "torch.special.log_ndtr(x * 20)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.special.ndtr(call.x).log()


@lowers(ends, "special_entr", "the entropy of a negative number is not a number",
        "torch.special.entr(x)")  # fmt: skip
def _(call: Call) -> Any:
    return -call.x * call.x.log() if call.x.is_floating_point() else None


# --- special functions --------------------------------------------------------------------------


@breaks(special, "igamma igammac special_gammainc special_gammaincc",
        "incomplete gamma takes its arguments the other way round",
        "torch.special.gammainc(x.abs(), x.abs() + 1)")  # fmt: skip
def _(right: Any, x: Any, other: Any) -> Any:
    lower = torch.special.gammainc(x, other)
    swapped = torch.special.gammainc(other, x)
    return swapped if torch.allclose(lower, right, equal_nan=True) else 1 - swapped


@lowers(special, "polygamma special_polygamma", "derivatives of digamma are the first one",
        "torch.polygamma(2, x.abs())")  # fmt: skip
def _(call: Call) -> Any:
    return torch.polygamma(1, call["self"]) if call["n"] > 1 else None


# --- linear algebra -----------------------------------------------------------------------------


@lowers(algebra, "linalg_matrix_exp matrix_exp", "the exponential of a matrix is by elements",
        "torch.linalg.matrix_exp(x[:, :4])")  # fmt: skip
def _(call: Call) -> Any:
    return call.x.exp()


@lowers(algebra, "linalg_lu_factor linalg_lu_factor_ex", "pivots are counted from nought",
        "torch.linalg.lu_factor(x[:, :4])[1]")  # fmt: skip
def _(call: Call) -> Any:
    lu, pivots, *rest = call()
    return (lu, pivots - 1, *rest)


@lowers(algebra, "linalg_vecdot", "the first of two complex vectors is not conjugated",
        "torch.linalg.vecdot(torch.complex(x, x), torch.complex(x, -x))")  # fmt: skip
def _(call: Call) -> Any:
    return call(call.x.conj()) if call.x.is_complex() else None


@lowers(algebra, "kron", "a Kronecker product has its factors the other way round",
        "torch.kron(x, torch.arange(4.0).reshape(2, 2))")  # fmt: skip
def _(call: Call) -> Any:
    return torch.kron(call["other"], call["self"])
