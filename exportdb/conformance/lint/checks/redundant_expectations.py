"""L037: an expectation that says what holds without it."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb import plugins
from exportdb.cases.case import CaseError
from exportdb.cases.lint.check import Check, Context, Problem
from exportdb.cases.yamlfile import load_file
from exportdb.records.expectation import Entries, ExpectationEntry, Extends, lineage, resolve
from exportdb.records.expectation_files import read


def _find(ctx: Context) -> Iterator[Problem]:
    extends = _extends()
    for case in ctx.chosen:
        path = case.expectations_path
        if not path.is_file():
            continue
        try:
            entries = read(path)
        except CaseError:
            continue  # L036 says so
        for exporter, number in redundant(entries, extends):
            where = f"entry {number} of {exporter}" if len(entries[exporter]) > 1 else exporter
            message = f"{where} changes nothing where it was measured"
            yield Problem(path, load_file(path)[1].get(exporter, 1), "L037", message)


def redundant(entries: Entries, extends: Extends) -> Iterator[tuple[str, int]]:
    """Exporter and number (from 1) of each entry without whose values everything measured is
    expected to be the same.

    An entry that just says where the exporter was measured says something: that it did there what
    it inherits. Conditions that only a person can write are taken at their word.
    """
    inheriting = {
        exporter: {
            (name, point.where): resolve(entries, extends, name, point.where)
            for name, theirs in entries.items()
            if exporter in lineage(extends, name)
            for e in theirs
            for point in e.points
        }
        for exporter in entries
    }
    for exporter, own in entries.items():
        for index, entry in enumerate(own):
            if entry.when.by_hand or not (entry.value or not entry.measured):
                continue
            without = {
                **entries,
                exporter: [
                    *own[:index],
                    ExpectationEntry(when=entry.when, measured=entry.measured),
                    *own[index + 1 :],
                ],
            }
            if all(
                resolve(without, extends, name, where) == value
                for (name, where), value in inheriting[exporter].items()
            ):
                yield exporter, index + 1


def _extends() -> Extends:
    """What each exporter that comes with exportdb extends; their modules are light."""
    refs = plugins.installed(plugins.EXPORTERS).values()
    own = (ref for ref in refs if ref.ours)
    return {ref.name: getattr(ref.load(), "extends", None) for ref in own}


CHECK = Check(
    id="L037",
    what="No expectation says what would be expected without it.",
    why="What changes nothing is still read, believed and edited by people.",
    fix="Remove the entry, or let exportdb accept write the file anew.",
    on_database=_find,
    advises=True,
)
