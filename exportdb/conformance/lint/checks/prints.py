"""L061: a program that prints when it is imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    if subject.printed:
        first = subject.printed.splitlines()[0][:80]
        yield subject.case.program_line, f"prints when it is imported: {first!r}"


CHECK = Check(
    id="L061",
    what="A program prints nothing when it is imported.",
    why="Output on import would bury the report when hundreds of cases are read.",
    fix="Take the print out, or move it into forward if it is what the case is about.",
    on_program=_find,
    advises=True,
)
