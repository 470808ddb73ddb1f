"""L010: a tag outside the vocabulary."""

from __future__ import annotations

import difflib

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of


def _find(case: Case, ctx: Context) -> Found:
    known = ctx.vocabulary.tags
    for tag in case.meta.tags:
        if tag not in known:
            near = difflib.get_close_matches(tag, known, 2, 0.6)
            hint = f"; did you mean {' or '.join(near)}?" if near else ""
            yield line_of(case, "tags"), f"the tag {tag} is not in tags.yaml{hint}"


CHECK = Check(
    id="L010",
    what="Every tag of a case is in tags.yaml.",
    why="A selection by tag would miss a case whose tag is spelled in a way of its own.",
    mend="Use a tag of the vocabulary, or add the new one to tags.yaml with a description.",
    on_case=_find,
)
