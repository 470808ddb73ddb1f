"""From which version of torch on an exporter supports a case how far, as far as was measured.

Pure. A version that nobody measured is never filled in: where the one before a level's first is
missing, the first is only known to be one of several.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import asdict, dataclass
from itertools import pairwise
from typing import Any

from exportdb.records.expectation import minor
from exportdb.records.outcome import Outcome
from exportdb.store.history.lines import Measurement, version_key


@dataclass(frozen=True)
class Since:
    """A level of support and the versions at which it was measured without a break.

    ``versions`` are all of them, in order. ``before`` is the last measured one before them, at
    which the level was another, None if nothing older was measured; ``unknown`` are the minor
    versions between it and the first that nobody measured.
    """

    level: str
    versions: tuple[str, ...]
    before: str | None
    unknown: tuple[str, ...]

    @property
    def exact(self) -> bool:
        """Whether it is known that it began with the first of its versions."""
        return self.before is not None and not self.unknown

    @property
    def gaps(self) -> tuple[str, ...]:
        """The minor versions among its own that nobody measured."""
        return tuple(gap for pair in pairwise(self.versions) for gap in between(*pair))

    def to_json(self) -> dict[str, Any]:
        """JSON-ready data."""
        return {**asdict(self), "exact": self.exact, "gaps": list(self.gaps)}

    def __str__(self) -> str:
        first = self.versions[0]
        if self.before is None:
            told = f"{self.level} since {first} or earlier"
        elif self.unknown:
            told = f"{self.level} since one of {', '.join((*self.unknown, first))}"
        else:
            told = f"{self.level} since {first}"
        return told + (f" ({', '.join(self.gaps)} not measured)" if self.gaps else "")


def by_version(measured: Iterable[Measurement]) -> dict[str, str]:
    """The level at each minor version, by the newest measurement of it; versions in order.

    An ``error`` is our fault or the case's and says nothing of the exporter.
    """
    newest: dict[str, Measurement] = {}
    for m in measured:
        if m.outcome == Outcome.ERROR:
            continue
        version = minor(m.torch)
        if version not in newest or newest[version].date <= m.date:
            newest[version] = m
    return {v: Outcome(newest[v].outcome).level for v in sorted(newest, key=version_key)}


def since(levels: Mapping[str, str]) -> list[Since]:
    """The levels in the order of versions, each with what is known of where it began."""
    found: list[Since] = []
    before: str | None = None
    for version, level in levels.items():
        if found and found[-1].level == level:
            last = found[-1]
            found[-1] = Since(level, (*last.versions, version), last.before, last.unknown)
        else:
            found.append(Since(level, (version,), before, between(before, version)))
        before = version
    return found


def between(older: str | None, newer: str) -> tuple[str, ...]:
    """The minor versions between two of one major version.

    >>> between("2.9", "2.12")
    ('2.10', '2.11')
    """
    if older is None:
        return ()
    (major, first), (other, last) = version_key(older), version_key(newer)
    return tuple(f"{major}.{m}" for m in range(first + 1, last)) if major == other else ()
