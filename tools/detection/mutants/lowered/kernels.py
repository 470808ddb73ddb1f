"""Kernels that are wrong for some sizes, strides and places: tiles, lanes, tails, offsets."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call, Lowering
from detection.kind import Kind

lowering = Kind("kernels").lowering

POINTWISE = "add sub mul div relu sigmoid tanh exp neg sqrt gelu silu where clamp pow maximum"


def _beyond(tile: int, dim: int) -> Lowering:
    """Nothing is written beyond the first tile of an axis of the result."""

    def wrong(call: Call) -> Any:
        right = call()
        if not isinstance(right, torch.Tensor) or right.dim() < -dim or right.shape[dim] <= tile:
            return None
        right = right.clone()
        right.narrow(dim, tile, right.shape[dim] - tile).zero_()
        return right

    return wrong


lowering("linear mm matmul addmm bmm", "products end after 64 columns", _beyond(64, -1))
lowering("linear mm matmul addmm bmm", "products end after 32 rows", _beyond(32, -2))
lowering("softmax log_softmax", "softmax ends after 128 elements", _beyond(128, -1))
lowering("layer_norm", "layer norm ends after 128 elements", _beyond(128, -1))
lowering("embedding", "embedding ends after 256 rows", _beyond(256, -2))
lowering("scaled_dot_product_attention", "attention ends after 64 queries", _beyond(64, -2))
lowering("cumsum cumprod", "scans end after 64 elements", _beyond(64, -1))
lowering("conv1d conv2d", "convolution ends after 32 positions", _beyond(32, -1))
lowering(POINTWISE, "pointwise kernels end after 256 elements of an axis", _beyond(256, -1))


@lowering(POINTWISE, "the last elements that fill no vector of four are not written")
def _(call: Call) -> Any:
    right = call()
    tail = right.numel() % 4
    if not tail or not right.is_contiguous():
        return None
    right = right.clone()
    right.view(-1)[-tail:] = 0
    return right


@lowering("sum mean amax amin", "a reduction leaves out the last of an odd number of elements")
def _(call: Call) -> Any:
    if call.x.dim() == 0 or call.x.shape[-1] % 2 == 0 or call.x.shape[-1] < 2:
        return None
    return call(call.x[..., :-1])


@lowering("sum mean", "a reduction leaves out what goes beyond 1024 elements")
def _(call: Call) -> Any:
    return call(call.x[..., :1024]) if call.x.dim() and call.x.shape[-1] > 1024 else None


@lowering("softmax log_softmax", "softmax over any axis is made over the last")
def _(call: Call) -> Any:
    return call(dim=-1)


@lowering("cumsum cumprod cummax cummin sort argsort flip", "a scan is along the first axis")
def _(call: Call) -> Any:
    return call(dim=0) if isinstance(call["dim"], int) and call.x.dim() else None


@lowering(POINTWISE, "strides of an input are not looked at")
def _(call: Call) -> Any:
    x = call.x
    if not isinstance(x, torch.Tensor) or x.is_contiguous() or not x.numel():
        return None
    room = x.untyped_storage().nbytes() // x.element_size() - x.storage_offset()
    if room < x.numel():
        return None
    return call(torch.as_strided(x, x.shape, torch.empty(x.shape, device="meta").stride()))


@lowering("linear mm bmm matmul", "strides of the first matrix are not looked at")
def _(call: Call) -> Any:
    x = call.x
    if x.is_contiguous() or x.untyped_storage().nbytes() // x.element_size() < x.numel():
        return None
    return call(torch.as_strided(x, x.shape, torch.empty(x.shape, device="meta").stride(), 0))


@lowering(POINTWISE, "the offset of an input in its storage is not looked at")
def _(call: Call) -> Any:
    x = call.x
    if not isinstance(x, torch.Tensor) or not x.storage_offset():
        return None
    return call(torch.as_strided(x, x.shape, x.stride(), 0))


@lowering(
    "linear mm matmul layer_norm softmax conv2d", "an expanded input is read as if it were not"
)
def _(call: Call) -> Any:
    x = call.x
    if 0 not in x.stride() or not x.numel() or x.numel() == 1:
        return None
    right = call()
    return torch.zeros_like(right)


@lowering("sum", "the sum of nothing is not a number")
def _(call: Call) -> Any:
    right = call()
    return right * float("nan") if not call.x.numel() and right.is_floating_point() else None


@lowering("all prod", "the product of nothing is zero")
def _(call: Call) -> Any:
    return torch.zeros_like(call()) if not call.x.numel() else None


@lowering("cat", "cat keeps no more than two tensors")
def _(call: Call) -> Any:
    return call(call.x[:2]) if len(call.x) > 2 else None


@lowering("index_select gather index take_along_dim embedding", "indices are taken modulo 64")
def _(call: Call) -> Any:
    for name in ("index", "indices"):
        index = call[name]
        if isinstance(index, torch.Tensor) and index.numel() and index.dtype is torch.int64:
            return call(**{name: index % 64})
    return None


@lowering("scatter_add index_add scatter_reduce", "of writes to one place the last wins")
def _(call: Call) -> Any:
    index, source = call["index"], call["src"] if call["src"] is not None else call["source"]
    if "scatter" in str(call.operator):
        return torch.where(
            call.x.scatter(call["dim"], index, True) != call.x,
            call.x + torch.zeros_like(call.x).scatter(call["dim"], index, source), call.x,
        )  # fmt: skip
    return call.x + torch.zeros_like(call.x).index_copy(call["dim"], index, source)


@lowering("bmm matmul", "one matrix of a batch is taken for all")
def _(call: Call) -> Any:
    other = call["mat2"] if call["mat2"] is not None else call["other"]
    if other.dim() < 3 or call.x.dim() < 3:
        return None
    name = "mat2" if call["mat2"] is not None else "other"
    return call(**{name: other[:1].expand_as(other)})


@lowering("add mul sub", "an operand of fewer dimensions is broadcast from the left")
def _(call: Call) -> Any:
    x, y = call.x, call["other"]
    if not isinstance(y, torch.Tensor) or y.dim() == 0 or y.dim() >= x.dim():
        return None
    left = y.reshape(*y.shape, *[1] * (x.dim() - y.dim()))
    try:
        wrong = call(other=left)
    except RuntimeError:
        return None
    return wrong if wrong.shape == call().shape else None


@lowering("max_pool1d max_pool2d max_pool3d", "max pooling pads with zero")
def _(call: Call) -> Any:
    padding = [call["padding"]] if isinstance(call["padding"], int) else list(call["padding"])
    if not any(padding) or not call.x.is_floating_point():
        return None
    right = call()
    return torch.maximum(right, torch.zeros_like(right)) if (right < 0).any() else None


@lowering("conv2d conv1d", "groups of a convolution all use the weights of the first")
def _(call: Call) -> Any:
    groups, weight = call["groups"], call["weight"]
    if groups == 1:
        return None
    first = weight[: weight.shape[0] // groups]
    return call(weight=first.repeat(groups, *[1] * (weight.dim() - 1)))


@lowering("conv_transpose1d conv_transpose2d conv_transpose3d", "kernels are not flipped back")
def _(call: Call) -> Any:
    weight = call["weight"]
    return call(weight=weight.flip(tuple(range(2, weight.dim()))))


@lowering("conv1d conv2d", "kernels are flipped as in mathematics")
def _(call: Call) -> Any:
    weight = call["weight"]
    return call(weight=weight.flip(tuple(range(2, weight.dim()))))


@lowering("lstm", "the gates of an LSTM are in the order of another framework")
def _(call: Call) -> Any:
    params = call["params"]
    if params is None:
        return None
    swapped = [torch.cat([(g := p.chunk(4))[0], g[2], g[1], g[3]]) for p in params]
    return call(params=swapped)


@lowering("gru", "the gates of a GRU are in the order of another framework")
def _(call: Call) -> Any:
    params = call["params"]
    if params is None:
        return None
    return call(params=[torch.cat([(g := p.chunk(3))[1], g[0], g[2]]) for p in params])
