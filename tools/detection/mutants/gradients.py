"""Gradients: lost, scaled, of the wrong sign, for one input, of one operator, the second time."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Features, Hit, Make
from detection.wrapping import on_tensors, outputs, state_of, tensors
from exportdb.exporters.protocol import Program

call = Kind("gradients").call


def _call(says: str, make: Make | None = None, **more: Any) -> Any:
    return call(says, make, base="gradients", **more)


def _backward(change: Callable[[torch.Tensor], Any]) -> Make:
    """A capture through whose outputs every gradient passes changed."""

    class Changed(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            return change(grads[0])

    return outputs(on_tensors(lambda t: Changed.apply(t) if t.requires_grad else None))


_call(
    "outputs are detached", outputs(on_tensors(lambda t: t.detach() if t.requires_grad else None))
)
_call("gradients are zero", _backward(torch.zeros_like))
_call("gradients are doubled", _backward(lambda g: g * 2))
_call("gradients have the wrong sign", _backward(lambda g: -g))
_call("gradients have passed through bfloat16", _backward(lambda g: g.bfloat16().to(g.dtype)))
_call(
    "gradients lose their imaginary part",
    _backward(lambda g: torch.complex(g.real, torch.zeros_like(g.real)) if g.is_complex() else g),
)
_call(
    "gradients are averaged over an output",
    _backward(lambda g: g.mean().expand_as(g) if g.numel() else g),
)
_call(
    "gradients pass to the first row of an output alone",
    _backward(lambda g: torch.cat([g[:1], torch.zeros_like(g[1:])]) if g.dim() else g),
)
_call("gradients of NaN are zero", _backward(lambda g: g.nan_to_num(0.0)))


def _of_inputs(chosen: Callable[[list[int]], list[int]]) -> Make:
    """A capture in which no gradient reaches the chosen ones of the inputs that ask for one."""

    def make(program: Program, hit: Hit) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            leaves, spec = pytree.tree_flatten((args, kwargs))
            asking = [i for i, leaf in enumerate(leaves)
                      if isinstance(leaf, torch.Tensor) and leaf.requires_grad]  # fmt: skip
            for i in chosen(asking):
                hit()
                leaves[i] = leaves[i].detach()
            args, kwargs = pytree.tree_unflatten(leaves, spec)
            return program.module(*args, **kwargs)

        return run

    return make


_call("no gradient reaches the first input", _of_inputs(lambda asking: asking[:1]))
_call("no gradient reaches the second input", _of_inputs(lambda asking: asking[1:2]))
_call("no gradient reaches any input", _of_inputs(lambda asking: asking))


@_call("no gradient reaches parameters", when=lambda features: features.state)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        hit()
        state = {n: t.detach() for n, t in state_of(program.module).items()}
        return torch.func.functional_call(program.module, state, args, kwargs)

    return run


@_call("no gradient reaches biases", when=lambda features: features.state)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        state = {n: t.detach() if n.endswith("bias") else t
                 for n, t in state_of(program.module).items()}  # fmt: skip
        if any(n.endswith("bias") for n in state):
            hit()
        return torch.func.functional_call(program.module, state, args, kwargs)

    return run


@_call("a backward replaces the gradients that are there", when=lambda features: features.state)
def _(program: Program, hit: Hit) -> Any:
    class Clears(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            for parameter in program.module.parameters():
                if parameter.grad is not None:
                    hit()
                    parameter.grad = None
            return grads[0]

    def run(*args: Any, **kwargs: Any) -> Any:
        return pytree.tree_map(
            lambda t: Clears.apply(t) if isinstance(t, torch.Tensor) and t.requires_grad else t,
            program.module(*args, **kwargs),
        )

    return run


class _Once(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
        return x.view_as(x)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, *grads: Any) -> Any:
        return grads[0]


_call(
    "a gradient cannot be differentiated again",
    outputs(on_tensors(lambda t: _Once.apply(t) if t.requires_grad else None)),
)


def _plain(features: Features) -> bool:
    return not features.compiled  # what is compiled keeps what torch was then


# --- of one operator ---------------------------------------------------------------------------


class _Swapped(torch.autograd.Function):
    """The value of one tensor with the gradient of another."""

    @staticmethod
    def forward(ctx: Any, value: torch.Tensor, other: torch.Tensor) -> torch.Tensor:
        return value.clone()

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        return None, grads[0]


class _Differently(TorchFunctionMode):
    """Gives functions of torch the gradient of another function of the same arguments."""

    def __init__(self, names: str, other: Callable[..., Any], hit: Hit) -> None:
        super().__init__()
        self.names, self.other, self.hit = names.split(), other, hit

    def __torch_function__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        right = func(*args, **(kwargs or {}))
        if getattr(func, "__name__", "").strip("_") not in self.names:
            return right
        if not isinstance(right, torch.Tensor) or not right.requires_grad:
            return right
        if (other := self.other(*args, **(kwargs or {}))) is None:
            return right
        self.hit()
        return _Swapped.apply(right.detach(), other) if other.requires_grad else other


def _of_function(names: str, says: str, other: Callable[..., Any], needs: str) -> None:
    def make(program: Program, hit: Hit) -> Any:
        mode = _Differently(names, other, hit)

        def run(*args: Any, **kwargs: Any) -> Any:
            with mode:
                return program.module(*args, **kwargs)

        return run

    _call(says, make, needs=needs, when=_plain)


def _fixed(x: Any) -> Any:
    return x.detach() if isinstance(x, torch.Tensor) else x


_of_function(
    "relu",
    "the gradient of relu at zero is one",
    lambda x, *a, **k: torch.where(x >= 0, x, 0),
    "relu",
)
_of_function("relu", "the gradient of relu is one everywhere", lambda x, *a, **k: x * 1, "relu")
_of_function("sin", "the gradient of sin has the wrong sign", lambda x: -torch.sin(x), "sin")
_of_function("tanh", "the gradient of tanh is that of sigmoid", lambda x: torch.sigmoid(x), "tanh")
_of_function("sigmoid", "the gradient of sigmoid is that of a line", lambda x: x / 4, "sigmoid")
_of_function(
    "mul", "a product has no gradient for its second factor", lambda x, y: x * _fixed(y), "mul"
)
_of_function(
    "matmul mm linear rmatmul",
    "a matrix product has no gradient for its second factor",
    lambda x, y, *rest: torch.matmul(x, y.detach() if not rest else y.detach().t()),
    "mm addmm",
)
_of_function(
    "sum",
    "the gradient of sum is that of mean",
    lambda x, *a, **k: x.mean() if not a and not k else None,
    "sum",
)
_of_function(
    "mean", "the gradient of mean is that of sum", lambda x, *a, **k: x.sum(*a, **k), "mean"
)
_of_function(
    "softmax",
    "the gradient of softmax is zero",
    lambda x, *a, **k: (x * 0).reshape(x.shape),
    "_softmax",
)
_of_function(
    "layer_norm",
    "the gradient of layer_norm leaves out its statistics",
    lambda x, *a, **k: x * 1,
    "native_layer_norm",
)
_of_function(
    "abs",
    "the gradient of abs at zero is one",
    lambda x: torch.where(x >= 0, x, -x) if not x.is_complex() else None,
    "abs",
)
_of_function(
    "pow",
    "the gradient of pow leaves out the exponent",
    lambda x, e, *a: x**e / e if isinstance(e, int | float) and e else None,
    "pow",
)
_of_function(
    "cumsum",
    "the gradient of cumsum is one",
    lambda x, *a, **k: x * 1 if x.is_floating_point() else None,
    "cumsum",
)
_of_function("clamp", "the gradient of clamp is one everywhere", lambda x, *a, **k: x * 1, "clamp")
_of_function(
    "sub rsub",
    "a difference has the gradient of a sum",
    lambda x, y: x + y if isinstance(y, torch.Tensor) else None,
    "sub",
)
_of_function(
    "getitem",
    "no gradient passes through an index",
    lambda x, i: (x.detach()[i] * 1) if isinstance(i, torch.Tensor) else None,
    "index",
)
_of_function("exp", "the gradient of exp is one", lambda x: x * 1, "exp")
_of_function("log", "the gradient of log is that at one above", lambda x: torch.log(x + 1), "log")
_of_function(
    "div truediv", "a quotient has no gradient for its divisor", lambda x, y: x / _fixed(y), "div"
)
_of_function(
    "max amax",
    "the gradient of max goes to the first element",
    lambda x, *a, **k: x.flatten()[0] * 1 if not a and not k else None,
    "max amax",
)
_of_function("detach", "a gradient passes through detach", lambda x: x * 1, "detach")


@_call("a gradient passes through a block without gradients", when=_plain)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        class Ignored:
            def __init__(self, *a: Any) -> None: ...
            def __enter__(self) -> None:
                hit()

            def __exit__(self, *a: Any) -> None: ...

        sound, torch.no_grad = torch.no_grad, Ignored
        try:
            return program.module(*args, **kwargs)
        finally:
            torch.no_grad = sound

    return run


@_call("gradients are right for the first backward alone")
def _(program: Program, hit: Hit) -> Any:
    seen: list[int] = []

    class Fades(torch.autograd.Function):
        @staticmethod
        def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
            return x.view_as(x)

        @staticmethod
        def backward(ctx: Any, *grads: Any) -> Any:
            seen.append(1)
            if len(seen) == 1:
                return grads[0]
            hit()
            return grads[0] * 0.5

    def run(*args: Any, **kwargs: Any) -> Any:
        return pytree.tree_map(
            lambda t: Fades.apply(t) if isinstance(t, torch.Tensor) and t.requires_grad else t,
            program.module(*args, **kwargs),
        )

    return run


@_call("inputs are left with a gradient by the forward")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        found = program.module(*args, **kwargs)
        for t in tensors((args, kwargs)):
            if t.is_leaf and t.requires_grad:
                hit()
                t.grad = torch.ones_like(t)
        return found

    return run
