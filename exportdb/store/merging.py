"""Several runs read as one: shards, machines, exporters.

Owns which of two results of the same examination counts. Doubles that say the same (times aside)
are one; those that do not are an error, unless the newest is wanted. Where runs are kept is left to
the stores, which results are the same to ``exportdb.records.expectation``.
"""

from __future__ import annotations

from collections.abc import Callable, Hashable, Iterator, Sequence, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Literal

from exportdb.records.environment import Environment
from exportdb.records.expectation import MEASURED_KEYS, value_of
from exportdb.records.jsonl import Header
from exportdb.records.record import Identity, Record, digest
from exportdb.records.text import encode
from exportdb.records.verdict import comparable
from exportdb.store.protocol import EVERYTHING, Query, Readable, StoredRun, StoreError

#: Which result counts where there are several; None: that is an error.
Prefer = Literal["newest"] | None
#: Where a record stands: the number of its run, and its own in that run.
_At = tuple[int, int]


@dataclass(frozen=True)
class MergedRuns:
    """The records of several runs, each examination once.

    ``counts`` is how many each run has, and ``left_out`` those that another one has too.
    """

    runs: tuple[Readable, ...]
    wanted: Callable[[Record], bool]
    counts: tuple[int, ...]
    left_out: frozenset[_At]

    def __len__(self) -> int:
        return sum(self.counts) - len(self.left_out)

    @property
    def environments(self) -> tuple[Environment, ...]:
        """Those of all runs, each once."""
        return tuple({e.digest: e for r in self.runs for e in r.header.environments}.values())

    def records(self) -> Iterator[tuple[Record, Environment]]:
        """The records, each with where it was made, in the order of the runs."""
        for at, record, environment in _each(self.runs, self.wanted):
            if at not in self.left_out:
                yield record, environment

    def header(self, run: str) -> Header:
        """What stands before the records in a file of their own.

        All environments are kept. What a run was interrupted before stays planned
        where no run has what another has too. Raises
        StoreError for runs under different switches, which one file cannot hold.
        """
        first = self.runs[0]
        for other in self.runs[1:]:
            if other.header.environment.switches != first.header.environment.switches:
                raise StoreError(
                    f"{first.location} and {other.location} were made under different switches; "
                    "use them separately"
                )
        read = zip(self.runs, self.counts, strict=True)
        missing = sum(max(0, run.header.planned - count) for run, count in read)
        return Header(
            run=run,
            started=max(r.header.started for r in self.runs),
            environments=self.environments,
            planned=len(self) + (0 if self.left_out else missing),  # else another may have it
        )


@dataclass(frozen=True)
class MergedRun:
    """Several runs read as one, as a run like any other; ``name`` is what it is called."""

    name: str
    joined: MergedRuns

    @cached_property
    def header(self) -> Header:
        """That of the file that they would be. Raises StoreError for different switches."""
        return self.joined.header(self.name)

    @property
    def location(self) -> str:
        """Where they are kept."""
        return ", ".join(run.location for run in self.joined.runs)

    def records(self, query: Query = EVERYTHING) -> Iterator[Record]:
        """The records, each examination once. Raises RecordFileError."""
        for record, environment in self.joined.records():
            if query.matches(record):
                yield record.with_(env=environment.digest)

    def surprises(self) -> Set[Identity]:
        """What was not as expected. Raises RecordFileError."""
        return {r.identity for r in self.records() if r.verdict and r.verdict.differs}

    def unlike(self, _: StoredRun) -> tuple[StoredRun, Set[Identity]]:
        """All of it."""
        return self, frozenset()

    def lines(self) -> Iterator[str]:
        """It as the lines of a file of records. Raises StoreError, RecordFileError."""
        yield self.header.encode().decode()
        for record in self.records():
            yield record.encode().decode() + "\n"


def _all(_: Record) -> bool:
    return True


def _digest_of(_: Record, environment: Environment) -> Hashable:
    return environment.digest


def merge(
    runs: Sequence[Readable],
    prefer: Prefer = None,
    wanted: Callable[[Record], bool] = _all,
    place: Callable[[Record, Environment], Hashable] = _digest_of,
) -> MergedRuns:
    """Read several runs as one; only ``wanted`` records count.

    Two results are of the same examination where suite, case, exporter, device and ``place`` are
    the same, which is the environment unless told otherwise. Raises StoreError for different
    results of the same examination, unless ``prefer`` says which counts: that of the run that began
    last. Raises RecordFileError.
    """
    seen: dict[Hashable, list[_At]] = {}
    counts = [0] * len(runs)
    for at, record, environment in _each(runs, wanted):
        counts[at[0]] += 1
        seen.setdefault((record.identity, place(record, environment)), []).append(at)
    doubles = {at: key for key, several in seen.items() if len(several) > 1 for at in several}
    results: dict[Hashable, dict[_At, tuple[Record, dict[str, str]]]] = {}
    for at, record, _ in _each(runs, wanted) if doubles else ():
        if at in doubles:
            bare = Record(*record.identity[1:], record.outcome, record.phase)  # others are long
            results.setdefault(doubles[at], {})[at] = (bare, _result(record))
    conflicts = [r for r in results.values() if len({str(told) for _, told in r.values()}) > 1]
    if conflicts and prefer is None:
        raise StoreError(_conflict(runs, conflicts[0], len(conflicts) - 1))
    newest = {
        max(found, key=lambda at: (runs[at[0]].header.started, at)) for found in results.values()
    }
    return MergedRuns(tuple(runs), wanted, tuple(counts), frozenset(doubles.keys() - newest))


def _each(
    runs: Sequence[Readable], wanted: Callable[[Record], bool]
) -> Iterator[tuple[_At, Record, Environment]]:
    for i, run in enumerate(runs):
        for j, record in enumerate(run.records()):
            if wanted(record):
                yield (i, j), record, run.header.environment_of(record)


def _result(record: Record) -> dict[str, str]:
    """What a record says, by the parts that are compared; each as a digest, for some are long."""
    value = value_of(record)
    parts = {key: comparable(key, value.get(key)) for key in MEASURED_KEYS}
    return {"outcome": record.outcome, **{k: digest(encode(v)) for k, v in parts.items()}}


def _conflict(
    runs: Sequence[Readable], found: dict[_At, tuple[Record, dict[str, str]]], more: int
) -> str:
    """One sentence on two files that do not agree."""
    (a, (record, told)), *others = found.items()
    b, (other, differs) = next(o for o in others if o[1][1] != told)
    what = f"{record.outcome} in {runs[a[0]].location}, {other.outcome} in {runs[b[0]].location}"
    if record.outcome == other.outcome:
        parts = ", ".join(key for key in told if told[key] != differs[key])
        what += f", with another {parts}"
    further = f"; {more:,} more differ" if more else ""
    return (
        f"{record.label} · {record.exporter} · {record.device} is {what}{further}; "
        "give one of the two, or --prefer newest"
    )
