"""Chooses what stands in the holes of a statement, by what is there and by chance.

Owns the meaning of each hole. Values are looked at at the first point alone: whether a choice holds
at all points is found out by running it.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from exportdb.hunt.calling import NothingFits, made, statement, written
from exportdb.hunt.elements import (
    BEHIND,
    BINARY,
    BY_NAME,
    CONSTANTS,
    DTYPES,
    REDUCTIONS,
    UNARY,
    Element,
)
from exportdb.hunt.opinfo import Call
from exportdb.hunt.partial_program import LARGEST, PartialProgram, Statement

_HOLE = re.compile(r"<([a-z])(\d*)>")
#: Ordinary statements of one line that assign to a variable: what may stand within another.
_WITHIN = ("pointwise", "promotion", "views", "indexing", "reductions", "sizes", "branches")


def _is(check: Callable[[torch.Tensor], bool]) -> Callable[[Any], bool]:
    return lambda value: isinstance(value, torch.Tensor) and check(value)


_VARIABLES: Mapping[str, Callable[[Any], bool]] = {
    "t": _is(lambda t: True),
    "f": _is(lambda t: t.is_floating_point()),
    "i": _is(lambda t: t.dtype in (torch.int64, torch.int32)),
    "b": _is(lambda t: t.dtype is torch.bool),
    "m": _is(lambda t: t.is_floating_point() and t.dim() == 2),
    "w": lambda value: type(value) in (int, float, bool),
}
_CHOICES: Mapping[str, tuple[str, ...]] = {
    "k": ("0", "1", "2", "3", "4"), "c": CONSTANTS, "d": ("0", "-1", "1"), "e": DTYPES,
    "q": ("<", "<=", ">", ">=", "==", "!="), "a": ("+", "-", "*", "/", "//", "%", "**"),
    "u": UNARY, "y": BINARY, "r": REDUCTIONS, "h": BEHIND,
}  # fmt: skip
_SIZES = ("{t}.shape[0]", "{t}.shape[0]", "{t}.size(-1)", "len({t})", "{t}.numel()")
_OF_SIZES = ("{n} + 1", "{n} - 1", "{n} // 2", "{n} * 2", "max({n}, 3)", "min({n}, 4)", "{n} % 3")


#: What is made of a tensor of floating point where a program has no variable of a kind: most have
#: no mask, and indices that are in range.
_DERIVED = {"b": "({f} > 0)", "i": "{f}.argsort(-1)", "m": "{f}.reshape(-1, {f}.shape[-1])"}


def _kind(tensor: torch.Tensor) -> str:
    """The hole that a tensor like this one fills."""
    return "f" if tensor.is_floating_point() else "b" if tensor.dtype is torch.bool else "i"


def _in_turn(among: Sequence[str], of: str, again: int) -> str:
    """The choice for the hole ``of`` a statement after so many: each comes before one comes again,
    in an order of the hole's own, so that two of a statement are not always the same pair."""
    round_, at = divmod(again, len(among))
    return random.Random(f"{of}/{round_}").sample(among, len(among))[at]


@dataclass
class Filling:
    """Statements for one program; ``variables`` are the names and expressions there are.

    ``inputs`` are those of them that the program is given; ``length`` is how many statements it
    has. Names that it makes up are not used twice. ``chained`` calls are first tried on what the
    last one made.
    """

    rng: random.Random
    trial: PartialProgram
    inputs: tuple[str, ...]
    variables: list[str] = field(default_factory=list)
    calls: Iterator[Call] = field(default_factory=lambda: iter(()))
    chained: bool = False
    length: int = 0
    made: int = 0
    _drawn: Call | None = None
    _ways: list[Callable[[torch.Tensor], str] | None] = field(default_factory=list)

    def statement(
        self, element: Element, turn: int | None = None, in_turn: bool = False
    ) -> Statement:
        """A statement of ``element``, any or that whose turn it is, and then, if asked for, with
        what is made up ``in_turn`` as well. Raises NothingFits."""
        if element.name == "opinfo":
            return self.filled(self._call(), element.name)
        among = element.statements
        if turn is None:
            return self.filled(self.rng.choice(among), element.name)
        again, at = divmod(turn, len(among))
        return self.filled(among[at], element.name, again if in_turn else None)

    def filled(self, template: str, element: str, again: int | None = None) -> Statement:
        """``template`` with its holes filled; if it is known that it was filled ``again`` times
        before, with what no hole of its had then, as long as there is such. Raises NothingFits."""
        chosen: dict[str, str] = {}
        if "<s>" in template:
            within = BY_NAME[self.rng.choice(_WITHIN)].statements
            line = self.rng.choice([s for s in within if "\n" not in s and s.startswith("<v> =")])
            template = template.replace("<s>", line)

        def fill(hole: re.Match[str]) -> str:
            if hole[0] not in chosen:
                if again is not None and hole[1] in _CHOICES:
                    chosen[hole[0]] = _in_turn(_CHOICES[hole[1]], f"{template}{hole[0]}", again)
                else:
                    chosen[hole[0]] = self._choice(hole[1], {*chosen.values()})
            return chosen[hole[0]]

        lines = _HOLE.sub(fill, template).splitlines()
        init = [line.removeprefix("init: ") for line in lines if line.startswith("init: ")]
        top = [line.removeprefix("top: ") for line in lines if line.startswith("top: ")]
        body = [line for line in lines if not line.startswith(("init: ", "top: "))]
        new = [name for hole, name in chosen.items() if hole.startswith("<v")]
        return Statement(body=body, init=init, top=top, new=new, element=element)

    def _call(self) -> str:
        """A call of an operator as torch's tests make it: first its tensors are variables of the
        same kind and rank, then made of numbers, at times as parameters that learn, then comes the
        next call. Raises NothingFits."""
        if not self._ways:
            numbers = made if self.rng.random() < 0.6 else None
            first = self._chain() if self.chained else self._like
            self._drawn, self._ways = next(self.calls, None), [first, self._like, numbers]
        if self._drawn is None:
            raise NothingFits("no sample of OpInfo")
        if (way := self._ways.pop(0)) is not None:
            return statement(self._drawn, written(self._drawn, way))
        held: list[str] = []

        def learning(tensor: torch.Tensor) -> str:
            if not tensor.is_floating_point():
                return made(tensor)
            held.append(f"init: self.<o{len(held)}> = torch.nn.Parameter({made(tensor)})")
            return f"self.<o{len(held) - 1}>"

        said = statement(self._drawn, written(self._drawn, learning))
        return "\n".join((*held, said))

    def kept(self, statement: Statement) -> None:
        """Take in that a statement is part of the program."""
        self.variables += statement.new
        self.length += statement.length
        self._ways = []

    def _chain(self) -> Callable[[torch.Tensor], str]:
        """For the first tensor of a call what was made last, if it is of the kind, whatever its
        rank: it is what a pass of a compiler looks for."""
        last = [v for v in self.variables if v not in self.inputs][-1:]

        def first(tensor: torch.Tensor) -> str:
            if last and last[0] in self.of_kind(_kind(tensor)):
                return last.pop()
            last.clear()
            return self._like(tensor)

        return first

    def _like(self, tensor: torch.Tensor) -> str:
        found = self.of_kind(kind := _kind(tensor))
        if not found:
            raise NothingFits(kind)
        same = [v for v in found if self.trial.value(v).dim() == tensor.dim()]
        return self.rng.choice(same or found)

    def of_kind(self, kind: str) -> list[str]:
        """The variables of a kind, the newest twice: statements build on each other."""
        check = _VARIABLES[kind]
        found = [v for v in self.variables if check(self.trial.value(v))]
        return found + found[-2:]

    def _choice(self, hole: str, taken: set[str]) -> str:
        rng = self.rng
        if hole in "vog":
            self.made += 1
            return {"v": "v", "o": "state", "g": "G"}[hole] + str(self.made)
        if hole == "n":
            return self._size()
        if hole in "xp":
            tensors = [v for v in self.inputs if isinstance(self.trial.value(v), torch.Tensor)]
            found = tensors if hole == "x" else [v for v in self.inputs if v not in tensors]
        elif hole in _CHOICES:
            found = list(_CHOICES[hole])
        else:
            found = self.of_kind(hole)
        if hole in _DERIVED and (not found or rng.random() < 0.1):
            floating = self.of_kind("f")
            found = [_DERIVED[hole].format(f=rng.choice(floating))] if floating else found
        if not found:
            raise NothingFits(hole)
        # Another hole means another thing where there is one, most of the time.
        fresh = [v for v in found if v not in taken] if rng.random() < 0.8 else []
        return rng.choice(fresh or found)

    def _size(self) -> str:
        tensors = [v for v in self.of_kind("t") if self.trial.value(v).dim()]
        # Of a number that no tensor is as long as, a loop over a range would not end.
        whole = [v for v in self.of_kind("w") if type(self.trial.value(v)) is int]
        numbers = [v for v in whole if abs(self.trial.value(v)) <= LARGEST]
        if not tensors and not numbers:
            raise NothingFits("n")
        if numbers and (not tensors or self.rng.random() < 0.4):
            size = self.rng.choice(numbers)
        else:
            size = self.rng.choice(_SIZES).format(t=self.rng.choice(tensors))
        if self.rng.random() < 0.25:
            size = f"({self.rng.choice(_OF_SIZES).format(n=size)})"
        return size
