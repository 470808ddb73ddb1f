"""A status as an Atom feed (RFC 4287): an entry for each change, one for a measurement without,
and one for each waiver that is over."""

from __future__ import annotations

import re
from urllib.parse import quote
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from exportdb.reports import status as words
from exportdb.store.status import Status

#: What no document of XML may have, not even escaped.
_FORBIDDEN = re.compile(r"[^\t\n\r\x20-\ud7ff\ue000-\ufffd\U00010000-\U0010ffff]")


def render(status: Status, page: str = "") -> str:
    """The whole feed. ``page`` is the address of the page that it lies beside, without its ending,
    where it is published."""
    feed = Element("feed", xmlns="http://www.w3.org/2005/Atom")
    under = "+".join((status.torch or "", *status.switches))
    _say(feed, f"tag:exportdb,2026:status/{under}", f"exportdb with torch {under}", status)
    SubElement(SubElement(feed, "author"), "name").text = "exportdb"
    if page:
        SubElement(feed, "link", rel="self", href=f"{page}.atom")
        SubElement(feed, "link", rel="alternate", href=f"{page}.html")
    run = status.now.runs[0]
    changes = [("failing", c) for c in status.newly_failing]
    changes += [("fixed", c) for c in status.newly_fixed]
    changes += [("flaky", c) for c in status.flaky]
    for kind, change in changes:
        entry = SubElement(feed, "entry")
        name = "/".join((run, kind, change.suite, change.case, change.exporter, change.device))
        _say(entry, f"tag:exportdb,2026:{name}", f"{kind}: {words.changed(change)}", status)
    if not changes:
        entry = SubElement(feed, "entry")
        _say(entry, f"tag:exportdb,2026:{run}", f"{words.title(status)}: no change", status)
    for waiver in words.over(status):
        entry = SubElement(feed, "entry")
        name = "/".join(("waiver", waiver.case, waiver.exporter, waiver.until))
        _say(entry, f"tag:exportdb,2026:{name}", f"waiver: {words.ended(waiver)}", status)
    for entry in feed.iter("entry"):
        SubElement(entry, "content", type="text").text = _plain(words.title(status))
    indent(feed)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(feed, encoding="unicode")


def _say(of: Element, name: str, title: str, status: Status) -> None:
    SubElement(of, "id").text = quote(name, safe="/:,+=@", errors="replace")
    SubElement(of, "title").text = _plain(title)
    SubElement(of, "updated").text = status.now.date


def _plain(text: str) -> str:
    return _FORBIDDEN.sub("\ufffd", text)
