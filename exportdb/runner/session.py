"""Examines one at a time for a caller that has its own order of events, a test runner for instance.

Owns keeping a process server warm between examinations. There is no cache, no file of records and
no plan here: those are ``run``'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from types import TracebackType

from exportdb.records.environment import Environment, environment
from exportdb.records.record import Record
from exportdb.runner import backends
from exportdb.runner.attempt import agreed, impossible, record_of, surprising, task_of, warming
from exportdb.runner.describe import describe
from exportdb.runner.plan import Examination, switches_of
from exportdb.runner.pool import Pool
from exportdb.runner.run import Judge, Settings
from exportdb.runner.runfile import home_folder
from exportdb.runner.warm import variables


class Session:
    """A context in which examinations are isolated like those of a run, one after the other.

    ``plan`` is what may be asked for. Raises RunnerError if the home folder cannot be used.
    """

    def __init__(self, plan: Sequence[Examination], settings: Settings, judge: Judge) -> None:
        self._settings = settings
        self._judge = judge
        backends.check()
        refs = {r.target: r for e in plan for r in (e.exporter, e.device)}
        home = home_folder(settings.home)
        self._descriptions = describe(refs.values(), home)
        self.environment: Environment = environment(
            [
                *backends.distributions(),
                *(p for d in self._descriptions.values() for p in d.packages),
            ],
            switches=switches_of(plan),
        )
        self._pool = Pool(
            1,
            settings.reuse,
            preload="exportdb.runner.warm:warm",
            arguments=warming(plan),
            variables=variables(home),
        )

    def examine(self, examination: Examination) -> Record:
        """The judged record of one examination, an unexpected one tried once more."""
        record = impossible(examination, self._descriptions) or self._try(examination, False)
        record = self._judge(record)
        if not (self._settings.retry and surprising(record)):
            return record
        return agreed(record, self._judge(self._try(examination, True)))[0]

    def _try(self, examination: Examination, alone: bool) -> Record:
        settings = self._settings
        patience = self._descriptions[examination.exporter.target].patience
        task = task_of(examination, settings.timeout, settings.memory_mb, alone, patience)
        self._pool.submit(task)
        (ending,) = self._pool.endings()
        record = record_of(examination, ending)
        return record.with_(
            suite=examination.suite, repro=examination.repro, env=self.environment.digest
        )

    def __enter__(self) -> Session:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self._pool.__exit__(kind, error, trace)
