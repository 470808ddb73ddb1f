"""L021: a program that imports exportdb."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import imports


def _find(case: Case, ctx: Context) -> Found:
    for line, module in imports(ctx.tree(case)):
        if module.partition(".")[0] == "exportdb":
            yield line, f"imports {module}"


CHECK = Check(
    id="L021",
    what="A program does not import exportdb.",
    why="A case is plain PyTorch, which a reader can copy and run.",
    fix="Take the import out; the suite finds everything it needs in the case by name.",
    on_case=_find,
)
