"""Puts samples to eager, and later to the artifact, each from the same state and the same seed.

Owns what is fresh for every sample: deep copies of the inputs, red zones around those of the
artifact, a new copy of the module for eager, the artifact's state put back. All that eager does is
observed before anything is captured: a capture may leave the process in which it would be asked
changed. It is asked again only where values differ, for what its answer leaves open, and then no
longer trusted if it gives another one. What a difference is, is left to ``agreement``; what follows
from all samples together to ``examine``.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Sequence
from contextlib import ExitStack, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import Tolerance
from exportdb.conformance import agreement
from exportdb.conformance.agreement import Difference, Rules
from exportdb.conformance.blame import parting
from exportdb.conformance.departure import Following, departure
from exportdb.conformance.errors import message_of, one_line
from exportdb.conformance.latitude import (
    DRAWS,
    LastOfEqual,
    nudged_inputs,
    nudged_module,
    rounding,
)  # fmt: skip
from exportdb.conformance.observing import (
    Behaviour,
    State,
    fresh,
    holds_values,
    identical,
    named_tensors,
    observe,
)  # fmt: skip
from exportdb.conformance.program import Inputs, LoadedProgram, seed_everything
from exportdb.conformance.redzones import NOT_RESIZABLE, RedZones
from exportdb.conformance.rehearsal import Rehearsal
from exportdb.conformance.rows import (
    LEAST,
    ROW,
    Given,
    Passed,
    all_settled,
    given_again,
    keeps_inputs,
    own_alone,
)  # fmt: skip
from exportdb.conformance.sampling.planned import Around, PlannedSample
from exportdb.conformance.snapshot import (
    Snapshot,
    held_modules,
    is_other,
    owner_of_state,
    put_back,
)
from exportdb.exporters.protocol import Artifact
from exportdb.records.record import Departure, Result, Role, SampleResult
from exportdb.suites.copying import copied

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
class Expected:
    """A sample and what eager did with it; nothing of the program runs to look at it again.

    ``inputs`` are as they were built and never changed. ``unbuildable`` says that they could not
    be built, ``fatal`` that the device would not live through the call, so that none was made. Of
    several calls in a row there are several ``inputs`` and ``behaviours``; ``given`` says in which
    tensors each got its inputs, its own where it says nothing.
    """

    sample: PlannedSample
    inputs: Sequence[Inputs] = ()
    behaviours: Sequence[Behaviour] = ()
    unbuildable: str = ""
    fatal: bool = False
    given: Sequence[Given] = ()

    @property
    def calls(self) -> list[tuple[Inputs, Given]]:
        """The calls: their inputs, and in which tensors they get them."""
        return list(zip(self.inputs, self.given or [Given.OWN] * len(self.inputs), strict=True))

    @property
    def last(self) -> Behaviour:
        """What the last call did."""
        return self.behaviours[-1]

    @property
    def given_up(self) -> bool:
        """Whether it was tentative, and eager does not take it, or fatal."""
        tentative = self.sample.tentative
        return self.fatal or (tentative and bool(self.unbuildable or self.last.exception))

    @property
    def nothing_to_try(self) -> str:
        """Why there is nothing that a capture had to agree with, or ""."""
        if self.unbuildable or self.last.exception is None or self.sample.role == "rejects":
            return self.unbuildable
        return one_line(self.last.exception)


@dataclass(frozen=True)
class Eager:
    """The oracle: a new copy of the module for every sample."""

    program: LoadedProgram
    module: torch.nn.Module
    gradients: Gradients = Gradients.NONE
    rehearsal: Rehearsal | None = None

    def expected(self, sample: PlannedSample) -> Expected:
        """What eager does with a sample. Where it raises the sample is one to be rejected, if
        nobody said that it is to be accepted."""
        rejected = replace(sample, role="rejects", sizes={}) if sample.guessed else sample
        try:
            inputs = sample.build()
        except Exception as e:
            # Sizes that inputs() itself refuses leave nothing to try.
            return Expected(rejected, unbuildable=f"inputs() raised {one_line(e)}")
        doubtful = sample.role == "rejects" or sample.guessed or sample.tentative
        if self.rehearsal and doubtful and self.rehearsal.is_fatal(inputs, sample.around):
            return Expected(sample, fatal=True)
        (seen,) = self._run([(inputs, Given.OWN)], sample.around)
        chosen = sample if seen.exception is None else rejected
        # What looks at the sample's inputs again must not run the program again.
        return Expected(replace(chosen, build=lambda: inputs), [inputs], [seen])

    def again(self, example: Expected, other: Expected) -> Expected:
        """The example and other values by turns, each call on the state that the one before left;
        as many calls as eager lives through."""
        values = example.inputs[0], (other if _accepted(other) else example).inputs[0]
        row = own_alone(ROW) if keeps_inputs(example.last) else ROW
        calls = [(values[i], given) for i, given in row]
        seen = self._run(calls)
        if seen[-1].exception is not None:
            calls = calls[: max(len(seen) - 1, LEAST)]
            seen = self._run(calls)
        role: Role = "accepts" if seen[-1].exception is None else "rejects"
        name = f"{example.sample.name}, called again"
        sample = replace(example.sample, role=role, name=name, sizes={})
        inputs, given = zip(*calls[: len(seen)], strict=True)
        return Expected(sample, inputs, seen, given=given)

    def repeats(self, expected: Expected, call: int = -1) -> bool:
        """Whether it still gives the very answer that it gave before anything was captured; of
        several calls that of the last, or of the one that is named."""
        now = self._run(expected.calls, expected.sample.around)[call]
        exactly = Rules(Tolerance(rtol=0, atol=0))
        return not agreement.differences(expected.behaviours[call], now, exactly)

    def rounding(self, expected: Expected, rules: Rules, call: int = -1) -> dict[str, torch.Tensor]:
        """How far from this answer another may be that was only rounded otherwise, by place."""
        spreads = []
        for draw in range(DRAWS):
            module = nudged_module(self.module, draw, rules.rounds_to)
            calls = [
                (nudged_inputs(inputs, draw, rules.rounds_to), given)
                for inputs, given in expected.calls
            ]
            nudged = self._run(calls, expected.sample.around, module)[call]
            spreads.append(agreement.spread(expected.behaviours[call], nudged, rules))
        return rounding(spreads, quantised=bool(rules.rounds_to))

    def chooses(self, expected: Expected, rules: Rules, call: int = -1) -> bool:
        """Whether its answer rests on which of equal elements an operator takes first."""

        def around() -> ExitStack:
            stack = ExitStack()
            stack.enter_context(expected.sample.around())
            stack.enter_context(LastOfEqual())
            return stack

        seen = self._run(expected.calls, around)
        if seen[-1].exception is not None:  # the mode is not one that every operator takes
            return False
        found = agreement.differences(expected.behaviours[call], seen[call], rules)
        return any(not d.harmless for d in found)

    def unsettled(
        self, expected: Expected, rules: Rules, names: Sequence[str], call: int = -1
    ) -> set[Difference]:
        """The zeros whose sign is another when it is asked again, in memory like a capture's too:
        nobody defined it, and it hangs on what lay there before."""
        found = set[Difference]()
        for draw in range(DRAWS):
            seen = self._run(expected.calls, expected.sample.around, red_zones=draw % 2 == 0)
            if seen[-1].exception is None:
                before = expected.behaviours[call]
                found |= set(agreement.differences(before, seen[call], rules, names))
        return {d for d in found if d.kind == "zero-sign"}

    def follow(self, expected: Expected, mode: Following) -> None:
        """Run it once more, with ``mode`` around each call."""
        module, around = copied(self.module), expected.sample.around
        _observe(self.program, mode.around(module), module, expected.calls, self.gradients, around)

    def way(self, expected: Expected) -> BaseException | None:
        """Run it once more, for whoever follows; what it raises."""
        module, around = copied(self.module), expected.sample.around
        calls = expected.calls
        return _observe(self.program, module, module, calls, self.gradients, around)[-1].exception

    def _run(
        self, calls: Sequence[tuple[Inputs, Given]], around: Around = nullcontext,
        module: torch.nn.Module | None = None, red_zones: bool = False,
    ) -> list[Behaviour]:  # fmt: skip
        module = module or copied(self.module)
        seen = _observe(self.program, module, module, calls, self.gradients, around, red_zones)
        own = named_tensors(self.module)
        return [replace(run, state=_slim(run.state, own)) for run in seen]


def _accepted(expected: Expected) -> bool:
    ran = bool(expected.behaviours) and expected.last.exception is None
    return ran and expected.sample.role == "accepts"


def _slim(state: State, own: State) -> State:
    """``state`` with what nobody changed as the tensor that it is a copy of: there is one state for
    every sample, and a module may be large."""
    return {
        name: own[name] if name in own and identical(own[name], tensor) else tensor
        for name, tensor in state.items()
    }


class Captured:
    """The artifact; before every sample its state is that of a module newly made.

    A capture may itself have advanced the state (``torch.jit.trace`` runs the program), and a
    kernel may write into a buffer without saying so, so the state is put back unconditionally.
    So is what Python keeps in the module it was made of, and in modules that the artifact holds.
    What an artifact has of its own, other than the module had it, it made so, and keeps.
    ``left_mode`` names the modules that the capture left in another mode than it found them in,
    ``advanced`` the parameters and buffers to which it wrote itself.
    """

    def __init__(
        self, program: LoadedProgram, artifact: Artifact, given: Snapshot, new: State,
        gradients: Gradients = Gradients.NONE,
    ) -> None:  # fmt: skip
        self._program = program
        self._artifact = artifact
        self._gradients = gradients
        self.left_mode = given.other_mode()
        self.advanced = given.written(new)
        given.put_back()
        held = [m for m in held_modules(artifact.call) if m is not given.module]
        self._snapshots = [given, *map(Snapshot, held)]
        self._owner = owner_of_state(artifact.call, given.module, held)
        made = set() if self._owner is given.module else self._made(new, self.advanced)
        known = {name: tensor for name, tensor in new.items() if name not in made}
        self._kept = {
            name: known.get(name, tensor).detach().clone()
            for name, tensor in named_tensors(self._owner).items()
        }

    def _made(self, new: State, advanced: Sequence[str]) -> set[str]:
        """What the artifact itself holds other values of than a new module and the one given."""
        return {
            name
            for name, tensor in named_tensors(self._owner).items()
            if name in new and name not in advanced and is_other(tensor, new[name])
        }

    def run(self, expected: Expected) -> list[Behaviour]:
        """What each of the calls in a row did until one raised."""
        seen = self._run(expected, red_zones=True)
        raised = seen[-1].exception
        if raised is not None and NOT_RESIZABLE in message_of(raised):
            return self._run(expected)
        return seen

    def follow(self, expected: Expected, mode: Following) -> None:
        """Run it once more, with ``mode`` around each call; raises what it then raises."""
        self._put_back()
        call, around = mode.around(self._artifact), expected.sample.around
        seen = _observe(
            self._program, call, self._owner, expected.calls, self._gradients, around,
            red_zones=True,
        )  # fmt: skip
        if seen[-1].exception is not None:
            raise seen[-1].exception

    def _run(self, expected: Expected, red_zones: bool = False) -> list[Behaviour]:
        self._put_back()
        return _observe(
            self._program, self._artifact, self._owner, expected.calls, self._gradients,
            expected.sample.around, red_zones,
        )  # fmt: skip

    def _put_back(self) -> None:
        for snapshot in self._snapshots:
            snapshot.put_back()
        if self._artifact.put_back is not None:
            self._artifact.put_back()
        # Asked for again each time: a call may have put another tensor under a name.
        for name, tensor in named_tensors(self._owner).items():
            tensor.grad = None
            if name in self._kept and holds_values(tensor):
                put_back(tensor, self._kept[name])


#: Kinds of difference that what eager leaves open may excuse.
_OPEN = frozenset({"values", "shape", "gradient", "input-mutation", "state-mutation"})
_CHOICE = "not compared: eager leaves open which of equal elements comes first"


@dataclass(frozen=True)
class Trial:
    """An artifact, to be compared with what eager did.

    ``names`` are those of the input leaves; ``switch`` is told which phase it is. ``eager`` is
    asked again only for what its answer leaves open.
    """

    captured: Captured
    rules: Rules
    names: Sequence[str]
    switch: Callable[[str], None]
    eager: Callable[[], Eager] | None = None

    def of(self, expected: Expected) -> Tried:
        """Try what eager did with the artifact."""
        sample = expected.sample
        if said := expected.nothing_to_try:
            what: Result = "refused" if sample.role == "rejects" else "eager-failed"
            return Tried(_result(sample, what, said))
        self.switch("run")
        got = self.captured.run(expected)
        self.switch("compare")
        return self._compared(expected, got)

    def departure(self, expected: Expected, file: str | None) -> Departure | None:
        """Where the artifact departs from eager on a sample on which they disagree."""
        if self.eager is None:
            return None
        eager = self.eager()
        follow = partial(eager.follow, expected), partial(self.captured.follow, expected)
        with suppress(Exception):  # what torch runs in its own way may bear no mode around it
            if eager.repeats(expected):
                return departure(*follow, self.rules.tolerance, file)
        return None

    def parting(self, example: Expected, expected: Expected, file: str) -> Departure | None:
        """Where eager goes another way on a sample than on the example."""
        if self.eager is None or len(expected.inputs) > 1 or expected.unbuildable:
            return None
        eager = self.eager()
        ways = partial(eager.way, example), partial(eager.way, expected)
        with suppress(Exception):
            if eager.repeats(example):
                return parting(eager.module, file, *ways)
        return None

    def _compared(self, expected: Expected, runs: Sequence[Behaviour]) -> Tried:
        sample, eager, got = expected.sample, expected.last, runs[-1]
        if got.exception is not None:
            beside = agreement.overruns(got, self.names) + self._touched(expected, runs)
            lost = got.exception if eager.exception is None else None
            what: Result = "raised" if lost else "refused"
            return Tried(_result(sample, what, one_line(got.exception)), lost, beside)
        if eager.exception is not None:
            raised = f"eager raised {one_line(eager.exception)}"
            overruns = agreement.overruns(got, self.names)
            return Tried(_result(sample, "unguarded", raised), None, overruns)
        found: list[Difference] = []
        for call in range(len(runs)):
            if (differs := self._differences(expected, runs, call)) is None:
                return Tried(_result(sample, "agrees", _CHOICE))
            found = differs
            if any(not d.harmless for d in found):
                break
        else:
            found += agreement.held_differences(expected.behaviours, runs)
        if found:
            first = min(found, key=lambda d: d.harmless)
            what = "lossy" if first.harmless else "disagrees"
            return Tried(_result(sample, what, first.message), None, found)
        return Tried(_result(sample, "agrees"))

    def _differences(
        self, expected: Expected, runs: Sequence[Behaviour], call: int
    ) -> list[Difference] | None:
        """How one of the calls differs; None where eager leaves open which of equal elements it
        takes."""
        seen, got = expected.behaviours[call], runs[call]
        found = agreement.differences(seen, got, self.rules, self.names)
        if self.eager and any(d.kind in _OPEN for d in found):
            if (excused := self._excused(self.eager(), expected, got, call)) is None:
                return None
            found = excused
        if self.eager and any(d.kind == "zero-sign" for d in found):
            with suppress(Exception):
                unsettled = self.eager().unsettled(expected, self.rules, self.names, call)
                found = [d for d in found if d not in unsettled]
        if len(runs) == 1:
            return found
        return [replace(d, message=f"call {call + 1}: {d.message}") for d in found]

    def _excused(
        self, eager: Eager, expected: Expected, got: Behaviour, call: int
    ) -> list[Difference] | None:
        """What differs all the same where eager leaves open how it rounds; None where it leaves
        open which of equal elements it takes."""
        rules, seen = self.rules, expected.behaviours[call]
        with suppress(Exception):  # a program that cannot be asked again excuses nothing
            apart = agreement.spread(seen, got, rules)
            rounded = all(each.is_small for each in apart.values())
            if eager.repeats(expected, call):
                if eager.chooses(expected, rules, call):
                    return None
                if rounded or rules.rounds_to:
                    rules = replace(rules, rounding=eager.rounding(expected, rules, call))
        return agreement.differences(seen, got, rules, self.names)

    def _touched(self, expected: Expected, runs: Sequence[Behaviour]) -> list[Difference]:
        """Inputs that a call changed before it raised, where eager does not do so too."""
        given = expected.inputs[len(runs) - 1]
        changed = agreement.touched(given, runs[-1].inputs, self.names)
        eager = expected.last
        too = agreement.touched(given, eager.inputs, self.names) if eager.exception else []
        return [
            Difference("input-on-error", f"{name} is changed by a call that raises")
            for name in changed if name not in too
        ]  # fmt: skip


def _observe(
    program: LoadedProgram,
    call: Callable[..., Any],
    owner: torch.nn.Module,
    calls: Sequence[tuple[Inputs, Given]],
    gradients: Gradients,
    around: Around,
    red_zones: bool = False,
) -> list[Behaviour]:
    """What calls in a row do, until one raises; gradients are taken in the last."""
    found: list[Behaviour | Passed] = []
    first: list[Any] = []
    with program.context(RUN_SEED), around():
        for i, (inputs, how) in enumerate(calls):
            given, used = given_again(first, gradients.asked_of(fresh(inputs)), how)
            first = first or pytree.tree_leaves(given)
            zones = RedZones(given) if red_zones and not used else None
            # A later call draws other numbers: what was kept of the first shows.
            seed_everything(RUN_SEED + i)
            last = i == len(calls) - 1
            train = last and gradients is not Gradients.NONE
            # What stays is looked at again: eager's when there is a capture, an earlier call's
            # after the next one.
            seen = observe(call, given, owner, train, keep=not (last and red_zones))
            seen = replace(seen, overrun=zones.written()) if zones else seen
            if last or seen.exception is not None:
                return [*all_settled(found), seen]
            found.append(Passed.of(seen))
    return all_settled(found)


def _result(sample: PlannedSample, what: Result, message: str = "") -> SampleResult:
    return SampleResult(sample.role, sample.name, what, dict(sample.sizes), message)
