"""A run: examines a plan, each examination isolated, cached, tried again when it surprises.

Owns the order of events from a plan to a file of records. Processes are left to ``pool``, the
cache to ``cache``, the file to ``runfile``; what is expected to the ``judge`` it is given.
This process never imports torch.
"""

from __future__ import annotations

import json
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from datetime import UTC, datetime
from pathlib import Path
from typing import Protocol

from exportdb.records.environment import Environment, environment
from exportdb.records.jsonl import Header
from exportdb.records.outcome import ERROR, TIMEOUT
from exportdb.records.record import Record, digest
from exportdb.runner import backends
from exportdb.runner.attempt import (
    agreed,
    impossible,
    record_of,
    surprising,
    task_of,
    warming,
)
from exportdb.runner.cache import Cache, Keys
from exportdb.runner.describe import Description, describe
from exportdb.runner.error import RunnerError
from exportdb.runner.plan import Examination, Identity, switches_of
from exportdb.runner.pool import REUSE, Pool, Task
from exportdb.runner.runfile import RunFile, home_folder, new_run_id, run_path
from exportdb.runner.warm import variables

Judge = Callable[[Record], Record]


@dataclass(frozen=True)
class Settings:
    """How a run is made; none of it but ``memory_mb`` decides what a record says.

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
    """Who is told how a run goes."""

    def planned(self, total: int, cached: int) -> None:
        """Once, first: how many records there will be, and how many of them are there already."""

    def started(self, examination: Examination) -> None:
        """An examination begins, the second time if its first result was unexpected."""

    def finished(self, record: Record) -> None:
        """A record is final and written; of a resumed run, only those that are new."""


class Silent:
    """A watch that tells nobody."""

    def planned(self, total: int, cached: int) -> None:
        """Nothing."""

    def started(self, examination: Examination) -> None:
        """Nothing."""

    def finished(self, record: Record) -> None:
        """Nothing."""


@dataclass(frozen=True)
class Run:
    """A run that has ended: all of it, or, if ``interrupted``, what was finished."""

    id: str
    path: Path
    environment: Environment
    interrupted: bool = False

    @property
    def records(self) -> Iterator[Record]:
        """The records, read from the file: a large run's do not fit in memory."""
        with self.path.open(encoding="utf-8") as lines:
            next(lines)
            for line in lines:
                yield Record.from_json(json.loads(line))


def run(
    plan: Sequence[Examination],
    settings: Settings = Settings(),
    judge: Judge = lambda record: record,
    watch: Watch = Silent(),  # noqa: B008  # stateless
    broken: Sequence[Record] = (),
) -> Run:
    """Examine everything in ``plan``; ``broken`` are records that need no examining.

    ``judge`` fills ``expected`` and ``verdict`` of a record. Ctrl-C ends the run early, with all
    that was finished kept. Raises RunnerError if the run cannot begin or go on.
    """
    home = home_folder(settings.home)
    backends.check()
    refs = {r.target: r for e in plan for r in (e.exporter, e.device)}
    descriptions = describe(refs.values(), home)
    accelerators = [d.accelerator for d in descriptions.values() if d.accelerator]
    env = environment(
        [*backends.distributions(), *(p for d in descriptions.values() for p in d.packages)],
        ", ".join(accelerators) or None,
        switches_of(plan),
    )
    keys = Keys(env, descriptions, settings.memory_mb)
    by_key = [(keys.key(e), e) for e in plan]
    plan_digest = digest(
        "\n".join([k for k, _ in by_key] + [f"{b.case} {b.exporter}" for b in broken])
    )
    finished: set[Identity] = set()
    if settings.resume:
        file, header, finished = RunFile.resume(home, settings.resume, plan_digest)
    else:
        header = Header(
            run=new_run_id(),
            started=datetime.now(UTC).isoformat(timespec="seconds"),
            environment=env,
            planned=len(plan) + len(broken),
            plan=plan_digest,
            arguments=settings.arguments,
        )
        file = RunFile.create(home, header)
    try:
        cache = Cache(home / "cache.sqlite")
        going = _Going(header, file, cache, settings, judge, watch, home, descriptions)
        try:
            going.go(by_key, broken, finished)
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
    return Run(header.run, run_path(home, header.run), env, interrupted)


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
    descriptions: dict[str, Description]
    env: str = field(init=False)

    def __post_init__(self) -> None:
        self.env = self.header.environment.digest

    def go(
        self,
        by_key: Sequence[tuple[str, Examination]],
        broken: Sequence[Record],
        finished: set[Identity],
    ) -> None:
        todo = [(k, e) for k, e in by_key if e.identity not in finished]
        known = set() if self.settings.fresh else self.cache.known(k for k, _ in todo)
        cached = sum(k in known for k, _ in todo)
        self.watch.planned(self.header.planned, len(finished) + cached)
        for record in broken:
            if (record.suite, record.case, record.exporter, record.device) not in finished:
                self.finish(self.judge(self.stamped(record)))
        with Pool(
            self.settings.jobs,
            self.settings.reuse,
            preload="exportdb.runner.warm:warm",
            arguments=warming(e for k, e in todo if k not in known),
            variables=variables(self.home),
            started=lambda task: self.watch.started(task.tag.examination),
        ) as pool:
            for key, examination in todo:
                if hopeless := impossible(examination, self.descriptions):
                    self.finish(self.judge(self.stamped(hopeless, examination)))
                elif key in known and (hit := self.cache.get(key)):
                    attempt = _Attempt(key, examination)
                    record = self.stamped(hit[0].with_(cached=True), examination)
                    self.settle(attempt, self.judge(record), hit[1], pool)
                else:
                    pool.submit(self.task(_Attempt(key, examination)))
            for ending in pool.endings():
                attempt = ending.task.tag
                record = self.stamped(record_of(attempt.examination, ending), attempt.examination)
                self.settle(attempt, self.judge(record), False, pool)

    def task(self, attempt: _Attempt) -> Task:
        settings = self.settings
        again = attempt.first is not None
        patience = self.descriptions[attempt.examination.exporter.target].patience
        return task_of(
            attempt.examination, settings.timeout, settings.memory_mb, again, patience, attempt
        )

    def settle(self, attempt: _Attempt, record: Record, confirmed: bool, pool: Pool) -> None:
        """Finish a record, or have it tried again if it surprises and was tried only once."""
        if attempt.first is None:
            if self.settings.retry and not confirmed and surprising(record):
                pool.submit(self.task(_Attempt(attempt.key, attempt.examination, record)))
                return
        else:
            record, confirmed = agreed(attempt.first, record)
            if not confirmed:
                self.finish(record)
                return
        self.finish(record)
        known = record.cached and attempt.first is None
        if record.outcome not in (ERROR.name, TIMEOUT.name) and not known:
            self.cache.put(attempt.key, record, confirmed)

    def stamped(self, record: Record, examination: Examination | None = None) -> Record:
        """The record with what this run knows of it."""
        stamps = {"run": self.header.run, "env": self.env}
        if examination:
            stamps |= {"suite": examination.suite, "repro": examination.repro}
        return record.with_(**stamps)

    def finish(self, record: Record) -> None:
        self.file.add(record)
        self.watch.finished(record)


@dataclass(frozen=True)
class _Attempt:
    """An examination under way; ``first`` is the surprising record of the first try."""

    key: str
    examination: Examination
    first: Record | None = None
