"""L006: two files with one ID."""

from __future__ import annotations

from exportdb.cases.lint.check import Check
from exportdb.cases.lint.checks.broken_file import of_kind

CHECK = Check(
    id="L006",
    what="No two trees hold a case of the same ID.",
    why="A record names its case by the ID alone.",
    fix="Rename one of them; a private tree does well to keep its cases in a topic of its own.",
    on_database=lambda ctx: of_kind(ctx, "duplicate-id"),
)
