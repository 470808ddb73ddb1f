"""Cells, points, counts and texts in plain words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from exportdb.records.expectation import Point
from exportdb.site.model import Cell, grouped, rank


def first_line(text: str, most: int = 240) -> str:
    """The first line of an error that says something, cut short.

    >>> first_line("\\n  Could not guard\\n  on this")
    'Could not guard'
    """
    line = next((s.strip() for s in text.splitlines() if s.strip()), "")
    return line if len(line) <= most else line[: most - 1] + "…"


def where(cells: Iterable[Cell]) -> str:
    """Where cells are from; exporters with the same points are put together.

    ``export, make-fx: cpu 2.11 to 2.13, 2.15``
    """
    by_exporter = grouped(cells, lambda c: c.exporter)
    told = {name: points(c.point for c in row) for name, row in by_exporter.items()}
    return "; ".join(f"{', '.join(n)}: {at}" for at, n in grouped(told, told.__getitem__).items())


#: Longest list of places that stands on a page; of a longer one, as many names as are told.
LONGEST, NAMED = 110, 3


def briefly(cells: Sequence[Cell]) -> str:
    """Where cells are from, in less than two lines; :func:`where` has all of it.

    ``export, export-strict, symbolic and 9 more on cpu and 6 more devices``
    """
    whole = where(cells)
    if len(whole) <= LONGEST:
        return whole
    names = list(dict.fromkeys(c.exporter for c in cells))
    devices = list(dict.fromkeys(c.point.device for c in cells))
    left = len(names) - NAMED
    told = ", ".join(names[:NAMED]) + (f" and {left} more" if left > 0 else "")
    others = f" and {counted('more devices', n)}" if (n := len(devices) - 1) else ""
    return f"{told} on {devices[0]}{others}"


def points(found: Iterable[Point]) -> str:
    """Points by device; three or more versions of torch in a row by their ends.

    >>> points(Point(t, "cpu") for t in ("2.11", "2.12", "2.13", "2.15"))
    'cpu 2.11 to 2.13, 2.15'
    """
    ordered = sorted(set(found), key=lambda p: (p.switches, rank(p)))
    rows = grouped(
        ordered, lambda p: " with ".join(filter(None, (p.device, ", ".join(p.switches))))
    )
    return ", ".join(f"{on} {', '.join(spans([p.torch for p in row]))}" for on, row in rows.items())


def spans(torches: Sequence[str]) -> list[str]:
    """Versions in order; three or more in a row by their ends."""
    runs: list[list[str]] = []
    for torch in torches:
        if runs and _next(runs[-1][-1]) == torch:
            runs[-1].append(torch)
        else:
            runs.append([torch])
    return [one for r in runs for one in ([f"{r[0]} to {r[-1]}"] if len(r) > 2 else r)]


def _next(torch: str) -> str:
    """The minor version after this one; "" where there is no telling."""
    major, _, minor = torch.partition(".")
    return f"{major}.{int(minor) + 1}" if minor.isdecimal() else ""


def counted(name: str, count: int) -> str:
    """A count in words.

    >>> counted("runtime_assertions", 1), counted("guards", 3), counted("unbacked", 1)
    ('1 runtime assertion', '3 guards', '1 unbacked')
    """
    words = name.replace("_", " ")
    return f"{count:,} {words.removesuffix('s') if count == 1 else words}"
