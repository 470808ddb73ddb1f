"""Examines programs that are no run: the candidates of a reduction, the variants of a lead.

Owns the way from texts to records through an executor, each isolated like an examination of a run.
"""

from __future__ import annotations

import contextlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exportdb.cases.case import CaseError
from exportdb.cases.frontmatter import parse_case
from exportdb.conformance.options import Options
from exportdb.executors.protocol import Executor, Task
from exportdb.plugins import PluginRef
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record
from exportdb.runner.attempt import all_tried
from exportdb.runner.plan import Examination
from exportdb.suites.cases import CaseProgram

SUITE = "hunt"
#: What is asked of a generated program: half the samples of a case, the most telling ones. There is
#: another program for what they leave out.
FEWER = Options(max_samples=16, isolated=False)


@dataclass(frozen=True)
class Target:
    """What programs are put to: an exporter on a device."""

    exporter: PluginRef
    device: PluginRef


@dataclass
class Trials:
    """``timeout`` (seconds) holds for one, as many times as ``factors`` says of an exporter by its
    target; ``tried`` counts them, ``seconds`` are all that they took, and ``waited`` those that
    went by until the time of one was over."""

    executor: Executor
    timeout: float = 30.0
    factors: Mapping[str, float] = field(default_factory=dict)
    memory_mb: int | None = 4096
    tried: int = 0
    seconds: float = 0.0
    waited: float = 0.0

    def runnable(self, texts: Sequence[str]) -> list[bool]:
        """Which of these eager runs at all, all of them looked at in one process."""
        told = self._answer("exportdb.hunt.partial_program:runs", list(texts))
        return [True] * len(texts) if told is None else list(told)

    def near(self, text: str, seed: int, count: int) -> list[str]:
        """Programs like this one that eager runs."""
        return list(self._answer("exportdb.hunt.changing:near", text, seed, count) or [])

    def changed_alike(self, texts: Sequence[str], change: str) -> dict[str, str]:
        """By each of these texts the same with a change of that name, where it means the same."""
        found = self._answer("exportdb.hunt.neutral:all_changed", list(texts), change) or []
        return {text: other for text, other in zip(texts, found, strict=False) if other}

    def _answer(self, function: str, *args: Any) -> Any:
        self.executor.submit(Task(function, args, self.timeout))
        (ending,) = self.executor.endings()
        self.seconds += ending.seconds
        return ending.value

    def records(self, texts: Sequence[str], target: Target) -> list[Record | None]:
        """The record of each text in their order; None for what is no case."""
        exporter = target.exporter
        factor = self.factors.get(exporter.target, 1.0)
        asked: dict[int, Examination] = {}
        for number, text in enumerate(texts):
            with contextlib.suppress(CaseError):
                case = parse_case("hunt/candidate", Path("candidate.py"), text)
                program = CaseProgram(case, SUITE)
                asked[number] = Examination(program, exporter, target.device, FEWER)
        numbers, found = [*asked], dict[int, Record]()
        tries = all_tried(
            self.executor, [*asked.values()], self.timeout, self.memory_mb, False, factor
        )
        for place, record, seconds in tries:
            found[numbers[place]] = record
            self.tried += 1
            self.seconds += seconds
            if record.outcome is Outcome.TIMEOUT:
                self.waited += self.timeout * factor
        return [found.get(number) for number in range(len(texts))]

    def ill_conditioned(self, text: str, record: Record, target: Target) -> bool:
        """Whether eager's own answer moves as far as a wrong value is from it, so that nobody can
        say who is wrong; False where that is not known."""
        sample = record.deciding
        if record.outcome is not Outcome.WRONG or sample is None:
            return False
        case = parse_case("hunt/candidate", Path("candidate.py"), text)
        args = (CaseProgram(case, SUITE), target.exporter, target.device, FEWER)
        asked = (*args, sample.name, sample.message)
        return bool(self._answer("exportdb.hunt.conditioning:ill_conditioned", *asked))

    def again(self, text: str, outcome: Outcome, target: Target) -> bool:
        """Whether a program comes out so once more, in a process of its own."""
        (record,) = self.records([text], target)
        return record is not None and record.outcome is outcome
