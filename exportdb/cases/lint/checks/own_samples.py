"""L027: accepts() or rejects() in a form that yields no samples."""

from __future__ import annotations

import ast

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import function, parameters


def _find(case: Case, ctx: Context) -> Found:
    for name in ("accepts", "rejects"):
        node = function(ctx.tree(case), name)
        if node is None:
            continue
        if parameters(node):
            yield node.lineno, f"{name}() takes parameters"
        if not any(isinstance(inner, ast.Yield | ast.YieldFrom) for inner in ast.walk(node)):
            yield node.lineno, f"{name}() yields nothing"


CHECK = Check(
    id="L027",
    what="accepts() and rejects() are generators without parameters.",
    why="Each value they yield is one sample, of the same form as what inputs() returns.",
    fix="Write `yield` where there is `return`; sizes that vary are parameters of inputs().",
    on_case=_find,
)
