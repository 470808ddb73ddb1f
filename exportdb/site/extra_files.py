"""What stands on the site beside the pages: downloads, redirects, the sitemap."""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from itertools import combinations
from xml.sax.saxutils import escape

from exportdb.reports.status import atom, markdown, prometheus
from exportdb.site import addresses, feeds, markup
from exportdb.site.model import Site
from exportdb.store.status import Status


def files(site: Site, pages: Iterable[str], url: str) -> Iterator[tuple[str, str]]:
    """Path and text of every file beside the pages; ``pages`` are the addresses of these."""
    for view in site.cases.values():
        yield f"{addresses.case(view.id)}.py", view.case.source
    for old in site.redirects:
        if (new := site.current(old)) in site.cases:
            yield _redirect(addresses.case(old), addresses.case(new), new)
    # Comparisons had a page for each pair once.
    for kind, names, prefix in (("exporter", sorted(site.exporters), ""),
                                ("torch", site.torches, "torch-")):  # fmt: skip
        for a, b in combinations(names, 2):
            old = f"compare/{prefix}{addresses.slug(a)}_and_{addresses.slug(b)}"
            yield _redirect(old, addresses.compared(kind, a, b), f"{a} and {b} compared")
    yield from feeds.files(site, url).items()
    if site.course is not None:
        yield from _status(site.course.status, url)
    for entry in site.entries.values():  # short enough to be typed, and pasted into an issue
        title, said = f"{entry.id}: {entry.title}", markup.summary(entry.meaning)
        yield _redirect(entry.id, addresses.error(entry.id), title, said, url)
    yield ".nojekyll", ""  # GitHub would leave out folders that begin with an underscore
    if url:
        yield "sitemap.xml", sitemap([p for p in pages if p != "404"], url)


def _status(status: Status, url: str) -> Iterator[tuple[str, str]]:
    """The status in the forms that are read elsewhere."""
    page = addresses.STATUS
    yield f"{page}.json", json.dumps(status.to_json(), indent=1) + "\n"
    yield f"{page}.md", markdown.render(status)
    yield f"{page}.prom", prometheus.render(status)
    yield f"{page}.atom", atom.render(status, f"{url.rstrip('/')}/{page}" if url else "")


def _redirect(
    old: str, new: str, title: str, description: str = "", url: str = ""
) -> tuple[str, str]:
    """A page that leads from an old address to the new one, with scripts or without."""
    href = addresses.relative(new, old)
    return f"{old}.html", markup.render(
        "redirect.html", href=href, title=title, description=description, url=url.rstrip("/")
    ) + "\n"


def sitemap(pages: Iterable[str], url: str) -> str:
    """All pages, as search engines want to read it."""
    base = url.rstrip("/")
    entries = "".join(
        f"<url><loc>{escape(f'{base}/{p}.html')}</loc></url>\n" for p in sorted(pages)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )
