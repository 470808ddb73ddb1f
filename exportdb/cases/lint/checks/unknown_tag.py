"""L010: a tag outside the vocabulary."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of
from exportdb.hints import hint


def _find(case: Case, ctx: Context) -> Found:
    known = ctx.vocabulary.tags
    for tag in case.meta.tags:
        if tag not in known:
            yield line_of(case, "tags"), f"the tag {tag} is not in tags.yaml{hint(tag, known)}"


CHECK = Check(
    id="L010",
    what="Every tag of a case is in tags.yaml.",
    why="A selection by tag would miss a case whose tag is spelled in a way of its own.",
    mend="Use a tag of the vocabulary, or add the new one to tags.yaml with a description.",
    on_case=_find,
)
