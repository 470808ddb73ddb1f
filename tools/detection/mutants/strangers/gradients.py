"""Derivatives of functions at their corners, and of values that go several ways."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.compiled.backward import Scaled
from detection.mutants.engines.around import every_call
from detection.mutants.engines.derivatives import Under, train
from exportdb.exporters.protocol import Program

kind = Kind("stranger: gradients")


def _function(says: str, names: str, wrong: Callable[..., Any]) -> None:
    """A capture in which what comes back through the functions ``names`` is ``wrong``'s."""

    def where_asked(func: Any, args: Any, kwargs: Any) -> Any:
        asked = args and isinstance(args[0], torch.Tensor) and args[0].requires_grad
        return wrong(func, args, kwargs) if asked else None

    @every_call(kind, says, base="gradients", when=train)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        with Under(frozenset(names.split()), where_asked, hit):
            return program.module(*args, **kwargs)


def _back(change: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Callable[..., Any]:
    """What comes back to the first argument is ``change(g, x)``."""

    def wrong(f: Any, a: Any, k: Any) -> Any:
        x = a[0].detach()
        return f(Scaled.apply(a[0], lambda g: change(g, x)), *a[1:], **k)

    return wrong


_function("what comes back through a product along an axis is nought where a factor is",
          "prod cumprod", _back(lambda g, x: torch.where(x == 0, 0, g)))  # fmt: skip
_function("what comes back through an exponent is nought for negative numbers", "pow __pow__",
          _back(lambda g, x: torch.where(x < 0, 0, g) if not x.is_complex() else g))  # fmt: skip
_function("what comes back through a variance is not about the mean", "var std var_mean",
          _back(lambda g, x: g + 0.01 * x))  # fmt: skip
_function("what comes back through a largest value is spread over the axis", "max min amax",
          _back(lambda g, x: g.mean(-1, keepdim=True).expand_as(g) if g.dim() else g))  # fmt: skip
_function("what comes back through a triangle fills the whole", "tril triu",
          lambda f, a, k: f(a[0].detach(), *a[1:], **k) + (a[0] - a[0].detach()))  # fmt: skip
_function("what comes back through a mask goes where it is not, too", "masked_fill masked_fill_",
          lambda f, a, k: f(a[0], *a[1:], **k) + (a[0] - a[0].detach()) * 0.5
          if getattr(f, "__name__", "") == "masked_fill" else None)  # fmt: skip
_function("nothing comes back through the second of what is joined by order", "atan2 hypot fmod "
          "logaddexp maximum minimum", lambda f, a, k: f(a[0], a[1].detach(), *a[2:], **k)
          if len(a) > 1 and isinstance(a[1], torch.Tensor) else None)  # fmt: skip
_function("what comes back through a view of every second element is not spread", "__getitem__",
          lambda f, a, k: f(Scaled.apply(a[0], lambda g: g.roll(1, -1) if g.dim() else g),
                            *a[1:], **k)
          if isinstance(a[1], (tuple, slice)) and "slice" in str(a[1]) and
          any(isinstance(s, slice) and (s.step or 1) > 1
              for s in (a[1] if isinstance(a[1], tuple) else (a[1],))) else None)  # fmt: skip
_function("what comes back through repeating is that of the first copy", "repeat tile "
          "repeat_interleave", lambda f, a, k: _first_copy(f, a, k))  # fmt: skip
_function("what comes back to windows that overlap is that of one of them", "unfold",
          lambda f, a, k: f(a[0].detach(), *a[1:], **k) + 0 * a[0].sum())  # fmt: skip
_function("what comes back through a norm has no factor of the value", "norm vector_norm",
          _back(lambda g, x: g.sign() if not g.is_complex() else g))  # fmt: skip
_function("what comes back through a softmax of one row is that of all", "softmax log_softmax",
          _back(lambda g, x: g - g.mean(0, keepdim=True) if g.dim() > 1 else g))  # fmt: skip
_function("what comes back through a cast is left in the wider type's rounding", "to half bfloat16 "
          "type", _back(lambda g, x: g * 1.01))  # fmt: skip
_function("what comes back through the determinant or the inverse is nought",
          "det inverse inv logdet slogdet",
          lambda f, a, k: f(a[0].detach(), *a[1:], **k))  # fmt: skip
_function("what comes back through an attention is not masked", "scaled_dot_product_attention",
          lambda f, a, k: f(a[0], Scaled.apply(a[1], lambda g: g * 1.1), *a[2:], **k)
          if len(a) > 1 else None)  # fmt: skip


def _first_copy(f: Any, a: Any, k: Any) -> Any:
    out = f(a[0].detach(), *a[1:], **k)
    if out.dim() != a[0].dim() or any(n < m for n, m in zip(out.shape, a[0].shape, strict=True)):
        return None
    spread = torch.zeros_like(out)
    spread[tuple(slice(0, n) for n in a[0].shape)] = 1
    placed = torch.nn.functional.pad(
        a[0] - a[0].detach(),
        [p for n, m in zip(out.shape[::-1], a[0].shape[::-1], strict=True) for p in (0, n - m)],
    )
    return out + placed * spread


@every_call(kind, "a second way back through one result gives nothing", base="gradients",
            when=train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    if not isinstance(out, torch.Tensor) or not out.requires_grad:
        return out
    times: list[int] = []

    def back(g: torch.Tensor) -> torch.Tensor:
        times.append(1)
        if len(times) == 1:
            return g
        hit()
        return torch.zeros_like(g)

    return Scaled.apply(out, back)


@every_call(kind, "gradients of several outputs are added up before they are weighted",
            base="gradients", when=train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    if not isinstance(out, tuple) or len(out) < 2 or type(out) is not tuple:
        return out
    if not all(isinstance(t, torch.Tensor) and t.requires_grad for t in out):
        return out
    hit()
    return (*out[:-1], Scaled.apply(out[-1], lambda g: torch.zeros_like(g)))
