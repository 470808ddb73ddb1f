"""Results that cannot be accepted: why, and what would change that."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from exportdb.records.record import Record


class Remedy(StrEnum):
    """What makes a refused result acceptable, or another in its place."""

    LINK = "link"  # accept it again, and say where it is reported or why it is so
    FIX = "fix"  # an error: nothing was measured
    REPEAT = "repeat"  # measure how often it comes out which way
    RUN = "run"  # measure it again
    NONE = ""


@dataclass(frozen=True)
class Refused:
    """A record that cannot be accepted, and why."""

    record: Record
    reason: str
    remedy: Remedy = Remedy.NONE

    @classmethod
    def error(cls, record: Record) -> Refused:
        """An examination that failed."""
        return cls(record, "an error is a fault to fix, never an expectation", Remedy.FIX)

    @classmethod
    def flaky(cls, record: Record) -> Refused:
        """A result that came out differently when it was tried once more."""
        said = "it is flaky: it came out differently when tried once more"
        return cls(record, said, Remedy.REPEAT)

    @classmethod
    def unlinked(cls, record: Record, what: str) -> Refused:
        """A defect of which nobody said where it is reported."""
        said = f"{what} needs a link: --issue pytorch#N or a URL, or --note TEXT"
        return cls(record, said, Remedy.LINK)
