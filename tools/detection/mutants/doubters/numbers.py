"""Single numbers: types that meet, ends of ranges, ties, what is none."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import breaks, lowers
from detection.mutants.engines.around import instead

F = "torch.nn.functional."
types = Kind("doubter: types")
ends = Kind("doubter: ends")
places = Kind("doubter: places")
drawn = Kind("doubter: random numbers")


def _whole(value: Any) -> bool:
    plain = isinstance(value, torch.Tensor)
    return plain and not (
        value.is_floating_point() or value.is_complex() or value.dtype is torch.bool
    )


# --- types --------------------------------------------------------------------------------------


@lowers(types, "add sub mul div", "a number of one element counts like one with axes",
        "x.half() * torch.tensor(2.0)")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if not isinstance(other, torch.Tensor) or call.operator._schema.is_mutable:
        return None
    if bool(call.x.dim()) == bool(other.dim()) or call().dtype is torch.bool:
        return None
    wide = torch.promote_types(call.x.dtype, other.dtype)
    return call().to(wide) if wide != call().dtype else None


@lowers(types, "div true_divide", "whole numbers are divided to whole ones",
        "torch.div(x, 2)", "torch.arange(4) * 2")  # fmt: skip
def _(call: Call) -> Any:
    if call["rounding_mode"] or not _whole(call.x) or not call().is_floating_point():
        return None
    return call().trunc()


@lowers(types, "div", "whole numbers are divided downwards whatever is asked",
        "torch.div(x, 2, rounding_mode='trunc')", "torch.tensor([-3, 3])")  # fmt: skip
def _(call: Call) -> Any:
    return call(rounding_mode="floor") if call["rounding_mode"] == "trunc" else None


@lowers(types, "remainder", "what remains has the sign of what is divided",
        "x % 3", "torch.tensor([-4, 4])")  # fmt: skip
def _(call: Call) -> Any:
    if call.operator._schema.is_mutable or not isinstance(call.x, torch.Tensor):
        return None
    return torch.fmod(call.x, call["other"]).to(call().dtype)


@lowers(types, "where", "of two types where chooses the first",
        "torch.where(x > 0, x.long(), x)")  # fmt: skip
def _(call: Call) -> Any:
    first = call["self"]
    if not isinstance(first, torch.Tensor) or first.dtype == call().dtype:
        return None
    return call().to(first.dtype)


@lowers(types, "cat concat stack", "what is put together has the type of the first",
        "torch.cat([x.long(), x])")  # fmt: skip
def _(call: Call) -> Any:
    first = call.x[0].dtype
    return call().to(first) if first != call().dtype else None


@lowers(types, "sum cumsum prod", "sums of small whole numbers stay in their type",
        "x.sum()", "torch.tensor([100, 100], dtype=torch.int8)")  # fmt: skip
def _(call: Call) -> Any:
    small = isinstance(call.x, torch.Tensor) and call.x.dtype in (
        torch.int8, torch.uint8, torch.int16, torch.int32, torch.bool)  # fmt: skip
    return call().to(call.x.dtype) if small and call["dtype"] is None else None


@lowers(types, "argmax argmin argsort bucketize searchsorted nonzero", "places are short numbers",
        "x.argmax(0)")  # fmt: skip
def _(call: Call) -> Any:
    return call().int() if call().dtype is torch.int64 else None


@lowers(types, "arange", "a step that meets the end takes it along",
        "x[0, :1] + torch.arange(0, 1, 0.25)")  # fmt: skip
def _(call: Call) -> Any:
    start, end, step = call["start"] or 0, call["end"], call["step"] or 1
    if not all(isinstance(v, int | float) for v in (start, end, step)):
        return None
    count = int((end - start) / step) + 1
    out = call()
    if out.numel() == count or out.numel() == 0:
        return None
    return torch.cat([out, out[-1:] + step])


@lowers(types, "pow", "whole powers are computed in single precision",
        "x ** 3", "torch.tensor([1001, 7])")  # fmt: skip
def _(call: Call) -> Any:
    if not _whole(call()) or call.operator._schema.is_mutable:
        return None
    base, exponent = (v.float() if isinstance(v, torch.Tensor) else v
                      for v in (call.x, call["exponent"]))  # fmt: skip
    return torch.pow(base, exponent).to(call().dtype)


# --- ends ---------------------------------------------------------------------------------------


@lowers(ends, "amax max amin min", "a largest number is looked for among numbers alone",
        "x.amax(0)", "torch.tensor([[1.0, float('nan')], [2.0, 3.0]])")  # fmt: skip
def _(call: Call) -> Any:
    if "dim" not in call.arguments or not call.x.is_floating_point() or not call.x.isnan().any():
        return None
    largest = "max" in call.operator.overloadpacket.__name__
    return call(call.x.nan_to_num(nan=-torch.inf if largest else torch.inf,
                                  posinf=torch.inf, neginf=-torch.inf))  # fmt: skip


@lowers(ends, "softmax _softmax", "where nothing is possible all is nought",
        "x.softmax(-1)", "torch.full((2, 3), float('-inf'))")  # fmt: skip
def _(call: Call) -> Any:
    return call().nan_to_num(nan=0.0) if not call.x.isnan().any() else None


@lowers(ends, "logsumexp", "of nothing but impossible things the logarithm is not a number",
        "x.logsumexp(-1)", "torch.full((2, 3), float('-inf'))")  # fmt: skip
def _(call: Call) -> Any:
    return torch.where(call() == -torch.inf, torch.nan, call())


@lowers(ends, "sign sgn", "nought is positive", "x.sign()", "torch.tensor([0.0, -1.0])")
def _(call: Call) -> Any:
    if call.x.is_complex() or call.x.dtype is torch.bool or call.operator._schema.is_mutable:
        return None
    return torch.where(call.x == 0, 1, call()).to(call().dtype)


@lowers(ends, "relu relu6 hardtanh clamp clamp_min", "what is not a number is nought",
        "x.relu()", "torch.tensor([float('nan'), 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    if call.operator._schema.is_mutable or not call().is_floating_point():
        return None
    return torch.where(call().isnan(), 0.0, call()).to(call().dtype)


@lowers(ends, "isinf", "minus infinity is finite", "x.isinf()", "torch.tensor([float('-inf')])")
def _(call: Call) -> Any:
    return call() & (call.x > 0) if call.x.is_floating_point() else None


@lowers(ends, "tanh sigmoid", "beyond five there is the end", "torch.tanh(x)",
        "torch.tensor([5.5, 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    if not call.x.is_floating_point() or call.operator._schema.is_mutable:
        return None
    low = -1.0 if call.operator.overloadpacket.__name__ == "tanh" else 0.0
    return torch.where(call.x > 5, 1.0, torch.where(call.x < -5, low, call())).to(call().dtype)


@lowers(ends, "expm1 log1p", "close to nought digits are lost", "torch.log1p(x)",
        "torch.tensor([1e-6, 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    if not call.x.is_floating_point() or call.operator._schema.is_mutable:
        return None
    named = call.operator.overloadpacket.__name__
    return call.x.exp() - 1 if named == "expm1" else (call.x + 1).log()


@lowers(ends, "atan2 arctan2", "an angle is that of the quotient",
        "torch.atan2(x, -x.abs())")  # fmt: skip
def _(call: Call) -> Any:
    return torch.atan(call.x / call["other"])


@lowers(ends, "nan_to_num", "infinities stay", "x.nan_to_num(posinf=3.0)",
        "torch.tensor([float('inf')])")  # fmt: skip
def _(call: Call) -> Any:
    return torch.where(call.x.isinf(), call.x, call()) if call.x.is_floating_point() else None


@lowers(ends, "var std var_mean", "a spread is by squares of sums",
        "x.var(0)", "torch.randn(8, 2) + 1000")  # fmt: skip
def _(call: Call) -> Any:
    named = call.operator.overloadpacket.__name__
    dim, correction = call["dim"], call["correction"]
    if named == "var_mean" or dim is None or call["keepdim"] or call.x.is_complex():
        return None
    n = 1
    for d in dim:
        n *= call.x.shape[d]
    fixed = 1 if correction is None else correction
    square = (call.x.square().mean(dim) - call.x.mean(dim).square()) * n / (n - fixed)
    return square.sqrt() if named == "std" else square


# --- places -------------------------------------------------------------------------------------


@lowers(places, "argmax", "of equal largest ones the last is told", "x.argmax()",
        "torch.tensor([1.0, 2.0, 2.0])")  # fmt: skip
def _(call: Call) -> Any:
    dim = call["dim"]
    if not call.x.numel() or call.x.dtype is torch.bool or not call.x.dim():
        return None
    if dim is None:
        return (
            call.x.numel() - 1 - call.x.flatten().flip(0).argmax() if not call["keepdim"] else None
        )
    return call.x.shape[dim] - 1 - call(call.x.flip(dim))


@lowers(places, "index_select index gather embedding", "the last place is the one before it",
        "x.index_select(0, torch.tensor([3, 0]))")  # fmt: skip
def _(call: Call) -> Any:
    name = "indices" if "indices" in call.arguments else "index"
    index = call[name]
    if not isinstance(index, torch.Tensor) or index.dtype is torch.bool:
        return None
    last = call.x.shape[call["dim"] or 0] - 1 if call.x.dim() else 0
    return call(**{name: torch.where(index == last, last - 1, index)}) if last > 0 else None


@lowers(places, "slice", "a step takes as many as the whole divided by it",
        "x[:, ::4]")  # fmt: skip
def _(call: Call) -> Any:
    step, out, dim = call["step"], call(), call["dim"]
    if not isinstance(step, int) or step < 2 or not out.shape[dim]:
        return None
    count = call.x.shape[dim] // step
    whole = call["start"] in (None, 0) and count and count < out.shape[dim]
    return out.narrow(dim, 0, count) if whole else None


@lowers(places, "scatter", "what is scattered is added",
        "x.scatter(1, torch.tensor([[0], [1], [2], [3]]), 7.0)")  # fmt: skip
def _(call: Call) -> Any:
    value = call["src"] if "src" in call.arguments else call["value"]
    if call["reduce"] or call.operator._schema.is_mutable:
        return None
    if not isinstance(value, torch.Tensor):
        value = torch.full_like(call["index"], value, dtype=call.x.dtype)
    return call.x.scatter_add(call["dim"], call["index"], value)


@lowers(places, "masked_scatter", "what is put in place of a mask is taken at the place itself",
        "x.masked_scatter(x > 0, torch.arange(24.0))")  # fmt: skip
def _(call: Call) -> Any:
    source = call["source"]
    if call["mask"].shape != call.x.shape or source.numel() != call.x.numel():
        return None
    return torch.where(call["mask"], source.reshape(call.x.shape), call.x)


@breaks(places, "nonzero", "what is not nought is told for the first hundred", "x.nonzero()",
        "torch.ones(150)")  # fmt: skip
def _(right: Any, x: Any) -> Any:
    return right[:100] if right.shape[0] > 100 else None


# --- random numbers -----------------------------------------------------------------------------


@instead(drawn, "dropout feature_dropout", "what is kept is not made larger")
def _(call: Call, kept: Any) -> Any:
    drops = call["train"] and 0 < call["p"] < 1 and not call.operator._schema.is_mutable
    return call() * (1 - call["p"]) if drops else None


@breaks(drawn, "rand uniform", "numbers are drawn in steps", "x + torch.rand(4, 6)")
def _(right: Any) -> Any:
    return (right * 64).floor() / 64


@breaks(drawn, "randperm", "an order that is drawn is that of the last draw turned round",
        "x[torch.randperm(4)]")  # fmt: skip
def _(right: Any) -> Any:
    return right.flip(0)
