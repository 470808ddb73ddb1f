"""What outcomes are expected of each case, kept in the user's cache by the stamps of files.

Owns the index alone: reading a file of expectations takes milliseconds, and a search goes through
all of them. What they say is read by ``expectation_files``.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from pathlib import Path
from typing import TypeAlias

import msgspec

from exportdb.cases.case import Case
from exportdb.cases.index import kept_file, stamp
from exportdb.files import keep
from exportdb.records.environment import environment
from exportdb.records.expectation import Where
from exportdb.records.expectation_files import Expectations


def here() -> Where:
    """This place; without a torch, one that no version condition has heard of."""
    return Where.of(environment(), "cpu") or Where("9999.0", "cpu")


#: Outcomes by what first says something of a case, with what tells its files apart.
_Kept: TypeAlias = dict[str, tuple[list[tuple[str, int, int]], list[str]]]


def outcomes_by_case(
    known: Expectations, cases: Sequence[Case], where: Where
) -> dict[str, set[str]]:
    """The outcomes that any exporter is expected to have there, by case."""
    readers = sorted(Path(__file__).parent.glob("*.py"))
    asked = f"{where} {sorted(known.extends.items())} {[stamp(r) for r in readers]}"
    file = kept_file("outcomes", asked)
    kept: _Kept = {}
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.msgpack.decode(file.read_bytes(), type=_Kept)
    found, fresh = {}, {}
    for case in cases:
        parts = [p for p in known.parts_of(case) if p.path.exists()]
        stamps = [(f"{p.path} {p.key}".rstrip(), *stamp(p.path)) for p in parts]
        name = stamps[0][0] if stamps else case.id
        if kept.get(name, ([], []))[0] != stamps or not stamps:
            said = sorted(map(str, set(known.outcomes(case, where).values())))
            fresh[name] = (stamps, said)
        found[case.id] = set((fresh.get(name) or kept[name])[1])
    if fresh:
        keep(file, msgspec.msgpack.encode(kept | fresh))
    return found
