"""Types that a lowering gets wrong: less precision, another promotion, a saturating cast."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind

kind = Kind("casts")
lowering = kind.lowering


def _in(dtype: torch.dtype, call: Call) -> Any:
    """What the operator gives on floats of another precision, in its own again."""
    floats = {
        name: value.to(dtype) for name, value in call.arguments.items()
        if isinstance(value, torch.Tensor) and value.is_floating_point()
    }  # fmt: skip
    if not floats or not isinstance(right := call(), torch.Tensor):
        return None
    return call(**floats).to(right.dtype)


@lowering("mm bmm matmul linear addmm baddbmm einsum", "matrix products are made in bfloat16")
def _(call: Call) -> Any:
    return _in(torch.bfloat16, call)


@lowering("conv1d conv2d conv3d", "convolutions are made in half precision")
def _(call: Call) -> Any:
    return _in(torch.float16, call)


@lowering("softmax log_softmax logsumexp", "softmax is made in half precision")
def _(call: Call) -> Any:
    return _in(torch.float16, call)


@lowering("sum mean", "sums are accumulated in half precision")
def _(call: Call) -> Any:
    return _in(torch.float16, call) if call["dtype"] is None else None


@lowering("layer_norm rms_norm group_norm", "normalisation is made in bfloat16")
def _(call: Call) -> Any:
    return _in(torch.bfloat16, call)


@lowering("cumsum", "running sums of whole numbers are int32")
def _(call: Call) -> Any:
    return call().to(torch.int32) if not call().is_floating_point() else None


@lowering("sum", "sums of bools and small integers keep their type")
def _(call: Call) -> Any:
    if call.x.is_floating_point() or call.x.is_complex() or call["dtype"] is not None:
        return None
    return call().to(call.x.dtype)


@lowering("mul add sub div true_divide", "an integer tensor times a float number stays integer")
def _(call: Call) -> Any:
    if call.x.is_floating_point() or call.x.is_complex() or not isinstance(call["other"], float):
        return None
    return call().to(call.x.dtype)


@lowering("div", "the quotient of integers is an integer")
def _(call: Call) -> Any:
    if call.x.is_floating_point() or call["rounding_mode"] is not None:
        return None
    return call().trunc().to(call.x.dtype)


@lowering("add sub mul div", "a tensor without dimensions takes part in promotion as any other")
def _(call: Call) -> Any:
    other = call["other"]
    if not isinstance(other, torch.Tensor) or (call.x.dim() > 0) == (other.dim() > 0):
        return None
    right = call()
    wanted = torch.promote_types(call.x.dtype, other.dtype)
    return right.to(wanted) if right.is_floating_point() == wanted.is_floating_point else None


@lowering("to _to_copy type_as", "a float cast to an integer is rounded, not cut off")
def _(call: Call) -> Any:
    right = call()
    if not call.x.is_floating_point() or right.is_floating_point() or right.dtype is torch.bool:
        return None
    return None if right.is_complex() else call.x.round().to(right.dtype)


@lowering("to _to_copy", "a cast to a small integer saturates")
def _(call: Call) -> Any:
    right = call()
    if right.dtype not in (torch.int8, torch.uint8, torch.int16, torch.int32):
        return None
    info = torch.iinfo(right.dtype)
    return call.x.clamp(info.min, info.max).to(right.dtype)


@lowering("to _to_copy", "a cast to bool looks at the whole part")
def _(call: Call) -> Any:
    right = call()
    if right.dtype is not torch.bool or not call.x.is_floating_point():
        return None
    return call.x.to(torch.int64).to(torch.bool)


@lowering("argmax argmin nonzero", "indices are int32")
def _(call: Call) -> Any:
    return call().to(torch.int32)


@lowering("topk sort", "indices beside values are int32")
def _(call: Call) -> Any:
    values, indices = call()
    return values, indices.to(torch.int32)


@lowering("arange", "arange of whole numbers gives floats")
def _(call: Call) -> Any:
    right = call()
    return right.float() if right.dtype is torch.int64 and call["dtype"] is None else None


@lowering("full full_like", "a number that fills a tensor is kept in single precision")
def _(call: Call) -> Any:
    right = call()
    value = call["fill_value"]
    if isinstance(value, bool) or not isinstance(value, (int, float)):
        return None
    return torch.full_like(right, float(torch.tensor(float(value)).item()))


@lowering("where", "the result of where has the type of its first value")
def _(call: Call) -> Any:
    first = call["self"]
    return call().to(first.dtype) if isinstance(first, torch.Tensor) else None


@lowering("pow", "a power is computed by logarithms")
def _(call: Call) -> Any:
    if not isinstance(call.x, torch.Tensor) or not call.x.is_floating_point():
        return None
    return (call.x.log() * call["exponent"]).exp()


@lowering("sigmoid tanh exp", "activations are looked up in half precision")
def _(call: Call) -> Any:
    return _in(torch.float16, call)


@lowering("sub add", "int8 and uint8 arithmetic saturates")
def _(call: Call) -> Any:
    right = call()
    if right.dtype not in (torch.int8, torch.uint8):
        return None
    info = torch.iinfo(right.dtype)
    other = call["other"]
    wide = other.long() if isinstance(other, torch.Tensor) else other
    sign = -1 if "sub" in str(call.operator) else 1
    return (call.x.long() + sign * wide).clamp(info.min, info.max).to(right.dtype)
