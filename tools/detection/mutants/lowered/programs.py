"""What surrounds a graph: how it is called, what it keeps, its gradients, its control flow."""

from __future__ import annotations

import copy
import itertools
from collections.abc import Callable
from typing import Any

import torch
from torch.utils import _pytree as pytree

from detection.kind import Kind, higher_order
from detection.mutant import Hit, NothingToBreak
from exportdb.exporters.protocol import Program

kind = Kind("surroundings")


# --- gradients ----------------------------------------------------------------------------------


def _backward(says: str, wrong: Callable[[torch.Tensor], torch.Tensor | None]) -> None:
    """A capture whose outputs have a gradient that is changed by ``wrong``."""

    def make(program: Program, hit: Hit) -> Any:
        class Edge(torch.autograd.Function):
            @staticmethod
            def forward(ctx: Any, x: torch.Tensor) -> torch.Tensor:
                return x.view_as(x)

            @staticmethod
            def backward(ctx: Any, grad: torch.Tensor) -> Any:
                new = wrong(grad)
                if new is None:
                    return grad
                hit()
                return new

        def run(*args: Any, **kwargs: Any) -> Any:
            def edge(leaf: Any) -> Any:
                asked = isinstance(leaf, torch.Tensor) and leaf.requires_grad and not leaf.is_leaf
                return Edge.apply(leaf) if asked else leaf

            return pytree.tree_map(edge, program.module(*args, **kwargs))

        return run

    kind.call(says, make, base="gradients", when=lambda f: f.train)


_backward("gradients are in half precision", lambda g: g.half().to(g.dtype))
_backward("gradients are clipped to one", lambda g: None if g.is_complex() else g.clamp(-1, 1))
_backward("gradients are averaged over the first axis", lambda g: (
    g.mean(0, keepdim=True).expand_as(g) if g.dim() and g.shape[0] > 1 else None))  # fmt: skip
_backward("gradients of the last row are zero", lambda g: (
    torch.cat([g[:-1], torch.zeros_like(g[-1:])])
    if g.dim() and g.shape[0] > 1 else None))  # fmt: skip
_backward("gradients have the magnitude alone", lambda g: None if g.is_complex() else g.abs())
_backward("gradients are divided by the size of the batch", lambda g: (
    g / g.shape[0] if g.dim() and g.shape[0] > 1 else None))  # fmt: skip
_backward("gradients of outputs that are sums are those of means", lambda g: (
    g * 0.5 if not g.dim() else None))  # fmt: skip


@kind.call("gradients of the smallest parameters are lost", base="gradients",
           when=lambda f: f.train and f.state)  # fmt: skip
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        given = {n: p.detach() if p.dim() <= 1 else p for n, p in program.module.named_parameters()}
        if any(p.dim() <= 1 for p in given.values()):
            hit()
        return torch.func.functional_call(program.module, given, args, kwargs)

    return run


# --- calling ------------------------------------------------------------------------------------


def _leaves(change: Callable[[list[Any]], list[Any]]) -> Any:
    """A capture whose inputs are changed as a flat list."""

    def make(program: Program, hit: Hit) -> Any:
        def run(*args: Any, **kwargs: Any) -> Any:
            leaves, spec = pytree.tree_flatten((args, kwargs))
            new = change(list(leaves))
            if any(a is not b for a, b in zip(leaves, new, strict=True)):
                hit()
            args, kwargs = pytree.tree_unflatten(new, spec)
            return program.module(*args, **kwargs)

        return run

    return make


def _swapped(leaves: list[Any]) -> list[Any]:
    """Neighbours of the same shape and type in each other's place."""
    for i, (a, b) in enumerate(itertools.pairwise(leaves)):
        alike = isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor)
        if alike and (a.shape, a.dtype) == (b.shape, b.dtype):
            leaves[i], leaves[i + 1] = b, a
            break
    return leaves


kind.call("the first two inputs of one shape are swapped", _leaves(_swapped))
kind.call("a number among the inputs is rounded to a whole one", _leaves(
    lambda leaves: [float(int(v)) if isinstance(v, float) and v == v and abs(v) < 1e9 else v
                    for v in leaves]))  # fmt: skip
kind.call("a bool among the inputs is always true", _leaves(
    lambda leaves: [True if isinstance(v, bool) else v for v in leaves]))  # fmt: skip
kind.call("inputs in bfloat16 and half are read as the other", _leaves(
    lambda leaves: [v.view(torch.int16).view(
        torch.float16 if v.dtype is torch.bfloat16 else torch.bfloat16).to(v.dtype)
        if isinstance(v, torch.Tensor) and v.dtype in (torch.bfloat16, torch.float16)
        and v.is_contiguous() else v for v in leaves]))  # fmt: skip
kind.call("values of inputs beyond a thousand are cut", _leaves(
    lambda leaves: [v.clamp(-1000, 1000) if isinstance(v, torch.Tensor) and v.is_floating_point()
                    and v.layout is torch.strided and (v.abs() > 1000).any() else v
                    for v in leaves]))  # fmt: skip
kind.call("small values of inputs are zero", _leaves(
    lambda leaves: [torch.where(v.abs() < 1e-3, 0.0, v).to(v.dtype)
                    if isinstance(v, torch.Tensor) and v.is_floating_point()
                    and v.layout is torch.strided else v for v in leaves]))  # fmt: skip


@kind.call("outputs of one shape are given in the other order")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
        new = _swapped(list(leaves))
        if any(a is not b for a, b in zip(leaves, new, strict=True)):
            hit()
        return pytree.tree_unflatten(new, spec)

    return run


@kind.call("a second output that equals the first is left as it was made")
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        leaves, spec = pytree.tree_flatten(program.module(*args, **kwargs))
        last = leaves[-1] if len(leaves) > 1 else None
        if isinstance(last, torch.Tensor) and last.is_floating_point() and last.dim():
            hit()
            leaves[-1] = torch.zeros_like(last)
        return pytree.tree_unflatten(leaves, spec)

    return run


# --- state --------------------------------------------------------------------------------------


@kind.call("whole-number buffers do not count", when=lambda f: f.changes_state)
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        kept = {
            n: b.clone() for n, b in program.module.named_buffers() if not b.is_floating_point()
        }
        out = program.module(*args, **kwargs)
        for name, buffer in program.module.named_buffers():
            if name in kept and kept[name].shape == buffer.shape and not kept[name].equal(buffer):
                hit()
                buffer.copy_(kept[name])
        return out

    return run


@kind.call("buffers are written once, at the first call", when=lambda f: f.changes_state)
def _(program: Program, hit: Hit) -> Any:
    called = False

    def run(*args: Any, **kwargs: Any) -> Any:
        nonlocal called
        kept = {n: b.clone() for n, b in program.module.named_buffers()} if called else {}
        called = True
        out = program.module(*args, **kwargs)
        for name, buffer in program.module.named_buffers():
            if name in kept and kept[name].shape == buffer.shape:
                hit()
                buffer.detach().copy_(kept[name])
        return out

    return run


@kind.call("tied parameters are two")
def _(program: Program, hit: Hit) -> Any:
    names = [n for n, _ in program.module.named_parameters(remove_duplicate=False)]
    if len(names) == len(list(program.module.parameters())):
        raise NothingToBreak
    module = copy.deepcopy(program.module)
    seen: set[int] = set()
    for owner in module.modules():
        for name, p in list(owner._parameters.items()):
            if p is not None and id(p) in seen:
                owner._parameters[name] = torch.nn.Parameter(p.detach() * 1.5)
            seen.add(id(p))
    hit()
    return module


# --- control flow -------------------------------------------------------------------------------


def _higher(says: str, name: str, wrong: Callable[..., Any], needs: str) -> None:
    higher_order(kind, says, name, wrong, needs)


def _cond_both(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    """Both sides are computed and mixed by a product."""
    a, b = yes(*operands), no(*operands)
    weight = float(bool(condition))
    return pytree.tree_map(
        lambda x, y: (x * weight + y * (1 - weight)).to(x.dtype)
        if isinstance(x, torch.Tensor) and x.shape == y.shape else x, a, b)  # fmt: skip


def _cond_first(sound: Any, condition: Any, yes: Any, no: Any, operands: Any = ()) -> Any:
    return yes(*operands)


def _while(extra: int, most: int = 10**6) -> Any:
    def wrong(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
        carried, count = tuple(carried), 0
        while bool(condition(*carried, *more)) and count < most:
            carried, count = tuple(body(*carried, *more)), count + 1
        for _ in range(extra):
            carried = tuple(body(*carried, *more))
        return carried

    return wrong


def _do_while(sound: Any, condition: Any, body: Any, carried: Any, more: Any = ()) -> Any:
    carried = tuple(body(*carried, *more))
    while bool(condition(*carried, *more)):
        carried = tuple(body(*carried, *more))
    return carried


def _scan(order: Callable[[list[int]], list[int]], keep: bool = True) -> Any:
    def wrong(sound: Any, combine: Any, init: Any, xs: Any, more: Any = ()) -> Any:
        carried, found = tuple(init), []
        n = len(carried)
        for i in order(list(range(xs[0].shape[0]))):
            out = combine(*(carried if keep else tuple(init)), *(x[i] for x in xs), *more)
            carried = tuple(out[:n])
            found.append(out[n:])
        return [*carried, *(torch.stack(list(each)) for each in zip(*found, strict=True))]

    return wrong


_higher("both branches of cond are computed and mixed by a product", "cond", _cond_both, "cond")
_higher("cond takes its first branch", "cond", _cond_first, "cond")
_higher("while_loop makes one turn too many", "while_loop", _while(1), "while_loop")
_higher("while_loop makes no more than two turns", "while_loop", _while(0, 2), "while_loop")
_higher("while_loop makes its first turn without asking", "while_loop", _do_while, "while_loop")
_higher("scan goes backwards", "scan", _scan(lambda i: i[::-1]), "scan")
_higher("scan begins every step with the initial carry", "scan", _scan(lambda i: i, False), "scan")
