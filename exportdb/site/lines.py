"""Which line of a program made which line of its captured graph.

Owns reading it off the exporter's own print-out, where comments name the user's line before the
operators it made. Pure text; where it is not certain, a graph line has no link.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

_FILE = re.compile(r"#\s*File: (.*?):(\d+)\b")
_READABLE = re.compile(r"= torch\.ops\.([\w.]+)\(")
_CANONICAL = re.compile(r"= ((?:\w+\.){2,}\w+)\(")


def graph_lines(graph: str, readable: str, file_name: str) -> dict[int, int]:
    """For lines of the canonical ``graph`` (from 0), the line of ``file_name`` that made them.

    An operator is matched by its position where both texts hold the same operators in the same
    order, and else by its name where every use of that name comes from one line.

    >>> graph_lines("%1: f = aten.sin.default(%0)",
    ...     "# File: a/case.py:7 in f\\n sin: f = torch.ops.aten.sin.default(x)", "case.py")
    {0: 7}
    """
    made = list(_made(readable, file_name))
    used = [(i, f[1]) for i, text in enumerate(graph.split("\n")) if (f := _CANONICAL.search(text))]
    if [name for name, _ in made] == [name for _, name in used]:
        pairs = zip(used, made, strict=True)
        return {i: line for (i, _), (_, line) in pairs if line is not None}
    lines: dict[str, set[int | None]] = {}
    for name, line in made:
        lines.setdefault(name, set()).add(line)
    found = {}
    for i, name in used:
        (line, *others) = lines.get(name) or {None}
        if line is not None and not others:
            found[i] = line
    return found


def _made(readable: str, file_name: str) -> Iterator[tuple[str, int | None]]:
    """The operators of a print-out in order, each with the line of the file, if it is that one."""
    line: int | None = None
    for text in readable.split("\n"):
        if where := _FILE.search(text):
            here = where[1].replace("\\", "/")
            line = int(where[2]) if here == file_name or here.endswith("/" + file_name) else None
        elif "def forward" in text:
            line = None
        elif operator := _READABLE.search(text):
            yield operator[1], line
