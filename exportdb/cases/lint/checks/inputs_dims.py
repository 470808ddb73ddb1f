"""L025: parameters of inputs() that are not the dims the program declares."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of
from exportdb.cases.lint.syntax import dims, function, parameters


def _find(case: Case, ctx: Context) -> Found:
    tree = ctx.tree(case)
    node, named = function(tree, "inputs"), dims(tree)
    if node is None or named is None:  # names that are computed are judged when the program runs
        return
    taken = {arg.arg: arg.lineno for arg, _ in parameters(node)}
    declared = {dim.name: dim.line for dim in named}
    ranged = dict.fromkeys(case.meta.dims, line_of(case, "dims"))
    for name, line in taken.items():
        if name not in declared and name not in ranged:
            yield line, f"inputs() takes {name}, but there is no Dim({name!r}) and no range in dims"
    for name, line in (declared | ranged).items():
        if name not in taken:
            yield line, f"the dim {name} is not a parameter of inputs()"
    for name in declared.keys() & ranged.keys():
        yield ranged[name], f"dims gives {name} a range, which Dim({name!r}) has already"


CHECK = Check(
    id="L025",
    what="The parameters of inputs() are the named Dims and the keys of `dims`, each once.",
    why="The suite varies a size through the parameter of that name.",
    fix="Name the parameter as the Dim, or give a size without a Dim its range in `dims`.",
    on_case=_find,
)
