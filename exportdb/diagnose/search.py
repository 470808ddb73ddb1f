"""Tries changes until the capture is right on every sample, or nothing is left that helps.

Owns the order: best result first, fewest exclusions, fewest changes. What to try is left to
``rules``, trying it to ``attempt`` in processes of their own.
"""

from __future__ import annotations

import heapq
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, field, replace

from exportdb.diagnose.attempt import Seen
from exportdb.diagnose.change import Change
from exportdb.diagnose.program import ChangedProgram
from exportdb.diagnose.rules import Step, steps
from exportdb.executors.protocol import Executor, Failure, Task
from exportdb.plugins import DEVICES, EXPORTERS, PluginRef, find
from exportdb.records.outcome import CRASHED, ERROR, OUTCOMES, TIMEOUT
from exportdb.records.record import ErrorInfo, Record


@dataclass(frozen=True)
class Attempt:
    """A changed program with one exporter, and what was seen of it."""

    program: ChangedProgram
    exporter: PluginRef
    seen: Seen
    modes: tuple[str, ...] = ()  # how the call differs from the user's

    @property
    def record(self) -> Record:
        """Its record."""
        return self.seen.record

    @property
    def whats(self) -> list[str]:
        """A sentence for each change."""
        return [c.what for c in self.program.changes] + [f"call {mode}" for mode in self.modes]

    @property
    def excludes(self) -> list[str]:
        """What the program no longer takes."""
        return list(dict.fromkeys(c.excludes for c in self.program.changes if c.excludes))

    @property
    def order(self) -> tuple[int, int, int]:
        """The better the smaller."""
        rank = OUTCOMES[self.record.outcome].rank
        return rank, len(self.excludes), len(self.program.changes) + len(self.modes)


@dataclass(frozen=True)
class Budget:
    """How much may be tried: ``attempts`` altogether, begun within ``seconds``."""

    attempts: int = 80
    seconds: float = 60.0


@dataclass
class Search:
    """Examines attempts through ``executor``; ``watch`` is told of each.

    ``device`` is where, ``timeout`` (seconds) holds for one attempt.
    """

    executor: Executor
    device: PluginRef = field(default_factory=lambda: find(DEVICES, "cpu"))
    timeout: float = 60.0
    watch: Callable[[Attempt], None] = lambda attempt: None
    tried: int = 0

    def first(self, program: ChangedProgram, exporters: Iterable[PluginRef]) -> list[Attempt]:
        """The program as it is, with each exporter."""
        return self._examine([(program, exporter, ()) for exporter in exporters])

    def run(self, programs: Iterable[ChangedProgram], exporter: PluginRef) -> list[Attempt]:
        """Several programs with one exporter, in their order."""
        return self._examine([(program, exporter, ()) for program in programs])

    def mend(self, start: Attempt, budget: Budget = Budget()) -> Attempt | None:  # noqa: B008
        """The first attempt that is supported, or None; ``start`` is the program unchanged."""
        end = time.monotonic() + budget.seconds
        known = {_name(start)}
        failures = {_failure(start)}
        waiting = [(start.order, 0, start)]
        best: Attempt | None = None
        while waiting and best is None:
            _, _, attempt = heapq.heappop(waiting)
            wanted = [
                (program, exporter, modes)
                for program, exporter, modes in map(lambda s: _after(attempt, s), _steps(attempt))
                if _key(program, exporter) not in known
            ]
            left = budget.attempts - self.tried
            if left <= 0 or time.monotonic() > end:
                return None
            known |= {_key(program, exporter) for program, exporter, _ in wanted}
            found = self._examine(wanted[:left])
            right = [a for a in found if a.record.outcome == "supported"]
            best = min(right, key=lambda a: a.order, default=None)
            for new in found:
                # A change after which it fails as before was none.
                if _failure(new) not in failures:
                    failures.add(_failure(new))
                    heapq.heappush(waiting, (new.order, self.tried + len(waiting), new))
        return None if best is None else self._without_needless(best)

    def _without_needless(self, attempt: Attempt) -> Attempt:
        """The same with those changes left out that it does as well without."""
        for change in attempt.program.changes if len(attempt.program.changes) > 1 else ():
            fewer = tuple(c for c in attempt.program.changes if c is not change)
            program = replace(attempt.program, changes=fewer)
            (again,) = self._examine([(program, attempt.exporter, attempt.modes)])
            if again.record.outcome == "supported":
                attempt = again
        return attempt

    def _examine(
        self, wanted: Sequence[tuple[ChangedProgram, PluginRef, tuple[str, ...]]]
    ) -> list[Attempt]:
        for one in wanted:
            args = (one[0], one[1], self.device)
            task = Task("exportdb.diagnose.attempt:attempt", args, self.timeout, tag=one)
            self.executor.submit(task)
        found = {}
        for ending in self.executor.endings():
            program, exporter, modes = ending.task.tag
            seen = (
                Seen.from_json(ending.value)
                if ending.failure is None
                else Seen(_record_of(program, exporter, self.device, ending.failure))
            )
            self.tried += 1
            attempt = Attempt(program, exporter, seen, modes)
            self.watch(attempt)
            found[_key(program, exporter)] = attempt
        return [found[_key(program, exporter)] for program, exporter, _ in wanted]


def _steps(attempt: Attempt) -> list[Step]:
    return steps(attempt.seen, attempt.program.text, attempt.exporter.name)


def _after(attempt: Attempt, step: Step) -> tuple[ChangedProgram, PluginRef, tuple[str, ...]]:
    if step.exporter is not None:
        return attempt.program, find(EXPORTERS, step.exporter), (step.what,)
    changes = (*attempt.program.changes, *(_in_first_text(attempt, c) for c in step.changes))
    return replace(attempt.program, changes=changes), attempt.exporter, attempt.modes


def _in_first_text(attempt: Attempt, change: Change) -> Change:
    """A line number counts lines of the text as it was before earlier insertions."""
    if change.kind != "insert":
        return change
    before, line = int(change.data["before"]), 0
    for other in sorted(
        int(c.data["before"]) for c in attempt.program.changes if c.kind == "insert"
    ):
        line += other + line < before
    return replace(change, data={**change.data, "before": before - line})


def _key(program: ChangedProgram, exporter: PluginRef) -> tuple[object, ...]:
    return exporter.target, tuple(c.key for c in program.changes), program.source


def _name(attempt: Attempt) -> tuple[object, ...]:
    return _key(attempt.program, attempt.exporter)


def _failure(attempt: Attempt) -> tuple[object, ...]:
    """What went wrong, to tell a change that did something from one that did not."""
    record, error = attempt.record, attempt.record.error
    telling = tuple((s.name, s.result) for s in record.samples if s.telling)
    return (
        attempt.exporter.target, record.outcome, error and error.fingerprint, attempt.seen.line,
        attempt.seen.shapes if error else (), telling,
    )  # fmt: skip


def _record_of(
    program: ChangedProgram, exporter: PluginRef, device: PluginRef, failure: Failure
) -> Record:
    outcome = {"raised": ERROR, "timeout": TIMEOUT}.get(failure.kind, CRASHED)
    return Record(
        case=program.id, suite=program.suite, exporter=exporter.name, device=device.name,
        outcome=outcome.name, phase=failure.at or "setup",
        error=ErrorInfo(failure.type, failure.message),
    )  # fmt: skip
