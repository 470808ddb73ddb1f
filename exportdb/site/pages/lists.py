"""Pages that list cases: the front page, one for each tag and topic, and those that
lead to them.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import cache, partial

from markupsafe import Markup

from exportdb.records.outcome import Outcome
from exportdb.site import addresses, markup
from exportdb.site.model import CaseView, Cell, Site
from exportdb.site.page import Page
from exportdb.site.pages.exporters import by_topic
from exportdb.site.pages.matrix import Href
from exportdb.site.words import counted

#: Where tags are described.
TAGS = "cases/tags.yaml"


def front(site: Site) -> Page:
    """The explorer, and under it the list of all cases for those without scripts."""
    return Page(
        name="index",
        title="What PyTorch exporters can and cannot capture",
        description="Search small PyTorch programs by error message, operator or pattern, and see "
        "what torch.export, strict mode, make_fx and other exporters make of each: measured.",
        lead=markup.render("front.html", site=site,
                           results=sum(cell.outcome.compared for cell in site.cells)),
        kind="explorer",
    )  # fmt: skip


def support_table(site: Site, views: Sequence[CaseView], link: Href) -> Markup:
    """Cases down, exporters across, each at the newest point where it was measured."""
    at = site.newest
    found = {v.id: tuple((e, _outcome(v.by_key.get((e, at[e])))) for e in at) for v in views}
    met = {outcome for row in found.values() for _, outcome in row if outcome}
    rows = [_row(link(addresses.case(v.id)), v.case.meta.title, found[v.id]) for v in views]
    return markup.render("cases.html", rows=rows, at=at, link=link,
                         outcomes=[o for o in Outcome if o in met])  # fmt: skip


def _outcome(cell: Cell | None) -> Outcome | None:
    return cell.outcome if cell else None


@cache  # a case is in the list of its topic, and in that of each of its tags
def _row(href: str, title: str, cells: tuple[tuple[str, Outcome | None], ...]) -> Markup:
    return markup.render("case_row.html", href=href, title=title, cells=cells)


def tag(site: Site, name: str) -> Page:
    """The page of a tag."""
    said = site.tags[name].description if name in site.tags else ""
    return _cases(site, addresses.tag(name), f"Tag {name}", "tag", site.by_tag[name],
                  markup.summary(said) or f"Cases tagged {name}.", said, TAGS)  # fmt: skip


def topic(site: Site, name: str) -> Page:
    """The page of a topic: the folder that cases lie in."""
    shown, views = name.replace("_", " ") or "no topic", site.topics[name]
    return _cases(site, addresses.topic(name), f"Topic: {shown}", "topic", views,
                  f"{len(views)} small PyTorch programs about {shown}, and which exporters "
                  "capture them.", source=f"cases/{name}".rstrip("/"))  # fmt: skip


def _cases(site: Site, address: str, title: str, kind: str, views: Sequence[CaseView],
           description: str, said: str = "", source: str = "cases") -> Page:  # fmt: skip
    table = support_table(site, views, partial(addresses.relative, start=address))
    count = Markup("<p>{}.</p>").format(counted("cases", len(views)))
    return Page(address, title, description, markup.paragraphs(said) + count + table, kind=kind,
                source=source)  # fmt: skip


def tags(site: Site) -> Page:
    """All tags, with what each means."""
    meaning = {name: tag.description for name, tag in site.tags.items()}
    rows = [(addresses.tag(n), n, len(v), meaning.get(n, "")) for n, v in site.by_tag.items()]
    return _index(addresses.TAGS, "Tags", "What the cases are about, tag by tag.", "tag", rows,
                  TAGS)  # fmt: skip


def topics(site: Site) -> Page:
    """All topics, and how much of each the exporter supports that stands first."""
    name, about = addresses.TOPICS, "The cases by topic."
    first = next(iter(site.newest), None)
    if first is None:
        rows = [(addresses.topic(n), n or "no topic", len(v), "") for n, v in site.topics.items()]
        return _index(name, "Topics", about, "topic", rows)
    link: Href = partial(addresses.relative, start=name)
    said = Markup("<p>What {} makes of them, torch {} on {}. Each of the other <a href='{}'>"
                  "exporters</a> has such a table on its page.</p>")  # fmt: skip
    point = site.newest[first]
    lead = said.format(markup.link(link(addresses.exporter(first)), first), point.torch,
                       point.device, link(addresses.EXPORTERS))  # fmt: skip
    return Page(name, "Topics", about, lead + by_topic(site, first, link), kind="index")


def _index(
    name: str, title: str, description: str, what: str,
    rows: Sequence[tuple[str, str, int, str]], source: str = "cases",
) -> Page:  # fmt: skip
    """A page of links: rows are an address, what it is called, a count of cases, a meaning."""
    lead = markup.render("index.html", rows=rows, what=what, said=any(row[-1] for row in rows),
                         link=partial(addresses.relative, start=name))  # fmt: skip
    return Page(name, title, description, lead, kind="index", source=source)


def compare(_site: Site) -> Page:
    """The page that compares two exporters or torch versions; static/compare.js does."""
    return Page(addresses.COMPARE, "Compare", "Two exporters or two torch versions side by side.",
                markup.render("compare.html"), kind="compare",
                source="exportdb/site/static/compare.js")  # fmt: skip


def not_found(_site: Site) -> Page:
    """What a server shows for an address that does not exist: a search."""
    return Page("404", "There is no such page", "Search the cases instead.",
                markup.render("notfound.html"), kind="notfound",
                source="exportdb/site/templates/notfound.html")  # fmt: skip
