"""What the site shows: cases with the records that speak of them, and how they hang together.

Owns the questions that pages ask. Pure: reading the database, expectations and records is left to
``load``, words and markup to ``pages``. What a case, a record or an outcome is,
they say themselves.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Hashable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache, cached_property
from typing import TypeVar

from exportdb.cases.case import Case
from exportdb.cases.catalogue import Entry
from exportdb.cases.vocabulary import Tag
from exportdb.records.expectation import Point, version_key
from exportdb.records.jsonl import Header
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record
from exportdb.records.surroundings import Surroundings
from exportdb.records.switches import Switches
from exportdb.site.comparing import Look
from exportdb.store.status import Course

T = TypeVar("T")
K = TypeVar("K", bound=Hashable)

#: A name of Python's in prose: with a dot in it, or called.
_NAME = re.compile(r"\w+(?:\.\w+)+|\w+(?=\()")
#: Devices in the order in which they are shown; others follow by name.
DEVICES = ("cpu", "cuda", "xpu", "mps", "meta")


def grouped(things: Iterable[T], key: Callable[[T], K]) -> dict[K, list[T]]:
    """Things by what they have in common, in the order in which they are met."""
    found: dict[K, list[T]] = {}
    for thing in things:
        found.setdefault(key(thing), []).append(thing)
    return found


def current(redirects: Mapping[str, str], case_id: str) -> str:
    """The ID that a case has now, however often it was renamed."""
    seen = {case_id}
    while (new := redirects.get(case_id)) is not None and new not in seen:
        seen.add(new)
        case_id = new
    return case_id


@dataclass(frozen=True)
class Cell:
    """What is known of one case with one exporter at one point.

    ``record`` is what ``run`` measured. Without a run it is what the accepted expectation keeps of
    one, which has no date. ``note`` and ``issue`` are the expectation's; ``stale`` says that the
    case has been edited since; ``line`` is that of the program which the error names, or on
    which the capture departs from eager, as the expectation keeps it; ``look`` is what it is
    compared by.
    """

    record: Record
    point: Point
    run: Header | None = None
    note: str = ""
    issue: str = ""
    stale: bool = False
    line: str = ""
    look: Look = ()

    @property
    def case(self) -> str:
        return self.record.case

    @property
    def exporter(self) -> str:
        return self.record.exporter

    @property
    def outcome(self) -> Outcome:
        return self.record.outcome

    @property
    def error(self) -> ErrorInfo | None:
        return self.record.error

    @property
    def started(self) -> str:
        """When its run began, in ISO 8601; "" for an expectation."""
        return self.run.started if self.run else ""

    @property
    def command(self) -> str:
        """The command that repeats it."""
        words = f"exportdb run {self.case} --exporter {self.exporter} --device {self.point.device}"
        return self.record.repro or words


@dataclass(frozen=True)
class CaseView:
    """A case with all that is known of it; ``digest`` changes when any of it does.

    ``cells`` are of runs with every switch at its default; ``switched`` are the others, which count
    nowhere. ``history`` is what each run saw, the oldest first, with no more than tells whether it
    changed. ``names`` are those by which somebody may look for it: what it calls, what it becomes.
    """

    case: Case
    cells: tuple[Cell, ...]
    switched: tuple[Cell, ...] = ()
    history: tuple[Cell, ...] = ()
    names: tuple[str, ...] = ()
    digest: str = ""

    @property
    def id(self) -> str:
        return self.case.id

    @cached_property
    def by_key(self) -> dict[tuple[str, Point], Cell]:
        """Cells by exporter and point."""
        return {(c.exporter, c.point): c for c in self.cells}

    @cached_property
    def points(self) -> list[Point]:
        """Where it was measured, in the order of columns."""
        return sorted({c.point for c in self.cells}, key=rank)

    @cached_property
    def by_version(self) -> list[list[Cell]]:
        """For each exporter and device, the cells from the oldest torch to the newest."""
        rows = grouped(self.cells, lambda c: (c.exporter, c.point.device))
        return [sorted(row, key=lambda c: rank(c.point)) for row in rows.values()]

    @cached_property
    def versions(self) -> dict[str, list[Cell]]:
        """For each exporter, its cells on the device known best, the newest torch last."""
        rows: dict[str, list[Cell]] = {}
        for row in self.by_version:
            known = rows.setdefault(row[-1].exporter, row)
            if rank(row[-1].point)[:2] < rank(known[-1].point)[:2]:
                rows[row[-1].exporter] = row
        return rows

    # What the explorer asks of a case.

    @property
    def has_rewrite(self) -> bool:
        return bool(self.case.meta.rewrites)

    @property
    def silently_wrong(self) -> bool:
        """Whether some exporter disagrees with eager somewhere without a word."""
        return any(c.outcome.silent for c in self.cells)

    @property
    def differs(self) -> bool:
        """Whether two exporters have different outcomes at one point."""
        compared = (c for c in self.cells if c.outcome.compared)
        rows = grouped(compared, lambda c: c.point).values()
        return any(len({c.outcome for c in row}) > 1 for row in rows)

    @property
    def changed(self) -> bool:
        """Whether an outcome at the newest torch is not that at the torch before it."""
        return any(len({c.outcome for c in row[-2:]}) > 1 for row in self.by_version)


# No repr: what quotes one in a message, as Sphinx does its handlers, would write out the database.
@dataclass(frozen=True, repr=False)
class Site:
    """Everything the site shows.

    ``exporters`` that were measured at most points stand first, then by name; ``described`` holds
    what those that come with exportdb say they are, ``sources`` their files; ``accepted`` is when,
    and in which commit, the expectations of a case were last accepted, where git knows;
    ``surroundings`` what accepted results at a point were measured with;
    ``elsewhere`` counts the records of programs that are not in the database, by suite, exporter,
    point and outcome; ``course`` is the status of the history that the site was given.
    """

    cases: Mapping[str, CaseView]
    exporters: tuple[str, ...]
    entries: Mapping[str, Entry]
    tags: Mapping[str, Tag]
    redirects: Mapping[str, str] = field(default_factory=dict)
    described: Mapping[str, str] = field(default_factory=dict)
    sources: Mapping[str, str] = field(default_factory=dict)
    accepted: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    surroundings: Surroundings = field(default_factory=dict)
    elsewhere: Mapping[tuple[str, str, Point], Counter[Outcome]] = field(default_factory=dict)
    course: Course | None = None

    def scored(self, cells: Iterable[Cell]) -> list[Cell]:
        """Those that a score counts: of a program that breaks a contract itself none does."""
        return [c for c in cells if not self.cases[c.case].case.meta.breaks_contract]

    @cached_property
    def cells(self) -> list[Cell]:
        """Every cell, case by case."""
        return [cell for view in self.cases.values() for cell in view.cells]

    @cached_property
    def points(self) -> list[Point]:
        """Every point that was measured, in the order of columns."""
        return sorted({c.point for c in self.cells}, key=rank)

    @cached_property
    def torches(self) -> list[str]:
        """torch minor versions, the oldest first."""
        return sorted({p.torch for p in self.points}, key=version_key)

    @cached_property
    def devices(self) -> list[str]:
        """Devices in the order of columns."""
        return list(dict.fromkeys(p.device for p in self.points))

    @cached_property
    def topics(self) -> dict[str, list[CaseView]]:
        """Cases by topic; "" holds those of no topic."""
        return grouped(self.cases.values(), lambda view: view.case.topic)

    @cached_property
    def by_tag(self) -> dict[str, list[CaseView]]:
        """Cases by tag, in the order of the vocabulary; tags that no case has are left out."""
        found = self._naming(lambda view: view.case.meta.tags)
        return {tag: found[tag] for tag in dict.fromkeys([*self.tags, *found]) if tag in found}

    @cached_property
    def by_entry(self) -> dict[str, list[CaseView]]:
        """Cases that say they explain an entry of the error catalogue."""
        return self._naming(lambda view: view.case.meta.errors)

    @cached_property
    def fixes(self) -> dict[str, tuple[CaseView, CaseView]]:
        """For each entry of the catalogue the case and the rewrite that show best what to do."""
        first = self.exporters[0] if self.exporters else ""
        failed = Counter(cell.case for cells in self.raised.values() for cell in cells)

        def worth(entry: str, view: CaseView, other: CaseView) -> tuple[float, ...]:
            cell = other.by_key.get((first, self.newest[first])) if first else None
            before, after = (set(v.case.program.splitlines()) for v in (view, other))
            added = "\n".join(after - before)
            named = _NAME.findall(self.entries[entry].remedy) if entry in self.entries else []
            first_used = next((i for i, name in enumerate(named) if name in added), len(named))
            met = sum(c.case == view.id for c in self.raised.get(entry, ()))
            return (
                bool(cell and cell.outcome.full),
                # It writes what the entry says first, and does not just leave something out.
                -first_used,
                bool(added),
                round(met / failed[view.id], 1) if met else 0,
                -len(before ^ after),
            )

        def best(entry: str, views: Iterable[CaseView]) -> tuple[CaseView, CaseView] | None:
            pairs = [(v, o) for v in views for o in self.views(v.case.meta.rewrites)]
            return max(pairs, key=lambda pair: worth(entry, *pair), default=None)

        found = {entry: best(entry, views) for entry, views in self.by_entry.items()}
        return {entry: pair for entry, pair in found.items() if pair}

    @cached_property
    def origins(self) -> dict[str, list[CaseView]]:
        """The cases that name a case as their rewrite or pitfall, by the ID of that case."""
        return self._naming(lambda v: map(self.current, (*v.case.meta.rewrites,
                                                         *v.case.meta.pitfalls)))  # fmt: skip

    def _naming(self, named: Callable[[CaseView], Iterable[str]]) -> dict[str, list[CaseView]]:
        pairs = ((name, view) for view in self.cases.values() for name in named(view))
        return {name: [v for _, v in row] for name, row in grouped(pairs, lambda p: p[0]).items()}

    @cached_property
    def raised(self) -> dict[str, list[Cell]]:
        """Cells whose error an entry of the catalogue matches, by entry."""
        errors = (c for c in self.cells if c.error and c.error.catalogue)
        return grouped(errors, lambda c: (c.error and c.error.catalogue) or "")

    @cached_property
    def columns(self) -> dict[tuple[str, Point], dict[str, Cell]]:
        """What was measured at all: the cells of each exporter at each point, by case."""
        rows = grouped(self.cells, lambda c: (c.exporter, c.point))
        return {column: {c.case: c for c in row} for column, row in rows.items()}

    def at(self, exporter: str, point: Point) -> dict[str, Cell]:
        """The cells of an exporter at a point, by case."""
        return self.columns.get((exporter, point), {})

    @cached_property
    def newest(self) -> dict[str, Point]:
        """The point to judge each exporter by: on the device known best, the newest torch with
        which at least half as many cases were measured as with any.
        """
        found: dict[str, Point] = {}
        for exporter in self.exporters:
            points = sorted((p for e, p in self.columns if e == exporter), key=rank)
            known = {p: len(self.at(exporter, p)) for p in points if p.device == points[0].device}
            enough = [p for p, count in known.items() if 2 * count >= max(known.values())]
            if enough:
                found[exporter] = enough[-1]
        return found

    @cached_property
    def before(self) -> dict[str, Point]:
        """The point to compare with that one: the newest torch before it with which at least half
        as many cases were measured, or else the one before it."""
        found = {}
        for exporter, now in self.newest.items():
            there = (p for e, p in self.columns if e == exporter and p.device == now.device)
            older = [p for p in there if rank(p) < rank(now)]
            if older:
                count = len(self.at(exporter, now))
                enough = [p for p in older if 2 * len(self.at(exporter, p)) >= count]
                found[exporter] = max(enough or older, key=rank)
        return found

    def current(self, case_id: str) -> str:
        """The ID that a case has now, however often it was renamed."""
        return current(self.redirects, case_id)

    def views(self, case_ids: Iterable[str]) -> list[CaseView]:
        """The cases of these IDs, former ones too; those that are not here are left out."""
        return [self.cases[i] for i in map(self.current, case_ids) if i in self.cases]


@dataclass(frozen=True)
class OutcomeCounts:
    """How many cells have each outcome."""

    counts: Mapping[Outcome, int]

    @staticmethod
    def of(cells: Iterable[Cell]) -> OutcomeCounts:
        return OutcomeCounts(Counter(c.outcome for c in cells))

    @property
    def total(self) -> int:
        """How many were compared: what is declared impossible, or only converted, is left out."""
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
def rank(point: Point) -> tuple[int, str, tuple[int, ...], str, Switches]:
    """Sorts by device as people know them, then from the oldest torch to the newest."""
    known = DEVICES.index(point.device) if point.device in DEVICES else len(DEVICES)
    return (known, point.device, version_key(point.torch), point.torch, point.switches)
