"""The support matrix: exporters down, devices across, numbered notes for what is no plain support.

Owns what a note says and which cells share one. The same matrix stands on case pages and in the
documentation of exporters (the ``exportdb-matrix`` directive).
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from itertools import groupby

from markupsafe import Markup

from exportdb.records.expectation import Point
from exportdb.records.outcome import Outcome
from exportdb.site.markup import render
from exportdb.site.model import Cell, grouped, rank
from exportdb.site.words import counted, first_line, spans

#: Makes a link from the address of a page; "" where that page does not exist.
Href = Callable[[str], str]
#: What the names of devices begin with on which nothing is computed.
SHAPES_ALONE = ("meta", "fake")
#: A column is folded in which less than this part of the exporters was measured: a third.
FEW = 3


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


@dataclass(frozen=True)
class Span:
    """Cells in a row of torch versions that have one outcome; of several exporters alike."""

    cells: tuple[Cell, ...]

    @property
    def outcome(self) -> Outcome:
        return self.cells[0].outcome

    @property
    def torches(self) -> str:
        return ", ".join(spans(list(dict.fromkeys(c.point.torch for c in self.cells))))

    @property
    def stale(self) -> bool:
        return any(c.stale for c in self.cells)

    def notes(self, numbers: Mapping[int, int]) -> list[int]:
        """The numbers of the notes on its cells, which are known by their ``id``."""
        return sorted({numbers[id(c)] for c in self.cells if id(c) in numbers})


@dataclass(frozen=True)
class MatrixRow:
    """Exporters that came out alike wherever they were measured, with their cells by column."""

    exporters: tuple[str, ...]
    cells: Mapping[str, Sequence[Cell]]

    def measured(self, columns: Sequence[str]) -> bool:
        """Whether there is anything in these columns."""
        return any(column in self.cells for column in columns)

    def spans(self, column: str) -> list[Span]:
        """What stands in a column, from the oldest torch to the newest."""
        cells = sorted(self.cells.get(column, ()), key=lambda c: rank(c.point))
        return [Span(tuple(row)) for _, row in groupby(cells, key=lambda c: c.outcome)]


def column(point: Point) -> str:
    """The column that a point stands in: its device, and the switches if there are any."""
    return " with ".join(filter(None, (point.device, ", ".join(point.switches))))


def _rows(cells: Sequence[Cell]) -> list[MatrixRow]:
    """Exporters that came out alike share a row: most cells say the same."""
    by_exporter = grouped(cells, lambda c: c.exporter)
    looks = {name: tuple((c.point, c.outcome) for c in sorted(row, key=lambda c: rank(c.point)))
             for name, row in by_exporter.items()}  # fmt: skip
    return [
        MatrixRow(tuple(names), grouped((c for n in names for c in by_exporter[n]), _column))
        for names in grouped(by_exporter, looks.__getitem__).values()
    ]


def _column(cell: Cell) -> str:
    return column(cell.point)


def html(cells: Sequence[Cell], link: Href, prefix: str = "note", anchors: bool = False) -> Markup:
    """The matrix of some cells of a case with its notes, whose anchors begin with ``prefix``. Cells
    have ``anchors`` on the page of their case.
    """
    found = notes(cells)
    numbers = {id(c): number for number, row in enumerate(found.values(), 1) for c in row}
    return render(
        "matrix.html", tables=_tables(cells), rows=_rows(cells), numbers=numbers,
        notes=found, link=link, prefix=prefix, anchors=anchors,
        outcomes=sorted({c.outcome for c in cells}, key=lambda o: o.rank),
    )  # fmt: skip


def _tables(cells: Sequence[Cell]) -> list[tuple[str, list[str]]]:
    """The columns that are shown at once, and with a title those that are folded: devices on which
    few exporters were measured, and those on which nothing is computed.
    """
    points = sorted({c.point for c in cells}, key=rank)
    measured = {name: {c.exporter for c in row} for name, row in grouped(cells, _column).items()}
    exporters = {c.exporter for c in cells}

    def title(point: Point) -> str:
        if point.device.startswith(SHAPES_ALONE):
            return "Shapes alone, nothing computed"
        few = FEW * len(measured[column(point)]) < len(exporters)
        return "With few of the exporters" if few else ""

    found = grouped(points, title)
    found = found if "" in found else {"": points}
    tables = {told: list(dict.fromkeys(map(column, row))) for told, row in found.items()}
    return [
        (told and f"{told}: {', '.join(tables[told])}", tables[told]) for told in sorted(tables)
    ]


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
