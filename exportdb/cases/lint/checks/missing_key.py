"""L004: front matter without a title or a description."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.lint.check import Check, Context, Problem, line_of
from exportdb.cases.lint.checks.broken_file import of_kind


def _find(ctx: Context) -> Iterator[Problem]:
    yield from of_kind(ctx, "missing-key")
    for case in ctx.database:
        if not case.meta.description:
            message = "front matter lacks the key 'description'"
            yield Problem(case.path, line_of(case, "description"), "L004", message)


CHECK = Check(
    id="L004",
    what="Front matter has a title and a description.",
    why="Without an explanation only its author understands a case.",
    fix="Add the key: a title as a reader would search for it, a description of what happens.",
    on_database=_find,
    advises=True,
)
