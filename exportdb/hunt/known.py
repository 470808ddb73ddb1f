"""What the database knows already: errors that a case shows, losses, captures that are wrong.

Owns the comparison of a bucket with expectations. Read once for a hunt, from every tree and from
expectations of one's own.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path

from exportdb import plugins
from exportdb.cases.case import Case
from exportdb.cases.database import builtin_tree
from exportdb.hunt.buckets import Bucket, in_words_of_python, internal, on_example, wording
from exportdb.hunt.features import features
from exportdb.hunt.likeness import ALIKE, Corpus
from exportdb.records import accept, expectation
from exportdb.records.expectation import When
from exportdb.records.expectation_files import Expectations
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record
from exportdb.reports.causes import explaining

#: Of the cases that do all that a program shares with one on which an exporter is wrong, and that
#: it captures, the share on which it is wrong: from here on the shared features tell of a cause.
LEAST_SHARE = 0.3
#: The same for a program that is less like the case: several cases do all this, nearly all wrong.
LESS_ALIKE, LARGE_SHARE = 0.45, 0.8
#: From which likeness on a case is worth a look, though it need not have the cause.
SIMILAR = 0.3
#: Findings of what an exporter that changes nothing in place does not do.
_IN_PLACE = ("input-mutation-differs", "state-mutation-differs")


@dataclass
class Known:
    """``errors`` are cases by fingerprint or wording and by exporter, ``losses`` cases by exporter
    and finding, ``wrong`` cases by exporter; ``programs`` and the ``outcomes`` of exporters, on no
    condition, by case; ``by_design`` are exporters without guards, ``of_torch`` the built-in ones.
    """

    errors: dict[str, dict[str, list[str]]] = field(default_factory=dict)
    losses: dict[tuple[str, str], str] = field(default_factory=dict)
    wrong: dict[str, set[str]] = field(default_factory=dict)
    programs: dict[str, str] = field(default_factory=dict)
    outcomes: dict[str, dict[str, Outcome]] = field(default_factory=dict)
    by_design: frozenset[str] = frozenset()
    of_torch: frozenset[str] = frozenset()
    extends: Mapping[str, str | None] = field(default_factory=dict)

    @staticmethod
    def of(
        cases: Iterable[Case], extends: Mapping[str, str | None], own: Path | None = None
    ) -> Known:
        """What is expected anywhere, also in a folder of one's ``own``. Raises CaseError for a file
        that cannot be read."""
        folders = filter(None, (builtin_tree(), own))
        design = {e for folder in folders for e in accept.known_links(folder / "exporters.yaml")}
        of_torch = frozenset(plugins.builtin_extends())
        known = Known(by_design=frozenset(design), of_torch=of_torch, extends=extends)
        expected = Expectations(extends, own)
        for case in cases:
            known.programs[case.id] = case.program
            outcomes = known.outcomes.setdefault(case.id, {})
            for exporter, entries in expected.entries(case).items():
                for entry in entries:
                    known._note(case, exporter, entry.value)
                    if entry.when == When() and (outcome := entry.value.get("outcome")):
                        outcomes[exporter] = Outcome(outcome)
        return known

    def _note(self, case: Case, exporter: str, value: Mapping[str, object]) -> None:
        error = value.get("error")
        if isinstance(error, Mapping):
            message = error.get("message") or ""
            said = internal(ErrorInfo(error["type"], message))
            keys = (error["fingerprint"], ": ".join(said or ()), wording(message)[:60])
            for key in filter(None, keys):
                self.errors.setdefault(key, {}).setdefault(exporter, []).append(case.id)
        findings: Sequence[str] = value.get("findings") or ()  # type: ignore[assignment]
        for finding in findings:
            of_writes = exporter in self.by_design and finding in _IN_PLACE
            if value.get("outcome") == Outcome.LOSSY or of_writes:
                self.losses.setdefault((exporter, finding), case.id)
        if value.get("outcome") == Outcome.WRONG:
            self.wrong.setdefault(exporter, set()).add(case.id)

    @cached_property
    def features(self) -> dict[str, frozenset[str]]:
        """What each case does."""
        return {case: features(program) for case, program in self.programs.items()}

    @cached_property
    def corpus(self) -> Corpus:
        """All cases: what is rare among them tells."""
        return Corpus(self.features)

    def explains(self, record: Record, found: Bucket, program: str) -> str:
        """Why a result is nothing new: the ID of a case, or words; "" if it is new."""
        if why := self.subtracts(record, found):
            return why
        if found.silent or "zero-sign-differs" in found.kind:  # -0.0 is a value as well
            return self.cause(record.exporter, program)
        does = features(program)
        raising = chain.from_iterable(self._raising(record, found))
        return next((c for c in raising
                     if self.corpus.likeness(does, self.features[c]) >= ALIKE), "")  # fmt: skip

    def cause(self, exporter: str, program: str) -> str:
        """The case that has the cause of a program on which an exporter is silently wrong; "" if
        there is none."""
        return self.alike(exporter, program, ALIKE) or self.alike(
            exporter, program, LESS_ALIKE, LARGE_SHARE
        )

    def nearest(self, exporter: str, program: str) -> str:
        """The case most like a program of those on which the exporter is wrong; "" if none is much
        like it. It makes nothing known: it is where a person looks first."""
        return self.alike(exporter, program, SIMILAR)

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
            # What Python says itself says nothing of where: that is asked of a small program.
            if not in_words_of_python(found.kind, found.said):
                return next(chain.from_iterable(self._raising(record, found)), "")
        if finding and finding.id == "range-wider-than-guards" and "0 or 1" in found.kind:
            return "sizes 0 and 1 in the published range"
        return ""

    def _raising(self, record: Record, found: Bucket) -> Iterator[list[str]]:
        """The cases that show that an exporter, or one that it extends, raises this error. One of
        torch may be met by any way into torch; of others "list index out of range" says nothing.
        """
        fingerprint = record.error.fingerprint if record.error else ""
        line = [*reversed(expectation.lineage(self.extends, record.exporter))]
        for key in (fingerprint, f"{found.kind}: {found.said}", found.said[:60]):
            cases = self.errors.get(key, {})
            of_any = cases if record.exporter in self.of_torch else ()
            yield from (cases[name] for name in dict.fromkeys([*line, *of_any]) if name in cases)

    def _lost(self, exporter: str, findings: Iterable[str]) -> str:
        """A case that shows that an exporter, or one that it extends, loses one of these."""
        line = expectation.lineage(self.extends, exporter)
        cases = (self.losses.get((name, finding)) for finding in findings for name in line)
        return next(filter(None, cases), "")

    def alike(self, exporter: str, program: str, least: float, share: float = LEAST_SHARE) -> str:
        """The case most like a program of those on which the exporter is wrong and that share with
        it something by which this can be told, on a ``share`` of the cases that do all of it."""
        does, line = features(program), expectation.lineage(self.extends, exporter)
        wrong = {case for name in line for case in self.wrong.get(name, ())}
        found = [(self.corpus.likeness(does, self.features[case]), case) for case in wrong]
        alike = sorted((pair for pair in found if pair[0] >= least), reverse=True)
        tells = partial(self._share_wrong, line, wrong)
        return next((case for _, case in alike if tells(does & self.features[case]) >= share), "")

    def _share_wrong(self, line: Sequence[str], wrong: Set[str], shared: Set[str]) -> float:
        """Of the cases that do all of this and are captured the share that is wrong, as if there
        were one more of which half is."""
        if not shared:
            return 0.0
        having = self.corpus.having(shared)
        captured = [case for case in having if case in wrong or not self._stopped(line, case)]
        return (len(having & wrong) + 0.5) / (len(captured) + 1)

    def _stopped(self, line: Sequence[str], case: str) -> bool:
        """Whether the last of these exporters of which anything is expected does not capture a
        case: this says nothing of what the case does."""
        outcomes = self.outcomes[case]
        outcome = next((outcomes[name] for name in reversed(line) if name in outcomes), None)
        return outcome is not None and (outcome.stopped or outcome is Outcome.UNAVAILABLE)
