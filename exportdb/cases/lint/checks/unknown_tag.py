"""L010: a tag outside the vocabulary."""

from __future__ import annotations

import re
from collections.abc import Iterable

from exportdb.cases.case import Case
from exportdb.cases.database import builtin_tree
from exportdb.cases.lint.check import Check, Context, Found, line_of
from exportdb.cases.vocabulary import FILE, Tag
from exportdb.hints import hint


def _find(case: Case, ctx: Context) -> Found:
    known = ctx.vocabulary.tags
    for tag in case.meta.tags:
        if tag not in known:
            tree = next((t for t in ctx.database.trees if case.path.is_relative_to(t)), None)
            where = FILE if tree in (None, builtin_tree()) else f"{tree.name}/{FILE}"
            meant = _about(tag, known.values())
            known_by = f"; did you mean {' or '.join(meant)}?" if meant else hint(tag, known)
            yield line_of(case, "tags"), f"the tag {tag} is not in {where}{known_by}"


def _about(tag: str, known: Iterable[Tag]) -> list[str]:
    """The first two tags whose descriptions have all words of ``tag``."""
    words = set(tag.rpartition(".")[2].split("-"))
    told = ((t.name, set(re.findall(r"\w+", t.description.lower()))) for t in known)
    return [name for name, described in told if words <= described][:2]


CHECK = Check(
    id="L010",
    what="Every tag of a case is in tags.yaml.",
    why="A selection by tag would miss a case whose tag is spelled differently.",
    fix="Use a tag of the vocabulary (exportdb list --tags), or add your own to that file, like "
    "`acme.kernel: {description: What it is about.}`.",
    on_case=_find,
)
