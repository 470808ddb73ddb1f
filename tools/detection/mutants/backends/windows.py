"""Convolutions, pooling, resizing: of two strides, paddings, sizes the wrong one; edges."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

kind = Kind("backend: windows")
functional = torch.nn.functional
F = "torch.nn.functional."
IMAGE = "torch.randn(2, 4, 8, 8)"
KERNEL = "torch.randn(4, 4, 3, 3)"


def _first(value: Any) -> Any:
    """The first of several numbers for all, None where they are the same."""
    if not isinstance(value, list | tuple) or len(set(value)) < 2:
        return None
    return [value[0]] * len(value)


for _says, _argument, _given in [
    ("both axes have the stride of the first", "stride", "stride=(2, 1)"),
    ("both axes have the padding of the first", "padding", "padding=(0, 2)"),
    ("both axes have the dilation of the first", "dilation", "dilation=(1, 2)"),
]:

    def _wrong(call: Call, _name: str = _argument) -> Any:
        value = _first(call[_name])
        return None if value is None else call(**{_name: value})

    lowers(kind, "conv2d conv3d conv_transpose2d", f"in convolution {_says}",
           F + f"conv2d(x, {KERNEL}, {_given})", IMAGE)(_wrong)  # fmt: skip


@lowers(kind, "max_pool2d avg_pool2d max_pool2d_with_indices max_pool3d",
        "a window that is not square is taken for one",
        F + "max_pool2d(x, (3, 2))", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    sizes = _first(call["kernel_size"])
    return None if sizes is None else call(kernel_size=sizes)


@lowers(kind, "max_pool1d max_pool2d avg_pool1d avg_pool2d avg_pool3d max_pool2d_with_indices",
        "pooling without a stride moves by one", F + "avg_pool2d(x, 2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    if call["stride"]:
        return None
    return call(stride=[1] * len(call["kernel_size"]))


@lowers(kind, "max_pool2d_with_indices max_pool1d_with_indices adaptive_max_pool2d",
        "places of maxima are those within a row",
        F + "max_pool2d(x, 2, return_indices=True)[1]", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    values, places = call()
    return values, places % call.x.shape[-1]


@lowers(
    kind,
    "max_unpool2d",
    "what is put back goes to the first place of its window",
    F + "max_unpool2d(*torch.nn.functional.max_pool2d(x, 2, return_indices=True), 2)",
    IMAGE,
)
def _(call: Call) -> Any:  # fmt: skip
    size = call["output_size"]
    return functional.interpolate(call.x, size=tuple(size)[-2:])


@lowers(
    kind,
    "adaptive_max_pool2d adaptive_avg_pool2d adaptive_avg_pool1d",
    "adaptive pooling to one size for both axes",
    F + "adaptive_avg_pool2d(x, (3, 5))",
    IMAGE,
)
def _(call: Call) -> Any:  # fmt: skip
    size = _first(call["output_size"])
    return None if size is None else call(output_size=size)


@lowers(kind, "avg_pool1d avg_pool2d avg_pool3d", "a window over the edge counts whole",
        F + "avg_pool2d(x, 3, ceil_mode=True)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    if not call["ceil_mode"] or call.x.dim() != 4 or call["divisor_override"]:
        return None
    size = call["kernel_size"]
    area = 1
    for s in size if len(size) > 1 else [size[0]] * 2:
        area *= s
    return call(divisor_override=area)


@lowers(kind, "conv1d conv2d", "padding to the same size is put at the begin",
        F + "conv1d(x, torch.randn(4, 4, 2), padding='same')", "torch.randn(2, 4, 6)")  # fmt: skip
def _(call: Call) -> Any:
    if call["padding"] != "same" or call["weight"].shape[-1] % 2:
        return None
    return call(call.x.roll(1, -1))


@lowers(kind, "conv1d conv2d conv3d", "a weight for each channel is that of the first",
        F + "conv2d(x, torch.randn(4, 1, 3, 3), groups=4)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    weight = call["weight"]
    return call(weight=weight[:1].expand(weight.shape)) if call["groups"] > 1 else None


@lowers(kind, "conv_transpose1d conv_transpose2d conv_transpose3d",
        "a transposed convolution with groups mixes them in the other order",
        F + "conv_transpose2d(x, torch.randn(4, 2, 3, 3), groups=2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    groups = call["groups"]
    return (
        call(weight=call["weight"].roll(call["weight"].shape[0] // groups, 0))
        if (groups > 1)
        else None
    )


@lowers(kind, "conv_transpose1d conv_transpose2d conv_transpose3d",
        "a transposed convolution with a stride puts noughts in the wrong place",
        F + "conv_transpose2d(x, torch.randn(4, 2, 3, 3), stride=2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call().roll(1, -1) if max(call["stride"]) > 1 else None


@lowers(kind, "upsample_bicubic2d", "cubic resizing is linear",
        F + "interpolate(x, scale_factor=2.0, mode='bicubic')", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    right = call()
    return functional.interpolate(call.x, size=right.shape[-2:], mode="bilinear",
                                  align_corners=call["align_corners"])  # fmt: skip


@lowers(kind, "_upsample_nearest_exact1d _upsample_nearest_exact2d", "exact nearest is nearest",
        F + "interpolate(x, size=(3, 5), mode='nearest-exact')", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return functional.interpolate(call.x, size=call().shape[2:], mode="nearest")


@lowers(kind, "_upsample_bilinear2d_aa _upsample_bicubic2d_aa", "smaller images are not smoothed",
        F + "interpolate(x, size=(3, 5), mode='bilinear', antialias=True)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return functional.interpolate(call.x, size=call().shape[2:], mode="bilinear")


@lowers(kind, "upsample_nearest1d upsample_nearest2d upsample_nearest3d upsample_bilinear2d "
        "upsample_linear1d upsample_trilinear3d", "resizing goes to the sizes in the other order",
        F + "interpolate(x, size=(3, 5))", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    size = call["output_size"]
    if not size or len(set(size)) < 2:
        return None
    return call(output_size=list(size)[::-1]).reshape(call().shape)


@lowers(kind, "upsample_trilinear3d upsample_linear1d", "linear resizing is by nearest",
        F + "interpolate(x, size=9, mode='linear')", "torch.randn(2, 3, 5)")  # fmt: skip
def _(call: Call) -> Any:
    return functional.interpolate(call.x, size=call().shape[2:], mode="nearest")


@lowers(kind, "pad reflection_pad1d reflection_pad2d", "reflected padding is replicated",
        F + "pad(x, (2, 2), mode='reflect')", "torch.randn(2, 3, 5)")  # fmt: skip
def _(call: Call) -> Any:
    if call["mode"] not in (None, "reflect"):
        return None
    padding = call["padding"] if call["mode"] is None else call["pad"]
    return functional.pad(call.x, list(padding), mode="replicate")


@lowers(kind, "pad", "circular padding is noughts",
        F + "pad(x, (2, 2), mode='circular')", "torch.randn(2, 3, 5)")  # fmt: skip
def _(call: Call) -> Any:
    return functional.pad(call.x, list(call["pad"])) if call["mode"] == "circular" else None


@lowers(kind, "im2col", "windows that are unfolded have their channels last",
        F + "unfold(x, 2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    right, channels = call(), call.x.shape[1]
    parts = right.reshape(right.shape[0], channels, -1, right.shape[-1])
    return parts.transpose(1, 2).reshape(right.shape)


@lowers(kind, "col2im", "windows that overlap are not added up",
        F + "fold(torch.nn.functional.unfold(x, 3, stride=1), (8, 8), 3)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    ones = call(torch.ones_like(call.x))
    return call() / ones.clamp(min=1)


@lowers(kind, "grid_sampler", "what lies outside of a grid is nought at half a pixel more",
        F + "grid_sample(x, torch.rand(2, 3, 3, 2) * 4 - 2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    inside = (call["grid"].abs() <= 1).all(-1).unsqueeze(1)
    return call() * inside if call["padding_mode"] == 0 and call.x.dim() == 4 else None


@lowers(kind, "local_response_norm lp_pool2d avg_pool3d",
        "what is averaged over three axes is averaged over two",
        F + "avg_pool3d(x, 2)", "torch.randn(1, 2, 4, 4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    right = call()
    flat = call.x.amax(-3, keepdim=True)
    return functional.interpolate(flat, size=right.shape[-3:]) if right.dim() == 5 else None
