"""L064: a rewrite that raises on what its original accepts, and the case does not say so."""

from __future__ import annotations

from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found
from exportdb.conformance.lint.checks.rewrite_differs import pairs

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject


def _find(subject: Subject) -> Found:
    from exportdb.conformance.lint.subject import Subject

    lines, told = subject.case.lines, subject.case.meta.narrower
    line = lines.get("narrower", lines.get("rewrites", 1))
    for name in sorted(told.keys() - set(subject.case.meta.rewrites)):
        yield line, f"{name} is no rewrite of this case"
    for rewrite in subject.rewrites:
        try:
            refused = _refused(subject, Subject(rewrite))
        except Exception:
            continue  # L052 says what is wrong
        if refused and rewrite.id not in told:
            yield line, f"{rewrite.id} is narrower: it raises on the sample {refused}"
        if not refused and rewrite.id in told:
            yield line, f"{rewrite.id} is not narrower: it takes every sample that is accepted"


def _refused(subject: Subject, other: Subject) -> str | None:
    """The name of the first accepted sample on which a rewrite raises and the original does not."""
    for name, inputs, others in pairs(subject, other)[1]:
        if subject.run(inputs).exception is None and other.run(others).exception is not None:
            return name
    return None


CHECK = Check(
    id="L064",
    what="A case says in `narrower` which rewrites raise on inputs that it accepts, and on which.",
    why="Whoever takes the rewrite over has to know which of their inputs it refuses.",
    fix="Name the rewrite under `narrower` with these inputs, or let the rewrite take them.",
    on_program=_find,
    advises=True,
)
