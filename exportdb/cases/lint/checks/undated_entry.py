"""L041: an entry of the error catalogue without a first release that has the error."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.catalogue import sources
from exportdb.cases.lint.check import Check, Context, Problem


def _find(ctx: Context) -> Iterator[Problem]:
    ours = {file for tree in ctx.database.trees for file in sources(tree)}
    for entry in ctx.catalogue.entries.values():
        if entry.path in ours and bool(entry.since) == bool(entry.undated):
            since, undated = "a first release (since)", "a reason why it has none (undated)"
            has = f"both {since} and {undated}" if entry.since else f"neither {since} nor {undated}"
            yield Problem(entry.path, entry.line, "L041", f"{entry.id} has {has}")


CHECK = Check(
    id="L041",
    what="Every entry of the error catalogue says since which release, of torch or of another "
    "`package`, there is the error, or why that is not known, and not both.",
    why="You see whether the torch that you have can say it, and whether a newer one still does.",
    fix="Run `tools/date_entries.py` over unpacked wheels; where the wordings are found nowhere, "
    "say in `sought` what of the sources stands for them, or in `undated` why nothing does.",
    on_database=_find,
    advises=True,
)
