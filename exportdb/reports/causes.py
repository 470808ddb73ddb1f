"""Results that have one cause, put together: what a report has a paragraph for.

Pure. What is one cause: the same error (by its entry of the catalogue, or else its fingerprint)
of one exporter with the same outcome and verdict; of what ran and differs, the same finding.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum

from exportdb.explain.messages import essential_lines
from exportdb.records import findings
from exportdb.records.display import one_sample
from exportdb.records.outcome import Outcome, Verdict
from exportdb.records.record import Finding, Record

#: Cases up to which what is as expected is explained as well.
SMALL = 3


class Kind(IntEnum):
    """What a cause means to a reader, in the order of a report."""

    MISSING = 0  # an environment that failed: nothing was examined
    FAULT = 1  # the case's or ours
    UNAVAILABLE = 2  # expected to work, and cannot be tried here
    SURPRISE = 3
    NEW = 4
    EXPECTED = 5


@dataclass(frozen=True)
class Cause:
    """Results with one cause, at least one; the first stands for all."""

    kind: Kind
    records: tuple[Record, ...]

    @property
    def first(self) -> Record:
        """The one that stands for all."""
        return self.records[0]

    @property
    def cases(self) -> list[str]:
        """The cases, each once."""
        return list(dict.fromkeys(r.label for r in self.records))

    @property
    def exporters(self) -> list[str]:
        """The exporters, each once."""
        return list(dict.fromkeys(r.exporter for r in self.records))

    @property
    def devices(self) -> list[str]:
        """The devices, each once."""
        return list(dict.fromkeys(r.device for r in self.records))


def causes(records: Sequence[Record], everything: bool = False) -> list[Cause]:
    """Every cause there is something to say about, what matters most first.

    What is as expected counts on a small run, or if ``everything`` is asked for. Within a kind,
    the worst verdict comes first, then what nobody should miss, then the most frequent.
    """
    known = everything or len({r.label for r in records}) <= SMALL
    groups: dict[tuple[object, ...], list[Record]] = {}
    for record in sorted(records, key=lambda r: (r.label, r.exporter, r.device)):
        kind = kind_of(record)
        if kind is not None and (known or kind is not Kind.EXPECTED):
            groups.setdefault((kind, *_key(record, kind)), []).append(record)
    found = [Cause(key[0], tuple(rs)) for key, rs in groups.items()]  # type: ignore[arg-type]
    return sorted(_merged(found), key=_order)


def kind_of(record: Record) -> Kind | None:
    """What a result means to a reader; None where nothing is to be said."""
    if record.outcome is Outcome.ERROR:
        missing = record.error is not None and record.error.type == "NotRun"
        return Kind.MISSING if missing else Kind.FAULT
    if record.verdict is not None and record.verdict.differs:
        return Kind.UNAVAILABLE if record.outcome is Outcome.UNAVAILABLE else Kind.SURPRISE
    if record.outcome.faultless:
        return None
    return Kind.NEW if record.verdict is Verdict.NEW else Kind.EXPECTED


def explaining(record: Record) -> Finding | None:
    """The finding that tells most about why a capture ran and differs."""
    by_id = {f.id: f for f in reversed(record.findings)}
    return by_id.get(findings.explaining(by_id))


def _key(record: Record, kind: Kind) -> tuple[object, ...]:
    error = record.error
    said = (error.catalogue or error.fingerprint or error.message) if error else ""
    if kind is Kind.MISSING:
        return (error.message if error else "",)
    if kind is Kind.FAULT:
        return (record.phase, error.type if error else "", said)
    if kind is Kind.UNAVAILABLE:
        return (record.device, error.message if error else "")
    finding = explaining(record)
    how = (record.phase, said) if error else ("", finding.id if finding else "")
    return (
        record.verdict, record.outcome, *how, record.exporter, record.device,
        record.expected if kind is Kind.SURPRISE else None,
    )  # fmt: skip


def _merged(found: Iterable[Cause]) -> list[Cause]:
    """Causes of several exporters that say the very same of the same cases are one."""
    alike: dict[tuple[object, ...], list[Record]] = {}
    for cause in found:
        one = cause.first
        details = tuple(
            (
                r.label,
                essential_lines(r.error.message) if r.error else sample and one_sample(sample),
            )
            for r in cause.records
            for sample in [r.deciding]
        )
        key = (cause.kind, one.verdict, one.expected, one.outcome, one.phase, repr(details))
        alike.setdefault(key, []).extend(cause.records)
    return [Cause(key[0], tuple(rs)) for key, rs in alike.items()]  # type: ignore[arg-type]


def _order(cause: Cause) -> tuple[object, ...]:
    one = cause.first
    verdict = list(Verdict).index(one.verdict or Verdict.NEW)
    return (cause.kind, verdict, not one.outcome.bad, -len(cause.records), one.label, one.exporter)
