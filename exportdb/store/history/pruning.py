"""Removes from the history what is too old, and what nothing needs any more.

A run stays as a row that says it was pruned, so that importing its file again does not bring it
back.
"""

from __future__ import annotations

from dataclasses import dataclass

import sqlalchemy as sa
from sqlalchemy.engine import Connection

from exportdb.store.history import tables
from exportdb.store.history.connection import HistoryDatabase


@dataclass(frozen=True)
class PruneCounts:
    """What was removed: the names of the runs, and how many records, results and texts."""

    runs: tuple[str, ...]
    records: int
    results: int = 0
    texts: int = 0


def prune(database: HistoryDatabase, before: int, dry_run: bool = False) -> PruneCounts:
    """Remove the runs that began before a time (milliseconds). Raises StoreError."""
    if dry_run:
        with database.reading() as connection:
            return _old(connection, before)
    pruned = database.write(lambda c: _prune(c, before))
    if pruned.runs and database.engine.dialect.name == "sqlite":
        with database.reading() as connection:
            connection.exec_driver_sql("VACUUM")  # else the file stays as long as it was
    return pruned


def _old(connection: Connection, before: int) -> PruneCounts:
    runs, records = tables.runs.c, tables.records.c
    names = connection.scalars(
        sa.select(runs.name).where(runs.id < before, ~runs.pruned).order_by(runs.id)
    ).all()
    count = sa.select(sa.func.count()).select_from(tables.records).where(records.run_id < before)
    return PruneCounts(tuple(names), connection.scalar(count) or 0)


def _prune(connection: Connection, before: int) -> PruneCounts:
    old = _old(connection, before)
    if not old.runs:
        return old
    records, results, texts = tables.records, tables.results, tables.texts
    connection.execute(sa.delete(records).where(records.c.run_id < before))
    connection.execute(sa.update(tables.runs).where(tables.runs.c.id < before).values(pruned=True))
    # Of a result the index on subject and result knows whether a record says it.
    said = sa.exists().where(
        records.c.subject_id == results.c.subject_id, records.c.result_id == results.c.id
    )
    gone = connection.execute(sa.delete(results).where(~said)).rowcount
    used = sa.union(
        *(sa.select(c).where(c.is_not(None))
          for c in (results.c.graph_id, results.c.message_id, records.c.readable_id))
    )  # fmt: skip
    lost = connection.execute(sa.delete(texts).where(texts.c.id.not_in(used))).rowcount
    return PruneCounts(old.runs, old.records, gone, lost)
