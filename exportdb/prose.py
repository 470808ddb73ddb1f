"""Words for a reader: a count with its noun, and paragraphs as lines: at most 96 columns, fewer
on a terminal that is narrower.

A wide terminal gets no longer lines, which are hard to read. What is to be pasted or searched for,
like messages and commands, is not filled at all.
"""

from __future__ import annotations

import sys
import textwrap

WIDTH = 96


def lines(text: str, indent: str = "", first: str | None = None, margin: int = 0) -> list[str]:
    """``text`` as lines, indented; the first by ``first`` where that is given. Words stay whole.

    ``margin`` is how far whoever prints them indents them further.

    >>> lines("one two", indent="  ", first="- ")
    ['- one two']
    """
    begin = indent if first is None else first
    return textwrap.wrap(
        text, _columns() - margin, initial_indent=begin, subsequent_indent=indent,
        break_long_words=False,
    )  # fmt: skip


def filled(text: str, indent: str = "", first: str | None = None) -> str:
    """The same as one text."""
    return "\n".join(lines(text, indent, first))


def _columns() -> int:
    if sys.stdout is None or not sys.stdout.isatty():
        return WIDTH
    from shutil import get_terminal_size  # pipes are quicker without

    return min(WIDTH, get_terminal_size((WIDTH, 24)).columns)


def plural(count: int, one: str) -> str:
    """A count with its noun.

    >>> plural(1, "case"), plural(0, "case")
    ('1 case', '0 cases')
    """
    return f"{count:,} {one}" + ("" if count == 1 else "s")
