"""The support matrix: exporters down, places across, numbered notes for what is no plain yes.

Owns what a note says and which cells share one. The same matrix stands on case pages and in the
documentation of exporters (the ``exportdb-matrix`` directive).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass

from markupsafe import Markup

from exportdb.records.outcome import Outcome
from exportdb.site import addresses
from exportdb.site.markup import render
from exportdb.site.model import Cell, Place, Sample

#: Makes a link from the address of a page; "" where that page does not exist.
Link = Callable[[str], str]


@dataclass(frozen=True)
class Note:
    """What stands behind cells that look alike.

    ``where`` says which cells; ``pieces`` of what it was made that is not one graph.
    """

    number: int
    outcome: Outcome
    text: str
    entry: str
    samples: tuple[Sample, ...]
    pieces: str
    findings: tuple[str, ...]
    remark: str
    issue: str
    issue_link: str
    where: str


@dataclass(frozen=True)
class Shown:
    """A cell as it is shown; ``note`` is 0 for a plain yes."""

    outcome: Outcome
    note: int
    stale: bool


@dataclass(frozen=True)
class Row:
    """An exporter and its cells, None where nothing was measured."""

    exporter: str
    cells: tuple[Shown | None, ...]


@dataclass(frozen=True)
class Matrix:
    """A matrix ready to be shown; ``devices`` are the groups of columns with their widths."""

    devices: tuple[tuple[str, int], ...]
    places: tuple[Place, ...]
    rows: tuple[Row, ...]
    notes: tuple[Note, ...]


def matrix(cells: Sequence[Cell]) -> Matrix:
    """The matrix of the cells of one case."""
    places = tuple(sorted({c.place for c in cells}, key=lambda p: p.rank))
    exporters = list(dict.fromkeys(c.exporter for c in cells))
    groups = alike(filter(remarkable, cells), _look)
    numbers = {_look(group[0]): number for number, group in enumerate(groups, 1)}
    found = {(c.exporter, c.place): c for c in cells}

    def shown(cell: Cell | None) -> Shown | None:
        if cell is None:
            return None
        return Shown(cell.shown, numbers.get(_look(cell), 0), cell.stale)

    rows = tuple(
        Row(exporter, tuple(shown(found.get((exporter, place))) for place in places))
        for exporter in exporters
    )
    devices: dict[str, int] = {}
    for place in places:
        devices[place.device] = devices.get(place.device, 0) + 1
    notes = tuple(_note(number, group) for number, group in enumerate(groups, 1))
    return Matrix(tuple(devices.items()), places, rows, notes)


def html(shown: Matrix, link: Link, prefix: str = "note", anchors: bool = False) -> Markup:
    """The matrix with its notes; anchors of notes begin with ``prefix``. Cells have ``anchors`` on
    the page of their case.
    """
    return render("matrix.html", matrix=shown, link=link, prefix=prefix, anchors=anchors,
                  addresses=addresses)  # fmt: skip


def remarkable(cell: Cell) -> bool:
    """Whether there is more to say than yes."""
    plain = cell.shown.faultless or cell.shown is Outcome.UNAVAILABLE
    return not plain or bool(cell.findings or cell.issue or cell.note)


def first_line(text: str, most: int = 240) -> str:
    """The first line of an error that says something, cut short.

    >>> first_line("\\n  Could not guard\\n  on this")
    'Could not guard'
    """
    line = next((s.strip() for s in text.splitlines() if s.strip()), "")
    return line if len(line) <= most else line[: most - 1] + "…"


def alike(cells: Iterable[Cell], look: Callable[[Cell], object]) -> list[list[Cell]]:
    """Cells in groups that look the same, in the order in which they are met."""
    groups: dict[object, list[Cell]] = {}
    for cell in cells:
        groups.setdefault(look(cell), []).append(cell)
    return list(groups.values())


def places_of(cells: Iterable[Cell]) -> str:
    """Cells in words: exporters with the same places are put together.

    ``export, make-fx: cpu 2.11 to 2.13, 2.15``
    """
    by_exporter: dict[str, list[Place]] = {}
    for cell in cells:
        by_exporter.setdefault(cell.exporter, []).append(cell.place)
    grouped: dict[str, list[str]] = {}
    for exporter, places in by_exporter.items():
        grouped.setdefault(places_in_words(places), []).append(exporter)
    return "; ".join(f"{', '.join(names)}: {places}" for places, names in grouped.items())


def places_in_words(places: Iterable[Place]) -> str:
    """Places by device; three or more versions of torch in a row by their ends.

    >>> places_in_words(Place(t, "cpu") for t in ("2.11", "2.12", "2.13", "2.15"))
    'cpu 2.11 to 2.13, 2.15'
    """
    by_device: dict[str, list[str]] = {}
    for place in sorted(places, key=lambda p: (p.switches, p.rank)):
        where = " with ".join(filter(None, (place.device, ", ".join(place.switches))))
        by_device.setdefault(where, []).append(place.torch)
    return ", ".join(f"{device} {', '.join(_runs(t))}" for device, t in by_device.items())


def _runs(torches: Sequence[str]) -> list[str]:
    runs: list[list[str]] = []
    for torch in torches:
        if runs and _next(runs[-1][-1]) == torch:
            runs[-1].append(torch)
        else:
            runs.append([torch])
    return [
        one for run in runs for one in ([f"{run[0]} to {run[-1]}"] if len(run) > 2 else run)
    ]  # fmt: skip


def _next(torch: str) -> str:
    """The minor version after this one; "" where there is no telling."""
    major, _, minor = torch.partition(".")
    return f"{major}.{int(minor) + 1}" if minor.isdecimal() else ""


def _look(cell: Cell) -> tuple[object, ...]:
    """What two cells have in common that share a note."""
    error = cell.error and (cell.error.type, first_line(cell.error.message))
    samples = tuple((s.name, s.result) for s in cell.samples if s.telling)
    findings = tuple(sorted({f.id for f in cell.findings}))
    return (cell.outcome, _stopped(cell), error, samples, _pieces(cell), findings,
            cell.note, cell.issue)  # fmt: skip


def _stopped(cell: Cell) -> str:
    """The phase that raised; "" where the capture went through, or nobody says."""
    return cell.phase if cell.error and cell.phase not in ("compare", "run") else ""


def _pieces(cell: Cell) -> str:
    """Why a degraded capture is not one graph, where a record says so."""
    if cell.shown is not Outcome.DEGRADED:
        return ""
    least = {"graphs": 2, "graph_breaks": 1, "recompilations": 1}
    counts = {name: cell.cost.get(name, 0) for name in least}
    return ", ".join(counted(k, int(n)) for k, n in counts.items() if n >= least[k])


def counted(name: str, count: int) -> str:
    """A count in words.

    >>> counted("runtime_assertions", 1), counted("guards", 3), counted("unbacked", 1)
    ('1 runtime assertion', '3 guards', '1 unbacked')
    """
    words = name.replace("_", " ")
    return f"{count} {words.removesuffix('s') if count == 1 else words}"


def _note(number: int, cells: Sequence[Cell]) -> Note:
    cell = cells[-1]
    text = ""
    if cell.error is not None:
        said = first_line(cell.error.message)
        text = cell.error.type + (f": {said}" if said else "")
        text = f"{_stopped(cell)}: {text}" if _stopped(cell) else text
    return Note(
        number=number,
        outcome=cell.shown,
        text=text,
        entry=(cell.error and cell.error.catalogue) or "",
        samples=tuple(s for s in cell.samples if s.telling)[:4],
        pieces=_pieces(cell),
        findings=tuple(sorted({f.id for f in cell.findings})),
        remark=cell.note,
        issue=cell.issue,
        issue_link=addresses.reference(cell.issue),
        where=places_of(cells),
    )
