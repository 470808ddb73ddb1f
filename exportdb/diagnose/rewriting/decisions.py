"""Other ways to write a statement that asks the data, as changes of the user's text.

Owns which statements can be written otherwise and how: a branch whose sides can both be computed
becomes ``torch.where``, one that only raises and an assertion become ``torch._check``. Whether the
program still does the same is left to ``sameness``.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence
from dataclasses import replace

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    assign,
    bodies,
    called,
    function_at,
    parsed,
    replaced,
    replacing,
    simple_statements,
    split,
)  # fmt: skip


def undecided(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The statement that decides at ``line``, written so that nothing has to be decided; then the
    same with what it decides on kept as a tensor where it became a number."""
    tree = parsed(source)
    for body in bodies(tree):
        for statement, after in zip(body, [*body[1:], None], strict=True):
            if not _decides_at(statement, line):
                continue
            made, last = _rewritten(statement, after)
            if made is not None:
                change = _replacing(source, statement, last, made)
                yield (change,)
                if kept := kept_as_tensors(tree, statement, line):
                    yield (*kept, change)


def kept_as_tensors(tree: ast.Module, decision: ast.stmt, line: int) -> tuple[Change, ...]:
    """The assignments before a decision that make Python numbers of what it reads, without that."""
    function = function_at(tree, line)
    if function is None:
        return ()
    names = {n.id for n in ast.walk(decision) if isinstance(n, ast.Name)}
    found = []
    for statement in simple_statements(function):
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)]) if name in names:
                made = replaced(statement, without_number)
                if made is not None and statement.lineno < decision.lineno:
                    what = f"keep {name} as a tensor: a number read from data is not known"
                    found.append(replacing(what, statement, [made]))
    return tuple(found)


def without_number(node: ast.expr) -> ast.expr | None:
    """The tensor that a number is read from; None for anything else."""
    match node:
        case ast.Call(func=ast.Attribute(value=value, attr="item"), args=[]):
            return value
        case ast.Call(func=ast.Name(id="float" | "int"), args=[value]):
            return without_number(value) or value
    return None


def _decides_at(statement: ast.stmt, line: int) -> bool:
    if isinstance(statement, ast.If | ast.Assert):
        return statement.test.lineno <= line <= (statement.test.end_lineno or 0)
    if isinstance(statement, ast.Assign | ast.Return):
        inside = statement.lineno <= line <= (statement.end_lineno or 0)
        return inside and isinstance(statement.value, ast.IfExp)
    return False


def _rewritten(
    statement: ast.stmt, after: ast.stmt | None
) -> tuple[list[ast.stmt] | None, ast.stmt]:
    """What can stand in the place of ``statement``, and the last statement it stands for."""
    if isinstance(statement, ast.If) and (parts := split(statement.test)):
        inner = ast.copy_location(ast.If(parts[1], statement.body, statement.orelse), statement)
        made, _ = _rewritten(inner, after)
        return made and [ast.If(parts[0], made, statement.orelse)], statement
    match statement:
        case ast.Assert(test=test):
            return [_checked(as_tensor(test))], statement
        case ast.If(test=test, body=[ast.Raise()], orelse=[]):
            return [_checked(_negated(test))], statement
        case ast.If(test=test, body=[ast.Return(value=ast.expr() as yes)],
                    orelse=[ast.Return(value=ast.expr() as no)]):  # fmt: skip
            return _returned(test, yes, no), statement
        case ast.If(test=test, body=[ast.Return(value=ast.expr() as yes)], orelse=[]):
            if isinstance(after, ast.Return) and after.value is not None:
                return _returned(test, yes, after.value), after
        case ast.If(test=test, body=body, orelse=orelse):
            return _assigned(test, body, orelse), statement
        case ast.Assign(targets=[target], value=ast.IfExp(test=test, body=yes, orelse=no)):
            return [ast.Assign([target], _where(as_tensor(test), yes, no))], statement
        case ast.Return(value=ast.IfExp(test=test, body=yes, orelse=no)):
            return _returned(test, yes, no), statement
    return None, statement


def _returned(test: ast.expr, yes: ast.expr, no: ast.expr) -> list[ast.stmt] | None:
    tensor = as_tensor(test)
    match yes, no:
        case ast.Tuple(elts=first), ast.Tuple(elts=second) if len(first) == len(second):
            parts: list[ast.expr] = [
                _where(tensor, a, b) for a, b in zip(first, second, strict=True)
            ]
            return [ast.Return(ast.Tuple(parts, ast.Load()))]
        case (ast.Tuple(), _) | (_, ast.Tuple()):
            return None
    return [ast.Return(_where(tensor, yes, no))]


def _assigned(
    test: ast.expr, body: Sequence[ast.stmt], orelse: Sequence[ast.stmt]
) -> list[ast.stmt] | None:
    """Both sides one after the other under names of their own, then a choice for each name."""
    yes, no = renamed_side(body, "then"), renamed_side(orelse, "otherwise")
    if yes is None or no is None:
        return None
    names = list(dict.fromkeys([*yes[1], *no[1]]))
    if len(body) == 1 and len(orelse) <= 1 and len(names) == 1:  # one line says it
        first, second = _value(body), _value(orelse) or ast.Name(names[0], ast.Load())
        if first is not None:
            return [assign(names[0], _where(as_tensor(test), first, second))]
    chosen = [
        assign(name, _where(ast.Name("holds", ast.Load()), *(
            ast.Name(side[1].get(name, name), ast.Load()) for side in (yes, no)
        )))
        for name in names
    ]  # fmt: skip
    return [assign("holds", as_tensor(test)), *yes[0], *no[0], *chosen]


def _value(body: Sequence[ast.stmt]) -> ast.expr | None:
    match body:
        case [ast.Assign(value=value)]:
            return value
        case [ast.AugAssign(target=ast.Name(id=name), op=op, value=value)]:
            return ast.BinOp(ast.Name(name, ast.Load()), op, value)
    return None


def renamed_side(
    body: Sequence[ast.stmt], suffix: str
) -> tuple[list[ast.stmt], dict[str, str]] | None:
    """The statements of one side with the names it assigns changed, and the changes."""
    made: list[ast.stmt] = []
    renamed: dict[str, str] = {}
    for statement in body:
        match statement:
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                pass
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                value = ast.BinOp(ast.Name(name, ast.Load()), op, value)
            case ast.Pass():
                continue
            case _:  # more than names are changed: both sides cannot be run
                return None
        value = _Renaming(renamed).visit(copy.deepcopy(value))
        renamed = {**renamed, name: f"{name}_{suffix}"}
        made.append(assign(renamed[name], value))
    return made, renamed


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)


def as_tensor(test: ast.expr) -> ast.expr:
    """A condition without what makes a Python number or bool of it."""
    match test:
        case ast.Call(func=ast.Attribute(value=value, attr="item"), args=[]):
            return as_tensor(value)
        case ast.Call(func=ast.Name(id="bool" | "int" | "float"), args=[value]):
            return as_tensor(value)
        case ast.UnaryOp(op=ast.Not(), operand=value):
            return called("logical_not", as_tensor(value))
        case ast.BoolOp(op=op, values=[first, *rest]):
            name = "logical_and" if isinstance(op, ast.And) else "logical_or"
            made = as_tensor(first)
            for value in rest:
                made = called(name, made, as_tensor(value))
            return made
        case ast.Compare(left=left, ops=ops, comparators=values):
            return ast.Compare(as_tensor(left), ops, [as_tensor(v) for v in values])
    return test


def _negated(test: ast.expr) -> ast.expr:
    match test:
        case ast.UnaryOp(op=ast.Not(), operand=value):
            return as_tensor(value)
    return called("logical_not", as_tensor(test))


def _where(test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.Call:
    return called("where", test, yes, no)


def _checked(test: ast.expr) -> ast.stmt:
    item = ast.Call(ast.Attribute(test, "item", ast.Load()), [], [])
    return ast.Expr(called("_check", item))


def _replacing(source: str, first: ast.stmt, last: ast.stmt, made: Sequence[ast.stmt]) -> Change:
    asked = source.splitlines()[first.lineno - 1].strip()
    change = replacing("", first, made, last)
    with_ = "torch._check" if "torch._check(" in change.data["text"] else "torch.where"
    return replace(
        change, what=f"write `{asked}` with {with_}, which decides nothing while tracing",
        data={**change.data, "decides": with_ == "torch.where"},
    )  # fmt: skip
