"""What a diagnosis shows while it works, on standard error: a live line, or one a part.

Whatever fails here fails nothing else: without a live line there are plain ones.
"""

from __future__ import annotations

import contextlib
import sys
from types import TracebackType
from typing import Any, Self

from exportdb.cli import output
from exportdb.diagnose.search import Attempt
from exportdb.prose import plural


class DiagnosisProgress:
    """The ``watch`` of a diagnosis, as a context manager; rich draws it on a terminal."""

    def __init__(self) -> None:
        self._examined = self._lines = 0
        self._last = ""  # what came of the program that was examined last
        self._live: Any = None
        self._part: Any = None  # the part that is under way

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            with contextlib.suppress(Exception):
                self._live = _live_line()
                self._live.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._live is not None:
            with contextlib.suppress(Exception):  # the answer is to come
                self._live.stop()

    def begins(self, what: str, seconds: float | None) -> None:
        """A part begins, with a clock of its own."""
        bound = "" if seconds is None else f" (at most {seconds:g} s)"
        if self._live is None:
            output.note(f"{what}{bound}")
            return
        self._lines, self._last = 0, ""
        with contextlib.suppress(Exception):
            if self._part is not None:
                self._live.remove_task(self._part)
            self._part = self._live.add_task("", what=f"{what}{bound}", so_far="")

    def examined(self, attempt: Attempt) -> None:
        """One more program was examined."""
        self._examined += 1
        self._last = str(attempt.record.outcome)
        self._say()

    def reduced(self, lines: int) -> None:
        """The small program has so many lines now."""
        self._lines = lines
        self._say()

    def _say(self) -> None:
        if self._live is None:
            return
        told = [f"{plural(self._examined, 'program')} examined"]
        told += [plural(self._lines, "line") if self._lines else f"the last: {self._last}"]
        with contextlib.suppress(Exception):
            self._live.update(self._part, so_far=" · ".join(told))


def _live_line() -> Any:
    from rich import progress
    from rich.console import Console
    from rich.table import Column

    whole = Column(no_wrap=True)
    return progress.Progress(
        progress.SpinnerColumn(table_column=whole),
        progress.TimeElapsedColumn(table_column=Column(no_wrap=True, min_width=7)),
        progress.TextColumn("{task.fields[what]}", markup=False, table_column=whole),
        progress.TextColumn(
            "{task.fields[so_far]}", markup=False,
            table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1),
        ),
        console=Console(stderr=True), expand=True, transient=True,
    )  # fmt: skip
