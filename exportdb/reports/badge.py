"""A report as a badge: a small picture, or the JSON that badge services make one of.

Owns the one line that it says: how much is supported, or how much is not as expected.
"""

from __future__ import annotations

import json
from xml.sax.saxutils import escape

from exportdb.reports.report import Report

LABEL = "exportdb"
_RED, _GREEN, _GREY = "#c33", "#2a7d3f", "#6b7280"
_WIDTH, _PAD = 6.6, 6.0  # pixels of a letter, and beside a text


def render(report: Report) -> str:
    """The picture, as SVG."""
    return picture(*_message_and_colour(report))


def picture(message: str, color: str, about: str = LABEL) -> str:
    """An SVG with a message on a colour; ``about`` is what it is about, for who cannot see it."""
    left, right = (len(text) * _WIDTH + 2 * _PAD for text in (LABEL, message))
    title = escape(f"{about}: {message}", {'"': "&quot;"})
    parts = [
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{left + right:.0f}" height="20" '
        f'role="img" aria-label="{title}">',
        f"<title>{title}</title>",
        f'<rect width="{left:.0f}" height="20" fill="#333"/>',
        f'<rect x="{left:.0f}" width="{right:.0f}" height="20" fill="{color}"/>',
        '<g fill="#fff" font-family="Verdana,DejaVu Sans,sans-serif" font-size="11">',
        _text(LABEL, 0, left),
        _text(message, left, right),
        "</g></svg>",
    ]
    return "".join(parts) + "\n"


def _text(text: str, x: float, width: float) -> str:
    length = width - 2 * _PAD
    return f'<text x="{x + _PAD:.0f}" y="14" textLength="{length:.0f}">{escape(text)}</text>'


def endpoint(report: Report) -> str:
    """The JSON of the endpoint that shields.io and its like ask."""
    message, color = _message_and_colour(report)
    said = {"schemaVersion": 1, "label": LABEL, "message": message, "color": color}
    return json.dumps(said) + "\n"


def _message_and_colour(report: Report) -> tuple[str, str]:
    if failed := sum(map(report.failed, report.records)):
        return f"{failed:,} of {len(report.records):,} not as expected", _RED
    compared = [r for r in report.records if r.outcome.compared]
    if not compared:
        return "nothing measured", _GREY
    full = sum(r.outcome.full for r in compared)
    return f"{full:,} of {len(compared):,} supported", _GREEN if full else _GREY
