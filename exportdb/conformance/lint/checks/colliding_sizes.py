"""L055: example sizes that are equal, 0 or 1 by accident."""

from __future__ import annotations

from itertools import combinations
from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    from exportdb.conformance.lint.subject import tensor_axes

    sizes = dict(subject.program.example_sizes)
    line = subject.line("inputs")
    for name, size in sizes.items():
        if size in (0, 1):
            yield line, f"{name} is {size} in the example, a size that tracing treats apart"
    for (a, size), (b, other) in combinations(sizes.items(), 2):
        if size == other:
            yield line, f"{a} and {b} are both {size} in the example, so tracing may tie them"
    axes = varying(subject)
    try:
        example = tensor_axes(subject.program.build())
    except Exception:
        return  # L051 says so
    for axis, size in example.items():
        if size in sizes.values() and axis not in axes and axis[1] >= 0:
            name = next(n for n, s in sizes.items() if s == size)
            yield line, f"{name} is {size} in the example, and so is a size that never varies"
            return


def varying(subject: Subject) -> set[tuple[int, int]]:
    """The axes of the inputs whose size follows some dim."""
    from exportdb.conformance.lint.subject import tensor_axes

    found: set[tuple[int, int]] = set()
    program = subject.program
    try:
        example = tensor_axes(program.build())
    except Exception:
        return found
    for name, size in program.example_sizes.items():
        for other in (size + 1, size - 1, size + 2, size * 2):
            if not program.dims[name].holds(other):
                continue
            try:
                axes = tensor_axes(program.build({**program.example_sizes, name: other}))
            except Exception:
                continue
            found |= {axis for axis, s in axes.items() if example.get(axis) != s}
    return found


CHECK = Check(
    id="L055",
    what="Example sizes differ from each other, from 0 and 1 and from the sizes that never vary.",
    why="Tracing takes sizes that are equal in the example for one, and 0 and 1 for constants.",
    fix="Choose other defaults for inputs(), or say in `allow` that the case is about this.",
    on_program=_find,
    advises=True,
)
