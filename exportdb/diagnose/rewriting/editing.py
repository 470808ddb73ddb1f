"""The parts that every rewrite is made of: statements of a text, and the change of one.

Owns the way from a tree back to lines of the user's text.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Callable, Iterable, Iterator, Sequence
from dataclasses import replace

from exportdb.diagnose.change import Change

Function = ast.FunctionDef | ast.AsyncFunctionDef


def parsed(source: str) -> ast.Module:
    """The tree of a text, an empty one where it is no Python."""
    try:
        return ast.parse(source)
    except (SyntaxError, ValueError):
        return ast.Module([], [])


def bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    """Every list of statements."""
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield body


def function_at(tree: ast.AST, line: int) -> Function | None:
    """The innermost function that a line is in."""
    around = [
        node
        for node in ast.walk(tree)
        if isinstance(node, Function) and node.lineno <= line <= (node.end_lineno or 0)
    ]
    return max(around, key=lambda node: node.lineno, default=None)


def simple_statements(tree: ast.AST) -> Iterator[ast.stmt]:
    """The statements that hold no others, in no order."""
    for body in bodies(tree):
        yield from [s for s in body if not hasattr(s, "body")]


def replacing(
    what: str, first: ast.stmt, made: Sequence[ast.stmt], last: ast.stmt | None = None
) -> Change:
    """The change that puts ``made`` in the place of the statements from ``first`` to ``last``."""
    nodes = [ast.fix_missing_locations(copy.deepcopy(node)) for node in made]
    end = (last or first).end_lineno or first.lineno
    text = "\n".join(ast.unparse(node) for node in nodes)
    data = {"before": first.lineno, "count": end - first.lineno + 1, "text": text}
    return Change("replace", what, data)


def as_one(changes: Iterable[Change]) -> tuple[Change, ...]:
    """Changes of which each makes sense only with the others, marked as that."""
    return tuple(replace(change, data={**change.data, "whole": True}) for change in changes)


def called(name: str, *args: ast.expr) -> ast.Call:
    """A call of ``torch.<name>``."""
    return ast.Call(ast.Attribute(ast.Name("torch", ast.Load()), name, ast.Load()), [*args], [])


def assign(name: str, value: ast.expr) -> ast.Assign:
    """``name = value``."""
    return ast.fix_missing_locations(ast.Assign([ast.Name(name, ast.Store())], value))


class Replacing(ast.NodeTransformer):
    """Puts what ``new`` gives for an expression in its place; None leaves it."""

    def __init__(self, new: Callable[[ast.expr], ast.expr | None]) -> None:
        self._new = new

    def visit(self, node: ast.AST) -> ast.AST:
        """The node, or what takes its place."""
        node = self.generic_visit(node)
        if isinstance(node, ast.expr) and (made := self._new(node)) is not None:
            return made
        return node


def replaced(
    statement: ast.stmt, new: Callable[[ast.expr], ast.expr | None]
) -> ast.stmt | None:  # fmt: skip
    """The statement with expressions replaced; None if none was."""
    made = ast.fix_missing_locations(Replacing(new).visit(copy.deepcopy(statement)))
    assert isinstance(made, ast.stmt)
    return None if ast.unparse(made) == ast.unparse(statement) else made


def split(test: ast.expr) -> tuple[ast.expr, ast.expr] | None:
    """A conjunction as what Python itself decides of it (``x is not None``) and what is left, which
    may ask the data; None where it is not made of both.

    >>> [ast.unparse(part) for part in split(ast.parse("x is not None and x > 1").body[0].value)]
    ['x is not None', 'x > 1']
    """
    if not isinstance(test, ast.BoolOp) or not isinstance(test.op, ast.And):
        return None
    count = next((i for i, v in enumerate(test.values) if not _is_pythons(v)), 0)
    if not count:
        return None
    parts = (test.values[:count], test.values[count:])
    first, rest = (p[0] if len(p) == 1 else ast.BoolOp(ast.And(), p) for p in parts)
    return first, rest


def _is_pythons(test: ast.expr) -> bool:
    match test:
        case ast.Compare(ops=[ast.Is() | ast.IsNot()]):
            return True
        case ast.Call(func=ast.Name(id="isinstance" | "hasattr" | "callable")):
            return True
    return False
