"""How far eager itself moves on the sample that decides, where it is computed otherwise.

Owns the question whether a wrong value is the exporter's or nobody's: a sum that cancels is another
number with every other way to round. Nothing is changed in what differs: a hunt asks it of what it
would otherwise call a cause. Runs where torch is.
"""

from __future__ import annotations

import contextlib
import re
from collections.abc import Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import replace
from functools import partial
from typing import Any

import torch
from torch.utils import _pytree as pytree
from torch.utils._python_dispatch import TorchDispatchMode

from exportdb.conformance import agreement
from exportdb.conformance.clock import Clock
from exportdb.conformance.difference import Rules
from exportdb.conformance.eager import Eager, Expected, Gradients
from exportdb.conformance.options import Options
from exportdb.conformance.oracle import Loaded, load
from exportdb.conformance.sampling.planned import Around, PlannedSample
from exportdb.conformance.task import ModelTask
from exportdb.conformance.tolerance import Distance, nudged_inputs, nudged_module
from exportdb.devices.protocol import Device
from exportdb.exporters.protocol import Exporter
from exportdb.plugins import PluginRef, completed
from exportdb.suites.protocol import ProgramRef

#: Answers from inputs and parameters moved by one unit in the last place that are looked at.
DRAWS = 4
#: The part of a difference that eager must move by for it to be as large.
_AS_LARGE = 0.5
_NUMBERS = re.compile(r"(.+?) is (\S+) in eager, (\S+) in capture")
_DOUBLE = {torch.float32: torch.float64, torch.complex64: torch.complex128}


def ill_conditioned(
    program: ProgramRef, exporter: PluginRef, device: PluginRef, options: Options, sample: str,
    message: str,
) -> bool:  # fmt: skip
    """Whether eager itself is as far from its answer on a sample as the difference of numbers that
    a message tells, when it computes in double, or from inputs that differ in their last digit."""
    if (told := _NUMBERS.match(message)) is None:
        return False
    try:
        apart = abs(complex(told[2]) - complex(told[3]))
    except ValueError:
        return False
    if not 0 < apart < float("inf"):
        return False
    torch.set_num_threads(1)
    ready = completed(device.load(), Device)
    task = ModelTask(
        program, program.meta.models[0], completed(exporter.load(), Exporter), ready, options,
        Clock(lambda phase: None), lambda evidence: None,
    )  # fmt: skip
    loaded = load(task)
    chosen = next((one for one in loaded.samples if one.name == sample), None)
    if chosen is None:  # one of several calls in a row
        return False
    rules = Rules(program.meta.tolerance)
    return any(_at(told[1], moved) >= _AS_LARGE * apart for moved in _moves(loaded, chosen, rules))


def _moves(loaded: Loaded, sample: PlannedSample, rules: Rules) -> Iterator[Mapping[str, Distance]]:
    """How far other answers of eager are from the one that it gives, by place."""
    trains = loaded.program.ref.meta.train
    gradients = Gradients.PARAMETERS if trains else Gradients.NONE
    eager = Eager(loaded.program, loaded.module, gradients)
    plain = eager.expected(sample)
    if not _ran(plain):
        return
    exact = replace(sample, around=partial(_computed_in_double, sample.around))
    others = [(eager, exact)]
    for draw in range(DRAWS):
        near = replace(sample, build=partial(_near, sample, draw))
        others.append((replace(eager, module=nudged_module(loaded.module, draw)), near))
    for other, chosen in others:
        seen = other.expected(chosen)
        if _ran(seen):
            yield agreement.spread(plain.last, seen.last, rules)


def _near(sample: PlannedSample, draw: int) -> Any:
    return nudged_inputs(sample.build(), draw)


def _ran(expected: Expected) -> bool:
    return bool(expected.behaviours) and expected.last.exception is None


def _at(where: str, moved: Mapping[str, Distance]) -> float:
    """How far the number at a place moved: that is a number itself, or one of a tensor."""
    index: tuple[int, ...] = ()
    if where in moved:
        distance = moved[where].distance
    else:
        tensor, _, last = where.removesuffix("]").rpartition("[")
        if tensor not in moved:
            return 0.0
        distance, index = moved[tensor].distance, tuple(int(i) for i in last.split(","))
    return float(distance[index]) if distance.dim() == len(index) else 0.0


@contextlib.contextmanager
def _computed_in_double(around: Around) -> Iterator[None]:
    mode: AbstractContextManager[Any] = ComputedInDouble()
    with torch.compiler.set_stance("force_eager"), around(), mode:
        yield


class ComputedInDouble(TorchDispatchMode):
    """Every operator on numbers of single precision computes in double, and rounds its result."""

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        given = [t for t in pytree.tree_leaves((args, kwargs)) if isinstance(t, torch.Tensor)]
        # What is written before it is computed again would be written twice, or drawn twice.
        once = func._schema.is_mutable or torch.Tag.nondeterministic_seeded in func.tags
        result = func(*args, **kwargs)
        if func.is_view or once or not any(t.dtype in _DOUBLE for t in given):
            return result
        try:
            wide = pytree.tree_map_only(torch.Tensor, _widened, (args, kwargs))
            exact = pytree.tree_leaves(func(*wide[0], **wide[1]))
        except Exception:  # it has no kernel for these
            return result
        leaves, structure = pytree.tree_flatten(result)
        if len(exact) != len(leaves):
            return result
        own = {id(t) for t in given}
        pairs = zip(leaves, exact, strict=True)
        return pytree.tree_unflatten([_rounded(a, b, own) for a, b in pairs], structure)


def _widened(tensor: torch.Tensor) -> torch.Tensor:
    return tensor.to(_DOUBLE[tensor.dtype]) if tensor.dtype in _DOUBLE else tensor


def _rounded(plain: Any, exact: Any, own: set[int]) -> Any:
    """What was computed in double, in the type that the operator gives; what it was given itself
    stays as it is."""
    computed = isinstance(plain, torch.Tensor) and plain.dtype in _DOUBLE and id(plain) not in own
    if not computed or not isinstance(exact, torch.Tensor) or exact.shape != plain.shape:
        return plain
    return torch.empty_like(plain).copy_(exact)
