"""From the text of a case file to a :class:`~exportdb.cases.case.Case`.

What keys there are, and what fits them, is said by ``FrontMatter``. The file is parsed with
``ast``, never imported. Checks that need more than one file are left to ``exportdb.cases.lint``.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from msgspec import structs

from exportdb.cases import yamltext
from exportdb.cases.case import Case, CaseError, FrontMatter
from exportdb.cases.data import DataError, checked

KEYS = {field.name: field for field in structs.fields(FrontMatter)}


def parse_case(case_id: str, path: Path, source: str) -> Case:
    """Read a case from the text of its file; raises CaseError naming file and line."""
    docstring, data, lines = _load(path, source)
    values, errors = _read(path, docstring.lineno, data, lines)
    if errors:
        raise errors[0]
    return Case(
        id=case_id,
        path=path,
        meta=FrontMatter(**values),
        source=source,
        digest=hashlib.sha256(source.encode()).hexdigest()[:16],
        lines=lines,
        program_line=_first_line(source, (docstring.end_lineno or docstring.lineno) + 1),
    )


def _first_line(source: str, line: int) -> int:
    """The first line from ``line`` on that is not blank; ``line`` if all are."""
    rest = source.splitlines()[line - 1 :]
    return next((line + i for i, text in enumerate(rest) if text.strip()), line)


def errors_of(path: Path, source: str) -> list[CaseError]:
    """Everything for which :func:`parse_case` refuses a file, where it stops at the first."""
    try:
        docstring, data, lines = _load(path, source)
    except CaseError as e:
        return [e]
    return _read(path, docstring.lineno, data, lines)[1]


def _load(path: Path, source: str) -> tuple[ast.Expr, dict[Any, Any], dict[str, int]]:
    """The docstring of a case file, the mapping in it, and the line of each key."""
    try:
        tree = ast.parse(source)
    except SyntaxError as e:
        raise CaseError(path, e.lineno or 1, f"syntax error: {e.msg}") from None
    except (ValueError, RecursionError, MemoryError) as e:
        raise CaseError(path, 1, f"cannot be parsed: {e}") from None
    docstring = tree.body[0] if tree.body else None
    if not (
        isinstance(docstring, ast.Expr)
        and isinstance(docstring.value, ast.Constant)
        and isinstance(docstring.value.value, str)
    ):
        raise CaseError(
            path, 1, "must begin with a docstring that holds the front matter (for a model "
            "that is not a case: exportdb diagnose FILE.py:FUNCTION)",
        )  # fmt: skip
    data, lines = yamltext.load(docstring.value.value, path, docstring.lineno)
    if not isinstance(data, dict):
        raise CaseError(path, docstring.lineno, "front matter must be a mapping of keys")
    return docstring, data, lines


def _read(
    path: Path, first_line: int, data: dict[Any, Any], lines: Mapping[str, int]
) -> tuple[dict[str, Any], list[CaseError]]:
    """The values of the keys, each in its final form, and what is wrong with the others."""
    values: dict[str, Any] = {}
    errors = []
    for key, value in data.items():
        line = lines.get(str(key), first_line)
        if key not in KEYS:
            message = f"unknown key {key!r}; keys are {', '.join(KEYS)}"
            errors.append(CaseError(path, line, message, "unknown-key"))
            continue
        try:
            given = value.strip() if isinstance(value, str) else value
            values[key] = checked(given, KEYS[key].type, key)
        except DataError as e:
            errors.append(CaseError(path, line, str(e), "bad-value"))
            continue
        if key == "tolerance" and not value:
            message = "tolerance must be a mapping of rtol and atol, and names neither"
            errors.append(CaseError(path, line, message, "bad-value"))
        if isinstance(value, list) and len({*value}) != len(value):
            errors.append(CaseError(path, line, f"{key} names something twice", "bad-value"))
    for name, key_ in KEYS.items():
        if key_.required and name not in data:
            message = f"front matter lacks the key {name!r}"
            errors.append(CaseError(path, first_line, message, "missing-key"))
    return values, errors
