"""Which results are excused until when, as expectations say it."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from exportdb.cases.case import Case
from exportdb.cases.yamlfile import Part
from exportdb.records import waiver
from exportdb.records.expectation_files import Expectations
from exportdb.store.status import Waiver


def waivers(cases: Iterable[Case], known: Expectations, torch: str) -> tuple[Waiver, ...]:
    """The waivers of these cases: those that are over on ``torch`` in front, then by their end.

    Files that do not speak of one are not parsed. Raises CaseError.
    """
    found = [w for case in cases for part in known.parts_of(case)
             for w in _in_part(case.id, part, known, torch)]  # fmt: skip
    return tuple(sorted(found, key=lambda w: (not w.ended, w.until, w.case, w.exporter)))


def _in_part(case: str, part: Part, known: Expectations, torch: str) -> Iterator[Waiver]:
    if not part.path.is_file() or b"until:" not in part.path.read_bytes():
        return
    for exporter, entries in known.entries_in(part).items():
        for entry in entries:
            if isinstance(entry.until, str):
                reasons = (entry.issue, entry.note)
                reason = next((r for r in reasons if isinstance(r, str)), "")
                over = waiver.ended(entry.until, torch)
                yield Waiver(case, exporter, entry.until, reason, over)
