"""Who is told how a diagnosis goes while it does, and where its time went.

Owns the parts that a diagnosis has. Showing them is left to the command.
"""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Protocol

from exportdb.diagnose.search import Attempt

#: The parts of a diagnosis, in their order, each as it is said of the time that it took.
PARTS = {
    "start": "to start and to examine it as it is",
    "change": "to look for a change",
    "others": "with the other exporters",
    "small": "to make it small",
}


class DiagnosisWatch(Protocol):
    """Told of each step, on the thread that makes it."""

    def begins(self, what: str, seconds: float | None) -> None:
        """A part begins; it takes at most ``seconds``, None where nothing bounds it."""

    def examined(self, attempt: Attempt) -> None:
        """One more program was examined."""

    def reduced(self, lines: int) -> None:
        """The small program has so many lines now."""


class Unwatched:
    """A watch that tells nobody."""

    def begins(self, what: str, seconds: float | None) -> None:
        """Nothing."""

    def examined(self, attempt: Attempt) -> None:
        """Nothing."""

    def reduced(self, lines: int) -> None:
        """Nothing."""


@dataclass
class Stopwatch:
    """Measures the parts: ``spent`` are the seconds of each that was begun, by name."""

    watch: DiagnosisWatch
    spent: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def part(self, name: str, what: str, seconds: float | None = None) -> Iterator[None]:
        """What is done inside counts for the part ``name``; the watch is told ``what`` that is."""
        self.watch.begins(what, seconds)
        began = time.monotonic()
        try:
            yield
        finally:
            self.spent[name] = time.monotonic() - began
