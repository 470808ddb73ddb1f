"""L063: a side of a branch that no sample takes."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    for said in subject.untaken:
        line, _, rest = said.removeprefix("line ").partition(": ")
        yield int(line), f"{rest} on any sample"


CHECK = Check(
    id="L063",
    what="Each branch of the program comes out true on some sample and false on another.",
    why="What a capture does on a side that is never taken is unknown.",
    fix="Yield inputs that take it from accepts() or rejects(), or say in `allow` why none can.",
    on_program=_find,
    advises=True,
)
