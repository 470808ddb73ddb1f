"""Pages about exporters: the score of each, and trends.

A score counts cells at one place, the newest torch on the best-known device, so that it never mixes
what was measured in different circumstances.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from functools import partial
from statistics import median

from markupsafe import Markup

from exportdb.records.outcome import Outcome
from exportdb.site import addresses, markup
from exportdb.site.model import Cell, Place, Score, Site
from exportdb.site.page import Page, Section
from exportdb.site.pages import compare
from exportdb.site.pages.matrix import Link, first_line
from exportdb.site.svg import Series, chart

INDEX, TRENDS = "exporters/index", "trends"


@dataclass(frozen=True)
class Trend:
    """Numbers over labels: a chart, and the table beside it."""

    title: str
    labels: tuple[str, ...]
    series: tuple[Series, ...]
    unit: str = ""

    @property
    def told(self) -> bool:
        """Whether it holds any number."""
        return any(s.drawn for s in self.series)

    @property
    def drawn(self) -> Markup:
        """The chart; nothing at a single label, where no line could show a development."""
        if len(self.labels) < 2:
            return Markup("")
        return chart(self.title, self.labels, [_comparable(s) for s in self.series], self.unit)

    @property
    def partial(self) -> bool:
        """Whether the table has numbers that the chart leaves out."""
        return bool(self.drawn) and any(_comparable(s).values != s.values for s in self.series)


def _comparable(series: Series) -> Series:
    """The series without what is known of less than half of the most cases: a line from a few of
    them to all would show a development that nobody measured.
    """
    most = max(series.of, default=0)
    if not most:
        return series
    kept = zip(series.values, series.of, strict=True)
    return replace(series, values=tuple(v if 2 * n >= most else None for v, n in kept))


#: The lists on the page of an exporter: anchor, title, and which outcomes stand in it.
_LISTS: tuple[tuple[str, str, Callable[[Outcome], bool]], ...] = (
    ("wrong", "What is wrong", lambda o: o.bad or o.silent),
    ("refused", "What it refuses", lambda o: o is Outcome.REFUSED),
    ("partial", "What it does in part", lambda o: o.word == "partial" and not o.silent),
)


# --- one exporter ------------------------------------------------------------------------------


def exporter(site: Site, name: str) -> Page:
    """The page of an exporter."""
    address = addresses.exporter(name)
    link = partial(addresses.relative, start=address)
    place = site.newest(name)
    cells = list(site.at(name, place).values()) if place else []
    scored = site.scored(cells)
    score = Score.of(scored)
    lists = []
    for anchor, title, belongs in _LISTS:
        found = [c for c in cells if belongs(c.shown)]
        html = markup.render("cells.html", cells=found, site=site, link=link, addresses=addresses,
                             first_line=first_line)  # fmt: skip
        lists.append(Section(anchor, f"{title} ({len(found)})", str(html)))
    others = [e for e in site.exporters if e != name]
    pairs = {e: compare.pair(name, e) for e in others}
    compared = [(e, link(addresses.exporters_compared(*pair))) for e, pair in pairs.items()]
    sections = (
        Section("score", "Score by area", str(scores(site, scored, link))),
        *lists,
        Section("trend", "Trend", str(trends_html([by_torch(site, [name], d)
                                                   for d in site.devices]))),
        Section("compare", "Compare", str(markup.render("compared.html", compared=compared))),
    )  # fmt: skip
    return Page(
        name=address,
        title=f"Exporter {name}",
        description=f"What {name} captures of {score.total} small PyTorch programs, what it "
        "refuses, and where it is silently wrong.",
        lead=str(
            markup.render(
                "score.html",
                score=score,
                place=place,
                outcomes=Outcome,
                said=site.described.get(name),
            )
        ),
        sections=sections,
        kind="exporter",
    )


def index(site: Site) -> Page:
    """All exporters with their scores."""
    link = partial(addresses.relative, start=INDEX)
    rows = []
    for name in site.exporters:
        if (place := site.newest(name)) is not None:
            score = Score.of(site.scored(site.at(name, place).values()))
            rows.append((name, link(addresses.exporter(name)), place, score))
    elsewhere = sorted(
        ((suite, exporter, place, Score(counts))
         for (suite, exporter, place), counts in site.elsewhere.items()),
        key=lambda row: (row[0], row[1], row[2].rank),
    )  # fmt: skip
    return Page(
        name=INDEX,
        title="Exporters",
        description="How many of the programs each exporter captures, refuses, or gets wrong.",
        lead=str(markup.render("exporters.html", rows=rows, elsewhere=elsewhere,
                               shown=_met([row[-1] for row in rows]),
                               shown_elsewhere=_met([row[-1] for row in elsewhere]))),
        kind="index",
    )  # fmt: skip


def scores(site: Site, cells: Iterable[Cell], link: Link) -> Markup:
    """The outcomes of cells counted by topic."""
    by_topic: dict[str, list[Cell]] = {}
    for cell in cells:
        by_topic.setdefault(site.cases[cell.case].case.topic, []).append(cell)
    rows = [
        (topic, link(addresses.topic(topic)), Score.of(group)) for topic, group in by_topic.items()
    ]
    return markup.render("scores.html", rows=rows, shown=_met([row[-1] for row in rows]))


def _met(scores: Sequence[Score]) -> list[Outcome]:
    """The outcomes that occur: one that does not would be a column of zeros."""
    return [o for o in Outcome if any(s.counts.get(o) for s in scores)]


# --- trends ------------------------------------------------------------------------------------


def trends(site: Site) -> Page:
    """Support, capture time and guards over torch versions and over runs."""
    support = [by_torch(site, site.exporters, device) for device in site.devices]
    seconds = [_over_torch(site, device, "Median seconds of capture", _seconds, " s")
               for device in site.devices]  # fmt: skip
    guards = [_over_torch(site, device, "Guards recorded, all cases together", _guards)
              for device in site.devices]  # fmt: skip
    parts = (
        ("support", "Support over torch versions", support),
        ("time", "Support over time", _over_time(site)),
        ("seconds", "Capture time", seconds),
        ("guards", "Guards", guards),
    )
    return Page(
        name=TRENDS,
        title="Trends",
        description="How support by exporter, capture time and guard counts develop over torch "
        "versions and runs.",
        lead="<p>Shares are of the cases that were measured at that place; what an exporter "
        "declares that it cannot do is not counted. A dash stands where nothing was measured; the "
        "small number is of the cases that were.</p>",
        sections=tuple(Section(i, title, str(trends_html(found))) for i, title, found in parts),
        kind="trends",
    )


def by_torch(site: Site, exporters: Iterable[str], device: str) -> Trend:
    """The supported share of each exporter on a device, over torch versions."""
    return _over_torch(site, device, "Cases supported", _share, "%", tuple(exporters))


def trends_html(found: Sequence[Trend]) -> Markup:
    """Charts with their tables; a sentence where there is nothing to draw."""
    return markup.render("trends.html", trends=[t for t in found if t.told])


def _over_torch(
    site: Site, device: str, title: str, number: Callable[[Sequence[Cell]], float | None],
    unit: str = "", exporters: Sequence[str] = (),
) -> Trend:  # fmt: skip
    names = tuple(exporters or site.exporters)
    cells = {
        (name, p): site.scored(site.at(name, p).values())
        for name in names
        for p in site.places
        if p.device == device
    }
    known = {key: number(found) for key, found in cells.items()}
    # Expectations keep no times: a version that has none at all would be an empty column.
    kept = {p for (_, p), value in known.items() if value is not None}
    places = [p for p in site.places if p in kept]
    series = []
    for name in names:
        of = tuple(sum(number([c]) is not None for c in cells[name, p]) for p in places)
        series.append(Series(name, tuple(known[name, p] for p in places), of))
    labels = tuple(f"torch {p.torch}" for p in places)
    return Trend(f"{title}, {device}", labels, tuple(series), unit)


def _over_time(site: Site) -> list[Trend]:
    """The supported share by run, for each place that several runs measured."""
    seen: dict[Place, dict[tuple[str, str], dict[str, list[Outcome]]]] = {}
    for view in site.cases.values():
        for o in view.observations if not view.case.meta.breaks_contract else ():
            runs = seen.setdefault(o.place, {})
            run = runs.setdefault((o.source.started, o.source.run), {})
            run.setdefault(o.exporter, []).append(o.outcome)
    found = []
    for place in sorted(seen, key=lambda p: p.rank):
        runs = seen[place]
        if len(runs) < 2:
            continue
        names = [e for e in site.exporters if any(e in run for run in runs.values())]
        series = tuple(_share_by_run(e, [runs[r].get(e, []) for r in sorted(runs)]) for e in names)
        labels = tuple(started[:16].replace("T", " ") for started, _ in sorted(runs))
        found.append(Trend(f"Cases supported, torch {place.torch} on {place.device}",
                           labels, series, "%"))  # fmt: skip
    return found


def _share_by_run(name: str, runs: Sequence[Sequence[Outcome]]) -> Series:
    """An exporter's supported share; ``runs`` are the outcomes that each run saw."""
    return Series(name, tuple(map(_share_of, runs)), tuple(len(_counted(run)) for run in runs))


def _share(cells: Sequence[Cell]) -> float | None:
    return _share_of([c.outcome for c in cells])


def _share_of(outcomes: Sequence[Outcome]) -> float | None:
    counted = _counted(outcomes)
    if Outcome.PREDICTED in outcomes:  # nothing computes here, so nothing can be supported
        return None
    return 100 * sum(o.full for o in counted) / len(counted) if counted else None


def _counted(outcomes: Sequence[Outcome]) -> list[Outcome]:
    return [o for o in outcomes if o.compared]


def _seconds(cells: Sequence[Cell]) -> float | None:
    taken = [c.seconds["capture"] for c in cells if "capture" in c.seconds]
    return median(taken) if taken else None


def _guards(cells: Sequence[Cell]) -> float | None:
    counts = [c.facts.get("counts") for c in cells]
    numbers = [n for c in counts if isinstance(c, dict) and isinstance(n := c.get("guards"), int)]
    return float(sum(numbers)) if numbers else None
