"""L001: a file that cannot be read as a case at all."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.frontmatter import errors_of
from exportdb.cases.lint.check import Check, Context, Problem

_OWN_CHECK = {
    "unknown-key": "L002",
    "bad-value": "L003",
    "missing-key": "L004",
    "illegal-id": "L005",
    "duplicate-id": "L006",
}


def of_kind(ctx: Context, kind: str) -> Iterator[Problem]:
    """Every trouble of one kind in the files that the database could not read.

    Reading stops at the first trouble in a file; lint wants all of them.
    """
    for error in ctx.database.broken.values():
        if error.kind in ("illegal-id", "duplicate-id", "unreadable"):
            errors = [error]
        else:
            errors = errors_of(error.path, error.path.read_text(encoding="utf-8"))
        for e in errors:
            if e.kind == kind:
                yield Problem(e.path, e.line, _OWN_CHECK.get(kind, "L001"), e.message)


CHECK = Check(
    id="L001",
    what="Every file of the database can be read: Python, with YAML front matter in its docstring.",
    why="A file that cannot be read would never be examined, and nobody would notice.",
    fix="Fix the syntax at the line named; a case begins with a docstring of `key: value` lines.",
    on_database=lambda ctx: of_kind(ctx, "unreadable"),
)
