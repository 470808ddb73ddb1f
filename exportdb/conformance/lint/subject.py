"""A case's program as the executing checks see it: imported, with everything it did meanwhile.

Owns what several checks ask of one program, worked out once. Loading, samples and comparison are
those of every examination (``program``, ``sampling``, ``agreement``).
"""

from __future__ import annotations

import ast
import contextlib
import copy
import dataclasses
import io
from collections.abc import Callable, Iterator, Sequence
from functools import cached_property
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import Case
from exportdb.cases.lint.syntax import top_level_names
from exportdb.conformance import agreement, observing
from exportdb.conformance.difference import Difference, Rules
from exportdb.conformance.observing import Behaviour
from exportdb.conformance.options import Options
from exportdb.conformance.program import Inputs, LoadedProgram, load_program
from exportdb.conformance.sampling.planned import PlannedSample
from exportdb.conformance.sampling.planning import Plan, plan
from exportdb.devices.builtin import Cpu, Cuda, Meta
from exportdb.suites.cases import CaseProgram

_RUN_SEED = 1001
#: Settings of torch that a program may not change by being imported, and how to read each.
_SETTINGS: dict[str, Callable[[], Any]] = {
    "the default dtype": torch.get_default_dtype,
    "the default device": torch.get_default_device,
    "whether gradients are recorded": torch.is_grad_enabled,
    "deterministic algorithms": torch.are_deterministic_algorithms_enabled,
    "the number of threads": torch.get_num_threads,
    "the precision of float32 matmul": torch.get_float32_matmul_precision,
}


class Subject:
    """One program under examination by the checks.

    ``printed`` is what it printed while it was imported, ``changed`` what it changed in torch.
    Making one raises whatever :func:`load_program` raises.
    """

    def __init__(self, case: Case, rewrites: Sequence[Case] = (), meta: bool = False) -> None:
        self.case = case
        self.rewrites = tuple(rewrites)
        before = {name: read() for name, read in _SETTINGS.items()}
        out = io.StringIO()
        with contextlib.redirect_stdout(out), contextlib.redirect_stderr(out):
            device = Meta() if meta else Cuda() if "cuda" in case.meta.requires else Cpu()
            self.program: LoadedProgram = load_program(CaseProgram(case), device)
        self.printed = out.getvalue().strip()
        self.changed = [name for name, read in _SETTINGS.items() if read() != before[name]]

    def line(self, name: str) -> int:
        """The line on which the program defines ``name``, or on which it begins."""
        node = self._names.get(name)
        return node.lineno if node is not None else self.case.program_line

    @cached_property
    def _names(self) -> dict[str, Any]:
        return dict(top_level_names(ast.parse(self.case.source)))

    def module(self, model: str | None = None) -> torch.nn.Module:
        """A new module; of the first model unless told otherwise."""
        return self.program.model(model or self.case.meta.models[0])

    @property
    def samples(self) -> list[PlannedSample]:
        """Every sample an examination would try, the example first."""
        return self._plan.samples

    @property
    def untaken(self) -> tuple[str, ...]:
        """The sides of branches that none of them takes, in words."""
        return self._plan.untaken

    @cached_property
    def _plan(self) -> Plan:
        return plan(self.program, self.case.meta.models[0], self.module(), Options())

    def accepted(self, tentative: bool = False) -> Iterator[tuple[PlannedSample, Inputs]]:
        """The samples the case accepts, with their inputs; without those that cannot be built.

        Those that are ``tentative`` (other data) count only where eager runs on them.
        """
        for sample in self.samples:
            if sample.role != "rejects" and (tentative or not sample.tentative):
                with contextlib.suppress(Exception):
                    yield sample, sample.build()

    def run(self, inputs: Inputs, model: str | None = None) -> Behaviour:
        """What a new module does with copies of ``inputs`` in eager."""
        module = self.module(model)
        given = observing.fresh(inputs)
        with self.program.context(_RUN_SEED), quiet():
            return observing.observe(module, given, module, self.case.meta.train)

    def on_meta(self) -> Subject:
        """The same program on the meta device, imported anew so that nothing it kept comes along.

        A program that cannot be imported twice (it registers an operator) is used as it is.
        """
        try:
            return Subject(self.case, meta=True)
        except Exception:
            twin = copy.copy(self)
            vars(twin).pop("_plan", None)
            twin.program = dataclasses.replace(self.program, device="meta")
            return twin


@contextlib.contextmanager
def quiet() -> Iterator[None]:
    """What programs print while they run is not lint's to show."""
    with contextlib.redirect_stdout(io.StringIO()):
        yield


def inputs_differ(a: Inputs, b: Inputs, case: Case) -> list[Difference]:
    """How two sets of inputs differ."""
    rules = Rules(case.meta.tolerance)
    return agreement.differences(Behaviour(output=a), Behaviour(output=b), rules)


def shape_of(inputs: Inputs) -> tuple[Any, list[type]]:
    """What must be the same for two programs to take each other's inputs."""
    leaves, spec = pytree.tree_flatten(inputs)
    return spec, [type(leaf) for leaf in leaves]


def tensor_axes(inputs: Inputs) -> dict[tuple[int, int], int]:
    """(leaf index, axis) to size, for every tensor; (leaf index, -1) for every int."""
    leaves, _ = pytree.tree_flatten(inputs)
    axes: dict[tuple[int, int], int] = {}
    for index, leaf in enumerate(leaves):
        if isinstance(leaf, torch.Tensor):
            axes |= {(index, axis): int(size) for axis, size in enumerate(leaf.shape)}
        elif type(leaf) is int:
            axes[index, -1] = leaf
    return axes
