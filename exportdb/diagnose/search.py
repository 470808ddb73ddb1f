"""Tries changes until the capture is right on every sample, or nothing is left that helps.

Owns the order: best result first, fewest exclusions, fewest changes. What to try is left to
``rules``, trying it to ``attempt`` in processes of their own.
"""

from __future__ import annotations

import heapq
import itertools
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from exportdb.cases.frontmatter import parse_case
from exportdb.conformance.options import Options
from exportdb.diagnose.attempt import Seen
from exportdb.diagnose.change import OF_EXAMPLE, OF_SOURCE, Change
from exportdb.diagnose.left_to_torch import became_of_sizes
from exportdb.diagnose.origin import FileOrigin
from exportdb.diagnose.pointing import assumptions
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.rules import LAST, Step, outside_of_eager, steps
from exportdb.executors.protocol import Ending, Executor, Failure, Task
from exportdb.plugins import DEVICES, EXPORTERS, PluginRef, find
from exportdb.records.decision import attributed
from exportdb.records.outcome import Outcome, phase_named
from exportdb.records.record import ErrorInfo, Record
from exportdb.records.switches import Switches
from exportdb.runner.attempt import stand_in, tried
from exportdb.runner.plan import Examination
from exportdb.suites.cases import CaseProgram


@dataclass(frozen=True)
class Setup:
    """A changed program, and how it is to be captured.

    ``modes`` says how the call differs from the user's, ``switches`` are those of an examination.
    """

    program: ChangedProgram
    exporter: PluginRef
    modes: tuple[str, ...] = ()
    switches: Switches = ()

    @property
    def key(self) -> tuple[object, ...]:
        """What makes it the same as another."""
        changes = tuple(c.key for c in self.program.changes)
        return self.exporter.target, self.switches, changes, self.program.source

    @property
    def at_best(self) -> tuple[int, int, int]:
        """The order of an attempt at it, if that turns out right."""
        changes = self.program.changes
        lost = {c.excludes for c in changes if c.excludes and c.kind != "hint"}
        lost_too = 10 * sum(_gives_up(c) for c in changes)
        return 0, len(lost) + lost_too, len(changes) + len(self.modes)


@dataclass(frozen=True)
class Attempt:
    """A setup, and what was seen of it in how many ``seconds``."""

    setup: Setup
    seen: Seen
    seconds: float = 0.0

    @property
    def program(self) -> ChangedProgram:
        """The changed program."""
        return self.setup.program

    @property
    def exporter(self) -> PluginRef:
        """What captured it."""
        return self.setup.exporter

    @property
    def record(self) -> Record:
        """Its record."""
        return self.seen.record

    @property
    def whats(self) -> list[str]:
        """A sentence for each change."""
        whats = dict.fromkeys(c.what for c in self.program.changes)
        return [*whats, *(f"call {mode}" for mode in self.setup.modes)]

    @property
    def excludes(self) -> list[str]:
        """What the program no longer takes."""
        told = [c.excludes for c in self.program.changes if c.excludes and c.kind != "hint"]
        if any(c.kind == "hint" and c.excludes for c in self.program.changes):
            told += self._decided
        return list(dict.fromkeys([*told, *self.seen.lost]))

    @property
    def _decided(self) -> list[str]:
        """What torch made of the sizes that were left to it."""
        facts = self.record.facts
        guards = [g for g in facts.get("guards", ()) if "size()" in g and " == " not in g][:3]
        became = became_of_sizes(facts, self.seen.declared, " ".join(guards))
        return became + [f"sizes for which not {guard}" for guard in guards]

    @property
    def faultless(self) -> bool:
        """Whether there is nothing to fix."""
        return Outcome(self.record.outcome).faultless and not self.seen.differs

    @property
    def nearly(self) -> bool:
        """Whether it is right on all it has to take, and no statement was written otherwise: that
        is proved only for what is supported."""
        as_written = not any(c.kind in ("replace", "warm") for c in self.program.changes)
        return self.record.outcome.nearly_full and as_written

    @property
    def runs_nowhere(self) -> bool:
        """Whether not even its example runs, so that there is nothing to capture."""
        return self.record.outcome is Outcome.ERROR and not outside_of_eager(self.seen)

    @property
    def order(self) -> tuple[int, int, int]:
        """The better the smaller."""
        rank = self.record.outcome.rank
        given_up = sum(_gives_up(c) for c in self.program.changes) + bool(self.seen.lost)
        lost = len(self.excludes) + 10 * given_up
        return rank, lost, len(self.program.changes) + len(self.setup.modes)


def _gives_up(change: Change) -> bool:
    """Whether a change leaves it to torch what stays dynamic, or makes a dim a constant."""
    return change.kind in ("hint", "static") or change.data.get("dim") == "*"


def _of_sizes(change: Change) -> bool:
    return change.kind not in (*OF_SOURCE, *OF_EXAMPLE)


def _loses(attempt: Attempt) -> bool:
    """Whether nothing is dynamic, or a dim that was asked for stands nowhere."""
    changes = attempt.program.changes
    static = any(c.kind == "static" and c.data["dim"] == "*" for c in changes)
    return static or bool(attempt.seen.lost)


@dataclass(frozen=True)
class Budget:
    """How much may be tried: ``attempts`` altogether, begun within ``seconds``."""

    attempts: int = 80
    seconds: float = 60.0


#: The ID of a case that is examined before it is in a file.
_CASE = "small_program"

#: Seconds in which nothing can be examined.
_MARGIN = 0.5

#: Seconds that an attempt may take even if it is most of the time that is left.
_LEAST = 5.0


@dataclass
class Search:
    """Examines attempts through ``executor``; ``watch`` is told of each.

    ``device`` is where, ``timeout`` (seconds) holds for one attempt; ``width`` is how many may be
    under way when time is short.
    """

    executor: Executor
    device: PluginRef = field(default_factory=lambda: find(DEVICES, "cpu"))
    timeout: float = 60.0
    watch: Callable[[Attempt], None] = lambda attempt: None
    width: int = 2
    tried: int = 0
    out_of_time: bool = False  # the last search for a change ended before all was tried

    def first(self, program: ChangedProgram, exporters: Iterable[PluginRef]) -> list[Attempt]:
        """The program as it is, with each exporter."""
        return self.examine([Setup(program, exporter) for exporter in exporters])

    def fix(self, start: Attempt, budget: Budget = Budget()) -> Attempt | None:
        """The best attempt that is supported, or else one that is right on all it has to take, or
        None; ``start`` is the program unchanged."""
        began, already = time.monotonic(), self.tried
        end = began + budget.seconds
        known, failures = {start.setup.key}, {_failure(start), _failure(start, called=False)}
        count = itertools.count()  # of two that promise as much, the first
        waiting = [(start.order, next(count), start)]
        resort: list[tuple[int, tuple[int, int, int], int, Attempt]] = []
        spare: Attempt | None = None  # right, with dims lost
        nearly: Attempt | None = None  # right on all that it has to take
        while waiting or resort:
            spent = max((self.tried - already) / budget.attempts,
                        (time.monotonic() - began) / budget.seconds)  # fmt: skip
            if spent >= 1:
                break
            # Half of what may be spent is kept for what gives up more than it may have to.
            last = bool(resort) and (not waiting or spent > 0.5)
            if last:
                level, *_, attempt = heapq.heappop(resort)
            else:
                level, (*_, attempt) = 0, heapq.heappop(waiting)
            if level < LAST:
                heapq.heappush(resort, (level + 1, _promise(attempt), next(count), attempt))
            every = {s.key: s for s in _next(attempt, level)}
            wanted = [setup for key, setup in every.items() if key not in known]
            known |= every.keys()
            left = budget.attempts - (self.tried - already)
            found = self.examine(wanted[:left], end, until_right=True)
            right = [a for a in found if a.faultless]
            if useful := [a for a in right if not _loses(a)]:
                return self._without_needless(min(useful, key=lambda a: a.order), end)
            spare = min([*right, *filter(None, [spare])], key=lambda a: a.order, default=None)
            found = [a for a in found if not a.faultless]
            near = [a for a in found if a.nearly and a.order < start.order]
            nearly = min([*near, *filter(None, [nearly])], key=lambda a: a.order, default=None)
            for new in found:
                if new.seen.differs:  # whatever is changed besides
                    continue
                # A change after which it fails as before was none; so was another way to call:
                # what can still follow it follows the changes that do something, too.
                if not {_failure(new), _failure(new, called=False)} & failures:
                    failures |= {_failure(new), _failure(new, called=False)}
                    heapq.heappush(waiting, (_promise(new), next(count), new))
        self.out_of_time = time.monotonic() >= end - _MARGIN
        return self._without_needless(spare, end) if spare else nearly

    def _without_needless(self, attempt: Attempt, end: float) -> Attempt:
        """The same with those changes left out that it does as well without, if time is left."""
        changes = attempt.program.changes
        # What was written as a whole makes sense as a whole.
        for change in [c for c in changes if not c.data.get("whole")] if len(changes) > 1 else ():
            fewer = tuple(c for c in attempt.program.changes if c is not change)
            if not fewer and not attempt.setup.modes:
                continue  # the program as it is
            if change.kind == "match-structure" and any(_of_sizes(c) for c in fewer):
                continue  # these give it the structure anyway
            setup = replace(attempt.setup, program=replace(attempt.program, changes=fewer))
            for again in self.examine([setup], end):
                attempt = again if again.faultless else attempt
        return attempt

    def examine(
        self,
        setups: Sequence[Setup],
        end: float | None = None,
        limit: float | None = None,
        until_right: bool = False,
    ) -> list[Attempt]:
        """What is seen of each, in their order; by ``end`` (of the monotonic clock) it is over:
        what was not begun then, and what was ended for it, is left out. With ``until_right`` so is
        what could not be better than one that was right. One alone may take ``limit`` seconds."""
        waiting, found = list(setups), dict[object, Attempt]()
        for _ in range(self.width if end is not None else len(waiting)):
            self._begin(waiting, end, limit)
        for ending in self.executor.endings():
            under = ending.task.tag
            setup = under.setup
            over = end is not None and time.monotonic() >= end - _MARGIN
            if not (over and ending.failure and ending.failure.kind == "timeout"):
                seen = self._seen(under, ending)
                if not over and (check := under.explained_by(seen)):
                    left = ending.task.timeout if end is None else end - time.monotonic()
                    self.executor.submit(self._task(check, min(left, ending.task.timeout)))
                    continue
                new = found[setup.key] = Attempt(setup, seen, ending.seconds)
                self.tried += 1
                self.watch(new)
                if until_right and new.faultless and not _loses(new):
                    waiting = [s for s in waiting if s.at_best < new.order]
            self._begin(waiting, end, limit)
        return [found[setup.key] for setup in setups if setup.key in found]

    def of_case(
        self, text: str, attempt: Attempt, origin: FileOrigin, limit: float | None = None
    ) -> Record:
        """What comes of a case with this text, as it would be run, where ``attempt`` was made; it
        may take ``limit`` seconds. Raises CaseError where it is none.
        """
        case = parse_case(_CASE, origin.folder / f"{_CASE}.py", text)
        asked = Options(switches=attempt.setup.switches)
        what = Examination(CaseProgram(case), attempt.exporter, self.device, asked)
        self.tried += 1
        return tried(self.executor, what, limit or self.timeout, None, False, 1.0)

    def _begin(self, waiting: list[Setup], end: float | None, limit: float | None) -> None:
        """Give the first that waits to the executor, if there is time for it."""
        left = self.timeout if end is None else end - time.monotonic()
        if waiting and left > _MARGIN:
            # Half of it: one that takes long must not leave nothing for the others.
            left = min(self.timeout, left if end is None else max(left / 2, min(left, _LEAST)))
            left = left if limit is None else min(left, limit)
            setup = waiting.pop(0)
            self.executor.submit(self._task(_AttemptUnderWay(setup, setup.exporter), left))

    def _task(self, under: _AttemptUnderWay, timeout: float) -> Task:
        args = (under.setup.program, under.exporter, self.device, under.setup.switches)
        return Task("exportdb.diagnose.attempt:attempt", args, timeout, tag=under)

    def _seen(self, under: _AttemptUnderWay, ending: Ending) -> Seen:
        """What is known of an attempt now that this try has ended."""
        if ending.failure is None:
            seen = Seen.from_json(ending.value)
        else:
            seen = Seen(_record_of(under.setup, self.device, ending.failure))
        if under.first is None:
            return seen
        return under.first.with_(record=attributed(under.first.record, seen.record))


@dataclass(frozen=True)
class _AttemptUnderWay:
    """An attempt under way: with its exporter, or with eager in its place to explain the
    ``first``."""

    setup: Setup
    exporter: PluginRef
    first: Seen | None = None

    def explained_by(self, seen: Seen) -> _AttemptUnderWay | None:
        """The try that tells whose fault it is what was seen, if there is one to be made."""
        other = None if self.first else stand_in(self.exporter, seen.record)
        return None if other is None else replace(self, exporter=other, first=seen)


def _promise(attempt: Attempt) -> tuple[int, int, int]:
    """What to go on from first: what was captured at all, then what was rewritten and fails
    elsewhere, has come further."""
    _, lost, changes = attempt.order
    return (
        int(attempt.record.error is not None),
        lost,
        changes - 2 * sum(c.kind == "replace" for c in attempt.program.changes),
    )


def _next(attempt: Attempt, resort: int) -> list[Setup]:
    """What to try after an attempt; one other way to call the exporter, and not two at once."""
    possible = steps(attempt.seen, attempt.setup.exporter.name)
    called = bool(attempt.setup.modes) or _became_constant(attempt)
    return [
        _after(attempt, step)
        for step in possible
        if step.resort == resort and not (step.what and called)
    ]


def _became_constant(attempt: Attempt) -> bool:
    """Whether all that is left of a program that was rewritten is that a size is a constant to some
    operator: to that all ways to call the exporter come."""
    error = attempt.record.error
    rewritten = any(c.kind == "replace" for c in attempt.program.changes)
    return rewritten and error is not None and "specialized it to be a constant" in error.message


def _after(attempt: Attempt, step: Step) -> Setup:
    setup = attempt.setup
    if step.what:
        exporter = find(EXPORTERS, step.exporter) if step.exporter else setup.exporter
        modes, switches = (*setup.modes, step.what), step.switches or setup.switches
        return Setup(setup.program, exporter, modes, switches)
    made = [_in_first_text(attempt, c) for c in step.changes]
    kept = [c for c in setup.program.changes if not any(_overrides(new, c) for new in made)]
    return replace(setup, program=replace(setup.program, changes=(*kept, *made)))


def _overrides(new: Change, old: Change) -> bool:
    """Whether a range that is declared is narrower at both ends than one declared before, so that
    what it excludes says it all."""
    if not (new.kind == old.kind == "range" and new.data["dim"] == old.data["dim"]):
        return False
    ends = {"min": 1, "max": -1}
    return all(
        end in new.data and times * (int(new.data[end]) - int(old.data[end])) > 0
        for end, times in ends.items()
        if end in old.data
    )


def _in_first_text(attempt: Attempt, change: Change) -> Change:
    """A line number counts lines of the text as it was before earlier changes of lines."""
    if change.kind not in ("insert", "replace"):
        return change
    before, shift = int(change.data["before"]), 0
    edits = [
        c
        for c in attempt.program.changes
        if c.kind in ("insert", "replace") and c.file == change.file
    ]
    # What is put before a line stands before what takes its place.
    edits.sort(key=lambda c: (int(c.data["before"]), c.kind == "replace"))
    for data in (c.data for c in edits):
        first, old = int(data["before"]), int(data.get("count", 0))
        new = len(data["text"].splitlines())
        if first + shift + new <= before:
            shift += new - old
        elif first + shift < before:  # within what was put there: before all of it
            before = first + shift
    return replace(change, data={**change.data, "before": before - shift})


def _failure(attempt: Attempt, called: bool = True) -> tuple[object, ...]:
    """What went wrong, to tell a change that did something from one that did not; with or without
    how the exporter was called."""
    record, error = attempt.record, attempt.record.error
    against = tuple((s.name, s.result) for s in record.samples if s.counts_against)
    how = (attempt.exporter.target, attempt.setup.switches) if called else ()
    return (
        how, record.outcome, () if attempt.seen.line else frozenset(_places(attempt.seen)),
        error and error.fingerprint, attempt.seen.file, attempt.seen.line,
        attempt.seen.shapes if error else (),
        against,
    )  # fmt: skip


def _places(seen: Seen) -> list[tuple[str, int]]:
    """The lines that made an assumption of a size that the failure is about: it names none."""
    return [(file, line) for line, _, _, file in assumptions(seen)]


def _record_of(setup: Setup, device: PluginRef, failure: Failure) -> Record:
    ours = failure.kind in ("raised", "not-started")
    outcome = Outcome.ERROR if ours else Outcome(failure.kind)
    return Record(
        case=setup.program.id, suite=setup.program.suite, exporter=setup.exporter.name,
        device=device.name,
        outcome=outcome, phase=phase_named(failure.at),
        error=ErrorInfo(failure.type, failure.message),
    )  # fmt: skip
