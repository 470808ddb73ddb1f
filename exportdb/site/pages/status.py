"""The page of the status: what ``exportdb status`` says, and how it came to that night by night.

Pure. What is counted, and in what words, is decided where the command's other forms are made.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from markupsafe import Markup, escape

from exportdb.reports import status as words
from exportdb.site import addresses, markup
from exportdb.site.model import Site
from exportdb.site.page import Page, Section
from exportdb.site.pages.exporters import Trend, trends_html
from exportdb.site.svg import Series
from exportdb.store.status import Course, PastNight, Status, StatusChange, StatusRow

#: The files beside the page, and what they are.
FILES = {
    "status.md": "Markdown for a post",
    "status.json": "JSON",
    "status.atom": "a feed of changes",
    "status.prom": "metrics for Prometheus",
}
#: How many changes, of each kind, are listed.
MOST = 200
_Key = tuple[str, str, str]


@dataclass(frozen=True)
class _Drawn:
    """A number of each row that is drawn over nights, with how many programs it is of."""

    title: str
    of: Callable[[StatusRow], float | None]
    count: Callable[[StatusRow], int]
    unit: str = ""


def _share(row: StatusRow) -> float | None:
    return 100 * row.levels.get("supported", 0) / _compared(row) if _compared(row) else None


def _compared(row: StatusRow) -> int:
    return row.measured - row.levels.get("uncompared", 0)


DRAWN = (
    _Drawn("Programs supported", _share, _compared, "%"),
    _Drawn("Programs silently wrong", lambda r: r.levels.get("wrong", 0), _compared),
    _Drawn("Seconds of a capture, mean", lambda r: r.capture_mean, lambda r: r.measured, " s"),
    _Drawn("Seconds until the first result, mean", lambda r: r.first_result_mean,
           lambda r: r.measured, " s"),
    _Drawn("Guards of a graph, mean", lambda r: r.guards_mean, lambda r: r.measured),
)  # fmt: skip


def page(site: Site, course: Course) -> Page:
    """The page of the last measurement."""
    status = course.status
    parts = [
        ("counts", "What is supported", _counts(status)),
        *((name.replace(" ", "-"), name.capitalize(), html) for name, html in _lists(site, status)),
        ("course", "Night by night", trends_html(_trends(course.past))),
        ("scores", "Scores", _scores(status)),
    ]
    return Page(
        name=addresses.STATUS,
        title="Status",
        description="What each exporter supports now, by suite, what changed since the last run "
        "and the last week, and what captures cost.",
        lead=_lead(status),
        sections=tuple(Section(*part) for part in parts if part[2]),
        kind="trends",
        source="exportdb/site/pages/status.py",
    )


def _lead(status: Status) -> Markup:
    files = [markup.link(name, told) for name, told in FILES.items()]
    return Markup("<p>{}. {}</p><p>The same as {}.</p>").format(
        words.title(status), words.compared(status), Markup(", ").join(files)
    )


def _counts(status: Status) -> Markup:
    rows = [words.cells(row) for row in status.rows]
    # A column in which nobody has anything pushes others out of sight.
    kept = [i for i in range(len(words.HEADER)) if {row[i] for row in rows} - {"", "."}]
    heads, *shown = ([row[i] for i in kept] for row in (words.HEADER, *rows))
    return markup.render(
        "status_table.html", label="Programs by suite, exporter and level of support",
        heads=heads, named=2, rows=shown,
    )  # fmt: skip


def _scores(status: Status) -> Markup:
    if not status.scores:
        return Markup("")
    rule = Markup(
        "<p>A score is the mean of the areas' shares of supported cases, over the list {}, which "
        "is frozen with each release. What the exporter or the device declares that it cannot do "
        "does not count. What is less than supported, was not measured, or was compared with "
        "nothing, is no pass; “compared” is the share of which anything was compared with "
        "eager. {}.</p>"
    ).format(status.scores[0].cases, markup.link(addresses.SCORE_RULE, "The rule in full"))
    rows = [words.told_score(score) for score in status.scores]
    heads = ("exporter", "score", "compared", "weakest areas")
    return rule + markup.render(
        "status_table.html", label="Score by exporter", heads=heads, named=1, rows=rows
    )


def _lists(site: Site, status: Status) -> list[tuple[str, Markup]]:
    """The lists below the table, changes with a link to the page of their case."""
    linked = {
        words.changed(c): _linked(site, c)
        for c in (*status.newly_failing, *status.newly_fixed, *status.flaky)
    }
    found = []
    for name, lines in words.lists(status).items():
        items = [linked.get(line, escape(line)) for line in lines[:MOST]]
        if more := len(lines) - MOST:
            items += [Markup("and {:,} more").format(more)] if more > 0 else []
        html = Markup("").join(Markup("<li>{}</li>").format(item) for item in items)
        found.append((name, Markup("<ul>{}</ul>").format(html) if items else Markup("")))
    return found


def _linked(site: Site, change: StatusChange) -> Markup:
    case = site.current(change.case)
    if change.suite != "cases" or case not in site.cases:
        return escape(words.changed(change))
    before, _, after = words.changed(change).partition(change.case)
    href = addresses.relative(addresses.case(case), addresses.STATUS)
    return Markup("{}{}{}").format(before, markup.link(href, change.case), after)


def _trends(past: Sequence[PastNight]) -> list[Trend]:
    """A chart for each suite and device, and each number that is drawn."""
    labels = tuple(p.now.date[:10] for p in past)
    by_key = [{(r.suite, r.exporter, r.device): r for r in p.rows} for p in past]
    keys = sorted({key for rows in by_key for key in rows})
    places = dict.fromkeys((suite, device) for suite, _, device in keys)
    return [
        Trend(f"{drawn.title}: {suite}, {device}", labels, _series(drawn, by_key, of), drawn.unit)
        for suite, device in places
        for of in [[key for key in keys if (key[0], key[2]) == (suite, device)]]
        for drawn in DRAWN
    ]


def _series(
    drawn: _Drawn, by_key: Sequence[dict[_Key, StatusRow]], keys: Sequence[_Key]
) -> tuple[Series, ...]:
    found = []
    for key in keys:
        rows = [rows.get(key) for rows in by_key]
        values = tuple(None if row is None else drawn.of(row) for row in rows)
        of = tuple(0 if row is None else drawn.count(row) for row in rows)
        found.append(Series(key[1], values, of))
    return tuple(found)
