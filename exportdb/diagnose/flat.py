"""A program of several files as one text, so that it can be cut down and sent to somebody.

Owns putting the text of an imported file in the place of its import. Whether the result still fails
in the same way is left to whoever asks.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator, Mapping
from pathlib import Path


def flattened(source: str, others: Mapping[str, str]) -> str:
    """``source`` with what it imports by name from ``others`` (texts by path) in it.

    >>> print(flattened("from cache import Cache\\nx = Cache()", {"/a/cache.py": "Cache = dict"}))
    Cache = dict
    x = Cache()
    """
    named = {Path(path).stem: text for path, text in others.items()}
    named |= {Path(p).parent.name: t for p, t in others.items() if Path(p).stem == "__init__"}
    body = list(_body(ast.parse(source), named, set()))
    future = [s for s in body if isinstance(s, ast.ImportFrom) and s.module == "__future__"]
    rest = [s for s in body if s not in future]
    return ast.unparse(ast.Module([*future[:1], *rest], []))


def _body(tree: ast.Module, named: Mapping[str, str], done: set[str]) -> Iterator[ast.stmt]:
    for statement in tree.body:
        match statement:
            case ast.ImportFrom(module=str(module)) if (
                stem := module.rpartition(".")[2]
            ) in named and all(alias.asname is None for alias in statement.names):
                if stem not in done:
                    done.add(stem)
                    yield from _body(ast.parse(named[stem]), named, done)
            case _:
                yield statement
