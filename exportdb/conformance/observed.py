"""What eager did with every sample of a program, kept for the next exporter that it is put to.

Owns the file and what may stand in it. Eager gives the same answers to every exporter, and where
each call of a program compiles (a loop, a branch) they take longer than the capture. Only what can
be read back as it was seen is kept, and nothing of a program that remembers its calls.
"""

from __future__ import annotations

import contextlib
import io
import types
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import partial
from pathlib import Path
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance import agreement
from exportdb.conformance.difference import EXACTLY
from exportdb.conformance.eager import Expected, Gradients
from exportdb.conformance.errors import message_of
from exportdb.conformance.observing import Behaviour, identical
from exportdb.conformance.program import Inputs, LoadedProgram
from exportdb.conformance.sampling.planned import PlannedSample
from exportdb.files import write_whole

#: Seconds of the processor that eager takes at least where its answers are worth keeping.
WORTH = 0.2
#: Bytes of tensors that are kept of one program at most.
MOST = 2**25


@dataclass(frozen=True)
class Observed:
    """What eager did: ``tried`` is the example and every other sample in order, ``again`` are
    the rows of calls."""

    gradients: Gradients
    tried: Sequence[Expected]
    again: Sequence[Expected] = ()


@dataclass(frozen=True)
class ObservationFile:
    """Where what eager did with one program is kept: a file, which may not be there yet."""

    path: Path

    def read(self, samples: Sequence[PlannedSample]) -> Observed | None:
        """What stands there of these samples; None if it is not that, or cannot be read."""
        with contextlib.suppress(Exception):
            return _loaded(self.path.read_bytes(), samples)
        return None

    def write(self, observed: Observed, samples: Sequence[PlannedSample]) -> None:
        """Keep it, if it can be read back as it is."""
        with contextlib.suppress(Exception):
            if _bytes(observed) > MOST:
                return
            data = _dumped(observed)
            if _same(observed, _loaded(data, samples)):
                write_whole(self.path, data)


def _bytes(observed: Observed) -> int:
    held = [
        (e.inputs, [(b.output, b.inputs, dict(b.state)) for b in e.behaviours])
        for e in observed.tried
    ]
    tensors = (leaf for leaf in pytree.tree_leaves(held) if isinstance(leaf, torch.Tensor))
    return sum(t.numel() * t.element_size() for t in tensors)


def _dumped(observed: Observed) -> bytes:
    expected = [*observed.tried, *observed.again]
    rows = [
        (e.sample.name, e.sample.role, dict(e.sample.sizes), e.unbuildable, e.fatal, e.inputs,
         e.given, [(_without_copies(b), _numbered(b)) for b in e.behaviours])
        for e in expected
    ]  # fmt: skip
    file = io.BytesIO()
    torch.save((observed.gradients.value, len(observed.again), rows), file)
    return file.getvalue()


def _loaded(data: bytes, samples: Sequence[PlannedSample]) -> Observed | None:
    gradients, again, rows = torch.load(io.BytesIO(data), weights_only=False)
    planned = [*samples, *[samples[0]] * again]
    expected = []
    for sample, row in zip(planned, rows, strict=True):
        name, role, sizes, unbuildable, fatal, inputs, given, behaviours = row
        if name != sample.name and sample is not samples[0]:
            return None
        build = partial(_given, inputs[0]) if inputs else sample.build
        known = replace(sample, name=name, role=role, sizes=sizes, build=build)
        seen = [replace(b, kept=_by_identity(b.output, kept)) for b, kept in behaviours]
        expected.append(Expected(known, inputs, seen, unbuildable, fatal, given))
    count = len(samples)
    return Observed(Gradients(gradients), expected[:count], expected[count:])


def _given(inputs: Inputs) -> Inputs:
    return inputs


def _without_copies(b: Behaviour) -> Behaviour:
    return replace(b, kept={})


def _numbered(b: Behaviour) -> dict[int, torch.Tensor]:
    """What an output held when its call ended, by the number of its leaf, where it holds something
    else now."""
    leaves = pytree.tree_leaves(b.output)
    return {
        i: b.kept[id(leaf)] for i, leaf in enumerate(leaves)
        if id(leaf) in b.kept and not identical(b.kept[id(leaf)], leaf)
    }  # fmt: skip


def _by_identity(output: Any, kept: Mapping[int, torch.Tensor]) -> dict[int, torch.Tensor]:
    leaves = pytree.tree_leaves(output)
    return {id(leaves[i]): tensor for i, tensor in kept.items()}


def _same(seen: Observed, read: Observed | None) -> bool:
    """Whether what was read back is what was seen, by the rules that captures are held to."""
    if read is None:
        return False
    seen_all, read_all = [*seen.tried, *seen.again], [*read.tried, *read.again]
    return len(seen_all) == len(read_all) and all(map(_same_sample, seen_all, read_all))


def _same_sample(seen: Expected, read: Expected) -> bool:
    return not any(map(agreement.built_differently, seen.inputs, read.inputs)) and all(
        map(_same_call, seen.behaviours, read.behaviours)
    )


def _same_call(seen: Behaviour, read: Behaviour) -> bool:
    old, new = seen.exception, read.exception
    if old is not None and new is not None:
        return type(old) is type(new) and message_of(old) == message_of(new)
    if old is not None or new is not None:
        return False
    if agreement.differences(_without_copies(seen), _without_copies(read), EXACTLY):
        return False
    if (seen.overwritten, seen.in_inputs) != (read.overwritten, read.in_inputs):
        return False
    before, after = _numbered(seen), _numbered(read)
    return before.keys() == after.keys() and all(identical(t, after[i]) for i, t in before.items())


# --- programs that remember -------------------------------------------------------------------


def memory(program: LoadedProgram) -> object:
    """All that a program's code keeps between calls outside of its modules, as far as it can be
    seen; compared before and after. Never equal to anything where it cannot be looked at."""
    try:
        return _globals(program)
    except Exception:
        return object()


def _globals(program: LoadedProgram) -> object:
    names = getattr(program.definition.inputs, "__globals__", {})
    return {name: _trace(value, names.get("__name__")) for name, value in names.items()}


def _trace(value: Any, home: Any) -> object:
    if isinstance(value, torch.Tensor):
        return id(value), value._version
    if isinstance(value, type) and value.__module__ == home:
        return id(value), {n: _trace(v, home) for n, v in vars(value).items()}
    if isinstance(value, types.FunctionType) and value.__module__ == home:
        return id(value), repr(value.__defaults__), repr(vars(value))
    if isinstance(value, type | types.ModuleType | types.FunctionType):
        return id(value)
    return id(value), repr(value)
