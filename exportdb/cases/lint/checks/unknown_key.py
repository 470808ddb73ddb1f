"""L002: a front-matter key that nothing reads."""

from __future__ import annotations

from exportdb.cases.lint.check import Check
from exportdb.cases.lint.checks.broken_file import of_kind

CHECK = Check(
    id="L002",
    what="Front matter has only the keys that exportdb reads.",
    why="A misspelt key would be silently ignored, and the case would claim something else.",
    fix="Correct the key or take it out; the message lists the keys.",
    on_database=lambda ctx: of_kind(ctx, "unknown-key"),
)
