"""What a user asked to have examined, as one value in which nothing is left to be looked up.

Owns the value alone: who asks (a command line, a test runner, a notebook) resolves names and
configuration into it once, and everything below takes it as it is. How a run goes (how many at a
time, where it is kept) is ``run.Settings``; none of that decides what a record says.
"""

from __future__ import annotations

import heapq
import re
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from exportdb.cases.case import CaseError
from exportdb.conformance.options import Options
from exportdb.executors.error import RunnerError
from exportdb.plugins import PluginRef
from exportdb.records.record import Identity, digest
from exportdb.suites.protocol import ProgramRef


@dataclass(frozen=True)
class Shard:
    """Part ``index`` (from 1) of ``count`` parts of a plan.

    What is planned is split by its ``seconds``, where they are known. The rest is spread by name,
    and so always falls into the same part, whatever else is planned.
    """

    index: int
    count: int
    seconds: Mapping[Identity, float] = field(default_factory=dict)

    @staticmethod
    def parse(
        text: str, seconds_in: Callable[[str], Mapping[Identity, float]] | None = None
    ) -> Shard:
        """Read ``2/5``, or ``2/5@RUN`` where ``seconds_in`` gives the times of that run.

        Raises RunnerError, and what ``seconds_in`` raises.
        """
        found = re.fullmatch(r"(\d+)/(\d+)(?:@(.+))?", text)
        timed = found is not None and found[3] is not None
        if not found or not 1 <= int(found[1]) <= int(found[2]) or (timed and seconds_in is None):
            raise RunnerError(
                f"{text!r} is not a shard; give the part and the number of parts, like "
                "2/5, or 2/5@records.jsonl to balance the parts by the times in these records"
            )
        seconds = seconds_in(found[3]) if found[3] and seconds_in else {}
        return Shard(int(found[1]), int(found[2]), seconds)

    def of(self, planned: Collection[Identity]) -> set[Identity]:
        """Those of the planned examinations that are in this part."""
        timed = balanced({i: self.seconds[i] for i in planned if i in self.seconds}, self.count)
        return {i for i in planned if timed.get(i, self._by_name(i)) == self.index}

    def _by_name(self, identity: Identity) -> int:
        return int(digest("\n".join(identity)), 16) % self.count + 1


def balanced(seconds: Mapping[Identity, float], count: int) -> dict[Identity, int]:
    """The part (from 1) of each examination, so that all parts take about as long.

    The longest goes first, to the part that has least so far: the same for everybody who has the
    same times, in whatever order they are.
    """
    loads = [(0.0, part) for part in range(1, count + 1)]
    parts = {}
    for identity in sorted(seconds, key=lambda i: (-seconds[i], i)):
        load, part = heapq.heappop(loads)
        parts[identity] = part
        heapq.heappush(loads, (load + seconds[identity], part))
    return parts


@dataclass(frozen=True)
class Request:
    """Every program with every exporter on every device, and under what.

    ``expectations`` is the folder of expectations of one's own, which win over those beside the
    cases. ``broken`` are the cases that cannot be read, by ID: each is an error of its own.
    ``outcomes`` leaves just what is expected to have one of them, ``shard`` one part of the whole.
    ``python`` is the interpreter to examine with, None for this one. ``max_failures`` is after how
    many results that are not as expected the run ends, None for never. ``only_affected`` leaves
    out what is known to be as expected and of which nothing has changed, ``measured_before`` what
    the exporter itself was never measured on. ``repeat_run`` is how many times each examination is
    made, all of them in processes of their own.
    """

    programs: tuple[ProgramRef, ...]
    exporters: tuple[PluginRef, ...]
    devices: tuple[PluginRef, ...]
    options: Options = field(default_factory=Options)
    expectations: Path | None = None
    broken: Mapping[str, CaseError] = field(default_factory=dict)
    outcomes: tuple[str, ...] = ()
    shard: Shard | None = None
    python: Path | None = None
    max_failures: int | None = None
    only_affected: bool = False
    measured_before: bool = False
    repeat_run: int = 1
