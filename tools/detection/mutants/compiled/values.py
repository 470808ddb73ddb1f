"""Numbers at the edge of what a formula or a type was made for."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call, instead
from exportdb.exporters.protocol import Program

kind = Kind("compiled: values")
lowering = kind.lowering


def _results(names: str, says: str, change: Callable[[Call, Any], Any]) -> None:
    lowering(names, says, lambda call: change(call, call()))


_results("logaddexp logaddexp2", "of two minus infinities logaddexp is not a number", lambda c, r: (
    torch.maximum(c.x, c["other"]) + ((-(c.x - c["other"]).abs()).exp2().log1p() / math.log(2)
    if "2" in str(c.operator) else (-(c.x - c["other"]).abs()).exp().log1p())))  # fmt: skip
_results("xlogy special_xlog1py", "nought by the logarithm of nought is not a number",
         lambda c, r: c.x * (c["other"].log() if "1py" not in str(c.operator)
                             else c["other"].log1p())
         if isinstance(c["other"], torch.Tensor) and isinstance(c.x, torch.Tensor)
         else None)  # fmt: skip
_results("copysign signbit", "minus nought is taken for nought where signs are read", lambda c, r: (
    c.x < 0 if "signbit" in str(c.operator) else
    torch.where(c["other"] < 0, -c.x.abs(), c.x.abs()).to(r.dtype)
    if isinstance(c["other"], torch.Tensor) else None))  # fmt: skip
_results("remainder fmod", "the remainder by infinity is not a number", lambda c, r: (
    c.x - (c.x / c["other"]).floor() * c["other"] if r.is_floating_point() and (
        "remainder" in str(c.operator)) else
    c.x - (c.x / c["other"]).trunc() * c["other"] if r.is_floating_point() else None))  # fmt: skip
_results("sinc special_sinc", "sinc of nought is not a number",
         lambda c, r: (c.x * torch.pi).sin() / (c.x * torch.pi))  # fmt: skip
_results("topk sort argsort kthvalue median", "not a number is the least of all", lambda c, r: (
    None if not c.x.is_floating_point() or not c.x.isnan().any()
    else _like(c(c.x.nan_to_num(-torch.inf, torch.inf, -torch.inf)))))  # fmt: skip
_results("_unique2 unique_dim unique_consecutive", "all that is not a number is one value",
         lambda c, r: _like(c(c.x.nan_to_num(12345.0, torch.inf, -torch.inf)))
         if c.x.is_floating_point() and c.x.isnan().any() else None)  # fmt: skip
_results("cummax cummin", "running extremes leave out what is not a number", lambda c, r: (
    _like(c(c.x.nan_to_num(-torch.inf if "max" in str(c.operator) else torch.inf,
                           torch.inf, -torch.inf)))
    if c.x.is_floating_point() and c.x.isnan().any() else None))  # fmt: skip
_results("histc bincount histogram", "the upper end belongs to no bin", lambda c, r: (
    c(c.x[c.x < c.x.max()]) if "histc" in str(c.operator) and c.x.numel()
    and c["max"] == c["min"] else c(c.x[c.x != c["max"]])
    if "histc" in str(c.operator) else None))  # fmt: skip
_results("abs", "the magnitude of a complex number is a root of squares", lambda c, r: (
    (c.x.real * c.x.real + c.x.imag * c.x.imag).sqrt() if c.x.is_complex() else None))  # fmt: skip
_results("div", "complex numbers are divided as it is written", lambda c, r: (
    c.x * c["other"].conj() / (c["other"].real ** 2 + c["other"].imag ** 2)
    if isinstance(c["other"], torch.Tensor) and c["other"].is_complex() else None))  # fmt: skip
_results("sqrt", "the root of a complex number has no negative imaginary part", lambda c, r: (
    torch.complex(r.real, r.imag.abs()) if r.is_complex() else None))  # fmt: skip
_results("isnan isinf isfinite", "of a complex number the real part is tested", lambda c, r: (
    c(c.x.real) if isinstance(c.x, torch.Tensor) and c.x.is_complex() else None))  # fmt: skip
_results("sgn", "the sign of a complex number is that of its real part", lambda c, r: (
    torch.complex(c.x.real.sign(), torch.zeros_like(c.x.imag)) if c.x.is_complex()
    else None))  # fmt: skip
_results("add mul sub div", "a number beside half precision makes it single", lambda c, r: (
    r.float() if r.dtype in (torch.float16, torch.bfloat16) and isinstance(c["other"], float)
    else None))  # fmt: skip
_results("add mul", "truths are added and multiplied as whole numbers", lambda c, r: (
    r.to(torch.int64) if isinstance(r, torch.Tensor) and r.dtype is torch.bool
    and isinstance(c["other"], torch.Tensor) else None))  # fmt: skip
_results("add", "truths are added as bits, two of them are none", lambda c, r: (
    c.x ^ c["other"] if r.dtype is torch.bool and isinstance(c["other"], torch.Tensor)
    else None))  # fmt: skip
_results("bitwise_right_shift __rshift bitwise_left_shift __lshift",
         "shifts are made modulo eight", lambda c, r: (
    c(other=c["other"] % 8)))  # fmt: skip
_results("exp exp2 pow", "powers beyond two to the sixty-fourth are infinite", lambda c, r: (
    torch.where(r > 2.0**64, torch.inf, r) if r.is_floating_point() else None))  # fmt: skip
_results("norm linalg_vector_norm", "a norm is cut to nought where squares are denormal",
         lambda c, r: torch.where(r < 1e-19, 0.0, r) if r.dtype is torch.float32
         else None)  # fmt: skip
_results("softmax log_softmax", "rows of minus infinities are spread evenly", lambda c, r: (
    torch.where(r.isnan() & (c.x == -torch.inf), 1 / max(c.x.shape[c["dim"]], 1), r).to(r.dtype)
    if c.x.dim() else None))  # fmt: skip
_results("cumsum cumprod sum prod", "small whole numbers are added and multiplied in 32 bits",
         lambda c, r: c(c.x.to(torch.int32), dtype=torch.int32).to(r.dtype)
         if r.dtype is torch.int64 and c["dtype"] is None else None)  # fmt: skip
_results("linspace", "linspace is made by adding up its step", lambda c, r: (
    torch.full_like(r, (c["end"] - c["start"]) / (c["steps"] - 1)).cumsum(0)
    - (c["end"] - c["start"]) / (c["steps"] - 1) + c["start"]
    if r.is_floating_point() and r.numel() > 1 and not isinstance(c["start"], torch.Tensor)
    else None))  # fmt: skip
_results("arange", "a range by negative steps leaves out its last number", lambda c, r: (
    r[:-1] if (c["step"] or 1) < 0 else None))  # fmt: skip


def _like(out: Any) -> Any:
    return out if isinstance(out, torch.Tensor) else tuple(out)


@instead(kind, "div floor_divide remainder fmod", "whole numbers divided by nought give nought")
def _(call: Call, kept: Any) -> Any:
    other = call["other"]
    try:
        call()
    except (RuntimeError, ZeroDivisionError):
        if isinstance(other, torch.Tensor):
            return call(other=torch.where(other == 0, torch.iinfo(other.dtype).max, other))
        return torch.zeros_like(call.x)
    return None


@every_call(kind, "denormals are nought in every operator")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    torch.set_flush_denormal(True)
    hit()
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.set_flush_denormal(False)
