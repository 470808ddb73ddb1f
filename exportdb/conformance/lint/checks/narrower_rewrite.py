"""L064: a rewrite that refuses what its original accepts, and the case does not say so."""

from __future__ import annotations

from collections.abc import Iterator
from typing import TYPE_CHECKING

from exportdb.cases.lint.check import Check, Found
from exportdb.conformance.lint.checks.rewrite_differs import pairs

if TYPE_CHECKING:
    from exportdb.conformance.lint.subject import Subject

#: Where a range without an upper end is taken to end.
_OPEN = 10**9


def _find(subject: Subject) -> Found:
    from exportdb.conformance.lint.subject import Subject

    lines, told = subject.case.lines, subject.case.meta.narrower
    line = lines.get("narrower", lines.get("rewrites", 1))
    for name in sorted(told.keys() - set(subject.case.meta.rewrites)):
        yield line, f"{name} is no rewrite of this case"
    for rewrite in subject.rewrites:
        try:
            other = Subject(rewrite)
            refused = _refused(subject, other) or _left_out(subject, other)
        except Exception:
            continue  # L052 says what is wrong
        if refused and rewrite.id not in told:
            yield line, f"{rewrite.id} is narrower: it {refused}"
        if not refused and rewrite.id in told:
            yield (
                line,
                f"{rewrite.id} is not narrower: it takes all that the case accepts",
            )


def _refused(subject: Subject, other: Subject) -> str:
    """Says the first accepted sample on which a rewrite raises and the original does not."""
    for name, inputs, others in pairs(subject, other)[1]:
        if subject.run(inputs).exception is None and other.run(others).exception is not None:
            return f"raises on the sample {name}"
    return ""


def _left_out(subject: Subject, other: Subject) -> str:
    """Says a size that the original declares, and a rewrite that declares others does not.

    Eager may take it all the same; a capture of the rewrite has to refuse it.
    """
    declared = dict(_declared(other))
    for source, sizes in _declared(subject):
        theirs = declared.get(source, sizes)
        # Sizes have one step, so where these are among them all are.
        for size in (*sizes[:2], sizes[-1]):
            if size not in theirs:
                what = f"sizes above {theirs[-1]}" if size + sizes.step > _OPEN else str(size)
                return f"leaves {what} out of the range of {source}"
    return ""


def _declared(subject: Subject) -> Iterator[tuple[str, range]]:
    """Input and axis of each size for which a range is declared, and the sizes in it."""
    from exportdb.symbolic.requested import requests

    program = subject.program
    args, kwargs = program.build()
    for asked in requests(subject.module().forward, args, kwargs, program.dynamic_shapes):
        low, high = (asked.root.min, asked.root.max) if asked.root else asked.ends
        if asked.root or (low, high) != (None, None):
            first, step = asked.size(low or 0), asked.size(1) - asked.size(0)
            last = _OPEN if high is None else asked.size(high)
            yield asked.source, range(first, last + 1, step)


CHECK = Check(
    id="L064",
    what="A case says in `narrower` which rewrites refuse inputs that it accepts, be it that they "
    "raise or declare a smaller range, and which inputs.",
    why="Whoever takes the rewrite over has to know which of their inputs it refuses.",
    fix="Name the rewrite under `narrower` with these inputs, or let the rewrite take them.",
    on_program=_find,
    advises=True,
)
