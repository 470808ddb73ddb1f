"""The catalogue of error messages: what a message means and what to do about it.

Owns the reading of ``errors.yaml``, one in each tree of cases (the built-in one always counts),
and the way from an error to the entry that explains it. Which cases explain an entry is said by
the cases (``errors:``) and nowhere else; :func:`cases_by_entry` derives the other direction.

A message template is text with named holes: ``Guard failed: {guard}``. A hole stands for any
text, runs of white space count as one blank, and a template may match anywhere in a message; braces
that are meant are written twice. Matching looks for the pieces between the holes one after the
other, so its time grows with the length of the message and never explodes as a regular expression
can.
"""

from __future__ import annotations

import builtins
import re
import string
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from exportdb.cases import yamlfile
from exportdb.cases.case import Case, CaseError
from exportdb.cases.database import builtin_tree

FILE = "errors.yaml"
ID_PATTERN = re.compile(r"E\d{4}")
KEYS = ("title", "types", "messages", "meaning", "remedy")
#: Literal characters a template needs, lest it match everything. An entry of an exception that is
#: not one of Python's own may do with less: there the type says most.
SHORTEST = 12


@dataclass(frozen=True)
class Template:
    """A message template; ``pieces`` are the literal texts between its holes."""

    text: str
    pieces: tuple[str, ...]

    @property
    def weight(self) -> int:
        """How much literal text it has: of two templates that match, the heavier says more."""
        return sum(map(len, self.pieces))

    def matches(self, message: str) -> bool:
        """Whether the pieces occur in ``message`` (white space already made one) in order."""
        at = 0
        for piece in self.pieces:
            at = message.find(piece, at)
            if at < 0:
                return False
            at += len(piece)
        return True


@dataclass(frozen=True)
class Entry:
    """One entry: the messages it explains, what they mean, what to do.

    ``types`` are the class names of the exceptions that bear the message; empty means any.
    """

    id: str
    title: str
    types: tuple[str, ...]
    messages: tuple[Template, ...]
    meaning: str
    remedy: str
    path: Path
    line: int

    def weight(self, error_type: str, message: str) -> int:
        """How well an error fits: 0 if it does not, more the more of it the entry spells out."""
        if self.types and error_type not in self.types:
            return 0
        return max((1 + t.weight for t in self.messages if t.matches(message)), default=0)


@dataclass(frozen=True)
class Catalogue:
    """Entries by ID, and what could not be read."""

    entries: dict[str, Entry] = field(default_factory=dict)
    broken: tuple[CaseError, ...] = ()

    def match(self, error_type: str, message: str) -> str | None:
        """ID of the entry that says most about an error, or None.

        ``error_type`` is the class name, with or without its module.
        """
        name, text = error_type.rpartition(".")[2], one_line(message)
        best = max(self.entries.values(), key=lambda e: e.weight(name, text), default=None)
        return best.id if best is not None and best.weight(name, text) else None


def match(error_type: str, message: str) -> str | None:
    """:meth:`Catalogue.match` in the built-in catalogue."""
    return _builtin().match(error_type, message)


@cache
def _builtin() -> Catalogue:
    return load()


def load(trees: Iterable[Path] = ()) -> Catalogue:
    """The catalogue of the built-in tree and of further ones. Never raises: see ``broken``."""
    entries: dict[str, Entry] = {}
    broken: list[CaseError] = []
    files = [tree / FILE for tree in dict.fromkeys([builtin_tree(), *trees])]
    must = "must map each entry's ID to its text"
    for path, line, entry_id, value in yamlfile.entries(files, must, broken):
        try:
            if entry_id in entries:
                raise ValueError(f"is already in {entries[entry_id].path}")
            entries[entry_id] = _entry(entry_id, value, path, line)
        except ValueError as e:
            broken.append(CaseError(path, line, f"{entry_id} {e}"))
    return Catalogue(entries, tuple(broken))


def cases_by_entry(cases: Iterable[Case]) -> dict[str, list[Case]]:
    """Which cases explain each entry."""
    found: dict[str, list[Case]] = {}
    for case in cases:
        for entry_id in case.meta.errors:
            found.setdefault(entry_id, []).append(case)
    return found


def one_line(text: str) -> str:
    """``text`` with every run of white space made one blank."""
    return " ".join(text.split())


def template(text: str) -> Template:
    """Read a message template. Raises ValueError for a hole without a name or a stray brace.

    >>> template("Guard failed: {guard} on {{x}}").pieces
    ('Guard failed: ', ' on {x}')
    """
    pieces = [""]
    for literal, hole, spec, conversion in string.Formatter().parse(one_line(text)):
        pieces[-1] += literal
        if hole is not None:
            if not hole.isidentifier() or spec or conversion:
                raise ValueError(f"template has the hole {{{hole}}}; a hole is a name in braces")
            pieces.append("")
    return Template(text, tuple(p for p in pieces if p.strip()))


def _entry(entry_id: Any, value: Any, path: Path, line: int) -> Entry:
    if not isinstance(entry_id, str) or not ID_PATTERN.fullmatch(entry_id):
        raise ValueError("is not a legal ID: E and four digits")
    if not isinstance(value, Mapping):
        raise ValueError(f"must be a mapping of {', '.join(KEYS)}")
    if unknown := value.keys() - set(KEYS):
        raise ValueError(f"has the unknown key {sorted(map(str, unknown))[0]}")
    for key in ("title", "meaning", "remedy"):
        if not isinstance(value.get(key), str) or not value[key].strip():
            raise ValueError(f"lacks the text {key}")
    types, messages = value.get("types", []), value.get("messages")
    if not isinstance(types, list) or not all(isinstance(t, str) for t in types):
        raise ValueError("types must be a list of the exceptions' class names")
    if (
        not isinstance(messages, list)
        or not messages
        or not all(isinstance(m, str) for m in messages)
    ):
        raise ValueError("messages must be a list of message templates")
    templates = tuple(template(m) for m in messages)
    telling = types and not any(hasattr(builtins, t) for t in types)
    for t in templates:
        if t.weight < SHORTEST and not telling:
            raise ValueError(f"template {t.text!r} has less than {SHORTEST} literal characters")
    return Entry(
        entry_id,
        value["title"].strip(),
        tuple(types),
        templates,
        value["meaning"].strip(),
        value["remedy"].strip(),
        path,
        line,
    )
