"""A tensor that the module keeps for the batch of the example, widened to the size of the input.

Owns which tensors these are: those that ``__init__`` makes of a shape, in an attribute or a buffer,
and that a method reads; no parameters, whose rows are learnt. One row of it stands for all of them,
which is so where all rows are the same; whether they are is left to ``sameness``.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator
from dataclasses import replace

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    Function,
    function_at,
    parsed,
    replaced,
    replacing,
    simple_statements,
)
from exportdb.diagnose.rewriting.written_sizes import held_numbers, shape_lists, tensors_to_read


def widened(
    source: str, line: int, size: int, name: str, axis: int
) -> Iterator[tuple[Change, ...]]:
    """The function at ``line`` with the tensors of ``size`` rows that it reads from the module as
    one row, as often as axis ``axis`` of the input ``name`` is long: each in turn, then all."""
    tree = parsed(source)
    function = function_at(tree, line)
    kind = _class_of(tree, function) if function is not None else None
    if function is None or kind is None:
        return
    kept = dict(_kept(kind, size, held_numbers(tree)))
    for tensor in [t for t in tensors_to_read(function, name) if t]:
        length = f"{tensor}.shape[{axis}]"
        found = [tuple(_changes(function, {k: v}, length, size)) for k, v in kept.items()]
        found = [changes for changes in found if changes]
        yield from found
        if len(found) > 1:
            yield tuple(_changes(function, kept, length, size))


def _class_of(tree: ast.AST, function: Function) -> ast.ClassDef | None:
    classes = [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]
    return next((c for c in classes if any(s is function for s in c.body)), None)


def _kept(
    kind: ast.ClassDef, size: int, held: dict[str, int | None]
) -> Iterator[tuple[str, tuple[int, int]]]:
    """The attributes that are made of a shape with ``size`` in it: of each the axis, and how many
    axes there are."""
    for method in kind.body:
        if not isinstance(method, Function) or method.name != "__init__":
            continue
        for statement in simple_statements(method):
            if (made := _made(statement)) is None or "Parameter(" in ast.unparse(made[1]):
                continue
            name, value = made
            for call in [n for n in ast.walk(value) if isinstance(n, ast.Call)]:
                for shape in shape_lists(call):
                    at = [i for i, e in enumerate(shape) if _is_size(e, size, held)]
                    if at and not any(isinstance(e, ast.Starred) for e in shape):
                        yield name, (at[0], len(shape))


def _made(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    """The attribute that a statement sets or registers, and to what."""
    match statement:
        case ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)],
                        value=value):  # fmt: skip
            return name, value
        case ast.Expr(value=ast.Call(
            func=ast.Attribute(value=ast.Name(id="self"), attr="register_buffer"),
            args=[ast.Constant(value=str(name)), value, *_],
        )):  # fmt: skip
            return name, value
    return None


def _is_size(node: ast.expr, size: int, held: dict[str, int | None]) -> bool:
    """Whether a length is the size, or a name of which only a caller knows what it is."""
    if isinstance(node, ast.Constant):
        return type(node.value) is int and node.value == size
    if not isinstance(node, ast.Name | ast.Attribute):
        return False
    number = held.get(ast.unparse(node))
    return number is None or number == size


def _changes(
    function: Function, kept: dict[str, tuple[int, int]], length: str, size: int
) -> Iterator[Change]:
    def wide(node: ast.expr) -> ast.expr | None:
        match node:
            case ast.Attribute(value=ast.Name(id="self"), attr=name, ctx=ast.Load()) if (
                name in kept
            ):
                axis, axes = kept[name]
                sizes = ", ".join(length if i == axis else "-1" for i in range(axes))
                text = f"self.{name}.narrow({axis}, 0, 1).expand({sizes})"
                return ast.parse(text, mode="eval").body
        return None

    for statement in simple_statements(function):
        made = replaced(statement, wide)
        if made is not None:
            what = f"line {statement.lineno}: as many rows as the input has, of what the module"
            what += f" keeps {size} rows of: they are all the same"
            change = replacing(what, statement, [made])
            yield replace(change, data={**change.data, "sizes": True})
