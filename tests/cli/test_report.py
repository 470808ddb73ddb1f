"""What the end of a run says of several devices."""

from __future__ import annotations

import pytest

from exportdb.cli import report
from exportdb.records.record import ErrorInfo, Record


def refused(case: str, device: str, seconds: float = 1.0) -> Record:
    return Record(
        case=case, exporter="mine", device=device, outcome="refused",
        phase="capture", error=ErrorInfo("ValueError", "no", "f"), seconds={"capture": seconds},
    )  # fmt: skip


def test_a_reason_names_the_device_where_there_are_several(
    capsys: pytest.CaptureFixture[str],
) -> None:
    report.reasons([refused("t/a", "cpu"), refused("t/a", "toy")])
    assert "t/a · mine cpu, mine toy\n" in capsys.readouterr().out


def test_the_slowest_cases_are_each_named_once(capsys: pytest.CaptureFixture[str]) -> None:
    report.cost([refused(c, d) for c in ("t/a", "t/b", "t/c", "t/d") for d in ("cpu", "toy")])
    assert "t/a, t/b, t/c\n" in capsys.readouterr().out
