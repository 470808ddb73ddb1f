"""What is supported now and what changed: the data of ``exportdb status``, and how it is counted.

Pure. What a night measured is asked by ``exportdb.store.history.reading``, how the status is
written is left to ``exportdb.reports.status``. Only what was measured both times is compared: a
case that is new has not improved.
"""

from __future__ import annotations

import heapq
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from operator import itemgetter
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import msgspec

from exportdb.cases.data import Data, says
from exportdb.records.outcome import LEVELS, Outcome, Verdict
from exportdb.store.score import Score

if TYPE_CHECKING:
    from exportdb.store.history.reading import NightlyResult

#: Raised when a field changes its meaning or goes.
SCHEMA = 1
#: How many of the slowest captures are listed.
SLOWEST = 10

Levels = Mapping[str, int]


class Moment(Data, frozen=True):
    """A measurement: the runs that began within half a day."""

    date: Annotated[str, says("When its last run began: ISO 8601, UTC.")]
    runs: Annotated[tuple[str, ...], says("The IDs of its runs, the newest first.")]


class StatusRow(Data, frozen=True):
    """What one exporter makes of one suite on one device."""

    suite: Annotated[str, says("Where the programs come from.")]
    exporter: Annotated[str, says("Name of the exporter.")]
    device: Annotated[str, says("Name of the device.")]
    levels: Annotated[Levels, says(f"How many programs came out how: {', '.join(LEVELS)}.")]
    since_last: Annotated[
        Levels | None,
        says("How these counts changed since the last run, over what both measured; null if that "
             "is nothing."),
    ]  # fmt: skip
    since_week: Annotated[Levels | None, says("The same since a week before.")]
    dims_asked: Annotated[
        int, says("Dims that were to stay dynamic, and of which is known whether they did.")
    ]
    dims_kept: Annotated[int, says("Those of them that did.")]
    graph_breaks: Annotated[int, says("Places where captures were left to Python, in all.")]
    guards_mean: Annotated[float | None, says("Guards of a graph, mean; null if nobody counts.")]
    guards_max: Annotated[int | None, says("Guards of a capture, at most.")]
    capture_mean: Annotated[float | None, says("Seconds of a capture with what follows, mean.")]
    capture_max: Annotated[float | None, says("The same, at most.")]
    first_result_mean: Annotated[
        float | None,
        says("Seconds until the first result: the capture with what follows and the first call, "
             "in which some compile; mean, null where nobody timed a call."),
    ]  # fmt: skip
    first_result_max: Annotated[float | None, says("The same, at most.")]

    @property
    def measured(self) -> int:
        """How many programs it was given."""
        return sum(self.levels.values())


class StatusChange(Data, frozen=True):
    """A program that comes out better, worse or differently each time."""

    suite: Annotated[str, says("Where the program comes from.")]
    case: Annotated[str, says("ID of the program.")]
    exporter: Annotated[str, says("Name of the exporter.")]
    device: Annotated[str, says("Name of the device.")]
    before: Annotated[str | None, says("Outcome of the last run; null where it has none.")]
    after: Annotated[str, says("Outcome now.")]


class SlowCapture(Data, frozen=True):
    """A capture that took long."""

    suite: Annotated[str, says("Where the program comes from.")]
    case: Annotated[str, says("ID of the program.")]
    exporter: Annotated[str, says("Name of the exporter.")]
    device: Annotated[str, says("Name of the device.")]
    seconds: Annotated[float, says("Seconds of the capture with what follows.")]


class Waiver(Data, frozen=True):
    """A result that is excused until a day or a version of torch."""

    case: Annotated[str, says("ID of the case.")]
    exporter: Annotated[str, says("Name of the exporter.")]
    until: Annotated[str, says("The last day, or the version of torch from which on it is not.")]
    reason: Annotated[str, says("The issue or the note.")]
    ended: Annotated[bool, says("Whether it is over on the torch of this status.")]


class Status(Data, frozen=True):
    """What is supported now, and what changed."""

    schema: Annotated[int, says("Version of this schema.")]
    torch: Annotated[str | None, says("Minor version of torch that it is about.")]
    switches: Annotated[tuple[str, ...], says("Switches that the runs were made under.")]
    now: Annotated[Moment, says("What it is about.")]
    last: Annotated[Moment | None, says("The measurement before; null if there is none.")]
    week: Annotated[Moment | None, says("The last one that is a week older or more.")]
    rows: Annotated[tuple[StatusRow, ...], says("By suite, exporter and device.")]
    scores: Annotated[tuple[Score, ...], says("The score of each exporter over a frozen list.")]
    newly_failing: Annotated[
        tuple[StatusChange, ...], says("What came out worse than in the last run.")
    ]
    newly_fixed: Annotated[tuple[StatusChange, ...], says("What came out better.")]
    flaky: Annotated[tuple[StatusChange, ...], says("What came out differently when tried again.")]
    slowest: Annotated[tuple[SlowCapture, ...], says("The captures that took longest.")]
    waivers: Annotated[tuple[Waiver, ...], says("Waivers, the one that ends first in front.")]
    unmeasured: Annotated[
        int, says("Results that the last run had and this one has not: of these nothing is said.")
    ] = 0


class PastNight(Data, frozen=True):
    """What a night counted, without what changed."""

    now: Annotated[Moment, says("When it was measured.")]
    rows: Annotated[tuple[StatusRow, ...], says("By suite, exporter and device.")]


class Course(Data, frozen=True):
    """A status, and how it came to that; ``past`` ends with the night of the status itself."""

    status: Annotated[Status, says("The last measurement.")]
    past: Annotated[tuple[PastNight, ...], says("Nights before it and its own, the oldest first.")]


def rows(
    now: Mapping[int, NightlyResult], last: Mapping[int, str], week: Mapping[int, str],
    seconds: Mapping[int, float],
) -> tuple[StatusRow, ...]:  # fmt: skip
    """The counts by suite, exporter and device, from what was measured by subject.

    ``seconds`` are those of :func:`capture_seconds`.
    """
    grouped: dict[_Key, list[int]] = {}
    for subject, state in now.items():
        grouped.setdefault((state.suite, state.exporter, state.device), []).append(subject)
    differ = [_moved(now, before) for before in (last, week)]
    rows = []
    for key, subjects in sorted(grouped.items()):
        changed = [
            None if before.keys().isdisjoint(subjects) else _by_level(moved.get(key, {}))
            for before, moved in zip((last, week), differ, strict=True)
        ]
        timed = [(now[s], seconds[s]) for s in subjects if s in seconds]
        rows.append(_row(key, [now[s] for s in subjects], timed, *changed))
    return tuple(rows)


def _row(
    key: _Key, states: Sequence[NightlyResult], timed: Sequence[tuple[NightlyResult, float]],
    since_last: Levels | None, since_week: Levels | None,
) -> StatusRow:  # fmt: skip
    # By column: a night has many thousands of states, and every look at each of them counts.
    *_, outcomes, _, asked, kept, breaks, per, guards, _, _, _, _ = zip(*states, strict=True)
    seconds = [capture for _, capture in timed]
    first = [capture + s.first_call for s, capture in timed if s.first_call is not None]
    counted = [(g, graphs or 1) for g, graphs in zip(guards, per, strict=True) if g is not None]
    graphs = sum(graphs for _, graphs in counted)
    return StatusRow(
        *key,
        levels=_by_level(Counter(map(_LEVEL.__getitem__, outcomes))),
        since_last=since_last,
        since_week=since_week,
        dims_asked=sum(asked),
        dims_kept=sum(kept),
        graph_breaks=sum(filter(None, breaks)),
        guards_mean=sum(guards for guards, _ in counted) / graphs if graphs else None,
        guards_max=max((guards for guards, _ in counted), default=None),
        capture_mean=fmean(seconds) if seconds else None,
        capture_max=max(seconds, default=None),
        first_result_mean=fmean(first) if first else None,
        first_result_max=max(first, default=None),
    )


_LEVEL = {str(o): o.level for o in Outcome}
#: Suite, exporter and device.
_Key = tuple[str, str, str]


def _by_level(found: Mapping[str, int]) -> dict[str, int]:
    return {level: found[level] for level in LEVELS if found.get(level)}


def _moved(now: Mapping[int, NightlyResult], before: Mapping[int, str]) -> dict[_Key, Counter[str]]:
    """How the counts by level changed, by suite, exporter and device."""
    found: dict[_Key, Counter[str]] = {}
    for subject, old in before.items():
        if (state := now.get(subject)) is not None and state.outcome != old:
            differs = found.setdefault((state.suite, state.exporter, state.device), Counter())
            differs[_LEVEL[state.outcome]] += 1
            differs[_LEVEL[old]] -= 1
    return found


class _Seconds(msgspec.Struct, gc=False):
    """The phases that are the exporter's own work; ``capture`` is the first of them."""

    capture: float | None = None
    decompose: float = 0.0
    lower: float = 0.0
    save: float = 0.0
    load: float = 0.0


def capture_seconds(now: Mapping[int, NightlyResult]) -> dict[int, float]:
    """By subject, the seconds of the exporter's own work, where that ever began."""
    decode, found = msgspec.json.Decoder(_Seconds).decode, {}
    for subject, state in now.items():
        s = decode(state.seconds)
        if s.capture is not None:
            found[subject] = s.capture + s.decompose + s.lower + s.save + s.load
    return found


def changes(
    now: Mapping[int, NightlyResult], last: Mapping[int, str]
) -> tuple[tuple[StatusChange, ...], tuple[StatusChange, ...]]:
    """What came out worse than before, and what came out better; each in order."""
    worse: list[StatusChange] = []
    better: list[StatusChange] = []
    for subject, before in last.items():
        state = now.get(subject)
        if state is None or before == state.outcome:
            continue
        verdict = Outcome(state.outcome).after(Outcome(before))
        if verdict is not Verdict.CHANGED:
            (worse if verdict is Verdict.REGRESSED else better).append(_change(state, before))
    return _sorted(worse), _sorted(better)


def flaky(now: Mapping[int, NightlyResult], last: Mapping[int, str]) -> tuple[StatusChange, ...]:
    """What came out differently when it was tried once more."""
    found = (_change(s, last.get(i)) for i, s in now.items() if s.verdict == Verdict.FLAKY)
    return _sorted(found)


def _change(state: NightlyResult, before: str | None) -> StatusChange:
    return StatusChange(
        state.suite, state.case, state.exporter, state.device, before, state.outcome
    )


def _sorted(found: Iterable[StatusChange]) -> tuple[StatusChange, ...]:
    return tuple(sorted(found, key=lambda c: (c.suite, c.case, c.exporter, c.device)))


def slowest(
    now: Mapping[int, NightlyResult], seconds: Mapping[int, float]
) -> tuple[SlowCapture, ...]:
    """The captures that took longest, the longest first."""
    found = heapq.nlargest(SLOWEST, seconds.items(), key=itemgetter(1))
    return tuple(
        SlowCapture(now[i].suite, now[i].case, now[i].exporter, now[i].device, t) for i, t in found
    )


def measured_cases(now: Mapping[int, NightlyResult]) -> dict[tuple[str, str], dict[str, str]]:
    """The outcomes of cases of the database, by exporter and device, then by case: for scores."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for s in now.values():
        if s.suite == "cases":
            found.setdefault((s.exporter, s.device), {})[s.case] = s.outcome
    return found
