"""A report as Markdown: for the summary of a CI step, or an issue. Every cause is in it.

What comes from records stands in code spans and fenced blocks, so that none of it is markup.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator

from exportdb.records.outcome import Outcome
from exportdb.reports.causes import Kind
from exportdb.reports.report import DIMS, Report

_TITLES = {
    Kind.MISSING: "Not run",
    Kind.FAULT: "Errors of a case or of exportdb",
    Kind.UNAVAILABLE: "Cannot be tried here",
    Kind.SURPRISE: "Not as expected",
    Kind.NEW: "New, and not supported in full",
    Kind.EXPECTED: "As expected, and not supported in full",
}


def render(report: Report) -> str:
    """The whole page."""
    return "\n".join([*_head(report), *_table(report), *_causes(report), *_foot(report)]) + "\n"


def _head(report: Report) -> Iterator[str]:
    made = report.header.environment
    torch = f"torch {made.torch}" if made.torch else "no torch"
    where = " ".join(map(code, (torch, f"Python {made.python}", made.platform)))
    yield f"## exportdb: {report.summary}\n"
    yield f"{where}, run {code(report.header.run)}\n"


def _table(report: Report) -> Iterator[str]:
    """A row per exporter and device, a column per outcome."""
    found = Counter((r.exporter, r.device, r.outcome) for r in report.records)
    seen = [o for o in Outcome if any(o is outcome for _, _, outcome in found)]
    yield f"| exporter | device | {' | '.join(f'{o.glyph} {o}' for o in seen)} |"
    yield f"| --- | --- |{' ---: |' * len(seen)}"
    for exporter, device in sorted({key[:2] for key in found}):
        cells = (str(found[exporter, device, o] or "") for o in seen)
        yield f"| {code(exporter)} | {code(report.device(device))} | {' | '.join(cells)} |"
    yield ""
    if dims := report.dims:
        yield f"| sizes requested to be dynamic | {' | '.join(DIMS)} |"
        yield f"| --- |{' ---: |' * len(DIMS)}"
        for name, counted in dims.items():
            yield f"| {code(name)} | {' | '.join(map(str, counted))} |"
        yield ""


def _causes(report: Report) -> Iterator[str]:
    words, full = report.words(), report.in_full(report.causes)
    last = None
    for cause in report.causes:
        if cause.kind is not last:
            yield f"### {_TITLES[cause.kind]}\n"
            last = cause.kind
        yield f"{code(words.heading(cause))}\n"
        yield fenced("\n".join(words.body(cause, full)))


def _foot(report: Report) -> Iterator[str]:
    if report.unfinished:
        yield f"{code(report.unfinished)}\n"
    for step in report.next_steps():
        yield f"next: {code(step)}\n"


def code(text: str) -> str:
    """``text`` as a code span that also stands in a table: one line, its backticks quotes.

    >>> code("a `b` | c")
    "`a 'b' \\\\| c`"
    """
    return "`" + " ".join(text.split()).replace("`", "'").replace("|", r"\|") + "`"


def fenced(text: str) -> str:
    """``text`` as a block that nothing in it can end."""
    fence = "`" * max(3, 1 + max(map(len, re.findall(r"`+", text)), default=0))
    return f"{fence}text\n{text}\n{fence}\n"
