"""The whole list of samples of a program, the most telling first, and where it is cut off."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import partial
from itertools import chain, islice
from pathlib import Path
from typing import Any

import torch

from exportdb.conformance.options import Options
from exportdb.conformance.program import Inputs, LoadedProgram
from exportdb.conformance.sampling import further, values
from exportdb.conformance.sampling.conditions import ProgramConditions, conditions_of
from exportdb.conformance.sampling.constants import SourceConstants, constants_of
from exportdb.conformance.sampling.coverage import coverage
from exportdb.conformance.sampling.places import Places, Point
from exportdb.conformance.sampling.planned import Around, PlannedSample
from exportdb.conformance.sampling.relations import broken_relations
from exportdb.conformance.sampling.sizes import made_sizes, sizes_of_numbers
from exportdb.records.record import Role

#: Where random values start for samples that are made only to take another branch, and how many
#: numbers of the program such samples are filled with.
_FURTHER_DRAWS = range(2, 10)
_FEW = 6
#: How many samples have several flags and words changed, or one and a size.
_TOGETHER = 100


@dataclass(frozen=True)
class Plan:
    """The samples to be tried, the example first, and the names of those left out.

    ``untaken`` are the sides of branches of the program's code that none of them takes, in words.
    """

    samples: list[PlannedSample]
    left_out: tuple[str, ...] = ()
    untaken: tuple[str, ...] = ()


def _not_kept(_: str) -> Path | None:
    return None


def plan(
    program: LoadedProgram, model: str, module: torch.nn.Module, options: Options,
    kept: Callable[[str], Path | None] = _not_kept,
) -> Plan:  # fmt: skip
    """The samples of one model of a program. Raises what ``inputs()`` raises on the example.

    It depends on the program and torch alone, and on nothing that an exporter does. ``kept`` gives
    the file that keeps what the program's ``conditions`` or its ``branches`` tell.
    """
    told = conditions_of(program, model, options.max_size, kept("conditions"))
    here = _Listed.of(_Making(program, module, options), told)

    def there(moved: LoadedProgram) -> tuple[list[PlannedSample], Iterable[PlannedSample]]:
        listed = _Listed.of(_Making(moved, moved.model(model), options), told)
        return [*listed.always, *listed.tried], chain(listed.left_out, listed.searched)

    covered = coverage(program, model, module, there, kept("branches"))
    wanted = set(covered.chosen)
    others = chain(here.left_out, here.searched) if wanted else ()
    tried = [*here.tried, *(s for s in others if s.name in wanted)]
    left_out = tuple(s.name for s in here.left_out if s.name not in wanted)
    return Plan([*here.always[:2], *tried, *here.always[2:]], left_out, covered.untaken)


@dataclass(frozen=True)
class _Listed:
    """Samples in the order they are made: the example, other values and the program's own; those
    that are tried; those that could be; those that are made only to take another branch."""

    always: list[PlannedSample]
    tried: list[PlannedSample]
    left_out: list[PlannedSample]
    searched: Iterator[PlannedSample]

    @staticmethod
    def of(making: _Making, told: ProgramConditions) -> _Listed:
        made = list(_unique(making.all(told)))
        most = making.options.max_samples
        always = _always(making.program, making)
        known = {sample.name for sample in (*always, *made)}
        searched = (s for s in _unique(making.searched()) if s.name not in known)
        return _Listed(always, made[:most], made[most:], searched)


def _always(program: LoadedProgram, making: _Making) -> list[PlannedSample]:
    """The example, other values at its sizes, and the program's own samples."""
    kept = [
        PlannedSample("example", "example", program.build, dict(program.example_sizes)),
        # A value of the example that was baked in shows here.
        making.sized("accepts", "other values", None),
    ]
    for role in ("accepts", "rejects"):
        for i, inputs in enumerate(program.own_samples(role)):
            kept.append(PlannedSample(role, f"{role}[{i}]", partial(_given, inputs), own=True))
    return kept


def _given(inputs: Inputs) -> Inputs:
    return inputs


def _unique(samples: Iterable[PlannedSample]) -> Iterator[PlannedSample]:
    seen = set()
    for sample in samples:
        if sample.name not in seen:
            seen.add(sample.name)
            yield sample


def _alternating(*kinds: Iterable[PlannedSample]) -> Iterator[PlannedSample]:
    """One of each kind in turn, until all are at their end."""
    waiting = [iter(kind) for kind in kinds]
    while waiting:
        for kind in list(waiting):
            sample = next(kind, None)
            if sample is None:
                waiting.remove(kind)
            else:
                yield sample


class _Making:
    """Makes samples of one module of a program."""

    def __init__(self, program: LoadedProgram, module: torch.nn.Module, options: Options) -> None:
        self.program, self.module, self.options = program, module, options
        self.places = Places.of(program, module)
        self.example = dict(program.example_sizes)
        self.loops = False

    def all(self, told: ProgramConditions) -> Iterator[PlannedSample]:
        """All that can be made, most telling first."""
        words = constants_of(self.module)
        self.loops = words.loops
        ranges = self.ranges()
        others = [
            self.statics(words),
            self.numbers(told, words),
            self.data(values.ORDINARY, "accepts"),
            chain(
                self.data(values.EXTREME, "rejects"),
                () if told.reads else self.data(values.WIDE, "rejects"),
            ),
        ]
        if words.loops:  # on values that nobody chose a loop may never end
            others = []
        yield from islice(ranges, 8)
        yield from _alternating(
            self.conditions(told),
            broken_relations(self.program, self.module),
            *others[:3],
        )
        yield from _alternating(
            ranges,
            self.constants(words),
            *others[3:],
            self.data(values.LAYOUTS, "rejects"),
            self.modes(_MODES),
        )

    def searched(self) -> Iterator[PlannedSample]:
        """Further samples, which are tried where they take a branch that no other takes."""
        if self.loops:
            return
        for draw in _FURTHER_DRAWS:
            build = partial(self.program.build, None, draw=draw)
            yield PlannedSample(
                "accepts", f"other values {draw}", build, self.example,
                guessed=self.program.definition.guessed,
            )  # fmt: skip
        words = constants_of(self.module)
        few = dict.fromkeys((*words.whole, *words.real))
        yield from self.data(values.beside(list(few)[:_FEW]), "accepts")
        yield from islice(self.statics_together(words), _TOGETHER)
        yield from _alternating(
            self.data(further.KINDS, "rejects"),
            self.modes(_FURTHER_MODES),
            self.further_sizes(words),
            self.further_numbers(words),
            self.statics_of(
                further.without_gradient(self.places),
                further.numbers_of_another_type(self.places),
                further.lengths(self.places, words),
                further.words_of_length(self.places, words),
            ),
        )
        yield from self.data(values.in_turn(list(few)[:_FEW]), "accepts")
        yield from self.data(values.filled(further.numbers(few, real=True)), "accepts")
        for sizes in further.multiples(
            self.program.dims, self.example, words.whole, self.options.max_size
        ):
            yield from self.at(sizes)

    def further_sizes(self, words: SourceConstants) -> Iterator[PlannedSample]:
        """Sizes that follow from the numbers that the program mentions."""
        for sizes in further.sizes(
            self.program.dims, self.example, words.whole, self.options.max_size
        ):
            yield from self.at(sizes)

    def further_numbers(self, words: SourceConstants) -> Iterator[PlannedSample]:
        """Numbers among the inputs that follow from two that the program mentions."""
        for name, value in self.places.example.items():
            if name not in self.places.numbers:
                continue
            real = type(value) is float
            few = (*words.whole, *words.real) if real else words.whole
            for number in further.numbers(few, real):
                if self.places.numbers[name][1] is None or self._fits(name, number):
                    yield from self.at({name: type(value)(number)})

    def sized(self, role: Role, name: str, sizes: Mapping[str, int] | None) -> PlannedSample:
        """Inputs of other sizes, with other values."""
        build = partial(self.program.build, sizes, draw=1)
        guessed = self.program.definition.guessed
        return PlannedSample(role, name, build, sizes or self.example, guessed=guessed)

    def ranges(self) -> Iterator[PlannedSample]:
        """What the declared ranges tell."""
        for role, sizes in made_sizes(self.program.dims, self.example, self.options.max_size):
            yield self.sized(role, _name(sizes), sizes)

    def conditions(self, told: ProgramConditions) -> Iterator[PlannedSample]:
        """Both sides of what the program asks."""
        for flip in told.flips:
            yield from self.at(flip.point)

    def constants(self, words: SourceConstants) -> Iterator[PlannedSample]:
        """Sizes beside the numbers that the program mentions."""
        for sizes in sizes_of_numbers(
            self.program.dims, self.example, words.whole, self.options.max_size
        ):
            yield from self.at(sizes)

    def at(self, point: Point) -> Iterator[PlannedSample]:
        """The sample at a point: accepted if only sizes differ and all are in their ranges."""
        if not point.keys() <= self.places.example.keys():
            return  # a number that is not read on this device
        sizes = {n: int(point[n]) for n in self.example if n in point}
        sizes = {**self.example, **sizes}
        other = {n: v for n, v in point.items() if n not in sizes and v != self.places.example[n]}
        if other and self.loops:
            return
        if other:
            name = _name({**{n: s for n, s in sizes.items() if s != self.example[n]}, **other})
            build = partial(self.places.build, {**sizes, **other}, 1)
            yield PlannedSample("rejects", name, build, tentative=True)
        elif sizes != self.example:
            inside = all(self.program.dims[n].holds(s) for n, s in sizes.items())
            yield self.sized("accepts" if inside else "rejects", _name(sizes), sizes)

    def numbers(self, told: ProgramConditions, words: SourceConstants) -> Iterator[PlannedSample]:
        """Other numbers in place of those among the inputs."""
        tried = []
        for name, (_, element) in self.places.numbers.items():
            value = self.places.example[name]
            few = (*words.whole, *words.real) if type(value) is float else words.whole
            wanted = values.numbers(value, told.numbers, few)
            if element is not None:
                wanted = [n for n in wanted if self._fits(name, n)]
            tried.append(s for n in wanted for s in self.at({name: n}))
        yield from _alternating(*tried)

    def _fits(self, name: str, number: float) -> bool:
        leaf = self.places.leaves[self.places.numbers[name][0]]
        info = torch.iinfo(leaf.dtype)
        return bool(info.min <= number <= info.max)

    def statics(self, words: SourceConstants) -> Iterator[PlannedSample]:
        """Other flags, words, None, containers of another length, arguments in another order."""
        yield from self.statics_of(
            values.given_otherwise(self.places, self.module),
            values.flags_and_words(self.places, words),
            values.other_lengths(self.places),
        )

    def statics_of(self, *made: Iterable[tuple[str, Inputs]]) -> Iterator[PlannedSample]:
        """Samples of inputs that are made, refused or agreed with."""
        for name, inputs in chain(*made):
            yield PlannedSample("rejects", name, partial(_given, inputs), tentative=True)

    def statics_together(self, words: SourceConstants) -> Iterator[PlannedSample]:
        """Flags, words and None changed together, and with other sizes and numbers."""
        changes = further.statics_together(self.places, words)
        if not changes:
            return
        points = [
            self.sized("rejects", "", None),
            *islice(self.constants(words), 2 * _FEW),
            *islice(self.numbers(ProgramConditions(), words), 2 * _FEW),
            *islice((s for s in self.ranges() if s.role == "accepts"), _FEW),
        ]
        pairs = [(i, k) for i in range(len(points)) for k in range(len(changes))]
        for i, k in sorted(pairs, key=sum):
            sample, statics = points[i], changes[k]
            changed = ", ".join(f"{name}={values.said(v)}" for name, v in statics.values())
            name = f"{changed}, {sample.name}" if sample.name else changed
            build = partial(_with_statics, sample.build, statics)
            yield PlannedSample("rejects", name, build, tentative=True)

    def data(self, table: tuple[values.Change, ...], role: Role) -> Iterator[PlannedSample]:
        """The example with other data, or laid out otherwise."""
        for name, inputs in values.kinds(table, self.places):
            yield PlannedSample(
                role, f"data: {name}", partial(_given, inputs), guessed=role == "accepts",
                tentative=True,
            )  # fmt: skip

    def modes(self, modes: Mapping[str, Around]) -> Iterator[PlannedSample]:
        """The example under another mode of torch than it was captured in."""
        for name, around in modes.items():
            yield PlannedSample(
                "rejects", f"under {name}", self.program.build, tentative=True, around=around
            )


def _with_statics(build: Callable[[], Inputs], statics: further.Statics) -> Inputs:
    return further.with_statics(build(), statics)


def _autocast() -> AbstractContextManager[Any]:
    return torch.autocast("cpu", dtype=torch.bfloat16)


@contextmanager
def _deterministic() -> Iterator[None]:
    before = torch.are_deterministic_algorithms_enabled()
    warns = torch.is_deterministic_algorithms_warn_only_enabled()
    torch.use_deterministic_algorithms(True)
    try:
        yield
    finally:
        torch.use_deterministic_algorithms(before, warn_only=warns)


@contextmanager
def _double() -> Iterator[None]:
    before = torch.get_default_dtype()
    torch.set_default_dtype(torch.float64)
    try:
        yield
    finally:
        torch.set_default_dtype(before)


_MODES: Mapping[str, Around] = {"no_grad": torch.no_grad, "autocast": _autocast}
_FURTHER_MODES: Mapping[str, Around] = {
    "inference_mode": torch.inference_mode,
    "deterministic algorithms": _deterministic,
    "float64 as the default dtype": _double,
}


def _name(numbers: Mapping[str, Any]) -> str:
    return ", ".join(f"{name}={number}" for name, number in numbers.items())
