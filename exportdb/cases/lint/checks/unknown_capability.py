"""L013: a need that no device or exporter could ever meet."""

from __future__ import annotations

from exportdb.cases.capabilities import CAPABILITIES, is_version
from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of


def _find(case: Case, _: Context) -> Found:
    for need in case.meta.requires:
        if need not in CAPABILITIES and not is_version(need):
            known = ", ".join(CAPABILITIES)
            said = f"{need} is no capability and no version like torch>=2.8; there are {known}"
            yield line_of(case, "requires"), said


CHECK = Check(
    id="L013",
    what="Every entry of `requires` is a capability that exportdb knows, or a version of torch.",
    why="A capability that nothing offers makes the case unavailable everywhere: it is never run.",
    fix="Use a name of exportdb.cases.capabilities, or describe the new one there.",
    on_case=_find,
)
