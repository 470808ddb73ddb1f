"""The page of a case: what it is, its program, what was captured, and who copes with it where.

Owns which of many alike graphs and errors are shown once, and in which order; facts are left to
``facts``, the matrix to ``matrix``.
"""

from __future__ import annotations

from collections.abc import Collection, Iterable, Iterator, Sequence
from functools import partial
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from markupsafe import Markup

from exportdb.cases.case import Case
from exportdb.cases.declared import samples
from exportdb.records.outcome import Outcome
from exportdb.records.record import SampleResult, digest
from exportdb.reports import repro
from exportdb.site import addresses, markup
from exportdb.site.lines import graph_lines
from exportdb.site.model import CaseView, Cell, Site, grouped, rank
from exportdb.site.page import Page, Section
from exportdb.site.pages import matrix
from exportdb.site.pages.facts import recordings
from exportdb.site.pages.matrix import Href
from exportdb.site.pages.verdict import verdict
from exportdb.site.words import points

#: What is appended to a program where nothing else shows more: what torch.export makes of it.
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


def key(site: Site, view: CaseView) -> str:
    """Stands for all that the page of a case is made from."""
    meta = view.case.meta
    others = [*site.views((*meta.rewrites, *meta.pitfalls)), *site.origins.get(view.id, ())]
    raised = (c.error.catalogue or "" for c in view.cells if c.error)
    entries = [site.entries[e].title for e in sorted({*meta.errors, *raised}) if e in site.entries]
    return digest("\n".join([view.digest, *(f"{o.id}{o.case.digest}" for o in others), *entries]))


def page(site: Site, view: CaseView) -> Page:
    """The page of a case."""
    case, name = view.case, addresses.case(view.id)
    link: Href = partial(addresses.relative, start=name)
    parts = [("program", "Program and captured graph", _program(view))]
    for kind, title, ids in (("rewrites", "Rewrite", case.meta.rewrites),
                             ("pitfalls", "Pitfall", case.meta.pitfalls)):  # fmt: skip
        if known := site.views(ids):
            title += "s" if len(known) > 1 else ""
            parts.append((kind, title, _diffs(case, known, kind, link)))
    parts.append(("support", "Support", _support(view, site.exporters, link)))
    if errors := _errors(site, view):
        html = markup.render("errors.html", errors=errors, link=link)
        parts.append(("error", "Errors" if len(errors) > 1 else "Error", html))
    if facts := recordings(view):
        html = markup.render("facts.html", facts=facts)
        parts.append(("facts", "Ranges, guards and symbolic facts", html))
    history = markup.render("history.html", steps=list(_steps(view)), link=link,
                            runs=len({c.run and c.run.run for c in view.history}))  # fmt: skip
    parts += [("samples", "Samples", _samples(view)),
              ("references", "Findings and references", _references(site, view, link)),
              ("history", "History", history)]  # fmt: skip
    named = site.origins.get(view.id, [])
    rewritten = [o for o in named if view.id in o.case.meta.rewrites]
    origins = (("rewrite", rewritten), ("pitfall", [o for o in named if o not in rewritten]))
    lead = markup.render(
        "case.html", case=case, link=link, origins=origins, verdict=verdict(view),
        rewrites=site.views(case.meta.rewrites),
    )  # fmt: skip
    return Page(
        name=name,
        title=markup.clean(case.meta.title),
        description=markup.summary(case.meta.description),
        lead=lead,
        sections=tuple(Section(*part) for part in parts),
        kind="case",
    )


def _first_line(case: Case) -> int:
    """The line of the file on which the program begins."""
    lines = case.source.splitlines()[case.program_line - 1 :]
    return case.program_line + next((i for i, text in enumerate(lines) if text.strip()), 0)


# --- program and graphs ------------------------------------------------------------------------


def _program(view: CaseView) -> Markup:
    case = view.case
    told, script = _repro(view)
    return markup.render(
        "program.html",
        case=case,
        code=markup.python(case.program, _first_line(case), anchor="L"),
        repro=markup.clean(script),
        told=told,
        file=PurePosixPath(case.id).name + ".py",
        graphs=[(cells, _graph(view, cells)) for cells in _graphs(view)],
        recorded=any(c.record.graph_readable for c in view.cells),
    )


def _repro(view: CaseView) -> tuple[Cell | None, str]:
    """The newest cell whose trouble a script can show, and the script; none where the exporter that
    stands first refuses: its error shows by itself."""
    model = view.case.meta.models[0]
    for i, row in enumerate(view.by_version):
        if not i and row[-1].outcome is Outcome.REFUSED:
            break
        if row[-1].point.device == view.points[0].device and (
            script := repro.script(row[-1].record, model)
        ):
            return row[-1], script
    return None, REPRO % model


def _graphs(view: CaseView) -> list[list[Cell]]:
    """The cells of each distinct graph; the best outcome on the best-known device first, then those
    that most cells have.
    """

    def order(cells: Sequence[Cell]) -> tuple[bool, int, int]:
        known = [c for c in cells if c.point.device == view.points[0].device]
        return (not known, min(c.outcome.rank for c in known or cells), -len(cells))

    found = grouped((c for c in view.cells if c.record.graph), lambda c: c.record.graph)
    return sorted(found.values(), key=order)


def _graph(view: CaseView, cells: Sequence[Cell]) -> list[tuple[str, int | None]]:
    """The lines of a graph, each with the line of the program that made it, where that is known."""
    graph = cells[0].record.graph or ""
    told = (c.record.graph_readable for c in cells if not c.stale)
    made = (graph_lines(graph, text, view.id + ".py") for text in told if text)
    lines = next(filter(None, made), {})
    texts = markup.clean(graph).rstrip("\n").split("\n")
    return [(text, lines.get(i)) for i, text in enumerate(texts)]


# --- support and errors ------------------------------------------------------------------------


def _support(view: CaseView, known: Collection[str], link: Href) -> Markup:
    shown = Markup("<p>Nothing has been measured yet.</p>")
    command = apart = ""
    if view.cells:
        shown = matrix.html(view.cells, link, anchors=True)
        newest = max(view.points, key=lambda p: (p.device == view.points[0].device, rank(p)))
        command = next(c.command for c in view.cells if c.point == newest)
    if view.switched:
        # An exporter that nobody ran at the defaults has no page.
        gone = {addresses.exporter(c.exporter) for c in view.switched if c.exporter not in known}
        apart = matrix.html(view.switched, lambda to: "" if to in gone else link(to), "switched")
    cells = sorted((*view.cells, *view.switched), key=lambda c: c.started, reverse=True)
    sources = grouped(cells, lambda c: c.run and (c.run.run, c.record.env))
    return shown + markup.render(
        "measured.html", command=command, switched=apart, link=link,
        sources=[(c[0], points(c.point for c in c)) for c in sources.values()],
    )  # fmt: skip


def _errors(site: Site, view: CaseView) -> list[tuple[Any, ...]]:
    """The distinct errors, each with its entry, the cells that raised it, and whether a record has
    all of its message: those that an entry explains first, then those that most cells raised.
    """
    raised = ((c, c.error) for c in view.cells if c.error)
    groups = grouped(raised, lambda pair: (pair[1].type, pair[1].fingerprint or pair[1].message))
    found = []
    for group in sorted(groups.values(), key=len, reverse=True):
        recorded = [e for c, e in group if c.run]
        fullest = max(recorded or [e for _, e in group], key=lambda e: len(e.message))
        entry = site.entries.get(fullest.catalogue or "")
        found.append((fullest, entry, [c for c, _ in group], bool(recorded)))
    return sorted(found, key=lambda error: error[1] is None)


# --- rewrites ----------------------------------------------------------------------------------


def _diffs(case: Case, others: Iterable[CaseView], kind: str, link: Href) -> Markup:
    mine = (case.program, _first_line(case))
    diffs = [(o, markup.side_by_side(mine, (o.case.program, _first_line(o.case)))) for o in others]
    return markup.render("diffs.html", case=case, diffs=diffs, kind=kind, link=link)


# --- samples, references, history --------------------------------------------------------------


def _samples(view: CaseView) -> Markup:
    """What the case declares, and what happened on each sample at the newest point with records."""
    cells = [c for c in view.cells if c.run and c.record.samples]
    newest = max(cells, key=lambda c: (c.started, rank(c.point)), default=None)
    shown = [c for c in cells if newest is not None and c.point == newest.point]
    table: dict[tuple[str, str], dict[str, SampleResult]] = {}
    for cell in shown:
        for sample in cell.record.samples:
            table.setdefault((sample.role, sample.name), {})[cell.exporter] = sample
    exporters = [[c.exporter for c in group] for group in grouped(shown, _results).values()]
    return markup.render(
        "samples.html", declared=samples(view.case), table=table, exporters=exporters,
        point=newest and newest.point,
    )  # fmt: skip


def _results(cell: Cell) -> tuple[tuple[str, ...], ...]:
    """What the table shows of a cell's samples."""
    told = cell.record.samples
    return tuple((s.role, s.name, s.result, s.message if s.counts_against else "") for s in told)


def _references(site: Site, view: CaseView, link: Href) -> Markup:
    found = ((finding, cell) for cell in view.cells for finding in cell.record.findings)
    return markup.render(
        "references.html",
        findings={
            name: (list(dict.fromkeys(f.message for f, _ in group if f.message))[:6],
                   [cell for _, cell in group])
            for name, group in grouped(found, lambda pair: pair[0].id).items()
        },
        references=view.case.meta.references,
        entries=[site.entries[e] for e in view.case.meta.errors if e in site.entries],
        link=link,
    )  # fmt: skip


def _steps(view: CaseView) -> Iterator[tuple[Cell, Cell, str, str, str]]:
    """What changed from one run to the next at the same point, then from one torch version to the
    next: two cells, where they are from, and what tells them apart.
    """
    for row in grouped(view.history, lambda c: (c.exporter, c.point)).values():
        for old, new in pairwise(row):
            if (old.outcome, old.record.graph_digest) != (new.outcome, new.record.graph_digest):
                at = f"{new.point.device}, torch {new.point.torch}"
                yield (old, new, at, _minute(old), _minute(new))
    for row in view.by_version:
        for old, new in pairwise(row):
            if (old.outcome, old.record.graph) != (new.outcome, new.record.graph):
                yield (old, new, new.point.device, f"torch {old.point.torch}",
                       f"torch {new.point.torch}")  # fmt: skip


def _minute(cell: Cell) -> str:
    return cell.started[:16].replace("T", " ")
