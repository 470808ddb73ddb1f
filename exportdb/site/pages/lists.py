"""Pages that list cases: one for each tag, topic and error, and the pages that lead to them."""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial

from markupsafe import Markup

from exportdb.site import addresses, markup
from exportdb.site.model import CaseView, Cell, Place, Site
from exportdb.site.page import Page, Section
from exportdb.site.pages.matrix import Link, places_of

TAGS, TOPICS, EXPLAIN = "tags/index", "topics/index", "explain"


def support_table(site: Site, views: Sequence[CaseView], link: Link) -> Markup:
    """Cases down, exporters across, each at the newest place where it was measured."""
    at = {e: place for e in site.exporters if (place := site.newest(e)) is not None}
    rows = [(v, [(e, v.by_key.get((e, place))) for e, place in at.items()]) for v in views]
    return markup.render("cases.html", rows=rows, at=at, link=link, addresses=addresses)


def tag(site: Site, name: str) -> Page:
    """The page of a tag."""
    address = addresses.tag(name)
    link = partial(addresses.relative, start=address)
    views = site.by_tag[name]
    said = site.tags[name].description if name in site.tags else ""
    return Page(
        name=address,
        title=f"Tag {name}",
        description=markup.summary(said) or f"Cases tagged {name}.",
        lead=str(markup.paragraphs(said)) + _count(views) + str(support_table(site, views, link)),
        kind="tag",
    )


def topic(site: Site, name: str) -> Page:
    """The page of a topic: the folder that cases lie in."""
    address = addresses.topic(name)
    link = partial(addresses.relative, start=address)
    views = site.topics[name]
    shown = name.replace("_", " ") if name else "no topic"
    return Page(
        name=address,
        title=f"Topic: {shown}",
        description=f"{len(views)} small PyTorch programs about {shown}, and which exporters "
        "capture them.",
        lead=_count(views) + str(support_table(site, views, link)),
        kind="topic",
    )


def error(site: Site, entry_id: str) -> Page:
    """The permanent page of an entry of the error catalogue."""
    entry = site.entries[entry_id]
    address = addresses.error(entry_id)
    link = partial(addresses.relative, start=address)
    explained = site.by_entry.get(entry_id, [])
    raised: dict[str, list[Cell]] = {}
    for cell in site.raised.get(entry_id, ()):
        raised.setdefault(cell.case, []).append(cell)
    sections = [
        Section("meaning", "What it means", str(markup.paragraphs(entry.meaning))),
        Section("remedy", "What to do", str(markup.paragraphs(entry.remedy))),
    ]
    if entry.causes:
        told = markup.render("causes.html", causes=entry.causes)
        sections.append(Section("causes", "Which cause it is", str(told)))
    if entry.where:
        told = markup.paragraphs(entry.where)
        sections.append(Section("where", "Where it was raised matters", str(told)))
    if explained:
        listed = markup.render("explained.html", views=explained, site=site, link=link,
                               addresses=addresses, paragraphs=markup.paragraphs)  # fmt: skip
        sections.append(Section("cases", "Cases that explain it", str(listed)))
    where = [(site.cases[c], places_of(cells)) for c, cells in raised.items()]
    sections.append(
        Section(
            "raised",
            "Where it was raised",
            str(markup.render("raised.html", where=where, link=link, addresses=addresses)),
        )
    )
    return Page(
        name=address,
        title=f"{entry_id}: {entry.title}",
        description=markup.summary(entry.meaning),
        lead=str(markup.render("entry.html", entry=entry, link=link)),
        sections=tuple(sections),
        kind="error",
    )


def explain(site: Site) -> Page:
    """The page that explains a pasted error, and lists the whole catalogue."""
    return Page(
        name=EXPLAIN,
        title="Explain an error",
        description="Paste the traceback of a failed torch.export: what it means, what to do, and "
        "small programs that show it.",
        lead=str(markup.render("explain.html", site=site)),
        sections=(
            Section("catalogue", "All errors that are explained", str(markup.render(
                "catalogue.html", site=site, link=partial(addresses.relative, start=EXPLAIN),
                addresses=addresses))),
        ),
        kind="explain",
    )  # fmt: skip


def tags(site: Site) -> Page:
    """All tags, with what each means."""
    meaning = {name: tag.description for name, tag in site.tags.items()}
    rows = [(addresses.tag(n), n, len(v), meaning.get(n, "")) for n, v in site.by_tag.items()]
    return _index(TAGS, "Tags", "What the cases are about, tag by tag.", "tag", rows)


def topics(site: Site) -> Page:
    """All topics."""
    rows = [(addresses.topic(n), n or "no topic", len(v), "") for n, v in site.topics.items()]
    return _index(TOPICS, "Topics", "The cases by topic.", "topic", rows)


def _index(
    name: str, title: str, description: str, what: str, rows: Sequence[tuple[str, str, int, str]]
) -> Page:
    """A page of links: rows are an address, what it is called, a count of cases, a meaning."""
    linked = [(addresses.relative(to, start=name), *told) for to, *told in rows]
    lead = str(markup.render("index.html", rows=linked, what=what,
                             said=any(row[-1] for row in rows)))  # fmt: skip
    return Page(name=name, title=title, description=description, lead=lead, kind="index")


def not_found(site: Site) -> Page:
    """What a server shows for an address that does not exist: a search."""
    return Page(
        name="404",
        title="There is no such page",
        description="Search the cases instead.",
        lead=str(markup.render("notfound.html", site=site)),
        kind="notfound",
    )


def newest_place(site: Site) -> Place | None:
    """The place that most exporters are judged by."""
    places = [p for e in site.exporters if (p := site.newest(e)) is not None]
    return max(places, key=places.count, default=None)


def _count(views: Sequence[CaseView]) -> str:
    return f"<p>{len(views):,} {'case' if len(views) == 1 else 'cases'}.</p>"
