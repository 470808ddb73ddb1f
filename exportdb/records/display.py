"""A record as a person reads it: what happened, what speaks against the capture, what to do next.

Owns the words of one record on its own, as text and as HTML for a notebook. Tables of many are left
to the command line and the site.
"""

from __future__ import annotations

import html
import textwrap
from collections import Counter
from collections.abc import Iterator

from exportdb.explain import explain
from exportdb.explain.messages import essential_lines
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, SampleResult

WIDTH = 100
MOST = 5  # findings, samples
_NEXT = {
    Outcome.SPECIALIZED: "a size or value of the example became a constant: see which in "
    "record.facts['dims'], and declare it dynamic, or the program's range as it is",
    Outcome.DEGRADED: "run it under TORCH_LOGS=graph_breaks,recompiles to see where it was cut",
    Outcome.CRASHED: "yours lives on, its process was another; report it to who makes the exporter",
    Outcome.TIMEOUT: "give it more time with timeout=, or a smaller example",
    Outcome.ERROR: "eager itself must run on the example and what is accepted: fix the program "
    "or say with inputs= and dims= what it takes",
}
_DIAGNOSE = "exportdb.diagnose(module, args, dynamic_shapes=...) tries changes that may fix it"


def one_sample(sample: SampleResult) -> str:
    """A sample in a line: what it had to do, which it was, what happened."""
    said = f": {sample.message}" if sample.message else ""
    name = f" {sample.name}" if sample.name != sample.role else ""
    return f"{sample.role}{name}: {sample.result}{said}"


def headline(record: Record) -> str:
    """Who made what of which program, in a line."""
    outcome = record.outcome
    return f"{record.case} with {record.exporter} on {record.device}: {outcome.glyph} {outcome}"


def as_text(record: Record) -> str:
    """The record in some lines of text."""
    lines = [headline(record), *textwrap.wrap(record.outcome.meaning, WIDTH)]
    for topic, texts in _details(record):
        for i, text in enumerate(texts):
            lines += textwrap.wrap(
                text, WIDTH, initial_indent=f"{'' if i else topic:<9} ", subsequent_indent=" " * 10
            )
    return "\n".join(lines)


def as_html(record: Record) -> str:
    """The same for a notebook, with the graph to unfold."""
    rows = "".join(
        f"<tr><th style='text-align:left;vertical-align:top'>{html.escape(topic)}</th>"
        f"<td style='text-align:left'>{'<br>'.join(map(html.escape, texts))}</td></tr>"
        for topic, texts in _details(record)
    )
    graph = record.graph or record.graph_readable
    unfold = f"<pre>{html.escape(graph)}</pre>" if graph else ""
    return (
        f"<div><b>{html.escape(headline(record))}</b><br>{html.escape(record.outcome.meaning)}"
        f"<table>{rows}</table>"
        + (f"<details><summary>graph</summary>{unfold}</details>" if unfold else "")
        + "</div>"
    )


def _details(record: Record) -> Iterator[tuple[str, list[str]]]:
    """What there is to say besides the outcome, by topic."""
    if error := record.error:
        first_line, *more = essential_lines(error.message)
        yield "error", [f"in {record.phase}: {error.type}: {first_line}", *more]
    if first := record.deciding:
        yield "first", [one_sample(first)]
    if record.departs:
        yield "departs", [f"first at {record.departs}"]
    if record.samples:
        counted = Counter(s.result for s in record.samples)
        yield "samples", [", ".join(f"{result} {n}" for result, n in counted.items())]
    if record.untaken:
        yield "untaken", [*record.untaken[:MOST], "what the capture makes of these is not known"]
    if record.ranges:
        yield "ranges", [f"{source} from {a} to {b}" for source, (a, b) in record.ranges.items()]
    if record.findings:
        yield "findings", [f"{f.id}: {f.message}" for f in record.findings[:MOST]]
    if following := _next(record):
        yield "next", following


def _next(record: Record) -> list[str]:
    outcome, found = record.outcome, []
    if record.error is not None and outcome is not Outcome.UNAVAILABLE:
        said = explain(f"{record.error.type}: {record.error.message}").brief()
        found = said.removeprefix("exportdb ").splitlines()  # who is asked says so already
    if outcome in _NEXT:
        found.append(_NEXT[outcome])
    if not (outcome.faultless or outcome is Outcome.ERROR) and outcome.compared:
        found.append(_DIAGNOSE)
    return found
