"""L015: a link to a case that does not exist."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of
from exportdb.hints import hint


def _find(case: Case, ctx: Context) -> Found:
    database = ctx.database
    for key in ("rewrites", "pitfalls"):
        for target in getattr(case.meta, key):
            if target in database.cases or target in database.broken:
                continue
            if new := database.redirects.get(target):
                yield line_of(case, key), f"{key}: {target} is now named {new}"
                continue
            meant = hint(target, database.cases)
            yield line_of(case, key), f"{key}: there is no case {target}{meant}"


CHECK = Check(
    id="L015",
    what="Every case in `rewrites` and `pitfalls` exists under exactly that ID.",
    why="The rewrite is what a reader came for.",
    fix="Correct the ID, or write the case.",
    on_case=_find,
)
