"""The names by which somebody may look for a program: what it calls, and what it becomes."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable

#: An operator in a canonical graph.
_OPERATOR = re.compile(r"= ((?:\w+\.)+\w+)\(")


def names(source: str, graphs: Iterable[str]) -> tuple[str, ...]:
    """The dotted names of a program and the operators of its graphs, each once."""
    operators = (name for graph in graphs for name in _OPERATOR.findall(graph))
    return tuple(dict.fromkeys([*_dotted_names(source), *operators]))


def _dotted_names(source: str) -> list[str]:
    """The dotted names a program uses, each once, those within others left out.

    >>> _dotted_names("import torch\\ny = torch.ops.aten.sin(x)[0].index_put_()")
    ['.index_put_', 'torch.ops.aten.sin']
    """
    try:
        tree = ast.parse(source)
    except SyntaxError:
        return []
    attributes = (node for node in ast.walk(tree) if isinstance(node, ast.Attribute))
    found = sorted({_dotted(node) for node in attributes})
    return [n for n in found if not any(n != other and n in other for other in found)]


def _dotted(node: ast.expr) -> str:
    """``a.b.c`` as it is written; of ``f().b.c`` what follows the expression: ``.b.c``."""
    names = []
    while isinstance(node, ast.Attribute):
        names.append(node.attr)
        node = node.value
    names.append(node.id if isinstance(node, ast.Name) else "")
    return ".".join(reversed(names))
