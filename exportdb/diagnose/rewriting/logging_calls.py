"""Statements that only say something: a print, a log, a warning.

Owns which these are. What they say of a tensor's values no capture can know, and none needs it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import bodies, parsed, replacing

_SPEAKERS = ("log", "logger", "logging", "_logger", "_log", "warnings", "writer", "wandb")


def without_call(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The statement at ``line`` left out while exporting, if all it does is to say something."""
    for body in bodies(parsed(source)):
        for statement in body:
            if statement.lineno <= line <= (statement.end_lineno or 0) and _speaks([statement]):
                asks = ast.parse("not torch.compiler.is_exporting()", mode="eval").body
                made = ast.If(asks, [statement], [])
                what = (
                    f"leave line {statement.lineno} out of what is exported: it only says something"
                )
                yield (replacing(what, statement, [made]),)
                return


def _speaks(statements: Sequence[ast.stmt]) -> bool:
    return all(_prints(s) for s in statements)


def _prints(statement: ast.stmt) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Name(id="print"))):
            return True
        case ast.Expr(value=ast.Call(func=ast.Attribute() as function)):
            root: ast.expr = function
            words = []
            while isinstance(root, ast.Attribute):
                words.append(root.attr)
                root = root.value
            words.append(root.id if isinstance(root, ast.Name) else "")
            return any(word.lower() in _SPEAKERS for word in words[1:])
        case ast.If(body=body, orelse=orelse):
            return _speaks([*body, *orelse])
        case ast.Pass():
            return True
    return False
