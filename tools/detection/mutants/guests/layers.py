"""Layers and losses that leave out an argument, or take it for another."""

from __future__ import annotations

import math
from typing import Any

import torch
from torch.nn import functional

from detection.graphs import Call
from detection.kind import Kind

layers = Kind("guest: layers")


@layers.lowering("conv1d conv2d conv3d", "padding same of an even kernel pads more on the left")
def _(call: Call) -> Any:
    if call["padding"] != "same" or all(k % 2 for k in call["weight"].shape[2:]):
        return None
    pads = []
    for k, d in zip(
        reversed(call["weight"].shape[2:]),
        reversed(
            list(call["dilation"]) * (1 if len(call["dilation"]) > 1 else call["weight"].dim() - 2)
        ),
        strict=False,
    ):
        total = d * (k - 1)
        pads += [total - total // 2, total // 2]
    return call.operator.overloadpacket(
        functional.pad(call.x, pads),
        call["weight"],
        call["bias"],
        call["stride"],
        0,
        call["dilation"],
        call["groups"],
    )


@layers.lowering(
    "conv1d conv2d conv3d", "the bias of a grouped convolution is that of the first group"
)
def _(call: Call) -> Any:
    if call["groups"] <= 1 or call["bias"] is None:
        return None
    first = call["bias"].reshape(call["groups"], -1)[:1]
    return call(bias=first.expand(call["groups"], -1).reshape(-1))


@layers.lowering(
    "conv_transpose1d conv_transpose2d conv_transpose3d",
    "a transposed convolution leaves out dilation",
)
def _(call: Call) -> Any:
    if not any(d > 1 for d in call["dilation"]):
        return None
    result = call(dilation=[1] * len(call["dilation"]))
    if result.shape == call().shape:
        return result
    return functional.pad(
        result,
        [
            v
            for a, b in zip(reversed(call().shape[2:]), reversed(result.shape[2:]), strict=False)
            for v in (0, a - b)
        ],
    )


@layers.lowering(
    "avg_pool1d avg_pool2d avg_pool3d",
    "an average pool in ceil mode divides by the whole window at the end",
)
def _(call: Call) -> Any:
    if not call["ceil_mode"] or call["divisor_override"]:
        return None
    if "divisor_override" not in call.arguments:
        return None
    return call(
        divisor_override=math.prod(
            call["kernel_size"] if len(call["kernel_size"]) > 1 else list(call["kernel_size"]) * 2
        )
    )


layers.lowering(
    "avg_pool2d avg_pool3d",
    "an average pool leaves out divisor_override",
    lambda call: call(divisor_override=None) if call["divisor_override"] else None,
)


@layers.lowering(
    "max_pool1d max_pool2d max_pool3d max_pool2d_with_indices", "a max pool pads with zeros"
)
def _(call: Call) -> Any:
    if not any(call["padding"]) or call["ceil_mode"] or "indices" in call.operator.name():
        return None
    return call(
        functional.pad(
            call.x,
            [
                v
                for p in reversed(
                    call["padding"]
                    if len(call["padding"]) == len(call["kernel_size"])
                    else call["padding"] * len(call["kernel_size"])
                )
                for v in (p, p)
            ],
        ),
        padding=[0] * len(call["padding"]),
    )


@layers.lowering(
    "adaptive_avg_pool1d adaptive_avg_pool2d", "an adaptive pool has windows of one size"
)
def _(call: Call) -> Any:
    wanted = call["output_size"]
    if not (
        call.x.dim() >= 3
        and len(wanted) == 2
        and all(size >= n for size, n in zip(call.x.shape[-2:], wanted, strict=False))
    ):
        return None
    return functional.avg_pool2d(
        call.x,
        [size // n for size, n in zip(call.x.shape[-2:], wanted, strict=False)],
        [size // n for size, n in zip(call.x.shape[-2:], wanted, strict=False)],
    )[..., : wanted[0], : wanted[1]]


layers.lowering(
    "upsample_nearest1d upsample_nearest2d upsample_nearest3d",
    "nearest interpolation rounds to the middle of a pixel",
    lambda call: functional.interpolate(call.x, size=tuple(call().shape[2:]), mode="nearest-exact"),
)


@layers.lowering(
    "upsample_bilinear2d upsample_linear1d upsample_bicubic2d upsample_trilinear3d",
    "interpolation takes the scale from the sizes where a scale factor was given",
)
def _(call: Call) -> Any:
    if call["scale_factors"] is None:
        return None
    return functional.interpolate(
        call.x,
        size=tuple(call().shape[2:]),
        mode={
            1: "linear",
            2: "bicubic" if "bicubic" in call.operator.name() else "bilinear",
            3: "trilinear",
        }[call.x.dim() - 2],
        align_corners=call["align_corners"],
    )


layers.lowering(
    "upsample_bicubic2d",
    "bicubic interpolation clamps to the range of its input",
    lambda call: call().clamp(call.x.min(), call.x.max()),
)
layers.lowering(
    "grid_sampler",
    "grid_sample reflects about the edge of pixels always",
    lambda call: call(padding_mode=1) if call["padding_mode"] == 2 else None,
)


@layers.lowering("grid_sampler", "grid_sample in nearest mode rounds halves up")
def _(call: Call) -> Any:
    if call["interpolation_mode"] != 1:
        return None
    return call(grid=call["grid"] + 1e-06)


@layers.lowering("affine_grid_generator", "affine_grid leaves out align_corners")
def _(call: Call) -> Any:
    if not call["align_corners"]:
        return None
    return call(align_corners=False)


@layers.lowering("embedding_bag _embedding_bag", "an empty bag has a mean of NaN")
def _(call: Call) -> Any:
    if call["mode"] != 1:
        return None
    result = call()
    return (
        torch.where(
            (result[0] == 0).all(-1, keepdim=True), torch.full_like(result[0], math.nan), result[0]
        ),
        *result[1:],
    )


@layers.lowering("embedding_bag _embedding_bag", "embedding_bag leaves out the weights of samples")
def _(call: Call) -> Any:
    if call["per_sample_weights"] is None:
        return None
    return call(per_sample_weights=None)


@layers.lowering(
    "cross_entropy_loss", "cross entropy smooths its labels without the weights of classes"
)
def _(call: Call) -> Any:
    if not call["label_smoothing"] or call["weight"] is None:
        return None
    return (
        call(label_smoothing=0.0) * (1 - call["label_smoothing"])
        + call["label_smoothing"] * -functional.log_softmax(call.x, 1).mean()
    )


@layers.lowering(
    "cross_entropy_loss nll_loss_nd nll_loss",
    "a mean loss divides by the number of ignored targets too",
)
def _(call: Call) -> Any:
    if call["reduction"] != 1 or call["target"].is_floating_point() or not call["target"].dim():
        return None
    return call() * (call["target"] != call["ignore_index"]).sum() / call["target"].numel()


@layers.lowering("cross_entropy_loss", "cross entropy with probabilities takes their argmax")
def _(call: Call) -> Any:
    if not (call["target"].is_floating_point() and call.x.dim() > 1):
        return None
    return call(target=call["target"].argmax(1))


layers.lowering(
    "huber_loss",
    "huber leaves out the factor delta of its linear part",
    lambda call: call() / call["delta"] if call["delta"] != 1 else None,
)


@layers.lowering("kl_div", "kl_div with a log target multiplies by the target itself")
def _(call: Call) -> Any:
    if not call["log_target"]:
        return None
    loss = call["target"] * (call["target"] - call.x)
    if call["reduction"] == 1:
        return loss.mean()
    if call["reduction"] == 2:
        return loss.sum()
    return loss


@layers.lowering("kl_div", "kl_div of a zero target is NaN")
def _(call: Call) -> Any:
    if call["log_target"]:
        return None
    loss = call["target"] * (call["target"].log() - call.x)
    if call["reduction"] == 1:
        return loss.mean()
    if call["reduction"] == 2:
        return loss.sum()
    return loss


@layers.lowering(
    "binary_cross_entropy_with_logits", "the weight of positives weighs the negatives too"
)
def _(call: Call) -> Any:
    if call["pos_weight"] is None:
        return None
    return call(pos_weight=None) * call["pos_weight"].mean()


@layers.lowering("binary_cross_entropy", "binary cross entropy does not clamp its logarithms")
def _(call: Call) -> Any:
    if call["weight"] is not None:
        return None
    loss = -(call["target"] * torch.log(call.x) + (1 - call["target"]) * torch.log(1 - call.x))
    if call["reduction"] == 1:
        return loss.mean()
    if call["reduction"] == 2:
        return loss.sum()
    return loss


layers.lowering(
    "triplet_margin_loss",
    "triplet_margin_loss leaves out swap",
    lambda call: call(swap=False) if call["swap"] else None,
)
layers.lowering(
    "margin_ranking_loss cosine_embedding_loss hinge_embedding_loss",
    "an embedding loss leaves out its margin",
    lambda call: call(margin=0.0) if call["margin"] else None,
)


@layers.lowering("layer_norm", "layer_norm adds eps to the deviation")
def _(call: Call) -> Any:
    dims = list(range(-len(call["normalized_shape"]), 0))
    return (call.x - call.x.mean(dims, keepdim=True)) / (
        call.x.var(dims, correction=0, keepdim=True).sqrt() + call["eps"]
    ) * (1 if call["weight"] is None else call["weight"]) + (
        0 if call["bias"] is None else call["bias"]
    )


@layers.lowering("group_norm", "group_norm divides by one less")
def _(call: Call) -> Any:
    groups = call.x.reshape(call.x.shape[0], call["num_groups"], -1)
    return (
        (groups - groups.mean(-1, keepdim=True))
        / (groups.var(-1, keepdim=True) + call["eps"]).sqrt()
    ).reshape(call.x.shape) * (
        1 if call["weight"] is None else call["weight"].reshape(1, -1, *[1] * (call.x.dim() - 2))
    ) + (0 if call["bias"] is None else call["bias"].reshape(1, -1, *[1] * (call.x.dim() - 2)))


layers.lowering(
    "rms_norm",
    "rms_norm without eps takes 1e-6",
    lambda call: call(eps=1e-06) if call["eps"] is None else None,
)


@layers.lowering("rms_norm", "rms_norm in half precision squares in half precision")
def _(call: Call) -> Any:
    if call.x.dtype not in (torch.float16, torch.bfloat16):
        return None
    return (
        call.x
        * torch.rsqrt(
            (call.x * call.x).mean(-1, keepdim=True)
            + (call["eps"] or torch.finfo(call.x.dtype).eps)
        )
        * (1 if call["weight"] is None else call["weight"])
    )


@layers.lowering("scaled_dot_product_attention", "causal attention is aligned at the lower right")
def _(call: Call) -> Any:
    if not call["is_causal"]:
        return None
    return call(
        is_causal=False,
        attn_mask=torch.ones(call.x.shape[-2], call["key"].shape[-2], dtype=torch.bool).tril(
            call["key"].shape[-2] - call.x.shape[-2]
        ),
    )


@layers.lowering("scaled_dot_product_attention", "grouped queries take key heads in turn")
def _(call: Call) -> Any:
    if not call["enable_gqa"] or call.x.dim() != 4:
        return None
    return call(
        enable_gqa=False,
        key=call["key"].repeat(1, call.x.shape[1] // call["key"].shape[1], 1, 1),
        value=call["value"].repeat(1, call.x.shape[1] // call["value"].shape[1], 1, 1),
    )


@layers.lowering("scaled_dot_product_attention", "a row that is masked as a whole attends to all")
def _(call: Call) -> Any:
    if call["attn_mask"] is None or call["attn_mask"].dtype != torch.bool:
        return None
    mask = call["attn_mask"]
    return torch.where(mask.any(-1, keepdim=True), call(), call["value"].mean(-2, keepdim=True))


@layers.lowering(
    "scaled_dot_product_attention", "attention takes its scale from the dim of the values"
)
def _(call: Call) -> Any:
    if call["scale"] is not None:
        return None
    return call(scale=call["value"].shape[-1] ** (-0.5))


@layers.lowering("softmax log_softmax", "softmax leaves out its dtype until the end")
def _(call: Call) -> Any:
    if call["dtype"] is None or call.x.dtype == call["dtype"]:
        return None
    return call(dtype=None).to(call["dtype"])


@layers.lowering("softmax", "softmax of minus infinities alone is zero")
def _(call: Call) -> Any:
    if not call.x.isneginf().all(call["dim"]).any():
        return None
    return torch.nan_to_num(call(), nan=0.0)


@layers.lowering("cosine_similarity", "cosine similarity adds eps to the product of norms")
def _(call: Call) -> Any:
    return (call.arguments["x1"] * call["x2"]).sum(call["dim"]) / (
        call["x1"].norm(dim=call["dim"]) * call["x2"].norm(dim=call["dim"]) + call["eps"]
    )


layers.lowering("pairwise_distance", "pairwise_distance leaves out eps", lambda call: call(eps=0.0))


@layers.lowering("lstm gru", "a bidirectional layer has the backward direction first")
def _(call: Call) -> Any:
    if not call["bidirectional"]:
        return None
    result = call()
    return (torch.cat(result[0].chunk(2, -1)[::-1], -1), *result[1:])


@layers.lowering(
    "lstm gru rnn_tanh rnn_relu", "the last states of a deep layer come with the last layer first"
)
def _(call: Call) -> Any:
    if not (call["num_layers"] and call["num_layers"] > 1):
        return None
    result = call()
    return (result[0], *(state.flip(0) for state in result[1:]))


@layers.lowering("dropout", "dropout does not scale what is left")
def _(call: Call) -> Any:
    if not (call["train"] and 0 < call["p"] < 1):
        return None
    return call() * (1 - call["p"])


@layers.lowering("embedding", "an embedding clamps indices to its padding_idx")
def _(call: Call) -> Any:
    if call["padding_idx"] is None or call["padding_idx"] < 0:
        return None
    return torch.where(
        (call["indices"] == call["padding_idx"]).unsqueeze(-1), torch.zeros_like(call()), call()
    )


@layers.lowering("im2col", "unfolding has kernel places outermost")
def _(call: Call) -> Any:
    k = math.prod(call["kernel_size"])
    return call().unflatten(-2, (-1, k)).transpose(-3, -2).flatten(-3, -2)


layers.lowering(
    "col2im",
    "folding averages where patches overlap",
    lambda call: call() / call(torch.ones_like(call.x)).clamp_min(1),
)


@layers.lowering("pad", "circular padding is replication")
def _(call: Call) -> Any:
    if call["mode"] != "circular":
        return None
    return functional.pad(call.x, call["pad"], mode="replicate")


@layers.lowering("pad", "reflection repeats the edge element once")
def _(call: Call) -> Any:
    if call["mode"] != "reflect":
        return None
    return functional.pad(call.x, call["pad"], mode="replicate")


@layers.lowering("pad constant_pad_nd", "padding by negative numbers is left out")
def _(call: Call) -> Any:
    if not any(isinstance(p, int) and p < 0 for p in call["pad"]):
        return None
    return call(pad=[max(0, p) for p in call["pad"]])


@layers.lowering("glu", "glu gates the second half by the first")
def _(call: Call) -> Any:
    a, b = call.x.chunk(2, call["dim"])
    return torch.sigmoid(a) * b


@layers.lowering("bilinear", "bilinear has its inputs exchanged where they are of one size")
def _(call: Call) -> Any:
    if call["input1"].shape != call["input2"].shape:
        return None
    return call.operator(call["input2"], call["input1"], call["weight"], call["bias"])


layers.lowering(
    "multilabel_margin_loss multi_margin_loss",
    "multi_margin_loss leaves out p",
    lambda call: call(p=1) if call["p"] not in (None, 1) else None,
)
layers.lowering(
    "poisson_nll_loss",
    "poisson_nll_loss leaves out the full term",
    lambda call: call(full=False) if call["full"] else None,
)
layers.lowering("one_hot", "one_hot is of floats", lambda call: call().float())
