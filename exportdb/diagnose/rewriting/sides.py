"""A branch on data of which one side does for all data what the other does for some.

Owns what a statement becomes when only one side of its ``if`` is kept: an early return where
nothing was found, a step that is skipped where there are no rows. Whether the side that is kept
does the same is left to ``sameness``, which has to see both taken.
"""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Iterator, Sequence
from dataclasses import replace

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import bodies, parsed, replacing, split

_LEAVES = ast.Return | ast.Continue | ast.Break


def one_side(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The ``if`` that decides at ``line`` with one of its sides alone."""
    tree = parsed(source)
    for body in bodies(tree):
        for statement in body:
            if isinstance(statement, ast.If) and (
                statement.test.lineno <= line <= (statement.test.end_lineno or 0)
            ):
                if statement.test.end_lineno != statement.lineno:
                    continue  # its line would be counted more often than it decides
                asked = source.splitlines()[statement.lineno - 1].strip()
                if not isinstance(statement.body[-1], _LEAVES | ast.Raise):
                    what = f"always do what is under `{asked}`: otherwise it changes nothing"
                    yield _kept(source, what, statement, _whatever_the_data(statement))
                if not isinstance(statement.body[-1], ast.Raise):
                    alone = len(body) == 1 and not statement.orelse
                    what = f"leave out `{asked}`: what follows gives the same there"
                    side: list[ast.stmt] = [ast.Pass()] if alone else statement.orelse
                    yield _kept(source, what, statement, side)


def _whatever_the_data(statement: ast.If) -> list[ast.stmt]:
    """What stands under an ``if``, under what Python itself decides of its condition."""
    if parts := split(statement.test):
        return [ast.If(parts[0], statement.body, statement.orelse)]
    return statement.body


def _kept(
    source: str, what: str, statement: ast.If, side: Sequence[ast.stmt]
) -> tuple[Change, ...]:
    """The change, with the line that tells whether the branch was taken."""
    change = replacing(what, statement, side)
    text = change.data["text"]
    whole = side in (statement.body, statement.orelse) and bool(side)
    lines = source.splitlines()[side[0].lineno - 1 : side[-1].end_lineno] if whole else []
    if whole and not lines[0][: side[0].col_offset].strip():  # as it is written, comments and all
        text = textwrap.dedent("\n".join(lines))
    data = {**change.data, "text": text, "sides": statement.body[0].lineno}
    return (replace(change, data=data),)
