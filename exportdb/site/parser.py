"""Reads ``.page`` files into Sphinx: a title, sections, and HTML that nothing interprets again."""

from __future__ import annotations

from docutils import nodes
from sphinx.parsers import Parser

from exportdb.site.page import Page


class PageParser(Parser):
    """Makes a doctree of a :class:`exportdb.site.page.Page`."""

    supported = ("exportdb-page",)

    def parse(self, inputstring: str, document: nodes.document) -> None:
        """Fill ``document``; what the page says of itself goes into the document's metadata."""
        page = Page.parse(inputstring)
        metadata = {
            "orphan": "",
            "exportdb_kind": page.kind,
            "exportdb_description": page.description,
        }
        if not page.searched:
            metadata["nosearch"] = ""
        document += _docinfo(metadata)
        top = nodes.section(ids=["page"], names=["page"])
        top += nodes.title("", page.title)
        top += html(page.lead)
        for section in page.sections:
            node = nodes.section(ids=[section.id], names=[section.id])
            node += nodes.title("", section.title)
            node += html(section.html)
            top += node
        document += top


def html(text: str) -> nodes.raw:
    """HTML as a node that writers copy as it is, marked as ours for the style sheet."""
    return nodes.raw("", f'<div class="xdb">{text}</div>', format="html")


def _docinfo(metadata: dict[str, str]) -> nodes.docinfo:
    info = nodes.docinfo()
    for name, value in metadata.items():
        field = nodes.field()
        field += nodes.field_name("", name)
        field += nodes.field_body("", nodes.paragraph("", value))
        info += field
    return info
