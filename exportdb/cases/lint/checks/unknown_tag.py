"""L010: a tag outside the vocabulary."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.database import builtin_tree
from exportdb.cases.lint.check import Check, Context, Found, line_of
from exportdb.cases.vocabulary import FILE
from exportdb.hints import hint


def _find(case: Case, ctx: Context) -> Found:
    known = ctx.vocabulary.tags
    for tag in case.meta.tags:
        if tag not in known:
            tree = next((t for t in ctx.database.trees if case.path.is_relative_to(t)), None)
            where = FILE if tree in (None, builtin_tree()) else f"{tree.name}/{FILE}"
            yield line_of(case, "tags"), f"the tag {tag} is not in {where}{hint(tag, known)}"


CHECK = Check(
    id="L010",
    what="Every tag of a case is in tags.yaml.",
    why="A selection by tag would miss a case whose tag is spelled differently.",
    fix="Use a tag of the vocabulary (exportdb list --tags), or add your own to that file, like "
    "`acme.kernel: {description: What it is about.}`.",
    on_case=_find,
)
