"""A loop that ends when the data says so, as one that goes on to its bound and changes nothing from
there on, or as ``while_loop``; a loop that goes round as often as the data says, as the latter.

Owns which loops can be written so: those that set names and nothing else. What a round computes is
computed in every round, and taken where the loop would still have been going on.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.decisions import as_tensor, without_number
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
            elif isinstance(loop, ast.For) and loop.lineno == line and not loop.orelse:
                made = _counted(function, loop, known)
                if made is not None:
                    yield (replacing(_WHILE, loop, made),)
            elif (
                isinstance(loop, ast.While)
                and not loop.orelse
                and (loop.test.lineno <= line <= (loop.test.end_lineno or 0))
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
    if (written := _as_while_loop(function, loop, known)) is not None:
        yield (replacing(_WHILE, loop, written),)


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


def _values_before(function: Function, loop: ast.For | ast.While, name: str) -> list[ast.expr]:
    """What a name is set to before a loop."""
    return [
        s.value
        for s in ast.walk(function)
        if isinstance(s, ast.Assign)
        and s.lineno < loop.lineno
        and any(isinstance(t, ast.Name) and t.id == name for t in s.targets)
    ]


def _counted(function: Function, loop: ast.For, known: Collection[str]) -> list[ast.stmt] | None:
    """``for i in range(n)`` as while_loop, with a tensor that counts."""
    match loop:
        case ast.For(target=ast.Name(id=index),
                     iter=ast.Call(func=ast.Name(id="range"), args=[number])):  # fmt: skip
            bound = ast.unparse(without_number(number) or number)
        case _:
            return None
    carried = _carried(loop, known)
    if not carried or index in carried:
        return None
    body = [f"{index} + 1", *(f"{name}.clone()" for name in carried)]
    begin = ["torch.zeros((), dtype=torch.int64)", *_given(function, loop, carried)]
    return _written(loop, f"{index} < {bound}", [index, *carried], body, begin)


def _as_while_loop(
    function: Function, loop: ast.While, known: Collection[str]
) -> list[ast.stmt] | None:
    """The loop as a call of while_loop, which carries the names that it sets."""
    carried = _carried(loop, known)
    if not carried:
        return None
    # What a round gives must not share memory with what it was given.
    after = [f"{name}.clone()" for name in carried]
    asked = ast.unparse(as_tensor(loop.test))
    return _written(loop, asked, carried, after, _given(function, loop, carried))


def _carried(loop: ast.For | ast.While, known: Collection[str]) -> list[str]:
    """The names that a loop sets and that are there before it."""
    stored = dict.fromkeys(
        n.id
        for s in loop.body
        for n in ast.walk(s)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    return [name for name in stored if name in known]


def _given(function: Function, loop: ast.For | ast.While, names: Sequence[str]) -> list[str]:
    """What a loop begins with under these names, as tensors."""
    numbers = {
        name
        for name in names
        if any(isinstance(v, ast.Constant) for v in _values_before(function, loop, name))
    }
    return [f"torch.as_tensor({name})" if name in numbers else name for name in names]


def _written(
    loop: ast.For | ast.While, asked: str, names: Sequence[str], after: Sequence[str],
    begin: Sequence[str],
) -> list[ast.stmt]:  # fmt: skip
    body = [plain_assignment(s) for s in loop.body]
    lines = [
        _IMPORT,
        f"def goes_on({', '.join(names)}):",
        f"    return {asked}",
        f"def one_round({', '.join(names)}):",
        *(f"    {text}" for s in body for text in ast.unparse(s).splitlines()),
        f"    return {grouped(after)}",
        f"{grouped(names)} = while_loop(goes_on, one_round, {grouped(begin)})",
    ]
    return ast.parse("\n".join(lines)).body
