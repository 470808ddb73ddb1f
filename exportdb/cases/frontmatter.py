"""From the text of a case file to a :class:`~exportdb.cases.case.Case`.

Owns the keys that front matter may have and what their values look like. The file is parsed with
``ast``, never imported. Checks that need more than one file are left to ``exportdb.cases.lint``.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from exportdb.cases import yamlfile
from exportdb.cases.case import Case, CaseError, DimRange, FrontMatter, Tolerance


class _Bad(Exception):
    """A value that does not have the form its key asks for."""


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise _Bad("must be a text that is not empty")
    return value.strip()


def _texts(value: Any) -> tuple[str, ...]:
    if not isinstance(value, list) or not all(isinstance(v, str) and v for v in value):
        raise _Bad("must be a list of texts, like [a, b]")
    if len(set(value)) != len(value):
        raise _Bad("names something twice")
    return tuple(value)


def _flag(value: Any) -> bool:
    if not isinstance(value, bool):
        raise _Bad("must be true or false")
    return value


def _number(value: Any) -> float:
    if isinstance(value, str):
        try:
            float(value)
        except ValueError:
            pass
        else:
            raise _Bad(f"is read as the text {value!r}; YAML wants a dot: 1.0e-5")
    if isinstance(value, bool) or not isinstance(value, int | float) or not value >= 0:
        raise _Bad("must be a number that is not negative")
    return float(value)


def _size(value: Any) -> int:
    if isinstance(value, bool) or not isinstance(value, int):
        raise _Bad("sizes must be whole numbers")
    return value


def _tolerance(value: Any) -> Tolerance:
    if not isinstance(value, dict) or not value or value.keys() - {"rtol", "atol"}:
        raise _Bad("must be a mapping of rtol and atol")
    return Tolerance(**{k: _number(v) for k, v in value.items()})


def _dims(value: Any) -> Mapping[str, DimRange]:
    if not isinstance(value, dict):
        raise _Bad("must map each dim to its range, like {n: {min: 2, max: 8}}")
    dims = {}
    for name, bounds in value.items():
        if not isinstance(bounds, dict) or bounds.keys() - {"min", "max"}:
            raise _Bad(f"the range of {name} must be a mapping of min and max")
        most = _size(bounds["max"]) if "max" in bounds else None
        dim = DimRange(_size(bounds.get("min", 0)), most)
        if dim.max is not None and dim.max < dim.min:
            raise _Bad(f"the range of {name} is empty")
        dims[str(name)] = dim
    return dims


def _reasons(value: Any) -> Mapping[str, str]:
    if not isinstance(value, dict) or not all(isinstance(v, str) and v for v in value.values()):
        raise _Bad("must map check IDs to the reason, like {L031: the case is about this}")
    return {str(k): v for k, v in value.items()}


@dataclass(frozen=True)
class Key:
    """One key of the front matter: how its value is read, and what it is for."""

    read: Callable[[Any], Any]
    meaning: str
    required: bool = False


KEYS: dict[str, Key] = {
    "title": Key(_text, "One line, as a reader would search for it.", required=True),
    "description": Key(_text, "What happens and why, in a few sentences.", required=True),
    "tags": Key(_texts, "Tags from cases/tags.yaml."),
    "rewrites": Key(_texts, "IDs of cases that do the same in a way that captures."),
    "pitfalls": Key(_texts, "IDs of cases that show the tempting fix that is wrong."),
    "references": Key(_texts, "Issues (pytorch#123) and pages this case is drawn from."),
    "errors": Key(_texts, "IDs of the error catalogue entries this case explains."),
    "requires": Key(_texts, "Capabilities the program needs, from exportdb.cases.capabilities."),
    "models": Key(_texts, "Names of the modules to examine with the same inputs; [Model]."),
    "dims": Key(_dims, "Ranges of the sizes of inputs() that no named Dim declares."),
    "train": Key(_flag, "Whether gradients are compared too."),
    "tolerance": Key(_tolerance, "rtol and atol, where the dtype's defaults do not fit."),
    "timeout": Key(_number, "Seconds one examination may take, where the default does not fit."),
    "allow": Key(_reasons, "Lint checks this case breaks on purpose, each with the reason."),
}


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
        raise CaseError(path, 1, "must begin with a docstring that holds the front matter")
    data, lines = yamlfile.load(docstring.value.value, path, docstring.lineno)
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
            values[key] = KEYS[key].read(value)
        except _Bad as e:
            errors.append(CaseError(path, line, f"{key} {e}", "bad-value"))
    for name, key_ in KEYS.items():
        if key_.required and name not in data:
            message = f"front matter lacks the key {name!r}"
            errors.append(CaseError(path, first_line, message, "missing-key"))
    return values, errors
