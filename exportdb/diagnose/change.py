"""What can be changed about a program before it is captured, as data.

Owns the kinds of change and the sentence for each. Doing them is left to ``program`` (source text)
and ``shapes`` (``dynamic_shapes`` and the example), choosing them to ``rules``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

#: Changes of the program's text; all others are made to ``dynamic_shapes`` or the example.
OF_SOURCE = ("append", "insert", "replace")

#: Changes of the example.
OF_EXAMPLE = ("example", "unshare", "warm")


@dataclass(frozen=True)
class Change:
    """One change. ``kind`` and what its ``data`` holds:

    - ``append``: ``text``, lines to put at the end of the module's file;
    - ``insert``: ``text``, one line to put before line ``before`` (from 1), indented like it;
    - ``replace``: ``text``, lines to put in the place of ``count`` lines from line ``before``;
    - ``match-structure``: nothing; ``dynamic_shapes`` gets the structure of the inputs, with every
      dim at the place that was meant, if there is one;
    - ``range``: ``dim``, and ``min`` or ``max`` or both;
    - ``static``: ``dim``, which becomes a constant wherever it stands;
    - ``hint``: ``dim`` (a name, or "*" for all) and ``hint``, ``AUTO`` or ``DYNAMIC``;
    - ``derive``: ``dim``, and the expression ``of`` other dims that it is;
    - ``share``: the ``leaf`` and ``axis`` at which ``dim`` stands as well;
    - ``number``: the input ``leaf`` that is a number, and the ``hint`` it gets;
    - ``example``: the example gets another ``size`` wherever ``dim`` stands;
    - ``warm``: the module is called once with the example before all else, with dims of other
      ``sizes`` if there are any (pairs of a name and a size);
    - ``unshare``: every tensor of the example gets memory of its own.

    ``what`` is a sentence that says so, ``excludes`` what the program then no longer takes.
    A change of text is one of ``file``, "" for the file that makes the module.
    """

    kind: str
    what: str
    data: Mapping[str, Any] = field(default_factory=dict)
    excludes: str = ""
    file: str = ""

    @property
    def key(self) -> tuple[Any, ...]:
        """What makes it the same change as another."""
        return (self.kind, self.file, *sorted(self.data.items()))


def edited(source: str, changes: Sequence[Change]) -> str:
    """``source`` with the changes of its text made.

    >>> check = Change("insert", "", {"before": 2, "text": "torch._check(n > 0)"})
    >>> print(edited("def f(n):\\n    return 1 / n\\n", [check]), end="")
    def f(n):
        torch._check(n > 0)
        return 1 / n
    """
    lines = source.splitlines()
    wanted = [c for c in changes if c.kind in ("insert", "replace")]
    # From the end: a line number is that of the file before any change.
    for change in sorted(wanted, key=lambda c: (-int(c.data["before"]), c.kind == "insert")):
        at = int(change.data["before"]) - 1
        indent = lines[at][: len(lines[at]) - len(lines[at].lstrip())]
        new = [indent + line for line in change.data["text"].splitlines()]
        lines[at : at + int(change.data.get("count", 0))] = new
    for change in changes:
        if change.kind == "append":
            lines += ["", "", *change.data["text"].splitlines()]
    return "\n".join(lines) + "\n"
