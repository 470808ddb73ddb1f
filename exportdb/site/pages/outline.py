"""What pages that list cases are made from, as digests: when they must be made again.

A page that shows outcomes and titles need not be made anew when a program changes. Owns which parts
of the model each kind of list shows; the key of a case's own page is ``case.key``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from exportdb.records.record import digest
from exportdb.site.model import CaseView, Cell, Site
from exportdb.site.pages.matrix import first_line


@dataclass(frozen=True)
class Outline:
    """Digests of parts of a site.

    ``texts`` is of all IDs, titles and counts of tags, ``columns`` of what was measured at all,
    with the newest places; ``entries`` of the error catalogue, ``runs`` of every observation. The
    mappings are by name: of all that is said of a tag or an error, of what lists show of an
    exporter's cells, and of all that is known of these.
    """

    texts: str
    columns: str
    entries: str
    runs: str
    tags: Mapping[str, str]
    errors: Mapping[str, str]
    exporters: Mapping[str, str]
    compared: Mapping[str, str]
    by_case: Mapping[str, str]

    def cases(self, views: Iterable[CaseView]) -> list[str]:
        """A digest for each case: its title and the outcomes of its cells."""
        return [self.by_case[view.id] for view in views]


def of(site: Site) -> Outline:
    """The outline of a site."""
    titles = {view.id: f"{view.id} {view.case.meta.title}" for view in site.cases.values()}
    lines = {id(cell): _line(cell) for cell in site.cells}
    by_exporter: dict[str, list[str]] = {name: [] for name in site.exporters}
    for cell in site.cells:
        by_exporter[cell.exporter].append(f"{titles[cell.case]}\n{lines[id(cell)]}")
    runs = [f"{v.id} {o}" for v in site.cases.values() for o in v.observations]
    bearing = [f"{tag} {len(views)}" for tag, views in site.by_tag.items()]
    return Outline(
        texts=_digest([*titles.values(), *bearing, *map(str, site.tags.values())]),
        columns=_digest([f"{e} {p}" for e in site.exporters for p in site.places_of(e)]),
        entries=_digest(f"{e.id} {e.title}" for e in site.entries.values()),
        runs=_digest([*_each(by_exporter).values(), *runs, str(site.elsewhere)]),
        compared={
            name: _digest(f"{titles[v.id]} {v.measured.get(name)}" for v in site.cases.values())
            for name in site.exporters
        },
        tags={tag: str(site.tags.get(tag)) for tag in site.by_tag},
        errors={name: _error(site, name, titles) for name in site.entries},
        exporters=_each(by_exporter),
        by_case={
            view.id: _digest([titles[view.id], *(lines[id(c)] for c in view.cells)])
            for view in site.cases.values()
        },
    )


def _each(lines: Mapping[str, Iterable[str]]) -> dict[str, str]:
    """A digest of the lines under each name."""
    return {name: _digest(found) for name, found in lines.items()}


def _error(site: Site, entry_id: str, titles: Mapping[str, str]) -> str:
    explained = [f"{v.id} {v.case.meta}" for v in site.by_entry.get(entry_id, ())]
    rewrites = (r for v in site.by_entry.get(entry_id, ()) for r in v.case.meta.rewrites)
    named = [titles.get(site.current(r), "") for r in rewrites]
    raised = [f"{titles[c.case]} {c.exporter} {c.place}" for c in site.raised.get(entry_id, ())]
    return _digest([str(site.entries[entry_id]), *explained, *named, *raised])


def _line(cell: Cell) -> str:
    """What lists show of a cell."""
    error = cell.error
    said = error and (error.type, first_line(error.message), error.catalogue)
    taken = cell.seconds.get("capture", "")
    return (
        f"{cell.exporter} {cell.place} {cell.outcome} {said} {cell.issue} {taken} {_guards(cell)}"
    )


def _guards(cell: Cell) -> object:
    counts = cell.facts.get("counts")
    return counts.get("guards") if isinstance(counts, dict) else None


def _digest(lines: Iterable[str]) -> str:
    return digest("\n".join(lines).encode("utf-8", "replace"))
