"""Other ways to write a statement that asks the data, as changes of the user's text.

Owns which statements can be written otherwise and how: a branch whose sides can both be computed
becomes ``torch.where``, one that only raises and an assertion become ``torch._check``. Whether the
program still does the same is left to ``sameness``.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from exportdb.diagnose.change import Change


def rewrites(source: str, line: int) -> Iterator[Change]:
    """The statement that decides at ``line``, written so that nothing has to be decided."""
    tree = ast.parse(source)
    for body in _bodies(tree):
        for statement, after in zip(body, [*body[1:], None], strict=True):
            if not _decides_at(statement, line):
                continue
            made, last = _rewritten(statement, after)
            if made is not None:
                yield _replacing(source, statement, last, made)


def _bodies(tree: ast.AST) -> Iterator[list[ast.stmt]]:
    for node in ast.walk(tree):
        for name in ("body", "orelse"):
            body = getattr(node, name, None)
            if isinstance(body, list) and body and isinstance(body[0], ast.stmt):
                yield body


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
    match statement:
        case ast.Assert(test=test):
            return [_checked(_as_tensor(test))], statement
        case ast.If(test=test, body=[ast.Raise()], orelse=[]):
            return [_checked(_called("logical_not", _as_tensor(test)))], statement
        case ast.If(test=test, body=[ast.Return(value=ast.expr() as yes)],
                    orelse=[ast.Return(value=ast.expr() as no)]):  # fmt: skip
            return _returned(test, yes, no), statement
        case ast.If(test=test, body=[ast.Return(value=ast.expr() as yes)], orelse=[]):
            if isinstance(after, ast.Return) and after.value is not None:
                return _returned(test, yes, after.value), after
        case ast.If(test=test, body=body, orelse=orelse):
            return _assigned(test, body, orelse), statement
        case ast.Assign(targets=[target], value=ast.IfExp(test=test, body=yes, orelse=no)):
            return [ast.Assign([target], _where(_as_tensor(test), yes, no))], statement
        case ast.Return(value=ast.IfExp(test=test, body=yes, orelse=no)):
            return _returned(test, yes, no), statement
    return None, statement


def _returned(test: ast.expr, yes: ast.expr, no: ast.expr) -> list[ast.stmt] | None:
    tensor = _as_tensor(test)
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
    yes, no = _side(body, "then"), _side(orelse, "otherwise")
    if yes is None or no is None:
        return None
    names = list(dict.fromkeys([*yes[1], *no[1]]))
    if len(body) == 1 and len(orelse) <= 1 and len(names) == 1:  # one line says it
        first, second = _value(body), _value(orelse) or ast.Name(names[0], ast.Load())
        if first is not None:
            return [_assign(names[0], _where(_as_tensor(test), first, second))]
    chosen = [
        _assign(name, _where(ast.Name("holds", ast.Load()), *(
            ast.Name(side[1].get(name, name), ast.Load()) for side in (yes, no)
        )))
        for name in names
    ]  # fmt: skip
    return [_assign("holds", _as_tensor(test)), *yes[0], *no[0], *chosen]


def _value(body: Sequence[ast.stmt]) -> ast.expr | None:
    match body:
        case [ast.Assign(value=value)]:
            return value
        case [ast.AugAssign(target=ast.Name(id=name), op=op, value=value)]:
            return ast.BinOp(ast.Name(name, ast.Load()), op, value)
    return None


def _side(body: Sequence[ast.stmt], suffix: str) -> tuple[list[ast.stmt], dict[str, str]] | None:
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
        made.append(_assign(renamed[name], value))
    return made, renamed


class _Renaming(ast.NodeTransformer):
    def __init__(self, names: dict[str, str]) -> None:
        self._names = names

    def visit_Name(self, node: ast.Name) -> ast.expr:
        return ast.Name(self._names.get(node.id, node.id), node.ctx)


def _as_tensor(test: ast.expr) -> ast.expr:
    """A condition without what makes a Python number or bool of it."""
    match test:
        case ast.Call(func=ast.Attribute(value=value, attr="item"), args=[]):
            return _as_tensor(value)
        case ast.Call(func=ast.Name(id="bool" | "int" | "float"), args=[value]):
            return _as_tensor(value)
        case ast.UnaryOp(op=ast.Not(), operand=value):
            return _called("logical_not", _as_tensor(value))
        case ast.BoolOp(op=op, values=[first, *rest]):
            name = "logical_and" if isinstance(op, ast.And) else "logical_or"
            made = _as_tensor(first)
            for value in rest:
                made = _called(name, made, _as_tensor(value))
            return made
        case ast.Compare(left=left, ops=ops, comparators=values):
            return ast.Compare(_as_tensor(left), ops, [_as_tensor(v) for v in values])
    return test


def _where(test: ast.expr, yes: ast.expr, no: ast.expr) -> ast.Call:
    return _called("where", test, yes, no)


def _called(name: str, *args: ast.expr) -> ast.Call:
    return ast.Call(ast.Attribute(ast.Name("torch", ast.Load()), name, ast.Load()), [*args], [])


def _checked(test: ast.expr) -> ast.stmt:
    item = ast.Call(ast.Attribute(test, "item", ast.Load()), [], [])
    return ast.Expr(_called("_check", item))


def _assign(name: str, value: ast.expr) -> ast.Assign:
    return ast.Assign([ast.Name(name, ast.Store())], value)


def _replacing(source: str, first: ast.stmt, last: ast.stmt, made: Sequence[ast.stmt]) -> Change:
    nodes = [ast.fix_missing_locations(copy.deepcopy(node)) for node in made]
    text = "\n".join(ast.unparse(node) for node in nodes)
    asked = source.splitlines()[first.lineno - 1].strip()
    with_ = "torch._check" if text.startswith("torch._check(") else "torch.where"
    return Change(
        "replace", f"write `{asked}` with {with_}, which decides nothing while tracing",
        {"before": first.lineno, "count": (last.end_lineno or last.lineno) - first.lineno + 1,
         "text": text},
    )  # fmt: skip


def named_keywords(source: str, kind: str, names: Sequence[str]) -> Iterator[Change]:
    """``forward`` of the class ``kind`` with ``names`` as parameters instead of in its ``**``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == kind:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "forward":
                    yield from _with_keywords(method, names)


def _with_keywords(method: ast.FunctionDef, names: Sequence[str]) -> Iterator[Change]:
    rest, first = method.args.kwarg, method.body[0]
    if rest is None or first.lineno == method.lineno:
        return
    arguments = copy.deepcopy(method.args)
    arguments.kwonlyargs += [ast.arg(name) for name in names]
    arguments.kw_defaults += [None for _ in names]
    given = ", ".join(f"{name}={name}" for name in names)
    header = ast.FunctionDef("forward", arguments, [ast.Pass()], [], method.returns)
    text = ast.unparse(ast.fix_missing_locations(header)).splitlines()[0]
    # The lines up to the body, with a comment between them if there is one.
    yield Change(
        "replace", f"name {', '.join(names)} in the signature of forward: torch.export has no"
        f" dynamic_shapes for what comes in **{rest.arg}",
        {"before": method.lineno, "count": first.lineno - method.lineno,
         "text": f"{text}\n    {rest.arg} = dict({rest.arg}, {given})"},
        f"calls without {' or '.join(names)}",
    )  # fmt: skip
