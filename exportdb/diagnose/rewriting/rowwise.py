"""A loop that does the same with every row, and carries nothing from one to the next, for all rows
at once: with the tensor in the place of its row, or in one call of ``torch.vmap``.

Owns which loops and comprehensions can be written so. A loop over rows is written out while
tracing, once for each row of the example, and makes a constant of their number. Whether what is
done with a row can be done with all of them is left to ``sameness``.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import Function, function_at, parsed, replaced
from exportdb.diagnose.rewriting.rows import RowLoop, Rows, grouped, head, loops_at

_WHAT = "do it for all rows {}: a loop is captured for the example's number of rows"


def at_once(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """What the loop or comprehension at ``line`` does with a row, done with the whole tensor."""
    what = _WHAT.format("at once")
    for function, found in _local_loops(source, line):
        rows = head(found.loop.target, found.loop.iter)
        for flat in (False, True):
            made = None if rows is None else _with_tensors(found, rows, flat)
            changes = made and found.instead(what, made, function, flat)
            if changes:
                yield changes


def mapped(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The loop or comprehension at ``line`` as one call."""
    what = _WHAT.format("in one call of torch.vmap")
    for function, found in _local_loops(source, line):
        rows = head(found.loop.target, found.loop.iter)
        made = None if rows is None else _called(found, rows)
        changes = made and found.instead(what, made, function)
        if changes:
            yield changes


def _local_loops(source: str, line: int) -> Iterator[tuple[Function, RowLoop]]:
    """The loops at a line that fill lists, and leave nothing else behind."""
    function = function_at(parsed(source), line)
    if function is not None:
        for found in loops_at(function, line):
            if found.appended and all(_is_local(s, function, found.whole) for s in found.body):
                yield function, found


def _is_local(statement: ast.stmt, function: Function, loop: ast.stmt) -> bool:
    """Whether a statement sets only names that nothing outside of the loop knows."""
    match statement:
        case ast.Assign(targets=[target]):
            stored = [n for n in ast.walk(target) if isinstance(n, ast.Name | ast.Attribute)]
        case _:
            return False
    inside = set(map(id, ast.walk(loop)))
    outside = {n.id for n in ast.walk(function) if isinstance(n, ast.Name) and id(n) not in inside}
    return all(isinstance(n, ast.Name) and n.id not in outside for n in stored)


def _with_tensors(found: RowLoop, rows: Rows, flat: bool) -> list[ast.stmt] | None:
    """What is done with a row, done with its tensor. With ``flat`` that is made of the row with an
    axis more, and the row alone is not asked for."""
    body = _of_rows(found, rows)
    if body is None:
        return None
    tensors = dict(zip(rows.read.values(), rows.tensors, strict=True))

    def whole(node: ast.expr) -> ast.expr | None:
        name = _widened(node) if flat else node.id if isinstance(node, ast.Name) else ""
        return ast.parse(tensors[name], mode="eval").body if name in tensors else None

    made = [replaced(s, whole) or s for s in body]
    left = {n.id for s in made for n in ast.walk(s) if isinstance(n, ast.Name)}
    return None if flat and left & tensors.keys() else made


def _widened(node: ast.expr) -> str:
    """``row`` of ``row[None]`` and ``row.unsqueeze(0)``, "" for anything else."""
    match node:
        case ast.Subscript(value=ast.Name(id=name), slice=index):
            return name if ast.unparse(index) in ("None", "(None, ...)") else ""
        case ast.Call(func=ast.Attribute(value=ast.Name(id=name), attr="unsqueeze"),
                      args=[ast.Constant(value=0)]):  # fmt: skip
            return name
    return ""


def _of_rows(found: RowLoop, rows: Rows) -> list[ast.stmt] | None:
    """What a loop does with the names of rows in it, its lists set to what it appends; None where
    it asks in which round it is."""
    sets = [ast.Assign([ast.Name(n, ast.Store())], v) for n, v in found.appended.items()]
    every = [ast.fix_missing_locations(copy.deepcopy(s)) for s in [*found.body, *sets]]
    made = [replaced(s, rows.row) or s for s in every]
    return None if not rows.read or any(map(rows.counts_in, made)) else made


def _called(found: RowLoop, rows: Rows) -> list[ast.stmt] | None:
    """The function of one row, and its call for all."""
    body, names = _of_rows(found, rows), list(found.appended)
    if body is None:
        return None
    together = names[0] if len(names) == 1 else grouped(names)
    lines = [
        f"def one_row({', '.join(rows.read.values())}):",
        *(f"    {text}" for s in body for text in ast.unparse(s).splitlines()),
        f"    return {together}",
        f"{together} = torch.vmap(one_row)({', '.join(rows.tensors)})",
    ]
    return ast.parse("\n".join(lines)).body
