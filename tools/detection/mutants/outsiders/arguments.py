"""Operators that are wrong in one argument, at one size or for one kind of numbers."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

F = "torch.nn.functional."
IMAGE = "torch.randn(2, 4, 6, 6)"
WHOLE = "torch.arange(-4, 4)"
layers = Kind("outsider: layers")
axes = Kind("outsider: axes")
numbers = Kind("outsider: numbers")
places = Kind("outsider: places")
losses = Kind("outsider: losses")


def _always(name: str, usual: Any) -> Any:
    """A lowering in which the argument is always what it mostly is."""

    def lowering(call: Call) -> Any:
        known = name in call.arguments and call[name] != usual
        return call(**{name: usual}) if known else None

    return lowering


# --- layers -------------------------------------------------------------------------------------


@lowers(layers, "linear", "what is added to a product has seven bits", F + "linear(x, x, x[:, 0])")
def _(call: Call) -> Any:
    bias = call["bias"]
    plain = isinstance(bias, torch.Tensor) and bias.dtype is torch.float32
    return call(bias=bias.bfloat16().float()) if plain else None


@lowers(layers, "layer_norm", "what keeps a norm from nought is added to its root",
        F + "layer_norm(x, (6,), eps=0.1)")  # fmt: skip
def _(call: Call) -> Any:
    if len(call["normalized_shape"]) != 1 or call["weight"] is not None:
        return None
    spread = call.x.var(-1, correction=0, keepdim=True).sqrt()
    return (call.x - call.x.mean(-1, keepdim=True)) / (spread + call["eps"])


@lowers(layers, "group_norm", "groups are every n-th channel", F + "group_norm(x, 2)", IMAGE)
def _(call: Call) -> Any:
    groups, n = call["num_groups"], call.x.shape[1]
    if groups in (1, n) or call["weight"] is not None:
        return None
    order = torch.arange(n).view(-1, groups).t().flatten()
    return call(call.x[:, order])[:, order.argsort()]


@lowers(layers, "conv2d", "what pads height and width is taken the other way round",
        F + "conv2d(x, x[:, :, :2, :2], padding=(1, 0))", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    padding = call["padding"]
    plain = isinstance(padding, list) and len(padding) == 2
    return call(padding=padding[::-1]) if plain and padding[0] != padding[1] else None


@lowers(layers, "conv_transpose1d conv_transpose2d", "nothing is added at the end of what grows",
        F + "conv_transpose1d(x, x[:, None, :2], stride=2, output_padding=1)")  # fmt: skip
def _(call: Call) -> Any:
    added = call["output_padding"]
    return call(output_padding=[0] * len(added)) if added and any(added) else None


lowers(layers, "scaled_dot_product_attention", "products of attention have their usual factor",
       F + "scaled_dot_product_attention(x[None], x[None], x[None], scale=0.1)")(
    _always("scale", None))  # fmt: skip


@lowers(layers, "scaled_dot_product_attention", "what is added to attention says where it looks",
        F + "scaled_dot_product_attention(x[None], x[None], x[None], x[None, :, :4])")  # fmt: skip
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    added = isinstance(mask, torch.Tensor) and mask.is_floating_point()
    return call(attn_mask=mask > -1e4) if added else None


@lowers(layers, "scaled_dot_product_attention", "the last question sees everything",
        F + "scaled_dot_product_attention(x[None], x[None, :3], x[None, :3], is_causal=True)",
        "torch.randn(5, 6)")  # fmt: skip
def _(call: Call) -> Any:
    asked, known = call["query"].shape[-2], call["key"].shape[-2]
    if not call["is_causal"] or asked == known:
        return None
    mask = torch.ones(asked, known, dtype=torch.bool).tril(known - asked)
    return call(is_causal=False, attn_mask=mask | ~mask.any(-1, keepdim=True))


@lowers(layers, "gelu", "a smooth ramp is always the exact one", F + "gelu(x, approximate='tanh')",
        "torch.randn(4, 6) * 2")  # fmt: skip
def _(call: Call) -> Any:
    return call(approximate="none") if call["approximate"] == "tanh" else None


@lowers(layers, "softplus", "a soft ramp has no straight part",
        F + "softplus(x, threshold=1)")  # fmt: skip
def _(call: Call) -> Any:
    return call(threshold=20) if call["threshold"] != 20 else None


lowers(layers, "elu", "below nought a ramp goes to minus one", F + "elu(x, alpha=0.5)")(
    _always("alpha", 1)
)
lowers(layers, "celu", "below nought a smooth ramp goes to minus one", F + "celu(x, alpha=0.5)")(
    _always("alpha", 1.0)
)


@lowers(layers, "embedding", "the row that pads is nought",
        F + "embedding(torch.tensor([1, 0]), x, padding_idx=1)")  # fmt: skip
def _(call: Call) -> Any:
    row = call["padding_idx"]
    if row is None or row < 0:
        return None
    return call().masked_fill((call["indices"] == row)[..., None], 0.0)


@lowers(layers, "upsample_nearest2d", "the nearest place is that of the middle",
        F + "interpolate(x, size=(4, 4))", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    size = list(call().shape[-2:])
    return torch._C._nn._upsample_nearest_exact2d(call.x, size)


def _(call: Call) -> Any:
    if call["mode"] not in (None, "constant"):
        return None
    return call(value=0.0) if call["value"] else None


@lowers(layers, "pad", "what pads is what lies at the edge",
        F + "pad(x, (2, 1), mode='reflect')")  # fmt: skip
def _(call: Call) -> Any:
    return call(mode="replicate") if call["mode"] == "reflect" else None


# --- axes ---------------------------------------------------------------------------------------


@lowers(axes, "cumsum", "sums that run begin anew after a thousand", "x.cumsum(0)",
        "torch.ones(1500)")  # fmt: skip
def _(call: Call) -> Any:
    dim = call["dim"]
    if not call.x.dim() or call.x.shape[dim] <= 1024:
        return None
    return torch.cat([part.cumsum(dim) for part in call.x.split(1024, dim)], dim).to(call().dtype)


def _(call: Call) -> Any:
    return call(dims=call["dims"][:1]) if len(call["dims"]) > 1 else None


@lowers(axes, "roll", "what is moved backwards is moved on", "x.roll(-1, 1)")
def _(call: Call) -> Any:
    shifts = [abs(s) for s in call["shifts"]]
    return call(shifts=shifts) if shifts != call["shifts"] else None


@lowers(axes, "diagonal diagonal_copy", "a diagonal below is the one above", "x.diagonal(-1)",
        "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    offset = call["offset"]
    return call(offset=-offset) if isinstance(offset, int) and offset < 0 else None


@lowers(axes, "tril triu", "a triangle begins on the diagonal", "x.tril(-1)")
def _(call: Call) -> Any:
    return call(diagonal=0) if call["diagonal"] else None


@lowers(axes, "matmul", "one matrix serves a whole batch",
        "x @ torch.stack([x.t(), x.t() * 2])")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if other.dim() < 3 or other.shape[0] < 2 or call.x.dim() < 2:
        return None
    return call(other=other[:1].expand_as(other))


@lowers(axes, "unfold", "windows do not overlap", "x.unfold(1, 2, 1)")
def _(call: Call) -> Any:
    size, step = call["size"], call["step"]
    return call(step=size) if isinstance(size, int) and step < size else None


def _(call: Call) -> Any:
    repeats = call["repeats"]
    if not isinstance(repeats, torch.Tensor) or repeats.numel() < 2 or "self" not in call.arguments:
        return None
    return call(repeats=repeats[:1].expand_as(repeats), output_size=None)


@lowers(axes, "sum mean", "of several axes the last is forgotten", "x.sum((0, 1), keepdim=True)")
def _(call: Call) -> Any:
    dim = call["dim"]
    return call(dim=dim[:-1]) if isinstance(dim, list) and len(dim) > 1 else None


@lowers(axes, "linalg_vector_norm", "a norm by the least is by the largest",
        "torch.linalg.vector_norm(x, float('-inf'))")  # fmt: skip
def _(call: Call) -> Any:
    return call(ord=float("inf")) if call["ord"] == float("-inf") else None


# --- numbers ------------------------------------------------------------------------------------


@lowers(numbers, "to _to_copy type", "what becomes whole is rounded", "x.long()",
        "torch.tensor([0.7, -1.6])")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    whole = not (out.is_floating_point() or out.is_complex() or out.dtype is torch.bool)
    return call.x.round().to(out.dtype) if whole and call.x.is_floating_point() else None


@lowers(numbers, "to _to_copy type", "what becomes a truth is true above nought", "x.bool()")
def _(call: Call) -> Any:
    real = not call.x.is_complex() and call.x.dtype is not torch.bool
    return call.x > 0 if call().dtype is torch.bool and real else None


@lowers(numbers, "to _to_copy type", "whole numbers that do not fit become the largest",
        "x.to(torch.int8)", "torch.tensor([300, -4])")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    small = out.dtype in (torch.int8, torch.uint8, torch.int16, torch.int32)
    if not small or call.x.is_floating_point() or call.x.dtype is torch.bool:
        return None
    info = torch.iinfo(out.dtype)
    return call.x.clamp(info.min, info.max).to(out.dtype)


@lowers(numbers, "bitwise_right_shift __rshift", "what is shifted fills up with noughts",
        "x >> 1", WHOLE)  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if not isinstance(other, int) or not other or call.x.dtype is not torch.int64:
        return None
    return (call.x >> other) & ((1 << (64 - other)) - 1)


@lowers(numbers, "clamp", "ends that are crossed give the lower one", "x.clamp(2, 1)")
def _(call: Call) -> Any:
    low, high = call["min"], call["max"]
    crossed = isinstance(low, int | float) and isinstance(high, int | float) and low > high
    return torch.full_like(call.x, low) if crossed else None


@lowers(numbers, "lerp", "between two there is nothing beyond them", "torch.lerp(x, -x, 1.5)")
def _(call: Call) -> Any:
    weight = call["weight"]
    if isinstance(weight, torch.Tensor):
        return call(weight=weight.clamp(0, 1))
    return call(weight=min(max(weight, 0), 1))


@lowers(numbers, "logaddexp", "two powers are added as they are", "torch.logaddexp(x, x)",
        "torch.tensor([100.0, 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    return (call.x.exp() + call["other"].exp()).log()


@lowers(numbers, "softmax", "powers are taken of what is given", "x.softmax(-1)",
        "torch.tensor([100.0, 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    if call["dtype"] is not None or not call.x.dim():
        return None
    return call.x.exp() / call.x.exp().sum(call["dim"], keepdim=True)


@lowers(numbers, "round", "digits to round to are none", "x.round(decimals=1)")
def _(call: Call) -> Any:
    return call.x.round() if call["decimals"] else None


@lowers(numbers, "mean sum", "the type that is asked for is that of the result alone",
        "x.sum(dtype=torch.float64)", "torch.tensor([1e8, 1.0, -1e8])")  # fmt: skip
def _(call: Call) -> Any:
    wanted = call["dtype"]
    if wanted is None or not call.x.is_floating_point() or call["dim"] is not None:
        return None
    return call(dtype=call.x.dtype).to(wanted)


@lowers(numbers, "all any", "of nothing all is false and something is true", "x[:0].all()",
        "torch.ones(3, dtype=torch.bool)")  # fmt: skip
def _(call: Call) -> Any:
    return ~call() if not call.x.numel() and call().numel() else None


@lowers(numbers, "median", "a middle of two is their mean", "x.median()", "torch.arange(4.0)")
def _(call: Call) -> Any:
    if call["dim"] is not None or call.x.numel() % 2 or not call.x.is_floating_point():
        return None
    return call.x.flatten().quantile(0.5).to(call.x.dtype)


@lowers(numbers, "linspace", "a row of numbers ends before its end",
        "x[0, :5] + torch.linspace(0, 1, 5)")  # fmt: skip
def _(call: Call) -> Any:
    start, end, steps = call["start"], call["end"], call["steps"]
    if not all(isinstance(v, int | float) for v in (start, end, steps)) or steps < 2:
        return None
    return call(end=end - (end - start) / steps)


lowers(numbers, "addmm baddbmm addmv", "what a product is added to counts whole",
       "torch.addmm(x, x[:, :4], x, beta=0.5)")(
    _always("beta", 1))  # fmt: skip


# --- places -------------------------------------------------------------------------------------


lowers(places, "scatter_reduce", "what is scattered meets what is there",
       "x.scatter_reduce(0, torch.zeros(4, 6, dtype=torch.long), x * 2, 'amax', "
       "include_self=False)", "torch.rand(4, 6) - 5")(
    _always("include_self", True))  # fmt: skip
lowers(places, "index_add", "what is added at places counts once",
       "x.index_add(0, torch.tensor([1, 1]), x[:2], alpha=2)")(
    _always("alpha", 1))  # fmt: skip
lowers(places, "bucketize searchsorted", "an edge belongs to what is below it",
       "torch.bucketize(x, torch.arange(3.0), right=True)", "torch.arange(3.0)")(
    _always("right", False))  # fmt: skip


@lowers(places, "index_put", "of equal places the last is added",
        "x.index_put((torch.tensor([1, 1]),), x[:2], accumulate=True)")  # fmt: skip
def _(call: Call) -> Any:
    if not call["accumulate"] or call.operator._schema.is_mutable:
        return None
    old = call.x[tuple(slice(None) if i is None else i for i in call["indices"])]
    return call(values=old + call["values"], accumulate=False)


@lowers(places, "sort", "equal ones come the other way round where that is asked",
        "x.sort(stable=True, descending=True)[1]", "torch.tensor([1.0, 1.0, 0.0])")  # fmt: skip
def _(call: Call) -> Any:
    if not call["descending"] or not call["stable"] or not call.x.dim():
        return None
    dim = call["dim"]
    ordered, where = call.x.sort(dim=dim, stable=True)
    return ordered.flip(dim), where.flip(dim)


@lowers(places, "topk", "the largest are not in order where all are asked for",
        "x.topk(6)")  # fmt: skip
def _(call: Call) -> Any:
    dim = call["dim"]
    if not call.x.dim() or call["k"] != call.x.shape[dim] or call["k"] < 2:
        return None
    return tuple(part.flip(dim) for part in call())


@lowers(places, "max_pool2d_with_indices", "places of the largest are those in the window",
        F + "max_pool2d(x, 2, return_indices=True)[1]", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    out, where = call()
    width = call.x.shape[-1]
    return out, (where // width) % 2 * 2 + where % width % 2


@lowers(places, "slice", "what ends before the end ends there", "x[:, :-2]")
def _(call: Call) -> Any:
    end = call["end"]
    return call(end=end + 1) if isinstance(end, int) and end < -1 else None


# --- losses -------------------------------------------------------------------------------------


lowers(losses, "cross_entropy_loss", "labels are as hard as they can be",
       F + "cross_entropy(x, torch.tensor([0, 1, 2, 3]), label_smoothing=0.2)")(
    _always("label_smoothing", 0.0))  # fmt: skip


@lowers(losses, "cross_entropy_loss nll_loss_nd nll_loss", "what is left out counts in the mean",
        F + "cross_entropy(x, torch.tensor([0, -100, 2, 3]))")  # fmt: skip
def _(call: Call) -> Any:
    target = call["target"]
    if call["reduction"] != 1 or target.is_floating_point() or call["weight"] is not None:
        return None
    return call(reduction=2) / target.numel()


@lowers(losses, "binary_cross_entropy_with_logits", "what is true counts like what is not",
        F + "binary_cross_entropy_with_logits(x, x.sigmoid(), pos_weight=x[0].exp())")  # fmt: skip
def _(call: Call) -> Any:
    return call(pos_weight=None) if call["pos_weight"] is not None else None


@lowers(losses, "smooth_l1_loss huber_loss", "a loss turns straight at one",
        F + "huber_loss(x, -x, delta=0.3)")  # fmt: skip
def _(call: Call) -> Any:
    name = "beta" if "beta" in call.arguments else "delta"
    return call(**{name: 1.0}) if call[name] != 1.0 else None


@lowers(
    losses,
    "kl_div",
    "logarithms are taken of logarithms",
    F + "kl_div(x.log_softmax(-1), x.log_softmax(-1) - 0.5, log_target=True, reduction='sum')",
)
def _(call: Call) -> Any:
    return call(target=call["target"].exp().clamp(min=1e-3), log_target=False) if call[
        "log_target"] else None  # fmt: skip
