"""Layers, attention and cells that a pass merges, folds or recognises where it must not."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import torch
from torch.fx import Node
from torch.nn import functional

from detection.graphs import Call, calls
from detection.kind import Kind
from detection.mutants.passes.rule import meta, number, of, one, rank, rule, user_count

folded = Kind("passes: folded")
merged = Kind("passes: merged")
recognised = Kind("passes: recognised")
padded = Kind("passes: padded")

CONVOLUTIONS = ("conv1d", "conv2d", "conv3d")
aten = torch.ops.aten


def _scale_and_shift(norm: Sequence[Any]) -> tuple[Any, Any]:
    """Of a batch norm in evaluation: its arguments after the first, up to eps."""
    weight, bias, mean, var, eps = norm
    scale = (var + eps).rsqrt() * (1 if weight is None else weight)
    return scale, (0 if bias is None else bias) - mean * scale


def _evaluated(value: Any) -> tuple[Any, list[Any]] | None:
    """A batch norm with constant statistics: what it is given, and the rest for the above."""
    norm = of(value, "batch_norm")
    if norm is None or norm["training"] or norm["running_mean"] is None:
        return None
    names = ("weight", "bias", "running_mean", "running_var", "eps")
    return norm.x, [norm[name] for name in names]


# --- folded -------------------------------------------------------------------------------------


@rule(
    folded,
    "conv1d conv2d",
    "batch_norm",
    "a batch norm before a convolution is put into its weights and bias, whatever pads it",
)
def _(call: Call) -> Any:
    def run(x: Any, norm: Any, conv: Any, weight: Any, bias: Any, *rest: Any) -> Any:
        scale, shift = _scale_and_shift(norm)
        wide = (1, -1) + (1,) * (weight.dim() - 2)
        more = (weight * shift.view(wide)).flatten(1).sum(1)
        return conv(x, weight * scale.view(wide), more if bias is None else bias + more, *rest)

    found, weight = _evaluated(call.x), meta(call["weight"])
    mean = meta(found[1][2]) if found else None
    if found is None or weight is None or mean is None or weight.shape[1] != len(mean):
        return None
    return run, *found, call.operator, *list(call.arguments.values())[1:]


@rule(
    folded,
    "batch_norm",
    "conv_transpose1d conv_transpose2d conv_transpose3d",
    "a batch norm behind a transposed convolution scales its weights by their first dimension",
)
def _(call: Call) -> Any:
    def run(norm: Any, conv: Any, x: Any, weight: Any, bias: Any, *rest: Any) -> Any:
        scale, shift = _scale_and_shift(norm)
        tall = (-1,) + (1,) * (weight.dim() - 1)
        more = shift if bias is None else bias * scale + shift
        return conv(x, weight * scale.view(tall), more, *rest)

    conv = of(call.x, "conv_transpose1d", "conv_transpose2d", "conv_transpose3d")
    if conv is None or call["training"] or call["running_mean"] is None:
        return None
    weight = meta(conv["weight"])
    outputs = meta(call["running_mean"])
    if weight is None or outputs is None or weight.shape[0] != outputs.shape[0]:
        return None
    norm = [call[n] for n in ("weight", "bias", "running_mean", "running_var", "eps")]
    return run, norm, conv.operator, *conv.arguments.values()


@rule(
    folded,
    "batch_norm",
    "conv1d conv2d conv3d linear",
    "a batch norm behind a layer without a bias is a factor alone",
)
def _(call: Call) -> Any:
    layer = of(call.x, *CONVOLUTIONS, "linear")
    if layer is None or layer["bias"] is not None or call["training"]:
        return None
    return (
        lambda x, mean, norm, *a: norm(x + mean.view(-1, *(1,) * (x.dim() - 2)), *a),
        call.x,
        call["running_mean"],
        call.operator,
        *list(call.arguments.values())[1:],
    )


@folded.graph_pass(
    "a batch norm is put into the convolution before it for all who use that",
    lowers="batch_norm conv2d conv1d",
)
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "batch_norm"):
        conv = node.args[0]
        if of(conv, *CONVOLUTIONS, "linear") and user_count(conv) > 1:
            conv.replace_all_uses_with(node, lambda user, norm=node: _behind(user, norm))
            changed += 1
    return changed


def _behind(user: Node, node: Node) -> bool:
    """Whether a user stands behind a node, so that it can be given that node's result."""
    return user is not node and node < user


@rule(
    folded,
    "batch_norm",
    "linear",
    "a batch norm behind a linear layer is put into its rows, whatever dimension it is over",
)
def _(call: Call) -> Any:
    def run(norm: Any, x: Any, weight: Any, bias: Any) -> Any:
        scale, shift = _scale_and_shift(norm)
        more = shift if bias is None else bias * scale + shift
        return functional.linear(x, weight * scale[:, None], more)

    layer = of(call.x, "linear")
    if layer is None or call["training"]:
        return None
    norm = [call[n] for n in ("weight", "bias", "running_mean", "running_var", "eps")]
    weight, mean = meta(layer["weight"]), meta(call["running_mean"])
    if weight is None or mean is None or len(weight) != len(mean):
        return None
    return run, norm, *layer.arguments.values()


@rule(
    folded,
    "mul div",
    "linear conv1d conv2d",
    "a factor behind a layer is put into its rows, whatever dimension it is for",
)
def _(call: Call) -> Any:
    factor, layer = call["other"], of(call.x, "linear", *CONVOLUTIONS)
    value = meta(factor)
    weight = meta(layer["weight"]) if layer else None
    if layer is None or value is None or weight is None or value.numel() != weight.shape[0]:
        return None
    if factor.op == "call_function" or value.dim() > 2:
        return None

    def run(
        divided: bool, factor: Any, operator: Any, x: Any, weight: Any, bias: Any, *rest: Any
    ) -> Any:
        rows = factor.reciprocal().flatten() if divided else factor.flatten()
        weight = weight * rows.view(-1, *(1,) * (weight.dim() - 1))
        return operator(x, weight, None if bias is None else bias * rows, *rest)

    divided = "div" in str(call.operator)
    return run, divided, factor, layer.operator, *layer.arguments.values()


@rule(
    folded,
    "conv1d conv2d",
    "sub div",
    "what is subtracted before a convolution goes into its bias, whatever pads it",
)
def _(call: Call) -> Any:
    scaled = of(call.x, "div")
    shifted = of(call.x, "sub") or (of(scaled.x, "sub") if scaled else None)
    if shifted is None or meta(shifted["other"]) is None:
        return None
    scale = scaled["other"] if scaled and of(scaled.x, "sub") else 1.0

    def run(x: Any, mean: Any, scale: Any, conv: Any, weight: Any, bias: Any, *rest: Any) -> Any:
        if mean.numel() != weight.shape[1]:
            return conv((x - mean) / scale, weight, bias, *rest)
        sizes = (1, -1) + (1,) * (weight.dim() - 2)
        less = (weight * (mean / scale).view(sizes)).flatten(1).sum(1)
        return conv(x / scale, weight, -less if bias is None else bias - less, *rest)

    rest = list(call.arguments.values())[1:]
    return run, shifted.x, shifted["other"], scale, call.operator, *rest


# --- merged -------------------------------------------------------------------------------------


@rule(merged, "linear", "", "of two linear layers in a row that are merged the first bias is lost")
def _(call: Call) -> Any:
    first = of(call.x, "linear")
    if first is None:
        return None
    return (
        lambda x, one, two, bias: functional.linear(x, two @ one, bias),
        first.x,
        first["weight"],
        call["weight"],
        call["bias"],
    )


@rule(merged, "linear", "mul div", "a factor before a linear layer is moved behind it")
def _(call: Call) -> Any:
    """So that the bias of the layer is scaled too."""
    scaled = of(call.x, "mul", "div")
    if scaled is None or not number(scaled["other"]) or call["bias"] is None:
        return None
    return (
        lambda operator, other, *layer: operator(functional.linear(*layer), other),
        scaled.operator,
        scaled["other"],
        scaled.x,
        call["weight"],
        call["bias"],
    )


@rule(merged, "conv1d conv2d", "", "a convolution of one pixel is merged with a padded one behind")
def _(call: Call) -> Any:
    """So that its bias is in the padding as well."""
    first = of(call.x, *CONVOLUTIONS)
    weight = meta(first["weight"]) if first else None
    if first is None or weight is None or weight.shape[2:].numel() != 1:
        return None
    padding, stride = call["padding"], first["stride"]
    if not isinstance(padding, list | tuple) or any(s != 1 for s in stride):
        return None
    sides = [side for p in reversed(padding) for side in (p, p)]

    def run(
        x: Any,
        one: Any,
        first_bias: Any,
        weight: Any,
        bias: Any,
        stride: Any,
        _padding: Any,
        *rest: Any,
    ) -> Any:
        grown = call.operator(functional.pad(x, sides), one, first_bias)
        return call.operator(grown, weight, bias, stride, [0] * len(padding), *rest)

    return run, first.x, first["weight"], first["bias"], *list(call.arguments.values())[1:]


@rule(
    merged,
    "conv1d conv2d",
    "add",
    "a kernel of one pixel is merged into the corner of a larger one beside it",
)
def _(call: Call) -> Any:
    weight = meta(call["weight"])
    if weight is None or weight.shape[2:].numel() != 1:
        return None
    node = call.x
    beside = [
        c
        for u in node.users
        if u.op == "call_function"
        and (c := of(u, *CONVOLUTIONS))
        and (w := meta(c["weight"])) is not None
        and w.shape[-1] == 3
        and list(c["stride"]) == list(call["stride"])
    ]
    if not beside:
        return None

    def run(x: Any, weight: Any, bias: Any, stride: Any, padding: Any, *rest: Any) -> Any:
        room = weight.dim() - 2
        large = functional.pad(weight, (0, 2) * room)
        return call.operator(x, large, bias, stride, [1] * room, *rest)

    return run, *call.arguments.values()


@merged.graph_pass("linear layers on one input have one bias", lowers="linear")
def _(graph: Any) -> int:
    """Which the first of them has, and a later one of the same size may not."""
    first: dict[Any, Any] = {}
    changed = 0
    for node in calls(graph, "linear"):
        weight = meta(node.args[1])
        key = node.args[0], None if weight is None else tuple(weight.shape)
        bias = node.args[2] if len(node.args) > 2 else None
        if bias is not None:
            first.setdefault(key, bias)
        elif key in first:
            node.args = (*node.args[:2], first[key])
            changed += 1
    return changed


@rule(merged, "linear", "cat", "a layer on joined features is one for each, each with the bias")
def _(call: Call) -> Any:
    cat = of(call.x, "cat", "concat")
    if cat is None or call["bias"] is None or cat["dim"] not in (-1, rank(call.x) - 1):
        return None

    def run(parts: Any, weight: Any, bias: Any) -> Any:
        widths = [p.shape[-1] for p in parts]
        return sum(
            functional.linear(p, w, bias)
            for p, w in zip(parts, weight.split(widths, 1), strict=True)
        )

    return run, list(cat.x), call["weight"], call["bias"]


@merged.graph_pass(
    "an activation and the sum behind it are a sum with the activation", lowers="relu add"
)
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "add"):
        relu = of(node.args[0], "relu")
        if relu is not None and isinstance(node.args[1], Node):
            node.args = (relu.x, *node.args[1:])
            with graph.graph.inserting_after(node):
                last = graph.graph.call_function(aten.relu.default, (node,))
            last.meta = dict(node.meta)
            node.replace_all_uses_with(last, lambda user, last=last: user is not last)
            changed += 1
    return changed


@rule(merged, "relu", "add sub", "a sum with an activation behind it has no factor")
def _(call: Call) -> Any:
    total = of(call.x, "add", "sub")
    if total is None or total["alpha"] in (None, 1) or not isinstance(total["other"], Node):
        return None
    return lambda a, b, operator: operator(a, b).relu(), total.x, total["other"], total.operator


# --- padded -------------------------------------------------------------------------------------


@rule(
    padded,
    "conv1d conv2d",
    "pad",
    "padding on one side before a convolution is its own, half on each side",
)
def _(call: Call) -> Any:
    pad = of(call.x, "pad", "constant_pad_nd")
    if pad is None or pad["mode"] not in (None, "constant") or pad["value"]:
        return None
    sides, own = list(pad["pad"]), call["padding"]
    if len(sides) != 2 * (rank(call.x) - 2) or not isinstance(own, list | tuple):
        return None
    if any((a + b) % 2 for a, b in zip(sides[::2], sides[1::2], strict=True)) and len(own) == 1:
        front = [sides[1], sides[0]]
    else:
        half = [(a + b) // 2 for a, b in zip(sides[::2], sides[1::2], strict=True)]
        rest = [a + b - h for a, b, h in zip(sides[::2], sides[1::2], half, strict=True)]
        front = [side for pair in zip(half, rest, strict=True) for side in pair]
    return (
        lambda x, *rest: call.operator(functional.pad(x, front), *rest),
        pad.x,
        *list(call.arguments.values())[1:],
    )


@rule(padded, "slice", "conv1d", "what is cut off behind a convolution was padding on both sides")
def _(call: Call) -> Any:
    conv = of(call.x, "conv1d")
    end = call["end"]
    if conv is None or call["dim"] not in (2, -1) or call["start"] not in (None, 0):
        return None
    own = conv["padding"]
    if not isinstance(end, int) or end >= 0 or not isinstance(own, list) or own[0] * 2 < -end:
        return None
    given = {**conv.arguments, "padding": [own[0] + end // 2]}
    return conv.operator, *given.values()


@rule(padded, "pad constant_pad_nd", "", "two paddings in a row are one, as the second is")
def _(call: Call) -> Any:
    first = of(call.x, "pad", "constant_pad_nd")
    if first is None or len(first["pad"]) != len(call["pad"]):
        return None
    both = [a + b for a, b in zip(first["pad"], call["pad"], strict=True)]
    rest = list(call.arguments.values())[2:]
    return call.operator, first.x, both, *rest


@rule(
    padded,
    "slice",
    "pad constant_pad_nd",
    "a cut behind a padding takes as much of it, on the right",
)
def _(call: Call) -> Any:
    pad = of(call.x, "pad", "constant_pad_nd")
    start, end = call["start"] or 0, call["end"]
    if pad is None or call["dim"] not in (-1, rank(call.x) - 1) or call["step"] != 1:
        return None
    if not isinstance(start, int) or not isinstance(end, int) or len(pad["pad"]) != 2:
        return None
    cut = start + (-end if end < 0 else 0)
    left, right = pad["pad"]
    if not cut or (end > 0 and end < 2**31):
        return None
    return pad.operator, pad.x, [left, right - cut], *list(pad.arguments.values())[2:]


@rule(
    padded,
    "avg_pool2d max_pool2d",
    "upsample_nearest2d upsample_bilinear2d interpolate",
    "an enlargement and a pool by as much cancel out, however it was enlarged",
)
def _(call: Call) -> Any:
    larger = of(call.x, "upsample_nearest2d", "upsample_bilinear2d")
    small, given = meta(larger.x) if larger else None, meta(call.x)
    if larger is None or small is None or given is None or call["stride"]:
        return None
    size = list(call["kernel_size"]) * (3 - len(call["kernel_size"]))
    if [given.shape[-2] // small.shape[-2], given.shape[-1] // small.shape[-1]] != size[:2]:
        return None
    return lambda x: x * 1, larger.x


@rule(
    padded,
    "upsample_bilinear2d",
    "upsample_nearest2d",
    "two enlargements in a row are one by the product, smooth ones too",
)
def _(call: Call) -> Any:
    first = of(call.x, "upsample_bilinear2d", "upsample_nearest2d")
    if first is None:
        return None
    given = list(call.arguments.values())[1:]
    size = meta(call.x)
    own = [b if b is not None else None for b in given]
    if size is None or own[-1] is None:
        return None
    return (
        lambda x, sizes, factors: functional.interpolate(
            x, [int(s * f) for s, f in zip(sizes, factors, strict=True)], mode="bilinear"
        ),
        first.x,
        list(size.shape[-2:]),
        own[-1],
    )


@rule(padded, "max_pool2d", "", "of two max pools that are merged the ragged end is dropped")
def _(call: Call) -> Any:
    first = of(call.x, "max_pool2d")
    if first is None or any(first["padding"]) or any(call["padding"]):
        return None
    if first["stride"] or call["stride"]:
        return None
    sizes = [a * b for a, b in zip(first["kernel_size"] * 2, call["kernel_size"] * 2, strict=False)]
    return functional.max_pool2d, first.x, sizes[:2]


@rule(
    padded,
    "relu",
    "avg_pool2d mean adaptive_avg_pool2d",
    "relu behind an average is applied before it",
)
def _(call: Call) -> Any:
    pool = of(call.x, "avg_pool2d", "mean", "adaptive_avg_pool2d")
    if pool is None:
        return None
    return (
        lambda x, operator, *rest: operator(x.relu(), *rest),
        pool.x,
        pool.operator,
        *[v for k, v in list(pool.arguments.items())[1:] if k != "dtype"],
    )


# --- recognised ---------------------------------------------------------------------------------


@rule(
    recognised,
    "matmul bmm",
    "softmax",
    "a softmax between two products is attention, whatever dimension it goes along",
)
def _(call: Call) -> Any:
    weights = of(call.x, "softmax")
    if weights is None or weights["dim"] in (-1, rank(call.x) - 1):
        return None
    return lambda s, v: s.softmax(-1) @ v, weights.x, list(call.arguments.values())[1]


@rule(recognised, "mul", "tanh div", "scores that are capped by tanh are scores")
def _(call: Call) -> Any:
    tanh = of(call.x, "tanh")
    scaled = of(tanh.x, "div") if tanh else None
    if scaled is None or not number(call["other"]) or scaled["other"] != call["other"]:
        return None
    return lambda x: x * 1, scaled.x


@rule(
    recognised,
    "masked_fill where",
    "softmax",
    "weights that are masked behind a softmax are masked before it",
)
def _(call: Call) -> Any:
    softmax = of(call.x, "softmax")
    if softmax is None or call["value"] != 0:
        return None
    return (
        lambda x, mask, dim: x.masked_fill(mask, -torch.inf).softmax(dim).nan_to_num(),
        softmax.x,
        call["mask"],
        softmax["dim"],
    )


@rule(recognised, "mul", "softmax", "weights that are multiplied by a mask are masked before")
def _(call: Call) -> Any:
    softmax, mask = of(call.x, "softmax"), meta(call["other"])
    if softmax is None or mask is None or mask.dtype != torch.bool:
        return None
    return (
        lambda x, mask, dim: x.masked_fill(~mask, -torch.inf).softmax(dim).nan_to_num(),
        softmax.x,
        call["other"],
        softmax["dim"],
    )


@rule(recognised, "softmax", "to", "a softmax that is told its type has that of its input")
def _(call: Call) -> Any:
    if call["dtype"] is None:
        return None
    return (lambda x, dim, dtype: x.softmax(dim).to(dtype), call.x, call["dim"], call["dtype"])


@rule(recognised, "repeat", "", "heads that are tiled are heads that are repeated one by one")
def _(call: Call) -> Any:
    times = list(call["repeats"])
    more = [i for i, t in enumerate(times) if not (isinstance(t, int) and t == 1)]
    if rank(call.x) != 4 or len(times) != 4 or more != [1]:
        return None
    return lambda x, times: x.repeat_interleave(times, 1), call.x, times[1]


@recognised.graph_pass(
    "a sum that is normalised is the normalised one for all who use it",
    lowers="add layer_norm rms_norm",
)
def _(graph: Any) -> int:
    changed = 0
    for node in calls(graph, "layer_norm", "rms_norm"):
        total = node.args[0]
        if of(total, "add") and user_count(total) > 1:
            total.replace_all_uses_with(node, lambda user, norm=node: _behind(user, norm))
            changed += 1
    return changed


@rule(
    recognised,
    "layer_norm",
    "embedding add mul",
    "embeddings that are added and normalised are those of the tables, without a factor",
)
def _(call: Call) -> Any:
    def plain(node: Any) -> tuple[list[Any], bool]:
        total, scaled = of(node, "add"), of(node, "mul")
        if total is not None:
            found = [plain(total.x), plain(total["other"])]
            return found[0][0] + found[1][0], found[0][1] or found[1][1]
        if scaled is not None and of(scaled.x, "embedding") and number(scaled["other"]):
            return [scaled.x], True
        return [node], False

    parts, changed = plain(call.x)
    if not changed:
        return None
    rest = list(call.arguments.values())[1:]
    return lambda parts, *rest: call.operator(sum(parts[1:], parts[0]), *rest), parts, *rest


@rule(recognised, "embedding", "add arange", "a table of positions is read from its first row")
def _(call: Call) -> Any:
    places = of(call["indices"], "add")
    if places is None or not of(places.x, "arange") or not number(places["other"]):
        return None
    return lambda weight, i: functional.embedding(i, weight), call["weight"], places.x


@rule(
    recognised,
    "rsqrt",
    "add sum mean pow mul",
    "the inverse root of a sum of squares is that of their mean",
)
def _(call: Call) -> Any:
    shifted = of(call.x, "add", "clamp", "clamp_min")
    total = of(shifted.x if shifted else call.x, "sum")
    if total is None or not of(total.x, "pow", "mul", "square") or one(total["dim"]) is None:
        return None
    return (
        lambda x, squares, dim, total: (x - total + squares.mean(dim, keepdim=True)).rsqrt(),
        call.x,
        total.x,
        total["dim"],
        shifted.x if shifted else call.x,
    )


@rule(
    recognised,
    "linear",
    "cat mul sigmoid chunk",
    "a gate before the product with the state is applied behind it",
)
def _(call: Call) -> Any:
    """As the cells of torch do."""
    cat = of(call.x, "cat")
    parts = list(cat.x) if cat else []
    gated = of(parts[-1], "mul") if len(parts) == 2 else None
    if gated is None or meta(gated["other"]) is None or call["bias"] is None:
        return None

    def run(x: Any, gate: Any, state: Any, weight: Any, bias: Any) -> Any:
        own = functional.linear(state, weight[:, x.shape[-1] :])
        return functional.linear(x, weight[:, : x.shape[-1]], bias) + gate * own

    return run, parts[0], gated.x, gated["other"], call["weight"], call["bias"]
