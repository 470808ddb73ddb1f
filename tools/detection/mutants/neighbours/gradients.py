"""What comes back through one function, where a derivative has a case of its own."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.engines.around import every_call
from detection.mutants.engines.derivatives import Under, train
from exportdb.exporters.protocol import Program

back = Kind("neighbour: gradients")


def _function(says: str, names: str, words: str = "") -> Callable[[Callable[..., Any]], None]:
    """A capture in which functions called ``names`` are run by ``wrong(func, args, kwargs)``.

    ``words`` are others by which a program calls them.
    """

    def add(wrong: Callable[..., Any]) -> None:
        @every_call(back, says, base="gradients", when=train, words=f"{names} {words}")
        def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
            with Under(frozenset(names.split()), wrong, hit):
                return program.module(*args, **kwargs)

    return add


def _asks(*values: Any) -> bool:
    return any(isinstance(v, torch.Tensor) and v.requires_grad for v in values)


@_function("of two equal numbers the first gets the gradient of maximum and minimum",
           "maximum minimum")  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    if len(a) != 2 or k or not _asks(*a) or a[0].dtype != a[1].dtype:
        return None
    right = func(*a).detach()
    return torch.where((a[0] == right) | a[0].isnan(), a[0], a[1])


@_function("the statistics of a batch are constants on the way back", "batch_norm",
           "BatchNorm1d BatchNorm2d BatchNorm3d")  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    x = a[0]
    weight, bias, training = (k.get(name) for name in ("weight", "bias", "training"))
    if len(a) != 3 or not training or not _asks(x):
        return None
    func(x.detach(), *a[1:], **k)
    shape = [1, -1] + [1] * (x.dim() - 2)
    dims = [d for d in range(x.dim()) if d != 1]
    mean, var = x.detach().mean(dims, True), x.detach().var(dims, correction=0, keepdim=True)
    out = (x - mean) * (var + k.get("eps", 1e-5)).rsqrt()
    out = out if weight is None else out * weight.reshape(shape)
    return out if bias is None else out + bias.reshape(shape)


class _Dropped(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, out: torch.Tensor, p: float) -> torch.Tensor:
        ctx.p = p
        return out.clone()

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        kept = torch.rand_like(grad) > ctx.p
        return grad * kept / (1 - ctx.p), None, None


@_function("dropout draws another mask on the way back", "dropout", "Dropout")
def _(func: Any, a: Any, k: Any) -> Any:
    p = k.get("p", a[1] if len(a) > 1 else 0.5)
    training = k.get("training", a[2] if len(a) > 2 else True)
    if not training or not 0 < p < 1 or not _asks(a[0]):
        return None
    return _Dropped.apply(a[0], func(*a, **k).detach(), p)


class _Plain(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, y)
        return x * y

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        x, y = ctx.saved_tensors
        return grad * y, grad * x


@_function("what comes back through a complex product is not conjugated", "mul __mul__",
           "complex view_as_complex polar complex64")  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    both = len(a) == 2 and all(isinstance(v, torch.Tensor) and v.is_complex() for v in a)
    if not both or a[0].shape != a[1].shape or not _asks(*a):
        return None
    return _Plain.apply(*a)


class _Gathered(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, dim: int, index: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(index)
        ctx.dim, ctx.shape = dim, x.shape
        return x.gather(dim, index)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        zeros = grad.new_zeros(ctx.shape)
        return zeros.scatter(ctx.dim, ctx.saved_tensors[0], grad), None, None


@_function("of what was gathered twice one gradient comes back", "gather")
def _(func: Any, a: Any, k: Any) -> Any:
    return _Gathered.apply(*a) if len(a) == 3 and not k and _asks(a[0]) else None


@_function("nothing comes back to a divisor through a remainder", "remainder fmod __mod__")
def _(func: Any, a: Any, k: Any) -> Any:
    return func(a[0], a[1].detach(), **k) if len(a) == 2 and _asks(a[1]) else None


@_function("the gradient of a norm of nought is not a number",
           "norm linalg_vector_norm linalg_norm", "vector_norm")  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    order, dtype = k.get("p", k.get("ord", 2)), k.get("dtype")
    if len(a) != 1 or order not in (2, None, "fro") or dtype is not None or not _asks(a[0]):
        return None
    kept = {name: k[name] for name in ("dim", "keepdim") if k.get(name) is not None}
    return (a[0] * a[0]).sum(**(kept if "dim" in kept else {})).sqrt()


class _Folded(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, dim: int) -> torch.Tensor:
        out = x.cumprod(dim)
        ctx.save_for_backward(x, out)
        ctx.dim = dim
        return out

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        x, out = ctx.saved_tensors
        total = (grad * out).flip(ctx.dim).cumsum(ctx.dim).flip(ctx.dim)
        return total / x, None


@_function("what comes back through a running product is divided by the factors", "cumprod")
def _(func: Any, a: Any, k: Any) -> Any:
    dim = k.get("dim", a[1] if len(a) > 1 else None)
    return _Folded.apply(a[0], dim) if _asks(a[0]) and isinstance(dim, int) else None


class _Cornered(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(x, y)
        return torch.atan2(x, y)

    @staticmethod
    def backward(ctx: Any, grad: torch.Tensor) -> Any:
        x, y = ctx.saved_tensors
        slope = grad / (1 + (x / y) ** 2)
        return slope / y, -slope * x / y**2


@_function("an angle comes back by the quotient, also where its divisor is nought",
           "atan2 arctan2")  # fmt: skip
def _(func: Any, a: Any, k: Any) -> Any:
    same = len(a) == 2 and all(isinstance(v, torch.Tensor) for v in a) and a[0].shape == a[1].shape
    return _Cornered.apply(*a) if same and _asks(*a) else None
