"""An example that is varied: other sizes where ``dynamic_shapes`` lets them, other values.

Owns guessing values that a program takes as it took the example's. Which sizes are tried is left
to ``exportdb.conformance``.
"""

from __future__ import annotations

import copy
from collections.abc import Mapping, Sequence
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import DimRange
from exportdb.suites.protocol import ProgramError
from exportdb.symbolic.requested import RequestedSize, requests

Inputs = tuple[tuple[Any, ...], dict[str, Any]]


class VariedExample:
    """Inputs of a module, and others like them.

    ``sizes`` are those of the example that may vary: by the name of their dim, and by where they
    are (``x.size()[0]``) if they were given a hint only. ``ranges`` are those of the hints.
    """

    def __init__(
        self, module: torch.nn.Module, inputs: Inputs, dynamic_shapes: Any, where: str
    ) -> None:
        self._inputs, self._where = inputs, where
        leaves = pytree.tree_leaves(inputs)
        self._asked = [
            r for r in requests(module, *inputs, dynamic_shapes) if _varies(leaves[r.leaf], r)
        ]
        self.sizes: dict[str, int] = {}
        self.ranges: dict[str, DimRange] = {}
        for request in self._asked:
            leaf = leaves[request.leaf]
            self._note(request, leaf if request.dim is None else leaf.shape[request.dim])

    def _note(self, request: RequestedSize, size: int) -> None:
        name, root = _name(request), request.root_size(size)
        if root is None or self.sizes.setdefault(name, root) != root:
            also = f", and {name} is {self.sizes[name]}" if name in self.sizes else ""
            raise ProgramError(
                self._where, f"{request.source} is {size} in the example, but dynamic_shapes "
                f"says that it is {request.asked}{also}",
            )  # fmt: skip
        if request.root is None:
            low, high = (getattr(request.spec, end, None) for end in ("min", "max"))
            # Without bounds of its own a hint promises nothing of 0 and 1, which tracing treats
            # apart: what becomes of them is worth knowing all the same.
            self.ranges[name] = DimRange(min(size, 2) if low is None else low, high)

    def copied(self) -> Inputs:
        """The example, as copies that share memory as it does."""
        args, kwargs = pytree.tree_map_only(torch.Tensor, _leaf_of_autograd, self._inputs)
        return copy.deepcopy((args, kwargs))

    def resized(self, sizes: Mapping[str, int]) -> Inputs:
        """Inputs with other values and these sizes; others are as in the example.

        Raises ProgramError for what cannot have another size: a sparse tensor, say.
        """
        leaves, structure = pytree.tree_flatten(self._inputs)
        shapes = {i: list(t.shape) for i, t in enumerate(leaves) if isinstance(t, torch.Tensor)}
        for request in self._asked:
            size = request.size(sizes.get(_name(request), self.sizes[_name(request)]))
            if request.dim is None:
                leaves[request.leaf] = size
            else:
                shapes[request.leaf][request.dim] = size
        made: dict[tuple[int, tuple[int, ...]], torch.Tensor] = {}  # a tensor given twice is one
        for i, shape in shapes.items():
            key = id(leaves[i]), tuple(shape)
            if key not in made:
                made[key] = self._like(leaves[i], shape)
            leaves[i] = made[key]
        found: Inputs = pytree.tree_unflatten(leaves, structure)
        return found

    def _like(self, tensor: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
        plain = type(tensor) in (torch.Tensor, torch.nn.Parameter)
        if not plain or tensor.layout is not torch.strided or tensor.is_quantized or tensor.is_meta:
            if list(tensor.shape) == list(shape):
                return copy.deepcopy(_leaf_of_autograd(tensor))
            raise ProgramError(
                self._where, f"a tensor of the type {type(tensor).__name__} ({tensor.layout}) "
                "cannot be given another size; say how with inputs=",
            )  # fmt: skip
        new = _laid_out(_values(tensor.detach().cpu(), shape).to(tensor.device), tensor)
        return new.requires_grad_(tensor.requires_grad)


def _varies(leaf: Any, request: RequestedSize) -> bool:
    return isinstance(leaf, torch.Tensor) if request.dim is not None else type(leaf) is int


def _name(request: RequestedSize) -> str:
    return request.root.name if request.root else request.source


def _leaf_of_autograd(tensor: torch.Tensor) -> torch.Tensor:
    """A tensor that can be copied: one that was computed with gradients cannot be."""
    return tensor if tensor.is_leaf else tensor.detach().requires_grad_(tensor.requires_grad)


def _laid_out(new: torch.Tensor, like: torch.Tensor) -> torch.Tensor:
    for layout in (torch.channels_last, torch.channels_last_3d):
        fits = like.dim() == (4 if layout is torch.channels_last else 5)
        if fits and not like.is_contiguous() and like.is_contiguous(memory_format=layout):
            return new.contiguous(memory_format=layout)
    return new


def _values(seen: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    """Values of the kind that ``seen`` has, in another shape.

    Steps go on as they are (positions), one or two values are drawn from (a mask, a constant),
    numbers that are never negative are spread evenly between the ends, whole numbers as well;
    other numbers are normal with the same mean and deviation.
    """
    size = list(shape)
    if not seen.numel() or seen.is_complex():
        wide = torch.complex128 if seen.is_complex() else None
        return torch.randn(size, dtype=wide).to(seen.dtype)
    # Of float8, say, hardly anything is implemented; its values are exact as float32.
    known = (seen.float() if seen.is_floating_point() and seen.itemsize < 2 else seen).unique()
    if (step := _step(seen)) is not None:
        first = seen.select(-1, 0).min()
        return (first + step * torch.arange(shape[-1])).to(seen.dtype).expand(size).clone()
    if known.numel() <= 2 or not known.isfinite().all():
        flat = seen.flatten()
        return flat[torch.randint(flat.numel(), size)]
    if not seen.is_floating_point():
        return torch.randint(int(seen.min()), int(seen.max()) + 1, size, dtype=seen.dtype)
    wide = seen.double()
    if wide.min() >= 0:
        made = wide.min() + (wide.max() - wide.min()) * torch.rand(size, dtype=torch.double)
    else:
        made = wide.mean() + wide.std() * torch.randn(size, dtype=torch.double)
    return made.to(seen.dtype)


def _step(seen: torch.Tensor) -> Any:
    """By how much whole numbers rise or fall along the last axis, the same in all rows, or None."""
    if seen.is_floating_point() or seen.is_complex() or seen.dtype is torch.bool:
        return None
    if seen.dim() == 0 or seen.shape[-1] < 3:
        return None
    steps = seen.diff(dim=-1).unique()
    first = seen.select(-1, 0).unique()
    return steps[0] if len(steps) == len(first) == 1 and steps[0] != 0 else None
