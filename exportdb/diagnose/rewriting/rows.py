"""What a loop over the rows of tensors reads in each round, and how its lists are joined.

Owns the heads of loops that go row by row: ``for i in range(n)`` with ``x[i]`` in it, ``for row in
x``, both at once by ``enumerate``, several by ``zip``.
"""

from __future__ import annotations

import ast
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    Function,
    as_one,
    bodies,
    replaced,
    replacing,
    simple_statements,
)

#: A tensor as it is written, and the axis along which it is read.
Read = tuple[str, int]


@dataclass
class Rows:
    """What is read in each round: the name of its row for each tensor and axis; ``index`` is the
    name that counts the rounds, "" where none does."""

    index: str = ""
    read: dict[Read, str] = field(default_factory=dict)

    def row(self, node: ast.expr) -> ast.expr | None:
        """The name of a row in the place of ``tensor[:, i]``."""
        if not isinstance(node, ast.Subscript) or not isinstance(
            node.value, ast.Name | ast.Attribute
        ):
            return None
        parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
        at = [k for k, p in enumerate(parts) if isinstance(p, ast.Name) and p.id == self.index]
        whole = [ast.unparse(p) == ":" for k, p in enumerate(parts) if k not in at]
        if len(at) != 1 or not all(whole[: at[0]]):
            return None
        tensor = ast.unparse(node.value)
        name = self.read.setdefault((tensor, at[0]), f"{tensor.rpartition('.')[2]}_{self.index}")
        rest = [p for k, p in enumerate(parts) if k not in at]
        if all(whole):
            return ast.Name(name, ast.Load())
        index: ast.expr = rest[0] if len(rest) == 1 else ast.Tuple([*rest], ast.Load())
        return ast.Subscript(ast.Name(name, ast.Load()), index, ast.Load())

    def counts_in(self, statement: ast.AST) -> bool:
        """Whether something asks in which round it is."""
        return bool(self.index) and any(
            isinstance(n, ast.Name) and n.id == self.index for n in ast.walk(statement)
        )

    @property
    def tensors(self) -> list[str]:
        """What is read, as it is written, with the axis in front."""
        return [t if axis == 0 else f"{t}.movedim({axis}, 0)" for t, axis in self.read]


def head(target: ast.expr, iterated: ast.expr) -> Rows | None:
    """The rows of a loop with this head, None where it is of another kind."""
    match target, iterated:
        case ast.Name(id=name), ast.Call(func=ast.Name(id="range"), args=[_]):
            return Rows(name)
        case (ast.Tuple(elts=[ast.Name(id=name), inner]),
              ast.Call(func=ast.Name(id="enumerate"), args=[value], keywords=[])):  # fmt: skip
            found = head(inner, value)
            return None if found is None or found.index else Rows(name, found.read)
        case (
            ast.Tuple(elts=names),
            ast.Call(func=ast.Name(id="zip"), args=values),
        ) if len(names) == len(values):
            parts = [head(n, v) for n, v in zip(names, values, strict=True)]
            read = {k: v for p in parts if p for k, v in p.read.items()}
            plain = all(p is not None and not p.index for p in parts)
            return Rows("", read) if plain and len(read) == len(parts) else None
        case ast.Name(id=name), ast.Name() | ast.Attribute():
            return Rows("", {(ast.unparse(iterated), 0): name})
    return None


def _joined(node: ast.expr, lists: Collection[str], flat: bool) -> ast.expr | None:
    """``torch.stack`` or ``torch.cat`` of a list whose members are the rows of one tensor now, of
    the same name. They are ``flat`` where a member was several rows, which ``cat`` put together."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=how),
                      args=[ast.Name(id=name), *rest], keywords=keywords) if (
            name in lists and how in ("stack", "cat", "vstack")
        ):  # fmt: skip
            dims = [*rest, *(k.value for k in keywords if k.arg in ("dim", "axis"))]
            dim = ast.unparse(dims[0]) if dims else "0"
            if flat:
                return ast.Name(name, ast.Load()) if dim == "0" and how != "stack" else None
            text = name if dim == "0" else f"{name}.movedim(0, {dim})"
            if how != "stack":
                after = str(int(dim) + 1) if dim.isdigit() else f"{dim} + 1"
                text += f".flatten({dim}, {after})"
            return ast.parse(text, mode="eval").body
    return None


@dataclass(frozen=True)
class RowLoop:
    """A loop that appends to lists. ``whole`` is the statement that it is or stands in; in that it
    is the comprehension ``within``, None for a loop that is the statement itself."""

    loop: ast.For
    whole: ast.stmt
    within: ast.ListComp | None = None

    @property
    def appended(self) -> dict[str, ast.expr]:
        """The lists that it appends to, each with what."""
        return dict(found for s in self.loop.body if (found := _append(s)) is not None)

    @property
    def body(self) -> list[ast.stmt]:
        """What else it does."""
        return [s for s in self.loop.body if _append(s) is None]

    def instead(
        self, what: str, made: Sequence[ast.stmt], function: Function, flat: bool = False
    ) -> tuple[Change, ...]:
        """The changes that put ``made`` in its place, and that work on what its lists are then: one
        tensor each, of the same name. () where something else than a join wants a list."""
        lists, last = list(self.appended), self.whole.end_lineno or self.whole.lineno
        rest: list[ast.stmt] = []
        begun = [
            replacing(what, statement, [])
            for statement in simple_statements(function)
            if statement.lineno < self.whole.lineno and _begins(statement, lists)
        ]
        if self.within is not None and not _is_value(self.whole, self.within):
            left = _without(self.whole, self.within, lists[0], flat)
            if left is None:
                return ()
            rest, lists = [left], []
        joins = [
            replacing(what, statement, [new])
            for statement in simple_statements(function)
            if statement.lineno > last
            and (new := replaced(statement, lambda n: _joined(n, lists, flat))) is not None
        ]
        return as_one([*begun, replacing(what, self.whole, [*made, *rest]), *joins])


def _begins(statement: ast.stmt, lists: Collection[str]) -> bool:
    """Whether all that a statement does is to begin lists of those names."""
    match statement:
        case ast.Assign(targets=[ast.Name(id=name)], value=ast.List(elts=[])):
            return name in lists
        case ast.Assign(targets=[ast.Tuple(elts=names)], value=ast.Tuple(elts=values)):
            empty = all(isinstance(v, ast.List) and not v.elts for v in values)
            return empty and all(isinstance(n, ast.Name) and n.id in lists for n in names)
    return False


def _is_value(statement: ast.stmt, node: ast.expr) -> bool:
    """Whether a statement gives the value of ``node`` a name, and does nothing else."""
    match statement:
        case ast.Assign(targets=[ast.Name()], value=value):
            return value is node
    return False


def _without(statement: ast.stmt, node: ast.ListComp, name: str, flat: bool) -> ast.stmt | None:
    """A statement with ``name`` in the place of the join of a comprehension; None if it is not
    joined."""
    text = ast.unparse(node)

    def named(part: ast.expr) -> ast.expr | None:
        is_it = isinstance(part, ast.ListComp) and ast.unparse(part) == text
        return ast.Name(name, ast.Load()) if is_it else _joined(part, [name], flat)

    made = replaced(statement, named)
    wanted = made is None or any(
        isinstance(n, ast.Call) and any(isinstance(a, ast.Name) and a.id == name for a in n.args)
        for n in ast.walk(made)
    )
    return None if wanted else made


def loops_at(function: Function, line: int) -> Iterator[RowLoop]:
    """The loops that begin at ``line``, and those that comprehensions in its statement are."""
    for body in bodies(function):
        for statement in body:
            if isinstance(statement, ast.For):
                if statement.lineno == line and not statement.orelse:
                    yield RowLoop(statement, statement)
            elif not hasattr(statement, "body") and (
                statement.lineno <= line <= (statement.end_lineno or 0)
            ):
                yield from _of_comprehensions(statement)


def _of_comprehensions(statement: ast.stmt) -> Iterator[RowLoop]:
    for node in ast.walk(statement):
        match node:
            case ast.ListComp(elt=value, generators=[ast.comprehension(
                target=target, iter=iterated, ifs=[], is_async=0)]):  # fmt: skip
                pass
            case _:
                continue
        name = "all_rows"
        if _is_value(statement, node) and isinstance(statement, ast.Assign):
            name = ast.unparse(statement.targets[0])
        append = ast.Attribute(ast.Name(name, ast.Load()), "append", ast.Load())
        body: list[ast.stmt] = [ast.Expr(ast.Call(append, [value], []))]
        yield RowLoop(ast.For(target, iterated, body, []), statement, node)


def _append(statement: ast.stmt) -> tuple[str, ast.expr] | None:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                                     args=[value])):  # fmt: skip
            return name, value
    return None


def grouped(texts: Sequence[str]) -> str:
    """A tuple of what is written so."""
    return f"({', '.join(texts)},)"
