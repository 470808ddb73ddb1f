"""L009: code that was left to be filled in."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import left_open, unfilled


def _find(case: Case, _: Context) -> Found:
    empty = unfilled(case.source, case.meta.models)  # told by L039
    told = {n for each in empty for n in range(each.start, each.end + 1)}
    lines = left_open(case.source)
    return ((n, text) for n, text in lines if n >= case.program_line and n not in told)


CHECK = Check(
    id="L009",
    what="No line of the program says TODO, FIXME or XXX.",
    why="exportdb new leaves such lines where only the author knows what belongs there.",
    fix="Write what the line asks for, and take the marker out.",
    on_case=_find,
    advises=True,
)
