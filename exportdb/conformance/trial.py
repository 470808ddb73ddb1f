"""Puts samples to the artifact, and holds what it does against what eager did.

Owns what is fresh for every sample: the artifact's state put back, deep copies of the inputs, guard
zones around them. All that eager does is observed before anything is captured (``eager``): a
capture may leave the process in which it would be asked changed. It is asked again only where
values differ, and then no longer trusted if it gives another answer. What a difference is, is left
to ``agreement``; what follows from all samples together to ``examine``.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, nullcontext, suppress
from dataclasses import dataclass, replace
from functools import partial

import torch

from exportdb.conformance import agreement, effects
from exportdb.conformance.cause_line import other_branch
from exportdb.conformance.clock import Clock
from exportdb.conformance.difference import EXACTLY, Difference, Rules
from exportdb.conformance.eager import Eager, Expected, Gradients, observe_calls
from exportdb.conformance.errors import message_of, one_line
from exportdb.conformance.first_difference import CallWatch, first_difference
from exportdb.conformance.guard_zones import NOT_RESIZABLE, POISON
from exportdb.conformance.keeping import put_back
from exportdb.conformance.monkeypatches import is_patched
from exportdb.conformance.observing import (
    Behaviour,
    Look,
    State,
    holds_values,
    named_tensors,
)  # fmt: skip
from exportdb.conformance.program import LoadedProgram
from exportdb.conformance.sampling.planned import PlannedSample
from exportdb.conformance.snapshot import (
    Snapshot,
    held_modules,
    is_other,
    owner_of_state,
)
from exportdb.conformance.training_step import changeable
from exportdb.exporters.protocol import Artifact
from exportdb.records.record import FirstDifference, Result, SampleResult


@dataclass(frozen=True)
class TrialResult:
    """What came of one sample: the result for the record, and what it rests on."""

    result: SampleResult
    error: BaseException | None = None  # what the artifact raised where eager ran
    differences: Sequence[Difference] = ()


class Captured:
    """The artifact; before every sample its state is that of a module newly made.

    A capture may itself have advanced the state (``torch.jit.trace`` runs the program), and a
    kernel may write into a buffer without saying so, so the state is put back unconditionally.
    So is what Python keeps in the module it was made of, and in modules that the artifact holds.
    What an artifact has of its own, other than the module had it, it made so, and keeps.
    ``left_mode`` names what the capture left in another mode than it found it in, ``rewired`` the
    modules to which it left hooks or methods, ``advanced`` the parameters and buffers to which it
    wrote itself. ``first_call`` is how many
    seconds its very first call took, None before that and where it raised. What it does is looked
    at within ``look``.
    """

    def __init__(
        self, program: LoadedProgram, artifact: Artifact, given: Snapshot, new: State,
        gradients: Gradients = Gradients.NONE, look: Look = nullcontext,
    ) -> None:  # fmt: skip
        self._program, self.look = program, look
        self._artifact = artifact
        self._gradients = gradients
        self.first_call: float | None = None
        self._called = False
        self.left_mode, self.rewired = given.other_mode(), given.rewired()
        self.advanced = given.written(new)
        given.put_back()
        found = held_modules(artifact.call)
        held = [m for m in found if m is not given.module]
        self._snapshots = [given, *map(Snapshot, held)]
        for snapshot in self._snapshots:
            snapshot.settle()
        self._owner = owner_of_state(artifact.call, given.module, held)
        parts = (part for module in found for part in module.modules())
        # One of TorchScript's is not among those found.
        self._lives = self._owner is artifact.call or any(part is self._owner for part in parts)
        self._stepping = changeable(new)
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

    @property
    def in_sight(self) -> bool:
        """Whether every operator that it runs is known to be seen: a graph is run as it stands."""
        return isinstance(self._artifact.call, torch.fx.GraphModule)

    def takes(self, expected: Expected) -> bool:
        """Whether what a caller does before these calls can reach it: whoever has translated the
        program into something else has none of its parameters and buffers to be changed, or not
        those that are folded in."""
        own = changeable(named_tensors(self._owner)) - set(self._artifact.folded)
        return not expected.follows_step or (self._lives and self._stepping <= own)

    def run(self, expected: Expected) -> list[Behaviour]:
        """What each of the calls in a row did until one raised."""
        seen = self._run(expected, POISON)
        if not self._called:
            self.first_call = None if seen[0].exception else seen[0].seconds
        self._called = True
        raised = seen[-1].exception
        if raised is not None and NOT_RESIZABLE in message_of(raised):
            return self._run(expected)
        return seen

    def run_watched(self, expected: Expected, watch: CallWatch) -> None:
        """Run it once more, with ``watch`` around each call; raises what it then raises."""
        self._put_back()
        call, around = watch.around(self._artifact), expected.sample.around
        seen = observe_calls(
            self._program, call, self._owner, expected.calls, self._gradients, around,
            POISON, self._stepping,
        )  # fmt: skip
        if seen[-1].exception is not None:
            raise seen[-1].exception

    def _run(self, expected: Expected, poison: bytes = b"") -> list[Behaviour]:
        self._put_back()
        return observe_calls(
            self._program, self._artifact, self._owner, expected.calls, self._gradients,
            expected.sample.around, poison, self._stepping, self.look,
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
#: Kinds that another kernel of eager's may have too: which it takes is left to the processor.
_KERNELS = _OPEN | {"dtype"}
_CHOICE = "not compared: eager leaves open which of equal elements comes first"
_UNDEFINED = "not compared: eager reads memory that nobody wrote"
_CHANCE = "not compared: eager gives now one answer, now another"
_ELSEWHERE = "as eager does where oneDNN has no kernels for the processor"


class Undetermined(Exception):
    """Eager's answer is one of many that it might have given, so there is nothing to compare."""


@contextmanager
def _asking() -> Iterator[None]:
    """A question to eager: a program that cannot be asked again excuses nothing."""
    try:
        yield
    except Undetermined:
        raise
    except Exception:
        pass


@dataclass(frozen=True)
class Trial:
    """An artifact, to be compared with what eager did.

    ``names`` are those of the input leaves; ``clock`` is told which phase it is, and on which
    sample. ``eager`` is asked again only for what its answer leaves open.
    """

    captured: Captured
    rules: Rules
    names: Sequence[str]
    clock: Clock
    eager: Callable[[], Eager] | None = None

    def takes(self, expected: Expected) -> bool:
        """Whether the artifact can be asked for these calls. One that is quantised has rounded its
        weights beforehand, and a caller who changes them later has to quantise anew."""
        frozen = expected.follows_step and bool(self.rules.rounds_to)
        return not frozen and self.captured.takes(expected)

    def of(self, expected: Expected) -> TrialResult:
        """Try what eager did with the artifact."""
        sample = expected.sample
        if said := expected.nothing_to_try:
            what: Result = "refused" if sample.role == "rejects" else "eager-failed"
            return TrialResult(_result(sample, what, said))
        self.clock.switch("run")
        self.clock.within(sample.name)
        got = self.captured.run(expected)
        self.clock.switch("compare")
        found = self._compared(expected, got)
        if self.captured.look is nullcontext or not is_patched():
            return found
        # If what it has put there breaks the comparison, that has shown by now.
        with self.captured.look():
            return self._compared(expected, got)

    def first_difference(
        self, expected: Expected, file: str | None, message: str
    ) -> FirstDifference | None:
        """Where the artifact first differs from eager on a sample on which they disagree, as the
        ``message`` says."""
        if self.eager is None:
            return None
        eager = self.eager()
        both = partial(eager.run_watched, expected), partial(self.captured.run_watched, expected)
        with suppress(Exception):  # what torch runs in its own way may tolerate no mode around it
            if eager.repeats(expected):
                return first_difference(
                    *both, self.rules.tolerance, file, self.captured.in_sight, message
                )
        return None

    def effect(self, expected: Expected, file: str, kind: str, message: str) -> int:
        """The line of what differs, as the ``message`` says, where it is no operator's result: one
        that stores something in what the caller holds, or makes a gradient; 0 where it is not
        known."""
        if self.eager is None:
            return 0
        eager = self.eager()
        ways = partial(eager.run_watched, expected), partial(self.captured.run_watched, expected)
        with suppress(Exception):
            if kind == "gradient" and eager.repeats(expected):
                return effects.differentiated(effects.Gradient(file), *ways, self.rules.tolerance)
            if kind in ("input-mutation", "state-mutation"):
                watch = effects.Stores(file, kind == "state-mutation")
                return effects.stored(watch, ways[0], message)
        return 0

    def other_branch(
        self, example: Expected, expected: Expected, file: str
    ) -> FirstDifference | None:
        """Where eager goes another way on a sample than on the example."""
        if self.eager is None or len(expected.inputs) > 1 or expected.unbuildable:
            return None
        eager = self.eager()
        ways = partial(eager.way, example), partial(eager.way, expected)
        with suppress(Exception):
            if eager.repeats(example):
                return other_branch(eager.module, file, *ways)
        return None

    def _compared(self, expected: Expected, runs: Sequence[Behaviour]) -> TrialResult:
        sample, eager, got = expected.sample, expected.last, runs[-1]
        if got.exception is not None:
            beside = agreement.overruns(got, self.names) + self._touched(expected, runs)
            if eager.exception is not None and len(runs) == len(expected.behaviours):
                beside += agreement.state_on_error(eager, got, self.rules)
            lost = got.exception if eager.exception is None else None
            what: Result = "raised" if lost else "refused"
            return TrialResult(_result(sample, what, one_line(got.exception)), lost, beside)
        if eager.exception is not None:
            raised = f"eager raised {one_line(eager.exception)}"
            overruns = agreement.overruns(got, self.names)
            return TrialResult(_result(sample, "unguarded", raised), None, overruns)
        try:
            found = self._found(expected, runs)
        except Undetermined as e:
            return TrialResult(_result(sample, "agrees", str(e)))
        if found:
            first = min(found, key=lambda d: d.harmless)
            what = "lossy" if first.harmless else "disagrees"
            return TrialResult(_result(sample, what, first.message), None, found)
        return TrialResult(_result(sample, "agrees"))

    def _found(self, expected: Expected, runs: Sequence[Behaviour]) -> list[Difference]:
        """How the calls differ: the first that does, or what was held of earlier ones."""
        found: list[Difference] = []
        for call in range(len(runs)):
            found = self._differences(expected, runs, call)
            if any(not d.harmless for d in found):
                return found
        return found + agreement.held_differences(expected.behaviours, runs)

    def _differences(
        self, expected: Expected, runs: Sequence[Behaviour], call: int
    ) -> list[Difference]:
        """How one of the calls differs. Raises Undetermined where eager's answer is one of many."""
        seen, got = expected.behaviours[call], runs[call]
        found = agreement.differences(seen, got, self.rules, self.names)
        if self.eager and any(d.kind in _OPEN for d in found):
            found = self._excused(self.eager(), expected, got, call)
        if self.eager and any(d.kind in _KERNELS for d in found):
            found = self._elsewhere(self.eager(), expected, found, got, call)
        if self.eager and any(d.kind == "zero-sign" for d in found):
            with suppress(Exception):  # asked again it may raise: the difference stands then
                unsettled = self.eager().unsettled(expected, self.rules, self.names, found, call)
                found = [d for d in found if d not in unsettled]
        if len(runs) == 1:
            return found
        return [replace(d, message=f"call {call + 1}: {d.message}") for d in found]

    def _excused(
        self, eager: Eager, expected: Expected, got: Behaviour, call: int
    ) -> list[Difference]:
        """What differs all the same where eager leaves open how it rounds.

        Raises Undetermined where it leaves open which of equal elements it takes, or what it reads.
        """
        rules, seen = self.rules, expected.behaviours[call]
        with _asking():
            if (undefined := eager.undefined(expected, rules, call)) is not None:
                rules = replace(rules, rounding=undefined)
                left = agreement.differences(seen, got, rules, self.names)
                if not undefined or all(d.kind not in _OPEN for d in left):
                    raise Undetermined(_UNDEFINED)
        with _asking():
            apart = agreement.spread(seen, got, rules)
            rounded = all(each.is_small for each in apart.values())
            if eager.repeats(expected, call):
                if eager.chooses(expected, rules, call):
                    raise Undetermined(_CHOICE)
                if rounded or rules.rounds_to:
                    rounding = eager.rounding(expected, rules, apart, call)
                    rules = replace(rules, rounding={**rounding, **rules.rounding})
                left = agreement.differences(seen, got, rules, self.names)
                if any(d.kind in _OPEN for d in left):
                    rounding = eager.amplified(expected, rules, apart, call)
                    rules = replace(rules, rounding=rounding)
        return agreement.differences(seen, got, rules, self.names)

    def _elsewhere(
        self, eager: Eager, expected: Expected, found: list[Difference], got: Behaviour, call: int
    ) -> list[Difference]:
        """What was ``found``. Raises Undetermined where it is what eager does on another
        processor, or by another chance."""
        with _asking():
            if eager.repeats(expected, call):
                other = eager.elsewhere(expected)
                answers = expected.behaviours[call], other.behaviours[call]
                if agreement.differences(*answers, EXACTLY) and all(
                    d.harmless for d in self._excused(eager, other, got, call)
                ):
                    raise Undetermined(_ELSEWHERE)
        with _asking():
            if expected.sample.tentative and eager.wavers(expected, got, self.rules, call):
                raise Undetermined(_CHANCE)
        return found

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


def _result(sample: PlannedSample, what: Result, message: str = "") -> SampleResult:
    return SampleResult(sample.role, sample.name, what, dict(sample.sizes), message)
