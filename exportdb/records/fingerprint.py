"""A short digest of an error that stays the same from run to run and from machine to machine.

Owns what is left out of an error message before it is compared: addresses, paths, line numbers,
symbol and node numbers. Whose error it is in the catalogue is left to ``exportdb.cases.catalogue``.
"""

from __future__ import annotations

import re

from exportdb.records.record import digest

#: What changes from run to run, and what stands for it: patterns that JavaScript reads as well.
VOLATILE = (
    (re.compile(r"\x1b\[[0-9;]*m"), ""),  # colours
    (re.compile(r"0x[0-9a-fA-F]+"), "0x#"),
    # torch cuts long paths off on the left: what is left hangs on where the file lies.
    (re.compile(r"""["']?[\w.\-+/]*\.py(?::\d+)?["']?"""), "<path>"),
    (re.compile(r"""["']?(?:/[\w.\-+]+)+/?(?::\d+)?["']?"""), "<path>"),
    (re.compile(r"\bline \d+"), "line #"),
    (re.compile(r"\b(s|u|zuf|zf|f|i|b)\d+\b"), r"\1#"),  # symbols
    (re.compile(r"\b([a-zA-Z][a-zA-Z_]*_)\d+\b"), r"\1#"),  # graph nodes
    (re.compile(r"\bid[=: ]+\d+"), "id #"),
    (re.compile(r"https?://\S+"), "<url>"),
    (re.compile(r"exportdb_(case|plugin)_\w+"), "<module>"),
    # What was being called when the stack was full hangs on how deep it was before.
    (re.compile(r"(maximum recursion depth exceeded)[^\n]*"), r"\1"),
    # torch solves for the bounds of a dim out of a set.
    (re.compile(r"(inconsistent min=)-?\d+(, max=)-?\d+"), r"\1#\2#"),
    # An index this large was read from memory that nobody wrote.
    (re.compile(r"\b(index )-?\d{7,}"), r"\1#"),
    # torch lists the types it knows out of a set, in an order that changes.
    (re.compile(r"\[(?:<class '[^']*'>(?:, )?){2,}\]?"), "[<types>]"),
)
# What tells errors apart stands in the first lines, before a blank one; the rest is advice and
# stack, which change from version to version.
LINES = 2


def fingerprint(error_type: str, message: str) -> str:
    """Sixteen hex digits for an error of this type with this message.

    >>> a = fingerprint("RuntimeError", "Eq(s77, 4) failed at /home/a/model.py:3")
    >>> a == fingerprint("RuntimeError", "Eq(s12, 4) failed at /tmp/m.py:99")
    True
    >>> a == fingerprint("RuntimeError", "Eq(s77, 5) failed at /home/a/model.py:3")
    False
    """
    return digest(f"{error_type}\n{steady(beginning(message))}")


def beginning(message: str) -> str:
    """The lines of a message that tell it from others."""
    first = re.split(r"\n\s*\n", message.strip(), maxsplit=1)[0]
    return "\n".join(line.strip() for line in first.splitlines()[:LINES])


def steady(text: str) -> str:
    """``text`` without what changes from run to run.

    >>> steady("Eq(s77, 4) failed at /home/a/model.py:3")
    'Eq(s#, 4) failed at <path>'
    """
    for pattern, instead in VOLATILE:
        text = pattern.sub(instead, text)
    return text
