"""What is left of a run when it has ended: the little that a report is made of, and where the
rest is kept: thousands of graphs would not fit in memory.
"""

from __future__ import annotations

from dataclasses import dataclass

from exportdb.records.environment import Environment
from exportdb.records.record import Record
from exportdb.runner.judging import Judge
from exportdb.store.protocol import StoredRun


@dataclass(frozen=True)
class RunResult:
    """A run that has ended: all of it, or, if ``interrupted``, what was finished.

    ``briefs`` are its records as :meth:`Record.brief` leaves them; ``stored`` has them in full.
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
