"""What the page of a case says first: one sentence on the exporter that most readers use.

Owns which cell that is, and its sentence; the script that shows it is ``reports.repro``'s.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from itertools import takewhile

from exportdb.records import findings
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo
from exportdb.site.model import CaseView, Cell
from exportdb.site.words import first_line, spans

#: What follows on the name of the exporter.
_SAYS = {
    Outcome.SUPPORTED: "captures it and agrees with eager on every sample",
    Outcome.PREDICTED: "gives the right shapes and dtypes; nothing was computed",
    Outcome.LOSSY: "gives every right value, and loses something else that eager gives",
    Outcome.UNGUARDED: "is right where the program allows it, and runs what it had to refuse",
    Outcome.SPECIALIZED: "captures it for fewer inputs than it was asked for, and raises on others",
    Outcome.DEGRADED: "is right, but in several graphs",
    Outcome.CONVERTED: "converts it; nothing here can run the result",
    Outcome.REFUSED: "raises while capturing it",
    Outcome.WRONG: "silently differs from eager",
    Outcome.CRASHED: "ends the process",
    Outcome.TIMEOUT: "does not finish",
}


#: The same of one that was captured, by the phase in which it is refused.
_REFUSED_LATER = {
    "decompose": "captures it, and raises while decomposing",
    "lower": "captures it, and raises while lowering",
    "save": "captures it, and raises while saving",
    "load": "captures it, and raises while loading what was saved",
    "run": "captures it, and raises when that is run on the example",
}
#: Characters of an error that stand in the sentence, and of one that an entry says in words.
LONGEST, EXPLAINED = 100, 80
#: What torch appends to many errors, and says nothing about this one.
_NOISE = re.compile(r'!? For more information, run with TORCH_LOGS="\+dynamic"\.?')


@dataclass(frozen=True)
class CellVerdict:
    """A cell and what it comes to: ``says`` about its exporter, on which ``sample``, and with which
    versions of torch, the latest in a row that came out so. ``why`` is a sentence on what goes
    along with it, ``error`` what it is refused with, in a line. ``before`` is the last cell that
    came out otherwise. ``wrong`` and ``unguarded`` are other exporters that are so where they were
    last asked.
    """

    cell: Cell
    says: str
    sample: str = ""
    torches: str = ""
    why: str = ""
    error: str = ""
    before: Cell | None = None
    wrong: tuple[str, ...] = ()
    unguarded: tuple[str, ...] = ()

    @property
    def placed(self) -> tuple[str, str]:
        """Where that was seen: words, and the name that follows them."""
        if not self.sample:
            return "", ""
        sized = "=" in self.sample  # else it has a name
        if self.cell.outcome.right_on_example:
            return (", such as" if sized else ", such as the sample"), self.sample
        if self.sample == "example":
            return " on the example itself", ""
        if self.sample.startswith("example, "):
            return f" when the example is {self.sample.removeprefix('example, ')}", ""
        return (" at" if sized else " on the sample"), self.sample


def verdict(view: CaseView) -> CellVerdict | None:
    """The newest cell on the device that is measured most, of the exporter that stands first."""
    row = next((r for r in view.by_version if r[-1].outcome in _SAYS), None)
    if row is None:
        return None
    cell = row[-1]
    same = list(takewhile(lambda c: c.outcome == cell.outcome, reversed(row)))
    told = [s.name for s in cell.record.samples if s.counts_against]
    others = [r[-1] for r in view.by_version if r[-1].point.device == cell.point.device]

    def named(outcome: Outcome) -> tuple[str, ...]:
        known = dict.fromkeys(c.exporter for c in others if c.outcome is outcome and c is not cell)
        return tuple(known)

    error = cell.error if cell.outcome.stopped else None
    says = _SAYS[cell.outcome]
    if cell.outcome is Outcome.REFUSED:
        says = _REFUSED_LATER.get(cell.record.phase, says)
    named_by = findings.explaining([f.id for f in cell.record.findings])
    return CellVerdict(
        cell, says, told[0] if told and cell.outcome.shown_by else "",
        ", ".join(spans([c.point.torch for c in reversed(same)])),
        findings.meaning(named_by) if cell.outcome.shown_by else "",
        _in_a_line(error) if error else "", row[-len(same) - 1] if len(row) > len(same) else None,
        named(Outcome.WRONG), named(Outcome.UNGUARDED),
    )  # fmt: skip


def _in_a_line(error: ErrorInfo) -> str:
    """An error as the sentence has it."""
    told = _NOISE.sub("", f"{error.type}: {error.message.strip()}")
    return first_line(told, EXPLAINED if error.catalogue else LONGEST)


def in_words(said: CellVerdict | None) -> str:
    """The verdict as plain text, for where a page is announced."""
    if said is None:
        return ""
    at = " ".join(filter(None, said.placed))
    error = f" ({said.error})" if said.error else ""
    before = f" ({said.before.outcome} with {said.before.point.torch})" if said.before else ""
    torches = f"torch {said.torches}{before}"
    return f"{said.cell.exporter} {said.says}{at}{error}, {torches}. {said.why}".rstrip()
