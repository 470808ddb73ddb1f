"""L011: a case without tags."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of
from exportdb.cases.lint.syntax import left_open


def _find(case: Case, _: Context) -> Found:
    line = line_of(case, "tags")
    if not case.meta.tags and line not in dict(left_open(case.source)):
        yield line, "the case has no tags"


CHECK = Check(
    id="L011",
    what="Every case has at least one tag.",
    why="Tags are how a case is found by what it is about.",
    fix="Add `tags: [...]` with words from tags.yaml.",
    on_case=_find,
    advises=True,
)
