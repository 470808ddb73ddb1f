"""Wrong gradients of single operators, and results that have no gradient or one too many."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import torch
from torch.nn import functional
from torch.utils import _pytree as pytree

from detection import wrapping
from detection.captures import once
from detection.graphs import Call, bound, graphs_of
from detection.kind import Kind
from detection.mutant import Hit, NothingToBreak
from detection.mutants.engines.around import every_call
from detection.operators import name_of
from exportdb.exporters.protocol import Program

gradients = Kind("guest: gradients")

#: What gives a wrong gradient: see ``graded``.
Wrong = Callable[[Any, Any, int, Call], Any]


def graded(names: str, says: str) -> Callable[[Wrong], None]:
    """A wrong gradient of the operators ``names`` in the exported graph.

    ``wrong`` takes the right gradient, the tensor that it is of, the place of that among those that
    need one, and the call.
    """

    def add(wrong: Wrong) -> None:
        def make(program: Program, hit: Hit) -> Any:
            module, found = once(program).module(), 0
            for graph in graphs_of(module):
                for node in graph.graph.nodes:
                    if name_of(node.target) not in names.split():
                        continue
                    schema = node.target._schema
                    if not schema.is_mutable and not any(r.alias_info for r in schema.returns):
                        node.target, found = _graded(node.target, wrong, hit), found + 1
                graph.recompile()
            if not found:
                raise NothingToBreak
            return module

        gradients.call(says, make, when=lambda f: f.train, base="export", lowers=names)

    return add


def _graded(operator: Any, wrong: Wrong, hit: Hit) -> Callable[..., Any]:
    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = pytree.tree_flatten((args, kwargs))
        at = [
            i
            for i, leaf in enumerate(leaves)
            if isinstance(leaf, torch.Tensor) and leaf.requires_grad
        ]
        if not at or not torch.is_grad_enabled():
            return operator(*args, **kwargs)
        call = bound(operator, args, kwargs)

        class Changed(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, *tensors: Any) -> Any:
                ctx.save_for_backward(*tensors)
                return tuple(t.view_as(t) for t in tensors)

            @staticmethod
            def backward(ctx: Any, *grads: Any) -> Any:
                hit()
                return tuple(
                    wrong(grad, x, place, call) if grad is not None else None
                    for place, (grad, x) in enumerate(zip(grads, ctx.saved_tensors, strict=True))
                )

        for i, t in zip(at, Changed.apply(*[leaves[i] for i in at]), strict=True):
            leaves[i] = t
        args, kwargs = pytree.tree_unflatten(leaves, spec)
        return operator(*args, **kwargs)

    return run


@graded("abs", "abs has a gradient of one at zero")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return torch.where(x == 0, torch.ones_like(grad), grad)


@graded("relu", "relu has a gradient of one at zero")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return torch.where(x == 0, torch.ones_like(grad), grad)


@graded("clamp clamp_min clamp_max hardtanh", "the gradient of clamp is zero at its bounds")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return torch.where(
        (x == (call["min"] if isinstance(call["min"], (int, float)) else math.nan))
        | (x == (call["max"] if isinstance(call["max"], (int, float)) else math.nan)),
        torch.zeros_like(grad),
        grad,
    )


@graded("amax amin max min", "the gradient of an extreme goes to the first of equals")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if x.dim() == 1:
        return torch.where(
            (grad != 0) & (torch.cumsum((grad != 0).flatten(), 0).reshape(grad.shape) > 1),
            torch.zeros_like(grad),
            grad,
        )
    return grad


@graded("maximum minimum", "the gradient of maximum goes to the first of equals")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if (
        isinstance(call["other"], torch.Tensor)
        and call.x.shape == call["other"].shape == grad.shape
    ):
        return torch.where(call.x == call["other"], grad * (2 if place == 0 else 0), grad)
    return grad


@graded("prod cumprod", "the gradient of a product divides by the factor")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return torch.where(x == 0, torch.full_like(grad, math.nan), grad)


@graded("linalg_vector_norm norm", "the gradient of a norm at zero is NaN")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if (x == 0).all():
        return torch.full_like(grad, math.nan)
    return grad


@graded("embedding", "the row of padding_idx has a gradient")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if call["padding_idx"] is not None and call["padding_idx"] >= 0 and x.dim() == 2:
        return grad + functional.one_hot(
            torch.tensor(call["padding_idx"]), grad.shape[0]
        ).unsqueeze(1).to(grad.dtype)
    return grad


@graded("pow", "the gradient of pow by its exponent is zero")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if (
        isinstance(call["exponent"], torch.Tensor)
        and x.shape == call["exponent"].shape
        and torch.equal(x, call["exponent"])
    ):
        return torch.zeros_like(grad)
    return grad


@graded("where", "the gradient of where reaches both sides")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return torch.where(grad == 0, torch.ones_like(grad), grad)


@graded(
    "gather index index_select take_along_dim",
    "the gradient of gathering keeps one of equal indices",
)
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return grad / grad.abs().clamp_min(1)


@graded("softmax log_softmax", "the gradient of softmax leaves out the sum")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return grad + grad.mean()


@graded("layer_norm", "the gradient of layer_norm by its weight is that of its bias")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if x.dim() == 1:
        return grad * 2
    return grad


@graded("mean", "the gradient of a mean is that of a sum")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return grad * 2


@graded("sort topk", "the gradient of sort stays in sorted order")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return grad.flip(-1)


@graded(
    "matmul mm linear bmm",
    "the gradient of a product by a matrix that is broadcast is not summed up",
)
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if x.dim() == 1:
        return grad * 0.5
    return grad


@graded("dropout", "the gradient of dropout leaves out its scale")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if call["train"]:
        return grad * (1 - call["p"])
    return grad


@graded("sqrt", "the gradient of sqrt at zero is zero")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    return torch.where(x == 0, torch.zeros_like(grad), grad)


@graded("atan2", "the gradient of atan2 by its second argument has the wrong sign")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if place == 1:
        return -grad
    return grad


@graded("cumsum", "the gradient of cumsum is a cumsum")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if x.dim():
        return grad.flip(call["dim"])
    return grad


@graded("scaled_dot_product_attention", "attention gives its mask no gradient")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if place == 3:
        return torch.zeros_like(grad)
    return grad


@graded("batch_norm", "the gradient of a batch norm in eval is that of training")
def _(grad: Any, x: Any, place: int, call: Call) -> Any:
    if x.dim() > 1 and not call["training"]:
        return grad - grad.mean(0, keepdim=True)
    return grad


gradients.call(
    "gradients are those of a result without grad",
    wrapping.outputs(
        wrapping.on_tensors(lambda t: t.detach() if t.requires_grad and not t.is_leaf else None)
    ),
    when=lambda f: f.train,
    base="gradients",
)


class _Double(torch.autograd.Function):
    @staticmethod
    def forward(ctx: Any, x: Any) -> Any:
        return x.view_as(x)

    @staticmethod
    @torch.autograd.function.once_differentiable
    def backward(ctx: Any, grad: Any) -> Any:
        return grad.clone()


gradients.call(
    "gradients have no gradient",
    wrapping.outputs(
        wrapping.on_tensors(
            lambda t: _Double.apply(t) if t.requires_grad and t.is_floating_point() else None
        )
    ),
    when=lambda f: f.train,
    base="gradients",
)


@every_call(gradients, "outputs need a gradient also without grad mode", base="gradients")
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    on = torch.is_grad_enabled()
    if on:
        return program.module(*args, **kwargs)
    hit()
    return torch.enable_grad()(program.module)(*args, **kwargs)


@every_call(gradients, "the call runs without grad mode", base="gradients", when=lambda f: f.train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    hit()
    return torch.no_grad()(program.module)(*args, **kwargs)
