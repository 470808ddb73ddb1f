"""Operators that are wrong for an argument that few programs give, or for a kind of number."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import breaks, lowers
from detection.mutants.engines.around import instead

F = "torch.nn.functional."
windows = Kind("visitor: windows")
places = Kind("visitor: places")
numbers = Kind("visitor: numbers")
layers = Kind("visitor: layers")
draws = Kind("visitor: draws")
complexes = Kind("visitor: complex numbers")


def _tensor(value: Any) -> bool:
    return isinstance(value, torch.Tensor)


# --- windows ------------------------------------------------------------------------------------


@lowers(windows, "conv_transpose1d conv_transpose2d conv_transpose3d",
        "a kernel that is transposed has no gaps",
        f"{F}conv_transpose2d(x, torch.ones(4, 3, 2, 2), dilation=2)",
        "torch.randn(2, 4, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:
    return call(dilation=1) if any(d != 1 for d in call["dilation"]) else None


@lowers(windows, "max_unpool2d", "what is put back is of an even size",
        f"{F}max_unpool2d(*{F}max_pool2d(x, 2, return_indices=True), 2, output_size=(7, 7))",
        "torch.randn(1, 2, 7, 7)")  # fmt: skip
def _(call: Call) -> Any:
    height, width = call["output_size"]
    rows, columns = height - height % 2, width - width % 2
    out = call()
    # What lies in the row or column that is not there is lost.
    return out[..., :rows, :columns].contiguous() if (rows, columns) != (height, width) else None


@lowers(windows, "upsample_trilinear3d", "of three axes the first is resized by the nearest",
        f"{F}interpolate(x, size=(5, 5, 5), mode='trilinear')",
        "torch.randn(1, 2, 3, 3, 3)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    depth = torch.arange(out.size(2)) * call.x.size(2) // out.size(2)
    flat = call.x[:, :, depth].transpose(1, 2).flatten(0, 1)
    plane = torch.nn.functional.interpolate(
        flat, size=tuple(out.shape[3:]), mode="bilinear", align_corners=call["align_corners"]
    )
    return plane.unflatten(0, (out.size(0), out.size(2))).transpose(1, 2).contiguous()


@lowers(windows, "adaptive_max_pool2d", "the place of the largest is counted within its window",
        f"{F}adaptive_max_pool2d(x, 2, return_indices=True)[1]",
        "torch.randn(1, 2, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:
    out, at = call()
    width, rows, columns = call.x.size(-1), call.x.size(-2) // at.size(-2), 0
    columns = width // at.size(-1)
    if not rows or not columns:
        return None
    return out, (at // width % rows) * columns + at % width % columns


# --- places -------------------------------------------------------------------------------------


@breaks(places, "scatter_reduce", "a mean of whole numbers that are scattered is cut off",
        "torch.zeros(2, dtype=torch.int64).scatter_reduce(0, torch.tensor([0, 0]), x, 'mean',"
        " include_self=False)", "torch.tensor([-1, -2])")  # fmt: skip
def _(right: Any, x: Any, dim: Any, index: Any, src: Any, reduce: Any, include_self: Any) -> Any:
    if reduce != "mean" or right.is_floating_point():
        return None
    exact = x.double().scatter_reduce(
        dim, index, src.double(), "mean", include_self=include_self is not False
    )
    return exact.trunc().to(right.dtype)


@breaks(places, "index_reduce", "where the least is asked of what is put the largest stays",
        "torch.zeros(2, 6).index_reduce(0, torch.tensor([0, 0, 1, 1]), x, 'amin')")  # fmt: skip
def _(right: Any, x: Any, dim: Any, index: Any, source: Any, reduce: Any, include_self: Any) -> Any:
    if reduce != "amin":
        return None
    return x.index_reduce(dim, index, source, "amax", include_self=include_self is not False)


@breaks(places, "masked_fill", "what fills a mask is a whole number",
        "x.masked_fill(x > 0, 0.5)")  # fmt: skip
def _(right: Any, x: Any, mask: Any, value: Any) -> Any:
    number = value.item() if _tensor(value) else value
    if not isinstance(number, float) or not abs(number) < 2**31 or not right.is_floating_point():
        return None
    return x.masked_fill(mask, int(number))


@lowers(places, "tril_indices triu_indices", "places of a triangle begin at the diagonal",
        "x[torch.triu_indices(4, 6, 1).unbind()]")  # fmt: skip
def _(call: Call) -> Any:
    return call(offset=0) if call["offset"] else None


@breaks(places, "index", "two lists of places are rows and columns",
        "x[torch.tensor([0, 1]), torch.tensor([2, 3])]")  # fmt: skip
def _(right: Any, x: Any, indices: Any) -> Any:
    if len(indices) != 2 or not all(
        _tensor(i) and i.dim() == 1 and i.dtype in (torch.int64, torch.int32) for i in indices
    ):
        return None
    return x[indices[0].long()][:, indices[1].long()]


@lowers(places, "bucketize searchsorted", "what is not a number belongs to the first bucket",
        "torch.bucketize(x, torch.arange(3.0))", "torch.tensor([1.0, torch.nan])")  # fmt: skip
def _(call: Call) -> Any:
    value = call["self"]
    if not _tensor(value) or not value.is_floating_point():
        return None
    return call().masked_fill(value.isnan(), 0)


# --- numbers ------------------------------------------------------------------------------------


@lowers(numbers, "nansum", "a sum without what is not a number is without infinities",
        "x.nansum()", "torch.tensor([1.0, torch.inf, torch.nan])")  # fmt: skip
def _(call: Call) -> Any:
    return call(call.x.nan_to_num(0.0, 0.0, 0.0)) if call.x.is_floating_point() else None


@lowers(numbers, "fft_fftfreq fft_rfftfreq", "frequencies are those of steps of one",
        "torch.fft.fftfreq(6, d=0.1) + x")  # fmt: skip
def _(call: Call) -> Any:
    return call(d=1.0) if call["d"] != 1.0 else None


@lowers(numbers, "einsum", "a letter that one operand has twice takes its first row",
        "torch.einsum('ii->i', x)", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    equation, operands = call["equation"].replace(" ", ""), list(call["tensors"])
    given, arrow, result = equation.partition("->")
    terms = given.split(",")
    for i, term in enumerate(terms):
        if "." in term or not arrow:
            return None
        for letter in sorted(set(term)):
            while terms[i].count(letter) > 1:
                operands[i] = operands[i].select(terms[i].index(letter), 0)
                terms[i] = terms[i].replace(letter, "", 1)
    return torch.einsum(f"{','.join(terms)}->{result}", operands)


@lowers(numbers, "linalg_cross", "a product across is along the last axis",
        "torch.linalg.cross(x, x + x[:, :1].cos(), dim=0)", "torch.randn(3, 3)")  # fmt: skip
def _(call: Call) -> Any:
    last = call["dim"] in (-1, call.x.dim() - 1)
    return call(dim=-1) if not last and call.x.size(-1) == 3 else None


@lowers(numbers, "round", "digits before the point are not rounded",
        "(100 * x).round(decimals=-1)")  # fmt: skip
def _(call: Call) -> Any:
    digits = call["decimals"]
    return call(decimals=0) if isinstance(digits, int) and digits < 0 else None


@lowers(numbers, "nextafter", "the next number is as far as it is from one",
        "torch.nextafter(x, x + 1) > x", "torch.tensor([100.0, 0.001])")  # fmt: skip
def _(call: Call) -> Any:
    towards = torch.sign(call["other"] - call["self"])
    return call["self"] + towards * torch.finfo(call.x.dtype).eps


@breaks(numbers, "erfinv", "the inverse of the error function ends at two",
        "torch.erfinv(x)", "torch.tensor([0.5, 0.999, 1.0])")  # fmt: skip
def _(right: Any, x: Any) -> Any:
    return right.clamp(-2, 2)


@breaks(numbers, "lerp", "between two there is nothing before or behind them",
        "torch.lerp(x, x + 1, 1.5)")  # fmt: skip
def _(right: Any, x: Any, end: Any, weight: Any) -> Any:
    kept = weight.clamp(0, 1) if _tensor(weight) else min(max(weight, 0.0), 1.0)
    return torch.lerp(x, end, kept)


@breaks(numbers, "clamp clamp_min clamp_max minimum maximum",
        "a bound that is not a number bounds nothing",
        "torch.clamp(x, min=torch.tensor([torch.nan] * 6))")  # fmt: skip
def _(right: Any, x: Any, min: Any, max: Any, other: Any) -> Any:
    bounds = [b for b in (min, max, other) if _tensor(b) and b.is_floating_point()]
    if not bounds or not x.is_floating_point():
        return None
    free = torch.stack([b.isnan().expand(right.shape) for b in bounds]).any(0)
    return torch.where(free, x.expand(right.shape), right).to(right.dtype)


@breaks(numbers, "lcm", "the common multiple of nought and a number is the number",
        "torch.lcm(x, torch.tensor([0, 4]))", "torch.tensor([3, 6])")  # fmt: skip
def _(right: Any, x: Any, other: Any) -> Any:
    return torch.where((x == 0) | (other == 0), x.abs() + other.abs(), right).to(right.dtype)


@breaks(numbers, "pow", "whole powers of negative numbers are positive",
        "x ** 3", "torch.tensor([-2, 3])")  # fmt: skip
def _(right: Any, x: Any) -> Any:
    if not _tensor(x) or right.is_floating_point() or right.is_complex():
        return None
    return right.abs() if right.dtype is not torch.bool else None


@lowers(numbers, "linspace", "a row of whole numbers is rounded",
        "torch.linspace(0, 5, 4, dtype=torch.int64) + x.sum()")  # fmt: skip
def _(call: Call) -> Any:
    whole = call["dtype"] in (torch.int32, torch.int64)
    return call(dtype=torch.float64).round().to(call["dtype"]) if whole else None


@lowers(numbers, "to _to_copy", "numbers of eight bits end at the largest",
        "(x * 1e6).to(torch.float8_e5m2)")  # fmt: skip
def _(call: Call) -> Any:
    if call["dtype"] not in (torch.float8_e5m2, torch.float8_e4m3fn):
        return None
    most = torch.finfo(call["dtype"]).max
    return call(call.x.clamp(-most, most)) if call.x.is_floating_point() else None


# --- layers -------------------------------------------------------------------------------------


@instead(layers, "embedding_renorm", "rows that are too long are looked up as they are")
def _(call: Call, kept: Any) -> Any:
    return call["self"]


@lowers(layers, "lstm gru rnn_tanh rnn_relu", "what goes back stands before what goes forth",
        "torch.nn.GRU(6, 3, bidirectional=True)(x)[0]")  # fmt: skip
def _(call: Call) -> Any:
    if not call["bidirectional"]:
        return None
    out, *states = call()
    half = out.size(-1) // 2
    return (torch.cat([out[..., half:], out[..., :half]], -1), *states)


@instead(layers, "lstm gru rnn_tanh rnn_relu", "nothing is dropped between recurrent layers")
def _(call: Call, kept: Any) -> Any:
    return call(dropout=0.0) if call["dropout"] and call["train"] else None


@instead(layers, "scaled_dot_product_attention", "attention drops nothing")
def _(call: Call, kept: Any) -> Any:
    return call(dropout_p=0.0) if call["dropout_p"] else None


@lowers(layers, "scaled_dot_product_attention",
        "a mask that is one row for all questions is the first's",
        f"{F}scaled_dot_product_attention(x, x, x, attn_mask=torch.arange(5)[None] < 3)",
        "torch.randn(2, 5, 4)")  # fmt: skip
def _(call: Call) -> Any:
    mask, rows = call["attn_mask"], call.x.size(-2)
    if mask is None or mask.dim() < 2 or mask.size(-2) != 1 or rows < 2:
        return None
    free = torch.full_like(mask, True if mask.dtype is torch.bool else 0.0)
    return call(attn_mask=torch.cat([mask, *[free] * (rows - 1)], -2))


@instead(layers, "instance_norm", "a norm of single images learns nothing")
def _(call: Call, kept: Any) -> Any:
    if call["running_mean"] is None or not call["use_input_stats"]:
        return None
    return call(running_mean=call["running_mean"].clone(), running_var=call["running_var"].clone())


@lowers(layers, "group_norm", "channels of a group have one weight",
        "torch.nn.functional.group_norm(x, 2, torch.arange(6.0), torch.zeros(6))")  # fmt: skip
def _(call: Call) -> Any:
    weight, groups = call["weight"], call["num_groups"]
    if weight is None or groups == weight.numel():
        return None
    each = weight.numel() // groups
    return call(weight=weight[::each].repeat_interleave(each))


@lowers(
    layers,
    "cross_entropy_loss",
    "labels are made smooth for all classes alike",
    f"{F}cross_entropy(x, torch.tensor([0, 1, 2, 3]), torch.arange(6.0), label_smoothing=0.2)",
)
def _(call: Call) -> Any:
    weight, share = call["weight"], call["label_smoothing"]
    if weight is None or not share or call["reduction"] != 1 or call["target"].is_floating_point():
        return None
    hard = call(label_smoothing=0.0)
    even = -torch.log_softmax(call.x, 1).mean()
    return (1 - share) * hard + share * even


@lowers(layers, "glu", "a gate is half of the last axis", f"{F}glu(x, 0)")
def _(call: Call) -> Any:
    last = call["dim"] in (-1, call.x.dim() - 1)
    return call(dim=-1) if not last and call.x.size(-1) % 2 == 0 else None


@lowers(layers, "multilabel_margin_loss", "labels behind the last one count",
        f"{F}multilabel_margin_loss(x, torch.tensor([[0, -1, 1, 2, 3, 4]] * 4))")  # fmt: skip
def _(call: Call) -> Any:
    target = call["target"]
    kept = target.sort(-1, descending=True)[0]
    return call(target=kept) if not torch.equal(kept, target) else None


# --- draws --------------------------------------------------------------------------------------


@instead(draws, "feature_alpha_dropout", "alpha dropout of whole channels drops single values")
def _(call: Call, kept: Any) -> Any:
    return torch.alpha_dropout(call.x, call["p"], call["train"]) if call["train"] else None


@instead(draws, "geometric geometric_", "trials are counted from nought")
def _(call: Call, kept: Any) -> Any:
    return call().sub_(1) if call.operator._schema.is_mutable else call() - 1


@instead(draws, "log_normal log_normal_", "numbers whose logarithm is normal are normal")
def _(call: Call, kept: Any) -> Any:
    return call().log_() if call.operator._schema.is_mutable else call().log()


# --- complex numbers ----------------------------------------------------------------------------


@lowers(complexes, "polar", "a length below nought is one above",
        "torch.polar(x, x)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.polar(call["abs"].abs(), call["angle"])


@breaks(complexes, "log", "the angle of a logarithm is between nought and a turn",
        "torch.complex(x, -x.abs()).log()")  # fmt: skip
def _(right: Any, x: Any) -> Any:
    if not right.is_complex():
        return None
    turn = torch.where(right.imag < 0, right.imag + 2 * torch.pi, right.imag)
    return torch.complex(right.real.clone(), turn)


@lowers(complexes, "isinf isfinite isnan", "a complex number is infinite where its real part is",
        "torch.complex(x, x / 0).isinf()")  # fmt: skip
def _(call: Call) -> Any:
    return call(call.x.real) if _tensor(call.x) and call.x.is_complex() else None
