"""L007: a title that does not fit on one line of a table."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of

LONGEST = 90


def _find(case: Case, _: Context) -> Found:
    title, line = case.meta.title, line_of(case, "title")
    if len(title) > LONGEST:
        yield line, f"the title has {len(title)} characters, more than {LONGEST}"
    if "\n" in title:
        yield line, "the title runs over several lines"
    if title.endswith("."):
        yield line, "the title ends with a full stop"


CHECK = Check(
    id="L007",
    what=f"A title is one line of at most {LONGEST} characters without a full stop.",
    why="Titles stand in tables, links and the results of a search.",
    fix="Say what the pattern is, and leave the explanation to the description.",
    on_case=_find,
    advises=True,
)
