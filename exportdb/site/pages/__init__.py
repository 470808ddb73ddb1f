"""From the model to pages: one module for each kind of page, pure functions throughout."""

from __future__ import annotations

from collections.abc import Iterator
from functools import cache, partial
from pathlib import Path

from exportdb.records.record import digest
from exportdb.site import addresses
from exportdb.site.model import Site
from exportdb.site.page import Draft
from exportdb.site.pages import case, front


def drafts(site: Site) -> Iterator[Draft]:
    """Every page of the site."""
    yield Draft(front.NAME, partial(front.page, site))
    for view in site.cases.values():
        key = digest(code() + case.key(site, view))
        yield Draft(addresses.case(view.id), partial(case.page, site, view), key)


@cache
def code() -> str:
    """Digest of the code and the templates that make pages."""
    folder = Path(__file__).parent.parent
    paths = sorted([*folder.rglob("*.py"), *folder.glob("templates/*.html")])
    return digest(b"".join(p.read_bytes() for p in paths))
