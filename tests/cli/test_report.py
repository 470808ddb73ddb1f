"""What the end of a run says: of several devices, of what was degraded, of what was cached."""

from __future__ import annotations

import pytest

from exportdb.cli import report
from exportdb.records.record import ErrorInfo, Record
from exportdb.runner.result import RunResult


@pytest.fixture
def reported(capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch):
    """Prints a part of the report on some records, made without switches."""
    monkeypatch.setattr(report.Report, "switches", ())

    def printed(part: str, *records: Record) -> str:
        getattr(report.Report(RunResult, records), part)()
        return capsys.readouterr().out

    return printed


def refused(case: str, device: str, seconds: float = 1.0) -> Record:
    return Record(
        case=case, exporter="mine", device=device, outcome="refused",
        phase="capture", error=ErrorInfo("ValueError", "no", "f"), seconds={"capture": seconds},
    )  # fmt: skip


def test_a_reason_names_the_device_where_there_are_several(reported) -> None:
    printed = reported("reasons", refused("t/a", "cpu"), refused("t/a", "toy"))
    assert "t/a · mine cpu, mine toy\n" in printed


def test_the_slowest_cases_are_each_named_once(reported) -> None:
    records = [refused(c, d) for c in ("t/a", "t/b", "t/c", "t/d") for d in ("cpu", "toy")]
    assert "t/a, t/b, t/c\n" in reported("cost", *records)


def test_the_end_of_a_run_says_what_captures_cost(reported) -> None:
    records = [
        Record(
            f"c{i}", "slow", "cpu", "supported", "compare",
            seconds={"eager": 100.0, "capture": 1.0, "lower": float(i)}, cost={"peak_mib": 3 * i},
        )
        for i in range(5)
    ]  # fmt: skip
    header, row = reported("cost", *records).strip().splitlines()[1:]
    assert header.split()[:3] == ["exporter", "captures", "mean"]
    assert row.split() == ["slow", "5", "3.00", "3.00", "5.00", "12", "c4,", "c3,", "c2"]


def test_what_is_degraded_is_explained_by_its_graphs(reported) -> None:
    record = Record("t/a", "mine", "cpu", "degraded", "compare", cost={"recompilations": 2.0})
    assert "degraded: t/a · mine\n  2 recompilations\n" in reported("reasons", record)


def test_results_from_the_cache_are_counted() -> None:
    fresh = Record("t/a", "mine", "cpu", "supported", "compare", verdict="expected")
    counted = report.counts([fresh, fresh.with_(cached=True), fresh.with_(cached=True)])
    assert counted == "3 expected (2 from cache)"
    assert report.counts([fresh]) == "1 expected"
