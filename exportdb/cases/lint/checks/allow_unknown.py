"""L017: an allowance for a check that does not exist. Found in ``exportdb.cases.lint.settle``."""

from __future__ import annotations

from exportdb.cases.lint.check import Check

CHECK = Check(
    id="L017",
    what="Every ID in `allow` is the ID of a check.",
    why="A misspelt ID allows nothing, and nobody would notice.",
    fix="Correct the ID; exportdb lint --list shows all of them.",
)
