"""What the symbolic-shape engine recorded, as the page of a case shows it.

Owns reading facts, which may be a plug-in's own data, and which of many alike recordings are shown.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any, NamedTuple

from exportdb.cases.case import Case
from exportdb.site.model import CaseView, Cell, grouped

#: The facts that are shown as such.
SHOWN = ("symbols", "guards", "runtime_assertions", "replacements", "dims")


class Size(NamedTuple):
    """A size: its declared name, its symbol, and its range while tracing against the published."""

    source: str
    asked: str
    symbol: str
    kept: bool
    traced: str
    published: str
    wider: bool


class Fact(NamedTuple):
    """A guard or an assertion, and the user's line that caused it.

    ``number`` is of that line in the program on the page, 0 if it is in another file.
    """

    text: str
    line: str
    number: int


class CellFacts(NamedTuple):
    """What was recorded, and for which cells."""

    cells: Sequence[Cell]
    sizes: Sequence[Size]
    guards: Sequence[Fact]
    assertions: Sequence[Fact]
    replacements: Mapping[Any, Any]
    counts: Mapping[str, int]


def recordings(view: CaseView) -> list[CellFacts]:
    """The distinct recordings of the symbolic-shape engine, those that most cells have first."""
    recorded = (c for c in view.cells if c.record.ranges or any(map(c.record.facts.get, SHOWN)))
    groups = grouped(recorded, _stable).values()
    return [_recording(cells, view.case) for cells in sorted(groups, key=len, reverse=True)]


def _stable(cell: Cell) -> str:
    shown = {k: v for k in SHOWN if (v := cell.record.facts.get(k))}
    return json.dumps([cell.record.ranges, shown], sort_keys=True, default=str)


def _recording(cells: Sequence[Cell], case: Case) -> CellFacts:
    facts = cells[0].record.facts
    lines: Mapping[Any, Any] = {}
    stale = False
    for cell in sorted(cells, key=lambda c: c.stale):
        if lines := _mapping(_mapping(cell.record.facts.get("display")).get("lines")):
            stale = cell.stale
            break

    def told(name: str) -> list[Fact]:
        texts = [(str(text), str(lines.get(text, ""))) for text in _list(facts.get(name))]
        return [Fact(t, line, 0 if stale else _line_of(case, line)) for t, line in texts]

    counts = _mapping(facts.get("counts"))
    return CellFacts(
        cells,
        list(_sizes(cells[0])),
        told("guards"),
        told("runtime_assertions"),
        _mapping(facts.get("replacements")),
        {str(k): v for k, v in counts.items() if isinstance(v, int)},
    )


def _line_of(case: Case, said: str) -> int:
    """The line of the program that ``name.py:12 in forward`` means, 0 if it means another file: the
    path is not said, so the function has to stand there too.
    """
    found = re.fullmatch(r"(.+)\.py:(\d+) in (\w+)", said)
    if found is None or found[1] != PurePosixPath(case.id).name:
        return 0
    line = int(found[2])
    functions = (n for n in ast.walk(ast.parse(case.source)) if isinstance(n, ast.FunctionDef))
    there = (f.lineno <= line <= (f.end_lineno or 0) for f in functions if f.name == found[3])
    return line if any(there) else 0


def _sizes(cell: Cell) -> Iterator[Size]:
    facts, ranges = cell.record.facts, cell.record.ranges
    symbols, dims = (
        {str(row.get("source")): row for row in map(_mapping, _list(facts.get(name)))}
        for name in ("symbols", "dims")
    )
    for source in dict.fromkeys([*dims, *ranges, *symbols]):
        symbol, dim = symbols.get(source, {}), dims.get(source, {})
        traced, published = symbol.get("traced"), symbol.get("published")
        yield Size(
            source=source,
            asked=str(dim.get("asked") or ""),
            symbol=str(symbol.get("name") or dim.get("value") or ""),
            kept=bool(dim.get("kept", True)),
            traced=_interval(traced),
            published=_interval(published or ranges.get(source)),
            wider=_wider(_list(traced), _list(published)),
        )


def _interval(ends: Any) -> str:
    low_high = [str(end).replace("int_oo", "∞") for end in _list(ends)]
    return " to ".join(low_high) if len(low_high) == 2 else ""


def _wider(traced: Sequence[Any], published: Sequence[Any]) -> bool:
    """Whether sizes are published that tracing assumed away; an expression does not tell."""
    try:
        low, high, least, most = (
            float(str(end).replace("int_oo", "inf")) for end in (*traced, *published)
        )
    except ValueError:
        return False
    return least < low or most > high


def _mapping(value: Any) -> Mapping[Any, Any]:
    """Facts are a plug-in's own data: what has not the form we know is left out."""
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()
