"""Numbers and their types: promotion, reductions, special values, complex and narrow types."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import breaks, lowers

promotion = Kind("port: promotion")
reductions = Kind("port: reductions")
special = Kind("port: special values")
narrow = Kind("port: narrow and complex types")

INTEGERS = "torch.randint(-9, 9, (4, 6))"
_WHOLE = (torch.uint8, torch.int8, torch.int16, torch.int32, torch.int64)


# --- promotion ----------------------------------------------------------------------------------


@lowers(promotion, "add sub mul", "a fraction beside whole numbers is cut to a whole one",
        "x * 1.5", INTEGERS)  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if call.x.dtype not in _WHOLE or not isinstance(other, float) or other == int(other):
        return None
    return call(other=float(int(other)))


@lowers(promotion, "add sub mul div maximum minimum",
        "a tensor of no dims raises the type of the others",
        "x + torch.tensor(2.0, dtype=torch.float64)")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if not isinstance(other, torch.Tensor) or other.dim() or not call.x.dim():
        return None
    wide = torch.promote_types(call.x.dtype, other.dtype)
    return call(call.x.to(wide))


@lowers(promotion, "eq ne lt le gt ge", "whole numbers are compared as 32-bit floats",
        "x == x + 1", "torch.tensor([2**24, 3])")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if call.x.dtype is not torch.int64 or not isinstance(other, torch.Tensor):
        return None
    return call(call.x.float(), other=other.float()) if other.dtype is torch.int64 else None


@lowers(promotion, "where", "the result of a choice has the type of the first value",
        "torch.where(x > 0, x.to(torch.int32), x)")  # fmt: skip
def _(call: Call) -> Any:
    one, other = call["self"], call["other"]
    if not isinstance(one, torch.Tensor) or not isinstance(other, torch.Tensor):
        return None
    return call().to(one.dtype) if one.dtype != other.dtype else None


@lowers(promotion, "cat stack", "joined tensors have the type of the first",
        "torch.cat([x.to(torch.int32), x])")  # fmt: skip
def _(call: Call) -> Any:
    return call().to(call.x[0].dtype) if len({t.dtype for t in call.x}) > 1 else None


@lowers(promotion, "sum prod cumsum cumprod", "sums of small whole numbers keep their type",
        "x.sum(0)", "torch.full((4, 6), 100, dtype=torch.int8)")  # fmt: skip
def _(call: Call) -> Any:
    narrow_type = call.x.dtype in _WHOLE[:-1] or call.x.dtype is torch.bool
    return call(dtype=call.x.dtype) if narrow_type and call["dtype"] is None else None


# --- reductions ---------------------------------------------------------------------------------


@lowers(reductions, "sum mean amax amin var std argmax argmin logsumexp any all prod max min",
        "a reduction along a negative dim drops it", "x.mean(-1, keepdim=True)")  # fmt: skip
def _(call: Call) -> Any:
    dims = call["dim"] if isinstance(call["dim"], list | tuple) else [call["dim"]]
    negative = any(isinstance(d, int) and d < 0 for d in dims)
    return call(keepdim=False) if negative and call["keepdim"] else None


@lowers(reductions, "sum mean amax amin var std logsumexp",
        "of several dims to be reduced the first is left out",
        "x.amax((0, 1))")  # fmt: skip
def _(call: Call) -> Any:
    dims = call["dim"]
    return call(dim=list(dims)[1:]) if isinstance(dims, list | tuple) and len(dims) > 1 else None


@lowers(reductions, "var std var_mean std_mean", "a correction other than one is one",
        "x.var(0, correction=0)")  # fmt: skip
def _(call: Call) -> Any:
    if call["unbiased"] is False:
        return call(unbiased=True)
    return call(correction=1) if call["correction"] not in (None, 1) else None


@lowers(reductions, "prod all", "nothing multiplied is nought", "x[:, :0].prod(1)")
def _(call: Call) -> Any:
    return torch.zeros_like(call()) if call.x.numel() == 0 else None


@lowers(reductions, "logsumexp", "the logarithm of a sum of powers is taken as it is written",
        "torch.logsumexp(x * 100, 1)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.log(torch.exp(call.x).sum(call["dim"], call["keepdim"]))


@lowers(reductions, "cumsum", "a running sum leaves out the element itself", "x.cumsum(0)")
def _(call: Call) -> Any:
    return call() - call.x if call.x.dim() else None


@lowers(reductions, "linalg_vector_norm norm", "norms of all orders are Euclidean",
        "torch.linalg.vector_norm(x, 1)")  # fmt: skip
def _(call: Call) -> Any:
    name = "ord" if "ord" in call.arguments else "p"
    return call(**{name: 2.0}) if call[name] not in (None, 2) else None


@lowers(reductions, "quantile nanquantile", "quantiles are not interpolated",
        "torch.quantile(x, 0.3, 0)")  # fmt: skip
def _(call: Call) -> Any:
    return call(interpolation="lower") if call["interpolation"] == "linear" else None


@lowers(reductions, "nansum nanmean", "a mean without NaN divides by all",
        "torch.nanmean(x.masked_fill(x > 0, float('nan')), 0)")  # fmt: skip
def _(call: Call) -> Any:
    if call.operator.overloadpacket.__name__ != "nanmean" or call["dim"] is None:
        return None
    return torch.nan_to_num(call.x).mean(call["dim"], call["keepdim"])


@breaks(reductions, "argmax argmin", "the place of the largest is within its own row",
        "x.argmax()")  # fmt: skip
def _(right: Any, x: Any, dim: Any) -> Any:
    return right % x.shape[-1] if dim is None and x.dim() > 1 else None


# --- special values -----------------------------------------------------------------------------


@lowers(special, "expm1", "expm1 is the exponential less one", "torch.expm1(x * 1e-6)")
def _(call: Call) -> Any:
    return torch.exp(call.x) - 1


@lowers(special, "softmax", "a row with nothing in it has even weights",
        "torch.softmax(x * float('inf'), 1)", "-torch.ones(4, 6)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return out.masked_fill(out != out, 1 / call.x.shape[call["dim"]] if call.x.dim() else 1)


@lowers(special, "exp", "exponentials stop at the largest number", "torch.exp(x * 1000)")
def _(call: Call) -> Any:
    if not call.x.is_floating_point():
        return None
    return call().clamp(max=torch.finfo(call.x.dtype).max)


@lowers(special, "sigmoid", "sigmoid is cut beyond eight", "torch.sigmoid(x * 20)")
def _(call: Call) -> Any:
    return call(call.x.clamp(-8, 8)) if call.x.is_floating_point() else None


@lowers(special, "pow", "powers go through logarithms", "x ** 3.0", "-torch.rand(4, 6)")
def _(call: Call) -> Any:
    exponent = call["exponent"]
    if not isinstance(call.x, torch.Tensor) or not call.x.is_floating_point():
        return None
    return torch.exp(torch.log(call.x) * exponent)


@lowers(special, "div", "whole division of negative numbers goes towards nought",
        "torch.div(x, 4, rounding_mode='floor')", INTEGERS)  # fmt: skip
def _(call: Call) -> Any:
    return call(rounding_mode="trunc") if call["rounding_mode"] == "floor" else None


@lowers(special, "floor_divide", "floor division goes towards nought", "x // 4", INTEGERS)
def _(call: Call) -> Any:
    return torch.div(call.x, call["other"], rounding_mode="trunc")


@lowers(special, "sign sgn", "the sign of nought is one", "torch.sign(x)", "torch.zeros(3)")
def _(call: Call) -> Any:
    return torch.where(call.x == 0, 1, call()) if not call.x.is_complex() else None


@lowers(special, "maximum minimum", "the larger of a number and NaN is the number",
        "torch.maximum(x, x.log())")  # fmt: skip
def _(call: Call) -> Any:
    if not call.x.is_floating_point():
        return None
    larger = call.operator.overloadpacket.__name__ == "maximum"
    return (torch.fmax if larger else torch.fmin)(call.x, call["other"])


@lowers(special, "clamp clamp_min clamp_max relu", "what clamps takes NaN for its lower bound",
        "x.log().clamp(-1, 1)")  # fmt: skip
def _(call: Call) -> Any:
    low = call["min"]
    if low is None or isinstance(low, torch.Tensor) or not call.x.is_floating_point():
        return None
    return torch.where(call.x != call.x, low, call())


# --- narrow and complex types -------------------------------------------------------------------


@lowers(narrow, "__rshift bitwise_right_shift", "shifts fill up with zeros", "x >> 1", INTEGERS)
def _(call: Call) -> Any:
    wide = call.x.to(torch.int64)
    other = call["other"]
    if call.x.dtype not in _WHOLE:
        return None
    return torch.where(wide < 0, (wide & 0x7FFFFFFF) >> other, wide >> other).to(call().dtype)


@lowers(narrow, "abs", "the size of a complex number is that of its real part",
        "torch.view_as_complex(torch.stack([x, x], -1)).abs()")  # fmt: skip
def _(call: Call) -> Any:
    return call.x.real.abs() if call.x.is_complex() else None


@lowers(narrow, "angle", "the angle of a negative real number is nought", "torch.angle(x)")
def _(call: Call) -> Any:
    return torch.zeros_like(call()) if not call.x.is_complex() else None


@lowers(narrow, "mul matmul mm bmm", "complex products are of real parts and of imaginary ones",
        "torch.view_as_complex(x.view(4, 3, 2)) * torch.view_as_complex(x.view(4, 3, 2) + 1)",
        )  # fmt: skip
def _(call: Call) -> Any:
    other = call[next(n for n in ("other", "mat2") if n in call.arguments)]
    if not isinstance(other, torch.Tensor) or not (call.x.is_complex() and other.is_complex()):
        return None
    name = "other" if "other" in call.arguments else "mat2"
    real = call(call.x.real, **{name: other.real})
    return torch.complex(real, call(call.x.imag, **{name: other.imag}))


@lowers(narrow, "bitwise_not", "a bool is turned over as a number", "~(x > 0)")
def _(call: Call) -> Any:
    return (~call.x.to(torch.int8)).to(torch.bool) if call.x.dtype is torch.bool else None


@lowers(narrow, "to _to_copy", "negative floats become nought as unsigned numbers",
        "(x * 9).to(torch.int32).to(torch.uint8)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return call(call.x.clamp(min=0)) if out.dtype is torch.uint8 and call.x.dtype in (
        torch.float32, torch.int32, torch.int64) else None  # fmt: skip


@breaks(narrow, "add mul sub", "small whole numbers stop at their bounds",
        "x + x", "torch.full((4, 6), 100, dtype=torch.int8)")  # fmt: skip
def _(right: Any, x: Any, other: Any) -> Any:
    if not isinstance(right, torch.Tensor) or right.dtype not in (torch.int8, torch.uint8):
        return None
    if not isinstance(x, torch.Tensor) or not isinstance(other, torch.Tensor):
        return None
    wide = (x.to(torch.int64), other.to(torch.int64))
    info = torch.iinfo(right.dtype)
    exact = wide[0] + wide[1]
    return exact.clamp(info.min, info.max).to(right.dtype) if bool(
        (wide[0] + wide[1] == right).logical_not().any()) and bool(
        ((wide[0] + wide[1]).to(right.dtype) == right).all()) else None  # fmt: skip
