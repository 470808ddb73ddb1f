"""What was measured of one case over time, as few lines: a line for each change.

Pure. Owns which measurements are compared with each other: those of one exporter, device, minor
version of torch and set of switches.
"""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import asdict, dataclass
from typing import Any

from exportdb.records.expectation import minor


@dataclass(frozen=True)
class Measurement:
    """One measurement: what came out, under which torch, and when.

    ``date`` is when its run began (ISO 8601, UTC), "" for one that only an expectation keeps:
    that says the minor version of torch and no day.
    """

    suite: str
    case: str
    exporter: str
    device: str
    torch: str
    switches: tuple[str, ...]
    outcome: str
    phase: str = ""
    error: str | None = None
    exporter_version: str = ""
    date: str = ""

    @property
    def column(self) -> tuple[str, str, str, tuple[str, ...]]:
        """What it is one of the measurements of: suite, exporter, device, switches."""
        return (self.suite, self.exporter, self.device, self.switches)


@dataclass(frozen=True)
class Line:
    """Measurements in a row that came out alike: the first, and how many until when."""

    first: Measurement
    count: int
    until: str

    def to_json(self) -> dict[str, Any]:
        """JSON-ready data."""
        return {**asdict(self.first), "count": self.count, "until": self.until}


def version_key(torch: str) -> tuple[int, ...]:
    """Orders minor versions.

    >>> sorted(["2.13", "2.9", "2.10"], key=version_key)
    ['2.9', '2.10', '2.13']
    """
    return tuple(int(part) if part.isdigit() else 0 for part in minor(torch).split("."))


def lines(measured: Iterable[Measurement], every: bool = False) -> list[Line]:
    """A line for each change; with ``every`` one for each measurement.

    They are ordered by suite, exporter, device and switches, then by torch, then by date.
    """
    ordered = sorted(measured, key=lambda m: (m.column, version_key(m.torch), m.date))
    found: list[Line] = []
    for m in ordered:
        last = found[-1] if found else None
        same = last is not None and _place(last.first) == _place(m)
        if last is not None and same and not every and _result(last.first) == _result(m):
            found[-1] = Line(last.first, last.count + 1, m.date)
        else:
            found.append(Line(m, 1, m.date))
    return found


def folded(told: Iterable[Line]) -> list[tuple[tuple[str, ...], Line]]:
    """Lines with the versions of torch they are of: those of one outcome from version to version,
    where each version has just one line, are one.
    """
    by_place: dict[tuple[object, ...], list[Line]] = {}
    for line in told:
        by_place.setdefault(_place(line.first), []).append(line)
    found: list[tuple[tuple[str, ...], Line]] = []
    for several in by_place.values():
        versions, last = found[-1] if found else ((), None)
        first = several[0].first
        alike = last is not None and _told(last.first) == _told(first)
        if (
            last is not None
            and alike
            and len(several) == 1
            and bool(last.first.date) == bool(first.date)
        ):
            (line,) = several
            counted = Line(last.first, last.count + line.count, max(last.until, line.until))
            found[-1] = ((*versions, first.torch), counted)
        else:
            found += [((line.first.torch,), line) for line in several]
    return found


def _place(m: Measurement) -> tuple[object, ...]:
    return (m.column, minor(m.torch))


def _told(m: Measurement) -> tuple[object, ...]:
    return (m.column, m.outcome, m.error, m.exporter_version)


def _result(m: Measurement) -> tuple[object, ...]:
    return (m.outcome, m.phase, m.error, m.exporter_version)
