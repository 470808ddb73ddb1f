"""What the symbolic-shape engine recorded, as the page of a case shows it.

Owns reading facts, which may be a plug-in's own data, and which of many alike recordings are shown.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath
from typing import Any

from exportdb.cases.case import Case
from exportdb.site.model import CaseView, Cell
from exportdb.site.pages.matrix import alike, counted, places_of


@dataclass(frozen=True)
class Range:
    """A size: its declared name, its symbol, and its range while tracing against the published."""

    source: str
    asked: str
    symbol: str
    kept: bool
    traced: str
    published: str
    wider: bool


@dataclass(frozen=True)
class Fact:
    """A guard or an assertion, and the user's line that caused it.

    ``number`` is of that line in the program on the page, 0 if it is in another file.
    """

    text: str
    line: str
    number: int


@dataclass(frozen=True)
class Facts:
    """What the symbolic-shape engine recorded, and for which cells."""

    where: str
    ranges: tuple[Range, ...]
    guards: tuple[Fact, ...]
    assertions: tuple[Fact, ...]
    replacements: tuple[tuple[str, str], ...]
    counts: tuple[str, ...]


def recordings(view: CaseView) -> list[Facts]:
    """The distinct recordings of the symbolic-shape engine."""
    telling = [c for c in view.cells if c.ranges or any(c.facts.get(k) for k in _TELLING)]
    return [
        _fact(cells, view.case)
        for cells in sorted(alike(telling, _stable), key=len, reverse=True)
    ]  # fmt: skip


_TELLING = ("symbols", "guards", "runtime_assertions", "replacements", "dims")


def _stable(cell: Cell) -> str:
    shown = {k: v for k in _TELLING if (v := cell.facts.get(k))}
    return json.dumps([cell.ranges, shown], sort_keys=True, default=str)


def _fact(cells: Sequence[Cell], case: Case) -> Facts:
    facts = cells[0].facts
    current = sorted(cells, key=lambda c: c.stale)
    displays = ((c, _mapping(c.facts.get("display"))) for c in current)
    cell, display = next(((c, d) for c, d in displays if d.get("lines")), (cells[0], {}))
    lines = _mapping(display.get("lines"))

    def listed(name: str) -> tuple[Fact, ...]:
        found = []
        for text in _list(facts.get(name)):
            line = str(lines.get(text, ""))
            found.append(Fact(str(text), line, 0 if cell.stale else _line_of(case, line)))
        return tuple(found)

    counts = _mapping(facts.get("counts"))
    return Facts(
        where=places_of(cells),
        ranges=tuple(_ranges(cells[0])),
        guards=listed("guards"),
        assertions=listed("runtime_assertions"),
        replacements=tuple(
            (str(k), str(v)) for k, v in _mapping(facts.get("replacements")).items()
        ),
        counts=tuple(counted(str(k), v) for k, v in counts.items() if isinstance(v, int)),
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


def _ranges(cell: Cell) -> list[Range]:
    symbols = [_mapping(s) for s in _list(cell.facts.get("symbols"))]
    by_source = {str(s.get("source")): s for s in symbols}
    dims = {str(d.get("source")): d for d in map(_mapping, _list(cell.facts.get("dims")))}
    rows = []
    for source in dict.fromkeys([*dims, *cell.ranges, *by_source]):
        symbol, dim = by_source.get(source, {}), dims.get(source, {})
        traced = _interval(symbol.get("traced"))
        published = _interval(symbol.get("published") or cell.ranges.get(source))
        rows.append(
            Range(
                source=source,
                asked=str(dim.get("asked") or ""),
                symbol=str(symbol.get("name") or dim.get("value") or ""),
                kept=bool(dim.get("kept", True)),
                traced=traced,
                published=published,
                wider=_wider(symbol.get("traced"), symbol.get("published")),
            )
        )
    return rows


def _interval(pair: Any) -> str:
    if not isinstance(pair, list | tuple) or len(pair) != 2:
        return ""
    low, high = (str(v).replace("int_oo", "∞") for v in pair)
    return f"{low} to {high}"


def _wider(traced: Any, published: Any) -> bool:
    """Whether sizes are published that tracing assumed away."""
    if not (_pair(traced) and _pair(published)):
        return False
    try:
        (low, high), (plow, phigh) = ([_bound(v) for v in pair] for pair in (traced, published))
    except ValueError:
        return False
    return plow < low or phigh > high


def _pair(value: Any) -> bool:
    return isinstance(value, list | tuple) and len(value) == 2


def _bound(value: Any) -> float:
    """An end of a range as a number. Raises ValueError for an expression."""
    text = str(value).replace("int_oo", "inf")
    return float(text)


def _mapping(value: Any) -> Mapping[Any, Any]:
    """Facts are a plug-in's own data: what has not the form we know is left out."""
    return value if isinstance(value, Mapping) else {}


def _list(value: Any) -> Sequence[Any]:
    return value if isinstance(value, list | tuple) else ()
