"""L038: title, description or tags that were left to be filled in."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import left_open


def _find(case: Case, _: Context) -> Found:
    return ((n, text) for n, text in left_open(case.source) if n < case.program_line)


CHECK = Check(
    id="L038",
    what="No line of the front matter says TODO, FIXME or XXX.",
    why="exportdb new leaves such lines; whoever finds the case reads them.",
    fix="Write what the line asks for, and take the marker out.",
    on_case=_find,
    advises=True,
)
