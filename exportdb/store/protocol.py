"""What a store of runs is: runs are begun, added to, gone on with, read and asked.

Owns the words between those who make or read runs and wherever these are kept. Another kind of
store is a module beside ``record_files`` with an implementation of :class:`RunStore`, chosen in
``exportdb.store.open_store``.
"""

from __future__ import annotations

from collections.abc import Iterator, Set
from dataclasses import dataclass, fields
from typing import Protocol

from exportdb.records.jsonl import Header
from exportdb.records.record import Identity, Record


class StoreError(Exception):
    """A run that is not there or cannot be kept: one sentence with what to do."""


@dataclass(frozen=True)
class Query:
    """Which records: those whose field is among the words given for it, None for any."""

    suite: Set[str] | None = None
    case: Set[str] | None = None
    exporter: Set[str] | None = None
    device: Set[str] | None = None
    outcome: Set[str] | None = None
    verdict: Set[str] | None = None

    def matches(self, record: Record) -> bool:
        """Whether a record is asked for."""
        return all(
            (wanted := getattr(self, f.name)) is None or getattr(record, f.name) in wanted
            for f in fields(self)
        )

    def may_have(self, identity: Identity) -> bool:
        """Whether what has this identity may be asked for."""
        names = zip((self.suite, self.case, self.exporter, self.device), identity, strict=True)
        return all(wanted is None or name in wanted for wanted, name in names)


EVERYTHING = Query()


class Readable(Protocol):
    """Records that were made together."""

    @property
    def header(self) -> Header:
        """Where and how its records were made."""

    @property
    def location(self) -> str:
        """Where it is kept, for a reader."""

    def records(self, query: Query = EVERYTHING) -> Iterator[Record]:
        """Its records, one at a time: all of a large run do not fit in memory.

        Raises RecordFileError where the iteration comes to something that is no record.
        """


class StoredRun(Readable, Protocol):
    """A run that can be read, whether or not it has ended."""

    def surprises(self) -> Set[Identity]:
        """What was not as expected; cheaper than reading the records. Raises RecordFileError."""

    def unlike(self, other: StoredRun) -> tuple[StoredRun, Set[Identity]]:
        """It without what the other one says just so, where that is known without reading it; and
        what is left out.
        """

    def lines(self) -> Iterator[str]:
        """It as the lines of a file of records, line ends included."""


class RunWriter(Protocol):
    """A run that goes on. Nobody else can add to it meanwhile."""

    @property
    def header(self) -> Header:
        """Where and how its records are made."""

    @property
    def finished(self) -> Set[Identity]:
        """What was there already when it was gone on with."""

    def add(self, record: Record) -> None:
        """Keep one record. When this returns, the death of this process cannot take it away.

        A power cut can, for as long as the store says. Raises StoreError; what was added before
        stays.
        """

    def close(self) -> None:
        """Let others have it, with all that was added kept safe from a power cut. Twice is once."""


class RunStore(Protocol):
    """Runs by ID. Several processes may use one store at once."""

    def create(self, header: Header) -> RunWriter:
        """Begin a run. Raises StoreError."""

    def resume(self, run: str, plan: str) -> RunWriter:
        """Go on with a run whose plan has this digest.

        Raises StoreError for a run that is not there, still goes on, cannot be read, or had
        another plan.
        """

    def open(self, run: str) -> StoredRun:
        """A run by its ID. Raises StoreError if there is none."""

    def runs(self) -> list[str]:
        """The IDs of all runs, the oldest first."""
