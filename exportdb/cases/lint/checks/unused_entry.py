"""L033: an entry of the error catalogue that no case explains."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.catalogue import cases_by_entry
from exportdb.cases.lint.check import Check, Context, Problem


def _find(ctx: Context) -> Iterator[Problem]:
    explained = cases_by_entry(ctx.database)
    for entry in ctx.catalogue.entries.values():
        if entry.id not in explained and entry.path.parent in ctx.database.trees:
            message = f"no case names {entry.id} in its errors"
            yield Problem(entry.path, entry.line, "L033", message)


CHECK = Check(
    id="L033",
    what="Every entry of errors.yaml is named by a case in its `errors`.",
    why="A message is understood by seeing the program that provokes it.",
    mend="Add the entry's ID to `errors` of the case that shows it, or write such a case.",
    on_database=_find,
)
