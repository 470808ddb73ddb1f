"""Inputs whose sizes break what ``dynamic_shapes`` declares: one tensor alone of another size."""

from __future__ import annotations

from collections.abc import Sequence

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.program import Inputs, LoadedProgram
from exportdb.conformance.sampling.planned import PlannedSample
from exportdb.symbolic.names import input_names
from exportdb.symbolic.requested import RequestedSize, requests


def broken_relations(program: LoadedProgram, module: torch.nn.Module) -> list[PlannedSample]:
    """Samples in which one tensor alone has another size.

    Three kinds of axis: one whose dim stands at two places or more (then the relation between them
    is broken), one that is derived from a dim (then the size is none that can follow from it), and
    one that is static (then the size differs from the example's).
    """
    args, kwargs = program.build()
    leaves, _ = pytree.tree_flatten((args, kwargs))
    names = input_names(module, args, kwargs)
    asked = {(r.leaf, r.dim): r for r in requests(module, args, kwargs, program.dynamic_shapes)}
    named = [r.root.name for r in asked.values() if r.root]
    samples: list[PlannedSample] = []
    static_left, resized = 3, set[int]()
    for index, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor) or leaf.layout is not torch.strided:
            continue
        for axis, size in enumerate(leaf.shape):
            request = asked.get((index, axis))
            if request is None:
                # A static axis: one of each of the first tensors is enough.
                if static_left and size > 1 and index not in resized:
                    resized.add(index)
                    static_left -= 1
                    samples.append(_resized(program, index, axis, size - 1, names))
            elif request.root and named.count(request.root.name) > 1:
                for other in dict.fromkeys((size - 1, 1)):
                    if 0 < other < size:
                        samples.append(_resized(program, index, axis, other, names))
            elif request.root:
                for other in _off_form(request, size):
                    samples.append(_resized(program, index, axis, other, names))
    return samples


def _off_form(request: RequestedSize, size: int) -> list[int]:
    """Sizes that a derived dim cannot have, whatever the size of its root; none for a root."""
    if request.size(3) == 3 and request.size(7) == 7:
        return []
    wanted = dict.fromkeys(
        (size - 1, 1, 0, request.size(request.root.min if request.root else 0) - 1)
    )
    return [s for s in wanted if 0 <= s < size and not _follows(request, s)]


def _follows(request: RequestedSize, size: int) -> bool:
    """Whether a size follows from one of the root's that is declared."""
    root, solved = request.root, request.root_size(size)
    return root is not None and solved is not None and root.holds(solved)


def _resized(
    program: LoadedProgram, index: int, axis: int, size: int, names: Sequence[str]
) -> PlannedSample:
    def build() -> Inputs:
        leaves, spec = pytree.tree_flatten(program.build())
        old = leaves[index]
        with torch.no_grad():
            leaves[index] = old.narrow(axis, 0, size).clone().requires_grad_(old.requires_grad)
        rebuilt: Inputs = pytree.tree_unflatten(leaves, spec)
        return rebuilt

    return PlannedSample("rejects", f"{names[index]}.size({axis})={size} alone", build)
