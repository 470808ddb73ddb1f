"""The page of an entry of the error catalogue, and the page that explains a pasted error.

What is said of a pasted error is static/explain.js alone: another answer is another script and
another template, and nothing here.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import partial
from typing import NamedTuple

from markupsafe import Markup

from exportdb.cases.catalogue import Entry, about
from exportdb.cases.entry_text import versions
from exportdb.site import addresses, markup
from exportdb.site.model import CaseView, Cell, Site, grouped
from exportdb.site.page import Page, Section
from exportdb.site.pages.program import code, diffs
from exportdb.site.pages.verdict import verdict

#: How many wordings, and how many cases, are shown at once; the others are folded.
MOST = 5


def error(site: Site, entry_id: str) -> Page:
    """The permanent page of an entry: what the error means and what to write instead, then the
    wordings by which it is known and the cases that met it."""
    entry, address = site.entries[entry_id], addresses.error(entry_id)
    link = partial(addresses.relative, start=address)
    explained = site.by_entry.get(entry_id, [])
    raised = grouped(site.raised.get(entry_id, ()), lambda c: c.case)
    sections = []
    if entry.causes:
        told = markup.render("causes.html", causes=entry.causes)
        sections.append(Section("causes", "Which cause it is", told))
    if entry.where:
        told = markup.paragraphs(entry.where)
        sections.append(Section("where", "Where it was raised matters", told))
    worded = markup.render("wordings.html", entry=entry, versions=versions(entry), most=MOST)
    sections.append(Section("wordings", "How it is worded", worded))
    if explained:
        listed = markup.render("explained.html", views=explained, site=site, link=link)
        sections.append(Section("cases", "Cases that explain it", listed))
    listed = markup.render("raised.html", raised=raised, site=site, link=link, most=MOST)
    sections.append(Section("raised", "Where it was raised", listed))
    return Page(
        name=address,
        title=f"{entry_id}: {entry.title}",
        description=markup.summary(entry.meaning),
        lead=markup.render("entry.html", entry=entry, link=link, fix=_fix(site, entry)),
        sections=tuple(sections),
        kind="error",
        source=f"cases/errors/{entry.path.name}",
    )


class _Fix(NamedTuple):
    """A program that meets an error, and the change that fixes it.

    ``before`` and ``after`` are the cases whose programs these are, if they are of cases; ``best``
    is what an exporter makes of the second.
    """

    code: Markup
    lines: Sequence[markup.DiffLine]
    label: str
    before: CaseView | None = None
    after: CaseView | None = None
    best: Cell | None = None


def _fix(site: Site, entry: Entry) -> _Fix | None:
    """A case and its rewrite, or else the programs of the entry itself."""
    if pair := site.fixes.get(entry.id):
        view, other = pair
        said = verdict(view)
        (found,) = changes = diffs(site, view, [other.id], said)
        label = f"What makes {view.id} {other.id}"
        return _Fix(code(view, changes, said), found.lines, label, view, other, found.best)
    if not entry.fails:
        return None
    lines = markup.diff((entry.fails, 1), entry.works)
    marks = {line.number: "rewritten" for line in lines if line.number}
    return _Fix(markup.python(entry.fails, marks=marks), lines, "What makes it work")


def explain(site: Site) -> Page:
    """The page that explains a pasted error, and lists the whole catalogue."""
    link = partial(addresses.relative, start=addresses.EXPLAIN)
    ordered = sorted(site.entries.values(), key=lambda e: e.id)
    chapters = {about(path): row for path, row in grouped(ordered, lambda e: e.path).items()}
    listed = markup.render("catalogue.html", chapters=chapters, link=link)
    return Page(
        name=addresses.EXPLAIN,
        title="Explain an error",
        description="Paste the traceback of a failed torch.export: what it means, what to do, and "
        "small programs that show it.",
        lead=markup.render("explain.html"),
        sections=(Section("catalogue", "All errors that are explained", listed),),
        kind="explain",
        source="cases/errors",
    )
