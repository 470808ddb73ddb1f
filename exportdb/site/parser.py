"""Reads ``.page`` files into Sphinx: titles and sections, and places for the HTML between them.

The HTML itself goes from the file into the page when that is written. Sphinx keeps all that it has
read until it writes; a place takes up a hundredth of what would stand there.
"""

from __future__ import annotations

from functools import lru_cache
from pathlib import Path

from docutils import nodes
from sphinx.application import Sphinx
from sphinx.parsers import Parser
from sphinx.writers.html5 import HTML5Translator

from exportdb.site.page import Page


class place(nodes.General, nodes.Element):  # noqa: N801 - docutils names nodes like this
    """Where a part of a page goes; ``part`` counts from 0, the lead."""


class PageParser(Parser):
    """Makes a doctree of a :class:`exportdb.site.page.Page`."""

    supported = ("exportdb-page",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Fill ``document``; what the page says of itself goes into the document's metadata."""
        page = Page.parse(inputstring)
        # "nosearch": the search of the guides is not for cases, the explorer is.
        document += _docinfo(
            {
                "orphan": "",
                "nosearch": "",
                "exportdb_kind": page.kind,
                "exportdb_description": page.description,
            }
        )
        top = nodes.section(ids=["page"], names=["page"])
        top += nodes.title("", page.title)
        top += place(part=0)
        for number, section in enumerate(page.sections, 1):
            node = nodes.section(ids=[section.id], names=[section.id])
            node += nodes.title("", section.title)
            node += place(part=number)
            top += node
        document += top


def add_to(app: Sphinx) -> None:
    """Let a Sphinx project read and write pages."""
    app.add_source_parser(PageParser)
    app.add_node(place, html=(_write_part, None))


def html(text: str) -> nodes.raw:
    """HTML as a node that writers copy as it is, marked as ours for the style sheet."""
    return nodes.raw("", _marked(text), format="html")


def _marked(text: str) -> str:
    return f'<div class="xdb">{text}</div>'


def _write_part(writer: HTML5Translator, node: place) -> None:
    path = Path(writer.document["source"])
    lead, sections = _parts(path, path.stat().st_mtime_ns)
    part = node["part"]
    writer.body.append(_marked(sections[part - 1] if part else lead))
    raise nodes.SkipNode


@lru_cache(maxsize=1)  # the parts of a page are written one after the other
def _parts(path: Path, _written: int) -> tuple[str, tuple[str, ...]]:
    """The HTML of a page: that of its lead and of its sections."""
    page = Page.parse(path.read_text(encoding="utf-8"))
    return page.lead, tuple(s.html for s in page.sections)


def _docinfo(metadata: dict[str, str]) -> nodes.docinfo:
    info = nodes.docinfo()
    for name, value in metadata.items():
        field = nodes.field()
        field += nodes.field_name("", name)
        field += nodes.field_body("", nodes.paragraph("", value))
        info += field
    return info
