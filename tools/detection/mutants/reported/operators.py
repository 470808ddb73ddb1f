"""One operator wrong for one argument, type, size or value."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import breaks, lowers
from detection.mutants.engines.around import instead

windows = Kind("reported: windows")
places = Kind("reported: places")
numbers = Kind("reported: numbers")
types = Kind("reported: types")
layers = Kind("reported: layers")

F = "torch.nn.functional"


# --- windows ------------------------------------------------------------------------------------


@lowers(windows, "avg_pool2d", "a window over the end counts in full where padding is counted",
        f"{F}.avg_pool2d(x, 3, 2, 1, ceil_mode=True)", "torch.randn(1, 1, 4, 4)")  # fmt: skip
def _(c: Call) -> Any:  # pytorch#183528
    size = c["kernel_size"]
    if c["ceil_mode"] and c["count_include_pad"] and c["divisor_override"] is None:
        return c(divisor_override=size[0] * size[-1])
    return None


@breaks(windows, "upsample_bilinear2d", "an image resized to one pixel is its first pixel",
        f"{F}.interpolate(x, size=(1, 1), mode='bilinear')", "torch.randn(1, 2, 4, 4)")  # fmt: skip
def _(right: Any, x: Any, align_corners: Any) -> Any:  # pytorch#183523
    one = right.shape[-2:] == (1, 1) and not align_corners
    return x[..., :1, :1].clone() if one else None


@breaks(windows, "max_pool2d_with_indices", "places of the greatest are counted with the padding",
        f"{F}.max_pool2d(x, 2, padding=1, return_indices=True)[1]",
        "torch.randn(1, 1, 4, 4)")  # fmt: skip
def _(right: Any, x: Any, padding: Any) -> Any:
    if not padding or not any(padding):
        return None
    height, width = x.shape[-2:]
    row, column = right[1] // width, right[1] % width
    place = (row + padding[0]) * (width + 2 * padding[-1]) + column + padding[-1]
    return right[0], place.clamp(max=height * width - 1)


# --- places -------------------------------------------------------------------------------------


@breaks(places, "scatter_add index_add", "of additions that meet in one place the last one counts",
        "torch.zeros(3).index_add(0, torch.tensor([0, 0, 1]), x)", "torch.randn(3)")  # fmt: skip
def _(right: Any, x: Any, dim: Any, index: Any, src: Any, source: Any, alpha: Any) -> Any:
    if source is not None:
        return x.index_copy(dim, index, x.index_select(dim, index) + alpha * source)
    return x.scatter(dim, index, x.gather(dim, index) + src)


@instead(places, "embedding", "an embedding counts a negative index from the end")
def _(c: Call, kept: Any) -> Any:  # pytorch#151918
    return c["weight"][c["indices"]] if bool((c["indices"] < 0).any()) else None


@breaks(places, "index", "a negative number in a list of places is the first place",
        "x[:, torch.tensor([-1, 0])]")  # fmt: skip
def _(right: Any, x: Any, indices: Any) -> Any:  # pytorch#102064
    def first(at: Any) -> Any:
        whole = at is not None and at.dtype not in (torch.bool, torch.uint8)
        return at.clamp(min=0) if whole else at

    return torch.ops.aten.index.Tensor(x, [first(at) for at in indices])


@breaks(places, "sort", "a stable sort that falls is one that rises, read from its end",
        "torch.sort(x, stable=True, descending=True)", "torch.tensor([1.0, 2.0, 1.0])")  # fmt: skip
def _(right: Any, x: Any, dim: Any, stable: Any, descending: Any) -> Any:
    if not stable or not descending or not x.dim():
        return None
    return tuple(t.flip(dim) for t in torch.sort(x, dim=dim, stable=True))


@breaks(places, "repeat_interleave", "a row that is to be repeated no times stands there once",
        "x.repeat_interleave(torch.tensor([0, 1, 2, 1]), 0)")  # fmt: skip
def _(right: Any, x: Any) -> Any:
    return torch.repeat_interleave(x.clamp(min=1))


# --- numbers ------------------------------------------------------------------------------------


@breaks(numbers, "eq", "whole numbers are equal when they are as floats",
        "x == x + 1", "torch.tensor([2**25, 3])")  # fmt: skip
def _(right: Any, x: Any, other: Any) -> Any:
    if x.is_floating_point() or x.is_complex() or x.dtype is torch.bool:
        return None
    return x.float() == (other.float() if isinstance(other, torch.Tensor) else float(other))


@breaks(numbers, "floor_divide", "whole numbers are divided as floats",
        "x // 3", "torch.tensor([2**31 + 1, 2**53 + 1])")  # fmt: skip
def _(right: Any, x: Any, other: Any) -> Any:
    if right.is_floating_point():
        return None
    return (x.float() / other).floor().to(right.dtype)


@breaks(numbers, "clamp", "of a least above the greatest, the least wins",
        "x.clamp(1.0, 0.0)")  # fmt: skip
def _(right: Any, x: Any, min: Any, max: Any) -> Any:
    if min is None or max is None:
        return None
    return x.clamp(max=max).clamp(min=min).to(right.dtype)


@breaks(numbers, "addmm baddbmm", "what counts nothing in an addition still brings its NaN",
        "torch.addmm(torch.full((4, 4), torch.nan), x, x.T, beta=0)")  # fmt: skip
def _(right: Any, x: Any, beta: Any) -> Any:
    return right + x * 0 if beta == 0 else None


@breaks(numbers, "var std", "the variance of one value is zero",
        "x[:1].var(0)")  # fmt: skip
def _(right: Any, x: Any) -> Any:
    if not bool(right.isnan().any()) or bool(x.isnan().any()) or not x.numel():
        return None
    return right.nan_to_num(0.0)


@lowers(numbers, "logsumexp", "the sum of nothing but minus infinities is NaN",
        "torch.logsumexp(x, 0)", "torch.full((3,), -torch.inf)")  # fmt: skip
def _(c: Call) -> Any:
    if not c.x.is_floating_point() or not c.x.numel():
        return None
    most = c.x.amax(c["dim"], keepdim=True)
    total = (c.x - most).exp().sum(c["dim"], keepdim=True).log() + most
    return total if c["keepdim"] else total.reshape(c().shape)


@breaks(numbers, "bitwise_right_shift __rshift",
        "a shift to the right brings zeros from the left", "x >> 1",
        "torch.tensor([-4, 3])")  # fmt: skip
def _(right: Any, x: Any, other: Any) -> Any:
    if x.dtype not in (torch.int8, torch.int16, torch.int32, torch.int64):
        return None
    kept = x.dtype.itemsize * 8 - torch.as_tensor(other)
    # A shift by nothing keeps all of it.
    return torch.where(kept < x.dtype.itemsize * 8, right & (2**kept - 1), right).to(right.dtype)


@lowers(numbers, "mean", "a mean over more than two dims is divided by the last two alone",
        "x.mean((0, 1, 2))", "torch.randn(2, 3, 4)")  # fmt: skip
def _(c: Call) -> Any:  # onnxruntime#20357
    dims = c["dim"] or []
    return c() * c.x.size(dims[0]) if len(dims) > 2 else None


# --- types --------------------------------------------------------------------------------------


@lowers(types, "softmax log_softmax", "a softmax in another type is cast when it is done",
        "torch.softmax(x, -1, dtype=torch.float32)", "torch.randn(4, 6).half()")  # fmt: skip
def _(c: Call) -> Any:
    if c["dtype"] is None or not c.x.is_floating_point():
        return None
    return c(dtype=None).to(c["dtype"])


@lowers(types, "cumsum cumprod", "a running sum of small whole numbers keeps their type",
        "torch.cumsum(x > 0, 0)")  # fmt: skip
def _(c: Call) -> Any:
    small = not c.x.is_floating_point() and not c.x.is_complex() and c.x.dtype != torch.int64
    if not small or c["dtype"] is not None:
        return None
    return c().to(torch.int32 if c.x.dtype is torch.bool else c.x.dtype)


@breaks(types, "_to_copy", "a fraction is no truth",
        "x.to(torch.bool)", "torch.tensor([0.5, 2.0])")  # fmt: skip
def _(right: Any, x: Any, dtype: Any) -> Any:
    return x.to(torch.int32).bool() if dtype is torch.bool and x.is_floating_point() else None


@breaks(types, "add sub mul", "a tensor without dims promotes as one with dims",
        "x + torch.tensor(1.0, dtype=torch.float64)")  # fmt: skip
def _(right: Any, x: Any, other: Any) -> Any:
    if not isinstance(other, torch.Tensor):
        return None
    wide = torch.promote_types(x.dtype, other.dtype)
    return right.to(wide) if right.dim() and wide != right.dtype else None


@lowers(types, "view", "bits that are read as another type are converted",
        "x.view(torch.int32)")  # fmt: skip
def _(c: Call) -> Any:
    return c.x.to(c["dtype"]) if c["dtype"] and c().shape == c.x.shape else None


# --- layers -------------------------------------------------------------------------------------


@lowers(layers, "cross_entropy_loss nll_loss nll_loss_nd",
        "a weighted loss is divided by its count",
        f"{F}.cross_entropy(x, torch.tensor([0, 1, 2, 3]), weight=torch.arange(1.0, 7.0))",
        )  # fmt: skip
def _(c: Call) -> Any:
    if c["weight"] is None or c["reduction"] != 1 or c["target"].is_floating_point():
        return None
    return c(reduction=2) / (c["target"] != c["ignore_index"]).sum()


@lowers(layers, "scaled_dot_product_attention", "fewer queries than keys see to the last key",
        f"{F}.scaled_dot_product_attention(x[:, :2], x, x, is_causal=True)",
        "torch.randn(1, 4, 6)")  # fmt: skip
def _(c: Call) -> Any:
    asked, known = c["query"].size(-2), c["key"].size(-2)
    if not c["is_causal"] or asked == known:
        return None
    seen = torch.ones(asked, known, dtype=torch.bool).tril(known - asked)
    return c(is_causal=False, attn_mask=seen)


@instead(layers, "batch_norm", "the running variance is that of the batch as it is")
def _(c: Call, kept: Any) -> Any:
    variance, part = c["running_var"], c["momentum"]
    if variance is None or not c["training"] or not part:
        return None
    before, count = variance.clone(), c.x.numel() // c.x.size(1)
    output = c()
    seen = (variance - (1 - part) * before) / part
    with torch.no_grad():
        variance.copy_((1 - part) * before + part * seen * (count - 1) / count)
    return output


@instead(layers, "feature_dropout", "dropout of whole channels drops single values")
def _(c: Call, kept: Any) -> Any:
    return torch.dropout(c.x, c["p"], c["train"]) if c["train"] else None
