"""L059: a program that claims to read data and does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found
from exportdb.conformance.lint.checks.values_needed import fails_on_meta

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    if "values" in subject.case.meta.requires and fails_on_meta(subject) is None:
        yield subject.case.lines["requires"], "requires values, but eager works on the meta device"


CHECK = Check(
    id="L059",
    what="`requires: [values]` is given where the program reads data, and nowhere else.",
    why="It keeps the case from every device that holds no data.",
    fix="Take `values` out of `requires`.",
    on_program=_find,
    advises=True,
)
