"""Puts records into the history, each once, whoever else does the same meanwhile.

Owns the order in which rows are added. A batch is one transaction: what exists is looked up, the
rest added; where another writer was quicker, the unique keys say so and the batch is made again.
So an import that was killed is simply made again, and so is one of a run that has gone on.
"""

from __future__ import annotations

import contextlib
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path
from typing import Any

import msgspec
import sqlalchemy as sa
from sqlalchemy.engine import Connection

from exportdb.records import jsonl
from exportdb.records.environment import Environment
from exportdb.records.expectation import minor
from exportdb.records.jsonl import Header, RecordFileError
from exportdb.records.record import Identity
from exportdb.store.history import tables
from exportdb.store.history.connection import HistoryDatabase
from exportdb.store.history.rows import Parts, StoredText, began, milliseconds, taken_apart
from exportdb.store.protocol import StoredRun
from exportdb.store.record_files import RecordFile, files_of_runs

#: Records in one transaction.
BATCH = 2000


@dataclass(frozen=True)
class ImportCounts:
    """How many records an import found, added, and left out since their run was pruned."""

    found: int = 0
    added: int = 0
    pruned: int = 0

    def __add__(self, other: ImportCounts) -> ImportCounts:
        return ImportCounts(
            self.found + other.found, self.added + other.added, self.pruned + other.pruned
        )


def add_home(database: HistoryDatabase, home: Path) -> ImportCounts:
    """Import the runs of a home that are new, or have gone on, since the last time.

    A run that cannot be read is left out: whoever asks for that run is told. Raises StoreError.
    """
    lengths = {}
    for path in files_of_runs(home):
        with contextlib.suppress(FileNotFoundError):
            lengths[path] = path.stat().st_size
    with database.reading() as connection:
        known: dict[str, int] = dict(connection.execute(sa.select(tables.imported)).tuples().all())
    total = ImportCounts()
    for path, length in lengths.items():
        if known.get(path.stem) == length:
            continue
        with contextlib.suppress(RecordFileError, ValueError):
            total += add_file(database, path)
            database.write(partial(_note, name=path.stem, length=length))
    return total


def add_file(database: HistoryDatabase, path: Path) -> ImportCounts:
    """Import a file of records; a last line that is cut off is left out.

    Raises RecordFileError, with what stands before the line that cannot be read kept; StoreError.
    """
    header, records = jsonl.read(path, torn=True)
    return add(database, header, (taken_apart(r, header) for r in records))


def add_run(database: HistoryDatabase, run: StoredRun) -> ImportCounts:
    """Import a run, wherever it is kept. Raises RecordFileError, StoreError."""
    if isinstance(run, RecordFile):
        return add_file(database, run.path)
    header = run.header
    return add(database, header, (taken_apart(r, header) for r in run.records()))


def add(database: HistoryDatabase, header: Header, records: Iterable[Parts]) -> ImportCounts:
    """Import records of one file, in batches. Raises StoreError."""
    total = ImportCounts()
    pending = iter(records)
    while batch := list(islice(pending, BATCH)):
        total += database.write(partial(_add_batch, header=header, batch=batch))
    if not total.found:
        database.write(lambda c: _Adding(c, header).run(header.run))  # a run without a result
    return total


def _note(connection: Connection, name: str, length: int) -> None:
    t = tables.imported
    connection.execute(sa.delete(t).where(t.c.name == name))
    connection.execute(sa.insert(t).values(name=name, bytes=length))


def _add_batch(connection: Connection, header: Header, batch: Sequence[Parts]) -> ImportCounts:
    adding = _Adding(connection, header)
    runs = {name: adding.run(name) for name in sorted({p.run for p in batch})}
    wanted = [p for p in batch if runs[p.run] is not None]
    subjects = adding.subjects({p.identity for p in wanted})
    texts = adding.texts({t.digest: t for p in wanted for t in p.texts})
    results = adding.results({p.digest: (subjects[p.identity], p) for p in wanted}, texts)
    rows: dict[tuple[int, int, int], dict[str, Any]] = {}
    for p in wanted:
        subject, environment = subjects[p.identity], adding.environments[p.env]
        run = runs[p.run]
        assert run is not None
        rows.setdefault((run, subject, environment), {
            "run_id": run,
            "subject_id": subject,
            "environment_id": environment,
            "result_id": results[p.digest],
            "readable_id": p.readable and texts[p.readable.digest],
            "seconds": p.seconds,
            **p.anew,
            "cached": p.cached,
        })  # fmt: skip
    added = adding.records(rows)
    return ImportCounts(len(batch), added, len(batch) - len(wanted))


class _Adding:
    """Adds what a batch needs, looking up first what is there. Rows are added in one order."""

    def __init__(self, connection: Connection, header: Header) -> None:
        self.connection, self.header = connection, header
        self.environments = self._environments(header.environments)

    def _environments(self, given: Sequence[Environment]) -> dict[str, int]:
        t = tables.environments
        rows = {e.digest: {"digest": e.digest, "torch": e.torch,
                           "data": msgspec.json.encode(e).decode()} for e in given}  # fmt: skip
        return self._ids(t, rows)

    def run(self, name: str) -> int | None:
        """The ID of a run, added if it is new; None if it was pruned."""
        t, header = tables.runs, self.header
        time = began(name, header)
        started = time.isoformat(timespec="milliseconds")
        found = self.connection.execute(
            sa.select(t.c.id, t.c.pruned).where(t.c.name == name, t.c.started == started)
        ).first()
        if found:
            return None if found.pruned else found.id
        number = milliseconds(time)
        while self.connection.scalar(sa.select(t.c.id).where(t.c.id == number)):
            number += 1
        own = name == header.run
        environment = header.environment
        self.connection.execute(sa.insert(t).values(
            id=number, name=name, started=started, pruned=False,
            environment_id=self.environments[environment.digest],
            torch=environment.torch and minor(environment.torch),
            switches=" ".join(environment.switches),
            header=msgspec.json.encode({
                "planned": header.planned if own else 0,
                "plan": header.plan if own else "",
                "arguments": header.arguments if own else (),
                "schema": header.schema,
                "started": header.started if own else started,
            }).decode(),
        ))  # fmt: skip
        return number

    def subjects(self, wanted: set[Identity]) -> dict[Identity, int]:
        """The IDs of subjects."""
        t = tables.subjects
        cases = sorted({case for _, case, _, _ in wanted})

        def known() -> dict[Identity, int]:
            rows = self.connection.execute(sa.select(t).where(t.c.case.in_(cases)))
            return {(r.suite, r.case, r.exporter, r.device): r.id for r in rows}

        found = known()
        if new := sorted(wanted - found.keys()):
            names = ("suite", "case", "exporter", "device")
            self._insert(t, [dict(zip(names, i, strict=True)) for i in new])
            found = known()
        return found

    def texts(self, wanted: Mapping[str, StoredText]) -> dict[str, int]:
        """The IDs of texts."""
        return self._ids(tables.texts, {d: vars(t) for d, t in wanted.items()})

    def results(
        self, wanted: Mapping[str, tuple[int, Parts]], texts: Mapping[str, int]
    ) -> dict[str, int]:
        """The IDs of results by digest, from the subject and the parts of each."""
        rows = {
            digest: {
                "subject_id": subject, "digest": digest, **p.columns, "rest": p.rest,
                "graph_id": p.graph and texts[p.graph.digest],
                "message_id": p.message and texts[p.message.digest],
            }
            for digest, (subject, p) in wanted.items()
        }  # fmt: skip
        return self._ids(tables.results, rows)

    def records(self, wanted: Mapping[tuple[int, int, int], dict[str, Any]]) -> int:
        """Add the records that are not there; how many that were."""
        t = tables.records
        there = set()
        for run in {run for run, _, _ in wanted}:
            subjects = [subject for r, subject, _ in wanted if r == run]
            query = sa.select(t.c.run_id, t.c.subject_id, t.c.environment_id).where(
                t.c.run_id == run, t.c.subject_id.in_(subjects)
            )
            there |= set(self.connection.execute(query).tuples())
        new = sorted(wanted.keys() - there)
        self._insert(t, [wanted[key] for key in new])
        return len(new)

    def _ids(self, table: sa.Table, rows: Mapping[str, dict[str, Any]]) -> dict[str, int]:
        """The IDs of rows by digest; those that are not there are added."""
        query = sa.select(table.c.digest, table.c.id).where(table.c.digest.in_(sorted(rows)))
        found = dict(self.connection.execute(query).tuples().all())
        if new := sorted(rows.keys() - found.keys()):
            self._insert(table, [rows[digest] for digest in new])
            found = dict(self.connection.execute(query).tuples().all())
        return found

    def _insert(self, table: sa.Table, rows: Sequence[dict[str, Any]]) -> None:
        if rows:
            self.connection.execute(sa.insert(table), rows)
