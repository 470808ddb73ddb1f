"""L057: dims as the program made them, against the parameters of inputs()."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    from exportdb.symbolic.requested import roots

    program = subject.program
    for name, dim in roots(program.dynamic_shapes).items():
        if name not in program.example_sizes:
            yield subject.line("dynamic_shapes"), f"the dim {name} is not a parameter of inputs()"
            continue
        size = program.example_sizes[name]
        if not dim.holds(size):
            yield subject.line("inputs"), f"{name} is {size} in the example, outside {dim}"


CHECK = Check(
    id="L057",
    what="The root dims in dynamic_shapes are parameters of inputs(), their defaults in range.",
    why="L025 and L026 check the text of the program; this one checks the Dim objects.",
    fix="Name the parameter as the Dim, and choose a default inside its range.",
    on_program=_find,
)
