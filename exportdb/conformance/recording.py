"""One record of what was found out about every model of a program: the worst outcome counts."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from exportdb.conformance.cost import total
from exportdb.conformance.evidence import Evidence, decide
from exportdb.devices.protocol import Device
from exportdb.exporters.protocol import Exporter
from exportdb.records.outcome import Outcome
from exportdb.records.record import Finding, Record, SampleResult, digest
from exportdb.suites.protocol import ProgramRef


def blank_record(program: ProgramRef, exporter: Exporter, device: Device) -> Record:
    """A record with nothing but names and versions in it."""
    return Record(
        case=program.id,
        exporter=exporter.name,
        device=device.name,
        outcome=Outcome.ERROR,
        phase="setup",
        suite=program.suite,
        case_digest=program.digest,
        exporter_version=str(exporter.version),
    )


def completed_record(
    record: Record, found: Mapping[str, Evidence], seconds: Mapping[str, float]
) -> Record:
    """``record`` with all that was ``found``, by the name of the model."""
    several = len(found) > 1
    decided = max(map(decide, found.values()), key=lambda decision: decision.outcome.rank)

    def text(get: Callable[[Evidence], str | None]) -> str | None:
        texts = [(m, t) for m, e in found.items() if (t := get(e)) is not None]
        return "".join(f"{m}:\n{t}" if several else t for m, t in texts) if texts else None

    def named(get: Callable[[Evidence], Mapping[str, Any]]) -> dict[str, Any]:
        return {
            (f"{m}.{k}" if several else k): v for m, e in found.items() for k, v in get(e).items()
        }

    samples = [
        SampleResult(s.role, f"{m}: {s.name}" if several else s.name, s.result, s.sizes, s.message)
        for m, e in found.items()
        for s in e.results
    ]
    findings = {i: m for e in found.values() for i, m in e.findings.items()}
    graph = text(lambda e: e.details.graph)
    return record.with_(
        outcome=decided.outcome,
        phase=decided.phase,
        error=decided.error,
        samples=tuple(samples),
        left_out=sum(e.left_out for e in found.values()),
        untaken=tuple(dict.fromkeys(said for e in found.values() for said in e.untaken)),
        findings=tuple(Finding(i, findings[i]) for i in sorted(findings)),
        departs=next((e.departs for e in found.values() if e.departs), None),
        graph=graph,
        graph_digest=digest(graph) if graph is not None else None,
        graph_readable=text(lambda e: e.details.readable),
        ranges=named(lambda e: e.details.ranges),
        facts=named(lambda e: e.details.facts),
        seconds=seconds,
        cost=total(e.cost for e in found.values()),
    )
