"""The page of an entry of the error catalogue, and the page that explains a pasted error.

What is said of a pasted error is static/explain.js alone: another answer is another script and
another template, and nothing here.
"""

from __future__ import annotations

from functools import partial

from exportdb.cases.catalogue import about
from exportdb.site import addresses, markup
from exportdb.site.model import Site, grouped
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
    worded = markup.render("wordings.html", entry=entry, most=MOST)
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
        lead=markup.render("entry.html", entry=entry, link=link, **_fix(site, entry_id)),
        sections=tuple(sections),
        kind="error",
        source=f"cases/errors/{entry.path.name}",
    )


def _fix(site: Site, entry_id: str) -> dict[str, object]:
    """A program that meets the error, beside the change that mends it."""
    pair = site.fixes.get(entry_id)
    if pair is None:
        return {"view": None}
    view, other = pair
    changes = diffs(site, view, [other.id], verdict(view))
    return {"view": view, "code": code(view, changes), "fix": changes[0]}


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
    )
