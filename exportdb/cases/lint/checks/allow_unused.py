"""L018: an allowance nobody needs. Found in ``exportdb.cases.lint.settle``."""

from __future__ import annotations

from exportdb.cases.lint.check import Check

CHECK = Check(
    id="L018",
    what="Every check named in `allow` finds something in the case.",
    why="An entry that is no longer needed would hide the next mistake.",
    fix="Take the line out of `allow`.",
    advises=True,
)
