"""An explanation: the entries that fit, the user's own line, the best cases with their rewrites.

Owns what an answer consists of and how it reads as text and as data. Which entries fit is left to
``matching``. A text that no entry surely fits still gets the nearest entries and cases, a hint at
draft_export where that would help, and a link to report it.
"""

from __future__ import annotations

import difflib
import os
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

from exportdb.cases import database
from exportdb.cases.case import Case
from exportdb.cases.catalogue import Entry
from exportdb.cases.entry_text import entry_lines, filled
from exportdb.explain import reading
from exportdb.explain.matching import Answer, Matcher
from exportdb.explain.reading import Place

#: Names the page on which issues with one's copy of the database are opened; the text of an error
#: that nothing explains goes into its form.
ISSUES_VARIABLE = "EXPORTDB_ISSUES"
#: Characters of a text that go into the link: longer addresses are refused.
LONGEST_LINK = 1500
MOST_CASES = 3
#: Words of texts for which draft_export may go on where export stops.
_DRAFT = frozenset({"export", "_export", "non_strict_utils", "usererror"})


@dataclass(frozen=True)
class Shown:
    """A case that shows an error, and the difference to the case that does the same and captures.

    ``diff`` is empty where the case has no rewrite, and for all cases but the first.
    """

    case: Case
    rewrite: Case | None
    diff: str


@dataclass(frozen=True)
class Explanation:
    """What is known of an error text; ``answers`` best first, sure ones before similar ones."""

    answers: tuple[Answer, ...]
    place: Place | None
    symbols: tuple[str, ...]
    expressions: tuple[str, ...]
    operators: tuple[str, ...]
    cases: tuple[Shown, ...]
    draft_export: bool
    report: str

    @property
    def entry(self) -> Entry | None:
        """The entry that surely explains the error, or None."""
        return self.answers[0].entry if self.sure else None

    @property
    def sure(self) -> bool:
        """Whether the first answer is surely right."""
        return bool(self.answers) and self.answers[0].sure

    def as_json(self) -> dict[str, Any]:
        """The explanation as JSON-ready data."""
        return {
            "sure": self.sure,
            "answers": [
                {"entry": a.entry.id, "title": a.entry.title, "sure": a.sure,
                 "meaning": a.entry.meaning, "remedy": a.entry.remedy,
                 "causes": list(a.entry.causes), "where": a.entry.where}
                for a in self.answers
            ],
            "place": self.place and {
                "file": self.place.file, "line": self.place.line,
                "function": self.place.function, "source": self.place.source,
            },
            "symbols": list(self.symbols),
            "expressions": list(self.expressions),
            "operators": list(self.operators),
            "cases": [
                {"case": s.case.id, "rewrite": s.rewrite and s.rewrite.id, "diff": s.diff}
                for s in self.cases
            ],
            "draft_export": self.draft_export,
            "report": self.report,
        }  # fmt: skip

    def brief(self) -> str:
        """Three lines at most: for where an error has been shown already."""
        if not self.sure:
            return ""
        entry = self.answers[0].entry
        lines = [f"exportdb {entry.id}: {entry.title}", f"what to do: {entry.remedy}"]
        if self.cases:
            lines.append(f"see: exportdb show {self.cases[0].case.id}")
        return "\n".join(textwrap.shorten(line, 300, placeholder=" ...") for line in lines)

    def __str__(self) -> str:
        return "\n".join([*self._head(), *self._named(), *self._shown(), *self._unsure()])

    def _head(self) -> list[str]:
        if not self.sure:
            return ["The catalogue does not surely know this error."]
        return entry_lines(self.answers[0].entry)

    def _named(self) -> list[str]:
        lines = []
        if self.place:
            source = f"\n    {self.place.source}" if self.place.source else ""
            lines.append(f"your line:   {self.place}{source}")
        for name, values in (("condition", self.expressions), ("symbols", self.symbols),
                             ("operators", self.operators)):  # fmt: skip
            if values:
                lines.append(f"{name + ':':<12} {', '.join(values)}")
        return ["", *lines] if lines else []

    def _shown(self) -> list[str]:
        lines = []
        for shown in self.cases:
            lines += ["", f"exportdb show {shown.case.id}: {shown.case.meta.title}"]
            if shown.rewrite:
                lines.append(f"  captured as {shown.rewrite.id}{':' if shown.diff else ''}")
            if shown.diff:
                lines.append(textwrap.indent(shown.diff, "  "))
        return lines

    def _unsure(self) -> list[str]:
        others = [a for a in self.answers if not a.sure] if not self.sure else []
        also = [a for a in self.answers[1:] if a.sure]
        lines = []
        if also:
            lines += ["", "also said in the text:"]
            lines += [f"  {a.entry.id}: {a.entry.title}" for a in also]
        if others:
            lines += ["", "similar, not sure:"]
            lines += [f"  {a.entry.id}: {a.entry.title}" for a in others]
        if self.draft_export:
            lines += ["", filled("torch.export.draft_export captures in spite of such errors and "
                                  "reports all of them with their places.")]  # fmt: skip
        if not self.sure:
            where = (
                self.report or f"to whoever keeps this catalogue ({ISSUES_VARIABLE} makes a link)"
            )
            lines += ["", f"report it: {where}"]
        return lines


def explained(text: str, matcher: Matcher) -> Explanation:
    """The explanation of an error text or traceback."""
    read = reading.read(text)
    answers = tuple(matcher.rank(read))
    sure = bool(answers) and answers[0].sure
    about = [a.entry.id for a in answers if a.sure] or [a.entry.id for a in answers]
    return Explanation(
        answers=answers,
        place=reading.user_line(text),
        symbols=reading.symbols(text),
        expressions=reading.expressions(text),
        operators=reading.operators(text),
        cases=_cases(about, read.context) if answers else (),
        draft_export=not sure and bool(read.context & _DRAFT),
        report=_report(read),
    )


def _cases(entries: list[str], said: frozenset[str]) -> tuple[Shown, ...]:
    """The cases that show these entries best: of the first one, with a rewrite, in its words."""
    ids = database.ids(database.builtin_tree(), [e.encode() for e in entries])
    db = database.load(only=ids) if ids else ()

    def worth(case: Case) -> tuple[int, bool, int]:
        first = min(entries.index(e) for e in case.meta.errors if e in entries)
        words = set(reading.tokens(f"{case.id} {case.meta.title} {case.program}"))
        return -first, bool(case.meta.rewrites), len(words & said)

    fitting = [c for c in db if set(c.meta.errors) & set(entries)]
    best = sorted(fitting, key=worth, reverse=True)[:MOST_CASES]
    named = {case.meta.rewrites[0] for case in best if case.meta.rewrites}
    rewrites = {r.id: r for r in (database.load(only=named) if named else ())}
    return tuple(_shown(case, rewrites, first=case is best[0]) for case in best)


def _shown(case: Case, rewrites: Mapping[str, Case], first: bool) -> Shown:
    """A case with its best rewrite; the diff of just the first that is shown."""
    rewrite = rewrites.get(case.meta.rewrites[0]) if case.meta.rewrites else None
    if rewrite is None or not first:
        return Shown(case, rewrite, "")
    lines = difflib.unified_diff(
        case.program.splitlines(), rewrite.program.splitlines(), case.id, rewrite.id, "", "", 2, ""
    )
    return Shown(case, rewrite, "\n".join(lines))


def _report(read: reading.Text) -> str:
    body = "\n".join(read.lines[-40:])[-LONGEST_LINK:]
    words = {"title": "Unexplained: " + (read.lines[-1] if read.lines else "")[:80],
             "body": f"```\n{body}\n```"}  # fmt: skip
    page = os.environ.get(ISSUES_VARIABLE)
    if not page:
        return ""
    from urllib.parse import urlencode

    return f"{page}?{urlencode(words)}"
