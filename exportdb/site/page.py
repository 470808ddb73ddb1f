"""A page as data: title, description, and sections of ready HTML."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, as HTML; ``id`` is its permanent anchor."""

    id: str
    title: str
    html: str


@dataclass(frozen=True)
class Page:
    """One page. ``name`` is its address without ``.html``.

    ``lead`` is the HTML below the title, ``description`` the text search engines show. ``kind`` is
    put on the page for style sheets and scripts, ``source`` is what it is written from: a path in
    the repository.
    """

    name: str
    title: str
    description: str
    lead: str
    sections: tuple[Section, ...] = field(default=())
    kind: str = "page"
    source: str = "cases"
