"""What a run shows while it works, on standard error: a live bar, or a line now and then.

Whatever fails here fails nothing else: without a bar there are lines, and the run is told of by
the runner's own guard.
"""

from __future__ import annotations

import contextlib
import sys
import time
from types import TracebackType
from typing import Any, Self

from exportdb.cli import output
from exportdb.prose import plural
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record

_EVERY = 15.0  # seconds between two lines where nobody watches a bar
_WIDE = 90  # columns of a terminal that has room for a bar


class RunProgress:
    """The ``watch`` of a run, as a context manager; rich draws it on a terminal."""

    def __init__(self) -> None:
        self.total = self.done = self.errors = self.surprises = 0
        self._last_line = time.monotonic()
        self._announced: set[str] = set()
        self._bar: Any = None
        self._task: Any = None

    def __enter__(self) -> Self:
        if sys.stderr.isatty():
            try:
                self._start_bar()
            except Exception as e:
                self._bar = None
                output.note(f"no progress bar: {type(e).__name__}: {e}")
        return self

    def _start_bar(self) -> None:
        from rich import progress
        from rich.console import Console
        from rich.table import Column

        console = Console(stderr=True)
        # The counter is never cut; the bar goes first, then the end of what is going on.
        bar = [progress.BarColumn(bar_width=30)] if console.width >= _WIDE else []
        self._bar = progress.Progress(
            progress.SpinnerColumn(table_column=Column(no_wrap=True)),
            progress.MofNCompleteColumn(table_column=Column(no_wrap=True, min_width=9)),
            *bar,
            progress.TimeElapsedColumn(table_column=Column(no_wrap=True, min_width=7)),
            progress.TextColumn(
                "{task.description}", markup=False,
                table_column=Column(no_wrap=True, overflow="ellipsis", ratio=1),
            ),
            console=console, expand=True, transient=True,
        )  # fmt: skip
        self._task = self._bar.add_task("starting", total=None)
        self._bar.start()

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            with contextlib.suppress(Exception):  # the run is over, and its report is to come
                self._bar.stop()

    def making(self, who: str, line: str) -> None:
        """An environment is being made: all of it on a bar, elsewhere that it begins, and waits."""
        if self._bar is not None:
            self._bar.update(self._task, description=f"{who}: {line[:70]}")
        elif who not in self._announced or self._line_is_due():
            self._announced.add(who)
            output.note(f"{who}: {line}")

    def note(self, line: str) -> None:
        """Something went wrong that does not end the run."""
        if self._bar is not None:
            self._bar.console.print(f"exportdb: {line}", markup=False, highlight=False)
        else:
            output.note(line)

    def planned(self, total: int, cached: int) -> None:
        """The run knows its size; ``cached`` of the results are known already.

        It is told once for each run of several.
        """
        self.total += total
        if self._bar is not None:
            self._bar.update(self._task, total=self.total)
        else:
            known = f", {cached:,} of them known already" if cached else ""
            output.note(f"examining: {plural(total, 'result')}{known}")

    def started(self, examination: Any) -> None:
        """An examination begins."""
        if self._bar is not None:
            self._describe(f"{examination.program.id} · {examination.exporter.name}")

    def finished(self, record: Record) -> None:
        """A record is there, judged."""
        self.done += 1
        if record.outcome is Outcome.ERROR:
            self.errors += 1
        else:
            self.surprises += record.verdict is not None and record.verdict.differs
        if self._bar is not None:
            self._bar.update(self._task, completed=self.done)
            self._describe(f"{record.label} · {record.exporter}: {record.outcome}")
        elif self._line_is_due():
            output.note(", ".join([f"{self.done}/{self.total}", *self._failing()]))

    def _line_is_due(self) -> bool:
        if time.monotonic() - self._last_line < _EVERY:
            return False
        self._last_line = time.monotonic()
        return True

    def _failing(self) -> list[str]:
        """How many results are not as they should be so far, by what they are."""
        counted = {"error": self.errors, "surprise": self.surprises}
        return [plural(n, noun) for noun, n in counted.items() if n]

    def _describe(self, what: str) -> None:
        self._bar.update(self._task, description=" · ".join([*self._failing(), what]))
