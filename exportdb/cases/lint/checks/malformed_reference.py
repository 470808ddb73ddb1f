"""L012: a reference that leads nowhere a reader could go."""

from __future__ import annotations

import re

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of

_ISSUE = re.compile(r"([A-Za-z0-9][\w.-]*/)?[A-Za-z0-9][\w.-]*#[1-9]\d*")
_PAGE = re.compile(r"https://[^\s/]+\.[^\s/]+(/\S*)?")


def _find(case: Case, _: Context) -> Found:
    for reference in case.meta.references:
        if not _ISSUE.fullmatch(reference) and not _PAGE.fullmatch(reference):
            yield (
                line_of(case, "references"),
                f"{reference!r} is neither an issue nor an https address",
            )


CHECK = Check(
    id="L012",
    what="References are issues (pytorch#123, owner/project#123) or https addresses.",
    why="References are shown as links.",
    fix="Write pytorch#123 for an issue of PyTorch, or the whole address beginning with https://.",
    on_case=_find,
    advises=True,
)
