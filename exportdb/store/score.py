"""The score of an exporter: what it supports of what it could, over a frozen list of cases.

Pure but for reading the list. The rule, which docs/guides/history.md tells a reader:

- A case is *applicable* unless the exporter or the device declares that it cannot do it.
- The score of an area (the first part of a case's ID) is the share of its applicable cases that
  came out ``supported``. One that was not measured, or not compared, is applicable and no pass.
- The score over all is the mean of the areas: a large area weighs as much as a small one.
- *Coverage* is the share of applicable cases that were compared, by which a low score that says
  nothing of the exporter is told from one that does.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from pathlib import Path
from statistics import fmean
from typing import Annotated

from exportdb.cases.data import Data, says
from exportdb.cases.database import redirects
from exportdb.records.outcome import Outcome

#: The folder of the lists, in the tree of the database; one file for each release.
FOLDER = "scored"


class AreaScore(Data, frozen=True):
    """The score of one exporter in one area."""

    supported: Annotated[int, says("Cases that came out supported.")]
    compared: Annotated[int, says("Cases of which values were compared with eager.")]
    applicable: Annotated[int, says("Cases that the exporter does not declare itself unable to.")]

    @property
    def score(self) -> float:
        """The share that is supported."""
        return self.supported / self.applicable


class Score(Data, frozen=True):
    """The score of one exporter on one device."""

    exporter: Annotated[str, says("Name of the exporter.")]
    device: Annotated[str, says("Name of the device.")]
    cases: Annotated[str, says("The frozen list of cases that it is over.")]
    score: Annotated[float, says("Mean of the areas' shares of supported cases, 0 to 1.")]
    coverage: Annotated[float, says("Share of applicable cases that were compared, 0 to 1.")]
    areas: Annotated[Mapping[str, AreaScore], says("By area: the first part of the case's ID.")]


def newest_list(tree: Path) -> tuple[str, tuple[str, ...]]:
    """The name and the cases of the last list that was frozen; ("", ()) where there is none."""
    files = sorted((tree / FOLDER).glob("*.txt"), key=lambda p: _version(p.stem))
    return (files[-1].stem, read_list(files[-1], redirects(tree))) if files else ("", ())


def read_list(path: Path, renamed: Mapping[str, str]) -> tuple[str, ...]:
    """The cases of a list: an ID a line, what begins with # is for the reader.

    A case that was renamed since the list was frozen stands under its new ID, and once.
    """
    lines = (line.strip() for line in path.read_text(encoding="utf-8").splitlines())
    listed = (line for line in lines if line and not line.startswith("#"))
    return tuple(dict.fromkeys(renamed.get(case, case) for case in listed))


def _version(name: str) -> list[tuple[bool, int, str]]:
    return [(p.isdigit(), int(p) if p.isdigit() else 0, p) for p in name.split(".")]


def scores(
    measured: Mapping[tuple[str, str], Mapping[str, str]], listed: Sequence[str], name: str
) -> list[Score]:
    """The score of every exporter and device, from the outcomes of each by case."""
    return [
        _score(exporter, device, outcomes, listed, name)
        for (exporter, device), outcomes in sorted(measured.items())
        if any(case in outcomes for case in listed)
    ]


def _score(
    exporter: str, device: str, outcomes: Mapping[str, str], listed: Sequence[str], name: str
) -> Score:
    by_area: dict[str, list[Outcome | None]] = {}
    for case in listed:
        outcome = Outcome(outcomes[case]) if case in outcomes else None
        if outcome is not Outcome.UNAVAILABLE:
            by_area.setdefault(case.partition("/")[0], []).append(outcome)
    areas = {area: _area(found) for area, found in sorted(by_area.items())}
    applicable = sum(a.applicable for a in areas.values())
    compared = sum(a.compared for a in areas.values())
    return Score(
        exporter, device, name,
        score=fmean(a.score for a in areas.values()) if areas else 0.0,
        coverage=compared / applicable if applicable else 0.0,
        areas=areas,
    )  # fmt: skip


def _area(outcomes: Iterable[Outcome | None]) -> AreaScore:
    found = list(outcomes)
    return AreaScore(
        supported=sum(o is not None and o.full for o in found),
        compared=sum(o is not None and o.compared and o is not Outcome.ERROR for o in found),
        applicable=len(found),
    )
