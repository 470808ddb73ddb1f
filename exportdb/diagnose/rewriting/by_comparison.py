"""``one_hot`` without a number of classes, which it reads from the data, by a comparison with all
of them: its size may be one that is read from data.
"""

from __future__ import annotations

import ast
from collections.abc import Iterator

from exportdb.diagnose.change import Change
from exportdb.diagnose.rewriting.editing import parsed, replaced, replacing, simple_statements


def compared(source: str, line: int) -> Iterator[tuple[Change, ...]]:
    """The statement at ``line`` with a comparison in the place of ``one_hot``."""
    for statement in simple_statements(parsed(source)):
        if statement.lineno <= line <= (statement.end_lineno or 0):
            made = replaced(statement, _comparison)
            if made is not None:
                what = f"line {line}: compare with every class, whose number is read with item()"
                yield (replacing(what, statement, [made]),)


def _comparison(node: ast.expr) -> ast.expr | None:
    match node:
        case ast.Call(func=ast.Attribute(attr="one_hot") | ast.Name(id="one_hot"),
                      args=[value, *numbers], keywords=keywords):  # fmt: skip
            pass
        case _:
            return None
    given = [*numbers, *(k.value for k in keywords if k.arg == "num_classes")]
    text = ast.unparse(value)
    classes = ast.unparse(given[0]) if given else "-1"
    if classes == "-1":  # what one_hot takes for "as many as there are"
        classes = f"{text}.max().item() + 1"
    every = f"torch.arange({classes}, device={text}.device)"
    return ast.parse(f"({text}.unsqueeze(-1) == {every}).long()", mode="eval").body
