"""Files of expectations: reading one, and which of them speak of a case.

Owns ``<case>.yaml`` as a file, and ``<topic>.yaml`` of a folder of one's own, in which each case of
a topic has its part. Either says a fact once; what :func:`read` gives has none of its
shorthands: ``like`` is replaced by what it names, ``alike`` by the entries it stands for, a range
of versions by each. What entries mean is ``exportdb.records.expectation``'s.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from msgspec import UNSET

from exportdb.cases.case import Case, CaseError
from exportdb.cases.data import DataError, checked
from exportdb.cases.yamlfile import Part
from exportdb.records.expectation import (
    ALIKE,
    AlikeEntry,
    Entries,
    Expectation,
    ExpectationEntry,
    Extends,
    Where,
    expectation,
)
from exportdb.records.expectation_layout import EMPTY, Group, Layout, in_full
from exportdb.records.outcome import Outcome


def read(path: Path, about: Collection[str] | None = None) -> dict[str, Sequence[ExpectationEntry]]:
    """The entries of the file of one case, or those ``about`` some exporters and no others.

    Raises CaseError with file and line.
    """
    return _read_part(Part(path), about)


def _read_part(part: Part, about: Collection[str] | None) -> dict[str, Sequence[ExpectationEntry]]:
    layout, lines = _layout(part, about)
    entries = layout.entries
    if about is not None:
        entries = {e: listed for e, listed in entries.items() if e in about}
    _take_from_others(part, lines, entries)
    return entries


def layout_of(part: Part) -> Layout:
    """How the entries of a part are written; empty where there is none. Raises CaseError."""
    return _layout(part, None)[0] if part.path.is_file() else EMPTY


def _layout(part: Part, about: Collection[str] | None) -> tuple[Layout, dict[str, int]]:
    """The entries as they are written, and the line of each key."""
    path = part.path
    data, lines = _mapping(part, None if about is None else {*about, ALIKE})
    given_groups = data.pop(ALIKE, [])
    alone = {str(e): _entries(path, lines, str(e), given) for e, given in data.items()}
    groups = []
    met = set(alone)
    for group in _checked(path, lines, ALIKE, given_groups, tuple[AlikeEntry, ...]):
        given = {k: getattr(group, k) for k in ExpectationEntry.__struct_fields__}
        for exporter in group.exporters:
            if exporter in met:
                message = f"{ALIKE}: {exporter} has an entry of its own"
                raise CaseError(path, lines.get(ALIKE, 1), message)
            met.add(exporter)
        groups.append(Group(group.exporters, ExpectationEntry(**given)))
    return Layout(alone, groups), lines


def _mapping(part: Part, keys: Collection[str] | None) -> tuple[dict[Any, Any], dict[str, int]]:
    data, lines = part.load(keys)
    if not isinstance(data, dict | None):
        raise CaseError(part.path, 1, "must map exporters to their entries")
    return data or {}, lines


def _entries(
    path: Path, lines: Mapping[str, int], exporter: str, given: Any
) -> tuple[ExpectationEntry, ...]:
    listed = given if isinstance(given, list) else [given]
    if not listed:
        raise CaseError(path, lines.get(exporter, 1), f"{exporter}: has no entries")
    return tuple(_checked(path, lines, exporter, e, ExpectationEntry) for e in listed)


def _checked(path: Path, lines: Mapping[str, int], key: str, value: Any, kind: Any) -> Any:
    try:
        return checked(value, kind)
    except DataError as e:
        raise CaseError(path, lines.get(key, 1), f"{key}: {e}") from None


def _take_from_others(
    part: Part, lines: Mapping[str, int], entries: dict[str, Sequence[ExpectationEntry]]
) -> None:
    """Replace ``like`` in all entries by what it names."""
    path = part.path
    named = {e.like for listed in entries.values() for e in listed if e.like is not UNSET}
    others = dict(entries)
    if missing := named - entries.keys():
        more, more_lines = _mapping(part, missing)
        others |= {e: _entries(path, more_lines, e, more[e]) for e in missing & more.keys()}
    for exporter, listed in entries.items():
        for entry in listed:
            if entry.like is not UNSET and (
                entry.like not in others or others[entry.like][0].like is not UNSET
            ):
                message = f"like: {entry.like!r} is not an exporter of this file that gives its own"
                raise CaseError(path, lines.get(exporter, 1), f"{exporter}: {message}")
        entries[exporter] = tuple(in_full(e, others) for e in listed)


def own_part(own: Path, case: Case) -> Part:
    """Where a folder of one's own keeps what is expected of a case."""
    if case.topic and not (own / case.topic).is_dir():
        return Part(own / f"{case.topic}.yaml", case.id)
    return Part(own / f"{case.id}.yaml")


@dataclass(frozen=True)
class Expectations:
    """Where expectations are looked up: in a tree of one's own, if any, then beside the case.

    ``own`` has a file for each topic, ``own/control_flow.yaml``, with a part for each case; or,
    where there is a folder ``own/control_flow``, a file for each case in it. What it says about an
    exporter replaces all that stands beside the case about that exporter. ``about`` are the
    exporters of which anything is asked, None for all of them: of others nothing is read.
    """

    extends: Extends
    own: Path | None = None
    about: frozenset[str] | None = None
    _read: dict[Part, Entries] = field(default_factory=dict, repr=False)

    def written_for(self, case: Case) -> Part:
        """What ``accept`` writes for a case, whether or not it exists."""
        return Part(case.expectations_path) if self.own is None else own_part(self.own, case)

    def parts_of(self, case: Case) -> list[Part]:
        """What may say something of a case, what the last one says wins."""
        own = [own_part(self.own, case)] if self.own else []
        return [Part(case.expectations_path), *own]

    def entries(self, case: Case) -> dict[str, Sequence[ExpectationEntry]]:
        """All that is said about a case. Raises CaseError for a file that cannot be read."""
        found: dict[str, Sequence[ExpectationEntry]] = {}
        for part in self.parts_of(case):
            found |= self.entries_in(part)
        return found

    def entries_in(self, part: Part) -> Entries:
        """The entries of one part; none if it does not exist."""
        if part not in self._read:
            self._read[part] = _read_part(part, self.about) if part.path.is_file() else {}
        return self._read[part]

    def outcomes(self, case: Case, where: Where) -> dict[str, Outcome]:
        """The expected outcome of every exporter that is spoken of. Raises CaseError."""
        entries = self.entries(case)
        # One that was never measured here inherits what to compare with, and has no outcome.
        names = [e for e in self.extends if e in entries]
        names += [e for e in entries if e not in self.extends]
        found = {n: expectation(entries, self.extends, n, where) for n in names}
        return {n: known.outcome for n, known in found.items() if known is not None}

    def expectation(self, case: Case, exporter: str, where: Where) -> Expectation | None:
        """What is expected of an exporter for a case. Raises CaseError."""
        return expectation(self.entries(case), self.extends, exporter, where)
