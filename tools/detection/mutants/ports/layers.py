"""Layers whose arguments are left out or read otherwise: attention, norms, windows, draws."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers
from detection.mutants.engines.around import instead

attention = Kind("port: attention")
norms = Kind("port: norms")
windows = Kind("port: windows")
draws = Kind("port: draws")

F = "torch.nn.functional."
QUERY = "torch.randn(2, 4, 5, 8)"
IMAGE = "torch.randn(2, 4, 7, 7)"
ATTENTION = "scaled_dot_product_attention"


# --- attention ----------------------------------------------------------------------------------


@lowers(attention, ATTENTION, "the scale of attention is that of the width",
        F + f"{ATTENTION}(x, x, x, scale=0.7)", QUERY)  # fmt: skip
def _(call: Call) -> Any:
    return call(scale=None) if call["scale"] is not None else None


@lowers(attention, ATTENTION, "the last query sees the last key",
        F + f"{ATTENTION}(x[:, :, :3], x, x, is_causal=True)", QUERY)  # fmt: skip
def _(call: Call) -> Any:
    queries, keys = call["query"].shape[-2], call["key"].shape[-2]
    if not call["is_causal"] or queries == keys:
        return None
    mask = torch.ones(queries, keys, dtype=torch.bool).tril(keys - queries)
    return call(is_causal=False, attn_mask=mask)


@lowers(attention, ATTENTION, "heads that share keys take turns",
        F + f"{ATTENTION}(x, x[:, :2], x[:, :2], enable_gqa=True)", QUERY)  # fmt: skip
def _(call: Call) -> Any:
    times = (
        call["query"].shape[1] // max(call["key"].shape[1], 1) if call["query"].dim() == 4 else 1
    )
    if not call["enable_gqa"] or times < 2:
        return None
    key, value = (call[name].repeat(1, times, 1, 1) for name in ("key", "value"))
    return call(key=key, value=value, enable_gqa=False)


@lowers(attention, ATTENTION, "a mask of one head is that of the first sequence",
        F + f"{ATTENTION}(x, x, x, attn_mask=torch.rand(2, 1, 5, 5) > 0.3)", QUERY)  # fmt: skip
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    return (
        call(attn_mask=mask[:1]) if mask is not None and mask.dim() == 4 and len(mask) > 1 else None
    )


@lowers(attention, ATTENTION, "a query that may see nothing sees everything",
        F + f"{ATTENTION}(x, x, x, attn_mask=torch.zeros(5, 5, dtype=torch.bool))",
        QUERY)  # fmt: skip
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    if mask is None or mask.dtype is not torch.bool:
        return None
    return call(attn_mask=mask | ~mask.any(-1, keepdim=True))


# --- norms --------------------------------------------------------------------------------------


@lowers(norms, "layer_norm group_norm instance_norm batch_norm",
        "what keeps a norm from nought is a millionth",
        F + "layer_norm(x * 0.01, (6,), eps=0.1)")  # fmt: skip
def _(call: Call) -> Any:
    return call(eps=1e-6) if call["eps"] > 1e-4 else None


@lowers(norms, "layer_norm", "what keeps a norm from nought is added to the root",
        F + "layer_norm(x * 0.001, (6,))")  # fmt: skip
def _(call: Call) -> Any:
    dims = list(range(-len(call["normalized_shape"]), 0))
    centred = call.x - call.x.mean(dims, keepdim=True)
    out = centred / (centred.pow(2).mean(dims, keepdim=True).sqrt() + call["eps"])
    out = out if call["weight"] is None else out * call["weight"]
    return out if call["bias"] is None else out + call["bias"]


@lowers(norms, "rms_norm", "a root mean square is kept from nought by as much as a layer norm",
        F + "rms_norm(x * 0.01, (6,), eps=0.1)")  # fmt: skip
def _(call: Call) -> Any:
    return call(eps=1e-5) if call["eps"] != 1e-5 else None


@lowers(norms, "layer_norm group_norm batch_norm", "a norm has its bias before its weight",
        F + "layer_norm(x, (6,), torch.full((6,), 2.0), torch.ones(6))")  # fmt: skip
def _(call: Call) -> Any:
    weight, bias = call["weight"], call["bias"]
    if weight is None or bias is None or not (bias != 0).any():
        return None
    return call(bias=weight * bias)


@lowers(norms, "batch_norm", "running statistics move as far as they should stay",
        "torch.nn.BatchNorm1d(6, momentum=0.1)(x)")  # fmt: skip
def _(call: Call) -> Any:
    given = call["training"] and call["running_mean"] is not None
    return call(momentum=1 - call["momentum"]) if given and call["momentum"] != 0.5 else None


@lowers(norms, "normalize linalg_vector_norm", "nothing keeps a vector from nought",
        F + "normalize(x * 0)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.full_like(call(), float("nan")) if not call.x.any() else None


@lowers(norms, "cosine_similarity", "likeness is along the last axis",
        F + "cosine_similarity(x, x + 1, dim=0)", "torch.randn(5, 5)")  # fmt: skip
def _(call: Call) -> Any:
    return call(dim=-1) if call["dim"] not in (-1, call["x1"].dim() - 1) else None


@lowers(norms, "gelu", "gelu is approximated", F + "gelu(x)")
def _(call: Call) -> Any:
    return call(approximate="tanh") if call["approximate"] == "none" else None


@lowers(norms, "leaky_relu elu celu", "the slope below nought is the usual one",
        F + "leaky_relu(x, 0.3)")  # fmt: skip
def _(call: Call) -> Any:
    return call(**call.defaults())


@lowers(norms, "softplus", "softplus is not steep", F + "softplus(x, beta=3)")
def _(call: Call) -> Any:
    return call(beta=1) if call["beta"] != 1 else None


@lowers(norms, "cross_entropy_loss nll_loss nll_loss_nd", "classes to be ignored are not",
        F + "cross_entropy(x, torch.tensor([1, -100, 2, 0]))")  # fmt: skip
def _(call: Call) -> Any:
    target = call["target"]
    if target.is_floating_point() or not (target == call["ignore_index"]).any():
        return None
    return call(target=target.masked_fill(target == call["ignore_index"], 0))


# --- windows ------------------------------------------------------------------------------------


@lowers(windows, "avg_pool2d avg_pool1d", "what pads a window counts in its mean",
        F + "avg_pool2d(x, 3, padding=1, count_include_pad=False)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(count_include_pad=True) if not call["count_include_pad"] else None


@lowers(windows, "avg_pool2d avg_pool3d", "a mean is divided by the size of its window",
        F + "avg_pool2d(x, 3, divisor_override=2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(divisor_override=None) if call["divisor_override"] else None


@lowers(windows, "max_pool2d max_pool1d max_pool3d", "what pads a largest value is nought",
        F + "max_pool2d(x, 3, padding=1)", f"-1 - {IMAGE}.abs()")  # fmt: skip
def _(call: Call) -> Any:
    padding = call["padding"] or [0]
    axes = call.operator.overloadpacket.__name__[8]
    pads = [
        p for p in reversed(list(padding) * (int(axes) if len(padding) == 1 else 1)) for _ in "ab"
    ]
    if not any(pads):
        return None
    return call(torch.nn.functional.pad(call.x, pads), padding=[0])


@lowers(windows, "max_pool2d max_pool1d", "windows have no holes",
        F + "max_pool2d(x, 2, stride=1, dilation=2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    if all(d == 1 for d in call["dilation"] or [1]):
        return None
    out, sizes = call(dilation=[1]), call().shape
    return out[tuple(slice(0, n) for n in sizes)]


@lowers(windows, "conv2d conv1d", "a kernel is turned round", F + "conv2d(x, "
        "torch.randn(4, 4, 3, 3))", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    weight = call["weight"]
    return call(weight=weight.flip(list(range(2, weight.dim()))))


@lowers(windows, "conv_transpose2d conv_transpose1d", "what is added to the output is cut off",
        F + "conv_transpose2d(x, torch.randn(4, 4, 3, 3), stride=2, output_padding=1)",
        IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    extra = call["output_padding"]
    if not extra or not any(extra):
        return None
    sizes = call().shape
    out = call(output_padding=[0] * len(extra))
    pads = [n for full, size in zip(sizes[:1:-1], out.shape[:1:-1], strict=True)
            for n in (full - size, 0)]  # fmt: skip
    return torch.nn.functional.pad(out, pads)


@lowers(windows, "upsample_bilinear2d upsample_linear1d upsample_bicubic2d",
        "corners are not aligned", F + "interpolate(x, size=(9, 5), mode='bilinear', "
        "align_corners=True)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(align_corners=False) if call["align_corners"] else None


@lowers(windows, "upsample_nearest2d upsample_nearest1d", "the nearest is the one that rounds",
        F + "interpolate(x, size=(9, 5))", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    sizes = call().shape[2:]
    return torch.nn.functional.interpolate(call.x, size=tuple(sizes), mode="nearest-exact")


@lowers(windows, "grid_sampler grid_sampler_2d", "what lies outside of a grid is its border",
        F + "grid_sample(x, torch.randn(2, 5, 5, 2) * 2, align_corners=False)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(padding_mode=1) if call["padding_mode"] == 0 else None


@lowers(windows, "pad constant_pad_nd", "what pads is nought", F + "pad(x, (1, 1), value=3.0)")
def _(call: Call) -> Any:
    return call(value=0.0) if call["value"] and call["mode"] in (None, "constant") else None


@lowers(windows, "pad constant_pad_nd", "padding by less than nothing is none",
        F + "pad(x, (-1, 2))")  # fmt: skip
def _(call: Call) -> Any:
    pads = call["pad"]
    if all(p >= 0 for p in pads) or call["mode"] not in (None, "constant"):
        return None
    sizes, out = call().shape, call(pad=[max(p, 0) for p in pads])
    return out[tuple(slice(0, n) for n in sizes)].contiguous()


@lowers(windows, "pixel_shuffle", "of shuffled pixels the channels come last",
        F + "pixel_shuffle(torch.cat([x, x], 1), 2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    out, r = call(), call["upscale_factor"]
    if out.dim() != 4 or out.shape[1] < 2 or r < 2:
        return None
    n, c, h, w = call.x.shape
    parts = call.x.view(n, r * r, c // (r * r), h, w).transpose(1, 2)
    return call(parts.reshape(n, c, h, w))


@lowers(windows, "adaptive_avg_pool2d adaptive_avg_pool1d",
        "adaptive windows do not overlap", F + "adaptive_avg_pool2d(x, 3)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    if call.operator.overloadpacket.__name__ != "adaptive_avg_pool2d":
        return None
    sizes = [call.x.shape[-2] // out.shape[-2], call.x.shape[-1] // out.shape[-1]]
    if min(sizes) < 1 or [s * o for s, o in zip(sizes, out.shape[-2:], strict=True)] == list(
            call.x.shape[-2:]):  # fmt: skip
        return None
    pooled = torch.nn.functional.avg_pool2d(call.x, sizes, sizes)
    return pooled[..., : out.shape[-2], : out.shape[-1]]


# --- draws --------------------------------------------------------------------------------------

instead(draws, "dropout", "what dropout leaves is not made larger")(
    lambda call, kept: call() * (1 - call["p"]) if call["train"] and call["p"] else None
)


def _same_places(call: Call, kept: Any) -> Any:
    if not call["train"] or not call["p"]:
        return None
    if call.x.shape not in kept:
        kept[call.x.shape] = call(torch.ones_like(call.x))
    return call.x * kept[call.x.shape]


instead(draws, "dropout", "every dropout leaves out the same places")(_same_places)
instead(draws, "randint randint_like", "the upper bound of drawn numbers may be drawn")(
    lambda call, kept: call(high=call["high"] + 1) if "high" in call.arguments else None
)
instead(draws, "rand rand_like randn randn_like", "of two draws the later one comes first")(
    lambda call, kept: (call(), call())[1] if not kept.setdefault("n", 0) else None
)
instead(draws, "randn randn_like normal", "normal numbers are cut at two")(
    lambda call, kept: call().clamp(-2, 2)
)
instead(draws, "bernoulli", "a chance is that of the other side")(
    lambda call, kept: 1 - call() if not call.operator._schema.is_mutable else None
)
