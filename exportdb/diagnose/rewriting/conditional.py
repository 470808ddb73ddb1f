"""A branch on data as ``torch.cond``: both sides are captured, and one is run.

Owns which branches can be written so: those that return, those that set names, of which both sides
know what they were before, and those that append to one list. Unlike ``torch.where`` it computes
the one side alone, so the sides may be of what is not there: the mean of no rows.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.decisions import as_tensor, renamed_side
from exportdb.diagnose.rewriting.editing import bodies, parsed, replacing
from exportdb.diagnose.rewriting.rows import grouped

_WHAT = "write `{}` with torch.cond, which captures both sides and runs one"


def as_cond(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The ``if`` that decides at ``line`` as a call of torch.cond."""
    for body in bodies(parsed(source)):
        for statement, after in zip(body, [*body[1:], None], strict=True):
            if not isinstance(statement, ast.If) or not (
                statement.test.lineno <= line <= (statement.test.end_lineno or 0)
            ):
                continue
            what = _WHAT.format(source.splitlines()[statement.lineno - 1].strip())
            if (returned := _returned(statement, after)) is not None:
                yield (replacing(what, statement, *returned),)
            elif (made := _appended(statement) or _assigned(statement)) is not None:
                yield (replacing(what, statement, made),)


def _returned(statement: ast.If, after: ast.stmt | None) -> tuple[list[ast.stmt], ast.stmt] | None:
    """A choice between two results, and the last statement that it stands for."""
    match statement, after:
        case ast.If(body=[ast.Return(value=ast.expr() as yes)],
                    orelse=[ast.Return(value=ast.expr() as no)]), _:  # fmt: skip
            last: ast.stmt = statement
        case (ast.If(body=[ast.Return(value=ast.expr() as yes)], orelse=[]),
              ast.Return(value=ast.expr() as no)):  # fmt: skip
            last = after
        case _:
            return None
    lines = [*_sides(yes, no), f"return {_call(statement.test)}"]
    return ast.parse("\n".join(lines)).body, last


def _appended(statement: ast.If) -> list[ast.stmt] | None:
    """A choice between what is appended to a list."""
    match statement:
        case ast.If(
            body=[ast.Expr(value=ast.Call(func=ast.Attribute(attr="append") as one, args=[yes]))],
            orelse=[ast.Expr(value=ast.Call(func=other, args=[no]))],
        ) if ast.unparse(one) == ast.unparse(other):
            lines = [*_sides(yes, no), f"{ast.unparse(one)}({_call(statement.test)})"]
            return ast.parse("\n".join(lines)).body
    return None


def _sides(yes: ast.expr, no: ast.expr) -> list[str]:
    return [
        *_function("when_true", [], [_own(yes)], single=True),
        *_function("otherwise", [], [_own(no)], single=True),
    ]


def _call(test: ast.expr) -> str:
    return f"torch.cond({ast.unparse(as_tensor(test))}, when_true, otherwise)"


def _assigned(statement: ast.If) -> list[ast.stmt] | None:
    """A choice between what two sides set names to."""
    yes = renamed_side(statement.body, "then")
    no = renamed_side(statement.orelse, "otherwise")
    if yes is None or no is None:
        return None
    names = list(dict.fromkeys([*yes[1], *no[1]]))
    if not names:
        return None
    single = len(names) == 1
    lines = list[str]()
    for called, (made, renamed) in (("when_true", yes), ("otherwise", no)):
        gives = [f"{renamed[name]}" if name in renamed else f"{name}.clone()" for name in names]
        lines += _function(called, made, gives, single)
    lines.append(f"{names[0] if single else grouped(names)} = {_call(statement.test)}")
    return ast.parse("\n".join(lines)).body


def _function(name: str, body: Sequence[ast.stmt], gives: Sequence[str], single: bool) -> list[str]:
    """A side as a function without parameters: it reads what is there."""
    return [
        f"def {name}():",
        *(f"    {text}" for s in body for text in ast.unparse(s).splitlines()),
        f"    return {gives[0] if single else grouped(gives)}",
    ]


def _own(value: ast.expr) -> str:
    """A result as text; what a side gives must not share memory with what it reads."""
    text = ast.unparse(value)
    return f"{text}.clone()" if isinstance(value, ast.Name | ast.Attribute) else text
