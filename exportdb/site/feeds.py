"""What an exporter's own project takes from its page: a list to do as JSON, a feed, a badge.

Pure; which cells belong to it is left to ``pages.exporters``.
"""

from __future__ import annotations

import json
from xml.etree.ElementTree import Element, SubElement, indent, tostring

from exportdb.reports import badge
from exportdb.site import addresses
from exportdb.site.markup import clean
from exportdb.site.model import Cell, OutcomeCounts, Site
from exportdb.site.pages.exporters import LISTS, changes, todo


def files(site: Site, url: str) -> dict[str, str]:
    """The files beside the page of each exporter: ``.json``, ``.atom`` and ``.svg``."""
    found = {}
    for name in site.newest:
        address = addresses.exporter(name)
        found[f"{address}.json"] = as_json(site, name)
        found[f"{address}.atom"] = as_feed(site, name, url)
        found[f"{address}.svg"] = as_badge(site, name)
    return found


def as_json(site: Site, name: str) -> str:
    """What is to be done, worst first, as an object: ``exporter``, ``torch``, ``device``,
    ``supported`` of ``compared`` programs, ``todo``: causes with outcome, entry and cases, and
    ``changed`` since the torch ``before``: cases with both outcomes, the worse first.
    """
    point, score = site.newest[name], _score(site, name)
    lists = todo(site, name)
    causes = [
        {"outcome": cause.outcome, "entry": cause.entry or None, "title": cause.title,
         "issues": list(cause.issues), "cases": [c.case for c in cause.cells]}
        for anchor in LISTS for cause in lists.get(anchor, ())
    ]  # fmt: skip
    before = site.before.get(name)
    changed = [{"case": new.case, "from": old.outcome, "to": new.outcome}
               for old, new in changes(site, name)]  # fmt: skip
    told = {"version": 1, "exporter": clean(name), "torch": point.torch, "device": point.device,
            "supported": score.supported, "compared": score.total, "todo": causes,
            "before": before.torch if before else None, "changed": changed}  # fmt: skip
    return json.dumps(told, indent=1) + "\n"


def as_feed(site: Site, name: str, url: str) -> str:
    """What changed with the newest torch, as an Atom feed (RFC 4287)."""
    now, before = site.newest[name], site.before.get(name)
    base = url.rstrip("/")
    feed = Element("feed", xmlns="http://www.w3.org/2005/Atom")
    label = f"{clean(name)}: torch {before.torch if before else 'nothing'} to {now.torch}"
    dates = sorted(filter(None, (_date(site, c) for c in site.at(name, now).values())))
    newest = dates[-1] if dates else "1970-01-01T00:00:00Z"
    _say(feed, f"tag:exportdb,2026:site/{addresses.slug(name)}", label, newest)
    SubElement(SubElement(feed, "author"), "name").text = "exportdb"
    if base:
        page = f"{base}/{addresses.exporter(name)}"
        SubElement(feed, "link", rel="self", href=f"{page}.atom")
        SubElement(feed, "link", rel="alternate", href=f"{page}.html#changed")
    for old, new in changes(site, name):
        entry = SubElement(feed, "entry")
        title = f"{old.outcome} → {new.outcome}: {clean(site.cases[new.case].case.meta.title)}"
        place = f"{new.case}/{addresses.slug(name)}/{now.torch}/{now.device}/{new.outcome}"
        _say(entry, f"tag:exportdb,2026:{place}".replace(" ", "%20"), title,
             _date(site, new) or newest)  # fmt: skip
        if base:
            SubElement(entry, "link", href=f"{base}/{addresses.case(new.case)}.html")
        SubElement(entry, "content", type="text").text = title
    indent(feed)
    return '<?xml version="1.0" encoding="utf-8"?>\n' + tostring(feed, encoding="unicode") + "\n"


def _date(site: Site, cell: Cell) -> str:
    """When a cell was measured or accepted, as Atom writes it."""
    day = (cell.started or site.accepted.get(cell.case, ("",))[0])[:10]
    return f"{day}T00:00:00Z" if day else ""


def _say(of: Element, name: str, title: str, updated: str) -> None:
    SubElement(of, "id").text = name
    SubElement(of, "title").text = title
    SubElement(of, "updated").text = updated


def as_badge(site: Site, name: str) -> str:
    """The supported share as a picture for a README."""
    return badge.picture(f"{_score(site, name).percent} of cases", "#0a6b7d", clean(name))


def _score(site: Site, name: str) -> OutcomeCounts:
    return OutcomeCounts.of(site.scored(site.at(name, site.newest[name]).values()))
