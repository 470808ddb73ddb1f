"""What a user asked to have examined, as one value in which nothing is left to be looked up.

Owns the value alone: who asks (a command line, a test runner, a notebook) resolves names and
configuration into it once, and everything below takes it as it is. How a run goes (how many at a
time, where it is kept) is ``run.Settings``; none of that decides what a record says.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path

from exportdb.cases.case import Case, CaseError
from exportdb.conformance.options import Options
from exportdb.executors.error import RunnerError
from exportdb.plugins import PluginRef
from exportdb.records.record import Identity, digest


@dataclass(frozen=True)
class Shard:
    """Part ``index`` (from 1) of ``count`` parts of a plan.

    An examination always falls into the same part, whatever else is planned.
    """

    index: int
    count: int

    @staticmethod
    def parse(text: str) -> Shard:
        """Read ``2/5``. Raises RunnerError."""
        found = re.fullmatch(r"(\d+)/(\d+)", text)
        if not found or not 1 <= int(found[1]) <= int(found[2]):
            raise RunnerError(f"{text!r} is not a shard; give part and number of parts, like 2/5")
        return Shard(int(found[1]), int(found[2]))

    def __contains__(self, identity: Identity) -> bool:
        return int(digest("\n".join(identity)), 16) % self.count == self.index - 1


@dataclass(frozen=True)
class Request:
    """Every case with every exporter on every device, and under what.

    ``expectations`` is the folder of expectations of one's own, which win over those beside the
    cases. ``broken`` are the cases that cannot be read, by ID: each is an error of its own.
    ``outcomes`` leaves just what is expected to have one of them, ``shard`` one part of the whole.
    ``python`` is the interpreter to examine with, None for this one.
    """

    cases: tuple[Case, ...]
    exporters: tuple[PluginRef, ...]
    devices: tuple[PluginRef, ...]
    options: Options = field(default_factory=Options)
    expectations: Path | None = None
    broken: Mapping[str, CaseError] = field(default_factory=dict)
    outcomes: tuple[str, ...] = ()
    shard: Shard | None = None
    python: Path | None = None
