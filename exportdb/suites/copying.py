"""A deep copy of a module or of inputs that behaves as they do.

Owns what ``copy.deepcopy`` cannot do or does otherwise. What is compared with what afterwards is
left to ``conformance``.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import weakref
from collections.abc import Iterator, Mapping, Sequence
from types import CellType, FunctionType, MethodType
from typing import Any, TypeVar

import torch
from torch.utils import _pytree as pytree

from exportdb.suites.reaching import Cache, attributes, cells, contents_of, keeps, reached

T = TypeVar("T")

_COMPRESSED = (torch.sparse_csr, torch.sparse_csc, torch.sparse_bsr, torch.sparse_bsc)


def copied(value: T) -> T:
    """A deep copy of a module or of inputs, also where torch itself has none: of sparse parameters
    and compressed tensors, of parameters with attributes or with others in their memory, and of
    results with gradients that a module keeps.

    Functions and weak references that lead into a module lead into the copy. What no copies can be
    made of, as of a lock, both have.
    """
    memo: dict[int, Any] = {}
    if not isinstance(value, torch.nn.Module):
        try:
            _copy_results(value, memo)
            _copy_lazy(value, memo)
            return copy.deepcopy(value, dict(memo))
        except (NotImplementedError, RuntimeError):
            return copy.deepcopy(value, memo | _copies_of_sparse(value))
    found = reached(value)
    try:
        memo = _copies_beside_parameters(value)
        return _copied_with_functions(value, found, dict(memo))
    except (NotImplementedError, RuntimeError, TypeError):
        memo |= _copies_of_sparse(value)
        results = (t for t in found if isinstance(t, torch.Tensor) and not t.is_leaf)
        memo |= {id(t): _like(t, t.detach().clone()) for t in results}
        return _copied_with_functions(value, found, _without_copies(found, memo))


def _copied_with_functions(value: T, found: Sequence[Any], memo: dict[int, Any]) -> T:
    """A deep copy, in which functions hold copies of what they close over; ``found`` is all that
    it leads to."""
    functions = [f for f in found if isinstance(f, FunctionType) and keeps(f)]
    made: dict[int, tuple[CellType, CellType]] = {}
    for function in functions:
        closure = (made.setdefault(id(c), (c, CellType()))[1] for c in cells(function))
        memo[id(function)] = _like_function(function, tuple(closure))
    for cache in found:
        if isinstance(cache, Cache):
            inner = memo.get(id(cache.__wrapped__), cache.__wrapped__)
            memo[id(cache)] = functools.lru_cache(**cache.cache_parameters())(inner)
    new = copy.deepcopy(value, memo)
    for old, cell in made.values():
        for contents in contents_of(old):
            cell.cell_contents = copy.deepcopy(contents, memo)
    for function in functions:
        other = memo[id(function)]
        other.__defaults__ = copy.deepcopy(function.__defaults__, memo)
        other.__kwdefaults__ = copy.deepcopy(function.__kwdefaults__, memo)
    if any(type(each) is weakref.ref for each in found):
        _turn_references(new, memo)
    return new


def _like_function(function: FunctionType, closure: tuple[CellType, ...]) -> FunctionType:
    """The same function over other variables."""
    code, names = function.__code__, function.__globals__
    made = FunctionType(code, names, function.__name__, function.__defaults__, closure or None)
    for name in ("__kwdefaults__", "__module__", "__qualname__", "__doc__", "__annotations__"):
        setattr(made, name, getattr(function, name))
    vars(made).update(vars(function))
    return made


def _turn_references(new: Any, memo: Mapping[int, Any]) -> None:
    """Weak references in a copy lead to what was copied, not to what it was copied from."""
    for holder in reached(new):
        names = holder if type(holder) is dict else attributes(holder)
        for name, held in names.items():
            target = held() if type(held) is weakref.ref else None
            if target is not None and id(target) in memo:
                names[name] = weakref.ref(memo[id(target)], held.__callback__)


def _without_copies(found: Sequence[Any], memo: dict[int, Any]) -> dict[int, Any]:
    """``memo`` with the objects of which no copies can be made: locks, files, running generators;
    both have the same."""
    known = (torch.nn.Module, torch.Tensor, FunctionType, dict, list, tuple, set, MethodType)
    for each in reversed(found):
        if not isinstance(each, known):
            try:
                copy.deepcopy(each, dict(memo))
            except Exception:
                memo[id(each)] = each
    return memo


def _copies_of_sparse(value: Any) -> dict[int, torch.Tensor]:
    return {id(t): _like(t, t.detach().clone()) for t in _held(value) if _is_sparse(t)}


def _copy_results(value: Any, memo: dict[int, Any]) -> None:
    """Add copies of the tensors that operators made with gradients, as leaves, which lie in one
    memory as these do."""
    for t in _held(value):
        if not t.is_leaf and t.layout is torch.strided:
            memo[id(t)] = copy.deepcopy(t.detach(), memo).requires_grad_(t.requires_grad)


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
