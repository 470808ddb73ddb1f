"""L009: text and code that were left to be filled in."""

from __future__ import annotations

import re

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found

_LEFT = re.compile(r"\b(TODO|FIXME|XXX)\b")


def _find(case: Case, _: Context) -> Found:
    for number, line in enumerate(case.source.splitlines(), 1):
        if _LEFT.search(line):
            yield number, f"left to be filled in: {line.strip()}"


CHECK = Check(
    id="L009",
    what="Nothing in a case says TODO, FIXME or XXX.",
    why="exportdb new leaves such lines where only the author knows what belongs there.",
    mend="Write what the line asks for, and take the marker out.",
    on_case=_find,
)
