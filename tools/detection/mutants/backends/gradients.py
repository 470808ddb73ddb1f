"""Gradients that are changed on their way back."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from detection.kind import Kind
from detection.mutant import Hit
from detection.mutants.compiled.backward import Scaled
from detection.wrapping import (
    inputs,
    on_tensors,
    outputs,
)  # fmt: skip
from exportdb.exporters.protocol import Program

grown = Kind("backend: gradients")


def _backwards(says: str, change: Callable[[torch.Tensor], Any], test: Any = None) -> None:
    def of(leaf: torch.Tensor) -> Any:
        if not leaf.requires_grad or (test is not None and not test(leaf)):
            return None
        return Scaled.apply(leaf, change)

    grown.call(says, outputs(on_tensors(of)), base="gradients")


_backwards("gradients of several dims come back turned where that fits",
           lambda g: g.mT if g.dim() == 2 and g.shape[0] == g.shape[1] else g)  # fmt: skip
_backwards("gradients are rounded to three digits", lambda g: (g * 1000).round() / 1000)
_backwards("gradients of one number are one",
           lambda g: torch.ones_like(g), lambda t: t.numel() == 1)  # fmt: skip
_backwards("gradients of the first output row come to all",
           lambda g: g[:1].expand_as(g) if g.dim() else g)  # fmt: skip
_backwards("negative gradients are nought", lambda g: g.clamp(min=0) if not g.is_complex() else g)


def _leaves(says: str, change: Callable[[torch.Tensor], Any], test: Callable[[Any], bool]) -> None:
    """What comes back to inputs that pass ``test`` is changed."""

    def of(leaf: torch.Tensor) -> Any:
        return Scaled.apply(leaf, change) if leaf.requires_grad and test(leaf) else None

    grown.call(says, inputs(on_tensors(of)), base="gradients",
               when=lambda f: f.train)  # fmt: skip


_leaves("no gradient reaches inputs of two dims or more", torch.zeros_like, lambda t: t.dim() > 1)
_leaves("what comes back to inputs is the sum of it", lambda g: g.sum().expand_as(g),
        lambda t: t.numel() > 1)  # fmt: skip


@grown.call("parameters used by two modules have the gradient of one half", base="gradients",
            when=lambda f: f.train and f.state)  # fmt: skip
def _(program: Program, hit: Hit) -> Any:
    named = list(program.module.named_parameters(remove_duplicate=False))
    seen = [id(p) for _, p in named]
    shared = {n: p for n, p in named if seen.count(id(p)) > 1}

    def run(*args: Any, **kwargs: Any) -> Any:
        if not shared:
            return program.module(*args, **kwargs)
        hit()
        changed = {n: Scaled.apply(p, lambda g: g / 2) for n, p in shared.items()}
        return torch.func.functional_call(program.module, changed, args, kwargs, tie_weights=False)

    return run


@grown.call("biases and other parameters of one dim are frozen", base="gradients",
            when=lambda f: f.train and f.state)  # fmt: skip
def _(program: Program, hit: Hit) -> Any:
    def run(*args: Any, **kwargs: Any) -> Any:
        frozen = {n: p.detach() for n, p in program.module.named_parameters() if p.dim() == 1}
        if frozen:
            hit()
        return torch.func.functional_call(program.module, frozen, args, kwargs)

    return run
