"""From the model to pages: one module for each kind of page, pure functions throughout."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from typing import NamedTuple

from exportdb.site import addresses
from exportdb.site.model import Site
from exportdb.site.page import Page
from exportdb.site.pages import case, errors, exporters, lists, status


class Draft(NamedTuple):
    """A page to be made. ``key`` stands for all that it is made from: with the same key it is the
    same page. Without one, only making it tells.
    """

    name: str
    make: Callable[[], Page]
    key: str = ""


def drafts(site: Site) -> Iterator[Draft]:
    """Every page of the site."""
    for view in site.cases.values():
        yield Draft(addresses.case(view.id), partial(case.page, site, view), case.key(site, view))
    for name, page in (
        ("index", lists.front), (addresses.EXPLAIN, errors.explain), ("404", lists.not_found),
        (addresses.TAGS, lists.tags), (addresses.TOPICS, lists.topics),
        (addresses.EXPORTERS, exporters.index), (addresses.TRENDS, exporters.trends),
        (addresses.COMPARE, lists.compare),
    ):  # fmt: skip
        yield Draft(name, partial(page, site))
    if site.course is not None:
        yield Draft(addresses.STATUS, partial(status.page, site, site.course))
    for address, names, one in (
        (addresses.tag, site.by_tag, lists.tag), (addresses.topic, site.topics, lists.topic),
        (addresses.error, site.entries, errors.error),
        (addresses.exporter, site.exporters, exporters.exporter),
    ):  # fmt: skip
        for name in names:
            yield Draft(address(name), partial(one, site, name))
