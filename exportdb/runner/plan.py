"""What a run is to examine: the list of examinations that a request comes to, in order.

Owns the product of programs, exporters and devices. Nothing here runs anything.
"""

from __future__ import annotations

import shlex
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from typing import TypeVar

from exportdb.cases.database import SelectionError
from exportdb.conformance.options import Options
from exportdb.plugins import PluginRef
from exportdb.records.fingerprint import fingerprint
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Identity, Record
from exportdb.runner.request import Request
from exportdb.suites.protocol import ProgramRef


@dataclass(frozen=True)
class Examination:
    """One program with one exporter on one device."""

    program: ProgramRef
    exporter: PluginRef
    device: PluginRef
    options: Options = field(default_factory=Options)
    python: Path | None = None

    @property
    def identity(self) -> Identity:
        """What names it within a run."""
        p = self.program
        return (p.suite, p.id, self.exporter.name, self.device.name)

    @property
    def repro(self) -> str:
        """The command that repeats just this; "" for a program in memory."""
        if not self.program.selector:
            return ""
        words = [
            "exportdb", "run", *self.program.selector,
            "--exporter", _spec(self.exporter), "--device", _spec(self.device), "--fresh",
        ]  # fmt: skip
        for switch in self.options.switches:
            words += ["--switch", switch]
        if self.options.repeat > 1:
            words += ["--repeat", str(self.options.repeat)]
        if self.python is not None:
            words += ["--python", str(self.python)]
        return shlex.join(words)


def _spec(ref: PluginRef) -> str:
    return ref.name if ref.distribution else ref.target


def plan(request: Request, expected: Callable[[Examination], str | None]) -> list[Examination]:
    """Every examination of a request, one exporter after the other.

    Exporters that compile the same (``aot-inductor`` and its ``-checked``) would otherwise do so
    side by side, each before the other has left anything in the cache. ``expected`` says which
    outcome one is expected to have. Raises SelectionError where none has the outcomes asked for.
    """
    found = examinations(request)
    if request.outcomes:
        found = [e for e in found if expected(e) in request.outcomes]
        if not found:
            raise SelectionError(
                f"nothing selected is expected to be {' or '.join(request.outcomes)}"
            )
    return _of_shard(request, found)


def examinations(request: Request) -> list[Examination]:
    """The product, whatever is expected of it and however it is cut into parts."""
    return [
        Examination(program, exporter, device, request.options, request.python)
        for device in request.devices
        for exporter in request.exporters
        for program in request.programs
    ]


def broken_records(request: Request) -> list[Record]:
    """The records of cases whose files cannot be read: ``error`` in ``setup``, nothing is run."""
    if request.outcomes:  # of what cannot be read no outcome is expected
        return []
    records = [
        Record(
            case=case_id,
            exporter=exporter.name,
            device=device.name,
            outcome=Outcome.ERROR,
            phase="setup",
            error=ErrorInfo("CaseError", str(error), fingerprint("CaseError", error.message)),
            repro=f"exportdb lint {error.path}",
        )
        for case_id, error in request.broken.items()
        for exporter in request.exporters
        for device in request.devices
    ]
    return _of_shard(request, records)


Planned = TypeVar("Planned", Examination, Record)


def _of_shard(request: Request, planned: list[Planned]) -> list[Planned]:
    """Those of the part that was asked for."""
    if request.shard is None:
        return planned
    part = request.shard.of([p.identity for p in planned])
    return [p for p in planned if p.identity in part]
