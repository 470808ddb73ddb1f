"""Checks a folder of HTML: links within it lead somewhere, and nothing is loaded from outside.

Knows nothing of the site; what is wrong comes back as data.
"""

from __future__ import annotations

import posixpath
from collections.abc import Iterator
from dataclasses import dataclass, field
from html.parser import HTMLParser
from pathlib import Path
from urllib.parse import unquote, urlsplit

#: Elements and attributes by which a browser loads something without being asked.
LOADS = {("script", "src"), ("img", "src"), ("iframe", "src"), ("source", "src"), ("video", "src"),
         ("audio", "src"), ("embed", "src"), ("object", "data"), ("image", "href"),
         ("use", "href")}  # fmt: skip
#: ``rel`` of a link element that makes a browser load it.
LOADED = {"stylesheet", "preload", "icon", "shortcut", "modulepreload", "prefetch", "manifest"}


@dataclass(frozen=True)
class Broken:
    """A link that does not hold: the page it stands on, its line, the link, and why."""

    page: str
    line: int
    link: str
    why: str

    def __str__(self) -> str:
        return f"{self.page}:{self.line}: {self.link}: {self.why}"


@dataclass
class _PageLinks:
    """What a page holds: its anchors, and its links with their lines."""

    ids: set[str] = field(default_factory=set)
    links: list[tuple[int, str]] = field(default_factory=list)
    loads: list[tuple[int, str]] = field(default_factory=list)


class _LinkParser(HTMLParser):
    def __init__(self) -> None:
        super().__init__(convert_charrefs=True)
        self.read = _PageLinks()

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        line = self.getpos()[0]
        given = {name: value or "" for name, value in attrs}
        self.read.ids.update(given[name] for name in ("id", "name") if given.get(name))
        for name in ("href", "src", "data"):
            if name not in given:
                continue
            rel = set(given.get("rel", "").split())
            if (tag, name) in LOADS or (tag == "link" and rel & LOADED):
                self.read.loads.append((line, given[name]))
            if tag in ("a", "area", "link", "script", "img") and "canonical" not in rel:
                self.read.links.append((line, given[name]))


def check(folder: Path) -> list[Broken]:
    """Every link under ``folder`` that does not hold, page by page."""
    paths = {p.relative_to(folder).as_posix(): p for p in sorted(folder.rglob("*.html"))}
    # A theme may keep templates among its static files: they are no pages.
    pages = {page: _read(p) for page, p in paths.items() if not page.startswith("_static/")}
    return [
        broken for page, read in pages.items() for broken in _check_page(folder, pages, page, read)
    ]


def _read(path: Path) -> _PageLinks:
    reader = _LinkParser()
    reader.feed(path.read_text(encoding="utf-8"))
    reader.close()
    return reader.read


def _check_page(
    folder: Path, pages: dict[str, _PageLinks], page: str, read: _PageLinks
) -> Iterator[Broken]:  # fmt: skip
    for line, link in read.loads:
        parts = urlsplit(link)
        if parts.netloc or parts.scheme not in ("", "data"):
            yield Broken(page, line, link, "is loaded from outside")
    for line, link in dict.fromkeys(read.links):
        parts = urlsplit(link)
        if parts.scheme or parts.netloc:
            continue
        target = page
        if parts.path:
            path = posixpath.join(posixpath.dirname(page), unquote(parts.path))
            target = posixpath.normpath(path)
            if target.startswith("../") or not (folder / target).is_file():
                yield Broken(page, line, link, "there is no such file")
                continue
        fragment = unquote(parts.fragment)
        # What begins with "?" is for the scripts of the page.
        anchor = fragment and not fragment.startswith("?")
        if anchor and target in pages and fragment not in pages[target].ids:
            yield Broken(page, line, link, "there is no such anchor")
