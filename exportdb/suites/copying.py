"""A deep copy of a module or of inputs that behaves as they do.

Owns what ``copy.deepcopy`` cannot do or does otherwise. What is compared with what afterwards is
left to ``conformance``.
"""

from __future__ import annotations

import contextlib
import copy
from collections.abc import Iterator, Mapping
from typing import Any, TypeVar

import torch
from torch.utils import _pytree as pytree

T = TypeVar("T")

_COMPRESSED = (torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)


def copied(value: T) -> T:
    """A deep copy of a module or of inputs, also where torch itself has none: of sparse parameters
    and compressed tensors, and of parameters with attributes or with others in their memory."""
    memo: dict[int, Any] = {}
    try:
        if isinstance(value, torch.nn.Module):
            memo = dict(_copies_beside_parameters(value))
        else:
            _copy_lazy(value, memo)
        return copy.deepcopy(value, dict(memo))
    except (NotImplementedError, RuntimeError):
        memo |= {id(t): _like(t, t.detach().clone()) for t in _held(value) if _is_sparse(t)}
        return copy.deepcopy(value, memo)


def _copy_lazy(value: Any, memo: dict[int, Any]) -> None:
    """Add copies of the tensors that are to be read as conjugated or negated, which copies of
    torch's are no longer, and of what shares their memory."""
    for t in _held(value):
        if t.layout is torch.strided and not t.requires_grad and (t.is_conj() or t.is_neg()):
            held = t.conj() if t.is_conj() else torch._neg_view(t)
            made = copy.deepcopy(held, memo)
            memo[id(t)] = made.conj() if t.is_conj() else torch._neg_view(made)


def _copies_beside_parameters(module: torch.nn.Module) -> dict[int, torch.Tensor]:
    """By ``id``, copies of the parameters of a module that have attributes of their own, and of
    the tensors that share memory with a parameter: the deep copy of a parameter has no attributes
    and memory of its own, whatever else is copied with it."""
    groups: dict[object, dict[int, torch.Tensor]] = {}
    for tensor in _held(module):
        plain = type(tensor) in (torch.Tensor, torch.nn.Parameter) and tensor.is_leaf
        if plain and tensor.layout is torch.strided:  # another has no one memory to copy
            groups.setdefault(memory_of(tensor), {})[id(tensor)] = tensor
    return {
        key: made
        for group in groups.values()
        if any(_is_parameter(t) and (len(group) > 1 or vars(t)) for t in group.values())
        for key, made in _copied_together(group)
    }


def _copied_together(group: Mapping[int, torch.Tensor]) -> Iterator[tuple[int, torch.Tensor]]:
    memory = next(iter(group.values())).untyped_storage().clone()
    for key, t in group.items():
        place = t.storage_offset(), t.size(), t.stride()
        made = torch.empty(0, dtype=t.dtype, device=t.device).set_(memory, *place)
        yield key, _like(t, made)


def _like(tensor: torch.Tensor, made: torch.Tensor) -> torch.Tensor:
    """``made`` with what ``tensor`` is besides its values: a parameter, its attributes."""
    if _is_parameter(tensor):
        made = torch.nn.Parameter(made, tensor.requires_grad)
    made.requires_grad_(tensor.requires_grad)
    vars(made).update(copy.deepcopy(vars(tensor)))
    return made


def _is_sparse(tensor: torch.Tensor) -> bool:
    return tensor.layout is torch.sparse_coo or tensor.layout in _COMPRESSED


def _is_parameter(tensor: torch.Tensor) -> bool:
    return isinstance(tensor, torch.nn.Parameter)


def _held(value: Any) -> Iterator[torch.Tensor]:
    leaves = pytree.tree_leaves(value)
    if isinstance(value, torch.nn.Module):
        parts = [(vars(m), m._parameters, m._buffers) for m in value.modules()]
        leaves = [leaf for each in parts for named in each for leaf in named.values()]
    yield from (leaf for leaf in leaves if isinstance(leaf, torch.Tensor))


def memory_of(tensor: torch.Tensor) -> object:
    """What is equal for tensors in one memory; a tensor that has none is alone with itself."""
    if tensor.layout is torch.strided and tensor.numel():
        with contextlib.suppress(RuntimeError, NotImplementedError):  # a subclass without storage
            return int(tensor.untyped_storage()._cdata)
    return "object", id(tensor)
