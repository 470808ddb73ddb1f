"""L033: an entry of the error catalogue that no program shows and that does not say why."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.catalogue import Entry, cases_by_entry, sources
from exportdb.cases.lint.check import Check, Context, Problem


def _find(ctx: Context) -> Iterator[Problem]:
    explained = cases_by_entry(ctx.database)
    for entry in ctx.catalogue.entries.values():
        shown = entry.id in explained or entry.fails
        if not shown and not entry.unprovoked and _ours(ctx, entry):
            message = (
                f"no case names {entry.id} in its errors, and it has neither a program of its own "
                "(fails, works) nor a reason (unprovoked)"
            )
            yield Problem(entry.path, entry.line, "L033", message)


def _ours(ctx: Context, entry: Entry) -> bool:
    return any(entry.path in sources(tree) for tree in ctx.database.trees)


CHECK = Check(
    id="L033",
    what="Every entry of the error catalogue is named by a case in its `errors`, has programs of "
    "its own (`fails`, `works`), or says why not.",
    why="You understand a message by seeing a program that causes it.",
    fix="Add the entry's ID to `errors` of the case that shows it, write such a case, give the "
    "entry a program that `fails` and one that `works`, or say in `unprovoked` why nothing "
    "installed raises it.",
    on_database=_find,
    advises=True,
)
