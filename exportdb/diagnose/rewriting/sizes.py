"""Numbers made of sizes in a way that makes constants of them, as sizes that stay symbols.

Owns which calls do so: ``len``, ``int``, ``max`` and ``min`` of a tensor, ``int`` and ``math`` of a
quotient.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    parsed,
    replaced,
    replacing,
    simple_statements,
)


def symbolic(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The statement at ``line`` with arithmetic that torch can do with symbols."""
    for statement in simple_statements(parsed(source)):
        if statement.lineno <= line <= (statement.end_lineno or 0):
            made = replaced(statement, _in_symbols)
            if made is not None:
                yield (replacing(_KEPT.format(line), statement, [made]),)
    for node in ast.walk(parsed(source)):
        if isinstance(node, ast.If | ast.While) and node.test.lineno == line == node.lineno:
            made = replaced(ast.Expr(node.test), _in_symbols)
            if isinstance(made, ast.Expr) and node.test.end_lineno == line < node.body[0].lineno:
                word = source.splitlines()[line - 1].split()[0]
                data = {"before": line, "count": 1, "text": f"{word} {ast.unparse(made)}:"}
                yield (Change("replace", _KEPT.format(line), data),)


_KEPT = "line {}: keep the size a symbol, of which Python would make a number"


def from_data(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The statement at ``line`` with ``item()`` of a tensor where Python's ``int`` wants the number
    itself."""
    for statement in simple_statements(parsed(source)):
        if statement.lineno <= line <= (statement.end_lineno or 0):
            made = replaced(statement, _as_item)
            if made is not None:
                what = f"line {line}: read the number with item(), which gives a symbol for it"
                yield (replacing(what, statement, [made]),)


def by_the_tensor(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The statement at ``line`` with the tensor's own ``max`` or ``min`` where Python's would go
    through its elements."""
    for statement in simple_statements(parsed(source)):
        if statement.lineno <= line <= (statement.end_lineno or 0):
            made = replaced(statement, _as_method)
            if made is not None:
                what = f"line {line}: let the tensor find its largest or smallest element itself"
                yield (replacing(what, statement, [made]),)


def _as_method(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Name(id="max" | "min" as name),
                      args=[ast.Name() | ast.Attribute() as value], keywords=[]):  # fmt: skip
            return ast.Call(ast.Attribute(value, name, ast.Load()), [], [])
    return None


def _as_item(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Name(id="int" | "float"), args=[ast.Call(
            func=ast.Attribute(attr="item")) as value], keywords=[]):  # fmt: skip
            return value
        case ast.Call(func=ast.Name(id="int"), args=[value], keywords=[]) if _whole(value) is None:
            return ast.Call(ast.Attribute(value, "item", ast.Load()), [], [])
    return None


def _in_symbols(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Name(id="len"), args=[ast.Name() | ast.Attribute() as value]):
            shape = ast.Attribute(value, "shape", ast.Load())
            return ast.Subscript(shape, ast.Constant(0), ast.Load())
        case ast.Call(func=ast.Name(id="int") | ast.Attribute(attr="floor"), args=[value]):
            return _whole(value)
        case ast.Call(func=ast.Attribute(value=ast.Name(id="math"), attr="ceil"),
                      args=[ast.BinOp(op=ast.Div()) as quotient]):  # fmt: skip
            negative = ast.UnaryOp(ast.USub(), quotient.left)
            whole = ast.BinOp(negative, ast.FloorDiv(), quotient.right)
            return ast.UnaryOp(ast.USub(), whole)
    return None


def _whole(value: ast.expr) -> ast.expr | None:
    """``a // b`` for the whole part of ``a / b``, and a size for itself."""
    match value:
        case ast.BinOp(left=left, op=ast.Div(), right=right):
            return ast.BinOp(_whole(left) or left, ast.FloorDiv(), _whole(right) or right)
        case ast.BinOp(left=left, op=ast.Mult(), right=ast.Constant(value=float(part))):
            if part and (1 / part).is_integer():  # half of a size
                return ast.BinOp(left, ast.FloorDiv(), ast.Constant(int(1 / part)))
        case ast.BinOp(left=left, op=op, right=right):
            first, second = _whole(left), _whole(right)
            return ast.BinOp(first or left, op, second or right) if first or second else None
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return value
        case ast.Call(func=ast.Attribute(attr="size" | "numel" | "dim")):
            return value
    return None
