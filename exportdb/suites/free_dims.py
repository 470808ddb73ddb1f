"""Which sizes of an example may vary, and which only together: found by trying in eager.

Owns the way from an example of which nothing is declared to named dims with ranges, or hints.
"""

from __future__ import annotations

import warnings
from collections.abc import Callable, Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.suites.varied import Inputs, VariedExample
from exportdb.symbolic.names import parameter_names
from exportdb.symbolic.requested import roots

#: A size of the example: the number of the leaf, and the dim.
Place = tuple[int, int]
#: By how much a size grows when it is tried.
STEPS = (1, 2)
#: How far above the example a range goes where the largest size is not to be had.
FURTHER = 8
#: The largest size of a named dim, and how many elements the largest tensor may then have.
LARGEST, ELEMENTS = 64, 2**16


class Example:
    """A module with the inputs it is called with; all but keyword-only ones are positional."""

    def __init__(
        self, module: torch.nn.Module, args: tuple[Any, ...], kwargs: Mapping[str, Any]
    ) -> None:
        self.module, self.inputs = module, (args, dict(kwargs))
        self.leaves, self._structure = pytree.tree_flatten(self.inputs)
        self._names = list(parameter_names(module)[0])[: len(args)]

    def shapes(self, kind: str) -> tuple[Any, Any]:
        """``dynamic_shapes`` of a kind, and the named dims by which the example is varied.

        ``auto`` and ``dynamic`` give that hint for every size of every tensor, ``named`` a dim for
        each set of sizes that eager lets vary, with a range; ``static`` asks for nothing.
        """
        every = [(i, d) for i, t in enumerate(self.leaves) if _is_plain(t) for d in range(t.dim())]
        if kind == "static" or not every:
            return None, None
        specs: dict[Place, Any] = {}
        # Of 0 and 1 a hint promises nothing.
        least = 0 if kind == "named" else 2
        for number, group in enumerate(self.free_dims()):
            low, high = self.limits(group)
            dim = torch.export.Dim(f"n{number}", min=max(low, least), max=high)
            specs |= dict.fromkeys(group, dim)
        named = self._as_shapes(specs)
        if kind == "named":
            return named, named
        return self._as_shapes(dict.fromkeys(every, getattr(torch.export.Dim, kind.upper()))), named

    def free_dims(self) -> list[list[Place]]:
        """Sets of sizes of two and more that eager lets vary, each by itself.

        A size alone is tried first, then equal sizes at the same axis of all tensors, counted from
        the last and from the first, then all equal sizes: the smallest set that eager takes is
        kept.
        """
        left = [(i, d) for i, t in enumerate(self.leaves) if _is_plain(t)
                for d in range(t.dim()) if t.shape[d] >= 2]  # fmt: skip
        found: list[list[Place]] = []
        ways: Sequence[Callable[[Place], Any]] = (
            lambda p: p,
            lambda p: (self.size(p), self.leaves[p[0]].dim() - p[1]),
            lambda p: (self.size(p), p[1]),
            self.size,
        )
        for alike in ways:
            groups: dict[Any, list[Place]] = {}
            for place in left:
                groups.setdefault(alike(place), []).append(place)
            for group in groups.values():
                size = self.size(group[0])
                if all(self.accepts(group, size + step) for step in STEPS):
                    found.append(group)
            taken = {place for group in found for place in group}
            left = [place for place in left if place not in taken]
        return sorted(found)

    def size(self, place: Place) -> int:
        """The size that the example has there."""
        return int(self.leaves[place[0]].shape[place[1]])

    def limits(self, group: Sequence[Place]) -> tuple[int, int]:
        """The smallest size from which on eager takes all up to the example's, and a large one at
        which no tensor has too many elements."""
        size = low = self.size(group[0])
        refused = -1
        while low - refused > LARGEST:  # thousands of sizes are not tried one by one
            middle = (low + refused) // 2
            low, refused = (middle, refused) if self.accepts(group, middle) else (low, middle)
        while low - 1 > refused and self.accepts(group, low - 1):
            low -= 1
        most = max(leaf.dim() for leaf in self.leaves if _is_plain(leaf))
        for high in (min(LARGEST, int(ELEMENTS ** (1 / most))), size + FURTHER):
            if high > size + max(STEPS) and self.accepts(group, high):
                return low, high
        return low, size + max(STEPS)

    def accepts(self, group: Sequence[Place], size: int) -> bool:
        """Whether eager takes the example with another size in these places."""
        specs = self._as_shapes(dict.fromkeys(group, torch.export.Dim("n")))
        return self._runs(VariedExample(self.module, self.inputs, specs, "").resized({"n": size}))

    def distinct(self, shapes: Any) -> Inputs:
        """The inputs with another size for each dim that ``shapes`` names, where eager takes that:
        symbolic tracing ties sizes together that are equal by accident."""
        example = VariedExample(self.module, self.inputs, shapes, "")
        sizes: dict[str, int] = {}
        for name, dim in roots(shapes).items():
            free = (s for s in range(example.sizes[name], (dim.max or LARGEST) + 1)
                    if s not in sizes.values())  # fmt: skip
            sizes[name] = next(free, example.sizes[name])
        changed = example.resized(sizes)
        return changed if self._runs(changed) else self.inputs

    def _runs(self, inputs: Inputs) -> bool:
        with warnings.catch_warnings(), torch.no_grad():
            warnings.simplefilter("ignore")
            try:
                self.module(*inputs[0], **inputs[1])
            except Exception:
                return False
        return True

    def _as_shapes(self, specs: Mapping[Place, Any]) -> dict[str, Any]:
        """``dynamic_shapes`` by parameter; a tensor of which nothing is asked has None."""
        per_leaf = [
            {d: specs[i, d] for d in range(leaf.dim()) if (i, d) in specs} or None
            if _is_plain(leaf) else None
            for i, leaf in enumerate(self.leaves)
        ]  # fmt: skip
        args, kwargs = pytree.tree_unflatten(per_leaf, self._structure)
        return {**dict(zip(self._names, args, strict=False)), **kwargs}


def _is_plain(leaf: Any) -> bool:
    return type(leaf) in (torch.Tensor, torch.nn.Parameter) and leaf.layout is torch.strided
