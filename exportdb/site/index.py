"""The explorer's index: every case in a form that a browser filters in milliseconds.

Owns the form of ``_static/explorer-index.js``, a script that sets one variable (a page opened from
a folder may load a script but not fetch a file)::

    window.exportdbIndex = {
      "version": 1,
      "outcomes":  [[name, glyph, meaning, tone, compared], ...],         best first
      "exporters": [[name, slug], ...],
      "places":    [[torch, device], ...],                   devices as shown, torch oldest first
      "place":     place,                                    where most exporters are judged
      "columns":   [[exporter, place], ...],                 what has been measured at all
      "tags":      [[name, description, slug], ...],
      "topics":    [name, ...],
      "flags":     [[name, words], ...],                     what can be said of a case
      "errors":    [[id, title, [type, ...], [[piece, ...], ...], meaning, remedy,
                     [word of its context, ...], wrapper, [cause, ...], where, also,
                     {term: tenths, ...}], ...],             but what its texts say
      "texts":     [[[times, [error, ...]], ...],            texts that were judged, so many of each
                    {term or pair: [gap, ...], ...}],        numbers of those that say it
      "reading":   {name: pattern, ...},                     see exportdb.explain.reading
      "volatile":  [[pattern, replacement], ...],            see below
      "messages":  [[type, text, error or -1], ...],         distinct error texts, their beginning
      "cases":     [[id, title, topic, [tag, ...], flags, cells, [message, ...], [error, ...],
                     words, [rewrite, ...]], ...]
    }

Numbers stand for positions in the other lists: ``exporter`` in ``exporters``, ``topic`` in
``topics``, and so on. ``cells`` is a text with one character a column: that many after ``0`` stands
the outcome in ``outcomes``; ``.`` says that nothing was measured. A case's ``flags`` have bit *n*
set where the *n*-th of ``flags`` holds. ``words`` are names for searching: those that the program
uses (``torch.cond``) and the operators of its graphs (``aten.sin.default``). A ``rewrite`` is a
case.

A case's page is ``cases/<id>.html``, an error's ``errors/<id>.html``, a tag's
``tags/<slug>.html``, a topic's ``topics/<name>.html``, an exporter's ``exporters/<slug>.html``.

Which entries of ``errors`` a text is about is found as in :mod:`exportdb.explain.matching`; of the
numbers of ``texts`` each is so much more than the one before it.

What the page that compares asks besides stands in ``_static/compare-index.js``::

    window.exportdbLooks = {
      "torches": [torch, ...],                               oldest first
      "anchors": [anchor, ...],                              of each column, on the page of a case
      "cases":   [[[look, ...], [look of each column or -1]], ...]
    }

A look is an :data:`exportdb.site.comparing.Look`.

What the page that explains a pasted error asks besides has :mod:`exportdb.site.explain_data`.

Two error texts are the same text but for what changes from run to run (addresses, paths, symbols)
when they are equal after every ``pattern``, a regular expression, is replaced, as in
:func:`exportdb.records.fingerprint.steady`. Python and JavaScript read these patterns alike.
"""

from __future__ import annotations

import json
from collections import Counter
from collections.abc import Mapping
from functools import cache
from itertools import groupby
from typing import Any

from exportdb.cases import catalogue
from exportdb.cases.catalogue import Entry, one_line
from exportdb.explain.reading import PATTERNS
from exportdb.records.expectation import Point
from exportdb.records.fingerprint import VOLATILE, beginning
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo
from exportdb.site import explain_data
from exportdb.site.addresses import anchor, slug
from exportdb.site.comparing import Look
from exportdb.site.model import CaseView, Site, rank

VERSION = 1

#: What can be said of a case: properties of :class:`exportdb.site.model.CaseView`, and in words.
FLAGS = {
    "has_rewrite": "has a rewrite",
    "silently_wrong": "silently wrong",
    "differs": "differs between exporters",
    "changed": "changed since the last torch",
}
#: Characters of an error text that are kept for searching.
LONGEST_MESSAGE = 200


def scripts(site: Site, issues: str = "") -> dict[str, str]:
    """The text of all indices as scripts, by the names of their files; ``issues`` is the page on
    which issues are opened."""
    told = _script("window.exportdbTold", explain_data.data(site, issues))
    return {
        "explorer-index.js": _script("window.exportdbIndex", index(site)),
        "compare-index.js": _script("window.exportdbLooks", looks(site)),
        "explain-index.js": told + _script("window.exportdbFixes", explain_data.fixes(site)),
    }


def _script(variable: str, value: Any) -> str:
    data = json.dumps(value, ensure_ascii=False, separators=(",", ":"))
    # Nothing in a text may end a script element or a line of the script, wherever it is put.
    for character in ("<", "\u2028", "\u2029"):
        data = data.replace(character, f"\\u{ord(character):04x}")
    return f"{variable}={data};\n"


def index(site: Site) -> dict[str, Any]:
    """The index as JSON-ready data."""
    order = {outcome: chr(ord("0") + i) for i, outcome in enumerate(Outcome)}
    columns = _columns(site)
    places = {point: i for i, point in enumerate(site.points)}
    exporters = {name: i for i, name in enumerate(site.exporters)}
    tags = {name: i for i, name in enumerate(site.by_tag)}
    topics = {name: i for i, name in enumerate(site.topics)}
    errors = {name: i for i, name in enumerate(site.entries)}
    positions = {name: i for i, name in enumerate(site.cases)}
    messages: dict[tuple[str, str, int], int] = {}

    def case(view: CaseView) -> list[Any]:
        cells = (view.by_key.get(column) for column in columns)
        said = dict.fromkeys(_message(c.error, errors) for c in view.cells if c.error)
        return [
            view.id,
            view.case.meta.title,
            topics[view.case.topic],
            [tags[t] for t in view.case.meta.tags],
            sum(1 << n for n, name in enumerate(FLAGS) if getattr(view, name)),
            "".join(order[c.outcome] if c else "." for c in cells),
            [messages.setdefault(m, len(messages)) for m in said],
            [errors[e] for e in view.case.meta.errors if e in errors],
            " ".join(view.names),
            [positions[other.id] for other in site.views(view.case.meta.rewrites)],
        ]

    cases = [case(view) for view in site.cases.values()]
    return {
        "version": VERSION,
        "outcomes": [[o, o.glyph, o.meaning, o.tone, o.compared] for o in Outcome],
        "exporters": [[name, slug(name)] for name in site.exporters],
        "places": [[point.torch, point.device] for point in site.points],
        "place": places[_judged(site)] if places else -1,
        "columns": [[exporters[e], places[p]] for e, p in columns],
        "tags": [[t, site.tags[t].description if t in site.tags else "", slug(t)] for t in tags],
        "topics": list(topics),
        "flags": list(map(list, FLAGS.items())),
        "errors": _entries(site),
        "texts": _texts(errors),
        "reading": PATTERNS,
        # A group is \1 to Python and $1 to JavaScript.
        "volatile": [
            [pattern.pattern, instead.replace("\\", "$")] for pattern, instead in VOLATILE
        ],
        "messages": [list(m) for m in messages],
        "cases": cases,
    }


def _entries(site: Site) -> list[Any]:
    words = catalogue.words_said(catalogue.texts())
    return [_entry(e, words.get(e.id, {})) for e in site.entries.values()]


def _entry(entry: Entry, words: Mapping[str, int]) -> list[Any]:
    wordings = [t.pieces for t in entry.wordings]
    said = dict(entry.said.items() - words.items())
    told = (entry.context, entry.wrapper, entry.causes, entry.where, entry.also, said)
    return [entry.id, entry.title, entry.types, wordings, entry.meaning, entry.remedy, *told]


def _texts(errors: Mapping[str, int]) -> list[Any]:
    """Texts that were judged: how many, one after the other, are about which entries, and what they
    say."""
    texts = catalogue.texts()
    owners = ([errors[e] for e in of if e in errors] for of in texts.owners)
    return [[[len([*same]), of] for of, same in groupby(owners)], texts.said]


def looks(site: Site) -> dict[str, Any]:
    """What is compared, as JSON-ready data."""
    columns = _columns(site)

    def case(view: CaseView) -> list[Any]:
        found: dict[Look, int] = {}
        cells = (view.by_key.get(column) for column in columns)
        of_column = [found.setdefault(c.look, len(found)) if c else -1 for c in cells]
        return [list(found), of_column]

    return {
        "torches": site.torches,
        "anchors": [anchor(e, p.torch, p.device) for e, p in columns],
        "cases": [case(view) for view in site.cases.values()],
    }


def _judged(site: Site) -> Point:
    """The point that most exporters are judged by; of several the newest."""
    counts = Counter(site.newest.values())
    return max(counts, key=lambda p: (counts[p], rank(p)))


def _columns(site: Site) -> list[tuple[str, Point]]:
    """What was measured at all, exporter by exporter."""
    return sorted(site.columns, key=lambda c: (site.exporters.index(c[0]), rank(c[1])))


def _message(error: ErrorInfo, errors: Mapping[str, int]) -> tuple[str, str, int]:
    return (error.type, _beginning(error.message), errors.get(error.catalogue or "", -1))


@cache
def _beginning(message: str) -> str:
    return one_line(beginning(message))[:LONGEST_MESSAGE]
