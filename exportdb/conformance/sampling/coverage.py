"""Which further samples take a side of a branch that none of the planned ones takes, and which
sides nothing takes.

Owns the search. What a branch is, and following a call, is left to ``branches``, making samples to
``planning``, the process that it goes on in to ``in_child``.
"""

from __future__ import annotations

import contextlib
import time
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import islice
from pathlib import Path

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.program import Inputs, LoadedProgram
from exportdb.conformance.sampling import branches
from exportdb.conformance.sampling.constants import codes_of
from exportdb.conformance.sampling.in_child import asked_once
from exportdb.conformance.sampling.planned import PlannedSample
from exportdb.suites.copying import copied

#: How many further samples are tried, and seconds of the processor after which no more is: what
#: else a machine does decides nothing.
CANDIDATES, BUDGET = 240, 5.0
#: How many, where each side is taken by inputs without an element at least; or where more functions
#: than these have branches: those of a library, most of which hang on flags that no input sets.
IN_VAIN, MANY_CODES = 40, 150
_SEED = 1001

#: Makes the planned samples of a program, and others, the most promising first.
Planned = Callable[[LoadedProgram], tuple[Sequence[PlannedSample], Iterable[PlannedSample]]]


@dataclass(frozen=True)
class Coverage:
    """``chosen`` are names of further samples, ``untaken`` the sides that none takes, in words."""

    chosen: tuple[str, ...] = ()
    untaken: tuple[str, ...] = ()


def coverage(
    program: LoadedProgram, model: str, module: torch.nn.Module, planned: Planned,
    kept: Path | None = None,
) -> Coverage:  # fmt: skip
    """What the samples of a program reach of its code; nothing where it has no branches.

    The program runs in eager, on the CPU, and keeps nothing of it. ``kept`` is a file that holds
    the answer for the next who asks.
    """
    codes = codes_of(module)
    if not branches.jumps_of(codes) and not any("cond" in code.co_names for code in codes):
        return Coverage()

    def work(moved: LoadedProgram) -> Coverage:
        module = moved.model(model)
        following = _Following(moved, module, branches.jumps_of(codes_of(module)))
        return explored(following, *planned(moved))

    return asked_once(work, program, kept) or Coverage()


def explored(
    following: _Following, samples: Sequence[PlannedSample], others: Iterable[PlannedSample]
) -> Coverage:
    """The same in this process, where the program may keep what it was called with."""
    most = CANDIDATES if len(following.jumps) <= MANY_CODES else IN_VAIN
    until = time.process_time() + BUDGET
    told = following.in_a_row(samples[:2])
    sides = set(told)
    for sample in samples:
        more = following.sides(sample)
        sides |= more
        told |= more if _has_values(sample) else set()
    chosen = []
    for count, sample in enumerate(islice(others, most)):
        missing, wanted = branches.other_sides(sides), set(branches.other_sides(told))
        if not wanted or time.process_time() > until or (not missing and count >= IN_VAIN):
            break
        more = following.sides(sample) if _has_values(sample) else set()
        if more & wanted:
            chosen.append(sample.name)
        told |= more
        sides |= more
    own = str(following.program.ref.path or "")
    untaken = (branches.told(side, own) for side in branches.other_sides(sides))
    return Coverage(tuple(chosen), tuple(untaken))


def _has_values(sample: PlannedSample) -> bool:
    """Whether no tensor of it is empty: of results without an element nobody tells which side of a
    branch they come from."""
    with contextlib.suppress(Exception):  # sizes that inputs() itself refuses
        leaves = pytree.tree_leaves(sample.build())
        return all(leaf.numel() for leaf in leaves if isinstance(leaf, torch.Tensor))
    return False


@dataclass(frozen=True)
class _Following:
    program: LoadedProgram
    module: torch.nn.Module
    jumps: branches.Jumps

    def sides(self, sample: PlannedSample) -> set[branches.Side]:
        """What a new module takes on one sample; nothing where that cannot be built."""
        return self.in_a_row([sample])

    def in_a_row(self, samples: Sequence[PlannedSample]) -> set[branches.Side]:
        """What the same module takes on several, one after the other."""
        module = copied(self.module)
        found: set[branches.Side] = set()
        for sample in samples:
            try:
                inputs = copied(sample.build())
            except Exception:  # sizes that inputs() itself refuses
                break
            call = partial(self._call, module, sample, inputs)
            found |= branches.taken(self.jumps, call)
        return found

    def _call(self, module: torch.nn.Module, sample: PlannedSample, inputs: Inputs) -> None:
        args, kwargs = inputs
        with self.program.context(_SEED), sample.around():
            module(*args, **kwargs)
