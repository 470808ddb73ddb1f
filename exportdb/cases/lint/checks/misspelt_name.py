"""L028: a name that is almost one the suite looks for."""

from __future__ import annotations

import difflib

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import top_level_names

NAMES = ("inputs", "accepts", "rejects", "dynamic_shapes")


def _find(case: Case, ctx: Context) -> Found:
    for name, node in top_level_names(ctx.tree(case)).items():
        near = difflib.get_close_matches(name.lower(), NAMES, 1, 0.8)
        if near and name not in NAMES:
            yield node.lineno, f"{name} is read by nobody; is {near[0]} meant?"


CHECK = Check(
    id="L028",
    what="No top-level name is almost inputs, accepts, rejects or dynamic_shapes.",
    why="The suite finds these by name and would silently skip a misspelt one.",
    fix="Correct the name, or choose one that cannot be mistaken.",
    on_case=_find,
)
