"""The support matrix: exporters down, points across, numbered notes for what is no plain support.

Owns what a note says and which cells share one. The same matrix stands on case pages and in the
documentation of exporters (the ``exportdb-matrix`` directive).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from exportdb.records.outcome import Outcome
from exportdb.site.markup import render
from exportdb.site.model import Cell, grouped, rank
from exportdb.site.words import counted, first_line

#: Makes a link from the address of a page; "" where that page does not exist.
Href = Callable[[str], str]


@dataclass(frozen=True)
class Remark:
    """What there is to say of a cell; cells of which the same is to be said share a note.

    ``text`` is the error, ``pieces`` of what a capture was made that is not one graph.
    """

    outcome: Outcome
    text: str
    pieces: str
    samples: tuple[tuple[str, str], ...]
    findings: tuple[str, ...]
    note: str
    issue: str


def html(cells: Sequence[Cell], link: Href, prefix: str = "note", anchors: bool = False) -> Markup:
    """The matrix of some cells of a case with its notes, whose anchors begin with ``prefix``. Cells
    have ``anchors`` on the page of their case.
    """
    points = sorted({c.point for c in cells}, key=rank)
    found = notes(cells)
    numbers = {id(c): number for number, row in enumerate(found.values(), 1) for c in row}
    rows = grouped(cells, lambda c: c.exporter)
    return render(
        "matrix.html", devices=Counter(p.device for p in points), points=points,
        rows={name: {c.point: c for c in row} for name, row in rows.items()}, numbers=numbers,
        notes=found, link=link, prefix=prefix, anchors=anchors,
        outcomes=sorted({c.outcome for c in cells}, key=lambda o: o.rank),
    )  # fmt: skip


def notes(cells: Sequence[Cell]) -> dict[Remark, list[Cell]]:
    """What there is to say besides plain support, and of which cells."""
    return grouped(filter(_remarkable, cells), remark)


def _remarkable(cell: Cell) -> bool:
    plain = cell.outcome.faultless or cell.outcome is Outcome.UNAVAILABLE
    return not plain or bool(cell.record.findings or cell.issue or cell.note)


def remark(cell: Cell) -> Remark:
    """What there is to say of a cell."""
    record = cell.record
    phase = record.phase if record.phase not in ("compare", "run") else ""
    error = record.error and (phase, record.error.type, first_line(record.error.message))
    return Remark(
        cell.outcome,
        ": ".join(filter(None, error or ())),
        _pieces(cell),
        tuple((s.name, s.result) for s in record.samples if s.counts_against),
        tuple(sorted({f.id for f in record.findings})),
        cell.note,
        cell.issue,
    )


def _pieces(cell: Cell) -> str:
    """Why a degraded capture is not one graph, where a record says so."""
    if cell.outcome is not Outcome.DEGRADED:
        return ""
    least = {"graphs": 2, "graph_breaks": 1, "recompilations": 1}
    counts = {name: cell.record.cost.get(name, 0) for name in least}
    return ", ".join(counted(k, int(n)) for k, n in counts.items() if n >= least[k])
