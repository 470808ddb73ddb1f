"""What type a value is computed in, and how it passes from one to another."""

from __future__ import annotations

import functools
from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from detection.graphs import Call
from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import inputs, on_tensors
from exportdb.exporters.protocol import Program

kind = Kind("engine: types")
lowering = kind.lowering
_LOW = (torch.float16, torch.bfloat16)


def _in_turn(x: torch.Tensor, dim: int) -> torch.Tensor:
    """The sum over a dim, rounded after each step as its type asks."""
    parts = x.unbind(dim)
    return functools.reduce(torch.add, parts) if parts else x.sum(dim)


@lowering("sum mean", "sums in half precision are rounded at each step")
def _(call: Call) -> Any:
    if call.x.dtype not in _LOW or call["dtype"] is not None or not call.x.dim():
        return None
    dims = call["dim"] if call["dim"] else list(range(call.x.dim()))
    if len(dims) != 1 or call.x.shape[dims[0]] > 4096:
        return None
    right, found = call(), _in_turn(call.x, dims[0])
    found = found / call.x.shape[dims[0]] if "mean" in str(call.operator) else found
    return found.reshape(right.shape).to(right.dtype)


@lowering("matmul mm bmm linear addmm einsum", "products in half precision are summed in it")
def _(call: Call) -> Any:
    a, b = call.x, call["weight"] if call["weight"] is not None else call["other"]
    if not isinstance(a, torch.Tensor) or b is None or a.dtype not in _LOW or a.dim() < 2:
        return None
    b = b.t() if "linear" in str(call.operator) else b
    if b.dim() != 2 or a.shape[-1] > 512:
        return None
    found = functools.reduce(torch.add, (a[..., i, None] * b[i] for i in range(a.shape[-1])))
    return found + call["bias"] if call["bias"] is not None else found


@lowering("softmax log_softmax layer_norm", "half precision stays half within softmax and norms")
def _(call: Call) -> Any:
    if call.x.dtype not in _LOW or call["dtype"] is not None:
        return None
    if "layer_norm" in str(call.operator):
        dims = list(range(-len(call["normalized_shape"]), 0))
        new = call.x - call.x.mean(dims, keepdim=True)
        new = new * (new * new).mean(dims, keepdim=True).add(call["eps"]).rsqrt()
        new = new * call["weight"] if call["weight"] is not None else new
        return new + call["bias"] if call["bias"] is not None else new
    new = (call.x - call.x.amax(call["dim"], keepdim=True)).exp()
    whole = new / new.sum(call["dim"], keepdim=True)
    return whole.log() if "log" in str(call.operator) else whole


@every_call(kind, "double precision is computed in single")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    class Single(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):  # type: ignore[no-untyped-def]
            out = func(*args, **(kwargs or {}))
            if isinstance(out, torch.Tensor) and out.dtype is torch.float64 and out.numel():
                name = getattr(func, "__name__", "")
                if name in ("add", "mul", "sub", "div", "sum", "mean", "exp", "log", "matmul",
                            "linear", "sin", "cos", "sqrt", "softmax", "__add__", "__mul__",
                            "cumsum", "__truediv__", "__sub__", "__rmul__"):  # fmt: skip
                    hit()
                    return out.float().double()
            return out

    with Single():
        return program.module(*args, **kwargs)


def _results(says: str, names: str, change: Callable[[Call, torch.Tensor], Any]) -> None:
    def lowered(call: Call) -> Any:
        right = call()
        return change(call, right) if isinstance(right, torch.Tensor) else None

    lowering(names, says, lowered)


def _wrapped(bits: int) -> Callable[[Call, torch.Tensor], Any]:
    def change(call: Call, right: torch.Tensor) -> Any:
        if right.dtype is not torch.int64:
            return None
        return right.to({32: torch.int32, 16: torch.int16}[bits]).to(torch.int64)

    return change


_results("whole numbers are multiplied in 32 bits", "mul pow bitwise_left_shift __lshift__ square",
         _wrapped(32))  # fmt: skip
_results("whole numbers are added up in 32 bits", "sum cumsum add cumprod prod", _wrapped(32))
_results("counts and indices are kept in 16 bits", "argmax argmin arange nonzero bincount argsort "
         "searchsorted bucketize count_nonzero", _wrapped(16))  # fmt: skip
_results("whole numbers pass through single precision", "add sub mul where clone index gather",
         lambda c, r: r.float().to(r.dtype) if r.dtype is torch.int64 else None)  # fmt: skip
_results("whole numbers pass through double precision", "add sub mul where clone index gather",
         lambda c, r: r.double().clamp(-(2.0**62), 2.0**62).to(r.dtype)
         if r.dtype is torch.int64 else None)  # fmt: skip
_results("small unsigned numbers are read as signed", "to _to_copy mul add sum float mean div",
         lambda c, r: c(c.x.view(torch.int8)).to(r.dtype)
         if isinstance(c.x, torch.Tensor) and c.x.dtype is torch.uint8 else None)  # fmt: skip
_results("small whole numbers saturate", "add mul sub neg to", lambda c, r: (
    c(c.x.to(torch.int64)).clamp(torch.iinfo(r.dtype).min, torch.iinfo(r.dtype).max).to(r.dtype)
    if r.dtype in (torch.int8, torch.uint8, torch.int16) and c.x.dtype is r.dtype
    and c["dtype"] is None else None))  # fmt: skip
_results("a float becomes a whole number by rounding", "to _to_copy", lambda c, r: (
    c.x.nan_to_num().round().to(r.dtype) if c.x.is_floating_point() and not r.is_floating_point()
    and not r.is_complex() and r.dtype is not torch.bool else None))  # fmt: skip
_results("a float becomes a bool by way of a whole number", "to _to_copy", lambda c, r: (
    c.x.nan_to_num().to(torch.int64).bool() if c.x.is_floating_point() and r.dtype is torch.bool
    else None))  # fmt: skip
_results("half precision saturates at its largest number", "to _to_copy add mul matmul exp", (
    lambda c, r: r.clamp(-65504, 65504) if r.dtype is torch.float16 else None))  # fmt: skip
_results("a complex number becomes real by its magnitude", "to _to_copy", lambda c, r: (
    c.x.abs().to(r.dtype) if c.x.is_complex() and r.is_floating_point() else None))  # fmt: skip
_results("whole numbers divide to whole numbers", "div true_divide", lambda c, r: (
    r.trunc() if not c.x.is_floating_point() and not c.x.is_complex() else None))  # fmt: skip
_results("a number beside whole numbers is cut to one", "mul add sub", lambda c, r: (
    c(other=int(c["other"])).to(r.dtype) if isinstance(c["other"], float) and c["other"] ==
    c["other"] and not c.x.is_floating_point() and abs(c["other"]) < 1e9 else None))  # fmt: skip
_results("a tensor of no dims decides the type as one with dims", "add sub mul div", lambda c, r: (
    r.to(torch.promote_types(c.x.dtype, c["other"].dtype))
    if isinstance(c["other"], torch.Tensor) and bool(c["other"].dim()) != bool(c.x.dim())
    and torch.promote_types(c.x.dtype, c["other"].dtype) is not r.dtype else None))  # fmt: skip
_results("a float beside whole numbers makes double precision", "add sub mul div", lambda c, r: (
    r.double() if isinstance(c["other"], float) and not c.x.is_floating_point()
    and not c.x.is_complex() else None))  # fmt: skip
_results("the sum of bools is one in 32 bits", "sum cumsum prod", lambda c, r: (
    r.to(torch.int32) if c.x.dtype is torch.bool and c["dtype"] is None else None))  # fmt: skip


def _as_floats(call: Call) -> Any:
    other = call["other"]
    return call(call.x.float(), other=other.float() if isinstance(other, torch.Tensor) else other)


_results("whole numbers are compared as floats", "eq ne lt gt le ge", lambda c, r: (
    None if c.x.is_floating_point() or c.x.is_complex() else _as_floats(c)))  # fmt: skip
_results("doubles are compared as single precision", "eq ne lt gt le ge", lambda c, r: (
    _as_floats(c) if c.x.dtype is torch.float64 else None))  # fmt: skip
_results("a range of floats is made by adding up its step", "arange", lambda c, r: (
    torch.full_like(r, c["step"] if c["step"] is not None else 1).cumsum(0)
    - (c["step"] if c["step"] is not None else 1) + (c["start"] or 0)
    if r.is_floating_point() and r.numel() else None))  # fmt: skip


@lowering("index index_put", "a mask that chooses is read as places")
def _(call: Call) -> Any:
    if "index_put" in str(call.operator):
        return None
    places = [i.long() if i is not None and i.dtype is torch.bool else i for i in call["indices"]]
    return call(indices=places) if all(
        p is None or not p.numel() or p.max() < s
        for p, s in zip(places, call.x.shape, strict=False)) else None  # fmt: skip


kind.call("inputs have the type of the example's", None or (
    inputs(on_tensors(lambda t: t.float() if t.dtype is torch.float64 else None))))  # fmt: skip


@every_call(kind, "numbers that a program reads from tensors are in single precision")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    class Read(TorchFunctionMode):
        def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None):  # type: ignore[no-untyped-def]
            out = func(*args, **(kwargs or {}))
            if getattr(func, "__name__", "") in ("item", "tolist", "__float__", "__int__"):
                new = pytree.tree_map(
                    lambda v: type(v)(torch.tensor(v, dtype=torch.float32).item())
                    if type(v) in (int, float) and abs(v) < 1e18 else v, out)  # fmt: skip
                if new != out:
                    hit()
                return new
            return out

    with Read():
        return program.module(*args, **kwargs)


@every_call(kind, "autocast within a program is left out")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    enter = torch.amp.autocast.__enter__

    def nothing(self: Any) -> Any:
        found = self._enabled
        if found:
            hit()
        self._enabled = False
        try:
            return enter(self)
        finally:
            self._enabled = found

    torch.amp.autocast.__enter__ = nothing  # type: ignore[method-assign]
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.amp.autocast.__enter__ = enter  # type: ignore[method-assign]
