"""Reads what a site shows: the database, the accepted expectations, and files of records.

Owns which statement a cell shows where there are several: the newest run that measured it, and
where no run did, the accepted expectation. A file that does not validate is refused as a whole.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache, partial
from pathlib import Path

from exportdb import plugins
from exportdb.cases import catalogue, database, vocabulary
from exportdb.cases.case import Case
from exportdb.cases.catalogue import Catalogue
from exportdb.explain.matching import Matcher
from exportdb.records import expectation, surroundings
from exportdb.records.accept import known_links
from exportdb.records.expectation import Expected, Point, Where
from exportdb.records.expectation_files import Expectations
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, digest
from exportdb.records.surroundings import Surrounding, Surroundings
from exportdb.site import commits, runs
from exportdb.site.comparing import looks
from exportdb.site.memory import BuildCache
from exportdb.site.model import CaseView, Cell, Site, current, grouped, rank
from exportdb.site.names import names
from exportdb.site.runs import Contents
from exportdb.store.record_files import files_of_runs
from exportdb.store.status import Course


class SiteError(Exception):
    """Something the site cannot be built from, and what to do."""


@dataclass(frozen=True)
class Inputs:
    """What a site is made from.

    ``records`` are files of records or folders that hold them; ``trees`` further folders of cases;
    ``expectations`` a folder of one's own expectations. ``builtin`` says whether the cases that
    come with exportdb belong to it. ``course`` is the status of a history, for a page of its own.
    """

    records: tuple[Path, ...] = ()
    trees: tuple[Path, ...] = ()
    expectations: Path | None = None
    builtin: bool = True
    course: Course | None = None

    def record_files(self) -> Iterator[Path]:
        """The files of records, those in a store's folder included. Raises SiteError."""
        for given in self.records:
            if given.is_file():
                yield given
                continue
            if not given.is_dir():
                raise SiteError(f"{given} is neither a file of records nor a folder of them")
            found = sorted([*filter(Path.is_file, given.glob("*.jsonl")), *files_of_runs(given)])
            if not found:
                raise SiteError(f"there are no files of records (*.jsonl) in {given}")
            yield from found


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
    cache = BuildCache(memory)
    read = [cache.get("run", str(path), runs.stamp(path), partial(runs.read, path))
            for path in inputs.record_files()]  # fmt: skip
    read.sort(key=lambda run: (run.header.started, run.header.run))
    extends = plugins.builtin_extends()
    links: dict[str, Expected] = {}
    for tree in db.trees:
        for exporter, link in known_links(tree / "exporters.yaml").items():
            links[exporter] = {k: v for k, v in vars(link).items() if v}
    reader = _ViewBuilder(errors, Expectations(extends, inputs.expectations), links, read)
    former = grouped(db.redirects, partial(current, db.redirects))
    views = {}
    for case in db:
        ids = (case.id, *former.get(case.id, ()))
        key = reader.key(case, ids)
        views[case.id] = cache.get("case", case.id, key, partial(reader.view, case, ids))
    cache.save()
    exporters = _best_known(cell for view in views.values() for cell in view.cells)
    views = {case_id: _in_order(view, exporters) for case_id, view in views.items()}
    changes = commits.last_changes(database.builtin_tree(), "*.yaml") if inputs.builtin else {}
    installed = plugins.installed(plugins.EXPORTERS)
    return Site(
        cases=views,
        exporters=exporters,
        entries=errors.entries,
        tags=words.tags,
        redirects=db.redirects,
        described={name: str(installed[name].load().description) for name in extends},
        sources={
            name: installed[name].target.partition(":")[0].replace(".", "/") + ".py"
            for name in extends
        },
        surroundings=_surroundings(db.trees),
        accepted={i: at for i in db.cases if (at := changes.get(f"{i}.yaml"))},
        elsewhere=_elsewhere(read, {*db.cases, *db.redirects}),
        course=inputs.course,
    )


def _surroundings(trees: Iterable[Path]) -> Surroundings:
    """What the files of all trees say. Raises CaseError."""
    found: dict[Point, tuple[Surrounding, ...]] = {}
    for tree in trees:
        for point, told in surroundings.read(tree / surroundings.FILE).items():
            found[point] = tuple(dict.fromkeys([*found.get(point, ()), *told]))
    return found


@dataclass(frozen=True)
class _ViewBuilder:
    """Makes the cells of cases from expectations and runs, the oldest run first.

    ``links`` has per exporter the note or issue that stands for all of its unsound outcomes.
    """

    errors: Catalogue
    expectations: Expectations
    links: Mapping[str, Expected]
    runs: Sequence[Contents]

    def key(self, case: Case, ids: Sequence[str]) -> str:
        """Stands for all that the view of a case is made from; ``ids`` are all it ever had."""
        told = [case.digest, self._common]
        told += [digest(part.text()[0]) for part in self.expectations.parts_of(case)]
        for run in self.runs:
            told += [f"{run.header} {run.cases[i][1]}" for i in ids if i in run.cases]
        return digest("\n".join(told))

    @cached_property
    def _common(self) -> str:
        entries = [str(e) for e in self.errors.entries.values()]
        return digest("\n".join([str(self.expectations.extends), str(self.links), *entries]))

    @cached_property
    def match(self) -> Callable[[str, str], str | None]:
        """:meth:`Matcher.match`, which remembers what it has said."""
        return lru_cache(maxsize=None)(Matcher(self.errors.entries.values()).match)

    def view(self, case: Case, ids: Sequence[str]) -> CaseView:
        """A case with its cells and their history. Raises CaseError."""
        found = {(c.exporter, c.point): c for c in self.expected(case)}
        history = []
        for run in self.runs:
            for record in run.records(ids):
                cell = self.measured(case, record, run)
                found[cell.exporter, cell.point] = cell
                if not cell.point.switches:
                    history.append(_step(cell))
        wrappers = {e.id for e in self.errors.entries.values() if e.wrapper}
        cells = _told_in_full(found.values(), wrappers)
        looked = zip(cells, looks(c.record for c in cells), strict=True)
        cells = [replace(cell, look=look) for cell, look in looked]
        cells.sort(key=lambda c: (c.exporter, rank(c.point)))
        view = CaseView(
            case,
            tuple(c for c in cells if not c.point.switches),
            tuple(c for c in cells if c.point.switches),
            tuple(history),
            names(case.source, dict.fromkeys(c.record.graph or "" for c in cells)),
        )
        records = {id(c.record): c.record for c in (*view.cells, *view.switched, *history)}
        told = [repr(view).encode(), *(r.encode() for r in records.values())]  # shared ones once
        return replace(view, digest=digest(b"\n".join(told)))

    def measured(self, case: Case, record: Record, run: Contents) -> Cell:
        """The cell of a record; the expectation adds what a person wrote."""
        point = run.point(record)
        where = Where.of(run.header.environment_of(record), record.device)
        entries, extends = self.expectations.entries(case), self.expectations.extends
        known = where and expectation.resolve(entries, extends, record.exporter, where)
        stale = bool(record.case_digest) and record.case_digest != case.digest
        record = self._with_entry(record.with_(case=case.id))
        return self._cell(record, point, known or {}, run, stale)

    def expected(self, case: Case) -> Iterator[Cell]:
        """The cells that expectations confirm. Those that say the same share a record."""
        entries, extends = self.expectations.entries(case), self.expectations.extends
        for exporter, own in entries.items():
            told: dict[str, Record] = {}
            for point in dict.fromkeys(point for entry in own for point in entry.points):
                value = expectation.resolve(entries, extends, exporter, point.where)
                if value is not None:
                    record = expectation.record_of(value, case.id, exporter, point.device)
                    record = self._with_entry(record)
                    before = told.get(point.device)
                    told[point.device] = record = before if record == before else record
                    yield self._cell(record, point, value)

    def _cell(self, record: Record, point: Point, known: Expected, run: Contents | None = None,
              stale: bool = False) -> Cell:  # fmt: skip
        # A reason of the cell's own takes the place of its exporter's.
        by_design = record.outcome.by_design and not known.keys() & {"note", "issue"}
        told = self.links.get(record.exporter, {}) if by_design else known
        note, issue = (told.get(key, "") for key in ("note", "issue"))
        line = "" if run else (known.get("error") or {}).get("line") or known.get("departs", "")
        return Cell(record, point, run.header if run else None, note, issue, stale, line)

    def _with_entry(self, record: Record) -> Record:
        """The record, its error with its entry."""
        error = record.error
        if error is None or error.catalogue:
            return record
        entry = self.match(error.type, error.message)
        return record.with_(error=error.with_(catalogue=entry))


def _in_order(view: CaseView, exporters: Sequence[str]) -> CaseView:
    """The view with its cells in the order of the whole site's exporters: the one that most readers
    use stands first also where all were measured at one point."""
    order = {name: i for i, name in enumerate(exporters)}

    def ordered(cells: Iterable[Cell]) -> tuple[Cell, ...]:
        return tuple(sorted(cells, key=lambda c: order.get(c.exporter, len(order))))

    cells = ordered(view.cells)
    names = dict.fromkeys(c.exporter for c in cells)
    return replace(view, cells=cells, switched=ordered(view.switched),
                   digest=digest("\n".join([view.digest, *names])))  # fmt: skip


def _step(cell: Cell) -> Cell:
    """A cell with just what tells whether it changed: a history may be long."""
    r = cell.record
    bare = Record(r.case, r.exporter, r.device, r.outcome, r.phase, graph_digest=r.graph_digest)
    return Cell(bare, cell.point, cell.run)


def _told_in_full(cells: Iterable[Cell], wrappers: set[str]) -> list[Cell]:
    """The cells, with the entry of an error also on the same error of an expectation, which keeps
    its beginning alone: a fingerprint is of the whole message. The beginning may name no more than
    a wrapper.
    """
    found, vague = list(cells), {*wrappers, None}
    errors = [c.error for c in found if c.error and c.error.fingerprint]
    entries = {(e.type, e.fingerprint): e.catalogue for e in errors if e.catalogue not in vague}
    for i, cell in enumerate(found):
        e = cell.error
        if e and e.catalogue in vague and (e.type, e.fingerprint) in entries:
            e = e.with_(catalogue=entries[e.type, e.fingerprint])
            found[i] = replace(cell, record=cell.record.with_(error=e))
    return found


def _elsewhere(
    read: Iterable[Contents], known: set[str]
) -> dict[tuple[str, str, Point], Counter[Outcome]]:
    """The outcomes of programs that are not in the database."""
    found: dict[tuple[str, str, Point], Counter[Outcome]] = {}
    for run in read:
        counts = run.others.copy()
        for record in run.records(run.cases.keys() - known):
            counts[record.suite, record.exporter, run.point(record), record.outcome] += 1
        for (suite, exporter, point, outcome), count in counts.items():
            found.setdefault((suite, exporter, point), Counter())[outcome] += count
    return found


def _best_known(cells: Iterable[Cell]) -> tuple[str, ...]:
    """The exporters of cells: those that were measured at most points first, then by name."""
    points = {e: {c.point for c in row} for e, row in grouped(cells, lambda c: c.exporter).items()}
    return tuple(sorted(points, key=lambda e: (-len(points[e]), e)))
