"""The page of a case: what it is, its program, what was captured, and who copes with it where.

Owns which of many alike graphs and errors are shown once, and in which order; facts are left to
``facts``, the matrix to ``matrix``.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import pairwise
from pathlib import PurePosixPath
from typing import Any

from markupsafe import Markup

from exportdb.cases.capabilities import CAPABILITIES
from exportdb.cases.catalogue import Entry
from exportdb.cases.declared import samples
from exportdb.records.expectation import version_key
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
from exportdb.site.pages.program import Diff, code, diffs
from exportdb.site.pages.verdict import CellVerdict, in_words, verdict
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
    named = [f"{o.id}{o.digest}" for o in site.views((*meta.rewrites, *meta.pitfalls))]
    origins = [f"{o.id}{o.case.digest}" for o in site.origins.get(view.id, ())]
    raised = (c.error.catalogue or "" for c in view.cells if c.error)
    known = (site.entries[e] for e in sorted({*meta.errors, *raised}) if e in site.entries)
    entries = [f"{e.title}\n{e.remedy}" for e in known]
    accepted = str((site.accepted.get(view.id), _surroundings(site, view.cells)))
    return digest("\n".join([view.digest, accepted, *named, *origins, *entries]))


def page(site: Site, view: CaseView) -> Page:
    """The page of a case: what is the matter, the program and a way out, then all that is known."""
    case, name = view.case, addresses.case(view.id)
    link: Href = partial(addresses.relative, start=name)
    said = verdict(view)
    rewrites = diffs(site, view, case.meta.rewrites, said)
    parts = []
    for kind, anchor, title, found in (
        ("rewrites", "more-rewrites", "More rewrites", rewrites[1:]),
        ("pitfalls", "pitfalls", "Pitfalls", diffs(site, view, case.meta.pitfalls, None)),
    ):
        if found:
            html = markup.render("diffs.html", case=case, diffs=found, kind=kind, link=link)
            parts.append((anchor, title, html))
    parts.append(("support", "Support", _support(view, link)))
    if errors := _errors(site, view):
        html = markup.render("errors.html", errors=errors, link=link)
        parts.append(("error", "Errors" if len(errors) > 1 else "Error", html))
    parts.append(("graphs", "Captured graph", _graphs_html(view)))
    if facts := recordings(view):
        html = markup.render("facts.html", facts=facts)
        parts.append(("facts", "Ranges, guards and symbolic facts", html))
    history = markup.render("history.html", steps=list(_steps(view)), link=link,
                            runs=len({c.run and c.run.run for c in view.history}))  # fmt: skip
    parts += [("samples", "Samples", _samples(view)),
              ("history", "History", history),
              ("measured", "Measured", _measured(site, view, link)),
              ("references", "Findings and references", _references(site, view, link))]  # fmt: skip
    return Page(
        name=name,
        title=markup.clean(case.meta.title),
        description=markup.summary(" ".join(filter(None, (in_words(said), case.meta.description)))),
        lead=_lead(site, view, said, rewrites, link),
        sections=tuple(Section(*part) for part in parts),
        kind="case",
        source=f"cases/{view.id}.py",
    )


def _lead(site: Site, view: CaseView, said: CellVerdict | None, rewrites: Sequence[Diff],
          link: Href) -> Markup:  # fmt: skip
    """What answers first: the verdict, the program with the line to look at, the best rewrite."""
    case = view.case
    named = site.origins.get(view.id, [])
    rewritten = [o for o in named if view.id in o.case.meta.rewrites]
    repros = _repros(view)
    outcome = said.cell.outcome if said else Outcome.SUPPORTED
    wanting = outcome.compared and not outcome.faultless and not case.meta.breaks_contract
    unrewritten = wanting and not rewrites
    error = said.cell.error if said and not rewrites else None
    return markup.render(
        "case.html", case=case, link=link, verdict=said, fix=rewrites[:1], more=len(rewrites) - 1,
        remedy=site.entries.get(error.catalogue or "") if error else None, unrewritten=unrewritten,
        origins=(("rewrite", rewritten), ("pitfall", [o for o in named if o not in rewritten])),
        code=code(view, rewrites, said, "L"), meant=_meant(site, said),
        capabilities=CAPABILITIES, file=PurePosixPath(case.id).name + ".py", repros=repros,
        script=markup.clean(repros[0].script if repros else REPRO % case.meta.models[0]),
        others=_together(repros) if len(repros) > 1 else "",
    )  # fmt: skip


def _meant(site: Site, said: CellVerdict | None) -> Entry | None:
    """The entry that says in words what the verdict's exporter raises."""
    error = said.cell.error if said and said.error else None
    return site.entries.get(error.catalogue or "") if error else None


# --- program and graphs ------------------------------------------------------------------------


@dataclass(frozen=True)
class Repro:
    """What is appended to a program to show what an exporter does, and what it is shown to be."""

    exporter: str
    outcome: Outcome
    script: str


def _repros(view: CaseView) -> list[Repro]:
    """A repro for each exporter whose trouble a script can show, from its newest cell."""
    model, found = view.case.meta.models[0], []
    for row in view.by_version:
        cell = row[-1]
        if cell.point.device != view.points[0].device:
            continue
        script = repro.script(cell.record, model, view.case.program, view.case.meta.train)
        if cell.outcome is Outcome.REFUSED:
            script = repro.raising(cell.exporter, model)
        if script:
            found.append(Repro(cell.exporter, cell.outcome, script))
    return found


def _together(repros: Sequence[Repro]) -> Markup:
    """All repros as JSON: most lines are in all of them, so each stands once."""
    lines = dict.fromkeys(line for r in repros for line in markup.clean(r.script).split("\n"))
    at = {line: i for i, line in enumerate(lines)}
    told = {r.exporter: [f"{r.exporter} is {r.outcome}",
                         [at[line] for line in markup.clean(r.script).split("\n")]]
            for r in repros}  # fmt: skip
    text = json.dumps({"lines": list(lines), "scripts": told}, separators=(",", ":"))
    return Markup(text.replace("<", "\\u003c"))


def _graphs_html(view: CaseView) -> Markup:
    return markup.render(
        "graphs.html", case=view.case,
        graphs=[(cells, _graph(view, cells)) for cells in _graphs(view)],
        recorded=any(c.record.graph_readable for c in view.cells),
    )  # fmt: skip


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


def _support(view: CaseView, link: Href) -> Markup:
    if not view.cells:
        return Markup("<p>Nothing has been measured yet.</p>")
    newest = max(view.points, key=lambda p: (p.device == view.points[0].device, rank(p)))
    command = next(c.command for c in view.cells if c.point == newest)
    repeat = Markup('<p>Repeat it: <code class="xdb-command">{}</code></p>')
    return matrix.html(view.cells, link, anchors=True) + repeat.format(markup.clean(command))


def _measured(site: Site, view: CaseView, link: Href) -> Markup:
    """Where results are from, and those that count nowhere."""
    apart: Markup | str = ""
    if view.switched:
        # An exporter that nobody ran at the defaults has no page.
        known = {addresses.exporter(e) for e in site.exporters}
        asked = {addresses.exporter(c.exporter) for c in view.switched} - known
        apart = matrix.html(view.switched, lambda to: "" if to in asked else link(to), "switched")
    cells = sorted((*view.cells, *view.switched), key=lambda c: c.started, reverse=True)
    sources = grouped(cells, lambda c: c.run and (c.run.run, c.record.env))
    return markup.render(
        "measured.html", switched=apart, link=link, accepted=site.accepted.get(view.id),
        sources=[(c[0], points(c.point for c in c), _surroundings(site, c))
                 for c in sources.values()],
    )  # fmt: skip


def _surroundings(site: Site, cells: Sequence[Cell]) -> list[tuple[str, str]]:
    """What accepted cells were measured with: a Python on a platform, and versions of torch."""
    places = dict.fromkeys(c.point for c in cells if not c.run)
    told = {e for p in places for e in site.surroundings.get(p, ())}
    ordered = sorted(told, key=lambda e: (version_key(e.python), e.platform, version_key(e.torch)))
    found = grouped(ordered, lambda e: f"measured with Python {e.python} on {e.platform}")
    listed = [(where, f"torch {', '.join(e.torch for e in row)}") for where, row in found.items()]
    if listed and (unknown := [p for p in places if p not in site.surroundings]):
        where = "environment not kept, beyond device and minor version of torch"
        listed.append((where, points(unknown)))
    return listed


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
