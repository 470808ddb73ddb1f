"""A status as Markdown, for a post or an issue."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exportdb.reports import status as words
from exportdb.store.status import Status

#: How many changes are listed.
MOST = 50


def render(status: Status) -> str:
    """The whole document."""
    parts = [f"## {words.title(status)}", words.compared(status)]
    parts.append(_table(words.HEADER, map(words.cells, status.rows)))
    if status.scores:
        name = status.scores[0].cases
        parts.append(f"### Scores over the list {name}")
        header = ("exporter", "score", "compared", "weakest areas")
        parts.append(_table(header, map(words.told_score, status.scores)))
    for name, lines in words.lists(status).items():
        parts += _list(name.capitalize(), lines)
    return "\n\n".join(parts) + "\n"


def _list(name: str, lines: Sequence[str]) -> list[str]:
    if not lines:
        return []
    more = [f"- and {len(lines) - MOST:,} more"] * (len(lines) > MOST)
    return [f"### {name}", "\n".join([*(f"- {_plain(t)}" for t in lines[:MOST]), *more])]


def _table(header: Sequence[str], rows: Iterable[Sequence[str]]) -> str:
    lines = [header, ["---"] * len(header), *([_plain(c) for c in row] for row in rows)]
    return "\n".join(f"| {' | '.join(line)} |" for line in lines)


def _plain(text: str) -> str:
    """A text in which nothing is markup: names come from records, which anybody may write."""
    for sign in "\\`*_[]<>|#":
        text = text.replace(sign, f"\\{sign}")
    return " ".join(text.split())
