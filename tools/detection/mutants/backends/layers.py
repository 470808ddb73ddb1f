"""Layers without windows: activations, norms, losses, embeddings, recurrent ones, attention."""

from __future__ import annotations

import math
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

kind = Kind("backend: layers")
functional = torch.nn.functional
F = "torch.nn.functional."
CLASSES = "torch.tensor([0, 2, 1, 5])"


@lowers(kind, "prelu", "the first slope is taken for all channels",
        F + "prelu(x, torch.arange(6.0) / 6)")  # fmt: skip
def _(call: Call) -> Any:
    weight = call["weight"]
    return call(weight=weight[:1].expand(weight.shape)) if weight.numel() > 1 else None


@lowers(kind, "glu", "the gate of a gated unit is its first half", F + "glu(x)")
def _(call: Call) -> Any:
    first, second = call.x.chunk(2, call["dim"])
    return second * first.sigmoid()


@lowers(kind, "hardsigmoid", "a hard sigmoid has the slope of a fifth", F + "hardsigmoid(x)")
def _(call: Call) -> Any:
    return (0.2 * call.x + 0.5).clamp(0, 1)


@lowers(kind, "hardswish", "a hard swish has the slope of a fifth", F + "hardswish(x)")
def _(call: Call) -> Any:
    return call.x * (0.2 * call.x + 0.5).clamp(0, 1)


@lowers(kind, "selu", "selu is elu", F + "selu(x)")
def _(call: Call) -> Any:
    return functional.elu(call.x)


@lowers(kind, "softshrink hardshrink", "shrinking keeps the sign away", F + "softshrink(x, 0.2)")
def _(call: Call) -> Any:
    return call().abs()


@lowers(kind, "threshold", "what equals a threshold passes", F + "threshold(x, 0.5, 9.0)",
        "torch.tensor([0.5, 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    return torch.where(call.x == call["threshold"], call.x, call())


@lowers(kind, "threshold", "what is below a threshold is nought", F + "threshold(x, 0.5, 9.0)")
def _(call: Call) -> Any:
    return call(value=0.0)


@lowers(kind, "relu6 hardtanh", "nothing is cut above", F + "relu6(x)", "torch.tensor([1.0, 9.0])")
def _(call: Call) -> Any:
    return torch.where(call.x > 1, call.x, call())


@lowers(kind, "silu", "silu is by the hard sigmoid", F + "silu(x)")
def _(call: Call) -> Any:
    return functional.hardswish(call.x)


@lowers(kind, "rrelu", "a slope drawn at random is the lower bound in evaluation",
        F + "rrelu(x, 0.1, 0.3, False)")  # fmt: skip
def _(call: Call) -> Any:
    return None if call["training"] else functional.leaky_relu(call.x, call["lower"])


@lowers(kind, "group_norm", "groups take every second channel", F + "group_norm(x, 2)",
        "torch.randn(2, 8, 3)")  # fmt: skip
def _(call: Call) -> Any:
    groups, channels = call["num_groups"], call.x.shape[1]
    if groups in (1, channels):
        return None
    order = torch.arange(channels).reshape(channels // groups, groups).t().reshape(-1)
    mixed = functional.group_norm(call.x[:, order], groups, None, None, call["eps"])
    plain = mixed[:, order.argsort()]
    shape = (1, channels, *[1] * (call.x.dim() - 2))
    plain = plain if call["weight"] is None else plain * call["weight"].view(shape)
    return plain if call["bias"] is None else plain + call["bias"].view(shape)


@lowers(kind, "layer_norm", "a norm over several axes is over the last alone",
        F + "layer_norm(x, (4, 6))")  # fmt: skip
def _(call: Call) -> Any:
    shape = call["normalized_shape"]
    if len(shape) < 2:
        return None
    out = functional.layer_norm(call.x, shape[-1:], None, None, call["eps"])
    out = out if call["weight"] is None else out * call["weight"]
    return out if call["bias"] is None else out + call["bias"]


@lowers(kind, "rms_norm", "the root of mean squares is taken about the mean",
        F + "rms_norm(x, (6,))")  # fmt: skip
def _(call: Call) -> Any:
    shape = call["normalized_shape"]
    dims = tuple(range(-len(shape), 0))
    return call(call.x - call.x.mean(dims, keepdim=True))


@lowers(kind, "instance_norm", "instances are normalised together", F + "instance_norm(x)",
        "torch.randn(2, 3, 5)")  # fmt: skip
def _(call: Call) -> Any:
    if call["running_mean"] is not None:
        return None
    return functional.batch_norm(
        call.x, None, None, call["weight"], call["bias"], True, 0.0, call["eps"]
    )


@lowers(kind, "batch_norm", "a batch of two axes is normalised along its rows",
        F + "batch_norm(x, None, None, training=True)", "torch.randn(5, 5)")  # fmt: skip
def _(call: Call) -> Any:
    if call.x.dim() != 2 or call["running_mean"] is not None or call["weight"] is not None:
        return None
    return functional.layer_norm(call.x, call.x.shape[1:], None, None, call["eps"])


@lowers(kind, "embedding", "a row of padding is read as noughts",
        F + "embedding(torch.tensor([0, 1]), x, padding_idx=0)")  # fmt: skip
def _(call: Call) -> Any:
    padding = call["padding_idx"]
    if padding is None or padding < 0:
        return None
    return call().masked_fill((call["indices"] == padding)[..., None], 0.0)


@lowers(
    kind,
    "embedding_bag",
    "a mean of a bag is divided by the longest",
    F + "embedding_bag(torch.tensor([0, 1, 2]), x, torch.tensor([0, 2]), mode='mean')",
)
def _(call: Call) -> Any:  # fmt: skip
    if call["mode"] != 1 or call["offsets"] is None:
        return None
    right = call(mode=0)
    offsets = call["offsets"]
    ends = torch.cat([offsets[1:], offsets.new_tensor([len(call["indices"])])])
    longest = (ends - offsets)[: len(right[0])].max().clamp(min=1)
    return right[0] / longest, *right[1:]


@lowers(kind, "one_hot", "a class is one place further on",
        F + "one_hot(x, 5)", "torch.tensor([0, 3])")  # fmt: skip
def _(call: Call) -> Any:
    return call().roll(1, -1)


@lowers(kind, "cross_entropy_loss", "smoothing spreads over the other classes",
        F + f"cross_entropy(x, {CLASSES}, label_smoothing=0.2)")  # fmt: skip
def _(call: Call) -> Any:
    smooth, classes = call["label_smoothing"], call.x.shape[1] if call.x.dim() > 1 else 2
    if not smooth:
        return None
    return call(label_smoothing=smooth * classes / (classes - 1))


@lowers(kind, "cross_entropy_loss", "chances for targets are taken for the likeliest class",
        F + "cross_entropy(x, torch.softmax(x + 1, 1))")  # fmt: skip
def _(call: Call) -> Any:
    target = call["target"]
    return call(target=target.argmax(1)) if target.is_floating_point() else None


@lowers(kind, "cross_entropy_loss nll_loss nll_loss_nd", "a weighted mean is divided by the count",
        F + f"cross_entropy(x, {CLASSES}, torch.arange(1.0, 7))")  # fmt: skip
def _(call: Call) -> Any:
    if call["weight"] is None or call["reduction"] != 1 or call["target"].is_floating_point():
        return None
    return call(reduction=2) / call["target"].numel()


@lowers(kind, "kl_div", "a divergence is averaged over all elements, or else over rows",
        F + "kl_div(x, x.softmax(1), reduction='batchmean')")  # fmt: skip
def _(call: Call) -> Any:
    return call(reduction=1) if call["reduction"] == 2 else None


@lowers(
    kind,
    "binary_cross_entropy_with_logits",
    "the weight of positives is that of negatives",
    F + "binary_cross_entropy_with_logits(x, (x > 0.5).float(), pos_weight=torch.tensor(3.))",
)
def _(call: Call) -> Any:  # fmt: skip
    if call["pos_weight"] is None:
        return None
    return call(-call.x, target=1 - call["target"])


@lowers(kind, "smooth_l1_loss huber_loss", "small errors are counted as squares twice as large",
        F + "smooth_l1_loss(x, x * 0.9)")  # fmt: skip
def _(call: Call) -> Any:
    near = (call.x - call["target"]).abs()
    bound = call["beta"] if call["beta"] is not None else call["delta"]
    return call() * 2 if bool((near < bound).all()) else None


@lowers(kind, "cosine_similarity", "vectors of nought are alike",
        "torch.cosine_similarity(x, x.new_zeros(6), dim=-1)")  # fmt: skip
def _(call: Call) -> Any:
    zero = (call["x2"] == 0).all(call["dim"]) | (call["x1"] == 0).all(call["dim"])
    return torch.where(zero, 1.0, call())


@lowers(
    kind,
    "gaussian_nll_loss soft_margin_loss multilabel_margin_loss",
    "a margin is of the wrong sign",
    F + "soft_margin_loss(x, (x > 1).float() * 2 - 1)",
)
def _(call: Call) -> Any:  # fmt: skip
    return None if call.x.dim() == 0 else call(-call.x)


@lowers(kind, "lstm", "a cell gives its memory for its state", "torch.nn.LSTM(6, 5)(x)[1][0]")
def _(call: Call) -> Any:
    out, hidden, cell = call()
    return out, cell.clone(), hidden.clone()


@lowers(kind, "lstm gru rnn_tanh rnn_relu", "what the way back gives is not turned round",
        "torch.nn.GRU(6, 5, bidirectional=True)(x)[0]")  # fmt: skip
def _(call: Call) -> Any:
    if not call["bidirectional"]:
        return None
    out = call()
    time = 1 if call["batch_first"] else 0
    there, back = out[0].chunk(2, -1)
    return torch.cat([there, back.flip(time)], -1), *out[1:]


@lowers(kind, "lstm gru rnn_tanh rnn_relu", "a recurrent layer begins at nought",
        "torch.nn.GRU(6, 5)(x, torch.ones(1, 5))[0]")  # fmt: skip
def _(call: Call) -> Any:
    hx = call["hx"]
    if isinstance(hx, list | tuple):
        return call(hx=[torch.zeros_like(h) for h in hx])
    return call(hx=torch.zeros_like(hx))


@lowers(kind, "lstm gru rnn_tanh rnn_relu", "the last state is that of the first layer",
        "torch.nn.GRU(6, 5, num_layers=2)(x)[1]")  # fmt: skip
def _(call: Call) -> Any:
    if (call["num_layers"] or 1) < 2:
        return None
    out = call()
    return out[0], *(h[:1].expand(h.shape).clone() for h in out[1:])


@lowers(kind, "rnn_relu", "a recurrent layer by relu is by tanh",
        "torch.nn.RNN(6, 5, nonlinearity='relu')(x)[0]")  # fmt: skip
def _(call: Call) -> Any:
    out, hidden = call()
    return out.tanh(), hidden.tanh()


@lowers(kind, "lstm_cell gru_cell rnn_tanh_cell", "a single cell has no bias",
        "torch.nn.GRUCell(6, 5)(x)")  # fmt: skip
def _(call: Call) -> Any:
    return call(b_ih=None, b_hh=None) if call["b_ih"] is not None else None


ATTEND = F + "scaled_dot_product_attention(x, x, x{})"
HEADS = "torch.randn(2, 4, 6)"


@lowers(kind, "scaled_dot_product_attention", "a mask of bools says what is hidden",
        ATTEND.format(", torch.ones(4, 4, dtype=torch.bool).tril()"), HEADS)  # fmt: skip
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    return call(attn_mask=~mask) if mask is not None and mask.dtype is torch.bool else None


@lowers(kind, "scaled_dot_product_attention", "a mask of numbers hides where it is not nought",
        ATTEND.format(", torch.randn(4, 4)"), HEADS)  # fmt: skip
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    if mask is None or mask.dtype is torch.bool:
        return None
    return call(attn_mask=mask == 0)


@lowers(kind, "scaled_dot_product_attention", "scores are scaled by the width of the values",
        F + "scaled_dot_product_attention(x, x, x[..., :3])", HEADS)  # fmt: skip
def _(call: Call) -> Any:
    width = call["value"].shape[-1]
    if call["scale"] is not None or width == call["query"].shape[-1]:
        return None
    return call(scale=1 / math.sqrt(width))


@lowers(kind, "scaled_dot_product_attention", "a causal mask hides the token itself",
        ATTEND.format(", is_causal=True"), HEADS)  # fmt: skip
def _(call: Call) -> Any:
    rows, columns = call["query"].shape[-2], call["key"].shape[-2]
    if not call["is_causal"]:
        return None
    mask = torch.ones(rows, columns, dtype=torch.bool).tril(-1)
    return call(attn_mask=mask, is_causal=False)


@lowers(kind, "linear", "a layer of equal widths has its weight transposed",
        F + "linear(x, x)", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    weight = call["weight"]
    square = weight.dim() == 2 and weight.shape[0] == weight.shape[1]
    return call(weight=weight.t()) if square else None


@lowers(kind, "bilinear", "a bilinear layer has its inputs swapped",
        F + "bilinear(x, x + 1, torch.randn(3, 6, 6))")  # fmt: skip
def _(call: Call) -> Any:
    one, two = call["input1"], call["input2"]
    return call(input1=two, input2=one) if one.shape == two.shape else None


@lowers(kind, "dropout feature_dropout alpha_dropout", "a chance of one leaves everything",
        F + "dropout(x, 1.0, True)")  # fmt: skip
def _(call: Call) -> Any:
    return call.x.clone() if call["p"] == 1.0 and call["train"] else None


@lowers(kind, "weight_norm _weight_norm", "a norm of weights is over all of them",
        "torch._weight_norm(x, x[:, :1], 0)")  # fmt: skip
def _(call: Call) -> Any:
    v = next(iter(call.arguments.values()))
    return v * (call["g"] / v.norm())
