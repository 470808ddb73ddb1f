"""Asks the history: runs as they were, what a day measured, all that is known of a case.

Owns the queries. What the rows mean is left to ``lines`` and ``exportdb.store.status``.
"""

from __future__ import annotations

import datetime
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, fields, replace
from functools import cached_property
from itertools import chain
from typing import Any, NamedTuple

import msgspec
import sqlalchemy as sa

from exportdb.records.environment import Environment
from exportdb.records.jsonl import Header
from exportdb.records.outcome import unexpected
from exportdb.records.record import Identity, Record
from exportdb.store.history import tables
from exportdb.store.history.connection import HistoryDatabase
from exportdb.store.history.lines import Measurement
from exportdb.store.history.place import measurement_named
from exportdb.store.history.rows import ANEW, put_together
from exportdb.store.protocol import EVERYTHING, Query, StoredRun, StoreError

#: Hours within which runs are one measurement: the shards and the exporters of one night.
NIGHT = 12
_HOUR = 3_600_000
#: How many rows are asked for by their numbers at once.
_AT_ONCE = 5_000
_RECORDS, _RUNS, _SUBJECTS = tables.records, tables.runs, tables.subjects
_RESULTS, _ENVIRONMENTS, _TEXTS = tables.results, tables.environments, tables.texts


@dataclass(frozen=True)
class Night:
    """Runs that are one measurement, the newest first; ``began`` is when the newest did."""

    names: tuple[str, ...]
    ids: tuple[int, ...]
    torch: str | None
    switches: tuple[str, ...]

    @property
    def began(self) -> str:
        """In ISO 8601, UTC."""
        return date_of(self.ids[0])


@dataclass(frozen=True)
class HistoryRuns:
    """Runs of the history, read as one: of a result that several have, the newest counts.

    ``subjects`` are the numbers of those that it is of, None for all.
    """

    database: HistoryDatabase
    night: Night
    subjects: frozenset[int] | None = None

    @property
    def location(self) -> str:
        """Where they are kept, for a reader."""
        last, *others = self.night.names
        more = f" and {len(others)} before it" if others else ""
        return f"{last}{more} in {self.database.location}"

    @cached_property
    def header(self) -> Header:
        """Where and how their records were made."""
        with self.database.reading() as connection:
            row = connection.execute(sa.select(_RUNS).where(_RUNS.c.id == self.night.ids[0])).one()
            used = sa.select(_RECORDS.c.environment_id).where(_RECORDS.c.run_id.in_(self.night.ids))
            t = _ENVIRONMENTS.c
            of_run = sa.select(t.data).where(t.id == row.environment_id)
            others = sa.select(t.data).where(t.id.in_(used), t.id != row.environment_id)
            found = [*connection.scalars(of_run), *connection.scalars(others.order_by(t.id))]
        told = msgspec.json.decode(row.header)
        return Header(
            run=row.name,
            started=told["started"],
            environments=tuple(msgspec.json.decode(e, type=Environment) for e in found),
            planned=told["planned"] if len(self.night.ids) == 1 else 0,
            plan=told["plan"],
            arguments=tuple(told["arguments"]),
            schema=told["schema"],
        )

    def records(self, query: Query = EVERYTHING) -> Iterator[Record]:
        """Their records, one at a time."""
        newest: dict[Identity, str] = {}
        several = len(self.night.ids) > 1
        whole = _whole_records(self.night.ids, query)
        queries = [whole] if self.subjects is None else [
            whole.where(_RECORDS.c.subject_id.in_(some)) for some in _portions(self.subjects)
        ]  # fmt: skip
        with self.database.reading() as connection:
            told = connection.execution_options(yield_per=500)
            for row in chain.from_iterable(map(told.execute, queries)):
                record = put_together(row)
                if not several or newest.setdefault(record.identity, record.run) == record.run:
                    yield record

    def unlike(self, other: StoredRun) -> tuple[StoredRun, Set[Identity]]:
        """It without the records of which both have the same result."""
        if not isinstance(other, HistoryRuns) or other.database.location != self.database.location:
            return self, frozenset()
        alike = {
            i for i, said in self._said.items() if len(said) == 1 and other._said.get(i) == said
        }
        s = _SUBJECTS.c
        named = sa.select(s.id, s.suite, s.case, s.exporter, s.device)
        with self.database.reading() as connection:
            left_out = {i[1:] for i in _plain(connection, named) if i[0] in alike}
        return replace(self, subjects=frozenset(self._said.keys() - alike)), left_out

    @cached_property
    def _said(self) -> dict[int, tuple[int, ...]]:
        """The numbers of the results by subject; several of one were measured in several places."""
        r = _RECORDS.c
        rows = sa.select(r.run_id, r.subject_id, r.result_id).where(r.run_id.in_(self.night.ids))
        found: dict[int, tuple[int, ...]] = {}
        newest: dict[int, int] = {}
        with self.database.reading() as connection:
            ordered = rows.order_by(r.run_id, r.subject_id, r.environment_id)
            for run, subject, result in _plain(connection, ordered):
                before = found[subject] if newest.get(subject) == run else ()
                newest[subject], found[subject] = run, (*before, result)
        return found

    def surprises(self) -> Set[Identity]:
        """What was not as expected."""
        return {r.identity for r in self.records() if unexpected(r.outcome, r.verdict)}

    def lines(self) -> Iterator[str]:
        """They as the lines of a file of records."""
        yield from self.header.encode().decode().splitlines(keepends=True)
        for record in self.records():
            yield record.encode().decode() + "\n"


def _whole_records(ids: Sequence[int], query: Query) -> sa.Select[Any]:
    """All that records of these runs are put together from, the newest run first."""
    graph, message, readable = (_TEXTS.alias(n) for n in ("graph", "message", "readable"))
    r, result = _RECORDS.c, _RESULTS.c
    columns = (
        r.seconds, *(r[name] for name in ANEW), r.cached, result.rest, _RUNS.c.name.label("run"),
        _ENVIRONMENTS.c.digest.label("env"), graph.c.body.label("graph"),
        message.c.body.label("message"), readable.c.body.label("readable"),
    )  # fmt: skip
    joined = (
        _RECORDS.join(_RESULTS, result.id == r.result_id)
        .join(_SUBJECTS, _SUBJECTS.c.id == r.subject_id)
        .join(_RUNS, _RUNS.c.id == r.run_id)
        .join(_ENVIRONMENTS, _ENVIRONMENTS.c.id == r.environment_id)
        .outerjoin(graph, graph.c.id == result.graph_id)
        .outerjoin(message, message.c.id == result.message_id)
        .outerjoin(readable, readable.c.id == r.readable_id)
    )
    found = sa.select(*columns).select_from(joined).where(r.run_id.in_(ids))
    for field in fields(query):
        if (wanted := getattr(query, field.name)) is not None:
            column = (_SUBJECTS.c if field.name in _SUBJECTS.c else result)[field.name]
            found = found.where(column.in_(sorted(wanted)))
    return found.order_by(r.run_id.desc(), r.subject_id, r.environment_id)


# --- runs --------------------------------------------------------------------------------------


def run_named(database: HistoryDatabase, name: str) -> HistoryRuns | None:
    """A run by its ID, the newest of that name."""
    with database.reading() as connection:
        found = connection.execute(
            sa.select(_RUNS)
            .where(_RUNS.c.name == name, ~_RUNS.c.pruned)
            .order_by(_RUNS.c.id.desc())
        ).first()
    return None if found is None else HistoryRuns(database, _night([found]))


def named(database: HistoryDatabase, name: str) -> HistoryRuns | None:
    """A run by its ID, what a day measured last, or what a version (``torch==2.13``) did.

    Raises StoreError for what looks like a day and is none.
    """
    if not measurement_named(name):
        return run_named(database, name)
    torch = name.removeprefix("torch==") if name.startswith("torch==") else None
    of = night(database, None if torch else end_of(name), torch)
    return None if of is None else HistoryRuns(database, of)


def counts(database: HistoryDatabase) -> dict[str, int | str]:
    """How much is in it, and when its first and last runs began."""
    runs = _RUNS.c
    with database.reading() as connection:

        def count(table: sa.Table) -> int:
            return connection.scalar(sa.select(sa.func.count()).select_from(table)) or 0

        kept = sa.select(sa.func.min(runs.id), sa.func.max(runs.id), sa.func.count())
        first, last, number = connection.execute(kept.where(~runs.pruned)).one()
        return {
            "runs": number, "records": count(_RECORDS), "results": count(_RESULTS),
            "texts": count(_TEXTS), "subjects": count(_SUBJECTS),
            "first": date_of(first) if number else "", "last": date_of(last) if number else "",
        }  # fmt: skip


def run_names(database: HistoryDatabase) -> list[str]:
    """The IDs of all runs, the oldest first."""
    with database.reading() as connection:
        query = sa.select(_RUNS.c.name).where(~_RUNS.c.pruned).order_by(_RUNS.c.id)
        return list(connection.scalars(query))


def night(
    database: HistoryDatabase,
    until: int | None = None,
    torch: str | None = None,
    switches: tuple[str, ...] | None = None,
) -> Night | None:
    """The last measurement that began up to a time (milliseconds), None if there is none.

    It is of the torch minor version and the switches that are given, by default those of the
    newest run; and of all runs of these that began within :data:`NIGHT` hours before it.
    """
    t = _RUNS.c
    query = sa.select(_RUNS).where(~t.pruned).order_by(t.id.desc())
    if until is not None:
        query = query.where(t.id <= until)
    if torch is not None:
        query = query.where(t.torch == torch)
    if switches is not None:
        query = query.where(t.switches == " ".join(switches))
    with database.reading() as connection:
        newest = connection.execute(query).first()
        if newest is None:
            return None
        same = sa.select(_RUNS).where(
            ~t.pruned, t.id <= newest.id, t.id > newest.id - NIGHT * _HOUR,
            t.torch.is_not_distinct_from(newest.torch), t.switches == newest.switches,
        )  # fmt: skip
        return _night(connection.execute(same.order_by(t.id.desc())).all())


def night_before(database: HistoryDatabase, later: Night, days: int = 0) -> Night | None:
    """The last measurement before one, or so many days before it, of the same torch."""
    until = later.ids[-1] - 1 if not days else later.ids[0] - days * 24 * _HOUR
    return night(database, until, later.torch, later.switches)


def _night(rows: Sequence[Any]) -> Night:
    newest = rows[0]
    return Night(
        tuple(r.name for r in rows), tuple(r.id for r in rows), newest.torch,
        tuple(newest.switches.split()),
    )  # fmt: skip


def date_of(run: int) -> str:
    """When a run began, by its ID: ISO 8601, UTC."""
    time = datetime.datetime.fromtimestamp(run / 1000, datetime.UTC)
    return time.isoformat(timespec="seconds")


def end_of(day: str) -> int:
    """The last millisecond of a day, UTC. Raises StoreError for what is not a date."""
    try:
        date = datetime.date.fromisoformat(day)
    except ValueError as e:
        raise StoreError(f"{day!r} is not a date: {e}") from None
    end = datetime.datetime.combine(date, datetime.time.max, datetime.UTC)
    return int(end.timestamp() * 1000)


# --- what was measured -------------------------------------------------------------------------


def measured(
    database: HistoryDatabase, cases: Sequence[str], exporters: Sequence[str] = (),
    devices: Sequence[str] = (),
) -> list[Measurement]:  # fmt: skip
    """All that was ever measured of a case, by all the IDs it had, the oldest first."""
    s, r, result, e = _SUBJECTS.c, _RECORDS.c, _RESULTS.c, _ENVIRONMENTS.c
    query = (
        sa.select(
            s.suite, s.case, s.exporter, s.device, result.outcome, result.phase,
            result.error_type, result.exporter_version, e.torch, r.run_id, e.data,
        )
        .select_from(_SUBJECTS.join(_RECORDS, r.subject_id == s.id))
        .join(_RESULTS, result.id == r.result_id)
        .join(_ENVIRONMENTS, e.id == r.environment_id)
        .where(s.case.in_(cases))
        .order_by(r.run_id)
    )  # fmt: skip
    for column, wanted in ((s.exporter, exporters), (s.device, devices)):
        query = query.where(column.in_(wanted)) if wanted else query
    switches: dict[str, tuple[str, ...]] = {}
    found = []
    with database.reading() as connection:
        for row in connection.execute(query):
            if row.data not in switches:
                switches[row.data] = tuple(msgspec.json.decode(row.data)["switches"])
            if row.torch is not None:
                found.append(Measurement(
                    row.suite, row.case, row.exporter, row.device, row.torch, switches[row.data],
                    row.outcome, row.phase, row.error_type, row.exporter_version,
                    date_of(row.run_id),
                ))  # fmt: skip
    return found


class NightlyResult(NamedTuple):
    """What a night measured of one subject; a tuple, for there are many thousands."""

    suite: str
    exporter: str
    device: str
    case: str
    outcome: str
    verdict: str | None
    dims_asked: int
    dims_kept: int
    graph_breaks: int | None
    graphs: int | None
    guards: int | None
    seconds: str
    first_call: float | None
    result_id: int
    subject_id: int


def states(database: HistoryDatabase, of: Night) -> dict[int, NightlyResult]:
    """By subject, what a night measured, the newest run first asked."""
    s, r, result = _SUBJECTS.c, _RECORDS.c, _RESULTS.c
    columns = [next(t[n] for t in (r, s, result) if n in t) for n in NightlyResult._fields]
    query = (
        sa.select(*columns)
        .select_from(_RECORDS.join(_RESULTS, result.id == r.result_id))
        .join(_SUBJECTS, s.id == r.subject_id)
        .where(r.run_id.in_(of.ids))
        .order_by(r.run_id)  # the newest comes last, and stays
    )
    with database.reading() as connection:
        return {s.subject_id: s for s in map(NightlyResult._make, _plain(connection, query))}


def _portions(numbers: Iterable[int]) -> Iterator[Sequence[int]]:
    """Numbers in order, as many at a time as one question may have."""
    ordered = sorted(numbers)
    for begin in range(0, len(ordered), _AT_ONCE):
        yield ordered[begin : begin + _AT_ONCE]


def _plain(connection: sa.Connection, query: sa.Select[Any]) -> Sequence[tuple[Any, ...]]:
    """The rows as the driver has them: of many thousands, SQLAlchemy's own cost as much again."""
    cursor = connection.execute(query).cursor
    assert cursor is not None
    return cursor.fetchall()


def outcomes(database: HistoryDatabase, of: Night, known: Mapping[int, str]) -> dict[int, str]:
    """By subject, the outcome that a night measured.

    ``known`` are outcomes by result: a night says mostly what others said, and only what is not
    among these is looked up.
    """
    r, result = _RECORDS.c, _RESULTS.c
    said = sa.select(r.subject_id, r.result_id).where(r.run_id.in_(of.ids)).order_by(r.run_id)
    with database.reading() as connection:
        by_subject = dict(_plain(connection, said))
        found = dict(known)
        for some in _portions({*by_subject.values()} - known.keys()):
            query = sa.select(result.id, result.outcome).where(result.id.in_(some))
            found |= dict(_plain(connection, query))
    return {subject: found[i] for subject, i in by_subject.items()}
