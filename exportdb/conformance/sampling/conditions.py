"""Points that take the other side of what a program asks of its sizes and numbers.

Owns the loop (run on symbols, find the other sides, run again there) and the process it runs in:
the program keeps nothing of it, and a program that hangs or dies on symbols takes nothing along.
"""

from __future__ import annotations

import contextlib
import functools
import os
import pickle
import select
import signal
import sys
import time
import warnings
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

import torch
from torch._dynamo.source import ConstantSource
from torch._subclasses.fake_tensor import FakeTensorMode
from torch.fx.experimental.symbolic_shapes import DimDynamic, ShapeEnv

from exportdb.cases.case import DimRange
from exportdb.conformance.kept import write_whole
from exportdb.conformance.program import LoadedProgram
from exportdb.conformance.sampling import tracing
from exportdb.conformance.sampling.places import Number, Places, Point
from exportdb.conformance.sampling.solving import Condition, Domain, Flip, canonical, flips

#: How often the program is run on symbols, and how many conditions are looked at.
RUNS, CONDITIONS = 6, 40
#: Seconds after which it is left; no program that comes to an end takes as long.
PATIENCE = 20.0


@dataclass(frozen=True)
class Telling:
    """What the conditions of a program tell: points in the order they were found."""

    flips: tuple[Flip, ...] = ()
    numbers: tuple[Number, ...] = ()  # the constants in them


def telling(program: LoadedProgram, model: str, max_size: int, kept: Path | None = None) -> Telling:
    """What the conditions tell that a program asks on its way; nothing where it asks none.

    The program runs in a process of its own, on the CPU, whatever device it is examined on.
    ``kept`` is a file that holds the answer for the next who asks.
    """
    if not hasattr(os, "fork"):
        return Telling()
    places = Places.of(program, program.model(model))
    if not places.sums and not places.numbers:
        return Telling()
    if kept is not None:
        with contextlib.suppress(Exception):
            known = pickle.loads(kept.read_bytes())
            if isinstance(known, Telling):
                return known
    told = _told_elsewhere(program, model, max_size)
    if kept is not None:
        with contextlib.suppress(OSError):
            write_whole(kept, pickle.dumps(told))
    return told


def _told_elsewhere(program: LoadedProgram, model: str, max_size: int) -> Telling:
    """The same from a process of its own; nothing if that does not come to an end."""
    prepare()
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads, which the child does not use
        child = os.fork()
    if not child:
        _answer(writing, program, model, max_size)
    os.close(writing)
    answer = _answered(reading)
    if answer is None:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    told: Telling = pickle.loads(answer) if answer else Telling()
    return told


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


def _answered(reading: int) -> bytes | None:
    """All that comes from the pipe, or None when the patience is over."""
    end, parts = time.monotonic() + PATIENCE, list[bytes]()
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
            part = pipe.read(1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)
    return None


def _answer(writing: int, program: LoadedProgram, model: str, max_size: int) -> None:
    """What the child does, which never returns."""
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        torch.set_num_threads(1)  # threads of the parent are not here
        sys.settrace(None)
        moved = replace(program, device="cpu", surroundings=contextlib.nullcontext)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pickle.dumps(explored(moved, moved.model(model), max_size)))
    finally:
        os._exit(0)


def explored(program: LoadedProgram, module: torch.nn.Module, max_size: int) -> Telling:
    """The same in this process, where the program may leave fake tensors in what it keeps."""
    places = Places.of(program, module)
    domains = domains_of(places, program.dims, max_size)
    found: dict[tuple[tuple[str, Number], ...], Flip] = {}
    looked: set[str] = set()
    numbers: dict[Number, None] = {}
    waiting: list[Point] = [places.example]
    for _ in range(RUNS):
        if not waiting:
            break
        point = waiting.pop(0)
        for symbolic in (True, False) if places.numbers else (False,):
            exprs = list(dict.fromkeys(tracing.asked(places, module, point, symbolic)))
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
    return Telling(tuple(found.values()), tuple(numbers))


def domains_of(places: Places, dims: Mapping[str, DimRange], max_size: int) -> dict[str, Domain]:
    """What each number of a point may be."""
    found: dict[str, Domain] = {}
    for name, dim in dims.items():
        found[name] = Domain(dim.min, dim.max, max_size)
    for name, value in places.example.items():
        if name not in found:
            found[name] = Domain(-max_size, max_size, max_size, type(value) is int, False)
    return found
