"""What was accepted of a suite: one file, a line for each result, and how a record is compared.

Owns ``<suite>.jsonl`` in a folder of expectations. A case has a file of its own, with conditions,
graphs and what a person wrote. A suite has thousands of programs that nobody reads one by one: of
each result a line keeps the torch version it holds for and what would be noticed (outcome, phase,
error, the dims that were kept), and no rule is resolved.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import replace
from pathlib import Path

import msgspec

from exportdb.cases.case import CaseError
from exportdb.cases.data import Data, DataError, checked
from exportdb.records.accept import AcceptedFile, Link
from exportdb.records.environment import Environment
from exportdb.records.expectation import Where
from exportdb.records.outcome import Outcome, Verdict
from exportdb.records.record import Record
from exportdb.records.refused import Refused, Remedy
from exportdb.records.verdict import Judgement

#: What names a line: program, exporter, device with switches and torch minor version.
Key = tuple[str, str, str]


class AcceptedResult(Data, frozen=True, omit_defaults=True):
    """A result that was accepted. ``at`` is like ``2.13/cpu``, ``error`` its type and digest,
    ``dims`` how many requested dims were kept, of how many of which that is known."""

    program: str
    exporter: str
    at: str
    outcome: Outcome
    phase: str = ""
    error: str = ""
    dims: str = ""
    issue: str = ""
    note: str = ""

    @property
    def key(self) -> Key:
        """What names it."""
        return (self.program, self.exporter, self.at)

    @staticmethod
    def of(record: Record, environment: Environment, **link: str) -> AcceptedResult | None:
        """That of a record that was made there; None where there is no torch."""
        if (where := Where.of(environment, record.device)) is None:
            return None
        dims = record.dims
        error = f"{record.error.type} {record.error.fingerprint}" if record.error else ""
        return AcceptedResult(
            record.case, record.exporter, str(where.point), record.outcome, record.phase, error,
            f"{dims.kept}/{dims.known}" if dims.known else "", **link,
        )  # fmt: skip


Accepted = Mapping[Key, AcceptedResult]


def read(path: Path) -> dict[Key, AcceptedResult]:
    """The lines of a file; none if it is not there. Raises CaseError."""
    found: dict[Key, AcceptedResult] = {}
    if not path.is_file():
        return found
    for number, line in enumerate(path.read_text(encoding="utf-8").splitlines(), 1):
        try:
            result: AcceptedResult = checked(msgspec.json.decode(line), AcceptedResult)
        except (msgspec.DecodeError, DataError) as e:
            raise CaseError(path, number, f"is not an accepted result: {e}") from None
        found[result.key] = result
    return found


def text(results: Iterable[AcceptedResult]) -> str:
    """The file: one result a line, in order, so that a diff shows just what changed."""
    lines = sorted((r.key, msgspec.json.encode(r).decode()) for r in results)
    return "".join(f"{line}\n" for _, line in lines)


def line_of(record: Record, environment: Environment, accepted: Accepted) -> AcceptedResult | None:
    """What was accepted of an examination where the record was made."""
    seen = AcceptedResult.of(record, environment)
    return accepted.get(seen.key) if seen else None


def judge(record: Record, environment: Environment, accepted: Accepted) -> Judgement:
    """The verdict on a record of a suite."""
    seen, known = AcceptedResult.of(record, environment), line_of(record, environment, accepted)
    if record.verdict is Verdict.FLAKY:
        return Judgement(Verdict.FLAKY, (), "tried again, it came out differently")
    if known is None or seen is None:
        if record.outcome is Outcome.UNAVAILABLE:
            return Judgement(Verdict.EXPECTED)  # declared, so nobody needs to expect it
        return Judgement(Verdict.NEW, (), f"{record.outcome}, and nothing is accepted yet")
    if seen.outcome is not known.outcome:
        reason = f"{known.outcome} was expected, {seen.outcome} seen"
        return Judgement(seen.outcome.after(known.outcome), ("outcome",), reason)
    differs = tuple(k for k in ("phase", "error", "dims") if getattr(seen, k) != getattr(known, k))
    if not differs:
        return Judgement(Verdict.EXPECTED)
    said = ", ".join(f"{k} {getattr(known, k) or 'none'} -> {getattr(seen, k) or 'none'}"
                     for k in differs)  # fmt: skip
    return Judgement(Verdict.CHANGED, differs, said)


def rewrite(path: Path, records: Iterable[tuple[Record, Environment]], link: Link) -> AcceptedFile:
    """The file after accepting records of its suite. Raises CaseError for one that is unreadable.

    ``link`` is put on accepted outcomes that need an issue and have none.
    """
    before = read(path)
    after, taken, refused = dict(before), list[Record](), list[Refused]()
    for record, environment in records:
        given = {k: v for k, v in (("issue", link.issue), ("note", link.note)) if v}
        known = line_of(record, environment, before)
        if known is not None and not given and known.outcome is record.outcome:
            given = {k: v for k, v in (("issue", known.issue), ("note", known.note)) if v}
        result = AcceptedResult.of(record, environment, **given)
        if not record.outcome.needs_issue and result is not None:
            result = result.with_(issue="", note="")
        if result is None:
            refused.append(Refused(record, "it was made without torch"))
            continue
        if refusal := _refusal(record, result):
            refused.append(refusal)
            continue
        taken.append(record)
        if record.outcome is not Outcome.UNAVAILABLE:  # declared: nobody needs to expect it
            after[result.key] = result
    old = path.read_text(encoding="utf-8") if path.is_file() else ""
    return AcceptedFile(path, old, text(after.values()), tuple(taken), tuple(refused))


def _refusal(record: Record, result: AcceptedResult) -> Refused | None:
    if record.outcome is Outcome.ERROR:
        return Refused.error(record)
    if record.verdict is Verdict.FLAKY:
        return replace(Refused.flaky(record), remedy=Remedy.NONE)  # a line has one outcome
    if record.outcome.needs_issue and not (result.issue or result.note):
        return Refused.unlinked(record, str(record.outcome))
    return None
