"""A status in the forms that are read elsewhere: ``markdown``, ``atom``, ``prometheus``.

Each module has ``render(status)``. This one owns the words and numbers that all of them share, and
the terminal.
"""

from __future__ import annotations

from collections.abc import Mapping

from exportdb.prose import plural
from exportdb.records.outcome import LEVELS
from exportdb.records.record import label
from exportdb.store.score import Score
from exportdb.store.status import Moment, SlowCapture, Status, StatusChange, StatusRow, Waiver

#: The columns of the table of counts.
HEADER = (
    "suite",
    "exporter",
    *LEVELS,
    "dims kept",
    "breaks",
    "guards",
    "capture s",
    "first result s",
)


def title(status: Status) -> str:
    """What a status is about, in a line."""
    under = f" under {', '.join(status.switches)}" if status.switches else ""
    return f"Status with torch {status.torch or '(none)'}{under}, {day(status.now)}"


def compared(status: Status) -> str:
    """What it is compared with, in a line."""
    if status.last is None:
        return "Nothing was measured before, so nothing is said of changes."
    words = f"(+1) counts since the last run ({day(status.last)})"
    week = f", [+1] since {day(status.week)}" if status.week else ""
    lost = f"; {plural(status.unmeasured, 'result')} of the last run not measured now"
    return f"{words}{week}, over what both measured{lost if status.unmeasured else ''}."


def day(moment: Moment) -> str:
    """When something was measured, and in how many runs."""
    several = f", {len(moment.runs)} runs" if len(moment.runs) > 1 else ""
    return f"{moment.date[:16].replace('T', ' ')} UTC{several}"


def cells(row: StatusRow) -> tuple[str, ...]:
    """A row of the table, as HEADER names its cells."""
    where = "" if row.device == "cpu" else f" {row.device}"
    guards = "" if row.guards_mean is None else f"{row.guards_mean:.1f} max {row.guards_max}"
    return (
        row.suite, row.exporter + where,
        *(_count(row.levels.get(n, 0), n, row.since_last, row.since_week) for n in LEVELS),
        f"{row.dims_kept} of {row.dims_asked}" if row.dims_asked else "",
        str(row.graph_breaks) if row.graph_breaks else "", guards,
        _seconds(row.capture_mean, row.capture_max),
        _seconds(row.first_result_mean, row.first_result_max),
    )  # fmt: skip


def _seconds(mean: float | None, most: float | None) -> str:
    if mean is None or most is None:
        return ""
    return f"{mean:.2f} max {most:.{1 if most >= 1 else 2}f}"  # never less than the mean


def _count(
    count: int, level: str, last: Mapping[str, int] | None, week: Mapping[str, int] | None
) -> str:
    told = str(count) if count else "."
    if by := (last or {}).get(level):
        told += f" ({by:+d})"
    if by := (week or {}).get(level):
        told += f" [{by:+d}]"
    return told


def changed(change: StatusChange) -> str:
    """A change in a line; what is flaky may have come out as in the last run."""
    before = f"{change.before} -> " if change.before not in (None, change.after) else ""
    return f"{_subject(change)}: {before}{change.after}"


def _subject(of: StatusChange | SlowCapture) -> str:
    """What something is of, in the words of all reports."""
    return f"{label(of.suite, of.case)} · {of.exporter} · {of.device}"


def lists(status: Status) -> dict[str, list[str]]:
    """What is listed below the table, a line each, by the name of the list."""
    return {
        "newly failing": [changed(c) for c in status.newly_failing],
        "newly fixed": [changed(c) for c in status.newly_fixed],
        "flaky": [changed(c) for c in status.flaky],
        "slowest captures": [f"{_subject(s)}: {s.seconds:.1f} s" for s in status.slowest],
        "waivers": [
            f"{w.case} · {w.exporter}: until {w.until}, {w.reason}" + " (over)" * w.ended
            for w in status.waivers
        ],
    }


def told_score(score: Score) -> tuple[str, str, str, str]:
    """Exporter, score, coverage and the weakest areas of a score."""
    where = "" if score.device == "cpu" else f" {score.device}"
    weakest = sorted(score.areas.items(), key=lambda item: (item[1].score, item[0]))[:3]
    areas = ", ".join(f"{name} {area.score:.0%}" for name, area in weakest)
    return (score.exporter + where, f"{score.score:.1%}", f"{score.coverage:.0%}", areas)


def alerts(status: Status) -> list[str]:
    """What an alert is about: what came out worse, and waivers that are over."""
    return [*map(changed, status.newly_failing), *map(ended, over(status))]


def over(status: Status) -> list[Waiver]:
    """The waivers that are over."""
    return [w for w in status.waivers if w.ended]


def ended(waiver: Waiver) -> str:
    """A waiver that is over in a line."""
    return f"{waiver.case} · {waiver.exporter}: the waiver {waiver.reason} ended {waiver.until}"
