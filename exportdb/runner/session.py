"""Examines one at a time for a caller that has its own order of events, a test runner for instance.

Owns keeping a process server warm between examinations. There is no cache, no file of records and
no plan here: those are ``run``'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from exportdb.environments.bridge import Interpreter
from exportdb.executors import open_executor
from exportdb.executors.protocol import Executor
from exportdb.records.environment import Environment
from exportdb.records.record import Record
from exportdb.runner import backends
from exportdb.runner.attempt import agreed, impossible, record_of, surprising, task_of, warming
from exportdb.runner.place import arrange
from exportdb.runner.plan import Examination, switches_of
from exportdb.runner.run import Judge, Settings
from exportdb.runner.warm import warm_workers
from exportdb.store.runfile import home_folder


class Session:
    """A context in which examinations are isolated like those of a run, one after the other.

    ``plan`` is what may be asked for. Raises RunnerError if the home folder cannot be used.
    """

    def __init__(self, plan: Sequence[Examination], settings: Settings, judge: Judge) -> None:
        self._settings = settings
        self._judge = judge
        backends.check()
        refs = [r for e in plan for r in (e.exporter, e.device)]
        home = home_folder(settings.home)
        self._places = arrange(refs, home, switches_of(plan), python=settings.python)
        self._executors: dict[Interpreter | None, Executor] = {}
        for e in plan:
            interpreter = self._places.of[e.exporter.target].interpreter
            if interpreter not in self._executors:
                self._executors[interpreter] = open_executor(
                    warm_workers(warming(plan), home, 1, settings.reuse, interpreter)
                )

    def environment_of(self, examination: Examination) -> Environment:
        """Where an examination is made."""
        return self._places.of[examination.exporter.target].environment

    def examine(self, examination: Examination) -> Record:
        """The judged record of one examination, an unexpected one tried once more."""
        place = self._places.of[examination.exporter.target]
        record = impossible(examination, place.descriptions) or self._try(examination, False)
        record = self._judge(record, place.environment)
        if not (self._settings.retry and surprising(record)):
            return record
        again = self._judge(self._try(examination, True), place.environment)
        return agreed(record, again)[0]

    def _try(self, examination: Examination, alone: bool) -> Record:
        settings, place = self._settings, self._places.of[examination.exporter.target]
        factor = place.descriptions[examination.exporter.target].timeout_factor
        executor = self._executors[place.interpreter]
        task = task_of(examination, settings.timeout, settings.memory_mb, alone, factor)
        executor.submit(task)
        (ending,) = executor.endings()
        record = record_of(examination, ending)
        return record.with_(
            suite=examination.suite, repro=examination.repro, env=place.environment.digest
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        for executor in self._executors.values():
            executor.close()
