"""Makes the status of what the history knows; how it is counted is ``exportdb.store.status``'s."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from exportdb.store import status as counting
from exportdb.store.history import reading
from exportdb.store.history.connection import HistoryDatabase
from exportdb.store.history.reading import Night
from exportdb.store.score import scores
from exportdb.store.status import Course, Moment, PastNight, Status, Waiver

WEEK = 7
#: Of how many nights the course is told: the last ones one by one, those before a week apart.
NIGHTS, WEEKS = 14, 50


def status_of(
    database: HistoryDatabase,
    torch: str | None,
    listed: tuple[str, Sequence[str]],
    waivers: Callable[[str], tuple[Waiver, ...]],
) -> Status | None:
    """The status of the last measurement, or of the last one with a minor version of torch.

    ``listed`` are the name and the cases of the list that scores are over; ``waivers`` tells those
    that hold with a version of torch. None where nothing was measured.
    """
    at = reading.night(database, torch=torch)
    if at is None:
        return None
    last = reading.night_before(database, at)
    week = reading.night_before(database, at, days=WEEK)
    now = reading.states(database, at)
    known = {state.result_id: state.outcome for state in now.values()}
    then = reading.outcomes(database, last, known) if last else {}
    week_ago = then if week == last else reading.outcomes(database, week, known) if week else {}
    seconds = counting.capture_seconds(now)
    failing, fixed = counting.changes(now, then)
    return Status(
        schema=counting.SCHEMA,
        torch=at.torch,
        switches=at.switches,
        now=_moment(at),
        last=_moment(last) if last else None,
        week=_moment(week) if week else None,
        rows=counting.rows(now, then, week_ago, seconds),
        scores=tuple(scores(counting.measured_cases(now), listed[1], listed[0])),
        newly_failing=failing,
        newly_fixed=fixed,
        flaky=counting.flaky(now, then),
        slowest=counting.slowest(now, seconds),
        waivers=waivers(at.torch) if at.torch else (),
        unmeasured=len(then.keys() - now.keys()),
    )


def course_of(database: HistoryDatabase, status: Status) -> Course:
    """A status with the nights before it, of the same torch and switches."""
    at = reading.night(database, torch=status.torch, switches=status.switches)
    past: list[PastNight] = []
    while at is not None and len(past) < NIGHTS + WEEKS:
        now = reading.states(database, at)
        counted = counting.rows(now, {}, {}, counting.capture_seconds(now))
        past.append(PastNight(_moment(at), counted))
        at = reading.night_before(database, at, days=0 if len(past) < NIGHTS else WEEK)
    return Course(status, tuple(reversed(past)))


def _moment(night: Night) -> Moment:
    return Moment(night.began, night.names)
