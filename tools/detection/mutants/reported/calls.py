"""How a capture is called, what it may write into, in which mode it runs, and the way back."""

from __future__ import annotations

from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from detection.graphs import Call
from detection.kind import Kind, higher_order
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call, instead
from detection.wrapping import inputs, on_tensors, storage
from exportdb.exporters.protocol import Program

given = Kind("reported: what is given")
memory = Kind("reported: memory")
state = Kind("reported: state")
modes = Kind("reported: modes")
sizes = Kind("reported: sizes")
back = Kind("reported: gradients")
flow = Kind("reported: control flow")


def _writes(features: Features) -> bool:
    return features.changes_inputs


def _plain(t: torch.Tensor) -> bool:
    return t.layout is torch.strided and not t.is_meta and type(t) is torch.Tensor


# --- what is given ------------------------------------------------------------------------------


@every_call(given, "keywords are taken in the order in which they came at the capture")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    known = list(program.kwargs)
    if list(kwargs) != known and sorted(kwargs) == sorted(known):
        hit()
        kwargs = dict(zip(known, kwargs.values(), strict=True))
    return program.module(*args, **kwargs)


# --- memory -------------------------------------------------------------------------------------


@every_call(memory, "inputs that share memory are written one by one", when=_writes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    """As a graph that was made for inputs apart: pytorch#139789."""
    given = [*args, *kwargs.values()]
    found = [t for t in given if isinstance(t, torch.Tensor) and _plain(t) and not t.requires_grad]
    if len({storage(t) for t in found}) == len(found):
        return program.module(*args, **kwargs)
    hit()
    apart = {id(t): t.clone() for t in found}
    output = program.module(
        *(apart.get(id(arg), arg) for arg in args),
        **{name: apart.get(id(arg), arg) for name, arg in kwargs.items()},
    )
    for t in found:
        t.copy_(apart[id(t)])
    return output


@every_call(memory, "a write into an input that is not contiguous is lost", when=_writes)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def packed(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or not _plain(leaf) or leaf.is_contiguous():
            return leaf
        hit()
        return leaf.contiguous()

    args, kwargs = pytree.tree_map(packed, (args, kwargs))
    return program.module(*args, **kwargs)


# --- state --------------------------------------------------------------------------------------


@every_call(state, "what is written into a buffer by its second name is lost",
            when=lambda features: features.changes_state)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    first: set[int] = set()
    put_back: list[tuple[dict[str, Any], str, torch.Tensor]] = []
    for module in program.module.modules():
        for name, buffer in list(module._buffers.items()):
            if buffer is not None and id(buffer) in first:
                put_back.append((module._buffers, name, buffer))
                module._buffers[name] = buffer.clone()
                hit()
            first.add(id(buffer))
    try:
        return program.module(*args, **kwargs)
    finally:
        for buffers, name, buffer in put_back:
            buffers[name] = buffer


# --- modes --------------------------------------------------------------------------------------


@every_call(modes, "the caller's autocast does not reach into the capture")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if not torch.is_autocast_enabled("cpu"):
        return program.module(*args, **kwargs)
    hit()
    with torch.autocast("cpu", enabled=False):
        return program.module(*args, **kwargs)


# --- sizes --------------------------------------------------------------------------------------

sizes.call("of each dim of an input the first 256 places are read", inputs(on_tensors(
    lambda t: t[tuple(slice(256) for _ in t.shape)] if _plain(t) and max(t.shape, default=0) > 256
    else None)))  # fmt: skip


@instead(sizes, "slice", "a slice that ends before the end ends where it did at the first call")
def _(c: Call, kept: Any) -> Any:
    if not isinstance(c["end"], int) or c["end"] >= 0:
        return None
    dim, end = c["dim"], c["end"]
    # The same place of the graph is told by what it asks for and by the rank.
    known = kept.setdefault((dim, c["start"], end, c.x.dim()), c.x.size(dim))
    return c(end=max(known + end, 0)) if known != c.x.size(dim) else None


# --- gradients ----------------------------------------------------------------------------------


class _Rounded(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> torch.Tensor:
        return grad.bfloat16().to(grad.dtype)


@every_call(back, "gradients come in with the precision of bfloat16", base="gradients")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def rounded(leaf: Any) -> Any:
        if not isinstance(leaf, torch.Tensor) or not leaf.requires_grad or leaf.is_leaf:
            return leaf
        if leaf.dtype not in (torch.float32, torch.float64):
            return leaf
        hit()
        return _Rounded.apply(leaf)

    return pytree.tree_map(rounded, program.module(*args, **kwargs))


class _Through(TorchFunctionMode):
    def __init__(self, hit: Hit) -> None:
        super().__init__()
        self.hit = hit

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        if func in (torch.Tensor.detach, torch.detach) and args and args[0].requires_grad:
            self.hit()
            return args[0].view_as(args[0])
        return func(*args, **(kwargs or {}))


@every_call(back, "what is detached still lets gradients through", base="gradients",
            when=lambda features: not features.compiled)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    with _Through(hit):
        return program.module(*args, **kwargs)


# --- control flow -------------------------------------------------------------------------------


def _once_at_least(sound: Any, cond: Any, body: Any, carried: Any, extra: Any = ()) -> Any:
    return sound(cond, body, tuple(body(*carried, *extra)), extra)


higher_order(flow, "the body of a loop runs before its condition is asked", "while_loop",
             _once_at_least, needs="while_loop")  # fmt: skip
