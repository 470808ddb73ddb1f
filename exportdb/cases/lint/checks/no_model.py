"""L022: a model that is not there, or that cannot be made without arguments."""

from __future__ import annotations

import ast

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of
from exportdb.cases.lint.syntax import function, parameters, top_level_names


def _find(case: Case, ctx: Context) -> Found:
    tree = ctx.tree(case)
    names = top_level_names(tree)
    for model in case.meta.models:
        node = names.get(model)
        if node is None:
            line = line_of(case, "models") if "models" in case.lines else case.program_line
            yield line, f"the program defines no {model}"
            continue
        if isinstance(node, ast.ClassDef):
            made_by = function(ast.Module(node.body, []), "__init__")
            skip = 1
        else:
            made_by, skip = function(tree, model), 0
        if made_by is None:
            continue
        needed = [arg.arg for arg, default in parameters(made_by)[skip:] if default is None]
        if needed:
            yield made_by.lineno, f"{model}() needs arguments: {', '.join(needed)}"


CHECK = Check(
    id="L022",
    what="The program defines each model the front matter names, and makes it without arguments.",
    why="The suite makes a new module for every exporter and cannot know any argument.",
    fix="Name the module class Model, or list its name in `models`; give parameters a default.",
    on_case=_find,
)
