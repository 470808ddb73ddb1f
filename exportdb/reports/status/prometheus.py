"""A status as text for Prometheus, to be served or put where a node exporter looks."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import datetime

from exportdb.records.outcome import LEVELS
from exportdb.reports import status as words
from exportdb.store.status import Status

Sample = tuple[dict[str, str], float]


def render(status: Status) -> str:
    """All metrics, each with what it says."""
    lines = []
    for name, told, samples in _metrics(status):
        if not samples:
            continue
        lines += [f"# HELP exportdb_{name} {told}", f"# TYPE exportdb_{name} gauge"]
        for labels, value in samples:
            written = ",".join(f'{k}="{_escaped(v)}"' for k, v in labels.items())
            lines.append(f"exportdb_{name}{{{written}}} {value:.10g}")
    return "\n".join(lines) + "\n"


def _metrics(status: Status) -> Iterator[tuple[str, str, list[Sample]]]:
    torch = {"torch": status.torch or ""}
    if status.switches:
        torch["switches"] = "+".join(status.switches)
    rows = [({**torch, "suite": r.suite, "exporter": r.exporter, "device": r.device}, r)
            for r in status.rows]  # fmt: skip
    counts = [({**at, "level": n}, float(r.levels.get(n, 0))) for at, r in rows for n in LEVELS]
    yield "programs", "Programs by level of support.", counts
    for name, told, field in (
        (
            "dims_asked",
            "Dims that were to stay dynamic, where it is known whether they did.",
            "dims_asked",
        ),
        ("dims_kept", "Dims that stayed dynamic.", "dims_kept"),
        ("graph_breaks", "Places where captures were left to Python.", "graph_breaks"),
        ("guards_per_graph", "Guards of a graph, mean.", "guards_mean"),
        ("guards_max", "Guards of a capture, at most.", "guards_max"),
        ("capture_seconds_mean", "Seconds of a capture, mean.", "capture_mean"),
        ("capture_seconds_max", "Seconds of a capture, at most.", "capture_max"),
        ("first_result_seconds_mean", "Seconds until the first result, mean.", "first_result_mean"),
        (
            "first_result_seconds_max",
            "Seconds until the first result, at most.",
            "first_result_max",
        ),
    ):
        values = [(at, getattr(row, field)) for at, row in rows]
        yield name, told, [(at, float(v)) for at, v in values if v is not None]
    scored = [({**torch, "exporter": s.exporter, "device": s.device}, s) for s in status.scores]
    yield (
        "score",
        "Supported over applicable, areas weighing the same.",
        [(at, s.score) for at, s in scored],
    )
    yield "score_coverage", "Compared over applicable.", [(at, s.coverage) for at, s in scored]
    for name, changes in (
        ("newly_failing", status.newly_failing),
        ("newly_fixed", status.newly_fixed),
        ("flaky", status.flaky),
    ):
        yield name, f"Programs {name.replace('_', ' ')}.", [(torch, float(len(changes)))]
    for name, told, found in (
        ("waivers", "Results that are excused until a day or a version of torch.", status.waivers),
        ("waivers_ended", "Those of them that are over.", words.over(status)),
    ):
        yield name, told, [(torch, float(len(found)))]
    began = datetime.fromisoformat(status.now.date).timestamp()
    yield "measured_timestamp_seconds", "When the last run began.", [(torch, began)]


def _escaped(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
