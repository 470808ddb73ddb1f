"""Examines programs that are no run: the candidates of a reduction, the variants of a lead.

Owns the way from texts to records through an executor, each isolated like an examination of a run.
"""

from __future__ import annotations

from collections.abc import Sequence
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
from exportdb.runner.attempt import is_ours, measured_of, task_of
from exportdb.runner.plan import Examination
from exportdb.suites.cases import CaseProgram

SUITE = "hunt"
#: What is asked of a generated program: half the samples of a case, the most telling ones. There is
#: another program for what they leave out.
FEWER = Options(max_samples=16)


@dataclass
class Trials:
    """``device`` is where, ``timeout`` (seconds) holds for one; ``tried`` counts them."""

    executor: Executor
    device: PluginRef
    timeout: float = 30.0
    memory_mb: int | None = 4096
    tried: int = field(default=0)

    def runnable(self, texts: Sequence[str]) -> list[bool]:
        """Which of these eager runs at all, all of them looked at in one process."""
        told = self._answer("exportdb.hunt.trying:runs", list(texts))
        return [True] * len(texts) if told is None else list(told)

    def near(self, text: str, seed: int, count: int) -> list[str]:
        """Programs like this one that eager runs."""
        return list(self._answer("exportdb.hunt.changing:near", text, seed, count) or [])

    def _answer(self, function: str, *args: Any) -> Any:
        self.executor.submit(Task(function, args, self.timeout))
        (ending,) = self.executor.endings()
        return ending.value

    def records(self, texts: Sequence[str], exporter: PluginRef) -> list[Record | None]:
        """The record of each text in their order; None for what is no case."""
        factor = getattr(exporter.load(), "timeout_factor", 1.0) if is_ours(exporter) else 1.0
        found: dict[int, Record] = {}
        for number, text in enumerate(texts):
            try:
                case = parse_case("hunt/candidate", Path("candidate.py"), text)
            except CaseError:
                continue
            examination = Examination(CaseProgram(case, SUITE), exporter, self.device, FEWER)
            task = task_of(
                examination, self.timeout, self.memory_mb, False, factor, (number, examination)
            )
            self.executor.submit(task)
        for ending in self.executor.endings():
            number, examination = ending.task.tag
            found[number] = measured_of(examination, ending).record
            self.tried += 1
        return [found.get(number) for number in range(len(texts))]

    def again(self, text: str, outcome: Outcome, exporter: PluginRef) -> bool:
        """Whether a program comes out so once more, in a process of its own."""
        (record,) = self.records([text], exporter)
        return record is not None and record.outcome is outcome
