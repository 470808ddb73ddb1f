"""Which phase an examination is in, and the seconds that each took."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping

from exportdb.records.outcome import PHASES


class Clock:
    """``announce`` is told each phase as it begins; ``phase`` is the one that goes on."""

    def __init__(self, announce: Callable[[str], None]) -> None:
        self._announce = announce
        self._seconds: dict[str, float] = {}
        self._since = time.perf_counter()
        self.phase = "setup"

    def enter(self, phase: str) -> None:
        """Begin ``phase``. Raises ValueError for a name that is not a phase."""
        if phase not in PHASES:
            raise ValueError(f"{phase!r} is not a phase; phases are {', '.join(PHASES)}")
        self.switch(phase)
        self._announce(phase)

    def within(self, what: str) -> None:
        """Announce how far the phase has come, should the process end here."""
        self._announce(f"{self.phase}: {what}")

    def switch(self, phase: str) -> None:
        """Count from now on for ``phase``, without announcing it."""
        now = time.perf_counter()
        self._seconds[self.phase] = self._seconds.get(self.phase, 0.0) + now - self._since
        self.phase, self._since = phase, now

    @property
    def seconds(self) -> Mapping[str, float]:
        """Seconds by phase until now, in the order of the phases."""
        self.switch(self.phase)
        return {p: round(self._seconds[p], 4) for p in PHASES if p in self._seconds}
