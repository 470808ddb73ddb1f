"""What stands on the site beside the pages: downloads, redirects, the sitemap.

Owns also that what an earlier build made and this one did not is removed, and nothing else.
"""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from xml.sax.saxutils import escape

from exportdb.site import addresses, markup
from exportdb.site.model import Site


def extras(site: Site, pages: list[str], url: str) -> Iterator[tuple[str, str]]:
    """Path and text of every file beside the pages; ``pages`` are the addresses of these."""
    for view in site.cases.values():
        yield f"{addresses.case(view.id)}.py", view.case.source
    for old in site.redirects:
        if (new := _now(site, old)) in site.cases:
            page = addresses.case(old)
            yield f"{page}.html", redirect(page, addresses.case(new), site, new)
    yield ".nojekyll", ""  # GitHub would leave out folders that begin with an underscore
    if url:
        yield "sitemap.xml", sitemap([p for p in pages if p != "404"], url)


def redirect(page: str, to: str, site: Site, case_id: str) -> str:
    """A page that leads from an old address to the new one, with scripts or without."""
    href = addresses.relative(to, page)
    return str(markup.render("redirect.html", href=href, case=site.cases[case_id].case)) + "\n"


def sitemap(pages: list[str], url: str) -> str:
    """All pages, as search engines want to read it."""
    base = url.rstrip("/")
    entries = "".join(
        f"<url><loc>{escape(f'{base}/{p}.html')}</loc></url>\n" for p in sorted(pages)
    )
    return (
        '<?xml version="1.0" encoding="UTF-8"?>\n'
        f'<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n{entries}</urlset>\n'
    )


def remove_gone(out: Path, before: set[str], now: set[str]) -> None:
    """Remove the files that an earlier build made and this one did not."""
    for name in before - now:
        path = out / name
        path.unlink(missing_ok=True)


def _now(site: Site, case_id: str) -> str:
    """The ID a case has now, however often it was renamed."""
    seen = {case_id}
    while (new := site.redirects.get(case_id)) is not None and new not in seen:
        seen.add(new)
        case_id = new
    return case_id
