"""Pages about exporters: the score of each, and trends.

A score counts cells at one point, the newest torch on the best-known device, so that it never mixes
what was measured in different circumstances.
"""

from __future__ import annotations

import posixpath
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import fmean, median
from urllib.parse import quote

from markupsafe import Markup

from exportdb.records import findings
from exportdb.records.outcome import Outcome
from exportdb.site import addresses, markup
from exportdb.site.model import Cell, OutcomeCounts, Site, grouped, rank
from exportdb.site.page import Page, Section
from exportdb.site.svg import Series, chart, small_charts
from exportdb.site.words import first_line

#: The lists on the page of an exporter: anchor and title.
LISTS = {
    "wrong": "What is wrong",
    "refused": "What it refuses",
    "partial": "What it does in part",
}
#: How many causes of a list, and cases of a cause, are shown at once.
WORST, MOST = 10, 5
#: How many lines a chart may have; of more, each has one of its own.
TOGETHER = 4


# --- one exporter, and all of them -------------------------------------------------------------


def _list(outcome: Outcome) -> str:
    """The list that a result stands in; "" for none."""
    if outcome.bad or outcome.silent:
        return "wrong"
    if outcome is Outcome.REFUSED:
        return "refused"
    return "partial" if outcome.compared and not outcome.full else ""


@dataclass(frozen=True)
class CellGroup:
    """Cells of an exporter with one cause: an entry of the catalogue, or what ``title`` says."""

    outcome: Outcome
    entry: str
    title: str
    cells: tuple[Cell, ...]

    @property
    def issues(self) -> list[str]:
        """Where it is reported, each once."""
        return list(dict.fromkeys(c.issue for c in self.cells if c.issue))


def todo(site: Site, name: str) -> dict[str, list[CellGroup]]:
    """What is wanting of an exporter at the point it is judged by, by list: what differs without a
    word first, then what most cases have.
    """
    cells = site.scored(site.at(name, site.newest[name]).values())
    found: dict[str, list[CellGroup]] = {}
    for (anchor, outcome, entry, title), row in grouped(cells, _cause).items():
        if anchor:
            found.setdefault(anchor, []).append(CellGroup(outcome, entry, title, tuple(row)))
    for causes in found.values():
        causes.sort(key=lambda c: (not c.outcome.silent, -c.outcome.rank, -len(c.cells)))
    return found


def _cause(cell: Cell) -> tuple[str, Outcome, str, str]:
    """The list that a cell stands in, and what puts it together with others there."""
    error, told = cell.error, _list(cell.outcome)
    if told and error:
        said = f"{error.type}: {first_line(error.message, 110)}"
        return told, cell.outcome, error.catalogue or "", "" if error.catalogue else said
    found = findings.explaining([f.id for f in cell.record.findings])
    # A range that is too wide is one cause, whatever was noted of each. Of every other difference
    # the note says more than what goes along with it.
    noted = "" if found == "range-wider-than-guards" else first_line(cell.note, 160)
    return told, cell.outcome, "", noted or findings.meaning(found) or cell.outcome.meaning


def changes(site: Site, name: str) -> list[tuple[Cell, Cell]]:
    """What came out otherwise with the newest torch than with the one before, the worse first."""
    if name not in site.before:
        return []
    old, new = site.at(name, site.before[name]), site.at(name, site.newest[name])
    pairs = [(old[i], cell) for i, cell in new.items() if i in old]
    other = [(a, b) for a, b in pairs if a.outcome != b.outcome]
    return sorted(other, key=lambda p: p[0].outcome.rank - p[1].outcome.rank)


def exporter(site: Site, name: str) -> Page:
    """The page of an exporter: what is to be done, worst first."""
    address = addresses.exporter(name)
    link = partial(addresses.relative, start=address)
    point, before = site.newest[name], site.before.get(name)
    scored = site.scored(site.at(name, point).values())
    score, found = OutcomeCounts.of(scored), todo(site, name)

    def one(cell: Cell) -> Markup:
        return Markup("<li>{}</li>").format(
            markup.link(link(addresses.case(cell.case)), site.cases[cell.case].case.meta.title)
        )

    lists = []
    for anchor, title in LISTS.items():
        causes = found.get(anchor, [])
        html = markup.render("todo.html", causes=causes, site=site, link=link, one=one,
                             worst=WORST, most=MOST)  # fmt: skip
        lists.append(Section(anchor, f"{title} ({sum(len(c.cells) for c in causes)})", html))
    file = posixpath.basename(address)
    elsewhere = [("as JSON", f"{file}.json"), ("as a feed", f"{file}.atom")]
    if before:
        both = (
            link(addresses.compared("torch", before.torch, point.torch))
            + f"&only-exporter={quote(name)}"
        )
        elsewhere.insert(0, ("compared in full", both))
    changed = markup.render("changed.html", changes=changes(site, name), before=before, point=point,
                            site=site, link=link, elsewhere=elsewhere)  # fmt: skip
    others = [markup.link(link(addresses.compared("exporter", name, e)), e)
              for e in site.exporters if e != name]  # fmt: skip
    compared = Markup(" · ").join(others) or "no other: there is none here"
    trend = trends_html([by_torch(site, [name], device) for device in site.devices])
    return Page(
        name=address,
        title=f"Exporter {name}",
        description=f"{name} supports {score.supported} of {score.total} small PyTorch programs on "
        f"torch {point.torch}: what is wrong, what it refuses, and what changed.",
        lead=markup.render("score.html", score=score, point=point, badge=f"{file}.svg",
                           changed=_changed(site, name) if before else "", before=before,
                           said=site.described.get(name)),
        sections=(
            *lists,
            Section("changed", "What changed since the last torch", changed),
            Section("score", "Score by area", by_topic(site, name, link)),
            Section("trend", "Trend", trend),
            Section("compare", "Compare", Markup("<p>With {}.</p>").format(compared)),
        ),
        kind="exporter",
        source=site.sources.get(name, "exportdb/exporters"),
    )  # fmt: skip


def index(site: Site) -> Page:
    """All exporters with their scores."""
    link = partial(addresses.relative, start=addresses.EXPORTERS)
    rows: list[tuple[tuple[str, ...], OutcomeCounts]]
    scores = {
        e: OutcomeCounts.of(site.scored(site.at(e, p).values())) for e, p in site.newest.items()
    }
    rows = [((_named(site, e, link(addresses.exporter(e))), f"{p.torch}, {p.device}",
              _changed(site, e, link(addresses.exporter(e)))),
             scores[e]) for e, p in site.newest.items()]  # fmt: skip
    lead = Markup(
        "<p>Each with the newest torch that enough cases were measured with. The share is what it "
        "supports in full of what was compared; <em>changed</em> is since the torch before.</p>"
    ) + score_table("Scores", ("exporter", "torch", "changed"), rows)
    if site.elsewhere:
        others = sorted(site.elsewhere.items(), key=lambda row: (*row[0][:2], rank(row[0][2])))
        rows = [
            (
                (suite, e, ", ".join((f"torch {p.torch}", p.device, *p.switches))),
                OutcomeCounts(counts),
            )
            for (suite, e, p), counts in others
        ]
        lead += Markup('<h2 id="suites">Programs from other suites</h2>')
        lead += score_table("Other suites", ("suite", "exporter", "measured on"), rows)
    return Page(
        name=addresses.EXPORTERS,
        title="Exporters",
        description="How many of the programs each exporter captures, refuses, or gets wrong.",
        lead=lead,
        kind="index",
        source="exportdb/exporters",
    )


def by_topic(site: Site, name: str, link: Callable[[str], str]) -> Markup:
    """The score of an exporter topic by topic, at the point it is judged by."""
    scored = site.scored(site.at(name, site.newest[name]).values())
    rows = [
        ((markup.link(link(addresses.topic(t)), t or "no topic"),), OutcomeCounts.of(cells))
        for t, cells in grouped(scored, lambda c: site.cases[c.case].case.topic).items()
    ]
    return score_table("Score by topic", ("topic",), rows)


def _named(site: Site, name: str, href: str) -> Markup:
    """An exporter with what it is."""
    said = Markup("<small>{}</small>").format(site.described.get(name, ""))
    return markup.link(href, name) + (said if name in site.described else "")


def _changed(site: Site, name: str, href: str = "") -> Markup:
    """How many outcomes are worse and better than with the torch before, as a link to them."""
    if name not in site.before:
        return Markup("–")
    pairs = changes(site, name)
    worse = sum(new.outcome.rank > old.outcome.rank for old, new in pairs)
    counts = {"worse": worse, "better": len(pairs) - worse}
    told = ", ".join(f"{n} {word}" for word, n in counts.items() if n) or "nothing"
    return markup.link(f"{href}#changed", told)


def score_table(
    label: str, heads: Sequence[str], rows: Sequence[tuple[Sequence[str], OutcomeCounts]]
) -> Markup:  # fmt: skip
    """A table of scores, the worst outcome first; one that nobody met would be all zeros."""
    met = [o for o in reversed(Outcome) if any(score.counts.get(o) for _, score in rows)]
    return markup.render("scores.html", label=label, heads=heads, rows=rows, outcomes=met)


# --- trends ------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Trend:
    """Numbers over labels: a chart, and the table beside it."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    unit: str = ""
    #: The same of the cases alone that were measured at every label, where there are enough.
    alike: tuple[Series, ...] = ()

    @property
    def known(self) -> bool:
        """Whether there is anything to show."""
        return any(s.drawn for s in self.series)

    @property
    def comparable(self) -> list[Series]:
        """What is drawn: numbers of the same cases, or at least of as many."""
        return list(self.alike) or [_comparable(s) for s in self.series]

    @property
    def drawn(self) -> Markup:
        """The chart, one for each exporter where lines of all would hide each other; nothing at a
        single label, where no line could show a development.
        """
        if len(self.labels) < 2:
            return Markup("")
        if sum(s.drawn for s in self.comparable) <= TOGETHER:
            return chart(self.title, self.labels, self.comparable, self.unit)
        return small_charts(self.labels, self.comparable, self.unit)

    @property
    def partial(self) -> bool:
        """Whether the table has numbers that the chart leaves out."""
        return bool(self.drawn) and any(
            a.values != b.values for a, b in zip(self.comparable, self.series, strict=True)
        )


def _comparable(series: Series) -> Series:
    """The series without what is known of less than half of the most cases: a line from a few of
    them to all would show a development that nobody measured.
    """
    most = max(series.of, default=0)
    kept = zip(series.values, series.of, strict=True)
    return (
        replace(series, values=tuple(v if 2 * n >= most else None for v, n in kept))
        if most
        else series
    )


def trends(site: Site) -> Page:
    """Support, capture time and guards over torch versions and over runs."""

    def over_torch(number: Number) -> list[Trend]:
        return [_over_torch(site, number, device) for device in site.devices]

    found = (
        ("support", "Support over torch versions", over_torch(SUPPORT)),
        ("time", "Support over time", _over_time(site)),
        ("seconds", "Capture time", over_torch(SECONDS)),
        ("guards", "Guards", over_torch(GUARDS)),
    )
    told = [part for part in found if any(t.known for t in part[2])]
    return Page(
        name=addresses.TRENDS,
        title="Trends",
        description="How support by exporter, capture time and guard counts develop over torch "
        "versions and runs.",
        lead="<p>What each exporter supports of the cases it was measured on; what it declares "
        "that it cannot do is not counted.</p>",
        sections=tuple(Section(i, title, trends_html(part)) for i, title, part in told),
        kind="trends",
        source="exportdb/site/pages/exporters.py",
    )


def by_torch(site: Site, exporters: Iterable[str], device: str) -> Trend:
    """The supported share of each exporter on a device, over torch versions."""
    return _over_torch(site, SUPPORT, device, tuple(exporters))


def trends_html(found: Iterable[Trend]) -> Markup:
    """Charts with their tables; a sentence where there is nothing to draw."""
    return markup.render("trends.html", trends=[t for t in found if t.known])


@dataclass(frozen=True)
class Number:
    """What a trend is of: what each cell says, if anything, and how that is put together."""

    title: str
    of: Callable[[Cell], float | None]
    together: Callable[[Sequence[float]], float]
    unit: str = ""


def _guards(cell: Cell) -> float | None:
    counts = cell.record.facts.get("counts")
    return n if isinstance(counts, dict) and isinstance(n := counts.get("guards"), int) else None


SUPPORT = Number("Cases supported", lambda c: 100 * c.outcome.full if c.outcome.compared else None,
                 fmean, "%")  # fmt: skip
SECONDS = Number("Median seconds of capture", lambda c: c.record.seconds.get("capture"), median,
                 " s")  # fmt: skip
GUARDS = Number("Guards recorded, all cases together", _guards, sum)


def _series(name: str, rows: Sequence[Collection[Cell]], number: Number) -> Series:
    """The numbers that rows of cells make, with how many cells of each row say one."""
    said = [[n for c in row if (n := number.of(c)) is not None] for row in rows]
    if number is SUPPORT:  # nothing computes where predictions stand: nothing can be supported
        predicted = [any(c.outcome is Outcome.PREDICTED for c in row) for row in rows]
        said = [[] if nothing else row for row, nothing in zip(said, predicted, strict=True)]
    values = tuple(number.together(row) if row else None for row in said)
    return Series(name, values, tuple(map(len, said)))


def _over_torch(
    site: Site, number: Number, device: str, exporters: Sequence[str] = ()
) -> Trend:  # fmt: skip
    points = [p for p in site.points if p.device == device]
    names = exporters or site.exporters
    rows = {e: [site.scored(site.at(e, p).values()) for p in points] for e in names}
    series = [_series(e, rows[e], number) for e in names]
    # Expectations keep no times: a version that has none at all would be an empty column.
    kept = [i for i in range(len(points)) if any(s.values[i] is not None for s in series)]
    alike = [_series(e, _common(rows[e]), number) for e in names]

    def shown(found: Sequence[Series]) -> tuple[Series, ...]:
        return tuple(Series(s.name, tuple(s.values[i] for i in kept), tuple(s.of[i] for i in kept))
                     for s in found)  # fmt: skip

    return Trend(
        f"{number.title}, {device}",
        tuple(f"torch {points[i].torch}" for i in kept),
        shown(series),
        number.unit,
        shown(alike),
    )


def _common(rows: Sequence[Sequence[Cell]]) -> list[list[Cell]]:
    """The cells of those cases alone that all rows have that are kept: many versions of few cases,
    or few of many, whichever shows more steps of a case from one version to the next.
    """
    longest = sorted(range(len(rows)), key=lambda at: -len(rows[at]))
    shared = {c.case for row in rows for c in row}
    kept, best, most = 0, shared, 0
    for steps, at in enumerate(longest):
        shared = shared & {c.case for c in rows[at]}
        if not steps or steps * len(shared) > most:
            kept, best, most = steps + 1, shared, steps * len(shared)
    return [[c for c in row if c.case in best and at in longest[:kept]]
            for at, row in enumerate(rows)]  # fmt: skip


def _over_time(site: Site) -> list[Trend]:
    """The supported share by run, for each point that several runs measured."""
    counted = (c for v in site.cases.values() for c in site.scored(v.history))
    seen = grouped(counted, lambda c: c.point)
    found = []
    for point in sorted(seen, key=rank):
        runs = grouped(seen[point], lambda c: (c.started, c.run and c.run.run))
        if len(runs) < 2:
            continue
        ordered = [runs[run] for run in sorted(runs)]
        names = [e for e in site.exporters if any(c.exporter == e for c in seen[point])]
        series = tuple(
            _series(e, [[c for c in row if c.exporter == e] for row in ordered], SUPPORT)
            for e in names
        )
        labels = tuple(row[0].started[:16].replace("T", " ") for row in ordered)
        found.append(
            Trend(f"{SUPPORT.title}, torch {point.torch} on {point.device}", labels, series, "%")
        )
    return found
