"""What a case declares about its samples, read from its text without running it."""

from __future__ import annotations

import ast
from collections.abc import Iterator

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
    lines += map(ast.unparse, dim_calls(tree))
    return lines + [f"dim {name}: {dim}" for name, dim in case.meta.dims.items()]


def dim_calls(tree: ast.Module) -> Iterator[ast.Call]:
    """The calls that make named Dims: of ``Dim``, or of ``dims``, which makes several."""
    for node in ast.walk(tree):
        if isinstance(node, ast.Call):
            callee = ast.unparse(node.func).rpartition(".")[2]
            if callee in ("Dim", "dims"):
                yield node
