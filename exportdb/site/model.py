"""What the site shows, as plain data: cases, cells, errors, tags, and how they hang together.

Owns the vocabulary of the site and the questions its pages ask of it. Pure: reading the database,
expectations and records is left to ``load``, words and markup to ``pages``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import Any

from exportdb.cases.case import Case
from exportdb.cases.catalogue import Entry
from exportdb.cases.vocabulary import Tag
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Finding
from exportdb.records.switches import Switches

#: Outcomes in which a capture ran and nobody was told that it was not what eager does.
#: Devices in the order in which they are shown; others follow by name.
DEVICES = ("cpu", "cuda", "xpu", "mps", "meta")


@dataclass(frozen=True, order=True)
class Place:
    """Where a result is from, as a column of a support matrix shows it: a torch minor version
    (``2.13``), a device, and the switches that the run was made under.
    """

    torch: str
    device: str
    switches: Switches = ()

    def __str__(self) -> str:
        return "+".join((f"{self.torch}/{self.device}", *self.switches))

    @property
    def rank(self) -> tuple[int, str, tuple[int, ...], str, Switches]:
        """Sorts by device as people know them, then from the oldest torch to the newest."""
        known = DEVICES.index(self.device) if self.device in DEVICES else len(DEVICES)
        return (known, self.device, version_key(self.torch), self.torch, self.switches)


@dataclass(frozen=True)
class Source:
    """Where a cell is from: a run, or the expectations accepted in the repository (no ``run``).

    ``started`` is ISO 8601 in UTC; ``torch`` the full version.
    """

    run: str = ""
    started: str = ""
    torch: str = ""
    python: str = ""
    platform: str = ""
    accelerator: str = ""
    switches: Switches = ()

    @property
    def measured_by_run(self) -> bool:
        """Whether it is a run; else it is an accepted expectation, which has no date."""
        return bool(self.run)


@dataclass(frozen=True)
class Sample:
    """What happened on one sample; ``role`` is "" where only an expectation speaks of it."""

    name: str
    result: str
    role: str = ""
    message: str = ""

    @property
    def telling(self) -> bool:
        """Whether it counts against the capture; expectations keep only those that do."""
        if self.role == "rejects":
            return self.result in ("disagrees", "unguarded")
        return self.result != "agrees"


@dataclass(frozen=True)
class Cell:
    """What is known of one case with one exporter at one place.

    ``note`` and ``issue`` are the expectation's, ``repro`` the command that the record names.
    ``stale`` says that the case has been edited since it was measured.
    """

    case: str
    exporter: str
    place: Place
    outcome: Outcome
    source: Source
    phase: str = ""
    error: ErrorInfo | None = None
    samples: tuple[Sample, ...] = ()
    findings: tuple[Finding, ...] = ()
    note: str = ""
    issue: str = ""
    graph: str = ""
    graph_readable: str = ""
    ranges: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)
    seconds: Mapping[str, float] = field(default_factory=dict)
    cost: Mapping[str, float] = field(default_factory=dict)
    repro: str = ""
    stale: bool = False

    @property
    def command(self) -> str:
        """The command that repeats it."""
        words = f"exportdb run {self.case} --exporter {self.exporter} --device {self.place.device}"
        return self.repro or words

    @property
    def shown(self) -> Outcome:
        """The outcome with its glyph, word and meaning."""
        return self.outcome


@dataclass(frozen=True)
class Observation:
    """What one run saw of a cell: enough to tell when it changed."""

    exporter: str
    place: Place
    source: Source
    outcome: Outcome
    graph_digest: str


@dataclass(frozen=True)
class CaseView:
    """A case with all that is known of it. ``digest`` changes when any of it does, ``measured`` for
    each exporter when any of its cells does.

    ``cells`` are of runs with every switch at its default; ``switched`` are the others, which count
    nowhere. ``names`` are those by which somebody may look for it: what it calls, what it becomes.
    """

    case: Case
    cells: tuple[Cell, ...]
    switched: tuple[Cell, ...] = ()
    observations: tuple[Observation, ...] = ()
    digest: str = ""
    measured: Mapping[str, str] = field(default_factory=dict)
    names: tuple[str, ...] = ()

    @property
    def id(self) -> str:
        return self.case.id

    @cached_property
    def by_key(self) -> dict[tuple[str, Place], Cell]:
        """Cells by exporter and place."""
        return {(c.exporter, c.place): c for c in self.cells}

    @cached_property
    def places(self) -> list[Place]:
        """Where it was measured, in the order of columns."""
        return sorted({c.place for c in self.cells}, key=lambda p: p.rank)

    @property
    def has_rewrite(self) -> bool:
        return bool(self.case.meta.rewrites)

    @property
    def silently_wrong(self) -> bool:
        """Whether some exporter disagrees with eager somewhere without a word."""
        return any(c.shown.silent for c in self.cells)

    @cached_property
    def differs(self) -> bool:
        """Whether two exporters have different outcomes at one place."""
        seen: dict[Place, set[str]] = {}
        for cell in self.cells:
            if cell.shown.compared:
                seen.setdefault(cell.place, set()).add(cell.outcome)
        return any(len(outcomes) > 1 for outcomes in seen.values())

    @cached_property
    def changed(self) -> bool:
        """Whether an outcome at the newest torch is not that at the torch before it."""
        return any(new.outcome != old.outcome for old, new in self.last_steps)

    @cached_property
    def last_steps(self) -> list[tuple[Cell, Cell]]:
        """Per exporter and device, the cells at the two newest torch versions."""
        rows: dict[tuple[str, str], list[Cell]] = {}
        for cell in self.cells:
            rows.setdefault((cell.exporter, cell.place.device), []).append(cell)
        ordered = (sorted(row, key=lambda c: version_key(c.place.torch)) for row in rows.values())
        return [(row[-2], row[-1]) for row in ordered if len(row) > 1]


@dataclass(frozen=True)
class Site:
    """Everything the site shows.

    ``exporters`` that were measured at most places stand first, then by name; ``described`` holds
    what those that come with exportdb say they are; ``sources`` are the runs that were read, the
    oldest first; ``elsewhere`` counts the records of programs that are not in the database, by
    suite, exporter, place and outcome.
    """

    cases: Mapping[str, CaseView]
    exporters: tuple[str, ...]
    entries: Mapping[str, Entry]
    tags: Mapping[str, Tag]
    redirects: Mapping[str, str] = field(default_factory=dict)
    described: Mapping[str, str] = field(default_factory=dict)
    sources: tuple[Source, ...] = ()
    elsewhere: Mapping[tuple[str, str, Place], Counter[Outcome]] = field(default_factory=dict)

    def scored(self, cells: Iterable[Cell]) -> list[Cell]:
        """Those that a score counts: of a program that breaks a contract itself none does."""
        return [c for c in cells if not self.cases[c.case].case.meta.breaks_contract]

    @cached_property
    def cells(self) -> list[Cell]:
        """Every cell, case by case."""
        return [cell for view in self.cases.values() for cell in view.cells]

    @cached_property
    def places(self) -> list[Place]:
        """Every place that was measured, in the order of columns."""
        return sorted({c.place for c in self.cells}, key=lambda p: p.rank)

    @cached_property
    def torches(self) -> list[str]:
        """torch minor versions, the oldest first."""
        return sorted({p.torch for p in self.places}, key=version_key)

    @cached_property
    def devices(self) -> list[str]:
        """Devices in the order of columns."""
        return list(dict.fromkeys(p.device for p in self.places))

    @cached_property
    def topics(self) -> dict[str, list[CaseView]]:
        """Cases by topic; "" holds those of no topic."""
        found: dict[str, list[CaseView]] = {}
        for view in self.cases.values():
            found.setdefault(view.case.topic, []).append(view)
        return found

    @cached_property
    def by_tag(self) -> dict[str, list[CaseView]]:
        """Cases by tag, in the order of the vocabulary; tags that no case bears are left out."""
        found: dict[str, list[CaseView]] = {tag: [] for tag in self.tags}
        for view in self.cases.values():
            for tag in view.case.meta.tags:
                found.setdefault(tag, []).append(view)
        return {tag: views for tag, views in found.items() if views}

    @cached_property
    def by_entry(self) -> dict[str, list[CaseView]]:
        """Cases that say they explain an entry of the error catalogue."""
        found: dict[str, list[CaseView]] = {}
        for view in self.cases.values():
            for entry in view.case.meta.errors:
                found.setdefault(entry, []).append(view)
        return found

    @cached_property
    def origins(self) -> dict[str, list[str]]:
        """The cases that name a case as their rewrite or pitfall, by the ID of that case."""
        found: dict[str, list[str]] = {}
        for view in self.cases.values():
            for other in (*view.case.meta.rewrites, *view.case.meta.pitfalls):
                found.setdefault(self.current(other), []).append(view.id)
        return found

    @cached_property
    def raised(self) -> dict[str, list[Cell]]:
        """Cells whose error an entry of the catalogue matches, by entry."""
        found: dict[str, list[Cell]] = {}
        for cell in self.cells:
            if cell.error is not None and cell.error.catalogue:
                found.setdefault(cell.error.catalogue, []).append(cell)
        return found

    @cached_property
    def by_exporter(self) -> dict[str, list[Cell]]:
        """Cells by exporter."""
        found: dict[str, list[Cell]] = {name: [] for name in self.exporters}
        for cell in self.cells:
            found[cell.exporter].append(cell)
        return found

    @cached_property
    def _columns(self) -> dict[tuple[str, Place], dict[str, Cell]]:
        found: dict[tuple[str, Place], dict[str, Cell]] = {}
        for cell in self.cells:
            found.setdefault((cell.exporter, cell.place), {})[cell.case] = cell
        return found

    def at(self, exporter: str, place: Place) -> dict[str, Cell]:
        """The cells of an exporter at a place, by case."""
        return self._columns.get((exporter, place), {})

    def places_of(self, exporter: str) -> list[Place]:
        """Where an exporter was measured, in the order of columns."""
        return sorted((p for e, p in self._columns if e == exporter), key=lambda p: p.rank)

    def newest(self, exporter: str) -> Place | None:
        """The place to judge an exporter by: the newest torch, on the device known best."""
        places = self.places_of(exporter)
        best = [p for p in places if p.rank[:2] == places[0].rank[:2]]
        return best[-1] if best else None

    def current(self, case_id: str) -> str:
        """The ID that a case has now, whether or not it was renamed."""
        return self.redirects.get(case_id, case_id)


@dataclass(frozen=True)
class Score:
    """How many cells have each outcome."""

    counts: Mapping[Outcome, int]

    @staticmethod
    def of(cells: Iterable[Cell]) -> Score:
        return Score(Counter(c.outcome for c in cells))

    @property
    def total(self) -> int:
        """How many were compared: what is impossible, converted or predicted is left out."""
        return sum(n for outcome, n in self.counts.items() if outcome.compared)

    @property
    def supported(self) -> int:
        return sum(n for outcome, n in self.counts.items() if outcome.full)

    @property
    def computed(self) -> bool:
        """Whether values were compared where it counts: with predictions alone there is no share,
        for what was refused beside them says nothing of how much is supported."""
        return bool(self.total) and not self.counts.get(Outcome.PREDICTED)

    @property
    def percent(self) -> str:
        """The supported part as it is shown; a dash where no values were compared."""
        return f"{100 * self.supported / self.total:.0f}%" if self.computed else "–"


@cache
def version_key(version: str) -> tuple[int, ...]:
    """Sorts versions: ``2.9`` before ``2.13``; what is no number counts as 0."""
    return tuple(int(p) if p.isdecimal() else 0 for p in version.split("."))
