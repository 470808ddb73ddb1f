"""A loop over a size, as ``scan``: one step that is captured once, for any number of rows.

Owns which loops can be written so: those that read rows of tensors, carry tensors from one round to
the next, and append to lists.
"""

from __future__ import annotations

import ast
import copy
from collections.abc import Collection, Iterator, Mapping, Sequence

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import (
    Function,
    assign,
    function_at,
    parsed,
    replaced,
)
from exportdb.diagnose.rewriting.rows import RowLoop, Rows, grouped, head, loops_at

_WHAT = "write the loop as a scan: one step is captured for any number of them"
_SCAN = "from torch._higher_order_ops.scan import scan"


def scanned(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The loop or comprehension at ``line`` as a scan."""
    function = function_at(parsed(source), line)
    if function is None:
        return
    for found in loops_at(function, line):
        made = _as_scan(found, known_before(function, line))
        if made and (changes := found.instead(_WHAT, made, function)):
            yield changes


def known_before(function: Function, line: int) -> set[str]:
    """The parameters of a function, and the names that it has assigned to before a line."""
    arguments = function.args
    given = [*arguments.posonlyargs, *arguments.args, *arguments.kwonlyargs]
    return {a.arg for a in given} | {
        n.id
        for n in ast.walk(function)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store) and n.lineno < line
    }


def _as_scan(found: RowLoop, known: Collection[str]) -> list[ast.stmt] | None:
    rows, appended = head(found.loop.target, found.loop.iter), found.appended
    plain = all(isinstance(s, ast.Assign | ast.AugAssign) for s in found.body)
    if rows is None or not plain or not appended:
        return None
    kept = [ast.fix_missing_locations(plain_assignment(s)) for s in found.body]
    step = [replaced(s, rows.row) or copy.deepcopy(s) for s in kept]
    given = [replaced(ast.Expr(v), rows.row) or ast.Expr(v) for v in appended.values()]
    assigned = dict.fromkeys(
        n.id
        for s in step
        for n in ast.walk(s)
        if isinstance(n, ast.Name) and isinstance(n.ctx, ast.Store)
    )
    if not rows.read or any(map(rows.counts_in, [*step, *given])):
        return None
    carried = [name for name in assigned if name in known]
    return _written(rows, carried, step, dict(zip(appended, given, strict=True)))


def plain_assignment(statement: ast.stmt) -> ast.stmt:
    """``a += b`` as an assignment: a step must not change what it is given."""
    match statement:
        case ast.AugAssign(target=ast.Name(id=name), op=op, value=value):
            return assign(name, ast.BinOp(ast.Name(name, ast.Load()), op, value))
    return statement


def _written(
    found: Rows, carried: Sequence[str], step: Sequence[ast.stmt], outs: Mapping[str, ast.stmt]
) -> list[ast.stmt]:
    """The step as a function, the call of scan, and the lists that the loop would have filled."""
    before, rows, xs = carried or ["nothing"], list(found.read.values()), found.tensors
    own = [f"carried_{name}" for name in before]
    given = [ast.unparse(o.value) for o in outs.values() if isinstance(o, ast.Expr)]
    lists = [f"{name}_rows" for name in outs]
    # What a step gives must not share memory with what it was given.
    nexts = [f"{name}.clone()" for name in before]
    lines = [
        _SCAN,
        "def one_step(before, rows):",
        f"    {grouped(before)} = before",
        f"    {grouped(rows)} = rows",
        *(f"    {line}" for s in step for line in ast.unparse(s).splitlines()),
        f"    return {grouped(nexts)}, {grouped([f'({g}).clone()' for g in given])}",
    ]
    if not carried:
        lines.append(f"nothing = {xs[0]}.new_zeros(1)")
    lines.append(
        f"{grouped(own)}, {grouped(lists)} = scan(one_step, {grouped(before)}, {grouped(xs)})"
    )
    lines += [f"{name} = {mine}" for name, mine in zip(before, own, strict=True) if carried]
    lines += [f"{name} = {rows_of}" for name, rows_of in zip(outs, lists, strict=True)]
    return ast.parse("\n".join(lines)).body
