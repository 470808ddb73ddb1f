"""L030: a tags.yaml that cannot be read, or a tag without a description."""

from __future__ import annotations

from exportdb.cases.lint.check import Check, Problem

CHECK = Check(
    id="L030",
    what="Every entry of tags.yaml is a legal tag with a description.",
    why="A vocabulary is closed so that its words mean something.",
    fix='Write `area.some-words: {description: "..."}`.',
    on_database=lambda ctx: (
        Problem(e.path, e.line, "L030", e.message) for e in ctx.vocabulary.broken
    ),
)
