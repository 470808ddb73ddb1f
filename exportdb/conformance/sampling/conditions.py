"""Points that take the other side of what a program asks of its sizes and numbers.

Owns the loop: run on symbols, find the other sides, run again there.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

from exportdb.cases.case import DimRange
from exportdb.conformance.program import LoadedProgram
from exportdb.conformance.sampling import tracing
from exportdb.conformance.sampling.in_child import asked_once
from exportdb.conformance.sampling.places import Number, Places, Point
from exportdb.conformance.sampling.solving import Condition, Domain, Flip, canonical, flips

#: How often the program is run on symbols, and how many conditions are looked at.
RUNS, CONDITIONS = 6, 40


@dataclass(frozen=True)
class ProgramConditions:
    """What the conditions of a program tell: points in the order they were found.

    ``reads`` says that a value of a tensor is read, or may be: it could become a size.
    """

    flips: tuple[Flip, ...] = ()
    numbers: tuple[Number, ...] = ()  # the constants in them
    reads: bool = True


def conditions_of(
    program: LoadedProgram, model: str, max_size: int, kept: Path | None = None
) -> ProgramConditions:
    """What the conditions tell that a program asks on its way; nothing where it asks none.

    The program runs on the CPU, whatever device it is examined on, and keeps nothing of it.
    ``kept`` is a file that holds the answer for the next who asks.
    """
    places = Places.of(program, program.model(model))
    if not places.sums and not places.numbers and not places.whole:
        return ProgramConditions()
    prepare()

    def work(moved: LoadedProgram) -> ProgramConditions:
        return explored(moved, moved.model(model), max_size)

    return asked_once(work, program, kept) or ProgramConditions()


@functools.cache
def prepare() -> None:
    """Do once, in the process that others are forked from, what takes long the first time."""
    env = ShapeEnv(duck_shape=False)
    source = ConstantSource("size")
    with contextlib.suppress(Exception):
        made = env.create_unspecified_symbol(5, source, DimDynamic.DYNAMIC)
        size = env.create_symintnode(made, hint=5, source=source)
        with FakeTensorMode(shape_env=env, allow_non_fake_inputs=True):
            bool(torch.empty(size) + torch.ones(1) is not None and size % 7 == 0)
        Condition.of(env.guards[-1].expr)


def explored(program: LoadedProgram, module: torch.nn.Module, max_size: int) -> ProgramConditions:
    """The same in this process, where the program may leave fake tensors in what it keeps."""
    places = Places.of(program, module)
    domains = domains_of(places, program.dims, max_size)
    found: dict[tuple[tuple[str, Number], ...], Flip] = {}
    looked: set[str] = set()
    numbers: dict[Number, None] = {}
    waiting: list[Point] = [places.example]
    reads = False
    for _ in range(RUNS):
        if not waiting:
            break
        point = waiting.pop(0)
        for symbolic in (True, False) if places.numbers else (False,):
            asked = tracing.asked(places, module, point, symbolic)
            reads |= asked.reads and not symbolic
            exprs = dict.fromkeys(asked.conditions)
            pairs = [(e, c) for e in exprs if (c := Condition.of(e)) is not None]
            way = [c for _, c in pairs]
            for i, (expr, condition) in enumerate(pairs):
                if (key := canonical(expr)) in looked or len(looked) >= CONDITIONS:
                    continue
                looked.add(key)
                numbers |= dict.fromkeys(condition.numbers)
                other = flips(way, i, point, domains)
                for flip in other:
                    found.setdefault(tuple(flip.point.items()), flip)
                waiting += [flip.point for flip in other[:1] if flip.inside]
    return ProgramConditions(tuple(found.values()), tuple(numbers), reads)


def domains_of(places: Places, dims: Mapping[str, DimRange], max_size: int) -> dict[str, Domain]:
    """What each number of a point may be."""
    found: dict[str, Domain] = {}
    for name, dim in dims.items():
        found[name] = Domain(dim.min, dim.max, max_size)
    for name, value in places.example.items():
        if name not in found:
            found[name] = Domain(-max_size, max_size, max_size, type(value) is int, False)
    return found
