"""From the model to pages: one module for each kind of page, pure functions throughout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import cache, partial
from pathlib import Path

from exportdb.records.record import digest
from exportdb.site import addresses
from exportdb.site.model import Site
from exportdb.site.page import Draft, Page
from exportdb.site.pages import case, compare, exporters, front, lists, outline


def drafts(site: Site) -> Iterator[Draft]:
    """Every page of the site, each with a key of just what it is made from."""
    told = outline.of(site)

    def draft(name: str, make: Callable[[], Page], *parts: str) -> Draft:
        return Draft(name, make, digest("\n".join((code(), *parts))))

    for view in site.cases.values():
        make = partial(case.page, site, view)
        yield draft(addresses.case(view.id), make, case.key(site, view))
    texts, columns = told.texts, told.columns
    yield draft(front.NAME, partial(front.page, site), texts, columns,
                str(front.results(site)))  # fmt: skip
    yield draft(lists.EXPLAIN, partial(lists.explain, site), told.entries)
    yield draft("404", partial(lists.not_found, site))
    yield draft(lists.TAGS, partial(lists.tags, site), texts)
    yield draft(lists.TOPICS, partial(lists.topics, site), texts)
    yield draft(exporters.INDEX, partial(exporters.index, site), columns, told.runs)
    yield draft(compare.INDEX, partial(compare.index, site), columns)
    yield draft(exporters.TRENDS, partial(exporters.trends, site), columns, told.runs)
    for tag, views in site.by_tag.items():
        make = partial(lists.tag, site, tag)
        yield draft(addresses.tag(tag), make, told.tags[tag], *told.cases(views), columns)
    for topic, views in site.topics.items():
        make = partial(lists.topic, site, topic)
        yield draft(addresses.topic(topic), make, *told.cases(views), columns)
    for entry in site.entries:
        make = partial(lists.error, site, entry)
        yield draft(addresses.error(entry), make, told.errors[entry])
    for name in site.exporters:
        make = partial(exporters.exporter, site, name)
        said = site.described.get(name, "")
        yield draft(addresses.exporter(name), make, columns, told.exporters[name], said)
    for a, b in compare.pairs(site):
        make = partial(compare.exporters, site, a, b)
        name = addresses.exporters_compared(a, b)
        yield draft(name, make, told.compared[a], told.compared[b])
    for a, b in compare.torch_pairs(site):
        make = partial(compare.torches, site, a, b)
        yield draft(addresses.torches_compared(a, b), make, *told.compared.values())


@cache
def code() -> str:
    """Digest of the code and the templates that make pages."""
    folder = Path(__file__).parent.parent
    paths = sorted([*folder.rglob("*.py"), *folder.glob("templates/*.html")])
    return digest(b"".join(p.read_bytes() for p in paths))
