"""The outcomes an examination can have, best to worst, as objects that say what they mean.

Owns the words, glyphs and order of outcomes. Deciding which outcome a capture earned is left to
``exportdb.conformance``; comparing one with an expectation to ``exportdb.records.verdict``.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True, order=False)
class Outcome:
    """What was measured when one exporter met one case.

    ``rank`` orders outcomes from best (0) to worst, to tell a regression from an improvement;
    ``converted`` and ``unavailable`` have one and are no level of support. ``glyph`` and ``word``
    are how a reader sees it, never by colour alone; ``meaning`` is the sentence shown in help and
    on the site.
    """

    name: str
    rank: int
    glyph: str
    word: str
    meaning: str

    @property
    def compared(self) -> bool:
        """Whether anything was measured: what was not is left out of every share and score."""
        return self.name not in ("unavailable", "converted")

    def __str__(self) -> str:
        return self.name


SUPPORTED = Outcome(
    "supported", 0, "✔", "yes",
    "captured as one graph; agrees with eager on every accepted sample; "
    "refuses, or agrees on, every rejected one",
)  # fmt: skip
UNGUARDED = Outcome(
    "unguarded", 1, "◐", "partial",
    "right on everything accepted, silently different from eager on something it had to refuse",
)  # fmt: skip
SPECIALIZED = Outcome(
    "specialized", 2, "◐", "partial",
    "right on the example, refuses with an error something it had to accept",
)  # fmt: skip
DEGRADED = Outcome(
    "degraded", 3, "◐", "partial",
    "right, but not from one graph: graph breaks, fallback or recompilation",
)  # fmt: skip
CONVERTED = Outcome(
    "converted", 4, "→", "not run",
    "converted without an error, and nothing here can run it: nothing was compared",
)  # fmt: skip
REFUSED = Outcome(
    "refused", 5, "✖", "no",
    "raised before anything ran: at capture, decompose, lower, save or load",
)  # fmt: skip
WRONG = Outcome(
    "wrong", 6, "≠", "unsound",
    "ran and silently disagreed with eager on an accepted sample",
)  # fmt: skip
CRASHED = Outcome("crashed", 7, "‼", "broken", "the process died or ran out of memory")
TIMEOUT = Outcome("timeout", 8, "‼", "broken", "did not finish in time")
UNAVAILABLE = Outcome(
    "unavailable", 9, "–", "n/a",
    "the exporter or the device declares that it cannot do this here",
)  # fmt: skip
ERROR = Outcome(
    "error", 10, "!", "error",
    "our fault or the case's: eager itself failed on an accepted sample, or the case is broken",
)  # fmt: skip

OUTCOMES: dict[str, Outcome] = {
    o.name: o
    for o in (
        SUPPORTED, UNGUARDED, SPECIALIZED, DEGRADED, CONVERTED, REFUSED,
        WRONG, CRASHED, TIMEOUT, UNAVAILABLE, ERROR,
    )
}  # fmt: skip

# The phases of one examination, in the order in which they are passed.
PHASES = ("setup", "eager", "capture", "decompose", "lower", "save", "load", "run", "compare")
