"""A loop over the modules that some row of the data chose, as a loop over all of them.

Owns which loops do so: those whose index picks from a container of the module's. A module that no
row chose gets no rows, and so changes nothing; whether that is so is left to ``sameness``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import function_at, parsed, replaced, replacing


def over_all(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The loops around ``line``, innermost first, over everything that they pick from."""
    tree = parsed(source)
    function = function_at(tree, line)
    if function is None:
        return
    loops = [n for n in ast.walk(function) if isinstance(n, ast.For) and _holds(n, line)]
    for loop in sorted(loops, key=lambda loop: -loop.lineno):
        if isinstance(loop.target, ast.Name) and not _counts(loop.iter):
            name = loop.target.id
            for container in dict.fromkeys(_picked(loop, name)):
                yield tuple(_changes(loop, name, container))


def _holds(loop: ast.For, line: int) -> bool:
    return loop.lineno <= line <= (loop.end_lineno or 0)


def _counts(iterated: ast.expr) -> bool:
    match iterated:
        case ast.Call(func=ast.Name(id="range" | "enumerate" | "zip")):
            return True
    return False


def _picked(loop: ast.For, name: str) -> Iterator[str]:
    """The module's containers that the loop's index picks from."""
    for node in ast.walk(loop):
        match node:
            case ast.Subscript(
                value=ast.Attribute(value=ast.Name(id="self")) as value, slice=index
            ):
                if _is_index(index, name):
                    yield ast.unparse(value)


def _is_index(index: ast.expr, name: str) -> bool:
    match index:
        case ast.Name(id=found):
            return found == name
        case ast.Call(func=ast.Name(id="int"), args=[ast.Name(id=found)]):
            return found == name
        case ast.Call(func=ast.Attribute(value=ast.Name(id=found), attr="item")):
            return found == name
    return False


def _changes(loop: ast.For, name: str, container: str) -> Iterator[Change]:
    what = f"go through all of {container}, not through those that some row chose"

    def plain(node: ast.expr) -> ast.expr | None:
        is_call = isinstance(node, ast.Call) and _is_index(node, name)
        return ast.Name(name, ast.Load()) if is_call else None

    body = [replaced(s, plain) or s for s in loop.body]
    made = ast.For(
        loop.target, ast.parse(f"range(len({container}))", mode="eval").body, body, loop.orelse
    )
    yield replacing(what, loop, [made])
