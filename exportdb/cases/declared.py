"""What a case declares about its samples, read from its text without running it."""

from __future__ import annotations

import ast

from exportdb.cases.case import Case


def samples(case: Case) -> list[str]:
    """A sentence for each source of samples and for each dim."""
    tree = ast.parse(case.source)
    functions = {n.name: n for n in tree.body if isinstance(n, ast.FunctionDef)}
    lines = []
    if (inputs := functions.get("inputs")) is not None:
        given = ast.unparse(inputs.args)
        lines.append(
            f"inputs({given}): the example"
            + (", and samples at and beyond the ends of each size" if given else "")
        )
    for role, means in (("accepts", "must agree with eager"), ("rejects", "must be refused")):
        if role in functions:
            lines.append(f"{role}(): samples of its own that {means}")
    ranges = {
        n: f"{d.min} to {'any' if d.max is None else d.max}" for n, d in case.meta.dims.items()
    }
    for node in ast.walk(tree):
        if isinstance(node, ast.Call) and ast.unparse(node.func).split(".")[-1] == "Dim":
            lines.append(ast.unparse(node))
    lines += [f"dim {name}: {text}" for name, text in ranges.items()]
    return lines
