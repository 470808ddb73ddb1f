"""What is left of a run when it has ended: the little that a report is made of, and where the
rest is kept.

Owns what of a record is held in memory, where thousands of graphs would not fit.
"""

from __future__ import annotations

from collections.abc import Collection
from dataclasses import dataclass

from exportdb.records.environment import Environment
from exportdb.records.expectation import Expectation
from exportdb.records.record import Record
from exportdb.runner.judging import Judge
from exportdb.store.protocol import Query, StoredRun


@dataclass(frozen=True)
class RunResult:
    """A run that has ended: all of it, or, if ``interrupted``, what was finished.

    ``briefs`` are its records as :func:`brief` leaves them; ``stored`` has them in full.
    """

    stored: StoredRun
    briefs: tuple[Record, ...]
    judge: Judge
    interrupted: bool = False

    @property
    def id(self) -> str:
        """What it is called."""
        return self.stored.header.run

    @property
    def environments(self) -> tuple[Environment, ...]:
        """Where its records were made, the one it was started in first."""
        return self.stored.header.environments

    def in_full(self, briefs: Collection[Record]) -> list[Record]:
        """The whole records that some of its briefs are of, in their order."""
        query = Query(
            case={b.case for b in briefs},
            exporter={b.exporter for b in briefs},
            device={b.device for b in briefs},
        )
        found = {r.identity: r for r in self.stored.records(query)} if briefs else {}
        return [found[b.identity] for b in briefs]

    def expectation_of(self, record: Record) -> Expectation | None:
        """What was expected of a record of this run."""
        return self.judge.expectation_of(record, self.stored.header.environment_of(record))


def brief(record: Record) -> Record:
    """A record without what is long: graphs, facts, ranges, and samples that tell nothing."""
    telling = tuple(s for s in record.samples if s.counts_against)
    return record.with_(graph=None, graph_readable=None, facts={}, ranges={}, samples=telling)
