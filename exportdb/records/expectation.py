"""What an exporter is known to do with a case: the file format, and the one rule that resolves it.

Owns reading ``<case>.yaml`` and folding its entries into the expectation that holds somewhere.
Writing the files is left to ``exportdb.records.accept``, comparing to ``exportdb.records.verdict``.

The rule: start with what the exporter that this one extends resolves to, then apply this
exporter's entries in order, leaving out those whose ``when`` does not hold. An entry with an
``outcome`` replaces all that came before; one without overrides just the keys it has, and a key
that it sets to null is taken away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path
from typing import Any

from exportdb.cases import yamlfile
from exportdb.cases.case import Case, CaseError
from exportdb.records import switches
from exportdb.records.environment import Environment
from exportdb.records.outcome import PHASES, Outcome
from exportdb.records.record import Record
from exportdb.records.switches import Switches

#: What an expectation says, in the order in which it is written; ``when`` and ``measured`` are
#: the entry's own and no part of the value.
VALUE_KEYS = (
    "outcome", "phase", "error", "samples", "findings", "issue", "note", "ranges", "facts", "graph",
)  # fmt: skip
#: The part of a value that says what was measured, in the order in which it is compared.
MEASURED_KEYS = ("phase", "error", "samples", "graph", "ranges", "facts", "findings")
#: Facts that expectations leave out: what is for display, and what the record says elsewhere.
NOT_COMPARED = ("display", "ranges")
ENTRY_KEYS = ("when", *VALUE_KEYS, "measured")
ERROR_KEYS = ("type", "fingerprint", "message")
WHEN_KEYS = ("torch", "python", "device", "platform", "switches")

SCHEMA_PATH = Path(__file__).with_name("expectation.schema.json")

#: What an expectation says, as plain data: a mapping with keys of VALUE_KEYS, none of them null.
Value = Mapping[str, Any]

_POINT = re.compile(r"(\d+\.\d+)/([^+]+)(?:\+(.+))?")
_MICRO = re.compile(r"\d+\.\d+\.\d")


@dataclass(frozen=True)
class Where:
    """Where something was or will be measured: what the conditions of ``when`` are asked about.

    None for ``python`` or ``platform`` makes every condition on it false.
    """

    torch: str
    device: str
    python: str | None = None
    platform: str | None = None
    switches: Switches = ()

    @staticmethod
    def of(environment: Environment, device: str) -> Where | None:
        """A device in an environment; None where that has no torch."""
        if environment.torch is None:
            return None
        return Where(
            environment.torch, device, minor(environment.python), environment.platform,
            environment.switches,
        )  # fmt: skip

    @property
    def point(self) -> Point:
        """The part of it that ``measured`` keeps."""
        return Point(minor(self.torch), self.device, self.switches)


@dataclass(frozen=True)
class Point:
    """A torch minor version, a device and the switches under which an exporter was measured."""

    torch: str
    device: str
    switches: Switches = ()

    def __str__(self) -> str:
        return "+".join((f"{self.torch}/{self.device}", *self.switches))

    @staticmethod
    def parse(text: str) -> Point:
        """``2.13/cpu`` or ``2.13/cpu+deterministic`` as a point. Raises ValueError."""
        if not (found := _POINT.fullmatch(text)):
            raise ValueError(f"{text!r} must be a torch minor version and a device, like 2.13/cpu")
        return Point(found[1], found[2], switches.parse(found[3].split("+")) if found[3] else ())

    @property
    def where(self) -> Where:
        """The place it stands for."""
        return Where(self.torch, self.device, switches=self.switches)


@dataclass(frozen=True)
class When:
    """The conditions of an entry, all of which must hold; None is no condition.

    ``torch`` is a specifier of minor versions: nightlies and local builds of 2.15 count as 2.15.
    ``platform`` is a system (``Linux``), or system and machine (``Linux-x86_64``). ``switches``
    is no less a condition where it is empty: an entry without it is about runs with every switch
    at its default, and says nothing of others.
    """

    torch: str | None = None
    python: str | None = None
    device: tuple[str, ...] | None = None
    platform: str | None = None
    switches: Switches = ()

    def holds(self, where: Where) -> bool:
        """Whether every condition is true there."""
        return (
            self.switches == where.switches
            and (self.torch is None or _satisfies(minor(where.torch), self.torch))
            and (self.device is None or where.device in self.device)
            and (self.python is None or _satisfies(where.python, self.python))
            and (self.platform is None or self.platform in _names(where.platform))
        )

    @property
    def by_hand(self) -> bool:
        """Whether it asks what ``measured`` does not keep, so that only a person can write it."""
        return self.python is not None or self.platform is not None


@dataclass(frozen=True)
class Entry:
    """One entry of an exporter. ``value`` holds the keys it gives; null takes a key away."""

    value: Mapping[str, Any] = field(default_factory=dict)
    when: When = When()
    measured: tuple[Point, ...] = ()

    def applied_to(self, before: Value | None) -> Value | None:
        """The value after this entry, given the one before it.

        >>> Entry({"graph": "b"}).applied_to({"outcome": "supported", "graph": "a"})
        {'outcome': 'supported', 'graph': 'b'}
        >>> Entry({"outcome": "refused"}).applied_to({"outcome": "supported", "graph": "a"})
        {'outcome': 'refused'}
        """
        if "outcome" not in self.value:
            if before is None:
                return None  # nothing to override: the entry alone says too little
            merged = {**before, **self.value}
        else:
            merged = dict(self.value)
        return {k: v for k, v in merged.items() if v is not None}


#: The entries of one case by exporter.
Entries = Mapping[str, Sequence[Entry]]
#: The exporter that each exporter extends, where it extends one.
Extends = Mapping[str, str | None]


class ExtendsError(ValueError):
    """Exporters that extend each other in a circle."""


@dataclass(frozen=True)
class Expectation:
    """What is expected of one exporter for one case at one place.

    ``confirmed`` says that this very exporter was measured on this device. Where it was not, the
    value is inherited or carried over, and only its outcome binds.
    """

    value: Value
    confirmed: bool

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.value["outcome"])


def resolve(entries: Entries, extends: Extends, exporter: str, where: Where) -> Value | None:
    """The value that holds for ``exporter`` at ``where``, or None if nothing is said.

    Raises ExtendsError when exporters extend each other in a circle.
    """
    value: Value | None = None
    for name in lineage(extends, exporter):
        for entry in entries.get(name, ()):
            if entry.when.holds(where):
                value = entry.applied_to(value)
    return value


def expectation(
    entries: Entries, extends: Extends, exporter: str, where: Where
) -> Expectation | None:
    """:func:`resolve`, and whether it was confirmed on that device."""
    value = resolve(entries, extends, exporter, where)
    if value is None:
        return None
    own = entries.get(exporter, ())
    confirmed = any(
        (p.device, p.switches) == (where.device, where.switches) for e in own for p in e.measured
    )
    return Expectation(value, confirmed)


#: The folders of an absolute path; the file's own name stays.
_FOLDERS = re.compile(r"(?<![\w.:/])(?:/[\w.\-+@]+)+/(?=[\w.\-+]+)")


def value_of(record: Record) -> Value:
    """What an expectation would say if it were taken from ``record``; no issue, no note.

    ``phase`` is kept where it says how far an examination came, and of an error's message just
    the first line, without the folders of whoever measured it: it is for the reader and never
    compared.
    """
    value: dict[str, Any] = {"outcome": str(record.outcome)}
    if record.outcome.stopped:
        value["phase"] = record.phase
    if record.error is not None:
        first = next(
            (line.strip() for line in record.error.message.splitlines() if line.strip()), ""
        )
        value["error"] = {
            "type": record.error.type,
            "fingerprint": record.error.fingerprint,
            "message": _storable(_FOLDERS.sub("", first)[:200]),
        }
    if telling := {s.name: s.result for s in record.samples if s.telling}:
        value["samples"] = telling
    if record.findings:
        value["findings"] = sorted({f.id for f in record.findings})
    if record.ranges:
        value["ranges"] = {k: [str(v) for v in pair] for k, pair in record.ranges.items()}
    # Empty facts say nothing, and ranges stand in the record by themselves.
    facts = {
        k: v for k, v in record.facts.items() if k not in NOT_COMPARED and v not in ({}, [], ())
    }
    if facts:
        value["facts"] = json.loads(json.dumps(facts, sort_keys=True))
    if record.graph:
        value["graph"] = _storable(record.graph)
    return value


def minor(version: str) -> str:
    """``2.15.0a0+git1234`` to ``2.15``."""
    return ".".join(version.split("+")[0].split(".")[:2])


@cache
def _satisfies(version: str | None, specifier: str) -> bool:
    from packaging.specifiers import SpecifierSet

    return version is not None and SpecifierSet(specifier).contains(version, prereleases=True)


def _names(platform: str | None) -> tuple[str, ...]:
    return () if platform is None else (platform, platform.partition("-")[0])


def lineage(extends: Extends, exporter: str) -> list[str]:
    """The exporters an exporter inherits from, the most basic first, then itself.

    Raises ExtendsError.
    """
    line = [exporter]
    while (parent := extends.get(line[-1])) is not None:
        if parent in line:
            raise ExtendsError(f"the exporters {' and '.join([*line, parent])} extend each other")
        line.append(parent)
    return line[::-1]


def _storable(text: str) -> str:
    """Without lone surrogates, which no UTF-8 file can hold."""
    return text.encode("utf-8", "replace").decode("utf-8")


# --- reading -----------------------------------------------------------------------------------


class _FormError(Exception):
    """A value that does not have the form its key asks for."""


def read(path: Path, about: Collection[str] | None = None) -> dict[str, tuple[Entry, ...]]:
    """The entries of an expectation file, or those ``about`` some exporters and no others.

    Raises CaseError with file and line.
    """
    data, lines = yamlfile.load_file(path, about)
    if data is None:
        return {}
    if not isinstance(data, dict):
        raise CaseError(path, 1, "must map exporters to their entries")
    entries = {}
    for exporter, given in data.items():
        try:
            listed = given if isinstance(given, list) else [given]
            if not listed:
                raise _FormError("has no entries")
            entries[str(exporter)] = tuple(_entry(e) for e in listed)
        except _FormError as e:
            raise CaseError(path, lines.get(str(exporter), 1), f"{exporter}: {e}") from None
    return entries


def _entry(data: Any) -> Entry:
    if not isinstance(data, dict):
        raise _FormError("an entry must be a mapping")
    if unknown := [k for k in data if k not in ENTRY_KEYS]:
        raise _FormError(f"unknown key {unknown[0]!r}; keys are {', '.join(ENTRY_KEYS)}")
    value = {k: _READ[k](data[k]) if data[k] is not None else None for k in VALUE_KEYS if k in data}
    if value.get("outcome", "") is None:
        raise _FormError("outcome must be one of the outcomes")
    return Entry(value, _when(data.get("when", {})), _measured(data.get("measured", [])))


def _when(data: Any) -> When:
    if not isinstance(data, dict):
        raise _FormError("when must be a mapping of conditions")
    if unknown := [k for k in data if k not in WHEN_KEYS]:
        raise _FormError(f"unknown condition {unknown[0]!r}; conditions are {', '.join(WHEN_KEYS)}")
    device = data.get("device")
    device = [device] if isinstance(device, str) else device
    return When(
        torch=_specifier(data, "torch"),
        python=_specifier(data, "python"),
        device=None if device is None else tuple(_texts(device)),
        platform=None if data.get("platform") is None else _text(data["platform"]),
        switches=_switches(data.get("switches", [])),
    )  # fmt: skip


def _switches(data: Any) -> Switches:
    try:
        return switches.parse(_texts([data] if isinstance(data, str) else data))
    except ValueError as e:
        raise _FormError(f"switches: {e}") from None


def _specifier(data: Mapping[str, Any], key: str) -> str | None:
    if (given := data.get(key)) is None:
        return None
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        SpecifierSet(_text(given))
    except InvalidSpecifier:
        raise _FormError(f'{key}: {given!r} is no version specifier, like ">=2.13,<2.15"') from None
    if key == "torch" and _MICRO.search(given):
        raise _FormError(
            f"torch: {given!r} must name minor versions, like 2.13: no other is compared"
        )
    return str(given)


def _measured(data: Any) -> tuple[Point, ...]:
    try:
        return tuple(Point.parse(p) for p in _texts(data))
    except ValueError as e:
        raise _FormError(f"measured: {e}") from None


def _outcome(value: Any) -> str:
    if value not in list(Outcome):
        raise _FormError(f"{value!r} is no outcome; outcomes are {', '.join(Outcome)}")
    if not Outcome(value).expectable:
        raise _FormError(
            f"{value} is never expected: an error is a fault, and unavailable is declared"
        )
    return str(value)


def _phase(value: Any) -> str:
    if value not in PHASES:
        raise _FormError(f"{value!r} is no phase; phases are {', '.join(PHASES)}")
    return str(value)


def _samples(value: Any) -> dict[str, str]:
    if not isinstance(value, dict) or not all(isinstance(v, str) for v in value.values()):
        raise _FormError("samples must map names of samples to results, like {n=1: disagrees}")
    return {str(k): v for k, v in value.items()}


def _error(value: Any) -> dict[str, str]:
    if (
        not isinstance(value, dict)
        or value.keys() - set(ERROR_KEYS)
        or not {"type", "fingerprint"} <= value.keys()
    ):
        raise _FormError("error must be a mapping of type, fingerprint and message")
    return {k: _text(v, empty=k != "type") for k, v in value.items()}


def _ranges(value: Any) -> dict[str, list[str]]:
    if not isinstance(value, dict) or any(
        not isinstance(v, list) or len(v) != 2 for v in value.values()
    ):
        raise _FormError("ranges must map each size to its ends, like {n: [2, 32]}")
    return {str(k): [str(end) for end in v] for k, v in value.items()}


def _facts(value: Any) -> dict[str, Any]:
    if not isinstance(value, dict):
        raise _FormError("facts must be a mapping")
    return value


def _text(value: Any, empty: bool = False) -> str:
    if not isinstance(value, str) or not (value or empty):
        raise _FormError(f"{value!r} must be a text")
    return value


def _texts(value: Any) -> list[str]:
    if not isinstance(value, list) or not all(isinstance(v, str) for v in value):
        raise _FormError(f"{value!r} must be a list of texts, like [a, b]")
    return value


_READ: Mapping[str, Callable[[Any], Any]] = {
    "outcome": _outcome, "phase": _phase, "error": _error, "samples": _samples,
    "findings": _texts, "issue": _text, "note": _text, "ranges": _ranges, "facts": _facts,
    "graph": lambda v: _text(v, empty=True),
}  # fmt: skip


# --- looking up --------------------------------------------------------------------------------


@dataclass(frozen=True)
class Shelf:
    """Where expectations are looked up: in a tree of one's own, if any, then beside the case.

    ``own`` mirrors case IDs: ``own/control_flow/branch_on_value.yaml``. What it says about an
    exporter replaces all that stands beside the case about that exporter. ``about`` are the
    exporters of which anything is asked, None for all of them: of others nothing is read.
    """

    extends: Extends
    own: Path | None = None
    about: frozenset[str] | None = None
    _read: dict[Path, Entries] = field(default_factory=dict, repr=False)

    def path_for(self, case: Case) -> Path:
        """The file that ``accept`` writes for a case, whether or not it exists."""
        return case.expectations_path if self.own is None else self.own / f"{case.id}.yaml"

    def paths_of(self, case: Case) -> list[Path]:
        """The files that may say something of a case, what the last one says wins."""
        return [case.expectations_path, *([self.own / f"{case.id}.yaml"] if self.own else [])]

    def entries(self, case: Case) -> dict[str, Sequence[Entry]]:
        """All that is said about a case. Raises CaseError for a file that cannot be read."""
        found: dict[str, Sequence[Entry]] = {}
        for path in self.paths_of(case):
            found |= self.entries_in(path)
        return found

    def entries_in(self, path: Path) -> Entries:
        """The entries of one file; none if it does not exist."""
        if path not in self._read:
            self._read[path] = read(path, self.about) if path.is_file() else {}
        return self._read[path]

    def expectation(self, case: Case, exporter: str, where: Where) -> Expectation | None:
        """What is expected of an exporter for a case. Raises CaseError."""
        return expectation(self.entries(case), self.extends, exporter, where)
