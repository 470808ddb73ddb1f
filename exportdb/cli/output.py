"""How commands speak: tables, words for outcomes, and notes beside the result.

Results go to standard output, everything said along the way to standard error. On a terminal rich
draws the tables; in a pipe they are plain text. Colour never carries a meaning alone.
"""

from __future__ import annotations

import os
import re
import sys
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import click
import msgspec

from exportdb.records.outcome import Outcome
from exportdb.records.text import encode

#: Columns that the widest column of a table has at least.
_LEAST = 28
_OBEYED = re.compile("[\x7f-\x9f\u202a-\u202e\u2066-\u2069]")
_ASCII = {
    "✔": "+",
    "◇": "<>",
    "◐": "~",
    "✖": "x",
    "≠": "#",
    "‼": "!!",
    "–": "-",
    "→": "->",
    "!": "!",
}
_STYLES = {
    "full": "green", "reduced": "yellow", "loud": "red", "silent": "bold magenta", "quiet": "dim",
    "expected": "green", "regressed": "bold red", "improved": "cyan", "changed": "yellow",
    "flaky": "magenta", "new": "blue",
}  # fmt: skip


def on_terminal() -> bool:
    """Whether a person is looking at standard output."""
    return sys.stdout.isatty() and os.environ.get("TERM") != "dumb"


def glyph(outcome: Outcome) -> str:
    """The outcome's glyph, or its stand-in where standard output cannot write it."""
    try:
        outcome.glyph.encode(sys.stdout.encoding or "ascii")
    except (UnicodeEncodeError, LookupError):
        return _ASCII[outcome.glyph]
    return outcome.glyph


def shown(outcome: str | None) -> str:
    """An outcome as a cell shows it: glyph and name; nothing measured is said with a dot.

    >>> shown(None)
    '.'
    """
    if outcome is None:
        return "."
    return f"{glyph(Outcome(outcome))} {outcome}"


def note(text: str) -> None:
    """Say something beside the result, on standard error."""
    click.echo(text, err=True)


def put(text: str = "") -> None:
    """Say a line of the result."""
    click.echo(text)


def put_json(data: Any) -> None:
    """The result as one JSON document."""
    click.echo(_escaped(msgspec.json.format(encode(data), indent=2)))


def _escaped(json: bytes) -> bytes:
    """JSON in which all that a terminal obeys is escaped, as JSON itself asks of ESC alone."""
    return _OBEYED.sub(lambda found: f"\\u{ord(found[0]):04x}", json.decode()).encode()


def put_lines(lines: Iterable[Mapping[str, Any]]) -> None:
    """The result as JSON Lines."""
    for line in lines:
        click.echo(_escaped(encode(line)))


def table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """A table: drawn by rich on a terminal, columns apart by two spaces in a pipe."""
    widths = [max(map(len, column)) for column in zip(header, *rows, strict=True)]
    if on_terminal():
        _rich_table(header, rows, widths)
        return
    for row in (header, *rows):
        put("  ".join(c.ljust(w) for c, w in zip(row, widths, strict=True)).rstrip())


def _rich_table(
    header: Sequence[str], rows: Sequence[Sequence[str]], widths: Sequence[int]
) -> None:
    """A table whose widest column folds; on a terminal too narrow for that, a list of its rows."""
    from rich.console import Console
    from rich.table import Table
    from rich.text import Text

    console = Console()
    others = sum(widths) + 2 * (len(widths) - 1) - max(widths)
    if console.width - others < min(max(widths), _LEAST):
        _list_rows(header, rows)
        return
    drawn = Table(box=None, pad_edge=False, header_style="bold", padding=(0, 2, 0, 0))
    for name, width in zip(header, widths, strict=True):
        drawn.add_column(Text(name), overflow="fold", no_wrap=width < max(widths))
    for row in rows:
        drawn.add_row(*(Text(c, style=_style(c)) for c in row))
    console.print(drawn)


def _list_rows(header: Sequence[str], rows: Sequence[Sequence[str]]) -> None:
    """Each row as lines: its first cell, then the others by name."""
    for first, *cells in rows:
        put(first)
        for name, cell in zip(header[1:], cells, strict=True):
            if cell:
                put(f"  {name}: {cell}" if name else f"  {cell}")


def _style(cell: str) -> str:
    """The colour of a cell: by the tone of its outcome, or by its verdict."""
    word = cell.rstrip("*").split(" ")[-1]
    return _STYLES.get(Outcome(word).tone if word in list(Outcome) else word, "")


def listed(names: Sequence[str], most: int = 5) -> str:
    """Names joined by commas, cut short."""
    more = len(names) - most
    return ", ".join(names[:most]) + (f" and {more} more" if more > 0 else "")
