"""Makes programs: statement by statement, each run before it is kept. Runs where torch is.

Owns the order: the element that a program is made around comes first or second, a few of the
others, which take turns, around it. The same seed, number and torch give the same program.
"""

from __future__ import annotations

import contextlib
import copy
import functools
import itertools
import random
import re
import string
import warnings
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.program import as_inputs
from exportdb.hunt import calling, opinfo
from exportdb.hunt.calling import WAYS, NothingFits, taking, written
from exportdb.hunt.changing import changed
from exportdb.hunt.elements import BY_NAME, ELEMENTS, Element
from exportdb.hunt.holes import Filling
from exportdb.hunt.neutral import same_as
from exportdb.hunt.partial_program import (
    PartialProgram,
    Statement,
    fresh_space,
    returnable,
    run,
    uncompiled,
)
from exportdb.hunt.partial_program import seed as begin_at
from exportdb.hunt.reached import operators
from exportdb.hunt.writing import Signature, signature, text

#: Tries of a statement before another is wanted, and of a program before it is given up.
STATEMENTS, PROGRAMS = 12, 25
#: Statements that a program has at most, and of these before the one that it is made around.
MOST, MOST_BEFORE = 6, 2
#: Tries of a program around the statement whose turn it is, before any of the element will do.
TURNS = 4
#: Calls of operators that are put aside for one program, and other statements.
CALLS, OTHERS = 6, 4
#: The part of these other statements that are calls of operators.
_CALLED = 0.25
#: How many calls of operators other programs have as well, most of which need nothing of them.
_CALLS_BESIDE = (1, 1, 2, 2, 2, 3)
#: The part of the programs around named operators whose inputs ask for a gradient.
_ASKS = 0.3
#: Of the programs around several operators those that call one with what another gave.
_CHAINED = 0.6
#: The elements of what goes in and comes out, and the part of the programs around these, and of
#: others, that give back more than they made.
_OF_CALLS = ("inputs", "python", "idioms", "promotion")
_VARIED, _SELDOM_VARIED = 0.5, 0.08
#: What may be given back beside what was made: of a tensor there, or of nothing.
_OF_NOTHING = (
    "None",
    "True",
    "3",
    '"sum"',
    "0.1",
    "3000000000",
    "[]",
    "{{}}",
    "()",
    "torch.ones(2)",
)
_OF_TENSORS = (*_OF_NOTHING, "{0}", "{0}", "{0} * 1", "{0}[:0]", "{0}.sum()", "{0}.shape[0]",
               "{0}[:1]", "[{0}]", '{{"a": {0}}}', "{0}.expand(2, *{0}.shape)", "{0}.T",
               "{0}.to(torch.complex64).conj()", "{0}.to(torch.float64)", "{0}.numel() / 3",
               "[{0}, None]", "({0},)", "{0}.shape", "{0} > 0")  # fmt: skip
#: What a case says of itself, and a changed one must not.
_OWN = re.compile(r"^(?:rewrites|pitfalls|errors|tolerance): .*\n", re.MULTILINE)
#: What outputs may differ by when the inputs do in the last digits.
STEADY = {"rtol": 1e-3, "atol": 1e-4}


def programs(
    seed: int, numbers: Sequence[int], like: Sequence[str] = (), around: Sequence[str] = ()
) -> list[dict[str, Any]]:
    """The programs of these numbers: ``number``, ``text``, the ``elements`` that are in it, and the
    ``operators`` that it calls.

    With ``like``, texts of cases, each program is one of these with changes; ``same_as`` is the
    place there of the one that it must do the same as. With ``around`` each is made around one of
    these elements, or a call of one of these operators.
    """
    torch.set_num_threads(1)
    made = (_of_cases(seed, n, like) if like else _of_grammar(seed, n, around) for n in numbers)
    return [
        {"number": n, **one, "operators": operators(one["text"])}
        for n, one in zip(numbers, made, strict=True) if one
    ]  # fmt: skip


def _of_cases(seed: int, number: int, like: Sequence[str]) -> dict[str, Any] | None:
    """One of these cases: every other time with a change that means the same, else with a few that
    do not, and without what only its own text was right for."""
    rng = random.Random(f"{seed}/{number}")
    place = rng.randrange(len(like))
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if number % 2 and (same := same_as(like[place], rng)) is not None:
            return {"text": same[0], "elements": [same[1]], "same_as": place}
        found = changed(like[place], rng, rng.choice((1, 1, 2, 3)))
    if found is None:
        return None
    return {"text": _OWN.sub("", found[0]), "elements": found[1]}


def _of_grammar(seed: int, number: int, around: Sequence[str]) -> dict[str, Any] | None:
    must = wanted(number, around)
    of = [name for name in around if name not in BY_NAME]
    made = program(seed, number, must, turn_of(seed, number, must, around), of)
    return made and {"text": made[0], "elements": made[1]}


def _among(around: Sequence[str]) -> Sequence[Element]:
    """The elements that are meant: operators are statements of one."""
    names = (name if name in BY_NAME else "opinfo" for name in around)
    return [BY_NAME[name] for name in dict.fromkeys(names)] or ELEMENTS


def wanted(number: int, around: Sequence[str] = ()) -> str:
    """The element that the program of a number is made around, of all or of those ``around``: each
    comes as often as its share."""
    among = _among(around)
    # Steps of the golden ratio spread any stretch of numbers evenly.
    at = (number * 0.6180339887498949) % 1.0 * sum(e.share for e in among)
    for element in among:
        at -= element.share
        if at < 0:
            return element.name
    return among[-1].name


def turn_of(seed: int, number: int, must: str, around: Sequence[str] = ()) -> int:
    """How many programs around an element there were before, about, and where a seed begins: its
    statements take turns, so that the rare ones come up as well."""
    whole = sum(e.share for e in _among(around))
    return int(number * BY_NAME[must].share / whole) + _beginning(seed)


def _beginning(seed: int) -> int:
    return random.Random(seed).randrange(1000)


def program(
    seed: int, number: int, must: str, place: int, of: Sequence[str] = ()
) -> tuple[str, list[str]] | None:
    """The text of a program around an element, if it can be around the statement of that turn, and
    its elements; None where none was found. Calls that it is around are ``of`` these operators, of
    all if none is named."""
    torch._dynamo.reset()  # what it compiled of the last one is asked for each time
    for attempt in range(PROGRAMS):
        rng = random.Random(f"{seed}/{number}/{attempt}")
        with warnings.catch_warnings(), contextlib.suppress(NothingFits):
            warnings.simplefilter("ignore")
            draft = _Draft(rng, must, f"{seed}-{number}", _others(seed, OTHERS * number))
            if must == "opinfo":
                chained = len(of) > 1 and rng.random() < _CHAINED
                calls = opinfo.calls(seed, CALLS * place + attempt // len(WAYS), of, chained)
                way = attempt + place if of else attempt  # few samples come often: in each way
                made = draft.around_call(calls, WAYS[way % len(WAYS)], bool(of), chained)
            else:
                turn = CALLS * _beginning(seed) + 2 * number + attempt // TURNS
                calls = opinfo.calls(seed, opinfo.opposite(turn))
                made = draft.around(_traced(calls), place if attempt < TURNS else None)
            if made is not None:
                return made
    return None


@dataclass(frozen=True)
class _Draft:
    """A program that is tried: around the element ``must``, named ``name``, with some of the
    ``others``."""

    rng: random.Random
    must: str
    name: str
    others: Iterator[tuple[Element, int]]

    def around(
        self, calls: Iterator[opinfo.Call], turn: int | None
    ) -> tuple[str, list[str]] | None:
        """It around the statement whose turn it is, around any of the element without."""
        rng, taken = self.rng, signature(self.rng, self.must)
        before, after = rng.choice((0, 0, 0, 1, 1)), rng.choice((0, 1, 2, 2, 3, 4))
        around = [next(self.others) for _ in range(before + after)]
        filling = _begun(rng, taken, calls)
        statements = [*_all_added(filling, around[:before], MOST_BEFORE)]
        if (added := _added(filling, BY_NAME[self.must], turn)) is None:
            return None
        statements.append(added)
        statements += _all_added(filling, around[before:], MOST - 1)  # and a call
        calls_beside = [(BY_NAME["opinfo"], None)] * rng.choice(_CALLS_BESIDE)
        statements += _all_added(filling, calls_beside)
        return self._whole(taken, filling, statements)

    def around_call(
        self, calls: Iterator[opinfo.Call], way: str, alone: bool = False, chained: bool = False
    ) -> tuple[str, list[str]] | None:
        """It around the next call, whose tensors are its inputs in that ``way``, with some of the
        calls that follow; where these are ``alone``, of few operators, with all that are put aside
        for it, and often with gradients; where they are ``chained``, it calls one with what
        another gave."""
        rng = self.rng
        if (first := next(calls, None)) is None:
            raise NothingFits("no sample of OpInfo")
        if alone and not first.tensors:  # it makes some: its inputs are others
            taken, said = signature(rng), written(first, calling.made)
        else:
            taken, said = taking(first, way, rng, asks=alone and rng.random() < _ASKS)
        # What stops a capture stands alone, or nothing beside it would ever be captured.
        filling = _begun(rng, taken, calls if alone else _traced(calls))
        filling.chained = chained
        statements = [filling.filled(calling.statement(first, said), self.must)]
        if not filling.trial.take(statements[0]):
            return None
        filling.kept(statements[0])
        others = [(BY_NAME[self.must], 0)] * (CALLS - 1)
        if rng.random() < 0.3:
            others.insert(0, next(self.others))
        statements += _all_added(filling, others)
        return self._whole(taken, filling, statements)

    def _whole(
        self, taken: Signature, filling: Filling, statements: Sequence[Statement]
    ) -> tuple[str, list[str]] | None:
        trains = _trains(self.rng, statements, taken, self.must == "gradients")
        called = any(s.element == "opinfo" for s in statements)
        varied = _VARIED if self.must in _OF_CALLS else _SELDOM_VARIED
        returned = _returned(self.rng, filling, called, varied)
        source = text(self.name, taken, statements, returned, trains)
        if not steady(source, taken, trains):
            return None
        return source, list(dict.fromkeys(s.element for s in statements))


@functools.cache
def _pack(seed: int) -> tuple[tuple[Element, int], ...]:
    """The statements that may stand in any program, and calls of operators, shuffled."""
    ordinary = [
        (e, i) for e in ELEMENTS if e.ordinary for i in range(len(e.statements))
        if e.name != "idioms" or i % 3 == seed % 3  # there are many, and few compute with tensors
    ]  # fmt: skip
    calls = [(BY_NAME["opinfo"], 0)] * int(_CALLED * len(ordinary))
    pack = ordinary + calls
    random.Random(seed).shuffle(pack)
    return tuple(pack)


def _others(seed: int, turn: int) -> Iterator[tuple[Element, int]]:
    """Statements for the rest of a program: they take turns, as those that it is made around do."""
    pack = _pack(seed)
    return (pack[place % len(pack)] for place in itertools.count(turn))


def _traced(calls: Iterator[opinfo.Call]) -> Iterator[opinfo.Call]:
    return (call for call in calls if call.traced)


def _begun(rng: random.Random, taken: Signature, calls: Iterator[opinfo.Call]) -> Filling:
    parts = [part for p in taken.parameters for part in p.parts]
    return Filling(
        rng, PartialProgram(taken.header, taken.points), tuple(parts), list(parts), calls
    )


def _all_added(
    filling: Filling, wanted: Sequence[tuple[Element, int | None]], most: int = MOST
) -> Iterator[Statement]:
    """Those of the statements wanted that fit, until the program has ``most``."""
    return filter(None, (_added(filling, *one, most) for one in wanted))


def _added(
    filling: Filling, element: Element, turn: int | None = None, most: int = MOST
) -> Statement | None:
    for attempt in range(STATEMENTS if filling.length < most else 0):
        try:
            statement = filling.statement(element, turn, in_turn=not attempt)
            fits = filling.length + statement.length <= most
        except (NothingFits, SyntaxError):  # some things cannot be assigned to
            continue
        if fits and filling.trial.take(statement):
            filling.kept(statement)
            return statement
    return None


def _trains(
    rng: random.Random, statements: Sequence[Statement], taken: Signature, always: bool
) -> bool:
    learns = any("Parameter(" in line or "torch.nn." in line for s in statements for line in s.init)
    asks = any("requires_grad" in p.made for p in taken.parameters)
    return (learns or asks) and (rng.random() < 0.4 or always)


def _returned(
    rng: random.Random, filling: Filling, everything: bool = False, varied: float = 0.0
) -> str:
    """The expression that a program gives back: what it made last, or all that it made, in one of
    several containers; the part ``varied`` of the programs gives back other things beside it."""
    made = [
        v
        for v in filling.variables
        if v not in filling.inputs and returnable(filling.trial.value(v))
    ]
    if not made:
        made = [v for v in filling.inputs if returnable(filling.trial.value(v))][:1]
    chosen = made if everything else made[-rng.choice((1, 2, 3, 4, 4)) :]
    if rng.random() < 0.1:
        chosen.append(rng.choice(filling.inputs))
    if rng.random() < 0.05:
        chosen.insert(rng.randrange(len(chosen) + 1), "None")
    if rng.random() < varied:
        tensors = [v for v in chosen if isinstance(filling.trial.value(v), torch.Tensor)]
        for _ in range(rng.choice((1, 2, 3))):
            other = rng.choice(_OF_TENSORS if tensors else _OF_NOTHING)
            other = other.format(rng.choice(tensors) if tensors else "")
            chosen.insert(rng.randrange(len(chosen) + 1), other)
    return _contained(rng, chosen)


def _contained(rng: random.Random, chosen: Sequence[str]) -> str:
    joined = ", ".join(chosen)
    kind = rng.random()
    if len(chosen) == 1 and kind < 0.6:
        return chosen[0]
    if kind < 0.76:
        return f"({joined},)" if len(chosen) == 1 else joined
    if kind < 0.82:
        return f"[{joined}]"
    if kind < 0.9 and len(chosen) > 1:  # one within another
        return f"{chosen[0]}, {_contained(rng, chosen[1:])}"
    if kind < 0.92 and len(chosen) > 1:
        rest = chosen[1] if len(chosen) == 2 else f"[{', '.join(chosen[1:])}]"
        return f"Pair({chosen[0]}, {rest})"
    letters = "bcade" + string.ascii_lowercase[5:]
    keys = map(repr, range(len(chosen), 0, -1)) if kind > 0.985 else (f'"{a}"' for a in letters)
    named = ", ".join(f"{key}: {v}" for key, v in zip(keys, chosen, strict=False))
    return f"collections.OrderedDict({{{named}}})" if 0.95 < kind < 0.97 else f"{{{named}}}"


def steady(source: str, taken: Signature, trains: bool = False) -> bool:
    """Whether a whole program runs at all points, does the same twice whatever random numbers there
    are, and hardly anything else when its inputs differ in the last digits; and whether it has
    gradients if it is to be trained."""
    space = fresh_space("generated")
    try:
        run(source, space)
        copy.deepcopy(space["inputs"]())  # as an examination does, for fresh ones
        # As it will be run: higher-order operators compiled.
        _run(space, taken.points[0], 1, 0.0, trains)
        with uncompiled():
            for point in taken.points:
                once, again, near = (
                    _run(space, point, *how, trains) for how in ((1, 0.0), (2, 0.0), (1, 1e-6))
                )
                if trains:
                    _differentiate(again)
                _close(again, once, rtol=0, atol=0)
                _close(near, once, **STEADY)
    except Exception:
        return False
    return True


def _run(
    space: dict[str, Any], point: dict[str, int], seed: int, noise: float, trains: bool
) -> Any:
    begin_at(0)
    model, given = space["Model"](), space["inputs"](**point)
    if trains:
        model.train()  # a module that was built for inference as well
    given = pytree.tree_map_only(torch.Tensor, lambda t: _near(t, noise), as_inputs(given))
    begin_at(seed)
    return pytree.tree_leaves((model(*given[0], **given[1]), given))


def _differentiate(outputs: Sequence[Any]) -> None:
    """Raises RuntimeError where a write in place took away what gradients are made of, and
    AssertionError where no output has any."""
    found = [t for t in outputs if isinstance(t, torch.Tensor) and t.grad_fn is not None]
    assert found, "there is nothing to differentiate"
    torch.autograd.backward(sum(t.real.double().sum() for t in found))


def _near(t: torch.Tensor, noise: float) -> torch.Tensor:
    if not noise or t.dtype not in (torch.float32, torch.float64):
        return t
    factor = 1 + noise * (torch.arange(t.numel()).view(t.shape) % 3 - 1).to(t.dtype)
    with torch.no_grad():  # where it is, since another input may have its memory
        return t * factor if 0 in t.stride() else t.mul_(factor)


def _close(one: Any, other: Any, rtol: float, atol: float) -> None:
    """Raises AssertionError."""
    assert len(one) == len(other)
    for a, b in zip(one, other, strict=True):
        if isinstance(a, torch.Tensor):
            torch.testing.assert_close(a, b, rtol=rtol, atol=atol, equal_nan=True)
        elif isinstance(a, float):
            assert a == b or (a != a and b != b) or abs(a - b) <= atol + rtol * abs(b)
        else:
            assert a == b
