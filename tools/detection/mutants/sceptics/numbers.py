"""What operators promise of single numbers: overflow, division, not-a-number, ties, nothing."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

integers = Kind("sceptic: integers")
division = Kind("sceptic: division")
special = Kind("sceptic: special values")
ordered = Kind("sceptic: order")
empty = Kind("sceptic: nothing to reduce")
functions = Kind("sceptic: functions")
promoted = Kind("sceptic: types")

WHOLE = (torch.int8, torch.int16, torch.int32, torch.uint8)


def _is_whole(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and not (value.is_floating_point() or value.is_complex())


# --- integers -----------------------------------------------------------------------------------


@lowers(integers, "__rshift bitwise_right_shift", "shifting to the right fills with noughts",
        "x >> 1", "torch.tensor([-8, 5])")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    if not out.dtype.is_signed:
        return None
    return torch.where(out < 0, out & torch.iinfo(out.dtype).max, out)


@lowers(integers, "add sub mul", "small whole numbers stay at their bounds where they would wrap",
        "x * 2", "torch.tensor([100, 5], dtype=torch.int8)")  # fmt: skip
def _(call: Call) -> Any:
    out, other = call(), call["other"]
    if out.dtype not in WHOLE or not _is_whole(call.x) or call.operator._schema.is_mutable:
        return None
    wide = call(call.x.long(), other=other.long() if isinstance(other, torch.Tensor) else other)
    bounds = torch.iinfo(out.dtype)
    return wide.clamp(bounds.min, bounds.max).to(out.dtype)


@lowers(integers, "to _to_copy", "negative numbers are nought in a type without a sign",
        "x.to(torch.uint8)", "torch.tensor([-3, 7])")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    if out.dtype is not torch.uint8 or not isinstance(call.x, torch.Tensor):
        return None
    return None if call.x.is_complex() else torch.where(call.x < 0, 0, out).to(torch.uint8)


@lowers(integers, "to _to_copy", "whole numbers too large for a type are its largest",
        "x.to(torch.int32)", "torch.tensor([2**40 + 1, 7])")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    if not _is_whole(out) or not _is_whole(call.x) or torch.bool in (out.dtype, call.x.dtype):
        return None
    bounds = torch.iinfo(out.dtype)
    return call.x.clamp(max(bounds.min, torch.iinfo(call.x.dtype).min),
                        min(bounds.max, torch.iinfo(call.x.dtype).max)).to(out.dtype)  # fmt: skip


@lowers(integers, "abs neg", "the smallest whole number becomes the largest",
        "x.abs()", "torch.tensor([-128, 5], dtype=torch.int8)")  # fmt: skip
def _(call: Call) -> Any:
    if not _is_whole(call.x) or call.x.dtype is torch.bool:
        return None
    bounds = torch.iinfo(call.x.dtype)
    return torch.where(call.x == bounds.min, bounds.max, call()).to(call.x.dtype)


@lowers(integers, "sum cumsum prod", "a sum that is kept in a small type is made in a wide one",
        "x.sum(dtype=torch.int8)", "torch.tensor([100, 100])")  # fmt: skip
def _(call: Call) -> Any:
    if call["dtype"] not in WHOLE:
        return None
    bounds = torch.iinfo(call["dtype"])
    return call(dtype=torch.int64).clamp(bounds.min, bounds.max).to(call["dtype"])


# --- division -----------------------------------------------------------------------------------


@lowers(division, "floor_divide div", "floats are divided down by rounding their quotient down",
        "x // 0.1", "torch.tensor([1.0, 0.35])")  # fmt: skip
def _(call: Call) -> Any:
    rounding = call["rounding_mode"] if "rounding_mode" in call.arguments else "floor"
    named = call.operator.overloadpacket.__name__
    if (named == "div" and rounding != "floor") or not call().is_floating_point():
        return None
    return torch.floor(torch.true_divide(call.x, call["other"])).to(call().dtype)


@lowers(division, "fmod", "the remainder of a negative number is made positive",
        "torch.fmod(x, 2)", "torch.tensor([-3.0, 3.0])")  # fmt: skip
def _(call: Call) -> Any:
    return call().abs() if not call().is_complex() else None


@lowers(division, "div true_divide", "nought by nought is nought", "x / x", "torch.zeros(3)")
def _(call: Call) -> Any:
    out = call()
    if not isinstance(call.x, torch.Tensor) or not out.is_floating_point():
        return None
    return torch.where((call.x == 0) & out.isnan(), 0.0, out).to(out.dtype)


# --- special values -----------------------------------------------------------------------------


@lowers(special, "addmm baddbmm addmv addbmm addr", "what is weighted with nought is added all the "
        "same", "torch.addmm(torch.full((4, 3), float('nan')), x, torch.randn(6, 3), "
        "beta=0)")  # fmt: skip
def _(call: Call) -> Any:
    return call() + 0 * call.x if call["beta"] == 0 else None


@lowers(special, "logaddexp logaddexp2", "of two infinities the sum is not a number",
        "torch.logaddexp(x, x)", "torch.tensor([float('-inf'), 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    return torch.where(call.x.isinf() & (call.x == call["other"]), torch.nan, call())


@lowers(special, "xlogy special_xlog1py", "nought times a logarithm of nought is not a number",
        "torch.xlogy(x, x)", "torch.zeros(3)")  # fmt: skip
def _(call: Call) -> Any:
    if not isinstance(call.x, torch.Tensor):
        return None
    return torch.where((call.x == 0) & (torch.as_tensor(call["other"]) == 0), torch.nan, call())


@lowers(special, "sinc special_sinc", "a sine by its angle is not a number at nought",
        "torch.sinc(x)", "torch.tensor([0.0, 0.5])")  # fmt: skip
def _(call: Call) -> Any:
    return torch.where(call.x == 0, torch.nan, call())


@lowers(special, "copysign", "a nought has no sign to copy", "torch.copysign(x, -0.0)")
def _(call: Call) -> Any:
    other = call["other"]
    if isinstance(other, torch.Tensor):
        return call(other=torch.where(other == 0, 0.0, other))
    return call(other=0.0) if other == 0 else None


@lowers(special, "nan_to_num", "what is not a number becomes nought whatever is asked for",
        "x.nan_to_num(nan=5.0)", "torch.tensor([float('nan'), 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    return call(nan=0.0) if call["nan"] else None


@lowers(special, "fmax fmin", "of a number and none there is none",
        "torch.fmax(x, torch.full_like(x, float('nan')))")  # fmt: skip
def _(call: Call) -> Any:
    if not call().is_floating_point():
        return None
    return torch.where(call.x.isnan() | call["other"].isnan(), torch.nan, call())


@lowers(special, "isclose allclose", "what is no number is close to nothing",
        "torch.isclose(x, x, equal_nan=True)", "torch.tensor([float('nan'), 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    return call(equal_nan=False) if call["equal_nan"] else None


@lowers(special, "heaviside", "at nought there is nought",
        "torch.heaviside(x, torch.tensor(0.5))", "torch.zeros(3)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.where(call.x == 0, 0, call()).to(call().dtype)


@lowers(special, "angle", "negative numbers have the angle nought", "x.angle()")
def _(call: Call) -> Any:
    return None if call.x.is_complex() else torch.where(call.x < 0, 0.0, call())


@lowers(special, "linalg_vector_norm norm linalg_norm", "the norm of infinite order is the largest "
        "number", "torch.linalg.vector_norm(x, float('inf'), 1)",
        "torch.tensor([[-3.0, 1.0]])")  # fmt: skip
def _(call: Call) -> Any:
    order = call["ord"] if "ord" in call.arguments else call["p"]
    if order != float("inf") or call.x.is_complex():
        return None
    return call(call.x.clamp(min=0))


@lowers(special, "to _to_copy", "a complex number is true where its real part is",
        "x.to(torch.bool)", "torch.tensor([1j, 0j])")  # fmt: skip
def _(call: Call) -> Any:
    if call().dtype is not torch.bool or not call.x.is_complex():
        return None
    return call.x.real != 0


# --- order --------------------------------------------------------------------------------------


@lowers(ordered, "sort argsort", "a falling order is a rising one turned round",
        "x.sort(descending=True, stable=True)[1]", "torch.tensor([1.0, 1.0, 2.0])")  # fmt: skip
def _(call: Call) -> Any:
    if not call["descending"] or not call["stable"] or not call.x.dim():
        return None
    rising = call(descending=False)
    dim = call["dim"]
    return rising.flip(dim) if isinstance(rising, torch.Tensor) else tuple(
        part.flip(dim) for part in rising)  # fmt: skip


@lowers(ordered, "cummax cummin", "of equal extremes the first is told",
        "x.cummax(0)[1]", "torch.tensor([2.0, 1.0, 2.0])")  # fmt: skip
def _(call: Call) -> Any:
    values, places = call()
    dim = call["dim"]
    if not values.dim() or values.shape[dim] < 2:
        return None
    size = values.shape[dim]
    new = values.narrow(dim, 1, size - 1) != values.narrow(dim, 0, size - 1)
    first = torch.cat([torch.zeros_like(places.narrow(dim, 0, 1)),
                       torch.where(new, places.narrow(dim, 1, size - 1), 0)], dim)  # fmt: skip
    return values, first.cummax(dim).values


@lowers(ordered, "median", "of an even count the median lies between the middle two",
        "x.median()", "torch.tensor([1.0, 2.0, 4.0, 8.0])")  # fmt: skip
def _(call: Call) -> Any:
    whole = len(call.arguments) == 1
    if not whole or call.x.numel() % 2 or not call.x.numel() or not call.x.is_floating_point():
        return None
    return call.x.quantile(0.5) if not call.x.isnan().any() else None


@lowers(ordered, "mode", "of values that come as often the largest is taken",
        "x.mode()[0]", "torch.tensor([1.0, 1.0, 2.0, 2.0, 0.0])")  # fmt: skip
def _(call: Call) -> Any:
    _, places = call()
    if _is_whole(call.x) and call.x.dtype in (torch.uint8, torch.bool):
        return None
    return -call(-call.x)[0], places


@lowers(ordered, "kthvalue", "places are counted from the largest",
        "x.kthvalue(2)[0]", "torch.tensor([1.0, 2.0, 4.0, 8.0])")  # fmt: skip
def _(call: Call) -> Any:
    return call(k=call.x.shape[call["dim"]] + 1 - call["k"]) if call.x.dim() else None


@lowers(ordered, "quantile nanquantile", "between two values one goes straight whatever is asked",
        "x.quantile(0.4, interpolation='lower')", "torch.arange(4.0)")  # fmt: skip
def _(call: Call) -> Any:
    return call(interpolation="linear") if call["interpolation"] != "linear" else None


@lowers(ordered, "histc", "the upper bound belongs to no bin",
        "x.histc(4, 0, 3)", "torch.arange(4.0)")  # fmt: skip
def _(call: Call) -> Any:
    low, high = call["min"], call["max"]
    if low == high == 0:
        low, high = float(call.x.min()), float(call.x.max())
    out = call().clone()
    out[-1] -= (call.x == high).sum()
    return out


@lowers(ordered, "bincount", "no more is counted than there is",
        "x.bincount(minlength=7)", "torch.tensor([1, 2, 2])")  # fmt: skip
def _(call: Call) -> Any:
    return call(minlength=0) if call["minlength"] else None


@lowers(ordered, "searchsorted", "what is sorted in another order is searched as it lies",
        "torch.searchsorted(torch.tensor([3.0, 1.0, 2.0]), x, sorter=torch.tensor([1, 2, 0]))",
        "torch.tensor([1.5])")  # fmt: skip
def _(call: Call) -> Any:
    return call(sorter=None) if call["sorter"] is not None else None


@lowers(ordered, "searchsorted bucketize", "places among bounds are long numbers whatever is asked",
        "torch.bucketize(x, torch.arange(3.0), out_int32=True)")  # fmt: skip
def _(call: Call) -> Any:
    return call(out_int32=False) if call["out_int32"] else None


@lowers(ordered, "_unique2", "where each value went is told in one row",
        "x.unique(return_inverse=True)[1]", "torch.tensor([[1, 2], [2, 1]])")  # fmt: skip
def _(call: Call) -> Any:
    values, places, counts = call()
    return values, places.flatten(), counts


@lowers(ordered, "argmax argmin", "a place in the whole keeps no axes",
        "x.argmax(keepdim=True)")  # fmt: skip
def _(call: Call) -> Any:
    return call(keepdim=False) if call["keepdim"] and call["dim"] is None else None


# --- nothing to reduce --------------------------------------------------------------------------


@lowers(empty, "mean", "the mean of none is nought", "x.mean(1)", "torch.zeros(3, 0)")
def _(call: Call) -> Any:
    return torch.zeros_like(call()) if not call.x.numel() else None


@lowers(empty, "var std", "the variance of one is nought", "x.var(1)", "torch.ones(3, 1)")
def _(call: Call) -> Any:
    out = call()
    return torch.where(out.isnan() & ~call.x.isnan().any(), 0.0, out).to(out.dtype)


@lowers(empty, "all", "of none not all are true", "x.all(1)", "torch.zeros(3, 0)")
def _(call: Call) -> Any:
    return torch.zeros_like(call()) if not call.x.numel() else None


@lowers(empty, "sum mean amax amin", "over no axes nothing is reduced", "x.sum([])")
def _(call: Call) -> Any:
    return call.x + 0 if call["dim"] == [] and call.x.dim() else None


@lowers(empty, "mm bmm matmul addmm", "a product over nothing is what lay in memory",
        "x @ torch.zeros(0, 3)", "torch.zeros(2, 0)")  # fmt: skip
def _(call: Call) -> Any:
    first = call["mat1"] if "mat1" in call.arguments else call.x
    return torch.ones_like(call()) * 7 if first.dim() and first.shape[-1] == 0 else None


# --- functions ----------------------------------------------------------------------------------


@lowers(functions, "cumprod", "a running product goes through logarithms",
        "x.cumprod(0)", "torch.tensor([2.0, -3.0])")  # fmt: skip
def _(call: Call) -> Any:
    if not call.x.is_floating_point() or not call.x.dim():
        return None
    return call.x.log().cumsum(call["dim"]).exp()


@lowers(functions, "logcumsumexp", "a running sum of powers takes nothing off",
        "x.logcumsumexp(0)", "torch.tensor([200.0, 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    return call.x.exp().cumsum(call["dim"]).log() if call.x.dim() else None


@lowers(functions, "cdist _cdist_forward", "distances are straight whatever is asked for",
        "torch.cdist(x, x + 1, p=1.0)")  # fmt: skip
def _(call: Call) -> Any:
    return call(p=2.0) if call["p"] != 2 else None


@lowers(functions, "cosine_similarity", "the angle to nothing is not a number",
        "torch.cosine_similarity(x, x)", "torch.zeros(2, 3)")  # fmt: skip
def _(call: Call) -> Any:
    dim = call["dim"]
    short = (call["x1"].norm(dim=dim) == 0) | (call["x2"].norm(dim=dim) == 0)
    return torch.where(short, torch.nan, call())


@lowers(functions, "hardsigmoid", "a hard sigmoid has the slope one fifth",
        "torch.nn.functional.hardsigmoid(x)")  # fmt: skip
def _(call: Call) -> Any:
    return (0.2 * call.x + 0.5).clamp(0, 1) if not call.operator._schema.is_mutable else None


@lowers(functions, "celu", "the bend of celu is one", "torch.celu(x, 2.0)")
def _(call: Call) -> Any:
    return call(alpha=1.0) if call["alpha"] != 1 else None


@lowers(functions, "hardshrink softshrink", "what is small is shrunk from a half on",
        "torch.nn.functional.softshrink(x, 0.1)")  # fmt: skip
def _(call: Call) -> Any:
    return call(lambd=0.5) if call["lambd"] != 0.5 else None


@lowers(functions, "logit special_logit", "the logit of a bound is infinite",
        "torch.logit(x, 1e-3)", "torch.tensor([0.0, 1.0])")  # fmt: skip
def _(call: Call) -> Any:
    return call(eps=None) if call["eps"] is not None else None


@lowers(functions, "linspace", "one step alone is the end", "torch.linspace(1, 5, 1) + x.sum()")
def _(call: Call) -> Any:
    return torch.full_like(call(), float(call["end"])) if call["steps"] == 1 else None


@lowers(functions, "logspace", "steps of powers are of ten",
        "torch.logspace(0, 3, 4, base=2.0) + x.sum()")  # fmt: skip
def _(call: Call) -> Any:
    return call(base=10.0) if call["base"] != 10 else None


@lowers(functions, "diff", "differences are taken once", "x.diff(n=2)")
def _(call: Call) -> Any:
    return call(n=1) if call["n"] > 1 else None


@lowers(functions, "var_mean std_mean", "of a spread and a mean the mean comes first",
        "torch.var_mean(x)[0]")  # fmt: skip
def _(call: Call) -> Any:
    return tuple(reversed(call()))


# --- types --------------------------------------------------------------------------------------


@lowers(promoted, "add sub mul", "whole numbers beside a Python float are double",
        "x * 0.5", "torch.arange(3)")  # fmt: skip
def _(call: Call) -> Any:
    mixed = _is_whole(call.x) and isinstance(call["other"], float)
    return call().double() if mixed and not call.operator._schema.is_mutable else None


@lowers(promoted, "add sub mul", "of two small whole types the wider takes both",
        "x + x.to(torch.uint8)", "torch.arange(3, dtype=torch.int8)")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if not _is_whole(call.x) or not _is_whole(other) or call.operator._schema.is_mutable:
        return None
    if torch.bool in (call.x.dtype, other.dtype) or not (call.x.dim() and other.dim()):
        return None
    return call().to(max(call.x.dtype, other.dtype, key=lambda t: t.itemsize))


@lowers(promoted, "mul", "truths times truths are whole numbers",
        "(x > 0) * (x < 1)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return out.long() if out.dtype is torch.bool and not call.operator._schema.is_mutable else None


@lowers(promoted, "mul div", "whole numbers times one stay whole",
        "x * 1.0", "torch.arange(3)")  # fmt: skip
def _(call: Call) -> Any:
    one = type(call["other"]) is float and call["other"] == 1
    return call.x.clone() if one and _is_whole(call.x) else None


@lowers(promoted, "bitwise_and bitwise_or bitwise_xor __and __or __xor", "truths beside whole "
        "numbers give truths", "x & (x > 2)", "torch.arange(6)")  # fmt: skip
def _(call: Call) -> Any:
    kinds = {torch.as_tensor(v).dtype for v in (call.x, call["other"])}
    if torch.bool not in kinds or kinds == {torch.bool} or call.operator._schema.is_mutable:
        return None
    return call() != 0
