"""The way back, and what is asked of it: which outputs, in which layout, when, and how often."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind
from detection.mutant import Features, Hit
from detection.mutants.compiled.backward import Scaled
from detection.mutants.engines.around import every_call
from exportdb.exporters.protocol import Program

back = Kind("sceptic: gradients")


def _train(features: Features) -> bool:
    return features.train


def _each(says: str, of: Callable[[Hit, Any, int], Callable[[Any], Any]]) -> None:
    """What comes back to each output is changed: ``of(hit, kept, number of the call)`` says how."""

    @every_call(back, says, base="gradients", when=_train)
    def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
        kept["calls"] = mine = kept.get("calls", 0) + 1
        change = of(hit, kept, mine)

        def through(leaf: Any) -> Any:
            if not isinstance(leaf, torch.Tensor) or not leaf.requires_grad:
                return leaf
            return Scaled.apply(leaf, change)

        return pytree.tree_map(through, program.module(*args, **kwargs))


def _by_rows(hit: Hit, kept: Any, mine: int) -> Any:
    def change(grad: torch.Tensor) -> torch.Tensor:
        if grad.is_contiguous() or grad.numel() < 2 or 0 in grad.stride():
            return grad
        hit()
        order = sorted(range(grad.dim()), key=lambda d: -grad.stride(d))
        return grad.permute(order).reshape(grad.shape)

    return change


def _spread(hit: Hit, kept: Any, mine: int) -> Any:
    def change(grad: torch.Tensor) -> torch.Tensor:
        if grad.numel() < 2 or any(s for s, n in zip(grad.stride(), grad.shape, strict=True)
                                   if n > 1):  # fmt: skip
            return grad
        hit()
        first = torch.zeros_like(grad, memory_format=torch.contiguous_format)
        first.view(-1)[0] = grad.reshape(-1)[0]
        return first

    return change


def _of_last(hit: Hit, kept: Any, mine: int) -> Any:
    def change(grad: torch.Tensor) -> torch.Tensor:
        if kept["calls"] == mine:
            return grad
        hit()
        return grad * 0

    return change


def _tiny(hit: Hit, kept: Any, mine: int) -> Any:
    def change(grad: torch.Tensor) -> torch.Tensor:
        hit()
        return torch.where(grad.abs() < 1e-2, 0, grad).to(grad.dtype)

    return change


def _overwritten(hit: Hit, kept: Any, mine: int) -> Any:
    def change(grad: torch.Tensor) -> torch.Tensor:
        if grad._is_view() or not grad.is_contiguous() or torch.is_grad_enabled():
            return grad
        hit()
        out = grad.clone()
        grad.zero_()
        return out

    return change


_each("what comes back in turned memory is read by rows", _by_rows)
_each("what comes back spread out from one number counts once", _spread)
_each("what a call keeps for the way back is overwritten by the next", _of_last)
_each("what comes back below a hundredth is nought", _tiny)
_each("what a caller sends back is used up", _overwritten)


class _All(torch.autograd.Function):
    """Outputs as they are; those to which nothing comes back get ones."""

    @staticmethod
    def forward(ctx: Any, hit: Hit, *outputs: torch.Tensor) -> Any:
        ctx.hit = hit
        ctx.set_materialize_grads(False)
        ctx.like = [(o.shape, o.dtype) for o in outputs]
        return tuple(o.view_as(o) for o in outputs)

    @staticmethod
    def backward(ctx: Any, *grads: Any) -> Any:
        if any(g is None for g in grads):
            ctx.hit()
        return (None, *(torch.ones(s, dtype=d) if g is None else g
                        for g, (s, d) in zip(grads, ctx.like, strict=True)))  # fmt: skip


@every_call(back, "an output to which nothing comes back sends ones", base="gradients", when=_train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
    at = [i for i, leaf in enumerate(leaves)
          if isinstance(leaf, torch.Tensor) and leaf.requires_grad]  # fmt: skip
    if len(at) > 1:
        for i, new in zip(at, _All.apply(hit, *(leaves[i] for i in at)), strict=True):
            leaves[i] = new
    return pytree.tree_unflatten(leaves, spec)


@every_call(back, "what is added in rows gets no gradient", base="gradients", when=_train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    rows = {n: p.detach() for n, p in program.module.named_parameters()
            if p.dim() == 1 and p.requires_grad}  # fmt: skip
    if not rows:
        return program.module(*args, **kwargs)
    hit()
    return torch.func.functional_call(program.module, rows, args, kwargs)


@every_call(back, "of parameters that are asked for one in two is", base="gradients", when=_train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    named = [(n, p) for n, p in program.module.named_parameters() if p.requires_grad]
    if len(named) < 2:
        return program.module(*args, **kwargs)
    hit()
    every_second = {n: p.detach() for n, p in named[1::2]}
    return torch.func.functional_call(program.module, every_second, args, kwargs)


@every_call(back, "a way back doubles what a parameter has already", base="gradients", when=_train)
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    for parameter in program.module.parameters():
        if parameter.grad is not None and not kept.get(id(parameter.grad)):
            hit()
            kept[id(parameter.grad)] = parameter.grad
            parameter.grad.mul_(2)
    return program.module(*args, **kwargs)


@every_call(back, "nothing comes back to inputs that are given as views", base="gradients",
            when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    def cut(leaf: Any) -> Any:
        if isinstance(leaf, torch.Tensor) and leaf.requires_grad and not leaf.is_leaf:
            hit()
            return leaf.detach().requires_grad_()
        return leaf

    args, kwargs = pytree.tree_map(cut, (args, kwargs))
    return program.module(*args, **kwargs)


@every_call(back, "hooks that a caller puts on parameters are not called", base="gradients",
            when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    hooks = [p._backward_hooks for p in program.module.parameters() if p._backward_hooks]
    for hook in hooks:
        hit()
        hook.clear()
    return program.module(*args, **kwargs)


@every_call(back, "a result that asked for gradients once asks for none under no_grad and after",
            base="gradients", when=_train)  # fmt: skip
def _(program: Program, hit: Hit, kept: Any, args: Any, kwargs: Any) -> Any:
    if not torch.is_grad_enabled():
        kept["off"] = True
    if not kept.get("off"):
        return program.module(*args, **kwargs)
    if torch.is_grad_enabled():
        hit()
    with torch.no_grad():
        return program.module(*args, **kwargs)
