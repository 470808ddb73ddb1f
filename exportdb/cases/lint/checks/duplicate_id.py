"""L006: two files with one ID."""

from __future__ import annotations

from exportdb.cases.lint.check import Check
from exportdb.cases.lint.checks.broken_file import of_kind

CHECK = Check(
    id="L006",
    what="No two trees have a case with the same ID.",
    why="A record names its case by the ID alone.",
    fix="Rename one of them; in a private tree, use a topic of your own.",
    on_database=lambda ctx: of_kind(ctx, "duplicate-id"),
)
