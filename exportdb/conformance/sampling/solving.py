"""Points on the other side of a condition.

Owns the search, which is enumeration near the point at hand: one number alone, two together, and
where two sides of a comparison meet if it is linear. No torch tensor and no program is touched.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import sympy

from exportdb.conformance.sampling.places import Number, Point

#: How many values of one number are tried alone, and of each of two numbers together.
ALONE, TOGETHER = 4096, 40


@dataclass(frozen=True)
class Condition:
    """A condition as a function of points; ``slack`` is zero where its two sides meet.

    ``numbers`` are the constants in it.
    """

    text: str
    names: tuple[str, ...]
    holds: Callable[[Point], bool]
    slack: Callable[[Point], Number] | None
    numbers: tuple[Number, ...]

    @staticmethod
    def of(expr: Any) -> Condition | None:
        """That of a sympy expression; None for one that cannot be evaluated."""
        names = tuple(sorted(s.name for s in expr.free_symbols))
        if (holds := _function(expr, names)) is None:
            return None
        slack = None
        if isinstance(expr, sympy.core.relational.Relational):
            slack = _function(expr.lhs - expr.rhs, names)
        numbers = tuple(sorted({_number(n) for n in expr.atoms(sympy.Number) if n.is_finite}))
        return Condition(str(expr), names, holds, slack, numbers)


def canonical(expr: Any) -> str:
    """The same for a condition and its negation."""
    return min(str(expr), str(sympy.Not(expr)), key=lambda text: (len(text), text))


def _number(n: Any) -> Number:
    return int(n) if n.is_Integer else float(n)


def _function(expr: Any, names: Sequence[str]) -> Any:
    """A function of points that evaluates ``expr``; None where Python cannot say it."""
    from torch.utils._sympy.printers import PythonPrinter

    placed = {
        s: sympy.Symbol(f"v{names.index(s.name)}", **s.assumptions0) for s in expr.free_symbols
    }
    try:
        text = PythonPrinter().doprint(expr.xreplace(placed))
        arguments = ", ".join(f"v{i}" for i in range(len(names)))
        # The text is torch's, of an expression over numbers and our own names.
        made = eval(f"lambda {arguments}: {text}", {"math": math, "max": max, "min": min})
    except Exception:
        return None
    return lambda point: made(*(point[name] for name in names))


@dataclass(frozen=True)
class Domain:
    """The values that one number may have: those accepted, and some that are not."""

    low: Number
    high: Number | None
    most: int  # no value is larger
    whole: bool = True
    declared: bool = True  # a range is declared

    def near(self, value: Number, numbers: Sequence[Number], count: int) -> list[Number]:
        """Values inside, those near to ``value`` and to ``numbers`` and the ends first."""
        top = self.most if self.high is None else min(self.high, self.most)
        if not self.whole:
            steps = [n + d for n in (value, 0, *numbers) for d in (0, 1, -1, 0.5, -0.5)]
            return list(dict.fromkeys(map(float, steps)))[:count]
        start = [int(n) + d for n in numbers for d in (0, 1, -1)]
        start += [int(self.low), int(top)]
        spread = itertools.chain.from_iterable((value + d, value - d) for d in range(1, count))
        found: list[Number] = []
        for candidate in dict.fromkeys((*start[:count], *map(int, spread))):
            if self.low <= candidate <= top:
                found.append(candidate)
            if len(found) >= count:
                break
        return found

    def outside(self) -> list[Number]:
        """Values outside of what is declared, near to it first."""
        if not self.declared:
            return []
        least = int(self.low) - 1 if self.low < 0 else max(int(self.low) - 64, 0)
        below = range(int(self.low) - 1, least - 1, -1)
        if self.high is None or self.high >= self.most:
            return list(below)
        above = range(int(self.high) + 1, min(int(self.high) * 3 + 65, self.most) + 1)
        return [*below, *above]

    def holds(self, value: Number) -> bool:
        """Whether a value is inside."""
        return self.low <= value and (self.high is None or value <= self.high)


@dataclass(frozen=True)
class Flip:
    """A point on the other side of a condition, and whether it is in the declared ranges."""

    point: Point
    inside: bool


def flips(
    conditions: Sequence[Condition], at: int, point: Point, domains: Mapping[str, Domain]
) -> list[Flip]:
    """Points where ``conditions[at]`` does not hold, with a point beside it on this side.

    One inside of the ranges, if there is one, on whose way the conditions before hold as well if
    possible; and one outside. ``point`` is where all hold.
    """
    wanted, before = conditions[at], conditions[:at]
    found: list[Flip] = []
    first: Point | None = None
    for candidate in _candidates(wanted, point, domains):
        if _holds(wanted, candidate) is not False:
            continue
        first = first or candidate
        if all(_holds(c, candidate) for c in before):
            first = candidate
            break
    if first is not None:
        found.append(Flip(first, True))
        found += [Flip(p, True) for p in _beside(wanted, first, point, domains)]
    for name in wanted.names:
        for value in domains[name].outside():
            candidate = {**point, name: value}
            if _holds(wanted, candidate) is False:
                found.append(Flip(candidate, False))
                break
    return found


def _holds(condition: Condition, point: Point) -> bool | None:
    try:
        return bool(condition.holds(point))
    except Exception:  # a division by zero
        return None


def _candidates(wanted: Condition, point: Point, domains: Mapping[str, Domain]) -> Iterator[Point]:
    numbers = wanted.numbers
    for name in wanted.names:
        yield from _meeting(wanted, name, point, domains[name])
    for name in wanted.names:
        for value in domains[name].near(point[name], numbers, ALONE):
            yield {**point, name: value}
    for a, b in itertools.permutations(wanted.names, 2):
        for value in domains[a].near(point[a], numbers, TOGETHER):
            yield from _meeting(wanted, b, {**point, a: value}, domains[b])
    for a, b in itertools.combinations(wanted.names, 2):
        firsts, seconds = (domains[n].near(point[n], numbers, TOGETHER) for n in (a, b))
        for value, other in itertools.product(firsts, seconds):
            yield {**point, a: value, b: other}


def _meeting(wanted: Condition, name: str, point: Point, domain: Domain) -> Iterator[Point]:
    """Where the two sides meet as ``name`` varies alone, if they are linear in it, and beside."""
    if wanted.slack is None:
        return
    try:
        here, there = (wanted.slack({**point, name: v}) for v in (0, 1))
        if here == there:
            return
        root = -here / (there - here)
    except Exception:  # a division by zero, a number out of range
        return
    if domain.whole:
        values: list[Number] = [math.floor(root), math.ceil(root), math.floor(root) - 1,
                                math.ceil(root) + 1]  # fmt: skip
    else:
        values = [root, root - 0.5, root + 0.5]
    for value in dict.fromkeys(values):
        if domain.holds(value) and abs(value) <= domain.most:
            yield {**point, name: value}


def _beside(
    wanted: Condition, flipped: Point, point: Point, domains: Mapping[str, Domain]
) -> list[Point]:
    """The last point on this side, where one number alone crosses to the other."""
    changed = [name for name in flipped if flipped[name] != point[name]]
    if len(changed) != 1 or not domains[changed[0]].whole:
        return []
    (name,) = changed
    step = 1 if flipped[name] < point[name] else -1
    last = {**flipped, name: flipped[name] + step}
    return [last] if last != point and _holds(wanted, last) else []
