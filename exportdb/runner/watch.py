"""Who is told how a run goes while it does, and that nothing it does can end the run."""

from __future__ import annotations

import warnings
from collections.abc import Callable
from typing import Protocol

from exportdb.records.record import Record
from exportdb.runner.plan import Examination


class Watch(Protocol):
    """Told of each step of a run, on the thread that makes it; what it raises ends nothing."""

    def making(self, who: str, line: str) -> None:
        """An environment is being made for the exporters ``who``; a line about how it goes."""

    def note(self, line: str) -> None:
        """Something that went wrong without ending the run."""

    def planned(self, total: int, cached: int) -> None:
        """Once, then: how many records there will be, and how many of them are there already."""

    def started(self, examination: Examination) -> None:
        """An examination begins, the second time if its first result was unexpected."""

    def finished(self, record: Record) -> None:
        """A record is final and written; in a resumed run, those that it has already come first."""


class Silent:
    """A watch that tells nobody."""

    def making(self, who: str, line: str) -> None:
        """Nothing."""

    def note(self, line: str) -> None:
        """Nothing."""

    def planned(self, total: int, cached: int) -> None:
        """Nothing."""

    def started(self, examination: Examination) -> None:
        """Nothing."""

    def finished(self, record: Record) -> None:
        """Nothing."""


class Harmless:
    """A watch in the place of another, whose errors end nothing: the first is a warning."""

    def __init__(self, watch: Watch) -> None:
        self._watch: Watch | None = watch

    def __getattr__(self, name: str) -> Callable[..., None]:
        def tell(*args: object) -> None:
            if self._watch is None:
                return
            try:
                getattr(self._watch, name)(*args)
            except Exception as e:
                self._watch = None  # it shows nothing more
                what = f"the progress display failed with {type(e).__name__}: {e}"
                warnings.warn(f"{what}; the run goes on", RuntimeWarning, stacklevel=2)

        return tell
