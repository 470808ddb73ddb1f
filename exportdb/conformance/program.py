"""A program on a device: its models, its dims and the samples it can build.

Owns the surroundings in which code of a program runs: the default device, the seeds. Where its code
comes from is left to ``exportdb.suites``, which samples to build to ``sampling``, how runs are
compared to ``agreement``.
"""

from __future__ import annotations

import contextlib
import random
import sys
from collections.abc import Callable, Iterator, Mapping
from contextlib import AbstractContextManager
from dataclasses import dataclass, replace
from typing import Any

import torch

from exportdb.cases.case import DimRange
from exportdb.conformance.options import Options
from exportdb.conformance.program_state import ProgramState
from exportdb.devices.protocol import Device
from exportdb.records import switches
from exportdb.suites.protocol import Definition, ProgramError, ProgramRef
from exportdb.symbolic.requested import roots

#: One set of inputs: positional arguments and keyword arguments.
Inputs = tuple[tuple[Any, ...], dict[str, Any]]


@dataclass(frozen=True)
class LoadedProgram:
    """A program whose code has run, on one device.

    ``dims`` maps each size that ``inputs()`` takes to the range it may have. Every method that
    runs code of the program seeds the random generators first, and puts back its ``state``, which
    making a module may change. ``surroundings`` is the device's own context.
    """

    ref: ProgramRef
    device: str
    surroundings: Callable[[], AbstractContextManager[object]]
    options: Options
    definition: Definition
    dims: Mapping[str, DimRange]
    state: ProgramState | None = None

    @property
    def example_sizes(self) -> Mapping[str, int]:
        """The sizes of the example."""
        return self.definition.sizes

    @property
    def seed(self) -> int:
        """Where every sample's random numbers start."""
        return self.options.seed

    @property
    def dynamic_shapes(self) -> Any:
        """What the program declares, in the form ``torch.export.export`` takes, or None."""
        return self.definition.dynamic_shapes

    def on_cpu(self) -> LoadedProgram:
        """The program as it runs there, whatever device it is examined on."""
        return replace(self, device="cpu", surroundings=contextlib.nullcontext)

    def anew(self) -> LoadedProgram:
        """The same with code that runs once more: what that keeps is no part of this one. Raises
        what running it raises."""
        definition = _defined(self.ref, self.seed, self.surroundings, self.device)
        return replace(self, definition=definition, state=_state(self.ref, definition))

    def model(self, name: str) -> torch.nn.Module:
        """A new module of the class (or from the zero-argument callable) ``name``."""
        make = self.definition.models.get(name)
        if make is None:
            raise ProgramError(self.ref.where, f"defines no {name}")
        with self.context(self.seed):
            module = make()
            if self.state is not None:
                self.state.note()
            if not isinstance(module, torch.nn.Module):
                raise ProgramError(self.ref.where, f"{name}() makes no torch.nn.Module")
            mode = switches.value(self.options.switches, "mode")
            if mode == "eval":
                return module.eval()
            return module.train() if mode == "train" or self.ref.meta.train else module

    def build(self, sizes: Mapping[str, int] | None = None, draw: int = 0) -> Inputs:
        """The sample that ``inputs()`` makes from ``sizes``; defaults for those not given.

        Another ``draw`` gives other random values.
        """
        example = self.definition.example
        with self.context(self.seed + 1 + draw):
            if example is not None and sizes is None and not draw:
                return as_inputs(example())
            return as_inputs(self.definition.inputs(**(sizes or {})))

    def own_samples(self, role: str) -> Iterator[Inputs]:
        """The samples of the program's ``accepts()`` or ``rejects()``, if it has one."""
        generator = {"accepts": self.definition.accepts, "rejects": self.definition.rejects}[role]
        if generator is None:
            return
        with self.context(self.seed + 1):
            yield from [as_inputs(sample) for sample in generator()]

    @contextlib.contextmanager
    def context(self, seed: int, capturing: bool = False) -> Iterator[None]:
        """The program's device as the default one, what its file keeps as it was, and every
        random generator seeded.

        The device's own context stands around it, unless this is for ``capturing``.
        """
        if self.state is not None:
            self.state.put_back()
        seed_everything(seed)
        around = contextlib.nullcontext() if capturing else self.surroundings()
        with around, default_device(self.device):
            yield


def load_program(ref: ProgramRef, device: Device, options: Options = Options()) -> LoadedProgram:  # noqa: B008  # frozen
    """Run the code of ``ref`` under ``device``.

    Raises ProgramError when a size that ``inputs`` takes has no range, and whatever loading the
    program raises.
    """
    name = device.torch_name or device.name
    definition = _defined(ref, options.seed, device.context, name)
    dims = _ranges(ref, definition)
    state = _state(ref, definition)
    return LoadedProgram(ref, name, device.context, options, definition, dims, state)


def _defined(
    ref: ProgramRef, seed: int, surroundings: Callable[[], AbstractContextManager[object]],
    device: str,
) -> Definition:  # fmt: skip
    """What running the code of ``ref`` gives."""
    seed_everything(seed)
    with surroundings(), default_device(device):
        return ref.load()


def _state(ref: ProgramRef, definition: Definition) -> ProgramState | None:
    """What the program's own file keeps; None where it comes from elsewhere, as from the memory of
    a user."""
    names = getattr(definition.inputs, "__globals__", {})
    if ref.path is None or names.get("__file__") != str(ref.path):
        return None
    state = ProgramState(names)
    state.note()
    return state


def default_device(name: str) -> AbstractContextManager[object]:
    """A context in which factory calls make tensors on this device.

    On the CPU it is none: a function mode would show in what is captured.
    """
    found: AbstractContextManager[object] = (
        torch.device(name) if name != "cpu" else contextlib.nullcontext()
    )
    return found


def as_inputs(sample: Any) -> Inputs:
    """What a program returns or yields as a sample, as (args, kwargs).

    A tuple is positional arguments, a dict keyword arguments, exactly ``(tuple, dict)`` both, and
    anything else one positional argument.
    """
    if isinstance(sample, dict):
        return (), dict(sample)
    if not isinstance(sample, tuple):
        return (sample,), {}
    if len(sample) == 2 and type(sample[0]) is tuple and type(sample[1]) is dict:
        return sample[0], dict(sample[1])
    return sample, {}


def seed_everything(seed: int) -> None:
    """Seed torch's, Python's and (where it is loaded) NumPy's generators."""
    torch.default_generator.manual_seed(seed)
    if torch.cuda.is_initialized():
        torch.cuda.manual_seed_all(seed)
    random.seed(seed)
    numpy = sys.modules.get("numpy")
    if numpy is not None:
        numpy.random.seed(seed)


def _ranges(ref: ProgramRef, definition: Definition) -> dict[str, DimRange]:
    named = {n: DimRange(r.min, r.max) for n, r in roots(definition.dynamic_shapes).items()}
    if both := named.keys() & ref.meta.dims.keys():
        raise ProgramError(ref.where, f"dims repeats the named Dim {sorted(both)[0]}")
    known = named | dict(ref.meta.dims) | dict(definition.ranges)
    for name in definition.sizes:
        if name not in known:
            raise ProgramError(
                ref.where,
                f"inputs() has the parameter {name}, but no Dim has this name, and it is given no "
                f"range in dims",
            )
    return {name: known[name] for name in definition.sizes}
