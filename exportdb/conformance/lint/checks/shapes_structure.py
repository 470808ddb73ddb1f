"""L060: dynamic_shapes that do not fit the inputs."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    from exportdb.conformance.errors import one_line

    program = subject.program
    if program.dynamic_shapes is None:
        return
    try:
        # torch's own check; were it to move, this check would find nothing and its test fail.
        from torch.export.dynamic_shapes import (
            _check_dynamic_shapes,
            _combine_args,
            _IntWrapper,
        )
        from torch.utils._pytree import tree_map_only

        args, kwargs = tree_map_only(int, _IntWrapper, program.build())  # as export does
        combined = _combine_args(subject.module(), args, kwargs)
    except Exception:
        return
    try:
        _check_dynamic_shapes(combined, program.dynamic_shapes)
    except Exception as e:
        yield subject.line("dynamic_shapes"), f"torch.export refuses it: {one_line(e)}"


CHECK = Check(
    id="L060",
    what="dynamic_shapes has the structure of the inputs.",
    why="Otherwise every exporter refuses the declaration, and the program is never tried.",
    fix="Give an entry for each parameter of forward, None for one whose sizes are static.",
    on_program=_find,
)
