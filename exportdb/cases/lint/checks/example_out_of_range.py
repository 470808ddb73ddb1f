"""L026: an example outside the range that the case declares."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import dims, function, integer, parameters


def _find(case: Case, ctx: Context) -> Found:
    tree = ctx.tree(case)
    node = function(tree, "inputs")
    if node is None:
        return
    ranges = {name: (dim.min, dim.max) for name, dim in case.meta.dims.items()}
    ranges |= {dim.name: (dim.min or 0, dim.max) for dim in dims(tree) or ()}
    for arg, default in parameters(node):
        size = integer(default)
        if size is None or arg.arg not in ranges:
            continue
        low, high = ranges[arg.arg]
        if size < low or (high is not None and size > high):
            bounds = f"{low} to {'any' if high is None else high}"
            yield arg.lineno, f"{arg.arg} is {size} in the example, outside its range {bounds}"


CHECK = Check(
    id="L026",
    what="The default of each parameter of inputs() lies in the range of its dim.",
    why="The example is an accepted sample.",
    fix="Choose a size inside the range, or widen the range.",
    on_case=_find,
)
