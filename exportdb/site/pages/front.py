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
        lead=render("front.html", site=site, results=results(site)),
        kind="explorer",
    )


def results(site: Site) -> int:
    """How many results were compared with eager; what is declared impossible was not."""
    return sum(cell.shown.compared for cell in site.cells)
