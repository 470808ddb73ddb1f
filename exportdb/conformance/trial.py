"""Puts one sample to eager and to the artifact, each from the same state and the same seed.

Owns what is fresh for every sample: deep copies of the inputs, red zones around those of the
artifact, a new copy of the module for eager, the artifact's state put back. What a difference is,
is left to ``agreement``; what follows from all samples together to ``examine``.
"""

from __future__ import annotations

import copy
import enum
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance import agreement
from exportdb.conformance.agreement import Behaviour, Difference, State
from exportdb.conformance.errors import message_of, one_line
from exportdb.conformance.program import Inputs, LoadedProgram, seed_everything
from exportdb.conformance.redzones import NOT_RESIZABLE, RedZones
from exportdb.conformance.samples import PlannedSample
from exportdb.conformance.snapshot import Snapshot, held_modules, owner_of_state
from exportdb.exporters.protocol import Artifact
from exportdb.records.record import Result, Role, SampleResult

# The seed of every run. A capture is made under another one, so that a random number baked into
# it differs from the one that eager draws.
RUN_SEED = 1001


class Gradients(enum.Enum):
    """Which gradients are compared: of nothing, of parameters and of inputs that ask for it
    themselves, or of every floating input as well."""

    NONE = "none"
    PARAMETERS = "parameters"
    INPUTS = "inputs"

    def asked_of(self, inputs: Inputs) -> Inputs:
        """``inputs``, which may be changed, with gradients asked of the tensors they are for."""
        if self is Gradients.INPUTS:
            for leaf in pytree.tree_leaves(inputs):
                if isinstance(leaf, torch.Tensor) and leaf.is_leaf and leaf.is_floating_point():
                    leaf.requires_grad_()
        return inputs


@dataclass(frozen=True)
class Tried:
    """What came of one sample: the result for the record, and what it rests on."""

    result: SampleResult
    error: BaseException | None = None  # what the artifact raised where eager ran
    differences: Sequence[Difference] = ()


@dataclass(frozen=True)
class Eager:
    """The oracle: a new copy of the module for every sample."""

    program: LoadedProgram
    module: torch.nn.Module
    gradients: Gradients = Gradients.NONE

    def run(self, sample: PlannedSample, inputs: Inputs, calls: int = 1) -> Behaviour:
        """What the last of ``calls`` calls in a row did, each with inputs of its own."""
        module = copy.deepcopy(self.module)
        return _observe(self.program, module, module, sample, inputs, calls, self.gradients)


class Captured:
    """The artifact; before every sample its state is that of a module newly made.

    A capture may itself have advanced the state (``torch.jit.trace`` runs the program), and a
    kernel may write into a buffer without saying so, so the state is put back unconditionally.
    So is what Python keeps in the module it was made of, and in modules that the artifact holds.
    """

    def __init__(
        self, program: LoadedProgram, artifact: Artifact, given: Snapshot, new: State,
        gradients: Gradients = Gradients.NONE,
    ) -> None:  # fmt: skip
        self._program = program
        self._artifact = artifact
        self._gradients = gradients
        given.put_back()
        held = [m for m in held_modules(artifact.call) if m is not given.module]
        self._snapshots = [given, *map(Snapshot, held)]
        self._owner = owner_of_state(artifact.call, given.module, held)
        self._kept = {
            name: new.get(name, tensor).detach().clone()
            for name, tensor in agreement.named_tensors(self._owner).items()
        }

    def run(self, sample: PlannedSample, inputs: Inputs, calls: int = 1) -> Behaviour:
        """What the last of ``calls`` calls in a row did, each with inputs of its own."""
        seen = self._run(sample, inputs, calls, red_zones=True)
        if seen.exception is not None and NOT_RESIZABLE in message_of(seen.exception):
            return self._run(sample, inputs, calls)
        return seen

    def _run(
        self, sample: PlannedSample, inputs: Inputs, calls: int, red_zones: bool = False
    ) -> Behaviour:
        for snapshot in self._snapshots:
            snapshot.put_back()
        if self._artifact.put_back is not None:
            self._artifact.put_back()
        # Asked for again each time: a call may have put another tensor under a name.
        for name, tensor in agreement.named_tensors(self._owner).items():
            if name in self._kept and agreement.holds_values(tensor):
                tensor.data = self._kept[name].clone()
        return _observe(
            self._program, self._artifact, self._owner, sample, inputs, calls, self._gradients,
            red_zones,
        )  # fmt: skip


@dataclass(frozen=True)
class Trial:
    """Eager and an artifact, to be compared on samples.

    ``names`` are those of the input leaves; ``switch`` is told which phase it is.
    """

    eager: Eager
    captured: Captured
    names: Sequence[str]
    metadata_only: bool
    switch: Callable[[str], None]

    def of(self, sample: PlannedSample, known: Behaviour | None = None) -> Tried:
        """Try one sample. ``known`` is eager's observation where it was made already."""
        self.switch("eager")
        rejected = replace(sample, role="rejects", sizes={}) if sample.guessed else sample
        try:
            inputs = sample.build()
        except Exception as e:
            # Sizes that inputs() itself refuses leave nothing to try.
            what: Result = "refused" if rejected.role == "rejects" else "eager-failed"
            return Tried(_result(rejected, what, f"inputs() raised {one_line(e)}"))
        expected = known or self.eager.run(sample, inputs)
        if expected.exception is not None:
            sample = rejected
            if sample.role != "rejects":
                return Tried(_result(sample, "eager-failed", one_line(expected.exception)))
        self.switch("run")
        return self._compared(sample, expected, self.captured.run(sample, inputs))

    def again(self, example: PlannedSample) -> Tried:
        """The example once more on the state its first call left: baked-in state shows here."""
        inputs = example.build()
        self.switch("eager")
        expected = self.eager.run(example, inputs, calls=2)
        role: Role = "accepts" if expected.exception is None else "rejects"
        again = replace(example, role=role, name=f"{example.name}, called again", sizes={})
        self.switch("run")
        return self._compared(again, expected, self.captured.run(example, inputs, calls=2))

    def _compared(self, sample: PlannedSample, expected: Behaviour, got: Behaviour) -> Tried:
        self.switch("compare")
        overruns = agreement.overruns(got, self.names)
        if expected.exception is not None:
            if got.exception is not None:
                return Tried(_result(sample, "refused", one_line(got.exception)), None, overruns)
            raised = one_line(expected.exception)
            return Tried(_result(sample, "unguarded", f"eager raised {raised}"), None, overruns)
        if got.exception is not None:
            raised = one_line(got.exception)
            return Tried(_result(sample, "raised", raised), got.exception, overruns)
        tolerance = self.eager.program.ref.meta.tolerance
        found = agreement.differences(expected, got, tolerance, self.names, self.metadata_only)
        if found:
            return Tried(_result(sample, "disagrees", found[0].message), None, found)
        return Tried(_result(sample, "agrees"))


def _observe(
    program: LoadedProgram,
    call: Callable[..., Any],
    owner: torch.nn.Module,
    sample: PlannedSample,
    inputs: Inputs,
    calls: int,
    gradients: Gradients,
    red_zones: bool = False,
) -> Behaviour:
    train = gradients is not Gradients.NONE
    given = gradients.asked_of(agreement.fresh(inputs))
    zones = RedZones(given) if red_zones else None
    with program.context(RUN_SEED):
        for _ in range(calls - 1):
            before = agreement.observe(call, given, owner)
            if before.exception is not None:
                return before
            given = gradients.asked_of(agreement.fresh(sample.build()))
            zones = RedZones(given) if red_zones else None
            seed_everything(RUN_SEED)
        seen = agreement.observe(call, given, owner, train)
    return replace(seen, overrun=zones.written()) if zones else seen


def _result(sample: PlannedSample, what: Result, message: str = "") -> SampleResult:
    return SampleResult(sample.role, sample.name, what, dict(sample.sizes), message)
