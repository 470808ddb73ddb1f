"""A loop that ends when the data says so, as one that goes on to its bound and changes nothing from
there on, or as ``while_loop``.

Owns which loops can be written so: those that set names and nothing else. What a round computes is
computed in every round, and taken where the loop would still have been going on.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.decisions import as_tensor
from exportdb.diagnose.rewriting.editing import (
    Function,
    assign,
    bodies,
    called,
    function_at,
    parsed,
    replacing,
)
from exportdb.diagnose.rewriting.loops import known_before, plain_assignment
from exportdb.diagnose.rewriting.rows import grouped

_BOUND = "go through all rounds, and change nothing once `{}` has ended the loop"
_WHILE = "write the loop as while_loop, which is captured for any number of rounds"
_IMPORT = "from torch._higher_order_ops.while_loop import while_loop"
_GOING = "going_on"


def without_early_end(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The loop that ends early at ``line``, a ``while`` or a ``for`` with a break."""
    tree = parsed(source)
    function = function_at(tree, line)
    if function is None:
        return
    for body in bodies(function):
        for loop in body:
            known = known_before(function, loop.lineno)
            asked = source.splitlines()[line - 1].strip()
            if isinstance(loop, ast.For) and any(_breaks_at(s, line) for s in loop.body):
                made = _masked(loop.body, known)
                if made is not None:
                    new = ast.For(loop.target, loop.iter, made, loop.orelse)
                    yield (replacing(_BOUND.format(asked), loop, [_begin(), new]),)
            elif isinstance(loop, ast.While) and not loop.orelse and (
                loop.test.lineno <= line <= (loop.test.end_lineno or 0)
            ):
                yield from _of_while(function, loop, known, asked)


def _begin() -> ast.stmt:
    return ast.parse(f"{_GOING} = torch.ones((), dtype=torch.bool)").body[0]


def _breaks_at(statement: ast.stmt, line: int) -> bool:
    match statement:
        case ast.If(test=test, body=[ast.Break()], orelse=[]):
            return test.lineno <= line <= (test.end_lineno or 0)
    return False


def _masked(body: Sequence[ast.stmt], known: Collection[str]) -> list[ast.stmt] | None:
    """The statements of a round that changes nothing once the loop has ended; None where they do
    more than to set names."""
    made: list[ast.stmt] = []
    for statement in body:
        match statement:
            case ast.If(test=test, body=[ast.Break()], orelse=[]):
                goes_on = called("logical_not", as_tensor(test))
                made.append(_narrowed(goes_on))
            case ast.Assign(targets=[ast.Name(id=name)], value=value):
                made.append(assign(name, _chosen(value, name) if name in known else value))
            case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
                new = ast.BinOp(ast.Name(name, ast.Load()), op, value)
                made.append(assign(name, _chosen(new, name)))
            case ast.Pass():
                pass
            case _:
                return None
    return made


def _narrowed(condition: ast.expr) -> ast.stmt:
    return assign(_GOING, called("logical_and", ast.Name(_GOING, ast.Load()), condition))


def _chosen(value: ast.expr, name: str) -> ast.expr:
    return called("where", ast.Name(_GOING, ast.Load()), value, ast.Name(name, ast.Load()))


def _of_while(
    function: Function, loop: ast.While, known: Collection[str], asked: str
) -> Iterator[tuple[Change, ...]]:
    body = _masked(loop.body, known)
    if body is None:
        return
    for asks, rounds in _rounds(function, loop):
        times = ast.parse(f"range({ast.unparse(rounds)})", mode="eval").body
        made = [*(_narrowed(as_tensor(test)) for test in asks), *body]
        new = ast.For(ast.Name("_", ast.Store()), times, made, [])
        yield (replacing(_BOUND.format(asked), loop, [_begin(), new]),)
    if (made := _as_while_loop(function, loop, known)) is not None:
        yield (replacing(_WHILE, loop, made),)


def _rounds(function: Function, loop: ast.While) -> Iterator[tuple[list[ast.expr], ast.expr]]:
    """What a loop asks the data in each round, and how often it goes round at most: the bound of a
    number that it counts from 0, and that its condition names."""
    match loop.test:
        case ast.BoolOp(op=ast.And(), values=tests):
            pass
        case _:
            tests = [loop.test]
    for test in tests:
        asks = [t for t in tests if t is not test]
        match test:
            case ast.Compare(left=ast.Name(id=name), ops=[ast.Lt()], comparators=[bound]):
                if _counts(function, loop, name):
                    yield asks, bound
            case ast.Compare(left=ast.Name(id=name), ops=[ast.LtE()], comparators=[bound]):
                if _counts(function, loop, name):
                    yield asks, ast.BinOp(bound, ast.Add(), ast.Constant(1))


def _counts(function: Function, loop: ast.While, name: str) -> bool:
    """Whether a name is set to 0 before a loop, and gets larger by 1 in each round, and nothing
    else is done to it."""
    inside = [ast.unparse(s) for s in loop.body]
    once = sum(text in (f"{name} += 1", f"{name} = {name} + 1") for text in inside) == 1
    return once and [ast.unparse(v) for v in _values_before(function, loop, name)] == ["0"]


def _values_before(function: Function, loop: ast.While, name: str) -> list[ast.expr]:
    """What a name is set to before a loop."""
    return [
        s.value
        for s in ast.walk(function)
        if isinstance(s, ast.Assign)
        and s.lineno < loop.lineno
        and any(isinstance(t, ast.Name) and t.id == name for t in s.targets)
    ]


def _as_while_loop(
    function: Function, loop: ast.While, known: Collection[str]
) -> list[ast.stmt] | None:
    """The loop as a call of while_loop, which carries the names that it sets."""
    stored = dict.fromkeys(
        n.id
        for s in loop.body
        for n in ast.walk(s)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    carried = [name for name in stored if name in known]
    if not carried:
        return None

    def tensor(name: str) -> str:
        values = _values_before(function, loop, name)
        number = any(isinstance(value, ast.Constant) for value in values)
        return f"torch.as_tensor({name})" if number else name

    given, body = ", ".join(carried), [plain_assignment(s) for s in loop.body]
    lines = [
        _IMPORT,
        f"def goes_on({given}):",
        f"    return {ast.unparse(as_tensor(loop.test))}",
        f"def one_round({given}):",
        *(f"    {text}" for s in body for text in ast.unparse(s).splitlines()),
        # What a round gives must not share memory with what it was given.
        f"    return {grouped([f'{name}.clone()' for name in carried])}",
        f"{grouped(carried)} = while_loop(goes_on, one_round, "
        f"{grouped([tensor(name) for name in carried])})",
    ]
    return ast.parse("\n".join(lines)).body
