"""A report as annotations of a GitHub workflow: commands that put a message beside a line.

One for each cause on its first case, and one on the adapter where the exporter is a file of one's
own. GitHub shows the first ten of a step and level, so that the worst causes come first.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

from exportdb.reports.background import shown_path
from exportdb.reports.causes import Cause, Kind
from exportdb.reports.report import Report


def render(report: Report) -> str:
    """A command a line."""
    words, full = report.words(), report.in_full(report.causes)
    lines = []
    for cause in report.causes:
        title, *body = words.heading(cause), *words.body(cause, full)
        lines += [
            annotation(level(report, cause), file, line, title, "\n".join(body))
            for file, line in places(report, cause)
        ]
    return "\n".join(lines)


def level(report: Report, cause: Cause) -> str:
    """How GitHub marks it: what fails is an error, what is new a warning, the rest a notice."""
    if any(map(report.failed, cause.records)):
        return "error"
    return "warning" if cause.kind is Kind.NEW else "notice"


def places(report: Report, cause: Cause) -> Iterator[tuple[str, int]]:
    """Lines that it is about, below the current folder; ("", 0) if there is none."""
    case = report.background.case(cause.first)
    found = []
    if case is not None:
        place = report.background.place(cause)
        path = shown_path(case.path)
        found.append((path, place.line if place and place.file == path else case.program_line))
    for record in {r.exporter: r for r in reversed(cause.records)}.values():
        if adapter := report.background.adapter_line(record):
            found.append((shown_path(Path(adapter.file).absolute()), adapter.line))
    yield from [p for p in found if not Path(p[0]).is_absolute()] or [("", 0)]


def annotation(level: str, file: str, line: int, title: str, message: str) -> str:
    """A workflow command.

    >>> annotation("error", "a,b.py", 3, "x: y", "50%\\nmore")
    '::error file=a%2Cb.py,line=3,title=x%3A y::50%25%0Amore'
    """
    where = f"file={_property(file)},line={line}," if file else ""
    return f"::{level} {where}title={_property(title)}::{_data(message)}"


def _data(text: str) -> str:
    return text.replace("%", "%25").replace("\r", "%0D").replace("\n", "%0A")


def _property(text: str) -> str:
    return _data(text).replace(":", "%3A").replace(",", "%2C")
