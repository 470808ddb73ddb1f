"""What a caller who trains a module does between two calls of it.

Owns the changes: parameters and buffers hold other values, parameters have a gradient already and a
hook on the one to come, and inputs are results of operators, not leaves. Who is asked about that is
left to ``eager`` and ``trial``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Collection, Iterator
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.observing import State, holds_values, named_tensors
from exportdb.conformance.program import Inputs

#: What parameters and buffers are multiplied by: no sign changes, nothing becomes NaN, and what was
#: within bounds stays there.
FACTOR = 0.75


def changeable(state: State) -> set[str]:
    """The names of the parameters and buffers that a step changes."""
    return {name for name, tensor in state.items() if _is_plain(tensor)}


@contextlib.contextmanager
def stepped(owner: torch.nn.Module, names: Collection[str], train: bool) -> Iterator[None]:
    """``owner`` after a training step, which has changed the tensors that ``names`` are of.

    With ``train`` those that are parameters have a gradient, to which another is added, and a hook
    on that. Which do is told by ``names`` alone: an owner may lay out what it holds as it likes.
    """
    state = named_tensors(owner)
    with torch.no_grad():
        values = {name: state[name] * FACTOR for name in names if name in state}
        for name, new in values.items():
            state[name].copy_(new)
    hooks = []
    changed = {id(state[name]) for name in values}
    for parameter in owner.parameters() if train else ():
        if parameter.requires_grad and id(parameter) in changed:
            parameter.grad = torch.ones_like(parameter)
            hooks.append(parameter.register_hook(_doubled))
    try:
        yield
    finally:
        for hook in hooks:
            hook.remove()


def as_results(inputs: Inputs) -> Inputs:
    """``inputs``, with a result of an operator in place of each leaf that asks for a gradient."""
    made: Callable[[Any], Any] = lambda v: v.clone() if _asks(v) else v  # noqa: E731
    return pytree.tree_map(made, inputs)


def _asks(value: Any) -> bool:
    return type(value) is torch.Tensor and value.requires_grad and value.is_leaf


def _is_plain(tensor: torch.Tensor) -> bool:
    return (
        type(tensor) in (torch.Tensor, torch.nn.Parameter)
        and tensor.is_floating_point()
        and tensor.layout is torch.strided
        and not tensor.is_inference()
        and holds_values(tensor)
        and torch._debug_has_internal_overlap(tensor) == 0  # places that are one
    )


def _doubled(gradient: torch.Tensor) -> torch.Tensor:
    return gradient * 2
