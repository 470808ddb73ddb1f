"""What pages show of a program: its lines with what is to be noticed, and what makes it another."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from itertools import chain
from pathlib import PurePosixPath
from typing import NamedTuple

from markupsafe import Markup

from exportdb.cases.case import Case
from exportdb.records.outcome import Outcome
from exportdb.site import markup
from exportdb.site.model import CaseView, Cell, Site
from exportdb.site.pages.verdict import Verdict


def code(view: CaseView, rewrites: Sequence[Diff], anchor: str = "") -> Markup:
    """The program with numbers; lines that an exporter refused or a rewrite changes are marked."""
    return markup.python(view.case.program, _first_line(view.case), anchor, _marks(view, rewrites))


def _first_line(case: Case) -> int:
    """The line of the file on which the program begins."""
    lines = case.source.splitlines()[case.program_line - 1 :]
    return case.program_line + next((i for i, text in enumerate(lines) if text.strip()), 0)


def _marks(view: CaseView, rewrites: Sequence[Diff]) -> dict[int, str]:
    """What is to be noticed on lines of the program: where an exporter stopped, as far as an error
    says so, where a capture departs from eager, and what the rewrite changes.
    """
    changed = {line.number: "rewritten" for line in (rewrites[0].lines if rewrites else ())}
    changed.pop(0, None)
    found = (stopped_at(c.error.message, view.case) for c in view.cells if c.error and not c.stale)
    told = (known_line(c.line, view.case) for c in view.cells if c.error and c.line)
    stopped = dict.fromkeys(filter(None, chain(found, told)), "refused here")
    wrong: dict[int, str] = {}
    for cell in view.cells:
        if cell.outcome is Outcome.WRONG and (line := _departs_at(cell, view.case)):
            wrong.setdefault(line, f"{cell.exporter} is silently wrong from here")
    return {**changed, **wrong, **stopped}


def _departs_at(cell: Cell, case: Case) -> int:
    """The line on which a capture departs from eager; 0 where it is not known."""
    if cell.stale or cell.error:
        return 0
    measured = cell.record.departs
    return (measured and measured.line) or (known_line(cell.line, case) if cell.line else 0)


def stopped_at(message: str, case: Case) -> int:
    """The line of the program that an error names last; 0 where it names none."""
    file = re.escape(PurePosixPath(case.id).name)
    lines = re.findall(rf"\b{file}\.py\"?, line (\d+)", message)
    last = int(lines[-1]) if lines else 0
    return last if _first_line(case) <= last <= len(case.source.splitlines()) else 0


def known_line(text: str, case: Case) -> int:
    """The line of the program that reads ``text``, as an expectation keeps it; 0 where none does,
    or several do."""
    lines = enumerate(case.source.splitlines(), 1)
    found = [n for n, line in lines if n >= _first_line(case) and line.strip().startswith(text)]
    return found[0] if len(found) == 1 else 0


class Diff(NamedTuple):
    """Another case, what makes this one it, and what the exporter of the verdict makes of it."""

    other: CaseView
    lines: Sequence[markup.DiffLine]
    best: Cell | None


def diffs(site: Site, view: CaseView, ids: Iterable[str], said: Verdict | None) -> list[Diff]:
    """What makes a case each of some others; those that the exporter of the verdict copes with best
    stand first."""
    mine = (view.case.program, _first_line(view.case))
    found = []
    for other in site.views(ids):
        cell = other.by_key.get((said.cell.exporter, said.cell.point)) if said else None
        found.append(Diff(other, markup.diff(mine, other.case.program), cell))
    return sorted(found, key=lambda d: d.best.outcome.rank if d.best else len(Outcome))
