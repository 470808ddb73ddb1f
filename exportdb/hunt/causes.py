"""The causes that a hunt has found so far: one row a root, with its smallest program.

Owns which programs have one cause, and which of them is kept with its draft. How they come about is
left to ``leads``.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path

from exportdb.hunt.buckets import Bucket
from exportdb.hunt.drafts import ReducedCause
from exportdb.hunt.features import features
from exportdb.hunt.known import Known
from exportdb.hunt.likeness import ALIKE
from exportdb.hunt.state import GeneratedCase


@dataclass
class Causes:
    """Those ``found`` by key, with the folder of their drafts; ``known`` says how alike two are."""

    found: dict[str, ReducedCause]
    drafts: Path
    known: Known

    def keep(self, cause: ReducedCause) -> None:
        """Add one, or its program to the one that it is."""
        causes = self.found
        if before := self.same(cause):
            del causes[before.key]
            first, second = sorted((before, cause), key=lambda one: one.order)
            if second.draft != first.draft:
                shutil.rmtree(self.drafts / second.draft, ignore_errors=True)
            cause = first.with_another(second)
        causes[cause.key] = cause

    def same(self, cause: ReducedCause) -> ReducedCause | None:
        """The cause that there is already, if this is none of its own."""
        before = [c for c in self.found.values() if self._likeness(c, cause) >= ALIKE]
        return max(before, key=lambda one: self._likeness(one, cause), default=None)

    def _likeness(self, one: ReducedCause, other: ReducedCause) -> float:
        """1 for what is known by one case, or raises one error; else how alike programs are that
        are silently wrong, whoever is and in whatever it shows. Of one that there was no time to
        make small much is by chance: there the first operator that disagrees tells, and what is
        said of the difference."""
        silent = one.bucket.silent
        if one.known != other.known or silent != other.bucket.silent:
            return 0.0
        if not silent:
            return float(any(b.alike(other.bucket) for b in one.buckets))
        if one.known:
            return 1.0
        operators = {b.operator for b in one.buckets} & {b.operator for b in other.buckets}
        if not (one.finished and other.finished):
            alike = any(b.says_the_same(o) for b in one.buckets for o in other.buckets)
            if alike or operators - {""}:
                return 1.0
        return self.known.corpus.likeness(one.features, other.features)

    def seen(self, found: Bucket, device: str, made: GeneratedCase) -> bool:
        """Whether the same exporter failed in this way before on that device: on a program that
        does no more, where it says nothing."""
        before = [
            c for c in self.found.values() if found in c.buckets and device in c.devices
            and (c.confirmed or len(c.programs) > 1)  # another program may confirm it
        ]  # fmt: skip
        if not found.silent:
            return bool(before)
        does = features(made.case.program)
        return any(c.features and c.features <= does for c in before)


def new(causes: Sequence[ReducedCause]) -> list[ReducedCause]:
    """The causes that nobody knew: the silent ones first, then the smallest programs."""
    return _ordered(c for c in causes if not c.known and c.confirmed)


def unconfirmed(causes: Sequence[ReducedCause]) -> list[ReducedCause]:
    """Those that nobody knew either, and that were seen once only: they count for nothing."""
    return _ordered(c for c in causes if not c.known and not c.confirmed)


def _ordered(causes: Iterable[ReducedCause]) -> list[ReducedCause]:
    return sorted(
        causes, key=lambda c: (not c.bucket.silent, -c.bucket.outcome.rank, c.statements, c.key)
    )
