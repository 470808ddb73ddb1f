"""The verdict on records: what is expected of each, looked up where the record was made.

Owns which expectations count in a run. What they say is read by
``exportdb.records.expectation_files``, compared by ``exportdb.records.verdict``.
"""

from __future__ import annotations

import contextlib
import datetime
import threading
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from functools import cache

from exportdb.cases.case import SUITE as CASES
from exportdb.cases.case import Case, CaseError
from exportdb.records import accepted
from exportdb.records.accepted import Accepted
from exportdb.records.environment import Environment
from exportdb.records.expectation import Expectation, Where, lineage
from exportdb.records.expectation_files import Expectations
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, digest
from exportdb.records.verdict import judge
from exportdb.runner.declarations import Declaration, extends_of
from exportdb.runner.request import Request
from exportdb.runner.sources import digest_of_sources
from exportdb.suites.cases import CaseProgram
from exportdb.suites.protocol import ProgramRef


@dataclass(frozen=True)
class Judge:
    """Judges the records of ``cases`` (by ID) by these expectations, those of other suites by
    what was ``accepted`` of them, if there is anything."""

    expectations: Expectations
    cases: Mapping[str, Case]
    accepted: Mapping[str, Accepted] = field(default_factory=dict)
    _bases: dict[str, str] = field(default_factory=dict, repr=False)

    @staticmethod
    def of(request: Request, said: Mapping[str, Declaration]) -> Judge:
        """The judge of a request; what its exporters extend is what they ``said`` of themselves.

        Raises PluginError for one that extends itself.
        """
        extends = extends_of(request.exporters, said)
        about = frozenset(n for ref in request.exporters for n in lineage(extends, ref.name))
        own = request.expectations
        cases = {p.id: p.case for p in request.programs if isinstance(p, CaseProgram)}
        suites = {p.suite for p in request.programs} - {CASES}
        found = {suite: accepted.read(own / f"{suite}.jsonl") for suite in suites} if own else {}
        return Judge(Expectations(extends, own, about), cases, found)

    def basis(self, suite: str, case: str, exporter: str) -> str:
        """A digest of all that a record of that program and exporter is compared with, and how."""
        if suite != CASES:
            kept = f"suite {suite}"
            if kept not in self._bases:
                self._bases[kept] = digest(accepted.text(self.accepted.get(suite, {}).values()))
            return digest("\n".join([_rules(), self._bases[kept]]))
        if case not in self._bases:
            parts = self.expectations.parts_of(self.cases[case]) if case in self.cases else []
            texts = [part.text()[0] for part in parts]
            if any("until:" in t for t in texts):  # a waiver may end between two runs
                texts.append(datetime.date.today().isoformat())
            self._bases[case] = digest("\0".join(texts))
        line = lineage(self.expectations.extends, exporter)
        return digest("\n".join([_rules(), self._bases[case], *line]))

    def read_ahead(self, programs: Iterable[ProgramRef]) -> None:
        """Begin to read what is expected of these cases, and do not wait for it.

        While the processes of a run warm up, the parent has nothing to do; later it would take the
        time from them. A file that cannot be read is said to be so when it is needed.
        """

        cases = {p.id: p.case for p in programs if isinstance(p, CaseProgram)}

        def read() -> None:
            for case in cases.values():
                with contextlib.suppress(CaseError):
                    self.expectations.entries(case)

        threading.Thread(target=read, daemon=True).start()

    def expectation(
        self, case: str, exporter: str, device: str, measured: Environment
    ) -> Expectation | None:
        """What is expected there; None for a case that is not among ours. Raises CaseError."""
        where = Where.of(measured, device)
        if where is None or case not in self.cases:
            return None
        return self.expectations.expectation(self.cases[case], exporter, where)

    def measured(self, suite: str, case: str, exporter: str, device: str, at: Environment) -> bool:
        """Whether it was accepted what that very exporter does there. Raises CaseError."""
        if suite == CASES:
            known = self.expectation(case, exporter, device, at)
            return known is not None and known.confirmed
        return self.outcome(suite, case, exporter, device, at) is not None

    def outcome(
        self, suite: str, case: str, exporter: str, device: str, measured: Environment
    ) -> Outcome | None:
        """The outcome that is expected there, of whichever suite. Raises CaseError."""
        if suite == CASES:
            known = self.expectation(case, exporter, device, measured)
            return known.outcome if known else None
        where = Where.of(measured, device)
        line = self.accepted.get(suite, {}).get((case, exporter, str(where.point) if where else ""))
        return line.outcome if line else None

    def expectation_of(self, record: Record, measured: Environment) -> Expectation | None:
        """What is expected of a record that was made in that environment. Raises CaseError."""
        if record.suite != CASES:
            return None
        return self.expectation(record.case, record.exporter, record.device, measured)

    def judged(self, record: Record, measured: Environment) -> Record:
        """The record with ``expected`` and ``verdict`` filled in. Raises CaseError."""
        if record.suite != CASES:
            known_of = self.accepted.get(record.suite, {})
            line = accepted.line_of(record, measured, known_of)
            return record.with_(
                expected=line.outcome if line else None,
                verdict=accepted.judge(record, measured, known_of).verdict,
            )
        known = self.expectation_of(record, measured)
        return record.with_(
            expected=known.outcome if known else None, verdict=judge(record, known).verdict
        )


@cache
def _rules() -> str:
    """Digest of the sources that decide a verdict."""
    return digest_of_sources("cases/yamlfile.py", "cases/yamltext.py", "records")
