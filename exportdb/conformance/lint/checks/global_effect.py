"""L062: a program that changes torch for everybody by being imported."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    for setting in subject.changed:
        yield subject.case.program_line, f"changes {setting} when it is imported"


CHECK = Check(
    id="L062",
    what="Importing a program leaves torch's global settings as they were.",
    why="Otherwise samples and everything that runs afterwards would mean something else.",
    fix="Set it inside forward with a context manager, and put it back.",
    on_program=_find,
)
