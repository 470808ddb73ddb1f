"""The front page: the explorer, and under it the list of all cases for those without scripts."""

from __future__ import annotations

from exportdb.site.markup import render
from exportdb.site.model import Site
from exportdb.site.page import Page

NAME = "index"


def page(site: Site) -> Page:
    """The front page of a site."""
    return Page(
        name=NAME,
        title="What PyTorch exporters can and cannot capture",
        description="Search small PyTorch programs by error message, operator or pattern, and see "
        "what torch.export, strict mode, make_fx and other exporters make of each: measured.",
        lead=render("front.html", site=site, cells=len(site.cells)),
        kind="explorer",
    )
