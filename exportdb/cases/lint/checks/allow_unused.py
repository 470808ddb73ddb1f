"""L018: an allowance nobody needs. Found in ``exportdb.cases.lint.settle``."""

from __future__ import annotations

from exportdb.cases.lint.check import Check

CHECK = Check(
    id="L018",
    what="Every ID in `allow` is that of a check that does find something in the case.",
    why="An allowance that is no longer needed would let the next mistake pass.",
    fix="Take the line out of `allow`.",
    advises=True,
)
