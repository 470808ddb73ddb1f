"""Where the numbers of a program's inputs stand, and inputs with other numbers there.

A *point* gives the sizes that ``inputs()`` takes, by name, and numbers that are read from the
inputs: ``k`` for an int or float among them, ``k[1]`` for an element of a small integer tensor.
Building inputs at a point, and which sizes of which tensor follow from which size of ``inputs()``,
is all that this module knows.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.program import Inputs, LoadedProgram
from exportdb.symbolic.names import input_names

Number = int | float
Point = Mapping[str, Number]
#: A size or number as a sum: the constant, and by how much each size of ``inputs()`` counts.
Sum = tuple[int, Mapping[str, int]]

#: Integer tensors of at most so many elements are taken for numbers that the program reads.
FEW_ELEMENTS = 4


@dataclass(frozen=True)
class Places:
    """The leaves of the example's inputs, with their names."""

    program: LoadedProgram
    names: Sequence[str]
    leaves: Sequence[Any]

    @staticmethod
    def of(program: LoadedProgram, module: torch.nn.Module) -> Places:
        """Those of a program. Raises what its ``inputs()`` raises."""
        args, kwargs = program.build()
        names = input_names(module, args, kwargs)
        return Places(program, names, pytree.tree_leaves((args, kwargs)))

    @cached_property
    def sums(self) -> dict[tuple[int, int | None], Sum]:
        """What follows from the sizes of ``inputs()``: by leaf and axis (None for an int).

        Found by building inputs with each size a little larger; what does not follow as a sum of
        multiples is left out.
        """
        example = dict(self.program.example_sizes)
        before = _measured(self.leaves)
        moved = {}
        for name, size in example.items():
            for step in (1, 2, -1):
                if (found := self._measured_at({name: size + step})) is not None:
                    moved[name] = step, found
                    break
        sums: dict[tuple[int, int | None], Sum] = {}
        for place, size in before.items():
            slopes = {}
            for name, (step, found) in moved.items():
                slope, rest = divmod(found.get(place, size) - size, step)
                if slope and not rest:
                    slopes[name] = slope
            if slopes:
                sums[place] = size - sum(example[n] * s for n, s in slopes.items()), slopes
        again = self._measured_at({name: size + 3 for name, size in example.items()})
        if again is not None:
            return {p: s for p, s in sums.items() if again.get(p) == _at(s, example, 3)}
        return sums

    def _measured_at(self, sizes: Mapping[str, int]) -> dict[tuple[int, int | None], int] | None:
        try:
            leaves = pytree.tree_leaves(self.program.build(sizes))
        except Exception:  # inputs() may refuse these sizes
            return None
        return _measured(leaves) if len(leaves) == len(self.leaves) else None

    @cached_property
    def numbers(self) -> dict[str, tuple[int, int | None]]:
        """The numbers among the inputs that no size decides: leaf, and element of a tensor."""
        found: dict[str, tuple[int, int | None]] = {}
        for i, (name, leaf) in enumerate(zip(self.names, self.leaves, strict=True)):
            if type(leaf) in (int, float) and (i, None) not in self.sums:
                found[name] = i, None
            elif is_read(leaf):
                for element in range(leaf.numel()):
                    index = [int(n) for n in torch.unravel_index(torch.tensor(element), leaf.shape)]
                    found[f"{name}{index if index else ''}"] = i, element
        return found

    @cached_property
    def whole(self) -> bool:
        """Whether a tensor among the inputs holds whole numbers."""
        return any(is_whole(leaf) for leaf in self.leaves)

    @cached_property
    def example(self) -> dict[str, Number]:
        """The point of the example."""
        numbers = {
            name: self.leaves[i] if element is None else int(self.leaves[i].flatten()[element])
            for name, (i, element) in self.numbers.items()
        }
        return {**self.program.example_sizes, **numbers}

    def build(self, point: Point, draw: int = 0) -> Inputs:
        """Inputs at a point; what it does not name is as in the example."""
        sizes = {n: int(point[n]) for n in self.program.example_sizes if n in point}
        changed = sizes != {n: self.program.example_sizes[n] for n in sizes}
        inputs = self.program.build(sizes if changed or draw else None, draw)
        wanted = {n: point[n] for n in self.numbers if n in point and point[n] != self.example[n]}
        if not wanted:
            return inputs
        leaves, structure = pytree.tree_flatten(inputs)
        for name, value in wanted.items():
            leaf, element = self.numbers[name]
            if element is None:
                leaves[leaf] = value
            else:
                leaves[leaf] = leaves[leaf].clone()
                leaves[leaf].view(-1)[element] = value
        rebuilt: Inputs = pytree.tree_unflatten(leaves, structure)
        return rebuilt


def is_whole(leaf: Any) -> bool:
    """Whether it is a plain tensor of whole numbers."""
    whole = torch.int64, torch.int32, torch.int16, torch.int8, torch.uint8
    return type(leaf) is torch.Tensor and leaf.layout is torch.strided and leaf.dtype in whole


def is_read(leaf: Any) -> bool:
    """Whether it is a tensor of few whole numbers, which programs read."""
    return (
        is_whole(leaf)
        and 0 < leaf.numel() <= FEW_ELEMENTS
        and leaf.is_contiguous()
        and leaf.device.type == "cpu"
    )


def _measured(leaves: Sequence[Any]) -> dict[tuple[int, int | None], int]:
    found: dict[tuple[int, int | None], int] = {}
    for i, leaf in enumerate(leaves):
        if isinstance(leaf, torch.Tensor) and leaf.layout is torch.strided:
            found |= {(i, axis): int(size) for axis, size in enumerate(leaf.shape)}
        elif type(leaf) is int:
            found[i, None] = leaf
    return found


def _at(found: Sum, sizes: Mapping[str, int], more: int) -> int:
    constant, slopes = found
    return constant + sum((sizes[name] + more) * slope for name, slope in slopes.items())
