"""A call that ``forward`` makes, replaced by the lines of what it calls.

Owns which calls can be: of a function of the program, of a method of the model, of a submodule with
a ``forward`` of its own, of a lambda on the spot. The program does the same afterwards, since every
line runs where it ran before and its names are made fresh; what cannot be told from the text (a
decorator, a hook, a return in the middle) is left alone.
"""

from __future__ import annotations

import ast
import copy
import random
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import cast

#: What a function must not have: it returns elsewhere, or binds names in ways that are not renamed.
_REFUSED = (
    ast.Global, ast.Nonlocal, ast.Yield, ast.YieldFrom, ast.Await, ast.Import, ast.ImportFrom,
    ast.ClassDef, ast.ExceptHandler, ast.Match, ast.NamedExpr, ast.Delete, ast.AsyncFunctionDef,
)  # fmt: skip
_NESTED = (ast.FunctionDef, ast.Lambda)
#: Expressions whose parts are all evaluated, from the left to the right.
_IN_ORDER = (
    ast.BinOp, ast.UnaryOp, ast.Call, ast.keyword, ast.Tuple, ast.List, ast.Starred, ast.Attribute,
    ast.Subscript,
)  # fmt: skip
#: What a submodule's call may do beside its ``forward``.
_BESIDE = ("_hook", "__call__", "parametrize", "compile(")


@dataclass(frozen=True)
class _Callee:
    """A function that is called; ``owner`` is what its ``self`` is, None if it has none."""

    function: ast.FunctionDef
    owner: ast.expr | None = None
    nested: bool = False


@dataclass(frozen=True)
class _Place:
    """A call within a statement of ``block``, which may be in a loop."""

    block: list[ast.stmt]
    statement: ast.stmt
    call: ast.Call
    loops: bool


def inline(tree: ast.Module, forward: ast.FunctionDef, rng: random.Random) -> bool:
    """Put the lines of something that ``forward`` calls in the place of the call, in place; False
    where there is no such call."""
    found = [(p, c) for p in _places(forward.body) if (c := _callee(tree, forward, p))]
    if not found:
        return False
    place, callee = rng.choice(found)
    if isinstance(callee, ast.Lambda):
        _replace(place, callee.body)
        return True
    called = callee.function
    lines, value = _lines(called, _given(called, place.call, callee.owner), callee.owner, tree)
    _replace(place, value)
    at = place.block.index(place.statement)
    place.block[at:at] = lines
    return True


def _places(block: list[ast.stmt], loops: bool = False) -> Iterator[_Place]:
    """Calls before which a statement has evaluated names and constants alone, and that it makes
    whatever comes."""
    for statement in block:
        value = getattr(statement, "value", None)
        if isinstance(statement, ast.Assign | ast.Return | ast.Expr) and value is not None:
            yield from (_Place(block, statement, call, loops) for call in _first_calls(value))
        for name in ("body", "orelse"):
            inner = getattr(statement, name, None)
            if isinstance(statement, ast.If | ast.For | ast.While | ast.With) and inner:
                yield from _places(inner, loops or isinstance(statement, ast.For | ast.While))


def _first_calls(node: ast.AST) -> Iterator[ast.Call]:
    if isinstance(node, ast.Call):
        yield node
    if isinstance(node, _IN_ORDER):
        for part in ast.iter_child_nodes(node):
            yield from _first_calls(part)
            if not _plain(part):
                return


def _plain(node: ast.AST) -> bool:
    """Whether it makes no difference when it is evaluated."""
    while isinstance(node, ast.Attribute) and _of_torch(node):
        node = node.value
    return isinstance(node, ast.Name | ast.Constant | ast.operator | ast.unaryop | ast.expr_context)


def _of_torch(node: ast.expr) -> bool:
    while isinstance(node, ast.Attribute):
        node = node.value
    return isinstance(node, ast.Name) and node.id in ("torch", "math")


def _callee(
    tree: ast.Module, forward: ast.FunctionDef, place: _Place
) -> _Callee | ast.Lambda | None:
    match place.call.func:
        case ast.Lambda(args=ast.arguments(args=[], posonlyargs=[], kwonlyargs=[])) as small:
            bare = not place.call.args and not place.call.keywords
            return small if bare and not _has(small, _REFUSED) else None
        case ast.Name(id=name):
            found = _function(tree, forward, name)
        case ast.Attribute(value=ast.Name(id="self"), attr=name):
            found = _method(tree, forward, name) or _submodule(tree, name, place.call.func)
        case _:
            return None
    if found is None or not _fits(found, place.loops):
        return None
    try:
        _given(found.function, place.call, found.owner)
    except ValueError:
        return None
    if not found.nested and _free(found.function) & _bound(forward):
        return None  # a name of the program, which forward has for something else
    return found


def _function(tree: ast.Module, forward: ast.FunctionDef, name: str) -> _Callee | None:
    """The function of that name if it has just one meaning."""
    made = [n for n in ast.walk(tree) if name in _named(n)]
    if len(made) != 1 or not isinstance(made[0], ast.FunctionDef):
        return None
    nested = made[0] in forward.body
    return _Callee(made[0], None, nested) if nested or made[0] in tree.body else None


def _method(tree: ast.Module, forward: ast.FunctionDef, name: str) -> _Callee | None:
    model = next(n for n in tree.body if isinstance(n, ast.ClassDef) and forward in n.body)
    made = [n for n in model.body if isinstance(n, ast.FunctionDef) and n.name == name]
    if len(made) != 1 or _assigned(tree, name):
        return None
    return _Callee(made[0], ast.Name("self", ast.Load()))


def _submodule(tree: ast.Module, name: str, func: ast.expr) -> _Callee | None:
    """The forward of a submodule whose class is in the program and calls nothing beside it."""
    made = _assigned(tree, name)
    if len(made) != 1 or any(word in ast.unparse(tree) for word in _BESIDE):
        return None
    match made[0].value:
        case ast.Call(func=ast.Name(id=kind)):
            for node in tree.body:
                if isinstance(node, ast.ClassDef) and node.name == kind and _is_module(node):
                    forwards = [n for n in node.body if isinstance(n, ast.FunctionDef)
                                and n.name == "forward"]  # fmt: skip
                    return _Callee(forwards[0], func) if len(forwards) == 1 else None
    return None


def _is_module(node: ast.ClassDef) -> bool:
    bases = [ast.unparse(base) for base in node.bases]
    return bases in (["torch.nn.Module"], ["nn.Module"]) and not node.decorator_list


def _assigned(tree: ast.Module, name: str) -> list[ast.Assign]:
    """Where an attribute of that name is assigned to, of whatever."""
    return [
        n for n in ast.walk(tree) if isinstance(n, ast.Assign)
        and any(isinstance(t, ast.Attribute) and t.attr == name for t in n.targets)
    ]  # fmt: skip


def _fits(callee: _Callee, loops: bool) -> bool:
    """Whether its lines do elsewhere what they do where they are."""
    function = callee.function
    inner = [n for statement in function.body for n in ast.walk(statement)]
    nested = [n for n in inner if isinstance(n, _NESTED)]
    if function.decorator_list or any(isinstance(n, _REFUSED) for n in inner):
        return False
    own = sum(isinstance(n, ast.Return) for n in inner) - sum(
        isinstance(n, ast.Return) for scope in nested for n in ast.walk(scope)
    )
    if own > isinstance(function.body[-1], ast.Return) or (nested and loops):
        return False
    taken = {a.arg for scope in nested for a in ast.walk(scope.args) if isinstance(a, ast.arg)}
    hidden = any(isinstance(n, ast.Attribute) and n.attr.startswith("__") for n in inner)
    names = {n.id for n in inner if isinstance(n, ast.Name)}
    return not hidden and not names & {"super", "locals"} and not taken & _bound(function)


def _given(
    function: ast.FunctionDef, call: ast.Call, owner: ast.expr | None
) -> dict[str, ast.expr]:
    """The arguments of a call by name, in the order in which they are evaluated. Raises ValueError
    for what only Python can bind."""
    args = function.args
    if args.vararg or args.kwarg or any(isinstance(a, ast.Starred) for a in call.args):
        raise ValueError("any number of arguments")
    positional = [a.arg for a in (*args.posonlyargs, *args.args)][owner is not None :]
    if len(call.args) > len(positional):
        raise ValueError("too many arguments")
    given = dict(zip(positional, call.args, strict=False))
    for one in call.keywords:
        if one.arg is None or one.arg in given:
            raise ValueError("arguments out of a dict")
        given[one.arg] = one.value
    left = dict(zip(reversed(positional), reversed(args.defaults), strict=False))
    left |= {a.arg: d for a, d in zip(args.kwonlyargs, args.kw_defaults, strict=True) if d}
    given |= {name: default for name, default in left.items() if name not in given}
    wanted = {*positional, *(a.arg for a in args.kwonlyargs)}
    if given.keys() != wanted or not all(
        isinstance(default, ast.Constant)
        for name, default in left.items()
        if given[name] is default
    ):
        raise ValueError("an argument is missing, or was made when the function was")
    return given


def _lines(
    function: ast.FunctionDef, given: Mapping[str, ast.expr], owner: ast.expr | None,
    tree: ast.Module,
) -> tuple[list[ast.stmt], ast.expr]:  # fmt: skip
    """The lines of a function with names that nothing else has, and what it gives back."""
    taken = {name for node in ast.walk(tree) for name in _named(node)}
    taken |= {n.id for n in ast.walk(tree) if isinstance(n, ast.Name)}
    own = function.args.posonlyargs + function.args.args
    itself = own[0].arg if owner is not None else None
    fresh = {name: _fresh(name, taken) for name in sorted(_bound(function) - {itself})}
    body = cast(list[ast.stmt], _Renamed(fresh, itself, owner).all(function.body))
    lines: list[ast.stmt] = [
        ast.Assign([ast.Name(fresh[name], ast.Store())], value) for name, value in given.items()
    ]
    last = body[-1]
    if isinstance(last, ast.Return):
        return lines + body[:-1], last.value or ast.Constant(None)
    return lines + body, ast.Constant(None)


def _fresh(name: str, taken: set[str]) -> str:
    number = 1
    while (made := f"{name}_{number}") in taken:
        number += 1
    return made


class _Renamed(ast.NodeTransformer):
    """Other names for those of a function, and ``owner`` for its ``self``."""

    def __init__(
        self, names: Mapping[str, str], itself: str | None, owner: ast.expr | None
    ) -> None:
        self._names, self._itself, self._owner = names, itself, owner

    def all(self, body: Sequence[ast.stmt]) -> list[ast.AST]:
        return [self.visit(copy.deepcopy(statement)) for statement in body]

    def visit_Name(self, node: ast.Name) -> ast.expr:
        if node.id == self._itself and self._owner is not None:
            return copy.deepcopy(self._owner)
        return ast.Name(self._names.get(node.id, node.id), node.ctx)

    def visit_FunctionDef(self, node: ast.FunctionDef) -> ast.AST:
        node.name = self._names.get(node.name, node.name)
        return self.generic_visit(node)


def _replace(place: _Place, value: ast.expr) -> None:
    class Replaced(ast.NodeTransformer):
        def visit_Call(self, node: ast.Call) -> ast.AST:
            return value if node is place.call else self.generic_visit(node)

    Replaced().visit(place.statement)


def _named(node: ast.AST) -> set[str]:
    """The names that a node binds."""
    match node:
        case ast.FunctionDef(name=name) | ast.ClassDef(name=name):
            return {name}
        case ast.arg(arg=name):
            return {name}
        case ast.Name(id=name, ctx=ast.Store() | ast.Del()):
            return {name}
        case ast.alias(name=name, asname=other):
            return {other or name.partition(".")[0]}
    return set()


def _bound(function: ast.FunctionDef) -> set[str]:
    """The names that are a function's own."""
    arguments = {a.arg for a in ast.walk(function.args) if isinstance(a, ast.arg)}
    scopes = [n for s in function.body for n in ast.walk(s) if isinstance(n, _NESTED)]
    inner = {n for scope in scopes for n in ast.walk(scope) if n is not scope}
    return arguments.union(
        *(_named(n) for s in function.body for n in ast.walk(s) if n not in inner)
    )


def _free(function: ast.FunctionDef) -> set[str]:
    used = {n.id for s in function.body for n in ast.walk(s) if isinstance(n, ast.Name)}
    return used - _bound(function)


def _has(node: ast.AST, kinds: tuple[type[ast.AST], ...]) -> bool:
    return any(isinstance(n, kinds) for n in ast.walk(node))
