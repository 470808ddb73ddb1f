"""What expectations say was measured: each confirms an outcome on minor versions of torch."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.case import Case
from exportdb.records import expectation
from exportdb.records.expectation_files import Expectations
from exportdb.store.history.lines import Measurement


def measured_as_expected(known: Expectations, case: Case) -> Iterator[Measurement]:
    """The measurements that expectations of a case were accepted from. Raises CaseError."""
    entries = known.entries(case)
    for exporter, own in entries.items():
        for point in dict.fromkeys(point for entry in own for point in entry.points):
            value = expectation.resolve(entries, known.extends, exporter, point.where)
            if value is not None:
                error = value.get("error") or {}
                yield Measurement(
                    "cases", case.id, exporter, point.device, point.torch, point.switches,
                    value["outcome"], value.get("phase", ""), error.get("type"),
                )  # fmt: skip


def with_expected(runs: list[Measurement], expected: list[Measurement]) -> list[Measurement]:
    """Both, without the expectations of what a run measured on the same minor version."""
    known = {(m.column, expectation.minor(m.torch)) for m in runs}
    return [*runs, *(m for m in expected if (m.column, m.torch) not in known)]
