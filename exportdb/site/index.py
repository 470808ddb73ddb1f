"""The explorer's index: every case in a form that a browser filters in milliseconds.

Owns the form of ``_static/explorer-index.js``, a script that sets one variable (a page opened from
a folder may load a script but not fetch a file)::

    window.exportdbIndex = {
      "version": 1,
      "outcomes":  [[name, glyph, word, meaning, tone], ...],     best first
      "exporters": [[name, slug], ...],
      "places":    [[torch, device], ...],                   devices as shown, torch oldest first
      "columns":   [[exporter, place], ...],                 what has been measured at all
      "tags":      [[name, description, slug], ...],
      "topics":    [name, ...],
      "flags":     [[name, words], ...],                     what can be said of a case
      "errors":    [[id, title, [type, ...], [[piece, ...], ...], meaning, remedy,
                     [word of its context, ...], wrapper, [cause, ...], where], ...],
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

Which entries of ``errors`` a text is about is found as in :mod:`exportdb.explain.matching`.

Two error texts are the same text but for what changes from run to run (addresses, paths, symbols)
when they are equal after every ``pattern``, a regular expression, is replaced, as in
:func:`exportdb.records.fingerprint.steady`. Python and JavaScript read these patterns alike.
"""

from __future__ import annotations

import json
from typing import Any

from exportdb.cases.catalogue import Entry, one_line
from exportdb.explain.reading import PATTERNS
from exportdb.records.fingerprint import VOLATILE, beginning
from exportdb.records.outcome import Outcome
from exportdb.site.addresses import slug
from exportdb.site.model import CaseView, Cell, Site

VERSION = 1
FILE = "explorer-index.js"
VARIABLE = "window.exportdbIndex"

#: What can be said of a case: properties of :class:`exportdb.site.model.CaseView`, and in words.
FLAGS = {
    "has_rewrite": "has a rewrite",
    "silently_wrong": "silently wrong",
    "differs": "differs between exporters",
    "changed": "changed since the last torch",
}
#: Characters of an error text that are kept for searching.
LONGEST_MESSAGE = 200


def script(site: Site) -> str:
    """The text of the index as a script."""
    data = json.dumps(index(site), ensure_ascii=False, separators=(",", ":"))
    # Nothing in a text may end a script element or a line of the script, wherever it is put.
    for character in ("<", "\u2028", "\u2029"):
        data = data.replace(character, f"\\u{ord(character):04x}")
    return f"{VARIABLE}={data};\n"


def index(site: Site) -> dict[str, Any]:
    """The index as JSON-ready data."""
    order = {name: chr(ord("0") + i) for i, name in enumerate(Outcome)}
    places = {place: i for i, place in enumerate(site.places)}
    exporters = {name: i for i, name in enumerate(site.exporters)}
    columns = sorted({(exporters[c.exporter], places[c.place]) for c in site.cells})
    tags = {name: i for i, name in enumerate(site.by_tag)}
    topics = {name: i for i, name in enumerate(site.topics)}
    errors = {name: i for i, name in enumerate(site.entries)}
    positions = {name: i for i, name in enumerate(site.cases)}
    messages: dict[tuple[str, str, int], int] = {}

    def case(view: CaseView) -> list[Any]:
        cells = {(exporters[c.exporter], places[c.place]): order[c.outcome]
                 for c in view.cells}  # fmt: skip
        said = dict.fromkeys(m for c in view.cells if (m := _message(c, errors)) is not None)
        return [
            view.id,
            view.case.meta.title,
            topics[view.case.topic],
            [tags[t] for t in view.case.meta.tags],
            sum(1 << n for n, name in enumerate(FLAGS) if getattr(view, name)),
            "".join(cells.get(column, ".") for column in columns),
            [messages.setdefault(m, len(messages)) for m in said],
            [errors[e] for e in view.case.meta.errors if e in errors],
            " ".join(view.names),
            [positions[r] for name in view.case.meta.rewrites
             if (r := site.current(name)) in positions],
        ]  # fmt: skip

    cases = [case(view) for view in site.cases.values()]
    return {
        "version": VERSION,
        "outcomes": [[o, o.glyph, o.word, o.meaning, o.tone] for o in Outcome],
        "exporters": [[name, slug(name)] for name in site.exporters],
        "places": [[place.torch, place.device] for place in site.places],
        "columns": columns,
        "tags": [[t, site.tags[t].description if t in site.tags else "", slug(t)] for t in tags],
        "topics": list(topics),
        "flags": list(map(list, FLAGS.items())),
        "errors": [_entry(e) for e in site.entries.values()],
        "reading": PATTERNS,
        # A group is \1 to Python and $1 to JavaScript.
        "volatile": [
            [pattern.pattern, instead.replace("\\", "$")] for pattern, instead in VOLATILE
        ],
        "messages": [list(m) for m in messages],
        "cases": cases,
    }


def _entry(entry: Entry) -> list[Any]:
    wordings = [t.pieces for t in entry.wordings]
    told = (entry.context, entry.wrapper, entry.causes, entry.where)
    return [entry.id, entry.title, entry.types, wordings, entry.meaning, entry.remedy, *told]


def _message(cell: Cell, errors: dict[str, int]) -> tuple[str, str, int] | None:
    if cell.error is None:
        return None
    entry = errors.get(cell.error.catalogue or "", -1)
    return (cell.error.type, one_line(beginning(cell.error.message))[:LONGEST_MESSAGE], entry)
