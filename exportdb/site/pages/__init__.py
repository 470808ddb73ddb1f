"""From the model to pages: one module for each kind of page, pure functions throughout."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from exportdb.records.record import digest
from exportdb.site import addresses
from exportdb.site.model import Site
from exportdb.site.page import Draft
from exportdb.site.pages import case, exporters, front, lists


def drafts(site: Site) -> Iterator[Draft]:
    """Every page of the site, the cases first: they are most of the work."""
    for view in site.cases.values():
        key = digest(code() + case.key(site, view))
        yield Draft(addresses.case(view.id), partial(case.page, site, view), key)
    yield Draft(front.NAME, partial(front.page, site))
    yield Draft(lists.EXPLAIN, partial(lists.explain, site))
    yield Draft("404", partial(lists.not_found, site))
    yield Draft(lists.TAGS, partial(lists.tags, site))
    yield Draft(lists.TOPICS, partial(lists.topics, site))
    yield Draft(exporters.INDEX, partial(exporters.index, site))
    yield Draft(exporters.COMPARE, partial(exporters.compare, site))
    yield Draft(exporters.TRENDS, partial(exporters.trends, site))
    for tag in site.by_tag:
        yield Draft(addresses.tag(tag), partial(lists.tag, site, tag))
    for topic in site.topics:
        yield Draft(addresses.topic(topic), partial(lists.topic, site, topic))
    for entry in site.entries:
        yield Draft(addresses.error(entry), partial(lists.error, site, entry))
    for name in site.exporters:
        yield Draft(addresses.exporter(name), partial(exporters.exporter, site, name))
    for a, b in exporters.pairs(site):
        page = partial(exporters.compare_exporters, site, a, b)
        yield Draft(addresses.exporters_compared(a, b), page)
    for a, b in exporters.torch_pairs(site):
        page = partial(exporters.compare_torches, site, a, b)
        yield Draft(addresses.torches_compared(a, b), page)


@cache
def code() -> str:
    """Digest of the code and the templates that make pages."""
    folder = Path(__file__).parent.parent
    paths = sorted([*folder.rglob("*.py"), *folder.glob("templates/*.html")])
    return digest(b"".join(p.read_bytes() for p in paths))
