"""L008: two cases with one title."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.lint.check import Check, Context, Problem, line_of


def _find(ctx: Context) -> Iterator[Problem]:
    for cases in ctx.by_title.values():
        for case in cases[1:]:
            message = f"the title is that of {cases[0].id} as well"
            yield Problem(case.path, line_of(case, "title"), "L008", message)


CHECK = Check(
    id="L008",
    what="No two cases have the same title.",
    why="A reader who sees both in a list cannot tell them apart.",
    fix="Say in the title how the case differs from the other.",
    on_database=_find,
    advises=True,
)
