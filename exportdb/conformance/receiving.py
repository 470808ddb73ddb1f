"""Receives what an exporter made: the one place where an artifact is checked, before it is used.

Owns the types and bounds of all that an artifact holds. Whatever is not as the protocol says is an
:class:`ArtifactError` that names it, a refusal of the exporter's; what comes out of here can be
relied on.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import fields
from itertools import islice
from typing import Annotated, Any, TypedDict

import msgspec
import torch

from exportdb.conformance.cost import COUNTED
from exportdb.conformance.errors import MAX_MESSAGE, cut, one_line, shown
from exportdb.conformance.observing import named_tensors
from exportdb.exporters.protocol import Artifact
from exportdb.records.text import legible

#: Characters of a graph's text, and of facts written as JSON, that a record takes.
MAX_TEXT = 8 * 2**20
#: Lists and mappings in one another in facts: more than anybody needs, fewer than stop a reader.
MAX_DEPTH = 50
#: Findings of its own that an exporter can report.
MAX_REPORTS = 100
#: The largest count of anything: those of several captures are added, and a database keeps them.
MAX_COUNT = 10**8
COMPARES = ("values", "metadata", "nothing")
_FINDING_ID = re.compile(r"[a-z0-9][a-z0-9_-]{0,99}")


class ArtifactError(Exception):
    """Something that an exporter gave is not as ``exportdb.exporters.protocol`` says."""


def received(captured: Any) -> Artifact:
    """What ``capture()`` returned, checked. Raises ArtifactError."""
    if isinstance(captured, Artifact):
        given = {f.name: getattr(captured, f.name) for f in fields(Artifact)}
    elif isinstance(captured, torch.export.ExportedProgram):
        given = {"call": captured.module(), "exported_program": captured}
    elif isinstance(captured, torch.fx.GraphModule):
        given = {"call": captured, "graph_module": captured}
    else:
        given = {"call": captured}
    return Artifact(**{name: _checked(name, value) for name, value in given.items()})


def _checked(name: str, value: Any) -> Any:
    try:
        return _CHECKS[name](value)
    except ArtifactError as e:
        raise ArtifactError(f"the artifact's {name} {e}") from None
    except (
        Exception
    ) as e:  # a value of a class of the exporter's own may raise when it is looked at
        raise ArtifactError(f"the artifact's {name} raised {one_line(e)}") from e


def _call(value: Any) -> Any:
    if not callable(value):
        raise ArtifactError(f"is {shown(value)}, which is not callable")
    if isinstance(value, torch.nn.Module):
        named_tensors(value)
    return value


def _instance(kind: type) -> Callable[[Any], Any]:
    def check(value: Any) -> Any:
        if value is not None and not isinstance(value, kind):
            raise ArtifactError(f"is {shown(value)}, not of the type {kind.__name__}")
        return value

    return check


def _text(value: Any) -> str | None:
    text: str | None = _instance(str)(value)
    return text if text is None else legible(text)


def _graph_text(value: Any) -> str | None:
    text = _text(value)
    if text is not None and len(text) > MAX_TEXT:
        raise ArtifactError(f"has {len(text)} characters, more than the {MAX_TEXT} of a record")
    return text


def _readable(value: Any) -> str | None:
    text = _text(value)
    return text if text is None else cut(text, MAX_TEXT)


def _count(value: Any, least: int = 0) -> int:
    if type(value) is not int or not least <= value <= MAX_COUNT:
        raise ArtifactError(f"is {shown(value)}, not a whole number from {least} to {MAX_COUNT:,}")
    return value


class _Dim(TypedDict):
    source: str
    kept: bool | None


class _Display(TypedDict, total=False):
    dims: list[_Dim]
    lines: dict[str, str]


class _KnownFacts(TypedDict, total=False):
    """Of facts what others read. An exporter may have further ones, which are only shown."""

    symbols: list[dict[str, Any]]
    dims: list[_Dim]
    guards: list[str]
    runtime_assertions: list[str]
    replacements: dict[str, str]
    ranges: dict[str, tuple[str, str]]
    counts: dict[str, Annotated[int, msgspec.Meta(ge=0, le=MAX_COUNT)]]
    display: _Display


def _compares(value: Any) -> str:
    if type(value) is not str or value not in COMPARES:
        raise ArtifactError(f"is {shown(value)}, not one of {', '.join(COMPARES)}")
    return value


def _facts(value: Any) -> dict[str, Any] | None:
    if _instance(Mapping)(value) is None:
        return None
    try:
        text = json.dumps(dict(value), ensure_ascii=False, allow_nan=False)
    except (TypeError, ValueError, RecursionError) as e:
        raise ArtifactError(f"cannot be written as JSON: {one_line(e)}") from e
    if len(text) > MAX_TEXT:
        raise ArtifactError(f"have {len(text)} characters as JSON, more than {MAX_TEXT}")
    facts: dict[str, Any] = json.loads(text.encode(errors="replace"))
    if _is_deeper(facts, MAX_DEPTH):
        raise ArtifactError(f"are nested deeper than {MAX_DEPTH} levels")
    try:
        msgspec.convert(facts, _KnownFacts)
    except msgspec.ValidationError as e:
        raise ArtifactError(f"are not as others read them: {e}") from None
    return facts


def _is_deeper(data: Any, levels: int) -> bool:
    """Whether more lists and mappings lie in one another than that."""
    if not isinstance(data, dict | list):
        return False
    parts = data.values() if isinstance(data, dict) else data
    return not levels or any(_is_deeper(part, levels - 1) for part in parts)


def _reports(value: Any) -> tuple[tuple[str, str], ...]:
    if not isinstance(value, Iterable):
        raise ArtifactError(f"is {shown(value)}, not pairs of finding ID and message")
    found = []
    for report in islice(value, MAX_REPORTS):  # there may be no end of them
        match report:
            case (str(finding), str(message)) if _FINDING_ID.fullmatch(finding):
                # Plain texts, whatever class theirs is.
                found.append((legible(finding), cut(legible(message), MAX_MESSAGE)))
            case _:
                raise ArtifactError(
                    f"has {shown(report)}, not a pair of finding ID (lower case) and message"
                )
    return tuple(found)


def _cost(value: Any) -> dict[str, int]:
    if not isinstance(value, Mapping):
        raise ArtifactError(f"is {shown(value)}, not numbers by name")
    numbers = dict(value)  # read once: what is checked is what is kept
    for name, number in numbers.items():
        if name not in COUNTED:
            raise ArtifactError(f"has {shown(name)}, not one of {', '.join(COUNTED)}")
        try:
            _count(number)
        except ArtifactError as e:
            raise ArtifactError(f"of {name} {e}") from None
    return numbers


def _names(value: Any) -> frozenset[str]:
    if isinstance(value, str) or not isinstance(value, Iterable):
        raise ArtifactError(f"is {shown(value)}, not names of parameters and buffers")
    names = list(value)
    for name in names:
        if type(name) is not str:
            raise ArtifactError(f"has {shown(name)}, not the name of a parameter or buffer")
    return frozenset(names)


def _function(name: str, check: Callable[[Any], Any]) -> Callable[[Any], Any]:
    """A function of the exporter's, as one whose answer is checked and whose errors are told."""

    def wrapped(function: Any) -> Any:
        if function is None:
            return None
        if not callable(function):
            raise ArtifactError(f"is {shown(function)}, which is not callable")

        def call() -> Any:
            try:
                answer = function()
            except Exception as e:
                raise ArtifactError(f"the artifact's {name}() raised {one_line(e)}") from e
            try:
                return check(answer)
            except ArtifactError as e:
                raise ArtifactError(f"the answer of the artifact's {name}() {e}") from None

        return call

    return wrapped


_CHECKS: dict[str, Callable[[Any], Any]] = {
    "call": _call,
    "exported_program": _instance(torch.export.ExportedProgram),
    "graph_module": _instance(torch.fx.GraphModule),
    "graph_text": _graph_text,
    "graphs": lambda value: _count(value, least=1),
    "compares": _compares,
    "facts": _facts,
    "reports": _reports,
    "readable": _readable,
    "cost": _cost,
    "compiled": _function("compiled", _count),
    "put_back": _function("put_back", lambda answer: None),
    "folded": _names,
}
