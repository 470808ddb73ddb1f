"""What the page that explains a pasted error asks besides the index.

Owns the form of ``_static/explain-index.js``, a script that sets two variables. Numbers stand for
positions in the lists of :mod:`exportdb.site.index`, or in ``words`` and ``pieces`` here; a *line*
is a sign, that of :class:`exportdb.site.markup.DiffLine`, and a text::

    window.exportdbTold = {
      "patterns": {name: pattern, ...},     of exportdb.explain's reading, frames and likeness
      "begin": [word, ...], "within": [word, ...],           words of Python, see likeness
      "alike": [share, ...], "most": number, "below": number, "link": number,
      "draft": [[word, ...], [beginning of an ID, ...]],     where draft_export may help
      "issues": address,                                     where issues are opened, or ""
      "words": [word, ...], "pieces": [piece, ...],
      "errors": {error: [[case, ...], [what is dated, its releases in words], [line, ...]], ...},
      "cases": {case: [[word, ...], [[kind, [piece, ...]], ...], rewrite or -1, [line, ...]], ...}
    }

``errors`` has the cases of each entry in the order of the database, and what makes the program of
the entry that fails the one that works. ``cases`` are those of some entry: the words that a case
says, its statements (a piece as often as it has it), and what makes it its rewrite. Which cases are
offered is found as in :mod:`exportdb.explain.answer`.

The best change of each entry, whatever the text, is for one that is named by its number; the
programs of the entry have -1 for both cases::

    window.exportdbFixes = {error: [case, rewrite, [line, ...]], ...}
"""

from __future__ import annotations

from typing import Any

from exportdb.cases.case import Case
from exportdb.cases.entry_text import dated_by, versions
from exportdb.explain import answer, frames, likeness, reading
from exportdb.site import markup
from exportdb.site.model import CaseView, Site


def data(site: Site, issues: str = "") -> dict[str, Any]:
    """All of it as JSON-ready data; ``issues`` is the page on which issues are opened."""
    positions = {name: i for i, name in enumerate(site.cases)}
    words: dict[str, int] = {}
    pieces: dict[str, int] = {}
    explaining = [view for view in site.cases.values() if view.case.meta.errors]

    def case(view: CaseView) -> list[Any]:
        said = sorted(answer.words_of(view.case))
        found = sorted({(k, tuple(sorted(p.elements()))) for k, p in _statements(view.case)})
        rewrite = next(iter(site.views(view.case.meta.rewrites[:1])), None)
        lines = [] if rewrite is None else changed(view.case.program, rewrite.case.program)
        return [
            [words.setdefault(w, len(words)) for w in said],
            [[kind, [pieces.setdefault(p, len(pieces)) for p in of]] for kind, of in found],
            -1 if rewrite is None else positions[rewrite.id],
            lines,
        ]

    cases = {positions[view.id]: case(view) for view in explaining}
    return {
        "patterns": {**reading.NAMED, **frames.PATTERNS, **likeness.PATTERNS},
        "begin": sorted(likeness.BEGIN), "within": sorted(likeness.WITHIN),
        "alike": answer.ALIKE, "most": answer.MOST_CASES, "below": frames.BELOW,
        "link": answer.LONGEST_LINK, "draft": [sorted(answer.DRAFT), answer.DRAFTED],
        "issues": issues, "words": list(words), "pieces": list(pieces),
        "errors": _errors(site, positions), "cases": cases,
    }  # fmt: skip


def _statements(case: Case) -> tuple[likeness.Statement, ...]:
    return likeness.statements(case.program)


def _errors(site: Site, positions: dict[str, int]) -> dict[int, Any]:
    found = {}
    for at, (name, entry) in enumerate(site.entries.items()):
        views = sorted(site.by_entry.get(name, ()), key=lambda view: _in_tree(view.id))
        programs = changed(entry.fails, entry.works) if entry.fails else []
        dated = [dated_by(entry), versions(entry)]
        found[at] = [[positions[view.id] for view in views], dated, programs]
    return found


def _in_tree(case_id: str) -> tuple[str, ...]:
    """Sorts cases as the folders of the database have them."""
    return tuple(f"{case_id}.py".split("/"))


def fixes(site: Site) -> dict[int, Any]:
    """What fixes the error of each entry that shows it, as JSON-ready data."""
    positions = {name: i for i, name in enumerate(site.cases)}
    found = {}
    for at, (name, entry) in enumerate(site.entries.items()):
        if pair := site.fixes.get(name):
            one, other = (positions[v.id] for v in pair)
            found[at] = [one, other, changed(*(v.case.program for v in pair))]
        elif entry.fails:
            found[at] = [-1, -1, changed(entry.fails, entry.works)]
    return found


def changed(before: str, after: str) -> list[list[str]]:
    """What makes one program another, as signs and lines."""
    return [[line.sign, line.text] for line in markup.diff((before, 1), after)]
