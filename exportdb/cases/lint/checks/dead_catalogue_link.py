"""L014: a case that explains an error which the catalogue does not have."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of


def _find(case: Case, ctx: Context) -> Found:
    for entry in case.meta.errors:
        if entry not in ctx.catalogue.entries:
            yield line_of(case, "errors"), f"the error catalogue has no entry {entry}"


CHECK = Check(
    id="L014",
    what="Every ID in `errors` is an entry of the error catalogue.",
    why="The way from an error message to a case goes through these IDs.",
    fix="Correct the ID, or add the entry to the catalogue.",
    on_case=_find,
)
