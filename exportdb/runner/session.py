"""Examines one at a time for a caller that has its own order of events, a test runner for instance.

Owns keeping a process server warm between examinations. There is no cache, no file of records and
no plan here: those are ``run``'s.
"""

from __future__ import annotations

from exportdb.environments.bridge import Interpreter
from exportdb.executors import open_executor
from exportdb.executors.protocol import Executor
from exportdb.records.expectation import Expectation
from exportdb.records.record import Record
from exportdb.runner import backends
from exportdb.runner.attempt import agreed, impossible, surprising, tried, warming
from exportdb.runner.installations import Installation, arrange
from exportdb.runner.judging import Judge
from exportdb.runner.plan import Examination, examinations
from exportdb.runner.request import Request
from exportdb.runner.run import Settings
from exportdb.runner.warm import warm_workers
from exportdb.store.home import home_folder


class Session:
    """A context in which examinations are isolated like those of a run, one after the other.

    ``request`` is what may be asked for. Raises RunnerError if the home folder cannot be used.
    """

    def __init__(self, request: Request, settings: Settings) -> None:
        self._settings = settings
        backends.check()
        home = home_folder(settings.home)
        self._installations = arrange(request, home, settings.timeout)
        self._judge = Judge.of(request, self._installations.here.declarations)
        self._executors: dict[Interpreter | None, Executor] = {}
        plan = examinations(request)
        for ref in request.exporters:
            interpreter = self._installations.of[ref.target].interpreter
            if interpreter not in self._executors:
                self._executors[interpreter] = open_executor(
                    warm_workers(warming(plan), home, 1, settings.reuse, interpreter)
                )

    def expectation_of(self, record: Record) -> Expectation | None:
        """What is expected of a record of this session."""
        return next(
            self._judge.expectation_of(record, installation.environment)
            for installation in self._installations.of.values()
            if installation.environment.digest == record.env
        )

    def examine(self, examination: Examination) -> Record:
        """The judged record of one examination, an unexpected one tried once more."""
        declarations = self._installation(examination).declarations
        if hopeless := impossible(examination, declarations):
            return self._judged(hopeless, examination)
        record = self._judged(self._try(examination, False), examination)
        if not (self._settings.retry and surprising(record)):
            return record
        return agreed(record, self._judged(self._try(examination, True), examination))[0]

    def _installation(self, examination: Examination) -> Installation:
        return self._installations.of[examination.exporter.target]

    def _judged(self, record: Record, examination: Examination) -> Record:
        measured = self._installation(examination).environment
        stamped = record.with_(
            suite=examination.program.suite, repro=examination.repro, env=measured.digest
        )
        return self._judge.judged(stamped, measured)

    def _try(self, examination: Examination, alone: bool) -> Record:
        settings, installation = self._settings, self._installation(examination)
        factor = installation.declarations[examination.exporter.target].timeout_factor
        executor = self._executors[installation.interpreter]
        return tried(executor, examination, settings.timeout, settings.memory_mb, alone, factor)

    def __enter__(self) -> Session:
        return self

    def __exit__(self, *_: object) -> None:
        for executor in self._executors.values():
            executor.close()
