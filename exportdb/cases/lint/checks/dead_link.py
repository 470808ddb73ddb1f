"""L015: a link to a case that does not exist."""

from __future__ import annotations

import difflib

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of


def _find(case: Case, ctx: Context) -> Found:
    database = ctx.database
    for key in ("rewrites", "pitfalls"):
        for target in getattr(case.meta, key):
            if target in database.cases or target in database.broken:
                continue
            if new := database.redirects.get(target):
                yield line_of(case, key), f"{key}: {target} is now named {new}"
                continue
            near = difflib.get_close_matches(target, database.cases, 2, 0.6)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            yield line_of(case, key), f"{key}: there is no case {target}{hint}"


CHECK = Check(
    id="L015",
    what="Every case in `rewrites` and `pitfalls` exists, under that very ID.",
    why="The rewrite is what a reader came for.",
    mend="Correct the ID, or write the case.",
    on_case=_find,
)
