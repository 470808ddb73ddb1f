"""Where each exporter stands in an expectation file: alone or in a group, in full or like another.

Owns one rule: what stands in the file and still says what is meant stays as it is, where it is, so
that a diff shows what changed and nothing else. Only what is new or has changed looks for a place.
"""

from __future__ import annotations

import json
from collections import defaultdict
from collections.abc import Container, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from msgspec import UNSET

from exportdb.records.expectation import CAPTURE_KEYS, Entries, ExpectationEntry


@dataclass(frozen=True)
class Group:
    """Several exporters and the only entry of each of them."""

    exporters: tuple[str, ...]
    entry: ExpectationEntry


@dataclass(frozen=True)
class Layout:
    """The entries of a file as they are written, with ``like`` in the place of what it names."""

    alone: Mapping[str, Sequence[ExpectationEntry]] = field(default_factory=dict)
    groups: Sequence[Group] = ()

    @property
    def entries(self) -> dict[str, Sequence[ExpectationEntry]]:
        """What is written for each exporter, in whichever of the two it stands."""
        grouped = {e: (group.entry,) for group in self.groups for e in group.exporters}
        return {**self.alone, **grouped}


#: The layout of a file that says nothing yet.
EMPTY = Layout()


def in_full(entry: ExpectationEntry, others: Entries) -> ExpectationEntry:
    """``entry`` with what it takes from one of ``others`` by ``like``."""
    if entry.like is UNSET:
        return entry
    given = {k: getattr(others[entry.like][0], k) for k in CAPTURE_KEYS}
    own = {k: v for k in CAPTURE_KEYS if (v := getattr(entry, k)) is not UNSET}
    return entry.with_(like=UNSET, **{**given, **own})


def arranged(entries: Entries, before: Layout) -> Layout:
    """The layout that says ``entries``, given in full, in a file that had the layout ``before``.

    An exporter whose text still says its entries keeps it, and its place. Another joins the group
    that says exactly its entry; those left over are shortened, and put in groups among themselves.
    """
    kept = _kept(entries, before)
    named = {x.like for listed in kept.values() for x in listed}
    free = {e: listed for e, listed in entries.items() if e not in kept and e not in named}
    left = [group for g in before.groups if (group := _left(g, kept)).exporters]
    groups = [_joined(group, entries[group.exporters[0]], free) for group in left]
    grouped = {e for group in groups for e in group.exporters}
    ungrouped = {e: listed for e, listed in entries.items() if e not in grouped}
    shared = _shared(ungrouped, kept, named)
    alone: dict[str, Sequence[ExpectationEntry]] = {}
    together: dict[str, list[str]] = defaultdict(list)
    for exporter, listed in ungrouped.items():
        alone[exporter] = kept.get(exporter) or [_shortened(exporter, x, shared) for x in listed]
        if exporter in free and len(listed) == 1:
            together[repr(alone[exporter])].append(exporter)
    new = [Group(tuple(sorted(e)), alone[e[0]][0]) for e in together.values() if len(e) > 1]
    alone = {e: listed for e, listed in alone.items() if not any(e in g.exporters for g in new)}
    by_first = {group.exporters[0]: group for group in (*groups, *new)}
    return Layout(
        {e: alone[e] for e in _in_order((e for e in before.alone if e in alone), alone)},
        [by_first[e] for e in _in_order((g.exporters[0] for g in groups), by_first)],
    )


def _kept(entries: Entries, before: Layout) -> dict[str, Sequence[ExpectationEntry]]:
    """What is written of each exporter that is still true, word for word."""
    written = before.entries
    nameable = {
        e: entries[e] for e, x in before.alone.items() if e in entries and x[0].like is UNSET
    }
    return {
        e: listed
        for e, listed in written.items()
        if e in entries
        and {x.like for x in listed} <= {UNSET, *nameable}
        and [_said(in_full(x, nameable)) for x in listed] == [_said(x) for x in entries[e]]
    }


def _said(entry: ExpectationEntry) -> str:
    """What an entry says: a text that is equal for those that are written alike."""
    data = {k: v for k, v in entry.to_json().items() if v or k not in ("when", "measured")}
    if data.get("ranges"):
        data["ranges"] = {k: [str(e) for e in v] for k, v in data["ranges"].items()}
    return json.dumps(data, sort_keys=True)


def _left(group: Group, kept: Entries) -> Group:
    """A group without those that have left it."""
    return Group(tuple(e for e in group.exporters if e in kept), group.entry)


def _joined(group: Group, listed: Sequence[ExpectationEntry], free: Entries) -> Group:
    """A group with those of ``free`` whose entries are ``listed``, its own in full."""
    said = [_said(x) for x in listed]
    same = [e for e, others in free.items() if [_said(x) for x in others] == said]
    return Group(tuple(_in_order(group.exporters, same)), group.entry)


def _in_order(standing: Iterable[str], names: Iterable[str]) -> list[str]:
    """Those that stand already as they stand, and each other name before the first later one."""
    order = list(standing)
    for name in sorted({*names} - {*order}):
        order.insert(next((i for i, e in enumerate(order) if e > name), len(order)), name)
    return order


#: Exporters that others may name, each with its first entry.
_Shared = Mapping[str, ExpectationEntry]


def _shared(entries: Entries, kept: Entries, named: Container[object]) -> _Shared:
    """The exporters whose first entries say what they capture in full, the plainest names first.

    Those that stand so already, or are named by what is kept, come before any other.
    """
    stand = {e for e in entries if e in named or (e in kept and kept[e][0].like is UNSET)}
    found: dict[str, ExpectationEntry] = {}
    for exporter in sorted(entries, key=lambda e: (e not in stand, len(e), e)):
        entry = entries[exporter][0]
        free = exporter not in kept and not _best(entry, found)
        if _captured(entry) and (exporter in stand or free):
            found[exporter] = entry
    return found


def _captured(entry: ExpectationEntry) -> dict[str, Any]:
    return {k: v for k, v in entry.value.items() if k in CAPTURE_KEYS}


def _best(entry: ExpectationEntry, shared: _Shared) -> str:
    """The exporter that saves most of an entry; "" if none saves more than it costs."""
    mine, best, saved = _captured(entry), "", 2
    for exporter, other in shared.items():
        theirs = _captured(other)
        same = [k for k in theirs if k in mine and mine[k] == theirs[k]]
        if (
            lines := sum(_length(theirs[k]) for k in same)
        ) > saved and theirs.keys() <= mine.keys():
            best, saved = exporter, lines
    return best


def _length(value: Any) -> int:
    """About how many lines a value takes."""
    return value.count("\n") + 1 if isinstance(value, str) else len(json.dumps(value)) // 60 + 1


def _shortened(exporter: str, entry: ExpectationEntry, shared: _Shared) -> ExpectationEntry:
    if shared.get(exporter) is entry or not (best := _best(entry, shared)):
        return entry
    mine = _captured(entry)
    same = [k for k, v in _captured(shared[best]).items() if mine[k] == v]
    return entry.with_(like=best, **dict.fromkeys(same, UNSET))
