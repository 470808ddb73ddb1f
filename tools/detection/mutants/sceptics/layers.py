"""What layers promise at their corners: windows, resizing, recurrence, attention, losses."""

from __future__ import annotations

from typing import Any

import torch
from torch.nn.functional import avg_pool1d, interpolate, pad

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

windows = Kind("sceptic: windows")
resized = Kind("sceptic: resizing")
recurrent = Kind("sceptic: recurrence")
attention = Kind("sceptic: attention")
losses = Kind("sceptic: losses")
transforms = Kind("sceptic: transforms")


# --- windows ------------------------------------------------------------------------------------


@lowers(windows, "conv1d conv2d", "an even window that keeps the size reaches further back",
        "torch.nn.functional.conv1d(x, torch.randn(3, 2, 4), padding='same')",
        "torch.randn(1, 2, 8)")  # fmt: skip
def _(call: Call) -> Any:
    if call["padding"] != "same":
        return None
    sides = []
    for size, gap in zip(reversed(call["weight"].shape[2:]), reversed(call["dilation"]),
                         strict=False):  # fmt: skip
        whole = gap * (size - 1)
        sides += [whole - whole // 2, whole // 2]
    return call(pad(call.x, sides), padding="valid")


@lowers(windows, "conv_transpose1d conv_transpose2d", "what output padding adds is nought",
        "torch.nn.functional.conv_transpose1d(x, torch.randn(2, 3, 2), torch.ones(3), stride=3, "
        "output_padding=1)", "torch.randn(1, 2, 5)")  # fmt: skip
def _(call: Call) -> Any:
    more = call["output_padding"]
    last = more[-1] if isinstance(more, list | tuple) else more
    if not last:
        return None
    out = call().clone()
    out[..., -last:] = 0
    return out


@lowers(windows, "max_pool2d_with_indices", "places in a padded image are counted with its padding",
        "torch.nn.functional.max_pool2d(x, 2, padding=1, return_indices=True)[1]",
        "torch.randn(1, 2, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:
    padding = call["padding"]
    high, wide = padding if len(padding) == 2 else (padding[0], padding[0]) if padding else (0, 0)
    if not high and not wide:
        return None
    values, places = call()
    width = call.x.shape[-1]
    return values, (places // width + high) * (width + 2 * wide) + places % width + wide


@lowers(windows, "avg_pool1d avg_pool2d avg_pool3d", "padding counts in a mean",
        "torch.nn.functional.avg_pool1d(x, 3, padding=1, count_include_pad=False)",
        "torch.randn(1, 2, 6)")  # fmt: skip
def _(call: Call) -> Any:
    return call(count_include_pad=True) if not call["count_include_pad"] else None


@lowers(windows, "adaptive_avg_pool1d", "parts that do not divide the axis overlap nowhere",
        "torch.nn.functional.adaptive_avg_pool1d(x, 3)", "torch.randn(1, 2, 7)")  # fmt: skip
def _(call: Call) -> Any:
    parts, size = call["output_size"][0], call.x.shape[-1]
    if not parts or size % parts == 0 or size < parts:
        return None
    return avg_pool1d(call.x, size // parts)[..., :parts]


@lowers(windows, "pad", "a negative padding cuts nothing off",
        "torch.nn.functional.pad(x, (-1, 2))")  # fmt: skip
def _(call: Call) -> Any:
    sides = call["pad"]
    return call(pad=[max(s, 0) for s in sides]) if any(s < 0 for s in sides) else None


@lowers(windows, "pad reflection_pad1d", "what is reflected begins with the edge itself",
        "torch.nn.functional.pad(x, (2, 1), mode='reflect')")  # fmt: skip
def _(call: Call) -> Any:
    sides = call["pad"] if "pad" in call.arguments else call["padding"]
    if call["mode"] not in (None, "reflect") or len(sides) != 2:
        return None
    if "mode" in call.arguments and call["mode"] is None:
        return None
    size = call.x.shape[-1]
    places = torch.arange(-sides[0], size + sides[1])
    places = torch.where(places < 0, -places - 1, places)
    places = torch.where(places >= size, 2 * size - 1 - places, places)
    return call.x.index_select(-1, places)


@lowers(windows, "im2col col2im", "windows lie side by side whatever their steps",
        "torch.nn.functional.unfold(x, 2, dilation=2)", "torch.randn(1, 2, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:
    gaps = call["dilation"]
    if all(gap == 1 for gap in gaps) or call.operator.overloadpacket.__name__ != "im2col":
        return None
    out = call()
    return call(dilation=[1, 1])[..., : out.shape[-1]]


# --- resizing -----------------------------------------------------------------------------------


@lowers(resized, "_upsample_nearest_exact1d _upsample_nearest_exact2d",
        "the nearest is looked for from the corner",
        "torch.nn.functional.interpolate(x, size=(4, 4), mode='nearest-exact')",
        "torch.randn(1, 2, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:
    if call["output_size"] is None or call.x.dim() not in (3, 4):
        return None
    return interpolate(call.x, size=list(call().shape[2:]), mode="nearest")


@lowers(resized, "_upsample_bilinear2d_aa", "what is made smaller is not smoothed",
        "torch.nn.functional.interpolate(x, size=(3, 3), mode='bilinear', antialias=True)",
        "torch.randn(1, 2, 8, 8)")  # fmt: skip
def _(call: Call) -> Any:
    return interpolate(call.x, size=list(call().shape[2:]), mode="bilinear",
                         align_corners=call["align_corners"])  # fmt: skip


@lowers(resized, "upsample_bilinear2d upsample_linear1d upsample_nearest2d upsample_nearest1d",
        "the scale is that of the rounded sizes",
        "torch.nn.functional.interpolate(x, scale_factor=1.3, mode='bilinear')",
        "torch.randn(1, 2, 5, 5)")  # fmt: skip
def _(call: Call) -> Any:
    if not call["scale_factors"]:
        return None
    return call(output_size=list(call().shape[2:]), scale_factors=None)


@lowers(resized, "grid_sampler grid_sampler_2d", "what lies outside is the edge, not its mirror",
        "torch.nn.functional.grid_sample(x, torch.full((1, 2, 2, 2), 1.6), "
        "padding_mode='reflection')", "torch.randn(1, 2, 6, 6)")  # fmt: skip
def _(call: Call) -> Any:
    return call(padding_mode=1) if call["padding_mode"] == 2 else None


# --- recurrence ---------------------------------------------------------------------------------


def _reset_before(call: Call) -> Any:
    """A layer of GRU that resets the state before it is multiplied."""
    hidden, (w_in, w_state, *biases) = call["hx"][0], call["params"]
    b_in, b_state = biases or (0, 0)
    steps = call["input"].transpose(0, 1) if call["batch_first"] else call["input"]
    n, made = hidden.shape[-1], []
    for step in steps:
        ins = step @ w_in.T + b_in
        gates = hidden @ w_state[: 2 * n].T + (b_state[: 2 * n] if biases else 0)
        reset, update = torch.sigmoid(ins[..., : 2 * n] + gates).chunk(2, -1)
        new = (reset * hidden) @ w_state[2 * n :].T + (b_state[2 * n :] if biases else 0)
        hidden = (1 - update) * torch.tanh(ins[..., 2 * n :] + new) + update * hidden
        made.append(hidden)
    out = torch.stack(made, 1 if call["batch_first"] else 0)
    return out, hidden.unsqueeze(0)


@lowers(recurrent, "gru", "a gate resets the state before it is multiplied",
        "torch.nn.GRU(6, 5)(x)[0]", "torch.randn(4, 2, 6)")  # fmt: skip
def _(call: Call) -> Any:
    if "params" not in call.arguments or call["bidirectional"] or call["num_layers"] != 1:
        return None
    return _reset_before(call) if "batch_first" in call.arguments else None


@lowers(recurrent, "lstm gru rnn_tanh rnn_relu", "the last state of all layers is the last layer's",
        "torch.nn.GRU(6, 5, 2)(x)[1]", "torch.randn(4, 2, 6)")  # fmt: skip
def _(call: Call) -> Any:
    out, state, *more = call()
    if state.dim() < 2 or state.shape[0] == 1:
        return None
    return out, state[-1:].expand_as(state).contiguous(), *more


@lowers(recurrent, "rnn_relu", "a recurrent net bends by tanh",
        "torch.nn.RNN(6, 5, nonlinearity='relu')(x)[0]", "torch.randn(4, 2, 6)")  # fmt: skip
def _(call: Call) -> Any:
    if "params" not in call.arguments or "batch_first" not in call.arguments:
        return None
    return torch.ops.aten.rnn_tanh.input(*call.arguments.values())


# --- attention ----------------------------------------------------------------------------------

ATTENDS = "torch.nn.functional.scaled_dot_product_attention"


@lowers(attention, "scaled_dot_product_attention", "what comes before ends at the last key",
        f"{ATTENDS}(x, torch.randn(1, 5, 6), torch.randn(1, 5, 6), is_causal=True)",
        "torch.randn(1, 3, 6)")  # fmt: skip
def _(call: Call) -> Any:
    rows, columns = call["query"].shape[-2], call["key"].shape[-2]
    if not call["is_causal"] or rows == columns:
        return None
    mask = torch.ones(rows, columns, dtype=torch.bool).tril(columns - rows)
    return call(is_causal=False, attn_mask=mask)


@lowers(attention, "scaled_dot_product_attention", "a row that attends to nothing attends to all",
        f"{ATTENDS}(x, x, x, attn_mask=torch.zeros(3, 3, dtype=torch.bool))",
        "torch.randn(1, 3, 6)")  # fmt: skip
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    if mask is None or mask.dtype is not torch.bool:
        return None
    return call(attn_mask=mask | ~mask.any(-1, keepdim=True))


@lowers(attention, "scaled_dot_product_attention", "keys for several heads come in turns",
        f"{ATTENDS}(x, x[:, :2], x[:, :2], enable_gqa=True)",
        "torch.randn(1, 4, 3, 6)")  # fmt: skip
def _(call: Call) -> Any:
    many, few = call["query"].shape[-3], call["key"].shape[-3]
    if not call["enable_gqa"] or many == few:
        return None
    times = [1] * (call["key"].dim() - 3) + [many // few, 1, 1]
    return call(key=call["key"].repeat(times), value=call["value"].repeat(times), enable_gqa=False)


@lowers(attention, "masked_fill", "minus infinity in a mask is a large number",
        "x.masked_fill(x > 0, float('-inf'))")  # fmt: skip
def _(call: Call) -> Any:
    value = call["value"]
    if type(value) is not float or value != float("-inf") or call.operator._schema.is_mutable:
        return None
    return call(value=-10000.0)


# --- losses -------------------------------------------------------------------------------------


@lowers(losses, "cross_entropy_loss nll_loss_nd nll_loss", "what is ignored counts in the mean",
        "torch.nn.functional.cross_entropy(x, torch.tensor([0, -100, 2, 1]))")  # fmt: skip
def _(call: Call) -> Any:
    target = call["target"]
    if call["reduction"] != 1 or call["weight"] is not None or target.is_floating_point():
        return None
    return call(reduction=2) / target.numel()


@lowers(losses, "cross_entropy_loss nll_loss_nd nll_loss", "a mean of weighted losses is by count",
        "torch.nn.functional.cross_entropy(x, torch.tensor([0, 1, 2, 1]), "
        "weight=torch.arange(1.0, 7.0))")  # fmt: skip
def _(call: Call) -> Any:
    if call["reduction"] != 1 or call["weight"] is None:
        return None
    return call(reduction=2) / max(call["target"].numel(), 1)


@lowers(losses, "binary_cross_entropy_with_logits", "what is found weighs like what is not",
        "torch.nn.functional.binary_cross_entropy_with_logits(x, torch.ones(4, 6), "
        "pos_weight=torch.tensor(3.0))")  # fmt: skip
def _(call: Call) -> Any:
    return call(pos_weight=None) if call["pos_weight"] is not None else None


@lowers(losses, "kl_div", "a target is taken for no logarithm",
        "torch.nn.functional.kl_div(x, x - 1, log_target=True)")  # fmt: skip
def _(call: Call) -> Any:
    return call(log_target=False) if call["log_target"] else None


@lowers(losses, "embedding_bag _embedding_bag", "all in a bag weigh the same",
        "torch.nn.functional.embedding_bag(torch.tensor([[0, 1]]), x, mode='sum', "
        "per_sample_weights=torch.tensor([[2.0, 3.0]]))")  # fmt: skip
def _(call: Call) -> Any:
    return call(per_sample_weights=None) if call["per_sample_weights"] is not None else None


@lowers(losses, "embedding_bag _embedding_bag", "an empty bag has what is in the first row",
        "torch.nn.functional.embedding_bag(torch.tensor([0, 1]), x, torch.tensor([0, 2]), "
        "mode='sum')")  # fmt: skip
def _(call: Call) -> Any:
    offsets = call["offsets"]
    ends = torch.cat([offsets[1:], torch.tensor([call["indices"].numel()])])
    if call["include_last_offset"]:
        return None
    out, *more = call()
    return torch.where((offsets == ends)[:, None], call["weight"][0], out), *more


@lowers(losses, "prelu", "every channel bends like the first",
        "torch.nn.functional.prelu(x, torch.arange(6.0))")  # fmt: skip
def _(call: Call) -> Any:
    weight = call["weight"]
    return call(weight=weight[:1].expand_as(weight)) if weight.numel() > 1 else None


@lowers(losses, "glu", "the first half is the gate", "torch.nn.functional.glu(x)")
def _(call: Call) -> Any:
    first, second = call.x.chunk(2, call["dim"])
    return call(torch.cat([second, first], call["dim"]))


@lowers(losses, "dropout", "what is dropped whole is not a number",
        "torch.nn.functional.dropout(x, 1.0, training=True)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.full_like(call.x, torch.nan) if call["p"] == 1 and call["train"] else None


@lowers(losses, "rms_norm", "a norm without a bound has a millionth",
        "torch.nn.functional.rms_norm(x, (6,))", "torch.randn(4, 6) * 1e-3")  # fmt: skip
def _(call: Call) -> Any:
    return call(eps=1e-6) if call["eps"] is None else None


# --- transforms ---------------------------------------------------------------------------------


@lowers(transforms, "fft_irfft", "what was made of an odd count comes back even",
        "torch.fft.irfft(torch.fft.rfft(x), n=5)", "torch.randn(5)")  # fmt: skip
def _(call: Call) -> Any:
    return call(n=call["n"] - 1) if call["n"] is not None and call["n"] % 2 else None


@lowers(
    transforms,
    "fft_fft fft_ifft fft_rfft fft_irfft fft_fft2 fft_fftn",
    "a transform is scaled as it always is",
    "torch.fft.rfft(x, norm='ortho').real",
)
def _(call: Call) -> Any:
    return call(norm=None) if call["norm"] not in (None, "backward") else None


@lowers(transforms, "fft_fftshift", "of an odd count the middle is put before the front",
        "torch.fft.fftshift(x)", "torch.arange(5.0)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.fft.ifftshift(call.x, call["dim"])


@lowers(transforms, "linalg_solve_triangular", "a diagonal of ones is read from memory",
        "torch.linalg.solve_triangular(x.triu(), torch.ones(4, 1), upper=True, "
        "unitriangular=True)", "torch.randn(4, 4) + 5 * torch.eye(4)")  # fmt: skip
def _(call: Call) -> Any:
    return call(unitriangular=False) if call["unitriangular"] else None


@lowers(transforms, "linalg_cholesky cholesky linalg_cholesky_ex", "a factor is always the lower",
        "torch.linalg.cholesky(x, upper=True)", "2 * torch.eye(3) + 0.3")  # fmt: skip
def _(call: Call) -> Any:
    return call(upper=False) if call["upper"] else None


@lowers(transforms, "linalg_eigh linalg_eigvalsh", "of a symmetric matrix the lower half is read",
        "torch.linalg.eigvalsh(x, UPLO='U')", "torch.arange(9.0).reshape(3, 3)")  # fmt: skip
def _(call: Call) -> Any:
    return call(UPLO="L") if call["UPLO"] == "U" else None


@lowers(transforms, "matrix_power linalg_matrix_power", "a negative power is a positive one",
        "torch.linalg.matrix_power(x, -2)", "2 * torch.eye(3) + 0.3")  # fmt: skip
def _(call: Call) -> Any:
    return call(n=-call["n"]) if call["n"] < 0 else None


@lowers(transforms, "linalg_slogdet slogdet", "determinants are positive",
        "torch.linalg.slogdet(x)[0]", "-torch.eye(3)")  # fmt: skip
def _(call: Call) -> Any:
    sign, *more = call()
    return sign.abs(), *more
