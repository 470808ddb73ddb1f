"""A run: what was asked for, each examination isolated, cached, tried again when it surprises.

Owns the order of events from a request to a file of records. Processes are left to ``executors``,
the cache to ``cache``, the file to ``runfile``, what is expected to ``judging``.
This process never imports torch.
"""

from __future__ import annotations

import itertools
import warnings
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from exportdb.environments.bridge import Interpreter
from exportdb.executors import open_executor
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import REUSE, Executor, Task
from exportdb.records.environment import Environment
from exportdb.records.expectation import Expectation
from exportdb.records.jsonl import Header
from exportdb.records.record import Identity, Record, digest
from exportdb.runner import backends
from exportdb.runner import plan as planning
from exportdb.runner.attempt import (
    agreed,
    impossible,
    record_of,
    surprising,
    task_of,
    warming,
)
from exportdb.runner.cache import Cache, Keys
from exportdb.runner.judging import Judge
from exportdb.runner.place import Place, Places, arrange
from exportdb.runner.plan import Examination, broken_records
from exportdb.runner.request import Request
from exportdb.runner.warm import warm_workers
from exportdb.store.runfile import RunFile, home_folder, new_run_id, run_path


@dataclass(frozen=True)
class Settings:
    """How a run goes; none of it but ``memory_mb`` decides what a record says.

    ``jobs`` is how many examinations go on at a time; ``timeout`` the seconds one may take where
    the case does not say; ``memory_mb`` the memory (MiB) one may take, None for no limit.
    ``fresh`` ignores results of earlier runs. ``home`` is the folder of runs and cache (None:
    the variable EXPORTDB_HOME, then ``.exportdb``). ``resume`` is the ID of the run to go on
    with. ``retry`` has unexpected results tried once more. ``reuse`` is how many examinations one
    process may take. ``arguments`` are the words of the command, kept in the run's file.
    """

    jobs: int = 1
    timeout: float = 60.0
    memory_mb: int | None = 4096
    fresh: bool = False
    home: Path | None = None
    resume: str | None = None
    retry: bool = True
    reuse: int = REUSE
    arguments: tuple[str, ...] = ()


class Watch(Protocol):
    """Who is told how a run goes; whatever is raised here, the run goes on."""

    def making(self, who: str, line: str) -> None:
        """An environment is being made for the exporters ``who``; a line about how it goes."""

    def planned(self, total: int, cached: int) -> None:
        """Once, then: how many records there will be, and how many of them are there already."""

    def started(self, examination: Examination) -> None:
        """An examination begins, the second time if its first result was unexpected."""

    def finished(self, record: Record) -> None:
        """A record is final and written; of a resumed run, only those that are new."""


class Silent:
    """A watch that tells nobody."""

    def making(self, who: str, line: str) -> None:
        """Nothing."""

    def planned(self, total: int, cached: int) -> None:
        """Nothing."""

    def started(self, examination: Examination) -> None:
        """Nothing."""

    def finished(self, record: Record) -> None:
        """Nothing."""


class _Harmless:
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
                what = f"what shows this run has failed with {type(e).__name__}: {e}"
                warnings.warn(f"{what}; the run goes on", RuntimeWarning, stacklevel=2)

        return tell


@dataclass(frozen=True)
class Run:
    """A run that has ended: all of it, or, if ``interrupted``, what was finished."""

    id: str
    path: Path
    environments: tuple[Environment, ...]
    judge: Judge
    interrupted: bool = False

    @property
    def records(self) -> Iterator[Record]:
        """The records, read from the file: a large run's do not fit in memory."""
        with self.path.open("rb") as lines:
            for line in itertools.islice(lines, len(self.environments), None):
                yield Record.decode(line)

    def environment_of(self, record: Record) -> Environment:
        """Where a record of this run was made."""
        return next((e for e in self.environments if e.digest == record.env), self.environments[0])

    def expectation_of(self, record: Record) -> Expectation | None:
        """What was expected of a record of this run."""
        return self.judge.expectation_of(record, self.environment_of(record))


def run(
    request: Request,
    settings: Settings = Settings(),
    watch: Watch = Silent(),  # noqa: B008  # stateless
) -> Run:
    """Examine everything that ``request`` comes to.

    Ctrl-C ends the run early, with all that was finished kept. Raises RunnerError if the run
    cannot begin or go on, SelectionError if nothing is expected to have the outcomes asked for.
    """
    home = home_folder(settings.home)
    watch = _Harmless(watch)
    backends.check()
    places = arrange(request, home, watch.making)
    judge = Judge.of(request, places.here.descriptions)
    plan, broken = planning.plan(request, outcomes_by(judge, places)), broken_records(request)
    keys = {
        target: Keys(place.environment, place.descriptions, settings.memory_mb)
        for target, place in places.of.items()
    }
    planned = [
        _Planned(keys[e.exporter.target].key(e), e, places.of[e.exporter.target]) for e in plan
    ]
    plan_digest = digest(
        "\n".join([p.key for p in planned] + [f"{b.case} {b.exporter}" for b in broken])
    )
    finished: set[Identity] = set()
    if settings.resume:
        file, header, finished = RunFile.resume(home, settings.resume, plan_digest)
    else:
        header = Header(
            run=new_run_id(),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            environments=places.environments,
            planned=len(plan) + len(broken),
            plan=plan_digest,
            arguments=settings.arguments,
        )
        file = RunFile.create(home, header)
    judge.read_ahead()
    try:
        cache = Cache(home / "cache.sqlite")
        going = _Going(header, file, cache, settings, judge, watch, home)
        try:
            going.go(planned, broken, finished, places)
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
        except RunnerError as e:
            hint = f"; what was finished is kept, go on with: exportdb run --resume {header.run}"
            raise RunnerError(f"{e}{hint}") from None
        finally:
            going.cache.close()
    finally:
        file.close()
    path = run_path(home, header.run)
    return Run(header.run, path, header.environments, judge, interrupted)


def outcomes_by(judge: Judge, places: Places) -> Callable[[Examination], str | None]:
    """Tells the outcome that is expected of an examination where it is made."""

    def expected(e: Examination) -> str | None:
        measured = places.of[e.exporter.target].environment
        known = judge.expectation(e.program.id, e.exporter.name, e.device.name, measured)
        return known.outcome if known else None

    return expected


@dataclass(frozen=True)
class _Planned:
    """An examination, where it is to be made, and the key of its result."""

    key: str
    examination: Examination
    place: Place


@dataclass(frozen=True)
class _Attempt:
    """One under way; ``first`` is the surprising record of the first try."""

    planned: _Planned
    first: Record | None = None


@dataclass
class _Going:
    """One run while it goes on."""

    header: Header
    file: RunFile
    cache: Cache
    settings: Settings
    judge: Judge
    watch: Watch
    home: Path

    def go(
        self,
        planned: Sequence[_Planned],
        broken: Sequence[Record],
        finished: set[Identity],
        places: Places,
    ) -> None:
        todo = [p for p in planned if p.examination.identity not in finished]
        known = set() if self.settings.fresh else self.cache.known(p.key for p in todo)
        cached = sum(p.key in known for p in todo)
        self.watch.planned(self.header.planned, len(finished) + cached)
        for record in broken:
            if record.identity not in finished:
                self.finish(self.judged(record, places.here))
        for interpreter in dict.fromkeys(p.place.interpreter for p in todo):
            # One after the other: each has the run's jobs to itself, and warms up once.
            self.go_with(
                interpreter, [p for p in todo if p.place.interpreter == interpreter], known
            )

    def go_with(
        self, interpreter: Interpreter | None, todo: Sequence[_Planned], known: set[str]
    ) -> None:
        """Examine what belongs to one interpreter."""
        warmth = warming(
            (p.examination for p in todo if p.key not in known),
            (m for p in todo for m in p.place.preload(p.examination.exporter.target)),
        )
        settings = self.settings
        workers = warm_workers(warmth, self.home, settings.jobs, settings.reuse, interpreter)
        with open_executor(
            workers, lambda task: self.watch.started(task.tag.planned.examination)
        ) as executor:
            for planned in todo:
                if hopeless := impossible(planned.examination, planned.place.descriptions):
                    self.finish(self.judged(hopeless, planned.place, planned.examination))
                elif planned.key in known and (hit := self.cache.get(planned.key)):
                    self.settle(_Attempt(planned), hit[0].with_(cached=True), hit[1], executor)
                else:
                    executor.submit(self.task(_Attempt(planned)))
            for ending in executor.endings():
                attempt = ending.task.tag
                record = record_of(attempt.planned.examination, ending)
                self.settle(attempt, record, False, executor)

    def task(self, attempt: _Attempt) -> Task:
        settings = self.settings
        again = attempt.first is not None
        examination, place = attempt.planned.examination, attempt.planned.place
        factor = place.descriptions[examination.exporter.target].timeout_factor
        return task_of(examination, settings.timeout, settings.memory_mb, again, factor, attempt)

    def settle(
        self, attempt: _Attempt, record: Record, confirmed: bool, executor: Executor
    ) -> None:
        """Finish a record, or have it tried again if it surprises and was tried only once."""
        planned = attempt.planned
        record = self.judged(record, planned.place, planned.examination)
        if attempt.first is None:
            if self.settings.retry and not confirmed and surprising(record):
                executor.submit(self.task(_Attempt(planned, record)))
                return
        else:
            record, confirmed = agreed(attempt.first, record)
            if not confirmed:
                self.finish(record)
                return
        self.finish(record)
        known = record.cached and attempt.first is None
        if record.outcome.lasting and not known:
            self.cache.put(planned.key, record, confirmed)

    def judged(
        self, record: Record, place: Place, examination: Examination | None = None
    ) -> Record:
        """The record with what this run knows of it, and its verdict."""
        stamps = {"run": self.header.run, "env": place.environment.digest}
        if examination:
            stamps |= {"suite": examination.program.suite, "repro": examination.repro}
        return self.judge.judged(record.with_(**stamps), place.environment)

    def finish(self, record: Record) -> None:
        self.file.add(record)
        self.watch.finished(record)
