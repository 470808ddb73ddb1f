"""Outcomes, best to worst, and verdicts on them, as objects that tell themselves apart.

Owns their words, glyphs and order, and every question by which one is treated unlike another:
nobody else keeps a set of their names. Deciding which outcome a capture earned is left to
``exportdb.conformance``; comparing one with an expectation to ``exportdb.records.verdict``.
"""

from __future__ import annotations

from collections.abc import Mapping
from enum import StrEnum
from typing import Literal, get_args

# The phases of one examination, in the order in which they are passed.
Phase = Literal["setup", "eager", "capture", "decompose", "lower", "save", "load", "run", "compare"]
PHASES: tuple[Phase, ...] = get_args(Phase)


def phase_named(announced: str) -> Phase:
    """The phase of that name, whatever follows a colon; ``setup`` for any other word, since a child
    may announce anything."""
    name = announced.partition(":")[0]
    return next((p for p in PHASES if p == name), "setup")


#: How an outcome is noticed: all is as in eager; something less than that, said by nobody but us,
#: and not wrong; a difference with an error, a dead process or no end; a difference without a word;
#: nothing was compared.
Tone = Literal["full", "reduced", "loud", "silent", "quiet"]

#: Levels of support, best to worst; the last is none: no values were compared.
Level = Literal["supported", "partial", "refused", "wrong", "broken", "uncompared"]
LEVELS: tuple[Level, ...] = get_args(Level)


class Outcome(StrEnum):
    """What was measured when one exporter met one case; as a text it is its own name.

    ``rank`` orders outcomes from best (0) to worst, to tell a regression from an improvement;
    ``predicted``, ``converted`` and ``unavailable`` have one and are no level of support. A
    reader sees its ``glyph`` and its name, coloured by its ``tone``; ``meaning`` is the sentence
    shown in help and on the site. To add an outcome, name it here and go through the questions
    below.
    """

    rank: int
    glyph: str
    meaning: str

    def __new__(cls, name: str, glyph: str = "", meaning: str = "") -> Outcome:
        self = str.__new__(cls, name)
        self._value_ = name
        self.rank, self.glyph, self.meaning = len(cls.__members__), glyph, meaning
        return self

    SUPPORTED = (
        "supported", "✔",
        "captured as one graph; agrees with eager on every accepted sample; "
        "refuses, or agrees on, every rejected one",
    )  # fmt: skip
    PREDICTED = (
        "predicted", "◇",
        "structure, shapes, strides and dtypes are right on every sample; nothing was computed",
    )  # fmt: skip
    LOSSY = (
        "lossy", "◐",
        "every value is right on everything accepted, and something else that eager gives is lost: "
        "shared memory, strides, requires_grad, the class of a container",
    )  # fmt: skip
    UNGUARDED = (
        "unguarded", "◐",
        "right on everything accepted, silently different from eager on something it had to refuse",
    )  # fmt: skip
    SPECIALIZED = (
        "specialized", "◐",
        "right on the example, refuses with an error something it had to accept",
    )  # fmt: skip
    DEGRADED = (
        "degraded", "◐",
        "right, but not from one graph: graph breaks, fallback or recompilation",
    )  # fmt: skip
    CONVERTED = (
        "converted", "→",
        "converted without an error, and nothing here can run it: nothing was compared",
    )  # fmt: skip
    REFUSED = (
        "refused", "✖",
        "raised before it gave an answer: at capture, decompose, lower, save or load, or when what "
        "was captured is run on the example",
    )  # fmt: skip
    WRONG = (
        "wrong", "≠", "ran and silently disagreed with eager on an accepted sample"
    )  # fmt: skip
    CRASHED = "crashed", "‼", "the process died, ran out of memory or was left broken"
    TIMEOUT = "timeout", "‼", "did not finish in time"
    UNAVAILABLE = (
        "unavailable", "–",
        "the exporter or the device declares that it cannot do this here",
    )  # fmt: skip
    ERROR = (
        "error", "!",
        "our fault or the case's: eager itself failed on an accepted sample, or the case is broken",
    )  # fmt: skip

    @property
    def full(self) -> bool:
        """Whether it is support in full, which scores count."""
        return self is Outcome.SUPPORTED

    @property
    def level(self) -> Level:
        """How far a case is supported, in the words of a summary."""
        if not self.compared:
            return "uncompared"
        if self in (Outcome.REFUSED, Outcome.WRONG):
            return "wrong" if self is Outcome.WRONG else "refused"
        return "supported" if self.full else "broken" if self.bad else "partial"

    @property
    def faultless(self) -> bool:
        """Whether nothing is wanting as far as could be measured: it needs no explanation."""
        return self in (Outcome.SUPPORTED, Outcome.PREDICTED)

    @property
    def compared(self) -> bool:
        """Whether values could be compared: what could not is left out of every share and score."""
        return self not in (Outcome.PREDICTED, Outcome.CONVERTED, Outcome.UNAVAILABLE)

    def after(self, before: Outcome) -> Verdict:
        """What it means that this was measured where ``before`` was: better, worse or another.

        A prediction is neither better nor worse than anything that ran.

        >>> print(Outcome.WRONG.after(Outcome.PREDICTED), Outcome.PREDICTED.after(Outcome.LOSSY))
        regressed changed
        """
        one, other = sorted((self, before), key=lambda o: o is not Outcome.PREDICTED)
        if one is Outcome.PREDICTED and not (other.stopped or other.bad):
            return Verdict.CHANGED
        return Verdict.REGRESSED if self.rank > before.rank else Verdict.IMPROVED

    @property
    def silent(self) -> bool:
        """Whether the capture differs from eager somewhere without a word."""
        return self in (Outcome.UNGUARDED, Outcome.WRONG)

    @property
    def bad(self) -> bool:
        """Whether nobody should miss it: it is shown first, and tried twice where it is new."""
        return self in (Outcome.WRONG, Outcome.ERROR) or self.unfinished

    @property
    def unfinished(self) -> bool:
        """Whether nobody ended it: the process died, or was stopped."""
        return self in (Outcome.CRASHED, Outcome.TIMEOUT)

    @property
    def tells_nothing(self) -> bool:
        """Whether it says nothing of the exporter: it was not tried, or its time was over."""
        return self in (Outcome.TIMEOUT, Outcome.UNAVAILABLE)

    @property
    def ran(self) -> bool:
        """Whether the capture came through, and ran on the example."""
        return self.compared and not self.stopped and self is not Outcome.ERROR

    @property
    def shown_by(self) -> str:
        """The result of a sample that shows it; "" where no sample does.

        >>> [o.shown_by for o in (Outcome.WRONG, Outcome.SPECIALIZED, Outcome.REFUSED)]
        ['disagrees', 'raised', '']
        """
        return _SHOWN_BY.get(self, "")

    def made_by(self, role: str, result: str) -> bool:
        """Whether a sample of this role on which this happened is one that makes it.

        >>> Outcome.UNGUARDED.made_by("rejects", "disagrees")
        True
        """
        if self is Outcome.UNGUARDED:
            return role == "rejects" and result in ("disagrees", "unguarded")
        return role != "rejects" and result == self.shown_by

    @property
    def differs_on_accepted(self) -> bool:
        """Whether it gives something else than eager, without an error, on what it has to take."""
        return self in (Outcome.WRONG, Outcome.LOSSY)

    @property
    def right_on_example(self) -> bool:
        """Whether it is right where the program goes the way of the example, and fails where it
        goes another."""
        return self in (Outcome.UNGUARDED, Outcome.SPECIALIZED)

    @property
    def nearly_full(self) -> bool:
        """Whether it is right on all it has to take, and still not as eager in full."""
        return self in (Outcome.LOSSY, Outcome.UNGUARDED)

    @property
    def needs_issue(self) -> bool:
        """Whether it is a defect: an expectation of it says where that is reported."""
        return self in (Outcome.WRONG, Outcome.CRASHED)

    @property
    def by_design(self) -> bool:
        """Whether ``exporters.yaml`` can explain it for all cases of an exporter at once."""
        return self.silent or self.needs_issue or self is Outcome.LOSSY

    @property
    def stopped(self) -> bool:
        """Whether the examination ended before its end, so that its phase says how far it came."""
        return self is Outcome.REFUSED or self.unfinished

    @property
    def raised(self) -> bool:
        """Whether an exception of the capture decided it, so that its record says which."""
        return self in (Outcome.SPECIALIZED, Outcome.REFUSED)

    @property
    def expectable(self) -> bool:
        """Whether it can be expected: an error is a fault, and unavailable is declared."""
        return self not in (Outcome.ERROR, Outcome.UNAVAILABLE)

    @property
    def lasting(self) -> bool:
        """Whether the same is to be expected of another try, so that it may be cached."""
        return self not in (Outcome.ERROR, Outcome.TIMEOUT)

    @property
    def tone(self) -> Tone:
        """How it is noticed, by which its colour is chosen in a terminal and on a page."""
        if self.silent:
            return "silent"
        if self.full:
            return "full"
        if self.raised or self.stopped or self.bad:
            return "loud"
        return "reduced" if self.compared else "quiet"


_SHOWN_BY = {
    Outcome.WRONG: "disagrees",
    Outcome.SPECIALIZED: "raised",
    Outcome.UNGUARDED: "unguarded",
    Outcome.LOSSY: "lossy",
}


class Verdict(StrEnum):
    """An outcome against what was expected, the surprises by how much they matter."""

    meaning: str

    def __new__(cls, name: str, meaning: str = "") -> Verdict:
        self = str.__new__(cls, name)
        self._value_, self.meaning = name, meaning
        return self

    REGRESSED = "regressed", "a worse outcome than expected"
    FLAKY = "flaky", "another result when tried once more"
    CHANGED = (
        "changed",
        "the expected outcome with another error, phase, graph, range, fact or finding, or one "
        "that is neither better nor worse",
    )  # fmt: skip
    IMPROVED = "improved", "a better outcome than expected"
    NEW = "new", "nothing is expected yet, or only of the exporter that this one extends"
    EXPECTED = "expected", "as expected"

    @property
    def differs(self) -> bool:
        """Whether something is known, and this is not it."""
        return self not in (Verdict.EXPECTED, Verdict.NEW)

    @property
    def acceptable(self) -> bool:
        """Whether ``accept`` can make it what is expected."""
        return self not in (Verdict.EXPECTED, Verdict.FLAKY)

    def wants_second_try(self, outcome: Outcome) -> bool:
        """Whether one try is not enough to report ``outcome`` with this verdict."""
        return self.acceptable and (self is not Verdict.NEW or outcome.bad)


def unexpected(outcome: str, verdict: str | None) -> bool:
    """Whether a result was not as expected when it was judged; an error never is."""
    return outcome == Outcome.ERROR or verdict not in (None, Verdict.EXPECTED)


def how_often(outcomes: Mapping[str, int]) -> str:
    """What was seen how often, where an examination was made several times.

    >>> how_often({"supported": 7, "wrong": 3})
    'supported 7 times of 10, wrong 3 times of 10'
    """
    total = sum(outcomes.values())
    return ", ".join(
        f"{name} {times:,} {'time' if times == 1 else 'times'} of {total:,}"
        for name, times in outcomes.items()
    )
