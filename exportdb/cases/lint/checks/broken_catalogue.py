"""L032: a file of the error catalogue that cannot be read, or an entry that lacks something."""

from __future__ import annotations

from exportdb.cases.lint.check import Check, Problem

CHECK = Check(
    id="L032",
    what="Every entry of the error catalogue has a legal ID, title, messages, meaning and remedy.",
    why="Whoever looks an error up wants to know what it means and what to do.",
    fix="Complete the entry at the line named; the guide explain-an-error.md has its keys.",
    on_database=lambda ctx: (
        Problem(e.path, e.line, "L032", e.message) for e in ctx.catalogue.broken
    ),
)
