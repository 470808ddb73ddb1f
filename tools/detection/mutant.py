"""What a mutant is: an exporter that is right but for one defect.

Owns the description of a mutant. What it is made of is left to ``captures``, the words to declare
one to ``kind``; the defects themselves to ``mutants``.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection
from dataclasses import dataclass
from functools import cached_property
from typing import Any

from exportdb.conformance.observing import Behaviour
from exportdb.exporters.protocol import Artifact, Exporter, Program


class Hit:
    """Told by a mutant each time its defect made a difference to what it did."""

    def __init__(self) -> None:
        self.count = 0
        self.trouble = ""  # what the defect's own code raised, which is a fault of the benchmark

    def __call__(self) -> None:
        self.count += 1


Make = Callable[[Program, Hit], Artifact | Callable[..., Any]]


@dataclass(frozen=True)
class Features:
    """What eager shows of one program on all its samples, for a mutant to say what it can break.

    ``operators`` are the names of aten operators without the trailing underscore of those that
    work in place (``add``), and of operators that run parts of the program; with one of these it is
    ``compiled`` by eager on every call. ``example`` and ``inputs`` are
    pairs of args and kwargs; ``runs`` is what eager did where it raised nothing.
    """

    operators: frozenset[str] = frozenset()
    compiled: bool = False
    train: bool = False
    state: bool = False  # it has parameters or buffers
    changes_state: bool = False
    changes_inputs: bool = False
    example: tuple[Any, Any] = ((), {})
    inputs: tuple[tuple[Any, Any], ...] = ()
    runs: tuple[Behaviour, ...] = ()
    words: frozenset[str] = frozenset()  # of the program's text

    @property
    def outputs(self) -> list[Any]:
        """What eager gave, where it gave anything."""
        return [run.output for run in self.runs]


#: Operators that run parts of a program, by the tags of cases that have them.
HIGHER_ORDER = {
    "torch.cond": "cond",
    "torch.while-loop": "while_loop",
    "torch.map": "map_impl",
    "torch.scan": "scan",
    "torch.associative-scan": "associative_scan",
}


def parts(tags: Collection[str], source: str) -> set[str]:
    """Those that a program has, by its tags and by what it calls: a generated one has no tags."""
    return {
        name
        for tag, name in HIGHER_ORDER.items()
        if tag in tags
        or re.search(rf"(?:torch|_ops)\.{tag.removeprefix('torch.').replace('-', '_')}\(", source)
    }


def words_of(text: str) -> frozenset[str]:
    """The names and words in a text."""
    return frozenset(re.findall(r"[A-Za-z_]\w+", text))


#: Whether a mutant can change anything in a program.
When = Callable[[Features], bool]


def always(features: Features) -> bool:
    """Of a mutant that can break any program."""
    return True


@dataclass(frozen=True)
class Mutant:
    """One broken exporter. ``says`` is its defect in a sentence.

    ``base`` names the sound capture that it is made of (see ``captures``). ``needs`` are operators
    of which a program must have one, ``lowers`` those that it looks for in a graph, ``words`` names
    of which its text must have one; ``alone`` is
    for a defect that outlives the capture, so that
    eager must be observed in the same process and no other mutant.
    """

    kind: str
    says: str
    base: str
    make: Make
    needs: frozenset[str] = frozenset()
    when: When = always
    alone: bool = False
    lowers: frozenset[str] = frozenset()
    words: frozenset[str] = frozenset()

    @property
    def about(self) -> frozenset[str]:
        """The operators that it breaks, where it is known which."""
        return self.needs | self.lowers

    @cached_property
    def name(self) -> str:
        """What it says, as one word."""
        return re.sub(r"[^a-z0-9]+", "-", self.says.lower()).strip("-")

    def touches(self, features: Features) -> bool:
        """Whether the defect can show in a program with ``features``."""
        if self.needs and not self.needs & features.operators:
            return False
        if self.words and not self.words & features.words:
            return False
        return self.when(features)


class NothingToBreak(Exception):
    """Raised by a mutant's capture: the defect changes nothing in this program."""


class Broken(Exporter):
    """A mutant as an exporter; ``hit`` knows how often its defect made a difference."""

    name = "mutant"

    def __init__(self, mutant: Mutant) -> None:
        self.mutant, self.hit = mutant, Hit()
        self.differentiates = mutant.base == "gradients"  # type: ignore[misc]

    def capture(self, program: Program) -> Artifact | Callable[..., Any]:
        return self.mutant.make(program, self.hit)


#: All mutants by name, filled as ``mutants`` is imported.
MUTANTS: dict[str, Mutant] = {}
