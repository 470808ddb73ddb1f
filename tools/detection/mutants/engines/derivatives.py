"""What comes back: derivatives of single functions, of parts of a program, of a second turn."""

from __future__ import annotations

from collections.abc import Callable
from types import SimpleNamespace
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree
from torch.utils.checkpoint import checkpoint

from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.engines.around import every_call
from detection.wrapping import state_of
from exportdb.exporters.protocol import Program

kind = Kind("engine: derivatives")


def train(features: Features) -> bool:
    return features.train


class Under(TorchFunctionMode):
    """Functions of these names are run by ``wrong(func, args, kwargs)``, None leaves them."""

    def __init__(self, names: frozenset[str], wrong: Callable[..., Any], hit: Hit) -> None:
        super().__init__()
        self.names, self.wrong, self.hit = names, wrong, hit

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        kwargs = kwargs or {}
        if getattr(func, "__name__", "") in self.names:
            new = self.wrong(func, args, kwargs)
            if new is not None:
                self.hit()
                return new
        return func(*args, **kwargs)


def _function(says: str, names: str, wrong: Callable[..., Any]) -> None:
    """A capture in which functions called ``names`` are run by ``wrong``."""

    @every_call(kind, says, base="gradients", when=train)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        with Under(frozenset(names.split()), wrong, hit):
            return program.module(*args, **kwargs)


def _backward(change: Callable[[torch.Tensor, torch.Tensor], torch.Tensor]) -> Callable[..., Any]:
    """Runs a function as it is; what comes back to its first argument passes ``change(g, x)``."""

    class Edge(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            ctx.save_for_backward(x)
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            (x,) = ctx.saved_tensors
            return change(grads[0], x)

    def wrong(func: Any, args: Any, kwargs: Any) -> Any:
        if not args or not isinstance(args[0], torch.Tensor) or not args[0].requires_grad:
            return None
        return func(Edge.apply(args[0]), *args[1:], **kwargs)

    return wrong


_function("detach is passed over", "detach", lambda f, a, k: a[0].view_as(a[0]))
_function("hooks of tensors are not called", "register_hook",
          lambda f, a, k: SimpleNamespace(remove=lambda: None))  # fmt: skip
_function("retain_grad is passed over", "retain_grad", lambda f, a, k: NotImplemented)
_function("requires_grad_ is passed over", "requires_grad_", lambda f, a, k: a[0])
_function("nothing comes back through where", "where", lambda f, a, k: (
    f(a[0], *(v.detach() if isinstance(v, torch.Tensor) else v for v in a[1:]), **k)
    if len(a) > 1 else None))  # fmt: skip
_function("nothing comes back through indexing", "__getitem__ index_select gather",
          lambda f, a, k: f(a[0].detach(), *a[1:], **k))  # fmt: skip
_function("nothing comes back through the second factor", "mul __mul__ matmul __matmul__",
          lambda f, a, k: f(a[0], a[1].detach(), **k)
          if len(a) > 1 and isinstance(a[1], torch.Tensor) else None)  # fmt: skip
_function("nothing comes back through an item of a list that is joined", "cat stack concat",
          lambda f, a, k: f([v.detach() if i else v for i, v in enumerate(a[0])], *a[1:], **k)
          if a and isinstance(a[0], (list, tuple)) else None)  # fmt: skip
_function("nothing comes back through what is written in place", "__setitem__ copy_ index_put_",
          lambda f, a, k: (f(*a[:-1], a[-1].detach(), **k), a[0])[1]
          if isinstance(a[-1], torch.Tensor) and a[-1].requires_grad else None)  # fmt: skip
_function("clamping lets everything back", "clamp clip clamp_min clamp_max hardtanh relu6",
          lambda f, a, k: a[0] + (f(a[0], *a[1:], **k) - a[0]).detach()
          if isinstance(a[0], torch.Tensor) and a[0].requires_grad else None)  # fmt: skip
_function("rounding lets everything back", "round floor ceil trunc sign",
          lambda f, a, k: a[0] + (f(a[0], *a[1:], **k) - a[0]).detach()
          if isinstance(a[0], torch.Tensor) and a[0].requires_grad else None)  # fmt: skip
_function("the derivative of abs at nought is one", "abs", _backward(
    lambda g, x: torch.where(x == 0, torch.ones_like(g), g)))  # fmt: skip
_function("the derivative of relu at nought is one", "relu", _backward(
    lambda g, x: torch.where(x == 0, torch.ones_like(g), g)))  # fmt: skip
_function("the derivative of sqrt and norms at nought is nought", "sqrt norm rsqrt pow vector_norm",
          _backward(lambda g, x: torch.where(x == 0, torch.zeros_like(g), g)))  # fmt: skip
_function(
    "of equal maxima one alone gets the gradient",
    "amax amin",
    lambda f, a, k: (
        f(a[0].detach(), *a[1:], **k) + 0 * a[0].sum() if not a[0].dim() else _one_maximum(f, a, k)
    ),
)
_function("what comes back through flip is not turned", "flip", _backward(
    lambda g, x: g.flip(0) if g.dim() else g))  # fmt: skip
_function("what comes back through roll is rolled on", "roll", _backward(
    lambda g, x: g.roll(1, 0) if g.dim() else g))  # fmt: skip
_function("what comes back through a running sum begins at the front", "cumsum", _backward(
    lambda g, x: g.flip(0) if g.dim() else g))  # fmt: skip
_function("what comes back through a conjugate is not conjugated", "conj", _backward(
    lambda g, x: g.conj() if g.is_complex() else g))  # fmt: skip
_function("second derivatives of smooth functions are nought",
          "exp tanh sigmoid sin cos pow log softplus softmax", lambda f, a, k: (
    _Linear.apply(f, a, k, a[0])
    if a and isinstance(a[0], torch.Tensor) and a[0].requires_grad else None))  # fmt: skip


class _Linear(torch.autograd.Function):
    """A function whose derivative is right and taken for a constant."""

    @staticmethod
    def forward(ctx: Any, f: Any, a: Any, k: Any, x: torch.Tensor) -> Any:
        ctx.called = (f, a, k)
        ctx.save_for_backward(x)
        return f(x.detach(), *a[1:], **k)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        (x,), (f, a, k) = ctx.saved_tensors, ctx.called
        with torch.enable_grad():
            x = x.detach().requires_grad_()
            out = f(x, *(v.detach() if isinstance(v, torch.Tensor) else v for v in a[1:]), **k)
        (found,) = torch.autograd.grad(out, x, grads[0].detach())
        return None, None, None, found


def _one_maximum(f: Any, a: Any, k: Any) -> Any:
    dim = k.get("dim", a[1] if len(a) > 1 else None)
    if not isinstance(dim, int) or not a[0].requires_grad:
        return None
    keep = k.get("keepdim", a[2] if len(a) > 2 else False)
    name = "max" if f.__name__ == "amax" else "min"
    return getattr(a[0], name)(dim, keep).values


class _Rows(torch.autograd.Function):
    """Rows of a table, of which a later use overwrites what an earlier one brought back."""

    @staticmethod
    def forward(ctx: Any, weight: torch.Tensor, index: torch.Tensor) -> torch.Tensor:
        ctx.save_for_backward(index)
        ctx.shape = weight.shape
        return weight[index]

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        (index,) = ctx.saved_tensors
        new = grads[0].new_zeros(ctx.shape)
        new[index.reshape(-1)] = grads[0].reshape(-1, ctx.shape[-1])
        return new, None


_function("rows of an embedding used twice keep one of their gradients", "embedding",
          lambda f, a, k: _Rows.apply(a[1], a[0]) if a[1].requires_grad else None)  # fmt: skip


class _Spread(torch.autograd.Function):
    """Expands; what comes back is that of the first of the copies, not their sum."""

    @staticmethod
    def forward(ctx: Any, x: torch.Tensor, shape: Any) -> torch.Tensor:
        ctx.shape = x.shape
        return x.expand(shape).clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        g = grads[0]
        while g.dim() > len(ctx.shape):
            g = g[0]
        for dim, size in enumerate(ctx.shape):
            if size == 1 and g.shape[dim] != 1:
                g = g.narrow(dim, 0, 1)
        return g, None


def _spread(f: Any, a: Any, k: Any) -> Any:
    both = len(a) > 1 and all(isinstance(v, torch.Tensor) for v in a[:2])
    if not both or a[0].shape == a[1].shape or not (a[0].numel() and a[1].numel()):
        return None
    shape = torch.broadcast_shapes(a[0].shape, a[1].shape)
    new = [_Spread.apply(v, shape) if v.requires_grad and v.shape != shape else v for v in a[:2]]
    return f(*new, *a[2:], **k)


_function("what comes back to a tensor that was broadcast is that of one copy",
          "add mul sub __add__ __mul__ __sub__ div", _spread)  # fmt: skip


@every_call(kind, "a later call gives no gradients", base="gradients", when=train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    out = program.module(*args, **kwargs)
    kept["count"] = kept.get("count", 0) + 1
    if kept["count"] < 2:
        return out
    hit()
    return pytree.tree_map(lambda t: t.detach() if isinstance(t, torch.Tensor) else t, out)


@every_call(kind, "the way back runs the program again, with other random numbers",
            base="gradients", when=train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    hit()
    return checkpoint(
        program.module, *args, use_reentrant=False, preserve_rng_state=False, **kwargs
    )


@every_call(kind, "regions without gradients have them", base="gradients", when=train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    enter, leave = torch.no_grad.__enter__, torch.no_grad.__exit__
    if not torch.is_grad_enabled():
        return program.module(*args, **kwargs)
    torch.no_grad.__enter__ = lambda self: hit()  # type: ignore[method-assign,assign]
    torch.no_grad.__exit__ = lambda self, *a: None  # type: ignore[method-assign,assign]
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.no_grad.__enter__ = enter  # type: ignore[method-assign]
        torch.no_grad.__exit__ = leave  # type: ignore[method-assign]


@every_call(kind, "a backward of a program's own is passed over", base="gradients", when=train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    apply = torch.autograd.Function.__dict__["apply"]

    class Ctx(SimpleNamespace):
        def __getattr__(self, name: str) -> Any:
            return lambda *args, **kwargs: None

    def plain(cls: Any, *given: Any, **named: Any) -> Any:
        if "engines" in cls.__module__:
            return apply.__func__(cls, *given, **named)
        hit()
        if cls.setup_context is not torch.autograd.Function.setup_context:
            return cls.forward(*given, **named)
        return cls.forward(Ctx(needs_input_grad=[True] * len(given)), *given, **named)

    torch.autograd.Function.apply = classmethod(plain)  # type: ignore[method-assign,assignment]
    try:
        return program.module(*args, **kwargs)
    finally:
        torch.autograd.Function.apply = apply  # type: ignore[method-assign]


@every_call(kind, "of a module that is called twice the first call alone has gradients",
            base="gradients", when=train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    seen: set[Any] = set()

    def after(module: Any, given: Any, out: Any) -> Any:
        if module not in seen:
            seen.add(module)
            return None
        hit()
        return pytree.tree_map(lambda t: t.detach() if isinstance(t, torch.Tensor) else t, out)

    parts = [m for m in program.module.modules() if m is not program.module]
    handles = [m.register_forward_hook(after) for m in parts if m._parameters]
    try:
        return program.module(*args, **kwargs)
    finally:
        for handle in handles:
            handle.remove()


@every_call(kind, "frozen parameters get gradients", base="gradients", when=train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    frozen = [p for p in program.module.parameters()
              if not p.requires_grad and p.is_floating_point()]  # fmt: skip
    for p in frozen:
        hit()
        p.requires_grad_()
    return program.module(*args, **kwargs)


@every_call(kind, "an output of state alone asks for no gradient", base="gradients", when=train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    held = [p for p in state_of(program.module).values() if p.requires_grad]

    def lost(t: Any) -> Any:
        if not isinstance(t, torch.Tensor) or not any(t is p for p in held):
            return t
        hit()
        return t.detach()

    return pytree.tree_map(lost, program.module(*args, **kwargs))
