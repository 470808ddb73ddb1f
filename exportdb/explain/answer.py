"""An explanation: the entries that fit, the user's own line, the best cases with their rewrites.

Owns what an answer consists of and how it reads as text and as data. Which entries fit is left to
``matching``. A text that no entry surely fits still gets the nearest entries and cases, a hint at
draft_export where that would help, and a link to report it.
"""

from __future__ import annotations

import os
import textwrap
from collections.abc import Mapping
from dataclasses import dataclass
from math import sqrt
from typing import Any

from exportdb.cases import database
from exportdb.cases.case import Case
from exportdb.cases.catalogue import Entry
from exportdb.cases.entry_text import change, diff, entry_lines, said_by
from exportdb.explain import reading
from exportdb.explain.frames import UserLine, user_line
from exportdb.explain.likeness import likeness
from exportdb.explain.matching import Answer, Matcher
from exportdb.prose import filled

#: Names the page on which issues with one's copy of the database are opened; the text of an error
#: that nothing explains goes into its form.
ISSUES_VARIABLE = "EXPORTDB_ISSUES"
#: Characters of a text that go into the link: longer addresses are refused.
LONGEST_LINK = 1500
MOST_CASES = 3
#: How much of two lines is the same where a case is about just that, and where about such a thing.
ALIKE = (0.9, 0.7)
#: Words of texts for which draft_export may go on where export stops, and how the IDs begin of the
#: entries that it helps with: values that depend on data, sizes, operators.
DRAFT = frozenset({"export", "_export", "non_strict_utils", "usererror"})
DRAFTED = ("E00", "E01", "E04")


@dataclass(frozen=True)
class Shown:
    """A case that shows an error, and the difference to the case that does the same and captures.

    ``diff`` is empty where the case has no rewrite, for all cases but the first, and where it is
    not sure that the case is about the error.
    """

    case: Case
    rewrite: Case | None
    diff: str


@dataclass(frozen=True)
class Explanation:
    """What is known of an error text; ``answers`` best first, sure ones before similar ones.

    ``cut`` says that the text was so long that its middle was not read.
    """

    answers: tuple[Answer, ...]
    place: UserLine | None
    symbols: tuple[str, ...]
    expressions: tuple[str, ...]
    operators: tuple[str, ...]
    cases: tuple[Shown, ...]
    draft_export: bool
    report: str
    cut: bool = False

    @property
    def change(self) -> str:
        """What makes the failing program of the entry its working one, as a diff; "" where it has
        none, where a case shows a change, and where it is not sure that it is this error."""
        shown = self.entry is None or any(shown.diff for shown in self.cases)
        return "" if self.entry is None or shown else change(self.entry)

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
                 "causes": list(a.entry.causes), "where": a.entry.where,
                 "since": a.entry.since or None, "until": a.entry.until or None,
                 "package": a.entry.package, "undated": a.entry.undated or None}
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
            "change": self.change,
            "draft_export": self.draft_export,
            "report": self.report,
            "cut": self.cut,
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
        parts = [self._head(), self._named(), self._similar(), self._shown(), self._further()]
        return "\n".join(line for part in parts for line in part)

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
        if self.entry and (dated := said_by(self.entry)):
            lines.append(dated)
        return ["", *lines] if lines else []

    def _shown(self) -> list[str]:
        lines = []
        for shown in self.cases:
            lines += ["", f"exportdb show {shown.case.id}: {shown.case.meta.title}"]
            if shown.rewrite:
                lines.append(f"  captured as {shown.rewrite.id}{':' if shown.diff else ''}")
            if shown.diff:
                lines.append(textwrap.indent(shown.diff, "  "))
        if self.change:
            head = "a program that fails this way, and the change that fixes it:"
            lines = ["", head, textwrap.indent(self.change, "  "), *lines]
        return lines

    def _similar(self) -> list[str]:
        """The nearest entries where none is sure, and what the first of them says to do."""
        if self.sure or not self.answers:
            return []
        first, *others = (a.entry for a in self.answers)
        told = filled(f"If it is this: {first.remedy}", "    ")
        lines = ["", "similar, not sure:", f"  {first.id}: {first.title}", told]
        return lines + [f"  {entry.id}: {entry.title}" for entry in others]

    def _further(self) -> list[str]:
        lines = []
        # What is similar comes after sure answers only where these say no cause.
        for head, sure in (("also said in the text:", True), ("perhaps because of:", False)):
            told = [a.entry for a in self.answers[1:] if self.sure and a.sure == sure]
            lines += ["", head, *(f"  {e.id}: {e.title}" for e in told)] if told else []
        if self.draft_export:
            lines += ["", filled("torch.export.draft_export captures in spite of such errors and "
                                  "reports all of them with their places.")]  # fmt: skip
        if not self.sure:
            lines += ["", f"report it: {self.report}" if self.report else _NO_LINK]
        return [*lines, "", _CUT] if self.cut else lines


_CUT = (
    f"The text is longer than {reading.LONGEST} characters: its beginning and its end were read, "
    "its middle was not."
)
_NO_LINK = (
    "Please report it where you have exportdb from. To get a link for that here, set "
    f"{ISSUES_VARIABLE} to the page on which issues are opened."
)


def explained(text: str, matcher: Matcher) -> Explanation:
    """The explanation of an error text or traceback."""
    read = reading.read(text)
    answers = tuple(matcher.rank(read))
    sure = bool(answers) and answers[0].sure
    place = user_line(text)
    drafted = bool(answers) and answers[0].entry.id.startswith(DRAFTED)
    return Explanation(
        answers=answers,
        place=place,
        symbols=reading.symbols(text),
        expressions=reading.expressions(text),
        operators=reading.operators(text),
        cases=_cases(answers[0].entry.id, read.context, sure, place) if answers else (),
        draft_export=not sure and drafted and bool(read.context & DRAFT),
        report=_report(read),
        cut=reading.is_cut(text),
    )


def _cases(
    entry: str, said: frozenset[str], sure: bool, place: UserLine | None
) -> tuple[Shown, ...]:
    """The cases that show the best entry: with a rewrite, with a line like that of the user, and
    of few words, many of which the text says: what is general before what is of one field."""
    ids = database.ids(database.builtin_tree(), [entry.encode()])
    db = database.load(only=ids) if ids else ()

    line = place.source if place else ""

    def worth(case: Case) -> tuple[bool, int, float]:
        words = words_of(case)
        alike = likeness(line, case.program) if line else 0
        near = sum(alike >= enough for enough in ALIKE)
        return bool(case.meta.rewrites), near, len(words & said) / sqrt(len(words))

    fitting = [c for c in db if entry in c.meta.errors]
    best = sorted(fitting, key=worth, reverse=True)[:MOST_CASES]
    named = {case.meta.rewrites[0] for case in best if case.meta.rewrites}
    rewrites = {r.id: r for r in (database.load(only=named) if named else ())}
    return tuple(_shown(case, rewrites, sure and case is best[0]) for case in best)


def words_of(case: Case) -> set[str]:
    """What a case says, as words of a text."""
    return set(reading.tokens(f"{case.id} {case.meta.title} {case.program}"))


def _shown(case: Case, rewrites: Mapping[str, Case], compared: bool) -> Shown:
    """A case with its best rewrite, and the diff if they are to be compared."""
    rewrite = rewrites.get(case.meta.rewrites[0]) if case.meta.rewrites else None
    if rewrite is None or not compared:
        return Shown(case, rewrite, "")
    return Shown(case, rewrite, diff(case.program, rewrite.program, case.id, rewrite.id))


def issues_page() -> str:
    """The page on which issues with this copy of the database are opened, "" for none."""
    return os.environ.get(ISSUES_VARIABLE, "")


def _report(read: reading.ErrorText) -> str:
    lines = [line for line in read.lines if line.strip()]
    body = "\n".join(lines[-40:])[-LONGEST_LINK:]
    words = {"title": "Unexplained: " + (lines[-1] if lines else "")[:80],
             "body": f"```\n{body}\n```"}  # fmt: skip
    page = issues_page()
    if not page:
        return ""
    from urllib.parse import urlencode

    return f"{page}?{urlencode(words)}"
