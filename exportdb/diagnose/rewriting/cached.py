"""What a module keeps from one call for the next, computed each time instead.

Owns the forms in which a value is kept under a key or until the key changes: an attribute, a dict,
a decorator of functools.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Sequence

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    Function,
    assign,
    bodies,
    function_at,
    parsed,
    replaced,
    replacing,
    simple_statements,
)  # fmt: skip

_KEEPERS = ("lru_cache", "cache")


def uncached(source: str, line: int = 0) -> Iterator[tuple[Change, ...]]:
    """The text without what is kept by the function at ``line``, by any function where it is 0."""
    tree = parsed(source)
    if plain := tuple(_undecorated(tree)):
        yield plain
    functions = [n for n in ast.walk(tree) if isinstance(n, Function) and n.name != "__init__"]
    if line and (at := function_at(tree, line)) is not None:
        functions = [at]
    found = [changes for function in functions if (changes := _each_time(tree, function))]
    yield from found
    if len(found) > 1:
        yield tuple(change for changes in found for change in changes)


def _undecorated(tree: ast.Module) -> Iterator[Change]:
    for function in [n for n in ast.walk(tree) if isinstance(n, Function)]:
        for by in function.decorator_list:
            named = by.func if isinstance(by, ast.Call) else by
            name = named.attr if isinstance(named, ast.Attribute) else getattr(named, "id", "")
            if name in _KEEPERS:
                what = f"compute what {function.name} gives each time, without functools.{name}"
                data = {"before": by.lineno, "text": "",
                        "count": (by.end_lineno or by.lineno) - by.lineno + 1}  # fmt: skip
                yield Change("replace", what, data)


def _each_time(tree: ast.Module, function: Function) -> tuple[Change, ...]:
    """The changes after which a function computes what it keeps each time it is called."""
    for body in bodies(function):
        for i, statement in enumerate(body):
            if isinstance(statement, ast.If) and not statement.orelse:
                if _gives_kept(statement):
                    return _without_store(function, statement)
                if places := _stored(statement.body):
                    before = body[i - 1] if i and _asks_store(body[i - 1], statement) else None
                    return _inline(tree, function, statement, places, before)
    return ()


def _stored(body: Sequence[ast.stmt]) -> list[str]:
    """The attributes of the module, and the places in its dicts, that statements assign to."""
    return [
        ast.unparse(target)
        for statement in body
        if isinstance(statement, ast.Assign)
        for target in statement.targets
        if _is_kept(target)
    ]


def _is_kept(target: ast.expr) -> bool:
    inner = target.value if isinstance(target, ast.Subscript) else target
    return (
        isinstance(inner, ast.Attribute)
        and isinstance(inner.value, ast.Name)
        and inner.value.id == "self"
    )


def _asks_store(statement: ast.stmt, after: ast.If) -> bool:
    """``value = self.kept.get(key)`` before ``if value is None``."""
    match statement, after.test:
        case (ast.Assign(targets=[ast.Name(id=name)],
                         value=ast.Call(func=ast.Attribute(value=store, attr="get"))),
              ast.Compare(left=ast.Name(id=other), ops=[ast.Is()])):  # fmt: skip
            return name == other and _is_kept(store)
    return False


def _gives_kept(statement: ast.If) -> bool:
    """``if key in self.kept: return self.kept[key]``."""
    match statement.test, statement.body:
        case (ast.Compare(ops=[ast.In()], comparators=[store]),
              [ast.Return(value=ast.Subscript(value=given))]):  # fmt: skip
            return _is_kept(store) and ast.unparse(store) == ast.unparse(given)
    return False


def _without_store(function: Function, asked: ast.If) -> tuple[Change, ...]:
    assert isinstance(asked.test, ast.Compare)
    store = ast.unparse(asked.test.comparators[0])
    what = f"compute it each time: {store} cannot be asked for a size that is not known"
    found = [replacing(what, asked, [])]
    for statement in simple_statements(function):
        match statement:
            case ast.Assign(targets=[ast.Subscript(value=value)]) if ast.unparse(value) == store:
                found.append(replacing(what, statement, []))
    return tuple(found)


def _inline(
    tree: ast.Module, function: Function, kept: ast.If, places: Sequence[str],
    before: ast.stmt | None,
) -> tuple[Change, ...]:  # fmt: skip
    """What ``kept`` computes once, computed each time under a name of its own."""
    what = f"compute {places[0]} each time instead of keeping it"
    inside = set(map(id, ast.walk(kept)))
    own = {place: _name_for(place) for place in places}

    def is_read(place: str, within: ast.AST) -> bool:
        return any(
            isinstance(n, ast.Attribute | ast.Subscript)
            and isinstance(n.ctx, ast.Load)
            and ast.unparse(n) == place
            and id(n) not in inside
            for n in ast.walk(within)
        )

    def local(node: ast.expr) -> ast.expr | None:
        name = own.get(ast.unparse(node)) if _is_kept(node) else None
        return None if name is None else ast.Name(name, ast.Load())

    elsewhere = {p for p in places if is_read(p, tree) and not is_read(p, function)}
    read_inside = {
        ast.unparse(n)
        for s in kept.body
        for n in ast.walk(s)
        if isinstance(n, ast.Attribute | ast.Subscript) and isinstance(n.ctx, ast.Load)
    }
    made: list[ast.stmt] = []
    for statement in kept.body:
        match statement:
            case ast.Assign(targets=[target], value=value) if ast.unparse(target) in own:
                place = ast.unparse(target)
                if place in elsewhere:
                    made.append(statement)
                elif is_read(place, function) or place in read_inside:
                    made.append(assign(own[place], value))
            case _:
                made.append(replaced(statement, local) or statement)
    changes = [replacing(what, before or kept, made, kept)]
    for statement in simple_statements(function):
        if id(statement) not in inside and (new := replaced(statement, local)) is not None:
            changes.append(replacing(what, statement, [new]))
    return tuple(changes)


def _name_for(place: str) -> str:
    attribute = place.partition("[")[0].removeprefix("self.").strip("_")
    return f"{attribute.replace('.', '_')}_now"
