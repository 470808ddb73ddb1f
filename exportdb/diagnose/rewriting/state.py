"""What a module keeps in plain attributes from one call for the next, kept in buffers.

Owns which attributes can be: those that ``__init__`` sets, or registers already, and a method sets
again as a whole.
The buffers are not persistent, so a checkpoint is as before.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    Function,
    as_one,
    called,
    parsed,
    replaced,
    replacing,
    simple_statements,
)


def in_buffers(source: str, lines: Collection[int]) -> Iterator[tuple[Change, ...]]:
    """The text with the attributes that are assigned at ``lines`` registered as buffers and written
    in place, once for each way to write the larger of a tensor and a number."""
    tree = parsed(source)
    for kind in [n for n in ast.walk(tree) if isinstance(n, ast.ClassDef)]:
        found: set[tuple[str, ...]] = set()
        for larger in ("fmax", "where"):
            changes = tuple(_of_class(kind, lines, larger))
            texts = tuple(c.data["text"] for c in changes)
            if changes and texts not in found:
                found.add(texts)
                yield changes


def _of_class(kind: ast.ClassDef, lines: Collection[int], larger: str) -> list[Change]:
    """The changes of one class, none where an attribute that is kept cannot be a buffer."""
    methods = [m for m in kind.body if isinstance(m, Function)]
    start = next((m for m in methods if m.name == "__init__"), None)
    writing = [m for m in methods if m is not start and _assigned([m], lines)]
    kept = _assigned(writing, lines)
    if start is None or not kept:
        return []
    first = {name: s for s in simple_statements(start) if (name := _attribute(s)) in kept}
    counted = {name for name in kept if _only_counts(name, writing)}
    changes = [_registered(name, s, name in counted) for name, s in first.items()]
    for method in writing:
        changes += _in_place(method, kept, larger)
    if not kept <= first.keys() | _buffers(start):
        return []
    changes.sort(key=lambda change: int(change.data["before"]))
    return [*as_one(changes)]


def _buffers(start: Function) -> set[str]:
    """The names that are registered as buffers already."""
    return {
        ast.literal_eval(call.args[0])
        for call in ast.walk(start)
        if isinstance(call, ast.Call)
        and ast.unparse(call.func) == "self.register_buffer"
        and call.args
        and isinstance(call.args[0], ast.Constant)
    }


def _assigned(methods: Sequence[Function], lines: Collection[int]) -> set[str]:
    """The attributes that are assigned to at some of the lines."""
    return {
        name
        for method in methods
        for statement in simple_statements(method)
        if statement.lineno in lines and (name := _attribute(statement))
    }


def _attribute(statement: ast.stmt) -> str:
    """``x`` of ``self.x = ...``, "" for any other statement."""
    match statement:
        case (ast.Assign(targets=[ast.Attribute(value=ast.Name(id="self"), attr=name)])
              | ast.AugAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name))
              | ast.AnnAssign(target=ast.Attribute(value=ast.Name(id="self"), attr=name),
                              value=ast.expr())):  # fmt: skip
            return name
    return ""


def _value(statement: ast.stmt) -> ast.expr:
    """What ``self.x = ...`` or ``self.x += ...`` sets it to."""
    match statement:
        case ast.AugAssign(target=ast.Attribute() as target, op=op, value=value):
            return ast.BinOp(ast.Attribute(target.value, target.attr, ast.Load()), op, value)
        case ast.Assign(value=value) | ast.AnnAssign(value=ast.expr() as value):
            return value
    raise ValueError(f"assigns no attribute: {ast.unparse(statement)}")


def _only_counts(name: str, methods: Sequence[Function]) -> bool:
    """Whether an attribute stays an integer: only integers and sizes are added to it."""
    values = [_value(s) for m in methods for s in simple_statements(m) if _attribute(s) == name]
    return all(_is_integer(value, name) for value in values)


def _is_integer(value: ast.expr, name: str) -> bool:
    match value:
        case ast.Constant(value=number):
            return type(number) is int
        case ast.Attribute(value=ast.Name(id="self"), attr=attribute):
            return attribute == name
        case ast.BinOp(left=left, op=ast.Add() | ast.Sub() | ast.Mult(), right=right):
            return _is_integer(left, name) and _is_integer(right, name)
        case ast.Subscript(value=ast.Attribute(attr="shape")):
            return True
    return False


def _registered(name: str, statement: ast.stmt, counts: bool) -> Change:
    value = _value(statement)
    try:
        number = ast.literal_eval(value)
    except ValueError:
        is_tensor = isinstance(value, ast.Call) and ast.unparse(value.func).startswith("torch.")
        value = value if is_tensor else called("as_tensor", value)
    else:
        float_wanted = type(number) is int and not counts
        value = called("tensor", ast.Constant(float(number) if float_wanted else number))
    register = ast.Attribute(ast.Name("self", ast.Load()), "register_buffer", ast.Load())
    persistent = ast.keyword("persistent", ast.Constant(False))
    made = ast.Expr(ast.Call(register, [ast.Constant(name), value], [persistent]))
    return replacing(f"keep {name} in a buffer, which a capture writes back", statement, [made])


def _in_place(method: Function, kept: set[str], larger: str) -> Iterator[Change]:
    """The statements of a method with tensors in the place of numbers read from them."""
    decided: set[ast.stmt] = set()
    for node in ast.walk(method):
        match node:
            case ast.If(test=test, body=[statement], orelse=[]) if _attribute(statement) in kept:
                name = _attribute(statement)
                chosen = called("where", test, _value(statement), _read(name))
                decided.add(statement)
                yield _changed(node, ast.Expr(_copied(name, chosen)), larger, kept)
    for statement in simple_statements(method):
        if statement not in decided:
            name = _attribute(statement)
            written = name in kept
            made = ast.Expr(_copied(name, _value(statement))) if written else statement
            new = _changed(statement, made, larger, kept)
            if new.data["text"] != ast.unparse(statement):
                yield new


def _changed(old: ast.stmt, made: ast.stmt, larger: str, kept: set[str]) -> Change:
    new = replaced(made, lambda node: _as_tensor(node, larger))
    names = ", ".join(sorted(kept))
    return replacing(f"line {old.lineno}: work on {names} as a tensor", old, [new or made])


def _read(name: str) -> ast.expr:
    return ast.Attribute(ast.Name("self", ast.Load()), name, ast.Load())


def _copied(name: str, value: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(_read(name), "copy_", ast.Load()), [value], [])


def _as_tensor(node: ast.expr, larger: str) -> ast.expr | None:
    """A number that is read from a tensor as the tensor, the larger or smaller of two as an
    operator: ``max(a, b)`` is b where that is larger, else a, NaN or not."""
    match node:
        case ast.Call(func=ast.Name(id="float"), args=[value], keywords=[]):
            return None if isinstance(value, ast.Constant) else value
        case ast.Call(func=ast.Attribute(value=value, attr="item"), args=[], keywords=[]):
            return value
        case ast.Call(func=ast.Name(id="max" | "min" as which), args=[a, b], keywords=[]):
            if larger == "fmax":
                return called("f" + which, a, b)
            compare: ast.cmpop = ast.Gt() if which == "max" else ast.Lt()
            return called("where", ast.Compare(b, [compare], [a]), b, a)
    return None
