"""Two sets of records side by side: what improved, regressed, changed, is new, is gone.

Pure. Where record files lie is left to ``exportdb.store.files``; what differs between two records
of the same outcome is decided as for expectations, by ``exportdb.records.verdict``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any

from exportdb.records.expectation import value_of
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record
from exportdb.records.verdict import differences, graph_diff

REGRESSED, CHANGED, IMPROVED, NEW, GONE = "regressed", "changed", "improved", "new", "gone"
#: The kinds of change, the worst first.
KINDS = (REGRESSED, GONE, CHANGED, IMPROVED, NEW)

#: What two records must have in common to be compared: suite, case, exporter, device.
Key = tuple[str, ...]


@dataclass(frozen=True)
class RecordChange:
    """How the records of one key differ; ``differs`` names the parts."""

    kind: str
    key: Key
    before: Record | None
    after: Record | None
    differs: tuple[str, ...] = ()

    @property
    def graph_diff(self) -> str:
        """A unified diff of the two graphs, empty if they are the same or one is missing."""
        if self.before is None or self.after is None:
            return ""
        return graph_diff(self.before.graph, self.after.graph, "before", "after")

    def to_json(self) -> dict[str, Any]:
        """The change as JSON-ready data."""
        suite, case, exporter, device = self.key
        return {
            "kind": self.kind,
            "suite": suite,
            "case": case,
            "exporter": exporter,
            "device": device,
            "before": self.before.outcome if self.before else None,
            "after": self.after.outcome if self.after else None,
            "differs": list(self.differs),
            "graph_diff": self.graph_diff,
        }


def compare(before: Iterable[Record], after: Iterable[Record]) -> list[RecordChange]:
    """The changes from one run to another, the worst kind first, then by key."""
    return _compare(before, after, lambda r: (r.suite, r.case, r.exporter, r.device))


def compare_exporters(records: Iterable[Record], a: str, b: str) -> list[RecordChange]:
    """The changes from exporter ``a`` to exporter ``b`` within one run.

    Cases that just one of the two was run on are no change: nothing was measured to compare.
    """
    key = _Sides(lambda r: r.exporter, lambda r: (r.suite, r.case, f"{a} -> {b}", r.device))
    return _compare_within(records, a, b, key)


def compare_devices(records: Iterable[Record], a: str, b: str) -> list[RecordChange]:
    """The changes from device ``a`` to device ``b`` within one run, like those of exporters."""
    key = _Sides(lambda r: r.device, lambda r: (r.suite, r.case, r.exporter, f"{a} -> {b}"))
    return _compare_within(records, a, b, key)


@dataclass(frozen=True)
class _Sides:
    """What tells the two sides of a run apart, and the key that both then share."""

    side: Callable[[Record], str]
    shared: Callable[[Record], Key]


def _compare_within(records: Iterable[Record], a: str, b: str, by: _Sides) -> list[RecordChange]:
    listed = list(records)
    one, other = ([r for r in listed if by.side(r) == side] for side in (a, b))
    changes = _compare(one, other, by.shared)
    return [c for c in changes if c.kind not in (NEW, GONE)]


def _compare(
    before: Iterable[Record], after: Iterable[Record], key: Callable[[Record], Key]
) -> list[RecordChange]:
    old, new = {key(r): r for r in before}, {key(r): r for r in after}
    changes = [_change(k, old.get(k), new.get(k)) for k in {**old, **new}]
    found = [c for c in changes if c is not None]
    return sorted(found, key=lambda c: (KINDS.index(c.kind), c.key))


def _change(key: Key, old: Record | None, new: Record | None) -> RecordChange | None:
    if old is None or new is None:
        return RecordChange(NEW if old is None else GONE, key, old, new)
    if old.outcome != new.outcome:
        predicted = Outcome.PREDICTED in (old.outcome, new.outcome)
        unlike = predicted and old.exporter != new.exporter  # one of them has no values to be wrong
        kind = CHANGED if unlike else str(new.outcome.after(old.outcome))
        return RecordChange(kind, key, old, new, ("outcome",))
    same_graph = old.graph_digest is not None and old.graph_digest == new.graph_digest
    differs = differences(value_of(old), value_of(new), same_graph)
    return RecordChange(CHANGED, key, old, new, differs) if differs else None
