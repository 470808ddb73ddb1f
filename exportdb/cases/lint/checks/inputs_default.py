"""L024: a parameter of inputs() without a size as its default."""

from __future__ import annotations

import ast

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import function, integer, parameters


def _find(case: Case, ctx: Context) -> Found:
    node = function(ctx.tree(case), "inputs")
    if node is None:
        return
    for arg, default in parameters(node):
        size = integer(default)
        if default is None:
            yield arg.lineno, f"{arg.arg} of inputs() has no default"
        elif size is not None and size < 0:
            yield arg.lineno, f"{arg.arg} of inputs() is {size} by default; sizes begin at 0"
        elif size is None and isinstance(default, ast.Constant):
            yield arg.lineno, f"{arg.arg} of inputs() has the default {default.value!r}, no size"
    for star in (node.args.vararg, node.args.kwarg):
        if star is not None:
            yield star.lineno, f"inputs() takes *{star.arg}; its parameters are the dims, by name"


CHECK = Check(
    id="L024",
    what="Every parameter of inputs() has a whole number as its default.",
    why="The defaults are the sizes of the example.",
    fix="Give it a size that is not 0 or 1 and that occurs nowhere else in the program.",
    on_case=_find,
)
