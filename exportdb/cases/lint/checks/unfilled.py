"""L039: a function of the case that nobody has written yet."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import unfilled


def _find(case: Case, _: Context) -> Found:
    for each in unfilled(case.source, case.meta.models):
        yield each.line, f"{each.name}() is still to be filled in: {each.text}"


CHECK = Check(
    id="L039",
    what="The functions that make inputs, samples and models do something.",
    why="exportdb new leaves them open where only the author knows what belongs there.",
    fix="Write what the line asks for; a function that is not needed can be taken out.",
    on_case=_find,
)
