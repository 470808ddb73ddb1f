"""Which sizes of an example may vary, and which only together: found by trying in eager.

Owns the way from an example of which nothing is declared to named dims with ranges, or hints.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.suites.varied import VariedExample

#: A size of the example: the number of the leaf, and the dim.
Place = tuple[int, int]
#: By how much a size grows when it is tried.
STEPS = (1, 2)
#: The largest size of a named dim, and how many elements the largest tensor may then have.
LARGEST, ELEMENTS = 64, 2**16
#: The ways to ask for dims, by the name that a program's ID has.
KINDS = ("auto", "dynamic", "named", "static")


def shapes(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], kind: str
) -> tuple[Any, Any]:
    """``dynamic_shapes`` of a kind for an example, and the named dims by which it is varied.

    ``auto`` and ``dynamic`` give that hint for every size of every tensor, ``named`` a dim for
    each set of sizes that eager lets vary, with a range; ``static`` asks for nothing.
    """
    names = _parameters(module, len(args), kwargs)
    leaves, structure = pytree.tree_flatten((args, dict(kwargs)))
    if kind == "static" or not any(_is_plain(leaf) for leaf in leaves):
        return None, None
    specs: dict[Place, Any] = {}
    groups = free_dims(module, args, kwargs)
    top = _largest(leaves)
    for number, group in enumerate(groups):
        size = _size(leaves, group[0])
        dim = torch.export.Dim(f"n{number}", max=max(top, size + 2))
        specs |= dict.fromkeys(group, dim)
    named = _as_shapes(leaves, structure, names, specs)
    if kind == "named":
        return named, named
    hint = getattr(torch.export.Dim, kind.upper())
    every = {(i, d): hint for i, leaf in enumerate(leaves) if _is_plain(leaf)
             for d in range(leaf.dim())}  # fmt: skip
    return _as_shapes(leaves, structure, names, every), named


def free_dims(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]
) -> list[list[Place]]:
    """Sets of sizes of two and more that eager lets vary, each by itself.

    A size alone is tried first, then equal sizes at the same axis of all tensors, counted from the
    last and from the first, then all equal sizes: the smallest set that eager takes is kept.
    """
    leaves = pytree.tree_leaves((args, dict(kwargs)))
    left = [(i, d) for i, t in enumerate(leaves) if _is_plain(t) for d in range(t.dim())
            if t.shape[d] >= 2]  # fmt: skip
    found: list[list[Place]] = []
    for candidates in (_alone, _from_last, _from_first, _equal):
        for group in candidates(left, leaves):
            if all(_accepts(module, args, kwargs, group, step) for step in STEPS):
                found.append(group)
        taken = {place for group in found for place in group}
        left = [place for place in left if place not in taken]
    return sorted(found)


def distinct(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any], shapes: Any
) -> tuple[tuple[Any, ...], Mapping[str, Any]]:
    """The example with another size for each dim that ``shapes`` names, where eager takes that:
    symbolic tracing ties sizes together that are equal by accident."""
    example = VariedExample(module, (args, dict(kwargs)), shapes, "")
    taken: set[int] = set()
    sizes: dict[str, int] = {}
    for name, size in example.sizes.items():
        while size in taken:
            size += 1
        taken.add(size)
        sizes[name] = size
    changed = example.resized(sizes)
    return changed if _runs(module, *changed) else (args, kwargs)


def _alone(left: Sequence[Place], leaves: Sequence[Any]) -> Iterator[list[Place]]:
    yield from ([place] for place in left)


def _from_last(left: Sequence[Place], leaves: Sequence[Any]) -> Iterator[list[Place]]:
    yield from _grouped(left, lambda p: (_size(leaves, p), leaves[p[0]].dim() - p[1]))


def _from_first(left: Sequence[Place], leaves: Sequence[Any]) -> Iterator[list[Place]]:
    yield from _grouped(left, lambda p: (_size(leaves, p), p[1]))


def _equal(left: Sequence[Place], leaves: Sequence[Any]) -> Iterator[list[Place]]:
    yield from _grouped(left, lambda p: _size(leaves, p))


def _grouped(places: Iterable[Place], key: Callable[[Place], Any]) -> list[list[Place]]:
    groups: dict[Any, list[Place]] = {}
    for place in places:
        groups.setdefault(key(place), []).append(place)
    return [group for group in groups.values() if len(group) > 1]


def _accepts(
    module: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any],
    group: Sequence[Place], step: int,
) -> bool:  # fmt: skip
    leaves, structure = pytree.tree_flatten((args, dict(kwargs)))
    dim = torch.export.Dim("n")
    specs = _as_shapes(
        leaves, structure, _parameters(module, len(args), kwargs), dict.fromkeys(group, dim)
    )
    size = _size(leaves, group[0]) + step
    return _runs(module, *VariedExample(module, (args, dict(kwargs)), specs, "").resized({"n": size}))


def _runs(module: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]) -> bool:
    with warnings.catch_warnings(), torch.no_grad():
        warnings.simplefilter("ignore")
        try:
            module(*args, **kwargs)
        except Exception:
            return False
    return True


def _as_shapes(
    leaves: Sequence[Any], structure: Any, names: Sequence[str], specs: Mapping[Place, Any]
) -> dict[str, Any]:
    """``dynamic_shapes`` by parameter; a tensor of which nothing is asked has None."""
    per_leaf = [
        {d: specs[i, d] for d in range(leaf.dim()) if (i, d) in specs} or None
        if _is_plain(leaf) else None
        for i, leaf in enumerate(leaves)
    ]  # fmt: skip
    args, kwargs = pytree.tree_unflatten(per_leaf, structure)
    return dict(zip(names, args, strict=False)) | kwargs


def _parameters(module: torch.nn.Module, count: int, kwargs: Mapping[str, Any]) -> list[str]:
    from exportdb.symbolic.names import parameter_names

    return list(parameter_names(module)[0])[:count]


def _is_plain(leaf: Any) -> bool:
    return type(leaf) in (torch.Tensor, torch.nn.Parameter) and leaf.layout is torch.strided


def _size(leaves: Sequence[Any], place: Place) -> int:
    return int(leaves[place[0]].shape[place[1]])


def _largest(leaves: Sequence[Any]) -> int:
    """The largest size of all dims at which no tensor has too many elements."""
    most = max((leaf.dim() for leaf in leaves if _is_plain(leaf)), default=1)
    return min(LARGEST, int(ELEMENTS ** (1 / max(most, 1))))
