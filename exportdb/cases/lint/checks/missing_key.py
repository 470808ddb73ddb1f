"""L004: front matter without a title or a description."""

from __future__ import annotations

from exportdb.cases.lint.check import Check
from exportdb.cases.lint.checks.broken_file import of_kind

CHECK = Check(
    id="L004",
    what="Front matter has a title and a description.",
    why="A case without an explanation is a riddle to everyone who did not write it.",
    mend="Add the key: a title as a reader would search for it, a description of what happens.",
    on_database=lambda ctx: of_kind(ctx, "missing-key"),
)
