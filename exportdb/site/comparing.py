"""What of a result can be compared with another of the same case, when the outcome is the same.

Owns which differences count. The comparing itself is static/compare.js.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import lru_cache

from exportdb.records.record import Record

#: What lines of a canonical graph begin with that say for which sizes it holds.
CONDITIONS = ("range ", "guard ")
#: What the line begins with that says of each output what it is; not every exporter knows.
OUTPUTS = "outputs:"

#: A number for each part of a result that is compared: parts of a case with the same number are the
#: same, and 0 stands for what a result does not have.
Look = tuple[int, ...]


def looks(records: Iterable[Record]) -> list[Look]:
    """The look of each record of a case."""
    numbers: dict[tuple[int, object], int] = {}
    return [
        tuple(
            0 if part is None else numbers.setdefault((i, part), len(numbers) + 1)
            for i, part in enumerate(comparable(record))
        )
        for record in records
    ]


def comparable(record: Record) -> tuple[object, ...]:
    """What can be compared: what its graph does, what is said of outputs, ranges, guards, error.

    None stands for what it does not have: an exporter that offers no graph has no other graph.
    """
    error, guards = record.error, record.facts.get("guards")
    listed = guards if isinstance(guards, list | tuple) else ()
    return (
        *(_graph(record.graph) if record.graph else (None, None)),
        tuple(sorted(record.ranges.items())) or None,
        tuple(sorted(map(str, listed))) if record.facts.keys() - {"display"} else None,
        (error.type, error.fingerprint or error.message) if error else None,
    )


@lru_cache(maxsize=65536)
def _graph(graph: str) -> tuple[tuple[str, ...], str | None]:
    """The operations of a graph, and what is said of its outputs. What sizes it holds for is
    compared by itself.
    """
    lines = [line.strip() for line in graph.splitlines()]
    body = (line for line in lines if line and not line.startswith((*CONDITIONS, OUTPUTS)))
    return tuple(body), next((line for line in lines if line.startswith(OUTPUTS)), None)
