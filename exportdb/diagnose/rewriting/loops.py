"""A loop over a size, as ``scan``: one step that is captured once, for any number of rows.

Owns which loops can be written so: ``for i in range(n)`` that reads tensors at ``i``, carries
tensors from one round to the next, and appends to lists.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass, field

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

_WHAT = "write the loop as a scan: one step is captured for any number of them"
_SCAN = "from torch._higher_order_ops.scan import scan"


@dataclass
class _Loop:
    """What a loop reads at its index (text and axis of tensors), the names that it carries, and
    the lists that it appends to."""

    index: str
    read: dict[tuple[str, int], str] = field(default_factory=dict)
    carried: list[str] = field(default_factory=list)
    appended: dict[str, str] = field(default_factory=dict)


def scanned(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The loop at ``line`` as a scan."""
    tree = parsed(source)
    function = function_at(tree, line)
    if function is None:
        return
    for body in bodies(function):
        for loop in body:
            if isinstance(loop, ast.For) and loop.lineno == line:
                made = _as_scan(loop, _known_before(function, loop))
                after = [s for s in simple_statements(function) if s.lineno > loop.lineno]
                if made is not None:
                    yield (replacing(_WHAT, loop, made), *_rows_of(_lists(loop), loop, after))


def _rows_of(
    lists: dict[str, str], loop: ast.For, after: Sequence[ast.stmt]
) -> Iterator[Change]:  # fmt: skip
    """What joins the lists that the loop filled, after it, for rows that are one tensor."""
    for statement in after:
        made = replaced(statement, lambda node: _joined(node, lists))
        if made is not None and statement.lineno > (loop.end_lineno or 0):
            yield replacing(_WHAT, statement, [made])


def _lists(loop: ast.For) -> dict[str, str]:
    found = _Loop("")
    for statement in loop.body:
        _is_append(statement, found)
    return found.appended


def _joined(node: ast.expr, lists: dict[str, str]) -> ast.expr | None:
    """``torch.stack`` or ``torch.cat`` of a list, of which scan gives the rows as one tensor."""
    match node:
        case ast.Call(func=ast.Attribute(value=ast.Name(id="torch"), attr=how),
                      args=[ast.Name(id=name), *rest], keywords=keywords) if (
            name in lists and how in ("stack", "cat")
        ):  # fmt: skip
            dims = [*rest, *(k.value for k in keywords if k.arg in ("dim", "axis"))]
            dim = ast.unparse(dims[0]) if dims else "0"
            text = name if dim == "0" else f"{name}.movedim(0, {dim})"
            if how == "cat":
                text += f".flatten({dim}, {dim} + 1)"
            return ast.parse(text, mode="eval").body
    return None


def _known_before(function: Function, loop: ast.For) -> set[str]:
    """The parameters of a function, and the names that it has assigned to before a loop."""
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {a.arg for a in given} | {
        n.id
        for n in ast.walk(function)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.lineno < loop.lineno
    }


def _as_scan(loop: ast.For, known: Collection[str]) -> list[ast.stmt] | None:
    match loop:
        case ast.For(target=ast.Name(id=index), orelse=[],
                     iter=ast.Call(func=ast.Name(id="range"), args=[_])):  # fmt: skip
            found = _Loop(index)
        case _:
            return None
    kept = [s for s in loop.body if not _is_append(s, found)]
    if not all(isinstance(s, ast.Assign | ast.AugAssign) for s in kept) or not found.appended:
        return None
    kept = [ast.fix_missing_locations(_assignment(s)) for s in kept]
    step = [replaced(s, lambda n: _slice(n, found)) or copy.deepcopy(s) for s in kept]
    outs = {
        name: replaced(ast.Expr(ast.parse(text, mode="eval").body), lambda n: _slice(n, found))
        or ast.Expr(ast.parse(text, mode="eval").body)
        for name, text in found.appended.items()
    }
    assigned = dict.fromkeys(
        n.id
        for s in step
        for n in ast.walk(s)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    found.carried = [name for name in assigned if name in known]
    if not found.read or any(_names(s, index) for s in [*step, *outs.values()]):
        return None
    return _written(found, step, outs)


def _is_append(statement: ast.stmt, found: _Loop) -> bool:
    match statement:
        case ast.Expr(value=ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="append"),
                                     args=[value])):  # fmt: skip
            found.appended[name] = ast.unparse(value)
            return True
    return False


def _slice(node: ast.expr, found: _Loop) -> ast.expr | None:
    """The name of a row in the place of ``tensor[:, i]``."""
    if not isinstance(node, ast.Subscript) or not isinstance(node.value, ast.Name | ast.Attribute):
        return None
    parts = node.slice.elts if isinstance(node.slice, ast.Tuple) else [node.slice]
    at = [k for k, p in enumerate(parts) if isinstance(p, ast.Name) and p.id == found.index]
    whole = [ast.unparse(p) == ":" for k, p in enumerate(parts) if k not in at]
    if len(at) != 1 or not all(whole[: at[0]]):
        return None
    tensor = ast.unparse(node.value)
    name = found.read.setdefault((tensor, at[0]), f"{tensor.rpartition('.')[2]}_{found.index}")
    rest = [p for p in parts if not (isinstance(p, ast.Name) and p.id == found.index)]
    if all(whole):
        return ast.Name(name, ast.Load())
    index: ast.expr = rest[0] if len(rest) == 1 else ast.Tuple([*rest], ast.Load())
    return ast.Subscript(ast.Name(name, ast.Load()), index, ast.Load())


def _assignment(statement: ast.stmt) -> ast.stmt:
    """``a += b`` as an assignment: a step must not change what it is given."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            return assign(name, ast.BinOp(ast.Name(name, ast.Load()), op, value))
    return statement


def _names(statement: ast.stmt, name: str) -> bool:
    return any(isinstance(n, ast.Name) and n.id == name for n in ast.walk(statement))


def _written(
    found: _Loop, step: Sequence[ast.stmt], outs: dict[str, ast.stmt]
) -> list[ast.stmt]:  # fmt: skip
    """The step as a function, the call of scan, and the lists that the loop would have filled."""
    carried, rows = found.carried or ["nothing"], list(found.read.values())
    own = [f"carried_{name}" for name in carried]
    given = [ast.unparse(o.value) for o in outs.values() if isinstance(o, ast.Expr)]
    xs = [f"{tensor}.movedim({axis}, 0)" for tensor, axis in found.read]
    lists = [f"{name}_rows" for name in outs]
    # What a step gives must not share memory with what it was given.
    nexts = [f"{name}.clone()" for name in carried]
    lines = [
        _SCAN,
        "def one_step(before, rows):",
        f"    {_tuple(carried)} = before",
        f"    {_tuple(rows)} = rows",
        *(f"    {line}" for s in step for line in ast.unparse(s).splitlines()),
        f"    return {_tuple(nexts)}, {_tuple([f'({g}).clone()' for g in given])}",
    ]
    if not found.carried:
        lines.append(f"nothing = {xs[0]}.new_zeros(1)")
    lines.append(
        f"{_tuple(own)}, {_tuple(lists)} = scan(one_step, {_tuple(carried)}, {_tuple(xs)})"
    )
    lines += [f"{name} = {mine}" for name, mine in zip(carried, own, strict=True) if found.carried]
    lines += [f"{name} = {rows_of}" for name, rows_of in zip(outs, lists, strict=True)]
    return ast.parse("\n".join(lines)).body


def _tuple(texts: Sequence[str]) -> str:
    return f"({', '.join(texts)},)"
