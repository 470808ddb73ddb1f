"""How ``exportdb show`` shows an entry of the error catalogue, with the cases that explain it."""

from __future__ import annotations

import textwrap
from collections.abc import Sequence
from pathlib import Path
from typing import Any

from exportdb import resolve
from exportdb.cases import catalogue
from exportdb.cases.case import Case
from exportdb.cases.catalogue import Entry
from exportdb.cases.database import SelectionError
from exportdb.cases.entry_text import change, entry_lines, said_by
from exportdb.cli import output
from exportdb.hints import hint
from exportdb.prose import filled


def show(entry_id: str, trees: Sequence[Path], as_json: bool) -> None:
    """Show the entry with this ID. Raises SelectionError if there is none."""
    roots = [*resolve.configuration().cases, *trees]
    entry = catalogue.load(roots, only={entry_id}).entries.get(entry_id)
    if entry is None:
        known = hint(entry_id, catalogue.load(roots).entries, "exportdb explain TEXT finds one")
        raise SelectionError(f"no entry of the error catalogue is named {entry_id}{known}")
    cases = catalogue.cases_by_entry(resolve.load(trees)).get(entry_id, [])
    if as_json:
        output.put_json(_as_json(entry, cases))
    else:
        _print(entry, cases)


def _as_json(entry: Entry, cases: Sequence[Case]) -> dict[str, Any]:
    return {
        "entry": entry.id,
        "title": entry.title,
        "meaning": entry.meaning,
        "remedy": entry.remedy,
        "causes": list(entry.causes),
        "where": entry.where,
        "wordings": [m.text for m in entry.messages],
        "types": list(entry.types),
        "registry": dict(entry.registry),
        "since": entry.since,
        "until": entry.until,
        "package": entry.package,
        "undated": entry.undated,
        "unprovoked": entry.unprovoked,
        "fails": entry.fails,
        "works": entry.works,
        "change": change(entry),
        "path": str(entry.path),
        "line": entry.line,
        "cases": [
            {
                "case": c.id,
                "title": c.meta.title,
                "rewrites": list(c.meta.rewrites),
                "pitfalls": list(c.meta.pitfalls),
            }
            for c in cases
        ],
    }


def _print(entry: Entry, cases: Sequence[Case]) -> None:
    output.put("\n".join(entry_lines(entry)))
    output.put("\nHow it is worded:")
    for wording in entry.messages:
        output.put(filled(catalogue.one_line(wording.text), "    ", "  - "))
    for number, kind in entry.registry.items():
        output.put(filled(f"{number}: {catalogue.one_line(kind)}", "    ", "  - "))
    output.put()
    if entry.types:
        output.put(f"raised as:   {', '.join(entry.types)}")
    if dated := said_by(entry):
        output.put(dated)
    output.put(f"file:        {entry.path}:{entry.line}")
    _put_programs(entry)
    if not cases:
        if not entry.fails:
            output.put(f"\nNo case shows it{f': {entry.unprovoked}' if entry.unprovoked else '.'}")
        return
    output.put("\nCases that show it:")
    for case in cases:
        output.put(f"  {case.id}: {case.meta.title}")
        for rewrite in case.meta.rewrites:
            output.put(f"    captured as {rewrite}")
    output.put(f"\nsee its program: exportdb show {cases[0].id}")


def _put_programs(entry: Entry) -> None:
    """The program of an entry that fails, and what makes it the one that works."""
    if entry.fails:
        output.put("\nThis fails:\n")
        output.put(textwrap.indent(entry.fails, "  "))
        output.put("Write instead:\n")
        output.put(textwrap.indent(change(entry), "  "))
