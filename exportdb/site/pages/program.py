"""What pages show of a program: its lines with what is to be noticed, and what makes it another."""

from __future__ import annotations

import ast
import re
from collections.abc import Iterable, Sequence
from itertools import takewhile
from pathlib import PurePosixPath
from typing import NamedTuple

from markupsafe import Markup

from exportdb.cases.case import Case
from exportdb.records.outcome import Outcome
from exportdb.site import markup
from exportdb.site.model import CaseView, Cell, Site
from exportdb.site.pages.verdict import CellVerdict


def code(
    view: CaseView, rewrites: Sequence[Diff], said: CellVerdict | None = None, anchor: str = ""
) -> Markup:
    """The program with numbers; lines to which an exporter's result is owed, first of all that of
    the verdict, or that a rewrite changes are marked."""
    marks = _marks(view, rewrites, said.cell.exporter if said else "")
    return markup.python(view.case.program, _first_line(view.case), anchor, marks)


def _first_line(case: Case) -> int:
    """The line of the file on which the program begins."""
    lines = case.source.splitlines()[case.program_line - 1 :]
    return case.program_line + next((i for i, text in enumerate(lines) if text.strip()), 0)


#: What is said at the line to which a result is owed.
_SAYS = {
    Outcome.WRONG: "{} is silently wrong from here",
    Outcome.SPECIALIZED: "{} settles this by the example",
    Outcome.UNGUARDED: "{} does not check this",
    Outcome.LOSSY: "{} gives the right values here, and loses something else",
    Outcome.REFUSED: "{} refuses this",
    Outcome.CRASHED: "{} dies of this",
}
#: What it is on the lines of the verdict's exporter, which the reader knows.
_REFUSED = "refused here"


def _marks(view: CaseView, rewrites: Sequence[Diff], first: str) -> dict[int, str]:
    """What is to be noticed on lines of the program: where the newest results of the exporter
    ``first`` come from, where others are silently wrong, or fail where that one has no such line,
    and what the rewrite changes.
    """
    changed = {line.number: "rewritten" for line in (rewrites[0].lines if rewrites else ())}
    changed.pop(0, None)
    own: dict[int, str] = {}
    silent: dict[int, str] = {}
    loud: dict[int, str] = {}
    for exporter, row in view.versions.items():
        cell = row[-1]
        if (said := _SAYS.get(cell.outcome)) and (line := _line_known(row, view.case)):
            told = said.format(exporter)
            if exporter == first:
                own.setdefault(line, _REFUSED if cell.outcome is Outcome.REFUSED else told)
            else:
                (silent if cell.outcome is Outcome.WRONG else loud).setdefault(line, told)
    return {**changed, **({} if own else loud), **silent, **own}


def _line_known(row: Sequence[Cell], case: Case) -> int:
    """The line to which the last of some results is owed. Where that one does not tell, an older
    torch may that came to the same: with the same error, or the same samples going wrong."""
    same = takewhile(lambda c: _came_to(c) == _came_to(row[-1]), reversed(row))
    return next(filter(None, (line_of(cell, case) for cell in same)), 0)


def _came_to(cell: Cell) -> tuple[Outcome, str, str]:
    """What has to be alike for two results to be owed to the same line."""
    told = next((s.name for s in cell.record.samples if s.counts_against), "")
    return cell.outcome, told, cell.error.fingerprint if cell.error else ""


def line_of(cell: Cell, case: Case) -> int:
    """The line of the program to which a result is owed; 0 where it is not known. Where every
    value is right and something else is lost, it is the line that gives them back."""
    if cell.record.departs and cell.record.departs.line and not cell.stale:
        return cell.record.departs.line
    message = cell.error.message if cell.error else ""
    if cell.outcome is Outcome.LOSSY:
        return _given_back(case)
    if not cell.stale and (line := stopped_at(message, case)):
        return line
    return known_line(cell.line, case) if cell.line else _spoken_of(message, case)


#: What of the program a message may speak of by name, and the line that makes it.
_SPOKEN_OF = (
    (
        re.compile(
            r"\bdynamic_shapes\b|\bnamed Dims\b|\bnot in range \[|^Constraints violated"
            r"|\buser-specified ranges\b|^Node type mismatch|^name 'L' is not defined"
            r"|^Must provide a tree_name|^Cannot create SymNode"
        ),
        r"dynamic_shapes\b",
    ),
    (re.compile(r"(?:Unsupported input type|\bfor type:) <class '(?:\w+\.)*(\w+)'"), r"class {}\b"),
    (re.compile(r"Guard failed: (\w+) =="), r"\s*def forward\(self\b.*\b{}\b"),
    (re.compile(r"flatten user inputs|kwarg keyword mismatch"), r"\s*def forward\(self\b"),
)


def _spoken_of(message: str, case: Case) -> int:
    """The line that makes what a message names, where it stops at none: what was asked of sizes,
    the class of an input, an input that became a constant, the structure of the inputs."""
    for pattern, beginning in _SPOKEN_OF:
        if not (found := pattern.search(message)):
            continue
        named = re.compile(beginning.format(*found.groups()))
        lines = enumerate(case.source.splitlines(), 1)
        there = [n for n, line in lines if n >= _first_line(case) and named.match(line)]
        if len(there) == 1:
            return there[0]
    return 0


def _given_back(case: Case) -> int:
    """The line that returns what ``forward`` gives; 0 where several do."""
    functions = [n for n in ast.walk(ast.parse(case.source)) if isinstance(n, ast.FunctionDef)]
    forward = [f for f in functions if f.name == "forward"]
    lines = {n.lineno for f in forward for n in ast.walk(f) if isinstance(n, ast.Return)}
    return lines.pop() if len(lines) == 1 else 0


def stopped_at(message: str, case: Case) -> int:
    """The line of the program that an error names last; 0 where it names none."""
    file = re.escape(PurePosixPath(case.id).name)
    lines = re.findall(rf"\b{file}\.py(?:\"?, line |:)(\d+)", message)
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


def diffs(site: Site, view: CaseView, ids: Iterable[str], said: CellVerdict | None) -> list[Diff]:
    """What makes a case each of some others; those that the exporter of the verdict copes with best
    stand first."""
    mine = (view.case.program, _first_line(view.case))
    found = []
    for other in site.views(ids):
        cell = other.by_key.get((said.cell.exporter, said.cell.point)) if said else None
        found.append(Diff(other, markup.diff(mine, other.case.program), cell))
    return sorted(found, key=lambda d: d.best.outcome.rank if d.best else len(Outcome))
