"""What is supported now and what changed: the data of ``exportdb status``, and how it is counted.

Pure. What a night measured is asked by ``exportdb.store.history.reading``, how the status is
written is left to ``exportdb.reports.status``. Only what was measured both times is compared: a
case that is new has not improved.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from statistics import fmean
from typing import TYPE_CHECKING, Annotated

import msgspec

from exportdb.cases.data import Data, says
from exportdb.records.outcome import LEVELS, Outcome, Verdict
from exportdb.store.score import Score

if TYPE_CHECKING:
    from exportdb.store.history.reading import State

#: Raised when a field changes its meaning or goes.
SCHEMA = 1
#: How many of the slowest captures are listed.
SLOWEST = 10
#: Phases of an examination that are the exporter's own work.
_CAPTURE = ("capture", "decompose", "lower", "save", "load")

Levels = Mapping[str, int]


class Moment(Data, frozen=True):
    """A measurement: the runs that began within half a day."""

    date: Annotated[str, says("When its last run began: ISO 8601, UTC.")]
    runs: Annotated[tuple[str, ...], says("The IDs of its runs, the newest first.")]


class Row(Data, frozen=True):
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
    dims_asked: Annotated[int, says("Dims that were to stay symbolic, where the exporter tells.")]
    dims_kept: Annotated[int, says("Those of them that did.")]
    graph_breaks: Annotated[int, says("Places where captures were left to Python, in all.")]
    guards_mean: Annotated[float | None, says("Guards of a graph, mean; null if nobody counts.")]
    guards_max: Annotated[int | None, says("Guards of a capture, at most.")]
    capture_mean: Annotated[float | None, says("Seconds of a capture with what follows, mean.")]
    capture_max: Annotated[float | None, says("The same, at most.")]

    @property
    def measured(self) -> int:
        """How many programs it was given."""
        return sum(self.levels.values())


class Change(Data, frozen=True):
    """A program that comes out better, worse or differently each time."""

    suite: Annotated[str, says("Where the program comes from.")]
    case: Annotated[str, says("ID of the program.")]
    exporter: Annotated[str, says("Name of the exporter.")]
    device: Annotated[str, says("Name of the device.")]
    before: Annotated[str | None, says("Outcome of the last run; null where it has none.")]
    after: Annotated[str, says("Outcome now.")]


class Slow(Data, frozen=True):
    """A capture that took long."""

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
    rows: Annotated[tuple[Row, ...], says("By suite, exporter and device.")]
    scores: Annotated[tuple[Score, ...], says("The score of each exporter over a frozen list.")]
    newly_failing: Annotated[tuple[Change, ...], says("What came out worse than in the last run.")]
    newly_fixed: Annotated[tuple[Change, ...], says("What came out better.")]
    flaky: Annotated[tuple[Change, ...], says("What came out differently when tried again.")]
    slowest: Annotated[tuple[Slow, ...], says("The captures that took longest.")]
    waivers: Annotated[tuple[Waiver, ...], says("Waivers, the one that ends first in front.")]


def rows(
    now: Mapping[int, State], last: Mapping[int, str], week: Mapping[int, str]
) -> tuple[Row, ...]:
    """The counts by suite, exporter and device, from what was measured by subject."""
    grouped: dict[tuple[str, str, str], list[int]] = {}
    for subject, s in now.items():
        grouped.setdefault((s.suite, s.exporter, s.device), []).append(subject)
    return tuple(_row(key, found, now, last, week) for key, found in sorted(grouped.items()))


def _row(
    key: tuple[str, str, str], subjects: Sequence[int], now: Mapping[int, State],
    last: Mapping[int, str], week: Mapping[int, str],
) -> Row:  # fmt: skip
    states = [now[s] for s in subjects]
    counted = [(s.guards, s.graphs or 1) for s in states if s.guards is not None]
    seconds = [t for s in states if (t := capture_seconds(s)) is not None]
    graphs = sum(graphs for _, graphs in counted)
    return Row(
        *key,
        levels=_counts(s.outcome for s in states),
        since_last=_changed(subjects, now, last),
        since_week=_changed(subjects, now, week),
        dims_asked=sum(s.dims_asked for s in states),
        dims_kept=sum(s.dims_kept for s in states),
        graph_breaks=sum(s.graph_breaks or 0 for s in states),
        guards_mean=sum(guards for guards, _ in counted) / graphs if graphs else None,
        guards_max=max((guards for guards, _ in counted), default=None),
        capture_mean=fmean(seconds) if seconds else None,
        capture_max=max(seconds, default=None),
    )


_LEVEL = {str(o): o.level for o in Outcome}


def _counts(outcomes: Iterable[str]) -> dict[str, int]:
    found = Counter(_LEVEL[o] for o in outcomes)
    return {level: found[level] for level in LEVELS if found[level]}


def _changed(
    subjects: Iterable[int], now: Mapping[int, State], before: Mapping[int, str]
) -> dict[str, int] | None:
    differs: Counter[str] = Counter()
    both = False
    for subject in subjects:
        if (old := before.get(subject)) is not None:
            both = True
            if (new := now[subject].outcome) != old:
                differs[_LEVEL[new]] += 1
                differs[_LEVEL[old]] -= 1
    return {level: differs[level] for level in LEVELS if differs[level]} if both else None


def capture_seconds(state: State) -> float | None:
    """Seconds of the exporter's own work; None where it never began."""
    return _capture_seconds(state.seconds)


@cache  # each is asked for twice
def _capture_seconds(encoded: str) -> float | None:
    seconds = _SECONDS(encoded)
    found = [seconds[phase] for phase in _CAPTURE if phase in seconds]
    return sum(found) if found else None


_SECONDS: Callable[[str], dict[str, float]] = msgspec.json.Decoder(dict[str, float]).decode


def changes(
    now: Mapping[int, State], last: Mapping[int, str]
) -> tuple[tuple[Change, ...], tuple[Change, ...]]:
    """What came out worse than before, and what came out better; each in order."""
    worse: list[Change] = []
    better: list[Change] = []
    for subject, state in now.items():
        before = last.get(subject)
        if before is None or before == state.outcome:
            continue
        verdict = Outcome(state.outcome).after(Outcome(before))
        if verdict is not Verdict.CHANGED:
            (worse if verdict is Verdict.REGRESSED else better).append(_change(state, before))
    return _sorted(worse), _sorted(better)


def flaky(now: Mapping[int, State], last: Mapping[int, str]) -> tuple[Change, ...]:
    """What came out differently when it was tried once more."""
    found = (_change(s, last.get(i)) for i, s in now.items() if s.verdict == Verdict.FLAKY)
    return _sorted(found)


def _change(state: State, before: str | None) -> Change:
    return Change(state.suite, state.case, state.exporter, state.device, before, state.outcome)


def _sorted(found: Iterable[Change]) -> tuple[Change, ...]:
    return tuple(sorted(found, key=lambda c: (c.suite, c.case, c.exporter, c.device)))


def slowest(now: Mapping[int, State]) -> tuple[Slow, ...]:
    """The captures that took longest, the longest first."""
    timed = [(seconds, s) for s in now.values() if (seconds := capture_seconds(s)) is not None]
    timed.sort(key=lambda pair: -pair[0])
    return tuple(Slow(s.case, s.exporter, s.device, t) for t, s in timed[:SLOWEST])


def measured_cases(now: Mapping[int, State]) -> dict[tuple[str, str], dict[str, str]]:
    """The outcomes of cases of the database, by exporter and device, then by case: for scores."""
    found: dict[tuple[str, str], dict[str, str]] = {}
    for s in now.values():
        if s.suite == "cases":
            found.setdefault((s.exporter, s.device), {})[s.case] = s.outcome
    return found
