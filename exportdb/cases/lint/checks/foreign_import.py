"""L020: a program that imports more than torch and the standard library."""

from __future__ import annotations

import sys

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import imports


def _find(case: Case, ctx: Context) -> Found:
    for line, module in imports(ctx.tree(case)):
        package = module.partition(".")[0]
        if package not in ("torch", "exportdb") and package not in sys.stdlib_module_names:
            yield line, f"imports {module or 'from its own folder'}"


CHECK = Check(
    id="L020",
    what="A program imports torch and the standard library only.",
    why="A case must run wherever torch does, and stand alone when it is pasted into an issue.",
    fix="Write the few lines the program needs of the other package into the case.",
    on_case=_find,
    advises=True,
)
