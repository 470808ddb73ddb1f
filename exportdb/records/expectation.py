"""What an exporter is known to do with a case: the entries, and the one rule that resolves it.

Owns the entries of a file and folding them into the expectation that holds somewhere. Left to
others of ``exportdb.records``: reading files to ``expectation_files``, writing them to ``accept``,
comparing to ``verdict``.

The rule: start with what the exporter that this one extends resolves to, then apply this
exporter's entries in order, leaving out those whose ``when`` does not hold. An entry with an
``outcome`` replaces all that came before; one without overrides just the keys it has, and a key
that it sets to null is taken away.
"""

from __future__ import annotations

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Annotated, Any, NamedTuple, cast, get_args

from msgspec import UNSET, UnsetType, structs

from exportdb.cases.data import Data, Text, Texts, says
from exportdb.records import switches, waiver
from exportdb.records.environment import Environment
from exportdb.records.outcome import Outcome, Phase
from exportdb.records.record import ErrorInfo, Finding, Record, Result, Role, SampleResult
from exportdb.records.switches import Switches
from exportdb.records.text import legible

#: What an expectation says, as plain data: a mapping with keys of VALUE_KEYS, none of them null.
Expected = Mapping[str, Any]
#: The part of a value that says what was measured, in the order in which it is compared.
MEASURED_KEYS = ("phase", "error", "samples", "graph", "ranges", "facts", "findings")
#: Facts that expectations leave out: what is for display, and what the record says elsewhere.
NOT_COMPARED = ("display", "ranges")

#: The part of a value that describes a capture, which other exporters may share.
CAPTURE_KEYS = ("ranges", "facts", "graph")
#: The key of a file under which exporters stand that have the same single entry.
ALIKE = "alike"

_POINT = re.compile(r"(\d+)\.(\d+)(?:\.\.\1\.(\d+))?/([^+]+)(?:\+(.+))?")
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


class Point(NamedTuple):
    """A torch minor version, a device and the switches under which an exporter was measured.

    A tuple, since the site looks a result up by its point some hundred thousand times.
    """

    torch: str
    device: str
    switches: Switches = ()

    def __str__(self) -> str:
        return "+".join((f"{self.torch}/{self.device}", *self.switches))

    @staticmethod
    @cache
    def several(text: str) -> tuple[Point, ...]:
        """``2.13/cpu``, ``2.13/cpu+deterministic`` or ``2.11..2.13/cpu``. Raises ValueError.

        >>> [str(p) for p in Point.several("2.11..2.13/cpu")]
        ['2.11/cpu', '2.12/cpu', '2.13/cpu']
        """
        if not (found := _POINT.fullmatch(text)):
            raise ValueError(
                f"{text!r} must be a torch minor version and a device, like 2.13/cpu or "
                "2.11..2.13/cpu"
            )
        major, first, last, device, switched = found.groups()
        under = switches.parse(switched.split("+")) if switched else ()
        minors = range(int(first), int(last or first) + 1)
        return tuple(Point(f"{major}.{m}", device, under) for m in minors)

    @property
    def where(self) -> Where:
        """The place it stands for."""
        return Where(self.torch, self.device, switches=self.switches)


class When(Data, frozen=True, omit_defaults=True):
    """The conditions of an entry, all of which must hold; none holds always.

    An entry without ``switches`` is about runs with every switch at its default, and says nothing
    of others.
    """

    torch: Annotated[
        str | None,
        says("A version specifier of torch's minor version, like `>=2.13,<2.15`: nightlies and "
             "local builds of 2.15 count as 2.15."),
    ] = None  # fmt: skip
    python: Annotated[str | None, says("A version specifier of Python's minor version.")] = None
    device: Annotated[str | Texts | None, says("The device, or several of them.")] = None
    platform: Annotated[
        str | None, says("A system (`Linux`) or system and machine (`Linux-x86_64`).")
    ] = None
    switches: Annotated[Texts, says("The switches a run was made under, all of them.")] = ()

    def __post_init__(self) -> None:
        """Switches are put in order. Raises ValueError for what is no specifier or no switch."""
        for name in ("torch", "python"):
            if (given := getattr(self, name)) is not None and (wrong := _mistake(name, given)):
                raise ValueError(f"{name}: {wrong}")
        structs.force_setattr(self, "switches", switches.parse(self.switches))

    @property
    def devices(self) -> tuple[str, ...]:
        """The devices of the condition; () for every device."""
        return (self.device,) if isinstance(self.device, str) else self.device or ()

    def holds(self, where: Where) -> bool:
        """Whether every condition is true there."""
        return (
            self.switches == where.switches
            and (self.torch is None or _satisfies(minor(where.torch), self.torch))
            and (self.device is None or where.device in self.devices)
            and (self.python is None or _satisfies(where.python, self.python))
            and (self.platform is None or self.platform in _names(where.platform))
        )

    @property
    def by_hand(self) -> bool:
        """Whether it asks what ``measured`` does not keep, so that only a person can write it."""
        return self.python is not None or self.platform is not None


class ExpectedError(Data, frozen=True, omit_defaults=True):
    """An error, of which type and fingerprint are compared."""

    type: Annotated[Text, says("Class of the exception, or what ended the process.")]
    fingerprint: Annotated[str, says("Digest of the text without what changes.")]
    message: Annotated[str | UnsetType, says("Its first line, for the reader.")] = UNSET
    line: Annotated[str | UnsetType, says("The program's line it names, for the reader.")] = UNSET


class ExpectationEntry(Data, frozen=True, omit_defaults=True):
    """One entry of an exporter. A key that is not given changes nothing; null takes one away."""

    when: Annotated[When, says("Conditions that must all hold for the entry to apply.")] = When()
    outcome: Annotated[
        Outcome | UnsetType,
        says("What was measured; an error is a fault, and unavailable is declared.",
             extra_json_schema={"not": {"enum": [o for o in Outcome if not o.expectable]}}),
    ] = UNSET  # fmt: skip
    sometimes: Annotated[
        tuple[Outcome, ...] | UnsetType | None,
        says("Outcomes that it has now and then instead, as measured by --repeat-run; needs an "
             "issue or a note. Nothing but the outcome is compared then.",
             "a list of outcomes, like [wrong]"),
    ] = UNSET  # fmt: skip
    phase: Annotated[
        Phase | UnsetType | None, says("Where it stopped, for outcomes that stop.")
    ] = UNSET
    error: Annotated[ExpectedError | UnsetType | None, says("The error it stopped with.")] = UNSET
    samples: Annotated[
        Mapping[str, Result | Texts] | UnsetType | None,
        says("The samples that count against the capture: each result with the names of those that "
             "have it. A name with its result says the same of one sample.",
             "a mapping of results to names of samples, like {disagrees: [n=1, n=2]}"),
    ] = UNSET  # fmt: skip
    departs: Annotated[
        Text | UnsetType | None,
        says("The program's line from which on the capture has other results, for the reader; "
             "never compared."),
    ] = UNSET  # fmt: skip
    findings: Annotated[Texts | UnsetType | None, says("IDs of findings, sorted.")] = UNSET
    issue: Annotated[
        Text | UnsetType | None,
        says("Where the defect is reported: a URL or `project#number`. An outcome that is a "
             "defect needs it, or a note."),
    ] = UNSET  # fmt: skip
    note: Annotated[Text | UnsetType | None, says("What a reader should know about it.")] = UNSET
    until: Annotated[
        Text | UnsetType | None,
        says("The last day on which the issue or note excuses the outcome, like 2027-01-31, or the "
             "version of torch from which on it does not, like torch 2.16.",
             "a date in quotes, like '2027-01-31', or a version like torch 2.16"),
    ] = UNSET  # fmt: skip
    ranges: Annotated[
        Mapping[str, tuple[str | int, str | int]] | UnsetType | None,
        says("The range the capture publishes for each size: its two ends.",
             "a mapping of each size to its ends, like {n: [2, 32]}"),
    ] = UNSET  # fmt: skip
    facts: Annotated[
        Mapping[str, Any] | UnsetType | None, says("Symbolic facts of the capture.")
    ] = UNSET
    like: Annotated[
        Text | UnsetType,
        says("An exporter of this file whose first entry gives the ranges, facts and graph that "
             "are not given here; null takes one away."),
    ] = UNSET  # fmt: skip
    measured: Annotated[
        Texts,
        says("Where this was confirmed: torch minor version / device, and switches with a + "
             "before each. `2.11..2.13/cpu` is every minor version from 2.11 to 2.13."),
    ] = ()  # fmt: skip
    graph: Annotated[str | UnsetType | None, says("The canonical text of the captured graph.")] = (
        UNSET
    )

    def __post_init__(self) -> None:
        """Raises ValueError for an outcome that is never expected or a place that is none."""
        if isinstance(self.outcome, Outcome) and not self.outcome.expectable:
            raise ValueError(f"{self.outcome} is never expected: an error is a fault, and "
                             "unavailable is declared")  # fmt: skip
        if isinstance(self.until, str) and (wrong := waiver.mistake(self.until)):
            raise ValueError(f"until: {wrong}")
        if self.samples:
            structs.force_setattr(self, "samples", _by_name(self.samples))
        try:
            points = [p for text in self.measured for p in Point.several(text)]
        except ValueError as e:
            raise ValueError(f"measured: {e}") from None
        structs.force_setattr(self, "measured", tuple(map(str, points)))

    @property
    def points(self) -> tuple[Point, ...]:
        """Where it was measured."""
        return tuple(p for text in self.measured for p in Point.several(text))

    @property
    def value(self) -> Expected:
        """The keys that it gives; null takes a key away."""
        given = {k: getattr(self, k) for k in VALUE_KEYS}
        return {k: _PLAIN[k](v) if k in _PLAIN and v else v
                for k, v in given.items() if v is not UNSET}  # fmt: skip

    def applied_to(self, before: Expected | None) -> Expected | None:
        """The value after this entry, given the one before it.

        >>> before = {"outcome": "supported", "graph": "a"}
        >>> ExpectationEntry(graph="b").applied_to(before)
        {'outcome': 'supported', 'graph': 'b'}
        >>> ExpectationEntry(outcome="refused").applied_to(before)
        {'outcome': 'refused'}
        """
        value = self.value
        if "outcome" not in value:
            if before is None:
                return None  # nothing to override: the entry alone says too little
            value = {**before, **value}
        return {k: v for k, v in value.items() if v is not None}


#: Keys of a value, in the order in which they are written.
VALUE_KEYS = tuple(
    k for k in ExpectationEntry.__struct_fields__ if k not in ("when", "like", "measured")
)
#: Keys whose values are made plain: what is compared does not hang on where it was read.
_PLAIN: Mapping[str, Any] = {
    "sometimes": lambda outcomes: sorted(map(str, outcomes)),
    "error": lambda e: e.to_json() if isinstance(e, Data) else e,
    "findings": list,
    "ranges": lambda r: {k: [str(end) for end in ends] for k, ends in r.items()},
}


def _by_name(samples: Mapping[str, Result | tuple[str, ...]]) -> dict[str, Result]:
    """The result of each sample. Raises ValueError for a list under what is no result.

    >>> _by_name({"disagrees": ("n=1", "n=2"), "n=9": "raised"})
    {'n=1': 'disagrees', 'n=2': 'disagrees', 'n=9': 'raised'}
    """
    found: dict[str, Result] = {}
    for key, given in samples.items():
        if not isinstance(given, tuple):
            found[key] = given
        elif key in get_args(Result):
            found |= dict.fromkeys(given, cast(Result, key))
        else:
            raise ValueError(f"samples: {key!r} is no result of a sample")
    return found


@cache
def _mistake(name: str, specifier: str) -> str:
    """What is wrong with a specifier of versions; "" for a good one."""
    from packaging.specifiers import InvalidSpecifier, SpecifierSet

    try:
        SpecifierSet(specifier)
    except InvalidSpecifier:
        return f'{specifier!r} is not a version specifier, like ">=2.13,<2.15"'
    if name == "torch" and _MICRO.search(specifier):
        return f"{specifier!r} must name minor versions, like 2.13: no other is compared"
    return ""


class AlikeEntry(ExpectationEntry, frozen=True, omit_defaults=True, kw_only=True):
    """The only entry of several exporters."""

    exporters: Annotated[Texts, says("The exporters whose only entry this is.")]


#: The entries of one case by exporter.
Entries = Mapping[str, Sequence[ExpectationEntry]]
#: The exporter that each exporter extends, where it extends one.
Extends = Mapping[str, str | None]


class ExtendsError(ValueError):
    """An exporter that extends itself, if by way of others; the message says which way."""


@dataclass(frozen=True)
class Expectation:
    """What is expected of one exporter for one case at one place.

    ``confirmed`` says that this very exporter was measured on this device, with this torch or an
    older one. Where it was not, the value is inherited or carried over, and only its outcome binds.
    ``ended`` says that the waiver of a confirmed one is over there. ``assumed`` says that the value
    is a guess: nothing at all is known of this very exporter, and it is taken to do what the one
    does that it extends; or it was only measured with newer versions of torch.
    """

    value: Expected
    confirmed: bool
    ended: bool = False
    assumed: bool = False

    @property
    def outcome(self) -> Outcome:
        return Outcome(self.value["outcome"])

    @property
    def sometimes(self) -> frozenset[str]:
        """The outcomes that it has now and then instead."""
        return frozenset(self.value.get("sometimes") or ())


def resolve(entries: Entries, extends: Extends, exporter: str, where: Where) -> Expected | None:
    """The value that holds for ``exporter`` at ``where``, or None if nothing is said.

    What is ``supported`` elsewhere is ``predicted`` on a device without values. Raises ExtendsError
    when exporters extend each other in a circle.
    """
    value: Expected | None = None
    for name in lineage(extends, exporter):
        for entry in entries.get(name, ()):
            if entry.when.holds(where):
                value = entry.applied_to(value)
    if value and value.get("outcome") == Outcome.SUPPORTED and not computes(where.device):
        value = {**value, "outcome": Outcome.PREDICTED}
    return value


def computes(device: str) -> bool:
    """Whether tensors hold values on a device, by its name."""
    return device != "meta" and not device.startswith("fake-")


def expectation(
    entries: Entries, extends: Extends, exporter: str, where: Where
) -> Expectation | None:
    """:func:`resolve`, and how well that is founded there."""
    value = resolve(entries, extends, exporter, where)
    if value is None:
        return None
    own = entries.get(exporter, ())
    here = [
        p for e in own for p in e.points
        if (p.device, p.switches) == (where.device, where.switches)
    ]  # fmt: skip
    confirmed = any(version_key(p.torch) <= version_key(where.point.torch) for p in here)
    until = value.get("until") if confirmed else None
    return Expectation(
        value,
        confirmed,
        ended=until is not None and waiver.ended(until, where.torch),
        assumed=not confirmed if here else not any(e.points or e.value for e in own),
    )


#: Characters of a line of a program.
LONGEST_LINE = 160
#: The folders of an absolute path; the file's own name stays.
_FOLDERS = re.compile(r"(?<![\w.:/])(?:/[\w.\-+@]+)+/(?=[\w.\-+]+)")


def named_line(record: Record) -> str:
    """The line of the case that its error names last, as text; "" where it names none."""
    if record.error is None:
        return ""
    file = re.escape(record.case.rpartition("/")[2])
    found = re.findall(rf"\b{file}\.py\"?, line \d+, in .*\n[ \t]*(\S.*)", record.error.message)
    return legible(found[-1].rstrip()[:LONGEST_LINE]) if found else ""


def value_of(record: Record) -> Expected:
    """What an expectation would say if it were taken from ``record``; no issue, no note.

    ``phase`` is kept where it says how far an examination came, and of an error's message just
    the first line, without the folders of whoever measured it: it is for the reader and never
    compared.
    """
    value: dict[str, Any] = {"outcome": record.outcome}
    if others := sorted(set(record.outcomes) - {record.outcome}):
        value["sometimes"] = others
    if record.outcome.stopped:
        value["phase"] = record.phase
    if record.error is not None:
        first = next(
            (line.strip() for line in record.error.message.splitlines() if line.strip()), ""
        )
        value["error"] = {
            "type": record.error.type,
            "fingerprint": record.error.fingerprint,
            "message": legible(_FOLDERS.sub("", first)[:200]),
        }
        if line := named_line(record):
            value["error"]["line"] = line
    if against := {s.name: s.result for s in record.samples if s.counts_against}:
        value["samples"] = against
    if record.departs and record.departs.code:
        value["departs"] = legible(record.departs.code[:LONGEST_LINE])
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
        value["graph"] = legible(record.graph)
    return value


#: The role of a sample of which an expectation keeps name and result alone.
_UNKNOWN = cast(Role, "")


def known_facts(facts: Mapping[str, Any]) -> Mapping[str, Any]:
    """Facts without the dims of which nothing is known.

    Of a graph whose inputs have no values it was once said that they became the constant ``None``.
    """
    dims = facts.get("dims", ())
    known = [dim for dim in dims if dim.get("value") != "None"]
    if len(known) == len(dims):
        return facts
    return {k: v for k, v in facts.items() if k != "dims"} | ({"dims": known} if known else {})


def record_of(value: Expected, case: str, exporter: str, device: str) -> Record:
    """What an expectation keeps of the record that it was taken from: the way back."""
    error = value.get("error")
    return Record(
        case=case,
        exporter=exporter,
        device=device,
        outcome=Outcome(value["outcome"]),
        phase=value.get("phase", ""),
        error=error and ErrorInfo(error["type"], error.get("message", ""), error["fingerprint"]),
        samples=tuple(SampleResult(_UNKNOWN, n, r) for n, r in value.get("samples", {}).items()),
        findings=tuple(Finding(f, "") for f in value.get("findings", ())),
        graph=value.get("graph"),
        ranges={k: (v[0], v[1]) for k, v in value.get("ranges", {}).items()},
        facts=known_facts(value.get("facts", {})),
    )


def minor(version: str) -> str:
    """``2.15.0a0+git1234`` to ``2.15``."""
    return ".".join(version.split("+")[0].split(".")[:2])


@cache
def version_key(version: str) -> tuple[int, ...]:
    """Sorts versions: ``2.9`` before ``2.13``; what is no number counts as 0."""
    return tuple(int(p) if p.isdecimal() else 0 for p in version.split("."))


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
            raise ExtendsError(f"extends {' extends '.join([*line[1:], parent])}")
        line.append(parent)
    return line[::-1]
