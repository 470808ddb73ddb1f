"""Makes the status of what the history knows; how it is counted is ``exportdb.store.status``'s."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from exportdb.store import status as counting
from exportdb.store.history import reading
from exportdb.store.history.connection import Database
from exportdb.store.history.reading import Night
from exportdb.store.score import scores
from exportdb.store.status import Moment, Status, Waiver

WEEK = 7


def status_of(
    database: Database,
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
    )


def _moment(night: Night) -> Moment:
    return Moment(night.began, night.names)
