"""L023: a program without inputs()."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import function, top_level_names


def _find(case: Case, ctx: Context) -> Found:
    tree = ctx.tree(case)
    if function(tree, "inputs") is None:
        node = top_level_names(tree).get("inputs")
        if node is None:
            yield case.program_line, "the program defines no inputs()"
        else:
            yield node.lineno, "inputs is not a function"


CHECK = Check(
    id="L023",
    what="The program defines the function inputs().",
    why="inputs() builds the example that exporters are given, and most other samples.",
    fix="Write `def inputs(n=5): return (torch.randn(n),)`, a parameter for each dim.",
    on_case=_find,
)
