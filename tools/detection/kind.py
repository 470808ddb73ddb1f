"""The words to declare a mutant: of which kind, what it breaks, and how.

Owns no defect and no way to break anything: an operator is broken by ``operators``, a graph by
``graphs``, a capture as a whole by what ``wrapping`` has.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

from detection import graphs, operators
from detection.captures import once
from detection.mutant import MUTANTS, Hit, Make, Mutant, NothingToBreak, When, always
from exportdb.exporters.protocol import Program


@dataclass(frozen=True)
class Kind:
    """A kind of defect. Its methods add a mutant each to ``MUTANTS``.

    They take the defect last, or are decorators where it is left out.
    """

    name: str

    def operator(
        self, names: str, says: str, defect: Callable[..., Any] | None = None,
        when: When = always,
    ) -> Any:  # fmt: skip
        """A defect in the operators ``names``, parted by spaces: see ``operators.Defect``."""
        needs = tuple(names.split())

        def add(defect: Callable[..., Any]) -> None:
            make = operators.breaking(needs, defect)
            self._add(Mutant(self.name, says, "operators", make, frozenset(needs), when))

        return add if defect is None else add(defect)

    def call(
        self, says: str, make: Make | None = None, when: When | None = None,
        base: str = "eager", needs: str = "", alone: bool = False, lowers: str = "",
        words: str = "",
    ) -> Any:  # fmt: skip
        """A capture that is broken as a whole: ``make(program, hit)`` gives it.

        Where it says itself what it can break (``make.when``), ``when`` is left out.
        """

        def add(make: Make) -> None:
            can = when or getattr(make, "when", always)
            needed, lowered, named = (frozenset(n.split()) for n in (needs, lowers, words))
            self._add(Mutant(self.name, says, base, make, needed, can, alone, lowered, named))

        return add if make is None else add(make)

    def lowering(self, names: str, says: str, wrong: Callable[..., Any] | None = None) -> Any:
        """A wrong lowering of the operators ``names`` in an exported graph: see ``graphs.Call``."""

        def add(wrong: Callable[..., Any]) -> None:
            make, lowers = graphs.lowering(names.split(), wrong), frozenset(names.split())
            self._add(Mutant(self.name, says, "export", make, lowers=lowers))

        return add if wrong is None else add(wrong)

    def graph_pass(
        self, says: str, change: Callable[..., int] | None = None, lowers: str = ""
    ) -> Any:
        """A pass over an exported graph that changes too much, and counts what it changed.

        ``lowers`` names the operators of the pattern that it looks for.
        """

        def add(change: Callable[..., int]) -> None:
            looked_for = frozenset(lowers.split())
            self._add(Mutant(self.name, says, "export", graphs.passed(change), lowers=looked_for))

        return add if change is None else add(change)

    def _add(self, mutant: Mutant) -> None:
        if mutant.name in MUTANTS:
            raise ValueError(f"two mutants are named {mutant.name}")
        MUTANTS[mutant.name] = mutant


def higher_order(kind: Kind, says: str, name: str, wrong: Callable[..., Any], needs: str) -> None:
    """A mutant: an exported graph in which the higher-order operator ``name`` is another function.

    ``wrong`` takes the sound operator and what that is given.
    """

    def make(program: Program, hit: Hit) -> Any:
        module, changed = once(program).module(), 0
        for graph in graphs.graphs_of(module):
            for node in graph.graph.nodes:
                if node.op == "call_function" and getattr(node.target, "__name__", "") == name:
                    sound = node.target
                    node.target = lambda *a, _s=sound, **k: (hit(), wrong(_s, *a, **k))[1]
                    changed += 1
            graph.recompile()
        if not changed:
            raise NothingToBreak
        return module

    kind.call(says, make, base="export", needs=needs)
