"""A run: what was asked for, each examination isolated, cached, tried again when it surprises.

Owns the order of events from a request to a file of records. Processes are left to ``executors``,
the cache to ``cache``, records to ``store``, what is expected to ``judging``.
This process never imports torch.
"""

from __future__ import annotations

import contextlib
import secrets
import time
from collections import Counter
from collections.abc import Callable, Iterable, Sequence, Set
from dataclasses import dataclass, field, replace
from datetime import UTC, datetime
from importlib.util import find_spec
from pathlib import Path
from typing import Any

from exportdb.cases.database import SelectionError
from exportdb.environments.bridge import Interpreter
from exportdb.executors import open_executor
from exportdb.executors.error import NO_TORCH, RunnerError
from exportdb.executors.protocol import REUSE, Executor, Task
from exportdb.plugins import PluginRef
from exportdb.prose import plural
from exportdb.records.decision import attributed
from exportdb.records.jsonl import Header, RecordFileError
from exportdb.records.outcome import Verdict
from exportdb.records.record import Identity, Record, digest
from exportdb.runner import backends
from exportdb.runner import plan as planning
from exportdb.runner.attempt import (
    agreed,
    impossible,
    measured_of,
    repeated,
    surprising,
    task_of,
    warming,
    with_stand_in,
    without_fatal_sample,
)
from exportdb.runner.cache import Cache, CacheKeys
from exportdb.runner.imported import Imported, Now
from exportdb.runner.installations import Installation, Installations, arrange
from exportdb.runner.judging import Judge
from exportdb.runner.measured import Measured
from exportdb.runner.plan import Examination, broken_records
from exportdb.runner.request import Request
from exportdb.runner.result import RunResult
from exportdb.runner.warm import warm_workers
from exportdb.runner.watch import Harmless, Silent, Watch
from exportdb.store import open_store
from exportdb.store.home import home_folder
from exportdb.store.protocol import RunStore, RunWriter, StoreError


@dataclass(frozen=True)
class Settings:
    """How a run goes; none of it but ``memory_mb`` decides what a record says.

    ``jobs`` is how many examinations go on at a time; ``timeout`` the seconds one may take where
    the case does not say; ``memory_mb`` the memory (MiB) one may take, None for no limit.
    ``fresh`` ignores results of earlier runs. ``home`` is the folder of runs and cache (None:
    the variable EXPORTDB_HOME, then ``.exportdb``). ``resume`` is the ID of the run to go on
    with. ``retry`` has unexpected results tried once more. ``reuse`` is how many examinations one
    process may take. ``cluster`` is the address of the cluster on whose nodes it goes, None for
    this machine. ``arguments`` are the words of the command, kept in the run's file. ``until`` is
    the time (``time.monotonic``) at which it ends, whatever is left; None for no such time.
    """

    jobs: int = 1
    timeout: float = 60.0
    memory_mb: int | None = 4096
    fresh: bool = False
    home: Path | None = None
    resume: str | None = None
    retry: bool = True
    reuse: int = REUSE
    cluster: str | None = None
    arguments: tuple[str, ...] = ()
    until: float | None = None


def run(
    request: Request,
    settings: Settings = Settings(),
    watch: Watch = Silent(),  # noqa: B008  # stateless
) -> RunResult:
    """Examine everything that ``request`` comes to.

    Ctrl-C ends the run early, with all that was finished kept. Raises RunnerError or StoreError if
    the run cannot begin or go on, SelectionError if nothing is expected to have the outcomes asked
    for, and PluginError for an exporter that extends itself.
    """
    home = home_folder(settings.home)
    watch = Harmless(watch)
    backends.check()
    installations = arrange(request, home, settings.timeout, watch.making)
    judge = Judge.of(request, installations.here.declarations)
    broken = broken_records(request)
    planned = _planned(request, settings, judge, installations, watch)
    store = open_store(home)
    cache = Cache(home / "cache.sqlite", watch.note)
    if request.only_affected:
        before = store.open(settings.resume).records() if settings.resume else ()
        planned = _affected(planned, {r.identity for r in before}, cache, judge, watch)
    plan_digest = digest(
        "\n".join([p.key for p in planned] + [f"{b.case} {b.exporter}" for b in broken])
    )
    if settings.resume:
        writer = store.resume(settings.resume, plan_digest)
    else:
        started = datetime.now(UTC).isoformat(timespec="seconds")
        size = len(planned) + len(broken)
        writer = store.create(Header(
            _new_run_id(), started, installations.environments, size, plan_digest,
            settings.arguments,
        ))  # fmt: skip
    stored = store.open(writer.header.run)
    with contextlib.closing(writer), contextlib.closing(cache):
        ongoing = _OngoingRun(
            writer,
            cache,
            settings,
            judge,
            watch,
            home,
            store,
            request.max_failures,
            request.repeat_run,
        )
        ongoing.briefs += [r.brief() for r in stored.records()] if settings.resume else []
        try:
            ongoing.go(planned, broken, installations)
            interrupted = False
        except KeyboardInterrupt:
            interrupted = True
        except (RunnerError, StoreError) as e:
            again = f"exportdb run --resume {stored.header.run}"
            raise type(e)(f"{e}; what was finished is kept, go on with: {again}") from None
        cache.prune()
    return RunResult(stored, tuple(ongoing.briefs), judge, interrupted)


def _new_run_id() -> str:
    """A name for a run that sorts by time, to the millisecond."""
    now = time.time()
    second = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
    return f"{second}-{int(now * 1000) % 1000:03}{secrets.token_hex(1)}"


def outcomes_by(judge: Judge, installations: Installations) -> Callable[[Examination], str | None]:
    """Tells the outcome that is expected of an examination where it is made."""

    def expected(e: Examination) -> str | None:
        measured = installations.of[e.exporter.target].environment
        return judge.outcome(
            e.program.suite, e.program.id, e.exporter.name, e.device.name, measured
        )

    return expected


@dataclass(frozen=True)
class _Planned:
    """An examination, where it is to be made, and the key of its result."""

    key: str
    examination: Examination
    installation: Installation


def _planned(
    request: Request, settings: Settings, judge: Judge, installations: Installations, watch: Watch
) -> list[_Planned]:
    """All that is to be examined, with the keys of the results. Raises SelectionError, and
    RunnerError where torch is needed here and is not installed."""
    keys = {
        target: CacheKeys(installation.environment, installation.declarations, settings.memory_mb)
        for target, installation in installations.of.items()
    }
    found = [
        _Planned(keys[e.exporter.target].key(e), e, installations.of[e.exporter.target])
        for e in planning.plan(request, outcomes_by(judge, installations))
    ]
    if find_spec("torch") is None and any(p.installation.interpreter is None for p in found):
        raise RunnerError(NO_TORCH)  # before there is a run that could be gone on with
    return _measured_before(found, judge, watch) if request.measured_before else found


def _measured_before(planned: Sequence[_Planned], judge: Judge, watch: Watch) -> list[_Planned]:
    """What the exporter itself was measured on, on that device. Raises SelectionError for nothing
    at all."""
    found = [
        p for p in planned if judge.measured(*p.examination.identity, p.installation.environment)
    ]
    if planned and not found:
        raise SelectionError("nothing selected was measured before, and accepted")
    if left_out := len(planned) - len(found):
        watch.note(f"{left_out:,} of {len(planned):,} results are left out (--measured-before): "
                   "nothing was accepted of them yet")  # fmt: skip
    return found


def _known(todo: Sequence[_Planned], cache: Cache) -> set[str]:
    """The keys of results of earlier runs that still hold."""
    by_place: dict[int, list[_Planned]] = {}
    for planned in todo:
        by_place.setdefault(id(planned.installation), []).append(planned)
    known: set[str] = set()
    for some in by_place.values():
        place = some[0].installation
        now = Now(place.distributions, here=place.interpreter is None)
        known |= cache.known((p.key for p in some), now)
    return known


def _bases(some: Iterable[_Planned], judge: Judge) -> dict[str, str]:
    """What results are judged by (a digest), by key."""
    return {
        p.key: judge.basis(e.program.suite, e.program.id, e.exporter.name)
        for p in some
        for e in [p.examination]
    }


def _affected(
    planned: Sequence[_Planned], finished: Set[Identity], cache: Cache, judge: Judge, watch: Watch
) -> list[_Planned]:
    """What is not known to come out as expected: something it depends on has changed since (case,
    adapter, packages, what is expected), or it was not as expected then; and what is ``finished``
    in the run that is gone on with."""
    known = _known(planned, cache)
    before = cache.verdicts(_bases([p for p in planned if p.key in known], judge))

    def expected(p: _Planned) -> bool:
        e = p.examination
        if e.identity in finished or p.key not in known:
            return False
        if judged := before.get(p.key):
            return judged[1] == Verdict.EXPECTED
        measured = cache.get(p.key)
        if measured is None:
            return False
        return judge.judged(measured.record, p.installation.environment).verdict is Verdict.EXPECTED

    affected = [p for p in planned if not expected(p)]
    if left_out := len(planned) - len(affected):
        watch.note(f"{left_out:,} of {len(planned):,} results are left out (--only-affected): "
                   "as expected, and nothing that they depend on has changed")  # fmt: skip
    return affected


#: A program of a run: its suite and its ID.
Program = tuple[str, str]


def _lasts(measured: Measured, exporter: PluginRef) -> bool:
    """Whether a result may be used again: what was not there to use or to import may be there next
    time, of a process that died nobody knows what it had imported, and what one broke shows only
    beside eager."""
    record = measured.record
    missing = ("ImportError", "ModuleNotFoundError", "Unusable", "Broken")
    lacking = record.error and record.error.type in missing
    known = exporter.ours or measured.imported != Imported()
    return record.outcome.lasting and known and not lacking


def _program(examination: Examination) -> Program:
    return examination.program.suite, examination.program.id


@dataclass(frozen=True)
class _Attempt:
    """One under way; ``first`` is what a first try gave that surprised, ``instead`` the examination
    without samples that eager did not survive, or with eager in the exporter's place."""

    planned: _Planned
    first: Measured | None = None
    instead: Examination | None = None

    @property
    def examination(self) -> Examination:
        """What is examined."""
        return self.instead or self.planned.examination

    @property
    def stands_in(self) -> bool:
        """Whether it is one with eager in the exporter's place."""
        return self.examination.exporter is not self.planned.examination.exporter


@dataclass
class _OngoingRun:
    """One run while it goes on; ``briefs`` are of the records that are there so far.

    With ``max_failures`` it ends early, after so many results that are not as expected. With
    ``repeat_run`` each examination is made so many times; ``tries`` are those made so far, by key.
    ``shared`` are the programs that are asked for more than once: what eager does with them is left
    for the next who asks.
    """

    writer: RunWriter
    cache: Cache
    settings: Settings
    judge: Judge
    watch: Watch
    home: Path
    store: RunStore
    max_failures: int | None
    repeat_run: int = 1
    tries: dict[str, list[Record]] = field(default_factory=dict)
    briefs: list[Record] = field(default_factory=list)
    shared: Set[Program] = frozenset()
    failures: int = 0

    @property
    def enough(self) -> bool:
        """Whether nothing more is to be examined: so much has failed, or the time is over."""
        if self.settings.until is not None and time.monotonic() >= self.settings.until:
            return True
        return self.too_many_failures

    @property
    def too_many_failures(self) -> bool:
        """Whether as many results as were asked for are not as expected."""
        return self.max_failures is not None and self.failures >= self.max_failures

    def go(
        self,
        planned: Sequence[_Planned],
        broken: Sequence[Record],
        installations: Installations,
    ) -> None:
        finished = self.writer.finished
        todo = [p for p in planned if p.examination.identity not in finished]
        asked = Counter(_program(p.examination) for p in todo)
        self.shared = {program for program, times in asked.items() if times > 1}
        known = self.known(todo)
        self.watch.planned(self.writer.header.planned, len(finished) + len(known))
        for record in self.briefs:  # of the run that is resumed
            self.watch.finished(record)
        for record in broken:
            if record.identity not in finished:
                self.finish(self.judged(record, installations.here))
        for interpreter in dict.fromkeys(p.installation.interpreter for p in todo):
            # One after the other: each has the run's jobs to itself, and warms up once.
            if not self.enough:
                here = [p for p in todo if p.installation.interpreter == interpreter]
                self.go_with(interpreter, here, known)
        if self.too_many_failures and (left := len(planned) + len(broken) - len(self.briefs)):
            self.watch.note(
                f"stopped at {plural(self.failures, 'result')} not as expected (--max-failures "
                f"{self.max_failures}): {left:,} of {self.writer.header.planned:,} were not "
                f"examined; go on with: exportdb check --resume {self.writer.header.run}"
            )

    def known(self, todo: Sequence[_Planned]) -> set[str]:
        """The keys of results of earlier runs that still hold."""
        if self.settings.fresh or self.repeat_run > 1:
            return set()
        return _known(todo, self.cache)

    def go_with(
        self, interpreter: Interpreter | None, todo: Sequence[_Planned], known: set[str]
    ) -> None:
        """Examine what belongs to one interpreter."""
        hits: list[_Planned] = []
        new: list[_Planned] = []
        for planned in todo:
            declared = planned.installation.declarations
            if hopeless := impossible(planned.examination, declared, self.settings.cluster is None):
                self.finish(self.judged(hopeless, planned.installation, planned.examination))
            else:
                (hits if planned.key in known else new).append(planned)
        new = self.in_order(new)
        examinations = [p.examination for p in new]
        modules = [m for p in new for m in p.installation.preload(p.examination.exporter.target)]
        modules += [m for e in examinations for m in e.program.preload]
        settings = self.settings
        workers = warm_workers(
            warming(examinations, modules), self.home, settings.jobs, settings.reuse, interpreter,
            settings.cluster if new else None,
        )  # fmt: skip
        with open_executor(
            workers, lambda task: self.watch.started(task.tag.planned.examination)
        ) as executor:
            self.answer(hits, executor)
            for planned in () if self.enough else new:
                for _ in range(self.repeat_run):
                    executor.submit(self.task(_Attempt(planned)))
            # While the processes warm up there is nothing to do; later it would take from them.
            self.judge.read_ahead(e.program for e in examinations)
            for ending in executor.endings():
                attempt = ending.task.tag
                if less := without_fatal_sample(attempt.examination, ending):
                    executor.submit(self.task(replace(attempt, instead=less)), soon=True)
                    continue
                measured = measured_of(attempt.examination, ending)
                self.settle(attempt, measured, executor)
                if self.enough:
                    return  # what is under way ends with the executor

    def in_order(self, todo: list[_Planned]) -> list[_Planned]:
        """The same, beginning with what was not as expected in the run before this one; where the
        time may be over before the end, each program with every exporter, so that none is left out.

        Nothing is read where all begin at once anyway.
        """
        if self.settings.until is not None:
            programs = list(dict.fromkeys(_program(p.examination) for p in todo))
            place = {program: number for number, program in enumerate(programs)}
            return sorted(todo, key=lambda p: place[_program(p.examination)])
        if len(todo) <= self.settings.jobs:
            return todo
        failed: Set[Identity] = set()
        former = [run for run in self.store.runs() if run != self.writer.header.run]
        for run in former[-1:]:
            with contextlib.suppress(RecordFileError, StoreError, OSError):
                failed = self.store.open(run).surprises()
        return sorted(todo, key=lambda p: p.examination.identity not in failed)

    def answer(self, todo: Sequence[_Planned], executor: Executor) -> None:
        """Finish what is known from earlier runs, as it was judged then if nothing changed."""
        bases = _bases(todo, self.judge)
        before = self.cache.verdicts(bases)
        after = {}
        for planned in todo:
            if self.enough:
                break
            if (measured := self.cache.get(planned.key)) is None:
                executor.submit(self.task(_Attempt(planned)))
                continue
            e = planned.examination
            stamps = self.stamps(planned.installation, e) | {"cached": True}
            if judged := before.get(planned.key):
                stamps |= {"expected": judged[0], "verdict": judged[1]}
                record = measured.record.with_(**stamps)
            else:
                stamped = measured.record.with_(**stamps)
                record = self.judge.judged(stamped, planned.installation.environment)
                after[planned.key] = (record.expected, record.verdict)
            if self.settings.retry and not measured.confirmed and surprising(record):
                self.try_again(planned, measured.with_(record=record), executor)
            else:
                self.finish(record)
        self.cache.put_verdicts(after, bases)

    def task(self, attempt: _Attempt) -> Task:
        settings = self.settings
        again = attempt.first is not None or self.repeat_run > 1
        examination, installation = attempt.examination, attempt.planned.installation
        exporter = attempt.planned.examination.exporter
        factor = installation.declarations[exporter.target].timeout_factor
        return task_of(
            examination, settings.timeout, settings.memory_mb, again, factor, attempt,
            _program(examination) in self.shared,
        )  # fmt: skip

    def try_again(
        self, planned: _Planned, first: Measured, executor: Executor,
        instead: Examination | None = None,
    ) -> None:  # fmt: skip
        """Have tried once more what surprised; at once where the run may end over it."""
        again = _Attempt(planned, first, instead)
        executor.submit(self.task(again), soon=self.max_failures is not None)

    def settle(self, attempt: _Attempt, measured: Measured, executor: Executor) -> None:
        """Finish what was measured, or have it tried again if it surprises for the first time."""
        planned = attempt.planned
        if attempt.stands_in and attempt.first is not None:
            record = attributed(attempt.first.record, measured.record)
            if self.repeat_run > 1:
                self.count(planned, record)
            else:
                self.conclude(planned, attempt.first, record)
            return
        if self.repeat_run > 1:
            if check := with_stand_in(attempt.examination, measured.record):
                self.try_again(planned, measured, executor, check)
            else:
                self.count(planned, measured.record)
            return
        record = self.judged(measured.record, planned.installation, planned.examination)
        if attempt.first is None:
            if self.settings.retry and surprising(record):
                self.try_again(planned, measured.with_(record=record), executor)
                return
        else:
            record, confirmed = agreed(attempt.first.record, record)
            if not confirmed:
                self.finish(record)
                return
            measured = attempt.first.with_(confirmed=True)
        if check := with_stand_in(attempt.examination, record):
            self.try_again(planned, measured.with_(record=record), executor, check)
        else:
            self.conclude(planned, measured, record)

    def count(self, planned: _Planned, record: Record) -> None:
        """Take one of several tries, and finish the examination with the last."""
        tries = self.tries.setdefault(planned.key, [])
        tries.append(record)
        if len(tries) == self.repeat_run:
            del self.tries[planned.key]
            one = repeated(tries)
            self.finish(self.judged(one, planned.installation, planned.examination))

    def conclude(self, planned: _Planned, measured: Measured, record: Record) -> None:
        """Finish what is known now, and keep it for other runs if it lasts."""
        if record.outcome is not measured.record.outcome:
            record = self.judged(record, planned.installation, planned.examination)
        self.finish(record)
        measured = measured.with_(record=record)
        if _lasts(measured, planned.examination.exporter):
            self.cache.put(planned.key, measured)

    def judged(
        self, record: Record, installation: Installation, examination: Examination | None = None
    ) -> Record:
        """The record with what this run knows of it, and its verdict."""
        stamped = record.with_(**self.stamps(installation, examination))
        return self.judge.judged(stamped, installation.environment)

    def stamps(self, installation: Installation, examination: Examination | None) -> dict[str, Any]:
        """What this run knows of a record."""
        stamps = {"run": self.writer.header.run, "env": installation.environment.digest}
        if examination:
            stamps |= {"suite": examination.program.suite, "repro": examination.repro}
        return stamps

    def finish(self, record: Record) -> None:
        self.writer.add(record)
        self.briefs.append(record.brief())
        self.failures += record.verdict is not Verdict.EXPECTED
        self.watch.finished(record)
