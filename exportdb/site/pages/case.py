"""The page of a case: what it is, its program, what was captured, and who copes with it where.

Owns which of many alike graphs and errors are shown once, and what is said of each; facts are left
to ``facts``.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any, TypeVar

from markupsafe import Markup

from exportdb.cases.case import Case
from exportdb.cases.declared import samples
from exportdb.records.record import digest
from exportdb.site import addresses, markup
from exportdb.site.lines import graph_lines
from exportdb.site.model import CaseView, Cell, Observation, Place, Sample, Site, Source
from exportdb.site.page import Page, Section
from exportdb.site.pages import matrix
from exportdb.site.pages.facts import recordings
from exportdb.site.pages.matrix import Link, alike, places_of

T = TypeVar("T")

#: What is appended to a program so that it shows by itself what torch.export makes of it.
REPRO = """

if __name__ == "__main__":
    args, kwargs = inputs(), {}
    if isinstance(args, dict):
        args, kwargs = (), args
    elif not isinstance(args, tuple):
        args = (args,)
    elif len(args) == 2 and isinstance(args[0], tuple) and isinstance(args[1], dict):
        args, kwargs = args
    shapes = globals().get("dynamic_shapes")
    print(torch.export.export(%s(), args, kwargs, dynamic_shapes=shapes))
"""


@dataclass(frozen=True)
class Graph:
    """A captured graph and the cells that have it; ``lines`` pairs its text with program lines."""

    where: str
    outcomes: tuple[Any, ...]
    lines: tuple[tuple[str, int | None], ...]
    linked: bool


@dataclass(frozen=True)
class ErrorShown:
    """An error and the cells that raised it; ``whole`` where a record has all of its message."""

    type: str
    message: str
    phases: str
    entry: str
    title: str
    where: str
    whole: bool


@dataclass(frozen=True)
class Change:
    """One step of the history: what it was, what it became, and when."""

    exporter: str
    device: str
    before: str
    after: str
    outcomes: tuple[Any, Any] | None
    what: str


def key(site: Site, view: CaseView) -> str:
    """Stands for all that the page of a case is made from."""
    others = [*_related(site, view), *_origins(site, view)]
    said = [view.digest, *(f"{o.id}{o.case.digest}" for o in others)]
    for entry in sorted(
        {*view.case.meta.errors, *(c.error.catalogue or "" for c in view.cells if c.error)}
    ):
        said.append(site.entries[entry].title if entry in site.entries else "")
    return digest("\n".join(said))


def page(site: Site, view: CaseView) -> Page:
    """The page of a case."""
    case = view.case
    name = addresses.case(case.id)
    link: Link = partial(addresses.relative, start=name)
    first = _first_line(case)
    parts: list[tuple[str, str, str | Callable[[], Markup]]] = [
        ("program", "Program and captured graph", lambda: _program(view, first)),
        ("support", "Support", lambda: _support(view, site.exporters, link)),
    ]
    if errors := _errors(site, view):
        parts.append(("error", "Errors" if len(errors) > 1 else "Error",
                      lambda: markup.render("errors.html", errors=errors, link=link)))  # fmt: skip
    for kind, title, ids in (("rewrites", "Rewrite", case.meta.rewrites),
                             ("pitfalls", "Pitfall", case.meta.pitfalls)):  # fmt: skip
        if known := [site.cases[i] for i in map(site.current, ids) if i in site.cases]:
            parts.append((kind, title if len(known) == 1 else title + "s",
                          partial(_diffs, case, known, kind, link)))  # fmt: skip
    if facts := recordings(view):
        parts.append(("facts", "Ranges, guards and symbolic facts",
                      lambda: markup.render("facts.html", facts=facts)))  # fmt: skip
    parts.append(("samples", "Samples", lambda: _samples(view)))
    parts.append(("references", "Findings and references", lambda: _references(site, view, link)))
    parts.append(("history", "History", lambda: _history(view, link)))
    sections = tuple(Section(i, t, str(make() if callable(make) else make)) for i, t, make in parts)
    return Page(
        name=name,
        title=markup.clean(case.meta.title),
        description=markup.summary(case.meta.description),
        lead=str(markup.render("case.html", case=case, view=view, site=site, link=link,
                               addresses=addresses, paragraphs=markup.paragraphs,
                               origins=_origins(site, view))),
        sections=sections,
        kind="case",
    )  # fmt: skip


def _related(site: Site, view: CaseView) -> list[CaseView]:
    meta = view.case.meta
    ids = map(site.current, (*meta.rewrites, *meta.pitfalls))
    return [site.cases[i] for i in ids if i in site.cases]


def _origins(site: Site, view: CaseView) -> list[CaseView]:
    """The cases that this one is a rewrite or a pitfall of."""
    return [site.cases[i] for i in site.origins.get(view.id, ())]


def _first_line(case: Case) -> int:
    """The line of the file on which the program begins."""
    lines = case.source.splitlines()
    at = case.program_line - 1
    while at < len(lines) and not lines[at].strip():
        at += 1
    return at + 1


# --- program and graphs ------------------------------------------------------------------------


def _program(view: CaseView, first: int) -> Markup:
    case = view.case
    return markup.render(
        "program.html",
        case=case,
        code=markup.python(case.program, first, anchor="L"),
        repro=markup.clean(REPRO % case.meta.models[0]),
        file=PurePosixPath(case.id).name + ".py",
        graphs=_graphs(view),
        recorded=any(c.graph_readable for c in view.cells),
    )


def _graphs(view: CaseView) -> list[Graph]:
    """The distinct graphs; the best outcome on the best-known device first, then those that most
    cells have.
    """
    found = []
    groups = alike((c for c in view.cells if c.graph), lambda c: c.graph)

    def order(cells: Sequence[Cell]) -> tuple[bool, int, int]:
        known = [c for c in cells if c.place.device == view.places[0].device]
        return (not known, min(c.shown.rank for c in known or cells), -len(cells))

    groups.sort(key=order)
    for cells in groups:
        lines: dict[int, int] = {}
        for cell in cells:
            if cell.graph_readable and not cell.stale and not lines:
                lines = graph_lines(cell.graph, cell.graph_readable, view.id + ".py")
        texts = markup.clean(cells[0].graph).rstrip("\n").split("\n")
        outcomes = tuple(dict.fromkeys(c.shown for c in cells))
        numbered = tuple((text, lines.get(i)) for i, text in enumerate(texts))
        found.append(Graph(places_of(cells), outcomes, numbered, bool(lines)))
    return found


# --- support -----------------------------------------------------------------------------------


def _support(view: CaseView, known: Collection[str], link: Link) -> Markup:
    plain = Markup("<p>Nothing has been measured yet.</p>")
    commands: list[str] = []
    if view.cells:
        plain = matrix.html(matrix.matrix(view.cells), link, anchors=True)
        newest = max(view.places, key=lambda p: (p.device == view.places[0].device, p.rank))
        commands = [c.command for c in view.cells if c.place == newest][:1]
    # An exporter that nobody ran at the defaults has no page.
    gone = {addresses.exporter(c.exporter) for c in view.switched if c.exporter not in known}
    apart = matrix.html(matrix.matrix(view.switched), lambda to: "" if to in gone else link(to),
                        "switched") if view.switched else ""  # fmt: skip
    return plain + markup.render("measured.html", commands=commands, switched=apart,
                                 sources=_sources([*view.cells, *view.switched]),
                                 link=link, case=view.case)  # fmt: skip


def _sources(cells: Iterable[Cell]) -> list[tuple[Source | None, str]]:
    """Where the cells are from: runs, the newest first, then the accepted expectations."""
    by_source: dict[Source, set[Place]] = {}
    for cell in cells:
        by_source.setdefault(cell.source, set()).add(cell.place)
    listed = sorted(by_source, key=lambda s: s.started, reverse=True)
    return [
        (s if s.measured_by_run else None,
         matrix.places_in_words(by_source[s]))
        for s in listed
    ]  # fmt: skip


def _errors(site: Site, view: CaseView) -> list[ErrorShown]:
    """The distinct errors: those that an entry explains first, then those that most cells
    raised.
    """
    raised = [c for c in view.cells if c.error is not None]
    groups = alike(
        raised, lambda c: c.error and (c.error.type, c.error.fingerprint or c.error.message)
    )
    found = []
    for cells in sorted(groups, key=len, reverse=True):
        recorded = [c.error for c in cells if c.error and c.source.measured_by_run]
        known_of = recorded or [c.error for c in cells if c.error]
        fullest = max(known_of, key=lambda e: len(e.message))
        entry = fullest.catalogue or ""
        known = site.entries.get(entry)
        found.append(
            ErrorShown(
                type=fullest.type,
                message=markup.clean(fullest.message).strip("\n"),
                phases=", ".join(dict.fromkeys(c.phase for c in cells if c.phase)),
                entry=entry if known else "",
                title=known.title if known else "",
                where=places_of(cells),
                whole=bool(recorded),
            )
        )
    return sorted(found, key=lambda error: not error.entry)


# --- rewrites ----------------------------------------------------------------------------------


def _diffs(case: Case, others: Sequence[CaseView], kind: str, link: Link) -> Markup:
    mine = (case.program, _first_line(case))
    diffs = [(o, markup.side_by_side(mine, (o.case.program, _first_line(o.case)))) for o in others]
    return markup.render("diffs.html", case=case, diffs=diffs, kind=kind, link=link,
                         addresses=addresses, paragraphs=markup.paragraphs)  # fmt: skip


# --- samples, references, history --------------------------------------------------------------


def _samples(view: CaseView) -> Markup:
    """What the case declares, and what happened on each sample at the newest place with records."""
    cells = [c for c in view.cells if c.source.measured_by_run and any(s.role for s in c.samples)]
    newest = max(cells, key=lambda c: (c.source.started, c.place.rank), default=None)
    shown = [c for c in cells if newest is not None and c.place == newest.place]
    table: dict[tuple[str, str], dict[str, Sample]] = {}
    for cell in shown:
        for sample in cell.samples:
            table.setdefault((sample.role, sample.name), {})[cell.exporter] = sample
    exporters = [[c.exporter for c in group] for group in alike(shown, _results)]
    return markup.render(
        "samples.html", declared=samples(view.case), table=table, exporters=exporters,
        place=newest and newest.place,
    )  # fmt: skip


def _results(cell: Cell) -> tuple[tuple[str, ...], ...]:
    """What the table shows of a cell's samples."""
    return tuple((s.role, s.name, s.result, s.message if s.telling else "") for s in cell.samples)


def _references(site: Site, view: CaseView, link: Link) -> Markup:
    findings: dict[str, dict[str, None]] = {}
    for cell in view.cells:
        for finding in cell.findings:
            findings.setdefault(finding.id, {}).update({finding.message: None})
    return markup.render(
        "references.html",
        findings={f: [m for m in messages if m][:6] for f, messages in findings.items()},
        where={f: places_of(c for c in view.cells if any(x.id == f for x in c.findings))
               for f in findings},
        references=[(r, addresses.reference(r)) for r in view.case.meta.references],
        entries=[site.entries[e] for e in view.case.meta.errors if e in site.entries],
        link=link,
        addresses=addresses,
    )  # fmt: skip


def _history(view: CaseView, link: Link) -> Markup:
    return markup.render(
        "history.html", steps=[*_run_steps(view), *_torch_steps(view)],
        runs=len({o.source.run for o in view.observations}), link=link, addresses=addresses,
    )  # fmt: skip


def _torch_steps(view: CaseView) -> list[Change]:
    """What changed from one torch version to the next."""
    rows: dict[tuple[str, str], list[Cell]] = {}
    for cell in view.cells:
        rows.setdefault((cell.exporter, cell.place.device), []).append(cell)
    steps = []
    for (exporter, device), cells in rows.items():
        ordered = sorted(cells, key=lambda c: c.place.rank)
        for old, new in pairwise(ordered):
            if old.outcome != new.outcome:
                outcomes, what = (old.shown, new.shown), ""
            elif old.graph != new.graph:
                outcomes, what = None, "another graph"
            else:
                continue
            places = f"torch {old.place.torch}", f"torch {new.place.torch}"
            steps.append(Change(exporter, device, *places, outcomes, what))
    return steps


def _run_steps(view: CaseView) -> list[Change]:
    """What changed from one run to the next at the same place."""
    rows: dict[tuple[str, Place], list[Observation]] = {}
    for seen in view.observations:
        rows.setdefault((seen.exporter, seen.place), []).append(seen)
    steps = []
    for (exporter, place), row in rows.items():
        for old, new in pairwise(row):
            if old.outcome != new.outcome:
                outcomes, what = (old.outcome, new.outcome), ""
            elif old.graph_digest != new.graph_digest:
                outcomes, what = None, "another graph"
            else:
                continue
            steps.append(
                Change(exporter, f"{place.device}, torch {place.torch}", _when(old.source),
                       _when(new.source), outcomes, what)
            )  # fmt: skip
    return steps


def _when(source: Source) -> str:
    return source.started[:16].replace("T", " ")
