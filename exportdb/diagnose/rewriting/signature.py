"""The signature of a module's ``forward``: naming in it what only its ``**`` takes."""

from __future__ import annotations

import ast
import copy
from collections.abc import Iterator, Sequence

from exportdb.diagnose.change import Change


def named_keywords(source: str, kind: str, names: Sequence[str]) -> Iterator[Change]:
    """``forward`` of the class ``kind`` with ``names`` as parameters instead of in its ``**``."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == kind:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "forward":
                    yield from _with_keywords(method, names)


def _with_keywords(method: ast.FunctionDef, names: Sequence[str]) -> Iterator[Change]:
    rest, first = method.args.kwarg, method.body[0]
    if rest is None or first.lineno == method.lineno:
        return
    arguments = copy.deepcopy(method.args)
    arguments.kwonlyargs += [ast.arg(name) for name in names]
    arguments.kw_defaults += [None for _ in names]
    given = ", ".join(f"{name}={name}" for name in names)
    header = ast.FunctionDef("forward", arguments, [ast.Pass()], [], method.returns)
    text = ast.unparse(ast.fix_missing_locations(header)).splitlines()[0]
    # The lines up to the body, with a comment between them if there is one.
    yield Change(
        "replace", f"name {', '.join(names)} in the signature of forward: torch.export has no"
        f" dynamic_shapes for what comes in **{rest.arg}",
        {"before": method.lineno, "count": first.lineno - method.lineno,
         "text": f"{text}\n    {rest.arg} = dict({rest.arg}, {given})"},
        f"calls without {' or '.join(names)}",
    )  # fmt: skip


def first_line_of_forward(source: str, kind: str, parameter: str) -> int:
    """The line of the first statement of ``forward`` of the class ``kind`` if it has ``parameter``,
    0 if there is none."""
    for node in ast.walk(ast.parse(source)):
        if isinstance(node, ast.ClassDef) and node.name == kind:
            for method in node.body:
                if isinstance(method, ast.FunctionDef) and method.name == "forward":
                    known = {a.arg for a in [*method.args.args, *method.args.kwonlyargs]}
                    said = ast.get_docstring(method) is not None and len(method.body) > 1
                    return method.body[int(said)].lineno if parameter in known else 0
    return 0
