"""L005: a file whose name is not a legal ID."""

from __future__ import annotations

from exportdb.cases.lint.check import Check
from exportdb.cases.lint.checks.broken_file import of_kind

CHECK = Check(
    id="L005",
    what="A case's ID, its path without .py, consists of lower-case words joined by underscores.",
    why="IDs are permanent and stand in URLs, records and command lines.",
    fix="Rename the file or the folder.",
    on_database=lambda ctx: of_kind(ctx, "illegal-id"),
)
