"""Which samples an examination tries: those it makes from the dims and the case's own.

Owns the choice of sizes: where a capture that looks right on its example goes wrong is at the
ends of a range, at 0 and 1, at other parities, where two sizes happen to be equal, and where a
relation between inputs is broken. Pure but for building the inputs.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from itertools import islice
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import DimRange
from exportdb.conformance.options import Options
from exportdb.conformance.program import Inputs, LoadedProgram
from exportdb.records.record import Role
from exportdb.symbolic.names import input_names
from exportdb.symbolic.requested import requests


@dataclass(frozen=True)
class PlannedSample:
    """One set of inputs to try: its role, a name stable from run to run, and how to build it."""

    role: Role
    name: str
    build: Callable[[], Inputs]
    sizes: Mapping[str, int] = field(default_factory=dict)
    own: bool = False  # yielded by the program itself
    guessed: bool = False  # nobody but eager knows whether it is to be accepted


def plan(program: LoadedProgram, module: torch.nn.Module, options: Options) -> list[PlannedSample]:
    """All samples of a program, the example first. Raises what ``inputs()`` raises on it."""
    example = dict(program.example_sizes)

    def made(role: Role, name: str, sizes: Mapping[str, int] | None) -> PlannedSample:
        build = partial(program.build, sizes, draw=1)
        guessed = program.definition.guessed
        return PlannedSample(role, name, build, sizes or example, guessed=guessed)

    # The same sizes and other values: a value of the example that was baked in shows here.
    samples = [
        PlannedSample("example", "example", program.build, example),
        made("accepts", "other values", None),
    ]
    varied = islice(made_sizes(program.dims, example, options.max_size), options.max_samples)
    for role, sizes in varied:
        samples.append(made(role, ", ".join(f"{k}={v}" for k, v in sizes.items()), sizes))
    for role in ("accepts", "rejects"):
        for i, inputs in enumerate(program.own_samples(role)):
            samples.append(PlannedSample(role, f"{role}[{i}]", partial(_given, inputs), own=True))
    samples += _broken_relations(program, module)
    return samples


def for_metadata(samples: Sequence[PlannedSample]) -> list[PlannedSample]:
    """The samples that a prediction from sizes, strides and dtypes can be held to.

    What must be refused for its values alone is not put to it: the case's own rejected samples,
    and made ones that look like an accepted one.
    """
    accepted = [_outline(s) for s in samples if s.role != "rejects"]
    return [
        s for s in samples if s.role != "rejects" or (not s.own and _outline(s) not in accepted)
    ]


def _outline(sample: PlannedSample) -> Any:
    """What can be known of a sample without its values; of one that cannot be built, its name."""
    try:
        leaves, structure = pytree.tree_flatten(sample.build())
    except Exception:  # inputs() may refuse these sizes itself
        return sample.name
    seen = [
        (leaf.dtype, leaf.shape, leaf.stride()) if type(leaf) is torch.Tensor else leaf
        for leaf in leaves
    ]
    return str(structure), repr(seen)


def _given(inputs: Inputs) -> Inputs:
    return inputs


def made_sizes(
    dims: Mapping[str, DimRange], example: Mapping[str, int], max_size: int = 4096
) -> Iterator[tuple[Role, dict[str, int]]]:
    """Roles and sizes of the samples made from dims, most telling first, none twice.

    >>> dims = {"n": DimRange(2, 6)}
    >>> for role, sizes in made_sizes(dims, {"n": 5}): print(role, sizes["n"])
    accepts 2
    rejects 1
    accepts 6
    rejects 7
    rejects 0
    accepts 3
    accepts 4
    """
    seen = {tuple(example.values())}
    for varied in _variations(dims, example, max_size):
        sizes = {**example, **varied}
        if (key := tuple(sizes.values())) in seen:
            continue
        seen.add(key)
        inside = all(_inside(dims[n], s) for n, s in sizes.items())
        yield ("accepts" if inside else "rejects"), sizes


def _variations(
    dims: Mapping[str, DimRange], example: Mapping[str, int], max_size: int
) -> Iterator[dict[str, int]]:
    candidates = {n: _candidates(d, example[n], max_size) for n, d in dims.items()}
    # The ends of every dim come before the middle of the first.
    for i in range(max(map(len, candidates.values()), default=0)):
        for name, values in candidates.items():
            if i < len(values):
                yield {name: values[i]}
        if i == 2 and len(dims) > 1:
            yield from _together(dims, example, max_size)


def _together(
    dims: Mapping[str, DimRange], example: Mapping[str, int], max_size: int
) -> Iterator[dict[str, int]]:
    """Several dims at once: all at an end, and every two equal."""
    yield {n: d.min for n, d in dims.items()}
    yield {n: _top(d, example[n], max_size) for n, d in dims.items()}
    names = list(dims)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            for shared in (example[a], example[b]):
                if _inside(dims[a], shared) and _inside(dims[b], shared):
                    yield {a: shared, b: shared}
                    break


def _candidates(dim: DimRange, example: int, max_size: int) -> list[int]:
    """Sizes to try for one dim, most telling first."""
    top = _top(dim, example, max_size)
    middle = (dim.min + top) // 2
    wanted = [
        dim.min, dim.min - 1, top, top + 1, 1, 0, 2, dim.min + 1,
        middle, middle + 1, example + 1, 2 * example, 3 * example,
    ]  # fmt: skip
    if dim.max is None:
        wanted.remove(top + 1)
    sizes = [s for s in dict.fromkeys(wanted) if 0 <= s <= max_size]
    beyond = [s for s in sizes if not _inside(dim, s) and s > top + 1]
    return [s for s in sizes if s not in beyond]


def _top(dim: DimRange, example: int, max_size: int) -> int:
    """The largest size worth building: the declared maximum, or a stand-in for "no bound"."""
    if dim.max is not None and dim.max <= max_size:
        return dim.max
    return min(max(4 * example + 3, dim.min + 8), max_size, dim.max or max_size)


def _inside(dim: DimRange, size: int) -> bool:
    return dim.min <= size and (dim.max is None or size <= dim.max)


# --- inputs whose sizes break what dynamic_shapes declares -------------------------------------


def _broken_relations(program: LoadedProgram, module: torch.nn.Module) -> list[PlannedSample]:
    """Samples in which one tensor alone has another size.

    Two kinds of axis: one whose dim stands at two places or more (then the relation between them
    is broken), and one that is static (then the size differs from the example's).
    """
    args, kwargs = program.build()
    leaves, _ = pytree.tree_flatten((args, kwargs))
    names = input_names(module, args, kwargs)
    asked = requests(module, args, kwargs, program.dynamic_shapes)
    axes = {(r.leaf, r.dim): r.root.name if r.root else "" for r in asked}
    named = [name for name in axes.values() if name]
    samples: list[PlannedSample] = []
    static_left, resized = 3, set[int]()
    for index, leaf in enumerate(leaves):
        if not isinstance(leaf, torch.Tensor) or leaf.layout is not torch.strided:
            continue
        for axis in range(leaf.dim()):
            name = axes.get((index, axis))
            if name is None:
                # A static axis: one of each of the first tensors is enough.
                if static_left and leaf.shape[axis] > 1 and index not in resized:
                    resized.add(index)
                    static_left -= 1
                    samples.append(_resized(program, index, axis, leaf.shape[axis] - 1, names))
            elif named.count(name) > 1:
                for size in dict.fromkeys((leaf.shape[axis] - 1, 1)):
                    if 0 < size < leaf.shape[axis]:
                        samples.append(_resized(program, index, axis, size, names))
    return samples


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
