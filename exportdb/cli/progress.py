"""What a run says while it works, on standard error: a live bar, or a line now and then."""

from __future__ import annotations

import sys
import time
from types import TracebackType
from typing import Any, Self

from exportdb.cli import output
from exportdb.records.record import Record

_EVERY = 15.0  # seconds between two lines where nobody watches a bar


class Progress:
    """The ``watch`` of a run, as a context manager; rich draws it on a terminal."""

    def __init__(self) -> None:
        self.total = self.done = self.surprises = 0
        self._said = time.monotonic()
        self._making: set[str] = set()
        self._bar: Any = None
        self._task: Any = None
        if sys.stderr.isatty():
            from rich import progress
            from rich.console import Console

            self._bar = progress.Progress(
                progress.SpinnerColumn(),
                progress.MofNCompleteColumn(),
                progress.BarColumn(bar_width=30),
                progress.TimeElapsedColumn(),
                progress.TextColumn("{task.description}"),
                console=Console(stderr=True),
                transient=True,
            )
            self._task = self._bar.add_task("starting", total=None)

    def __enter__(self) -> Self:
        if self._bar is not None:
            self._bar.start()
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        where: TracebackType | None,
    ) -> None:
        if self._bar is not None:
            self._bar.stop()

    def making(self, who: str, line: str) -> None:
        """An environment is being made: all of it on a bar, elsewhere that it begins, and waits."""
        if self._bar is not None:
            self._bar.update(self._task, description=f"{who}: {line[:70]}")
        elif who not in self._making or time.monotonic() - self._said > _EVERY:
            self._making.add(who)
            self._said = time.monotonic()
            output.note(f"{who}: {line}")

    def note(self, line: str) -> None:
        """Something went wrong that does not end the run."""
        if self._bar is not None:
            self._bar.console.print(f"exportdb: {line}", markup=False, highlight=False)
        else:
            output.note(line)

    def planned(self, total: int, cached: int) -> None:
        """The run knows its size; ``cached`` of the results are known already."""
        self.total = total
        if self._bar is not None:
            self._bar.update(self._task, total=total)
        else:
            known = f", {cached:,} of them known from before" if cached else ""
            output.note(f"examining: {output.plural(total, 'result')}{known}")

    def started(self, examination: Any) -> None:
        """An examination begins."""
        if self._bar is not None:
            self._describe(f"{examination.program.id} · {examination.exporter.name}")

    def finished(self, record: Record) -> None:
        """A record is there, judged."""
        self.done += 1
        self.surprises += record.verdict is not None and record.verdict.differs
        if self._bar is not None:
            self._bar.update(self._task, completed=self.done)
            self._describe(f"{record.case} · {record.exporter}: {record.outcome}")
        elif time.monotonic() - self._said > _EVERY:
            self._said = time.monotonic()
            output.note(f"{self.done}/{self.total}, {output.plural(self.surprises, 'surprise')}")

    def _describe(self, what: str) -> None:
        surprises = f"{output.plural(self.surprises, 'surprise')} · " if self.surprises else ""
        self._bar.update(self._task, description=surprises + what)
