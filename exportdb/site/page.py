"""A page as data: title, description, and sections of ready HTML.

Owns the form of the ``.page`` files that stand between our pages and Sphinx. They are JSON and
never markup: what a case or a record says is escaped when the HTML is made, and nothing parses it
again.
"""

from __future__ import annotations

import json
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

    ``lead`` is the HTML below the title, ``description`` the text search engines show. ``key``
    stands for all that the page was made from: with the same key it is the same page. ``kind`` is
    put on the page for style sheets and scripts. ``searched`` says whether the search of the
    guides knows it.
    """

    name: str
    title: str
    description: str
    lead: str
    sections: tuple[Section, ...] = ()
    kind: str = "page"
    key: str = ""
    searched: bool = False

    def dump(self) -> str:
        """The text of its file; the key stands in the first line."""
        rest = asdict(self)
        key = rest.pop("key")
        return json.dumps({"key": key}) + "\n" + json.dumps(rest, ensure_ascii=False) + "\n"

    @staticmethod
    def parse(text: str) -> Page:
        """A page from the text of its file. Raises ValueError, KeyError or TypeError."""
        first, _, rest = text.partition("\n")
        data: dict[str, Any] = json.loads(rest)
        sections = tuple(Section(**s) for s in data.pop("sections"))
        return Page(**data, sections=sections, key=json.loads(first)["key"])
