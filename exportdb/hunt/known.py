"""What the database knows already: errors that a case shows, losses, captures that are wrong.

Owns the comparison of a bucket with expectations. Read once for a hunt, from every tree.
"""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from exportdb.cases.case import Case
from exportdb.cases.database import builtin_tree
from exportdb.hunt.buckets import Bucket, internal, marks, on_example, telling, tells, wording
from exportdb.records import accept, expectation, expectation_files
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record
from exportdb.reports.causes import explaining

#: Marks by which a case that is wrong may differ from a reduced program and still show the same.
NEAR = 6
#: Of what a program does, weighed by how rare it is among the cases that are wrong, how much a case
#: has to do as well to be looked at first.
SHARED = 0.3
#: How rare what a case does has to be, among the cases that are wrong, to be found within a program
#: that does more: the logarithm of one in twenty.
RARE = 3.0
#: Findings of what an exporter that changes nothing in place does not do.
_IN_PLACE = ("input-mutation-differs", "state-mutation-differs")


@dataclass
class Known:
    """``errors`` by fingerprint and by wording, and ``losses`` by exporter and finding, each with a
    case; ``wrong`` are the marks of cases by exporter, where these tell something; ``by_design``
    are exporters without guards.
    """

    errors: dict[str, str] = field(default_factory=dict)
    losses: dict[tuple[str, str], str] = field(default_factory=dict)
    wrong: dict[str, list[tuple[str, frozenset[str]]]] = field(default_factory=dict)
    by_design: frozenset[str] = frozenset()
    extends: Mapping[str, str | None] = field(default_factory=dict)

    @staticmethod
    def of(cases: Iterable[Case], extends: Mapping[str, str | None]) -> Known:
        """What is expected anywhere. Raises CaseError for a file that cannot be read."""
        design = accept.known_links(builtin_tree() / "exporters.yaml")
        known = Known(by_design=frozenset(design), extends=extends)
        for case in cases:
            if case.expectations_path.is_file():
                for exporter, entries in expectation_files.read(case.expectations_path).items():
                    for entry in entries:
                        known._note(case, exporter, entry.value)
        return known

    def _note(self, case: Case, exporter: str, value: Mapping[str, object]) -> None:
        error = value.get("error")
        if isinstance(error, Mapping):
            self.errors.setdefault(error["fingerprint"], case.id)
            said = internal(ErrorInfo(error["type"], error.get("message") or ""))
            if said:
                self.errors.setdefault(": ".join(said), case.id)
            self.errors.setdefault(wording(error.get("message") or "")[:60], case.id)
        findings: Sequence[str] = value.get("findings") or ()  # type: ignore[assignment]
        for finding in findings:
            of_writes = exporter in self.by_design and finding in _IN_PLACE
            if value.get("outcome") == Outcome.LOSSY or of_writes:
                self.losses.setdefault((exporter, finding), case.id)
        does = marks(case.program)
        if value.get("outcome") == Outcome.WRONG and tells(does):
            self.wrong.setdefault(exporter, []).append((case.id, does))

    def explains(self, record: Record, found: Bucket, program: str, small: bool = True) -> str:
        """Why a result is nothing new: the ID of a case, or words; "" if it is new.

        A program that is not ``small`` may do more than its cause: a case is enough of which it
        does everything.
        """
        why = self.subtracts(record, found)
        if why or not found.silent:
            return why
        return self._like(record.exporter, program) or (
            "" if small else self._within(record.exporter, program)
        )

    def subtracts(self, record: Record, found: Bucket) -> str:
        """The same, as far as it is plain before the program is small."""
        finding, error = explaining(record), record.error
        if found.silent and record.exporter in self.by_design:
            if not on_example(record):
                return "by design: the exporter keeps no guards"
            if record.deciding and "after the call" in record.deciding.message:
                return self._lost(
                    record.exporter, [f.id for f in record.findings if f.id in _IN_PLACE]
                )
        if found.outcome is Outcome.LOSSY:
            return self._lost(record.exporter, [finding.id] if finding else [])
        if error is not None:
            if error.catalogue:
                return error.catalogue
            keys = (error.fingerprint, f"{found.kind}: {found.said}", found.said[:60])
            return next((self.errors[key] for key in keys if key and key in self.errors), "")
        if finding and finding.id == "range-wider-than-guards" and "0 or 1" in found.kind:
            return "sizes 0 and 1 in the published range"
        return ""

    def _lost(self, exporter: str, findings: Iterable[str]) -> str:
        """A case that shows that an exporter, or one that it extends, loses one of these."""
        line = expectation.lineage(self.extends, exporter)
        cases = (self.losses.get((name, finding)) for finding in findings for name in line)
        return next(filter(None, cases), "")

    def _like(self, exporter: str, program: str) -> str:
        """A case on which the exporter is wrong and that does hardly more than a program, whatever
        arithmetic either has around it."""
        has = telling(marks(program))
        near = [
            (len(does - has), case) for case, does in self._wrong(exporter)
            if has and has <= does and len(does - has) <= NEAR
        ]  # fmt: skip
        return min(near)[1] if near else ""

    def _within(self, exporter: str, program: str) -> str:
        """The case on which the exporter is wrong of which a program does everything; "" where what
        such a case does is nothing rare."""
        has = marks(program)
        wrong = {case: telling(does) for case, does in self._wrong(exporter)}
        rare = _rarity(wrong.values())
        found = [(-sum(map(rare, does)), case) for case, does in wrong.items() if does <= has]
        weight, best = min(found, default=(0.0, ""))
        return best if -weight >= RARE else ""

    def _wrong(self, exporter: str) -> list[tuple[str, frozenset[str]]]:
        """The cases on which the exporter, or one that it extends, is wrong."""
        line = expectation.lineage(self.extends, exporter)
        return [pair for name in line for pair in self.wrong.get(name, ())]

    def nearest(self, exporter: str, program: str) -> str:
        """The case on which the exporter is wrong that shares most of what is rare with a program;
        "" if none shares much. It makes nothing known: it is where a person looks first."""
        has = telling(marks(program))
        wrong = dict(self._wrong(exporter))
        rare = _rarity(wrong.values())
        shared = {case: sum(map(rare, has & does)) for case, does in wrong.items()}
        best = min(shared, key=lambda case: (-shared[case], len(wrong[case]), case), default="")
        return best if best and shared[best] >= SHARED * sum(map(rare, has)) > 0 else ""


def _rarity(wrong: Collection[frozenset[str]]) -> Callable[[str], float]:
    """How rare a mark is among those of cases: the logarithm of one in so many."""
    common = Counter(mark for does in wrong for mark in does)
    return lambda mark: math.log((1 + len(wrong)) / max(1, common[mark]))
