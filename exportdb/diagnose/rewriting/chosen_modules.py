"""A module that a number from the data picks out of a list, as all of them and a choice among what
they give.

Owns which calls are of that kind. All have to take the same input and give the same shape.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.decisions import kept_as_tensors, without_number
from exportdb.diagnose.rewriting.editing import (
    bodies,
    function_at,
    parsed,
    replaced,
    replacing,
)


def all_of_them(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The statement at ``line`` with every module of the list called; what picks one is a tensor
    then, also where it became a number before."""
    tree = parsed(source)
    function = function_at(tree, line)
    if function is None:
        return
    for body in bodies(function):
        for statement in body:
            if hasattr(statement, "body") or not (
                statement.lineno <= line <= (statement.end_lineno or 0)
            ):
                continue
            made = replaced(statement, _choice)
            if made is not None:
                what = f"line {line}: call all modules of the list, and choose among what they give"
                change = replacing(what, statement, [made])
                yield (change,)
                if kept := kept_as_tensors(tree, statement, line):
                    yield (*kept, change)


def _choice(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(
            func=ast.Subscript(
                value=ast.Attribute(value=ast.Name(id="self")) as parts, slice=index
            ),
            args=args,
            keywords=keywords,
        ):
            pass
        case _:
            return None
    if isinstance(index, ast.Slice | ast.Constant):
        return None
    called = ast.unparse(ast.Call(ast.Name("part", ast.Load()), args, keywords))
    every = f"torch.stack([{called} for part in {ast.unparse(parts)}])"
    which = ast.unparse(without_number(index) or index)
    text = f"{every}.index_select(0, {which}.reshape(1)).squeeze(0)"
    return ast.parse(text, mode="eval").body
