"""Programs in memory: a module that somebody holds, and the inputs it was called with.

Owns how such a program is named, made anew for every use, and sent to another process. Further
samples of its example are left to ``varied``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import DimRange, FrontMatter
from exportdb.suites.copying import copied
from exportdb.suites.pickled import Pickled
from exportdb.suites.protocol import Definition, sizes_of
from exportdb.suites.varied import VariedExample
from exportdb.symbolic.requested import roots

SUITE = "memory"
MODEL = "Model"


@dataclass(frozen=True, eq=False)
class InMemory:
    """What somebody holds: a module, an example or what builds one, and further samples."""

    module: torch.nn.Module
    args: tuple[Any, ...] = ()
    kwargs: Mapping[str, Any] = field(default_factory=dict)
    dynamic_shapes: Any = None
    inputs: Callable[..., Any] | None = None
    accepts: Callable[[], Iterable[Any]] = tuple
    rejects: Callable[[], Iterable[Any]] = tuple

    #: The named dims by which the example is varied, where they are not what is asked for.
    vary: Any = None

    def load(self) -> InMemory:
        """Itself: it is here."""
        return self

    def example(self, where: str) -> VariedExample:
        """Its example, which can be varied. Raises ProgramError if dynamic_shapes contradicts."""
        inputs = (tuple(self.args), dict(self.kwargs))
        shapes = self.dynamic_shapes if self.vary is None else self.vary
        return VariedExample(self.module, inputs, shapes, where)

    def define(self, where: str) -> Definition:
        """The module and its inputs, on the device that is the default one now."""
        device = torch.get_default_device()
        common = {
            "models": {MODEL: lambda: copied(self.module).to(device)},
            "dynamic_shapes": self.dynamic_shapes,
            "accepts": lambda: [_moved(sample, device) for sample in self.accepts()],
            "rejects": lambda: [_moved(sample, device) for sample in self.rejects()],
        }
        if self.inputs is not None:
            sizes = sizes_of(self.inputs, where)
            return Definition(inputs=self.inputs, sizes=sizes, **common)
        example = self.example(where)
        varied = {n: DimRange(r.min, r.max) for n, r in roots(self.vary).items()}
        return Definition(
            inputs=lambda **sizes: _moved(example.resized(sizes), device),
            sizes=example.sizes,
            example=lambda: _moved(example.copied(), device),
            guessed=True,
            ranges=example.ranges | varied,
            **common,
        )


@dataclass(frozen=True)
class ModuleProgram:
    """The program of a module; ``given`` is in this process, or on its way to another one."""

    id: str
    meta: FrontMatter
    given: InMemory | Pickled
    digest: str = ""
    suite: str = SUITE
    path: None = None
    selector: tuple[str, ...] = ()
    preload: tuple[str, ...] = ()

    @property
    def where(self) -> str:
        """The name, for it is in no file."""
        return self.id

    def load(self) -> Definition:
        """What was given, as a program."""
        given: InMemory = self.given.load()
        return given.define(self.where)

    def pickled(self) -> ModuleProgram:
        """The same, so that it can be sent. Raises ProgramError where that is impossible."""
        sent = Pickled.of(self.given, self.where)
        return ModuleProgram(self.id, self.meta, sent, sent.digest)


def module_program(given: InMemory, name: str = "", **declared: Any) -> ModuleProgram:
    """The program of a module; ``declared`` is front matter: train, tolerance, timeout, dims.

    Raises ProgramError for an example that contradicts its ``dynamic_shapes``.
    """
    name = name or type(given.module).__name__
    dims = dict(declared.pop("dims", {}))
    if given.inputs is None:
        dims |= given.example(name).ranges
    return ModuleProgram(name, FrontMatter(name, "", models=(MODEL,), dims=dims, **declared), given)


def _moved(inputs: Any, device: torch.device) -> Any:
    return pytree.tree_map_only(torch.Tensor, lambda t: t.to(device), inputs)
