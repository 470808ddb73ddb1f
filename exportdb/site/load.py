"""From files to the model: the database, the accepted expectations, and files of records.

Owns which statement a cell shows where there are several: the newest run that measured it, and
where no run did, the accepted expectation. A file that does not validate is refused as a whole.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, replace
from functools import cache, cached_property, lru_cache, partial
from pathlib import Path
from sys import intern
from typing import Any

from exportdb import plugins
from exportdb.cases import catalogue, database, vocabulary
from exportdb.cases.case import Case
from exportdb.cases.catalogue import Catalogue
from exportdb.cases.data import Data
from exportdb.explain.matching import Matcher
from exportdb.records import expectation
from exportdb.records.accept import known_links
from exportdb.records.environment import Environment
from exportdb.records.expectation import Expectations, Expected, Where
from exportdb.records.jsonl import Header
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Finding, Record, digest
from exportdb.records.switches import Switches
from exportdb.site import runs
from exportdb.site.memory import Memory
from exportdb.site.model import CaseView, Cell, Observation, Place, Sample, Site, Source
from exportdb.site.names import names
from exportdb.site.runs import Run

#: The source of all cells that no run measured.
ACCEPTED = Source()


class SiteError(Exception):
    """Something the site cannot be built from, and what to do."""


@dataclass(frozen=True)
class Inputs:
    """What a site is made from.

    ``records`` are files of records or folders that hold them; ``trees`` further folders of cases;
    ``expectations`` a folder of one's own expectations. ``builtin`` says whether the cases that
    come with exportdb belong to it.
    """

    records: tuple[Path, ...] = ()
    trees: tuple[Path, ...] = ()
    expectations: Path | None = None
    builtin: bool = True

    def record_files(self) -> list[Path]:
        """The files of records, those in a store's folder included. Raises SiteError."""
        return [file for given in self.records for file in _record_files(given)]


def load(inputs: Inputs, memory: Path | None = None) -> Site:
    """The model of a site. ``memory`` is a file in which what was read is kept for the next time.

    Raises CaseError for a case or expectation that cannot be read, RecordFileError for a file of
    records that does not validate (with its line), SiteError for what is not there.
    """
    db = database.load(inputs.trees, builtin=inputs.builtin)
    words = vocabulary.load(inputs.trees)
    errors = catalogue.load(inputs.trees)
    for broken in (*db.broken.values(), *words.broken, *errors.broken):
        raise broken
    remembered = Memory(memory)
    extends = plugins.builtin_extends()
    read = [remembered.recall("run", str(path), str(runs.stamp(path)), partial(runs.read, path))
            for path in inputs.record_files()]  # fmt: skip
    read.sort(key=lambda run: (run.header.started, run.header.run))
    reader = _Reader(errors, Expectations(extends, inputs.expectations), _notes(db.trees), read)
    former = _former(db.redirects)
    views = {}
    for case in db:
        ids = (case.id, *former.get(case.id, ()))
        key = reader.key(case, ids)
        views[case.id] = remembered.recall("case", case.id, key, partial(reader.view, case, ids))
    remembered.save()
    return Site(
        cases=views,
        exporters=_best_known(cell for view in views.values() for cell in view.cells),
        entries=errors.entries,
        tags=words.tags,
        redirects=db.redirects,
        described={name: _description(name) for name in extends},
        sources=tuple(dict.fromkeys(_source(run.header) for run in read)),
        elsewhere=_elsewhere(read, {*db.cases, *db.redirects}),
    )


@dataclass(frozen=True)
class _Reader:
    """Makes the cells of cases from expectations and runs, the oldest run first."""

    errors: Catalogue
    shelf: Expectations
    links: Mapping[str, Expected]
    runs: Sequence[Run]

    def key(self, case: Case, ids: Sequence[str]) -> str:
        """Stands for all that the view of a case is made from; ``ids`` are all it ever had."""
        told = [case.digest, self._common]
        own = self.shelf.own and self.shelf.own / f"{case.id}.yaml"
        for path in (case.expectations_path, own):
            told.append(digest(path.read_bytes()) if path and path.is_file() else "")
        for run in self.runs:
            told += [f"{run.header} {run.cases[i].digest}" for i in ids if i in run.cases]
        return digest("\n".join(told))

    @cached_property
    def _common(self) -> str:
        entries = [str(e) for e in self.errors.entries.values()]
        return digest("\n".join([str(self.shelf.extends), str(self.links), *entries]))

    @cached_property
    def match(self) -> Callable[[str, str], str | None]:
        """:meth:`Matcher.match`, which remembers what it has said."""
        return lru_cache(maxsize=None)(Matcher(self.errors.entries.values()).match)

    def view(self, case: Case, ids: Sequence[str]) -> CaseView:
        """A case with its cells and observations. Raises CaseError."""
        cells = self.expected(case)
        observations = []
        for run in self.runs:
            source = _source(run.header)
            for record in run.records(ids):
                environment = run.header.environment_of(record)
                place = _place(environment.torch, record.device, environment.switches)
                known = {
                    **_designed(self.links, record.exporter, record.outcome),
                    **(_known(self.shelf, case, record, environment) or {}),
                }
                cells[record.exporter, place] = self.of_record(record, case, place, source, known)
                if not place.switches:
                    graph = record.graph_digest or ""
                    seen = Observation(record.exporter, place, source, record.outcome, graph)
                    observations.append(seen)
        _told_in_full(cells, {e.id for e in self.errors.entries.values() if e.wrapper})
        return _view(case, cells.values(), observations)

    def of_record(
        self, record: Record, case: Case, place: Place, source: Source, known: Expected
    ) -> Cell:
        """The cell of a record; the expectation adds what a person wrote."""
        return Cell(
            case=case.id,
            exporter=intern(record.exporter),
            place=place,
            outcome=record.outcome,
            source=source,
            phase=record.phase,
            error=record.error and self._catalogued(record.error),
            samples=tuple(Sample(s.name, s.result, s.role, s.message) for s in record.samples),
            findings=record.findings,
            note=str(known.get("note", "")),
            issue=str(known.get("issue", "")),
            graph=record.graph or "",
            graph_readable=record.graph_readable or "",
            ranges=record.ranges,
            facts=record.facts,
            seconds=record.seconds,
            cost=record.cost,
            repro=record.repro or "",
            stale=bool(record.case_digest) and record.case_digest != case.digest,
        )

    def expected(self, case: Case) -> dict[tuple[str, Place], Cell]:
        """The cells that expectations confirm, by exporter and place."""
        shelf = self.shelf
        cells = {}
        entries = shelf.entries(case)
        for exporter, own in entries.items():
            points = dict.fromkeys(point for entry in own for point in entry.points)
            for point in points:
                value = expectation.resolve(entries, shelf.extends, exporter, point.where)
                if value is not None:
                    place = _shared(point.torch, point.device, point.switches)
                    told = _designed(self.links, exporter, Outcome(value["outcome"]))
                    cells[exporter, place] = self._of_value(
                        case, exporter, place, {**told, **value}
                    )
        return cells

    def _of_value(self, case: Case, exporter: str, place: Place, value: Expected) -> Cell:
        error = value.get("error")
        return Cell(
            case=case.id,
            exporter=intern(exporter),
            place=place,
            outcome=Outcome(value["outcome"]),
            source=ACCEPTED,
            phase=value.get("phase", ""),
            error=error and self._catalogued(
                ErrorInfo(error["type"], error.get("message", ""), error["fingerprint"])
            ),
            samples=tuple(Sample(n, r) for n, r in value.get("samples", {}).items()),
            findings=tuple(Finding(f, "") for f in value.get("findings", ())),
            note=value.get("note", ""),
            issue=value.get("issue", ""),
            graph=value.get("graph", ""),
            ranges={k: (v[0], v[1]) for k, v in value.get("ranges", {}).items()},
            facts=value.get("facts", {}),
        )  # fmt: skip

    def _catalogued(self, error: ErrorInfo) -> ErrorInfo:
        """The error with its entry."""
        if error.catalogue:
            return error
        entry = self.match(error.type, error.message)
        return ErrorInfo(error.type, error.message, error.fingerprint, entry)


def _told_in_full(cells: dict[tuple[str, Place], Cell], wrappers: set[str]) -> None:
    """Give the entry of an error to the same error of an expectation, which keeps its beginning
    alone: a fingerprint is of the whole message. The beginning may name no more than a wrapper.
    """
    vague = {*wrappers, None}
    errors = [cell.error for cell in cells.values() if cell.error]
    entries = {(e.type, e.fingerprint): e.catalogue for e in errors if e.catalogue not in vague}
    for key, cell in cells.items():
        error = cell.error
        if error and error.fingerprint and error.catalogue in vague:
            entry = entries.get((error.type, error.fingerprint), error.catalogue)
            cells[key] = replace(cell, error=error.with_(catalogue=entry))


def _description(exporter: str) -> str:
    """What an exporter that comes with exportdb says it is."""
    return str(plugins.installed(plugins.EXPORTERS)[exporter].load().description)


def _former(redirects: Mapping[str, str]) -> dict[str, list[str]]:
    """The former IDs of each case."""
    found: dict[str, list[str]] = {}
    for old, new in redirects.items():
        found.setdefault(new, []).append(old)
    return found


def _elsewhere(
    read: Iterable[Run], known: Set[str]
) -> dict[tuple[str, str, Place], Counter[Outcome]]:  # fmt: skip
    """The outcomes of programs that are not in the database."""
    found: dict[tuple[str, str, Place], Counter[Outcome]] = {}
    for run in read:
        for (suite, exporter, device, torch, switches), counts in run.others.items():
            place = _place(torch, device, switches)
            found.setdefault((suite, exporter, place), Counter()).update(counts)
        for record in run.records(sorted(run.cases.keys() - known)):
            environment = run.header.environment_of(record)
            place = _place(environment.torch, record.device, environment.switches)
            found.setdefault((record.suite, record.exporter, place), Counter())[record.outcome] += 1
    return found


def _record_files(given: Path) -> Iterator[Path]:
    if given.is_file():
        yield given
        return
    if not given.is_dir():
        raise SiteError(f"{given} is neither a file of records nor a folder of them")
    found = sorted([*given.glob("*.jsonl"), *given.glob("runs/*.jsonl")])
    if not found:
        raise SiteError(f"there are no files of records (*.jsonl) in {given}")
    yield from found


def _known(
    shelf: Expectations, case: Case, record: Record, environment: Environment
) -> Expected | None:  # fmt: skip
    if environment.torch is None:
        return None
    where = Where(
        environment.torch,
        record.device,
        expectation.minor(environment.python),
        environment.platform,
        environment.switches,
    )
    return expectation.resolve(shelf.entries(case), shelf.extends, record.exporter, where)


def _notes(trees: Iterable[Path]) -> dict[str, Expected]:
    """Per exporter, the note or issue that stands for all of its unsound outcomes."""
    links: dict[str, Expected] = {}
    for tree in trees:
        for exporter, link in known_links(tree / "exporters.yaml").items():
            links[exporter] = {k: v for k, v in vars(link).items() if v}
    return links


def _designed(links: Mapping[str, Expected], exporter: str, outcome: Outcome) -> Expected:
    """The note that stands for an exporter's unsound outcomes; {} for another outcome."""
    return links.get(exporter, {}) if outcome.by_design else {}


def _source(header: Header) -> Source:
    e = header.environment
    return Source(
        header.run, header.started, e.torch or "", e.python, e.platform, e.accelerator or "",
        e.switches,
    )  # fmt: skip


def _place(torch: str | None, device: str, switches: Switches) -> Place:
    return _shared(expectation.minor(torch or "none"), device, switches)


@cache
def _shared(torch: str, device: str, switches: Switches) -> Place:
    """A place. Thousands of cells have the same few: one object is kept, and compared, faster."""
    return Place(torch, device, switches)


def _view(
    case: Case, known: Collection[Cell], observations: Sequence[Observation]
) -> CaseView:  # fmt: skip
    cells = [c for c in known if not c.place.switches]
    switched = sorted((c for c in known if c.place.switches), key=lambda c: c.place.rank)
    order = {name: i for i, name in enumerate(_best_known(cells))}
    listed = sorted(cells, key=lambda c: (order[c.exporter], c.place.rank))
    measured = {name: _said([c for c in listed if c.exporter == name]) for name in order}
    return CaseView(
        case,
        tuple(listed),
        tuple(switched),
        tuple(observations),
        digest(case.digest + _said([measured, switched, list(observations)])),
        measured,
        names(case.source, dict.fromkeys(c.graph for c in listed)),
    )


def _said(value: Any) -> str:
    """A digest of all that a value holds."""
    return digest(json.dumps(value, default=_plain, sort_keys=True))


def _plain(value: Any) -> Any:
    if isinstance(value, Data):
        return value.to_json()
    return list(value) if isinstance(value, tuple | set | frozenset) else vars(value)


def _best_known(cells: Iterable[Cell]) -> tuple[str, ...]:
    """The exporters of cells: those that were measured at most places first, then by name."""
    places: dict[str, set[Place]] = {}
    for cell in cells:
        places.setdefault(cell.exporter, set()).add(cell.place)
    return tuple(sorted(places, key=lambda e: (-len(places[e]), e)))
