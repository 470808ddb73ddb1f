"""The way back that a compiler makes by itself: what is shared, overwritten, or run again."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils.checkpoint import checkpoint

from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.compiled.order import _Functions
from detection.mutants.engines.around import every_call
from exportdb.exporters.protocol import Program

kind = Kind("compiled: backward")


def _train(features: Features) -> bool:
    return features.train


def _function(says: str, names: str, wrong: Callable[..., Any]) -> None:
    wanted = names.split()

    def chosen(func: Any, args: Any, kwargs: Any) -> Any:
        first = args[0] if args else None
        if getattr(func, "__name__", "") not in wanted or not isinstance(first, torch.Tensor):
            return None
        return wrong(func, args, kwargs)

    @every_call(kind, says, base="gradients", when=_train)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        with _Functions(chosen, hit):
            return program.module(*args, **kwargs)


class Scaled(torch.autograd.Function):
    """The thing itself; what comes back is changed."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, change: Any) -> torch.Tensor:
        ctx.change = change
        return x.view_as(x)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return ctx.change(grads[0]), None


def _passed(f: Any, a: Any, k: Any) -> Any:
    """What is put in comes out; what is overwritten has a gradient all the same."""
    if not a[0].requires_grad:
        return None
    out = f(a[0], *a[1:], **k)
    if out.shape != a[0].shape:
        return None
    return out + (a[0] - a[0].detach())


_function("what was overwritten still gets a gradient",
          "masked_fill scatter index_put index_copy index_fill", _passed)  # fmt: skip


def _chosen(f: Any, a: Any, k: Any) -> Any:
    grown = [v for v in a[1:3] if isinstance(v, torch.Tensor) and v.requires_grad]
    out = f(*a, **k)
    if not grown or any(v.shape != out.shape for v in grown):
        return None
    return out.detach() + sum(v - v.detach() for v in grown)


_function("what is not chosen still gets a gradient", "where", _chosen)


def _product(f: Any, a: Any, k: Any) -> Any:
    x = a[0]
    if not x.requires_grad or len(a) > 1 or k:
        return None
    out = f(x.detach())
    return out + ((x - x.detach()) * (out / x.detach())).nan_to_num(0).sum()


_function("what comes back through a product with a nought is nought", "prod", _product)


def _unsorted(f: Any, a: Any, k: Any) -> Any:
    if not a[0].requires_grad:
        return None
    values, places = f(a[0].detach(), *a[1:], **k)
    if values.shape != a[0].shape:
        return None
    return values + (a[0] - a[0].detach()), places


_function("what comes back through sorting stays in the sorted place", "sort", _unsorted)


class _Rows(torch.autograd.Function):
    """Rows that are taken; one taken twice keeps what came back to its last use."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(index)
        ctx.shape = x.shape
        return x[index]

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        (index,) = ctx.saved_tensors
        new = grads[0].new_zeros(ctx.shape)
        new[index] = grads[0]
        return new, None


def _taken(f: Any, a: Any, k: Any) -> Any:
    index = a[1] if f.__name__ == "__getitem__" else a[2] if len(a) > 2 and a[1] == 0 else None
    if not isinstance(index, torch.Tensor) or index.dtype is not torch.int64 or not index.dim():
        return None
    return _Rows.apply(a[0], index) if a[0].requires_grad else None


_function("a row that is taken twice keeps one gradient", "__getitem__ index_select", _taken)
_function("the row of padding gets a gradient", "embedding", lambda f, a, k: (
    f(*a[:2], None) if len(a) > 2 and a[2] is not None and a[2] >= 0 else
    f(*a[:2], **{**k, "padding_idx": None}) if k.get("padding_idx") is not None
    else None))  # fmt: skip
_function("gradients of sums are cut to a sixteenth", "sum mean", lambda f, a, k: (
    f(Scaled.apply(a[0], lambda g: (g * 16).round() / 16), *a[1:], **k)
    if a[0].requires_grad else None))  # fmt: skip
_function("what comes back to a transposed matrix is not transposed", "t transpose mT",
          lambda f, a, k: _turned(f, a, k))  # fmt: skip


def _turned(f: Any, a: Any, k: Any) -> Any:
    if not a[0].requires_grad or a[0].dim() != 2 or a[0].shape[0] != a[0].shape[1]:
        return None
    return f(Scaled.apply(a[0], lambda g: g.t()), *a[1:], **k)


def _statistics(f: Any, a: Any, k: Any) -> Any:
    x = a[0]
    if not x.requires_grad or x.dim() < 2:
        return None
    f(x.detach(), *a[1:], **k)
    given = {**dict(zip(("running_mean", "running_var", "weight", "bias", "training"), a[1:],
                        strict=False)), **k}  # fmt: skip
    if not given.get("training"):
        return None
    dims = [d for d in range(x.dim()) if d != 1]
    shape = [1, -1, *[1] * (x.dim() - 2)]
    mean = x.detach().mean(dims).reshape(shape)
    var = x.detach().var(dims, correction=0).reshape(shape)
    out = (x - mean) * (var + given.get("eps", 1e-5)).rsqrt()
    if given.get("weight") is not None:
        out = out * given["weight"].reshape(shape)
    return out + given["bias"].reshape(shape) if given.get("bias") is not None else out


_function("on the way back the statistics of a batch are constants", "batch_norm", _statistics)


@every_call(kind, "the way back runs the program again, and writes its state again",
            base="gradients", when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    hit()
    return checkpoint(program.module, *args, use_reentrant=False, **kwargs)


@every_call(kind, "of weights that two modules share one use alone brings gradients",
            base="gradients", when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    seen: set[int] = set()
    put_back = []
    for owner in program.module.modules():
        for name, p in list(owner._parameters.items()):
            if p is None:
                continue
            if id(p) in seen:
                hit()
                put_back.append((owner, name, p))
                owner._parameters[name] = torch.nn.Parameter(p.detach(), requires_grad=False)
            seen.add(id(p))
    try:
        return program.module(*args, **kwargs)
    finally:
        for owner, name, p in put_back:
            owner._parameters[name] = p


@every_call(kind, "regions that turn gradients on again do not", base="gradients",
            when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    enter = torch.enable_grad.__enter__
    if not torch.is_grad_enabled():
        return program.module(*args, **kwargs)

    def nothing(self: Any) -> None:
        hit()
        self.prev = torch.is_grad_enabled()

    torch.enable_grad.__enter__ = nothing  # type: ignore[method-assign,assignment]
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.enable_grad.__enter__ = enter  # type: ignore[method-assign]


@every_call(kind, "gradients of a value that is used twice come from its last use alone",
            base="gradients", when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    used: dict[int, int] = {}

    def chosen(func: Any, given: Any, named: Any) -> Any:
        first = given[0] if given else None
        if getattr(func, "__name__", "") not in ("mul", "add", "sin", "exp", "tanh", "linear",
                                                 "matmul", "sigmoid", "relu"):  # fmt: skip
            return None
        if not isinstance(first, torch.Tensor) or not first.requires_grad:
            return None
        used[id(first)] = used.get(id(first), 0) + 1
        return func(first.detach(), *given[1:], **named) if used[id(first)] > 1 else None

    with _Functions(chosen, hit):
        return program.module(*args, **kwargs)
