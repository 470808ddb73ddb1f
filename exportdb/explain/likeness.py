"""How much a program has a line like one of the user's: the same statement, with other names.

Pure. Two lines are alike by what their syntax trees have in common; names of variables are not.
"""

from __future__ import annotations

import ast
from collections import Counter
from collections.abc import Iterator


def likeness(line: str, program: str) -> float:
    """From 0 to 1: how much the line of ``program`` that is most like ``line`` is like it.

    >>> program = "def forward(self, x):\\n    if x.sum() > 0:\\n        return x\\n    return -x"
    >>> [likeness(line, program) for line in ("if scores.sum() > 7:", "while True:", "x = (")]
    [1.0, 0.0, 0.0]
    """
    try:
        wanted = ast.parse(_whole(line.strip())).body
        found = ast.walk(ast.parse(program))
    except SyntaxError:  # a piece of a longer statement
        return 0.0
    if len(wanted) != 1:
        return 0.0
    kind, parts = type(wanted[0]), Counter(_parts(wanted[0]))
    return max(
        (_common(parts, Counter(_parts(node))) for node in found if type(node) is kind),
        default=0.0,
    )


def _whole(line: str) -> str:
    """A line as a statement: what begins a block has one."""
    line = line.removeprefix("el") if line.startswith("elif ") else line
    return f"{line} pass" if line.endswith(":") else line


def _parts(node: ast.AST) -> Iterator[str]:
    """What a statement is made of, without the statements within it."""
    for child in ast.iter_child_nodes(node):
        if isinstance(child, ast.stmt | ast.expr_context | ast.Name):
            continue
        yield child.attr if isinstance(child, ast.Attribute) else type(child).__name__
        yield from _parts(child)


def _common(one: Counter[str], other: Counter[str]) -> float:
    both = one.total() + other.total()
    return 2 * (one & other).total() / both if both else 1.0
