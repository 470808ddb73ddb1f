"""Two exporters, or two torch versions, beside each other: where they differ, and in what.

Owns when two results with the same outcome are different all the same. Only what both have is
compared: an exporter that offers no graph has no other graph.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cache, lru_cache, partial
from itertools import combinations

from markupsafe import Markup

from exportdb.records.outcome import Outcome
from exportdb.site import addresses, markup
from exportdb.site.model import Cell, Place, Site
from exportdb.site.page import Page, Section
from exportdb.site.pages.matrix import Link

INDEX = "compare/index"
#: What lines of a canonical graph begin with that say for which sizes it holds.
CONDITIONS = ("range ", "guard ")
#: What the line begins with that says of each output what it is; not every exporter knows.
OUTPUTS = "outputs:"


@dataclass(frozen=True)
class Difference:
    """Two results of one case; ``what`` names in what they differ where the outcome is the same."""

    title: str
    before: Cell
    after: Cell
    what: tuple[str, ...] = ()

    @property
    def better(self) -> bool:
        """Whether the second is better than the first."""
        return self.after.shown.rank < self.before.shown.rank


# --- the pages ---------------------------------------------------------------------------------


def pairs(site: Site) -> list[tuple[str, str]]:
    """Every two exporters, each pair once."""
    return [pair(a, b) for a, b in combinations(site.exporters, 2)]


def pair(a: str, b: str) -> tuple[str, str]:
    """Two exporters in the order in which their page names them, which never changes."""
    return (a, b) if a < b else (b, a)


def torch_pairs(site: Site) -> list[tuple[str, str]]:
    """Every two torch versions, the older first."""
    return list(combinations(site.torches, 2))


def index(site: Site) -> Page:
    """The page that leads to all comparisons."""
    link = partial(addresses.relative, start=INDEX)
    versions: dict[str, list[tuple[str, str]]] = {}
    for a, b in reversed(torch_pairs(site)):
        versions.setdefault(b, []).append((a, link(addresses.torches_compared(a, b))))
    named: dict[str, list[tuple[str, str]]] = {}
    for a, b in combinations(site.exporters, 2):
        named.setdefault(a, []).append((b, link(addresses.exporters_compared(*pair(a, b)))))
    return Page(
        name=INDEX,
        title="Compare",
        description="Two exporters or two torch versions side by side.",
        lead=str(markup.render("compare.html", torches=versions, exporters=named)),
        kind="index",
    )


def exporters(site: Site, a: str, b: str) -> Page:
    """Where two exporters differ, at the newest torch that both were measured on."""
    both = set(site.places_of(a)) & set(site.places_of(b))
    newest: dict[str, Place] = {}
    for place in sorted(both, key=lambda p: p.rank):
        newest[place.device] = place
    cells = [
        (one, two)
        for place in newest.values()
        for case, one in site.at(a, place).items()
        if (two := site.at(b, place).get(case)) is not None
    ]
    return _page(
        site,
        addresses.exporters_compared(a, b),
        (a, b),
        f"The programs that {a} and {b} treat differently.",
        cells,
        (f"{b} does better", f"{a} does better"),
        [f"torch {p.torch} on {p.device}" for p in newest.values()],
    )


def torches(site: Site, a: str, b: str) -> Page:
    """What changed between two torch versions, for every exporter and device."""
    old = {(c.case, c.exporter, c.place.device): c for c in site.cells if c.place.torch == a}
    cells = [
        (before, cell)
        for cell in site.cells
        if cell.place.torch == b
        and (before := old.get((cell.case, cell.exporter, cell.place.device))) is not None
    ]
    return _page(
        site,
        addresses.torches_compared(a, b),
        (f"torch {a}", f"torch {b}"),
        f"What exporters capture on torch {b} and did not on {a}, and the reverse.",
        cells,
        (f"Better on torch {b}", f"Worse on torch {b}"),
    )


def _page(
    site: Site, address: str, names: tuple[str, str], description: str,
    cells: Iterable[tuple[Cell, Cell]], titles: tuple[str, str], places: Sequence[str] = (),
) -> Page:  # fmt: skip
    """The page of two columns; with ``places`` all cells of a column are of one exporter."""
    same = 0
    better: list[Difference] = []
    worse: list[Difference] = []
    unknown: list[Difference] = []
    alike: list[Difference] = []
    for one, two in cells:
        title = site.cases[two.case].case.meta.title
        if one.outcome != two.outcome:
            found = Difference(title, one, two)
            if not (one.shown.compared and two.shown.compared):
                unknown.append(found)
            else:
                (better if found.better else worse).append(found)
        elif what := differing(one, two):
            alike.append(Difference(title, one, two, what))
        else:
            same += 1
    a, b = names
    parts = (
        ("better", titles[0], better),
        ("worse", titles[1], worse),
        *([("unknown", "Only one was compared with eager", unknown)] if unknown else ()),
        ("alike", "The same outcome, but another graph, range, guard or error", alike),
    )
    link: Link = partial(addresses.relative, start=address)
    return Page(
        name=address,
        title=f"{a} and {b.removeprefix('torch ') if a.startswith('torch ') else b} compared",
        description=description,
        lead=str(markup.render("pair.html", same=same, alike=len(alike),
                               differ=len(better) + len(worse) + len(unknown), places=places)),
        sections=tuple(_section(anchor, title, rows, names, link, exporter=not places)
                       for anchor, title, rows in parts),
        kind="compare",
    )  # fmt: skip


def _section(
    anchor: str, title: str, rows: list[Difference], names: tuple[str, str], link: Link,
    exporter: bool,
) -> Section:  # fmt: skip
    rows.sort(key=lambda d: (d.after.exporter if exporter else "", d.after.case,
                             d.after.place.device))  # fmt: skip
    shown = [_row(d, link(addresses.case(d.after.case)), exporter) for d in rows]
    html = markup.render("differences.html", rows=shown, names=names, exporter=exporter,
                         what=anchor == "alike")  # fmt: skip
    return Section(anchor, f"{title} ({len(rows):,})", str(html))


def _row(d: Difference, href: str, exporter: bool) -> Markup:
    """A row of the table. Cells that are alike are made once: there are many rows."""
    cells = (
        *([_text(d.after.exporter)] if exporter else ()),
        _name(href, d.title),
        _text(d.after.place.device),
        _result(href, d.before),
        _result(href, d.after),
        *([_text(", ".join(d.what))] if d.what else ()),
    )
    return Markup("".join(cells))


@cache
def _text(text: str) -> Markup:
    return Markup("<td>{}</td>").format(markup.clean(text))


@cache
def _name(href: str, title: str) -> Markup:
    th = Markup('<th scope="row"><a href="{}">{}</a></th>')
    return th.format(markup.clean(href), markup.clean(title))


def _result(href: str, cell: Cell) -> Markup:
    """An outcome that leads to where the page of the case shows it."""
    place = cell.place
    return _linked(f"{href}#{addresses.anchor(cell.exporter, place.torch, place.device)}",
                   cell.outcome)  # fmt: skip


@cache
def _linked(href: str, outcome: Outcome) -> Markup:
    shown = markup.outcome(outcome, named=True)
    return Markup('<td><a href="{}">{}</a></td>').format(markup.clean(href), shown)


# --- what differs ------------------------------------------------------------------------------


def differing(one: Cell, two: Cell) -> tuple[str, ...]:
    """In what two cells differ but for the outcome: of ``graph``, ``ranges``, ``guards`` and
    ``error`` those that both have and that are not the same.
    """
    return tuple(_differing(one, two))


def _differing(one: Cell, two: Cell) -> Iterator[str]:
    if one.graph and two.graph and not _same_graph(one.graph, two.graph):
        yield "graph"
    if one.ranges and two.ranges and _ranges(one) != _ranges(two):
        yield "ranges"
    if one.facts and two.facts and _guards(one) != _guards(two):
        yield "guards"
    if one.error and two.error and _error(one) != _error(two):
        yield "error"


def _same_graph(one: str, two: str) -> bool:
    """Whether two graphs do the same; what sizes they hold for is compared by itself."""
    if one == two:
        return True
    (body, told), (other_body, other_told) = _parts(one), _parts(two)
    return body == other_body and (told == other_told or not told or not other_told)


@lru_cache(maxsize=65536)
def _parts(graph: str) -> tuple[tuple[str, ...], str]:
    """The operations of a graph, and what is said of its outputs, "" if nothing is."""
    lines = [line.strip() for line in graph.splitlines()]
    body = (line for line in lines if line and not line.startswith((*CONDITIONS, OUTPUTS)))
    return tuple(body), next((line for line in lines if line.startswith(OUTPUTS)), "")


def _ranges(cell: Cell) -> dict[str, list[str]]:
    return {source: [str(end) for end in ends] for source, ends in cell.ranges.items()}


def _guards(cell: Cell) -> list[str]:
    guards = cell.facts.get("guards")
    return sorted(map(str, guards)) if isinstance(guards, list | tuple) else []


def _error(cell: Cell) -> tuple[str, str]:
    error = cell.error
    assert error is not None
    return (error.type, error.fingerprint or error.message)
