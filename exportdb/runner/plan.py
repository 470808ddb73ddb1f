"""What a run is to examine: the list of examinations, in order, and how it is cut into shards.

Owns the product of cases, exporters and devices. Nothing here runs anything.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from exportdb.cases.case import Case, CaseError
from exportdb.cases.database import builtin_tree
from exportdb.conformance.options import Options
from exportdb.executors.error import RunnerError
from exportdb.plugins import PluginRef
from exportdb.records.fingerprint import fingerprint
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Identity, Record, digest
from exportdb.records.switches import Switches


@dataclass(frozen=True)
class Examination:
    """One case with one exporter on one device.

    ``timeout`` is in seconds; None leaves it to the case, and then to the run's settings.
    """

    case: Case
    exporter: PluginRef
    device: PluginRef
    options: Options = field(default_factory=Options)
    timeout: float | None = None
    suite: str = "cases"

    @property
    def identity(self) -> Identity:
        """What names it within a run."""
        return (self.suite, self.case.id, self.exporter.name, self.device.name)

    @property
    def repro(self) -> str:
        """The command that repeats just this."""
        builtin = builtin_tree() in self.case.path.parents
        words = [
            "exportdb", "run", self.case.id if builtin else str(self.case.path),
            "--exporter", _spec(self.exporter), "--device", _spec(self.device), "--fresh",
        ]  # fmt: skip
        for switch in self.options.switches:
            words += ["--switch", switch]
        if self.options.repeat > 1:
            words += ["--repeat", str(self.options.repeat)]
        return " ".join(words)


def _spec(ref: PluginRef) -> str:
    return ref.name if ref.distribution else ref.target


def plan(
    cases: Iterable[Case],
    exporters: Sequence[PluginRef],
    devices: Sequence[PluginRef],
    options: Options = Options(),  # noqa: B008  # frozen
) -> list[Examination]:
    """Every case with every exporter on every device, one exporter after the other.

    Exporters that compile the same (``aot-inductor`` and its ``-checked``) would otherwise do so
    side by side, each before the other has left anything in the cache.
    """
    return [
        Examination(case, exporter, device, options)
        for device in devices
        for exporter in exporters
        for case in cases
    ]


def switches_of(examinations: Iterable[Examination]) -> Switches:
    """The switches of a plan, which are the same for all of it. Raises RunnerError if not."""
    found = {e.options.switches for e in examinations}
    if len(found) > 1:
        raise RunnerError("a run is made under one set of switches; make a run of each")
    return found.pop() if found else ()


def broken_records(
    broken: Mapping[str, CaseError], exporters: Sequence[PluginRef], devices: Sequence[PluginRef]
) -> list[Record]:
    """The records of cases whose files cannot be read: ``error`` in ``setup``, nothing is run."""
    return [
        Record(
            case=case_id,
            exporter=exporter.name,
            device=device.name,
            outcome=Outcome.ERROR,
            phase="setup",
            error=ErrorInfo("CaseError", str(error), fingerprint("CaseError", error.message)),
            repro=f"exportdb lint {error.path}",
        )
        for case_id, error in broken.items()
        for exporter in exporters
        for device in devices
    ]


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


def shard(examinations: Iterable[Examination], part: Shard) -> list[Examination]:
    """The examinations that fall into one shard, in the order they had."""
    return [e for e in examinations if e.identity in part]
