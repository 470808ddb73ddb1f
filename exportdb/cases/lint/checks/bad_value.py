"""L003: a front-matter value of the wrong form."""

from __future__ import annotations

from exportdb.cases.lint.check import Check
from exportdb.cases.lint.checks.broken_file import of_kind

CHECK = Check(
    id="L003",
    what="Every front-matter value has the form its key asks for.",
    why="YAML reads 1e-5 as a text and no as false; the case would mean something else.",
    fix="Write the value in the form that the message names.",
    on_database=lambda ctx: of_kind(ctx, "bad-value"),
)
