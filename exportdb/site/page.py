"""A page as data: title, description, and sections of ready HTML.

Owns the form of the ``.page`` files that stand between our pages and Sphinx. They are JSON and
never markup: what a case or a record says is escaped when the HTML is made, and nothing parses it
again.
"""

from __future__ import annotations

import json
from collections.abc import Callable
from dataclasses import asdict, dataclass
from typing import Any

SUFFIX = ".page"


@dataclass(frozen=True)
class Section:
    """A heading and what stands below it, as HTML; ``id`` is its permanent anchor."""

    id: str
    title: str
    html: str


@dataclass(frozen=True)
class Page:
    """One page. ``name`` is its address without ``.html``.

    ``lead`` is the HTML below the title, ``description`` the text search engines show.
    ``kind`` is put on the page for style sheets and scripts.
    """

    name: str
    title: str
    description: str
    lead: str
    sections: tuple[Section, ...] = ()
    kind: str = "page"

    def dump(self) -> str:
        """The text of its file."""
        return json.dumps(asdict(self), ensure_ascii=False) + "\n"

    @staticmethod
    def parse(text: str) -> Page:
        """A page from the text of its file. Raises ValueError, KeyError or TypeError."""
        data: dict[str, Any] = json.loads(text)
        sections = tuple(Section(**s) for s in data.pop("sections"))
        return Page(**data, sections=sections)


@dataclass(frozen=True)
class Draft:
    """A page that may have to be made. ``key`` stands for all that it is made from: with the same
    key it is the same page.
    """

    name: str
    make: Callable[[], Page]
    key: str
