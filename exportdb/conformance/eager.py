"""Eager, the oracle: what it does with each sample, observed before anything is captured.

Owns what is fresh for every sample: deep copies of the inputs, a new copy of the module, the same
seed; several calls in a row; and what is asked of eager again where values differ, for what its
answer leaves open. How a call is observed is left to ``observing``, a difference to ``agreement``.
"""

from __future__ import annotations

import enum
from collections.abc import Callable, Collection, Iterator, Mapping, Sequence
from contextlib import AbstractContextManager, contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from functools import partial
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import Tolerance
from exportdb.conformance import agreement
from exportdb.conformance.difference import EXACTLY, Difference, Rules
from exportdb.conformance.dry_run import DryRun
from exportdb.conformance.errors import one_line
from exportdb.conformance.first_difference import CallWatch
from exportdb.conformance.guard_zones import POISON, GuardZones
from exportdb.conformance.observing import (
    Behaviour,
    Look,
    State,
    fresh,
    holds_values,
    identical,
    named_tensors,
    observe,
)  # fmt: skip
from exportdb.conformance.program import Inputs, LoadedProgram, seed_everything
from exportdb.conformance.repeated_calls import (
    LEAST,
    ROW,
    EarlierCall,
    InputMemory,
    all_settled,
    given_again,
    keeps_inputs,
    own_alone,
)  # fmt: skip
from exportdb.conformance.sampling.planned import Around, PlannedSample
from exportdb.conformance.tolerance import (
    AMPLIFIED,
    DRAWS,
    FAR,
    NEAR,
    Distance,
    FilledMemory,
    LastOfEqual,
    RoundedOtherwise,
    WithoutOneDnn,
    amplification,
    is_out_of_reach,
    nudged_inputs,
    nudged_module,
    rounding,
)  # fmt: skip
from exportdb.conformance.training_step import as_results, changeable, stepped
from exportdb.records.record import Role
from exportdb.suites.copying import copied

# The seed of every run. A capture is made under another one, so that a random number baked into
# it differs from the one that eager draws.
RUN_SEED = 1001
# How often it is asked what may hang on chance, and the seconds that this may take.
MOST_DRAWS, DRAWING_SECONDS = 64, 0.3
# Samples on which a program is tried with a mode around it, until it runs so on one.
SAMPLES_TRIED = 3


#: Calls in a row: what each is given, and in which tensors.
Calls = Sequence[tuple[Inputs, InputMemory]]


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
    given: Sequence[InputMemory] = ()

    @property
    def calls(self) -> list[tuple[Inputs, InputMemory]]:
        """The calls: their inputs, and in which tensors they get them."""
        return list(
            zip(self.inputs, self.given or [InputMemory.OWN] * len(self.inputs), strict=True)
        )

    @property
    def follows_step(self) -> bool:
        """Whether a training step comes before a call."""
        return InputMemory.AFTER_STEP in self.given

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
    """The oracle: a new copy of the module for every sample.

    ``bears`` notes by the name of a mode whether the program ran with it around, as it was tried.
    """

    program: LoadedProgram
    module: torch.nn.Module
    gradients: Gradients = Gradients.NONE
    dry_run: DryRun | None = None
    bears: dict[str, list[bool]] = field(default_factory=dict, repr=False, compare=False)

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
        if self.dry_run and doubtful and self.dry_run.is_fatal(inputs, sample.around):
            return Expected(sample, fatal=True)
        (seen,) = self._run([(inputs, InputMemory.OWN)], sample.around)
        chosen = sample if seen.exception is None else rejected
        # What looks at the sample's inputs again must not run the program again.
        return Expected(replace(chosen, build=lambda: inputs), [inputs], [seen])

    def again(self, example: Expected, other: Expected) -> Expected:
        """The example and other values by turns, each call on the state that the one before left;
        as many calls as eager lives through."""
        values = example.inputs[0], (other if _accepted(other) else example).inputs[0]
        own = [(values[i], given) for i, given in own_alone(ROW)]
        filled = [(values[i], given) for i, given in ROW]
        calls, seen = self._lived_through(own if keeps_inputs(example.last) else filled)
        if self.gradients is not Gradients.NONE and not keeps_inputs(example.last):
            alone = self._lived_through(own)
            # A result that hangs on earlier calls has no gradient in tensors filled anew since.
            if _gradients_differ(alone[1], seen):
                calls, seen = alone
        role: Role = "accepts" if seen[-1].exception is None else "rejects"
        name = f"{example.sample.name}, called again"
        sample = replace(example.sample, role=role, name=name, sizes={})
        inputs, given = zip(*calls[: len(seen)], strict=True)
        return Expected(sample, inputs, seen, given=given)

    def _lived_through(self, calls: Calls) -> tuple[Calls, list[Behaviour]]:
        """As many of the calls as eager lives through, and what they did."""
        seen = self._run(calls)
        if seen[-1].exception is not None:
            calls = calls[: max(len(seen) - 1, LEAST)]
            seen = self._run(calls)
        return calls, seen

    def resized_between(self, example: Expected, others: Sequence[Expected]) -> list[Expected]:
        """The example, a call with other sizes, and the example again, of a program that changes
        its state: a capture that is made anew for each size shows whether it takes that over."""
        own = named_tensors(self.module)
        changes = any(own.get(name) is not t for name, t in example.last.state.items())
        sized = _sizes(example.inputs[0])
        other = next((e for e in others if _accepted(e) and _sizes(e.inputs[0]) != sized), None)
        if not changes or other is None:
            return []
        inputs = [example.inputs[0], other.inputs[0], example.inputs[0]]
        seen = self._run([(each, InputMemory.OWN) for each in inputs], other.sample.around)
        if seen[-1].exception is not None:
            return []
        name = f"{example.sample.name}, other sizes, called again"
        sample = replace(example.sample, name=name, sizes={}, around=other.sample.around)
        return [Expected(sample, inputs, seen)]

    def after_step(self, example: Expected) -> list[Expected]:
        """The example after a training step, of a program that has something to train: a capture
        that folded in what the caller may change shows, and one that takes gradients another way.
        """
        trained = changeable(named_tensors(self.module)) or self.gradients is not Gradients.NONE
        if not trained or keeps_inputs(example.last):
            return []
        (seen,) = self._run([(example.inputs[0], InputMemory.AFTER_STEP)])
        if seen.exception is not None:
            return []
        name = f"{example.sample.name}, after a training step"
        sample = replace(example.sample, role="accepts", name=name, sizes={})
        return [Expected(sample, example.inputs, [seen], given=[InputMemory.AFTER_STEP])]

    def repeats(self, expected: Expected, call: int = -1) -> bool:
        """Whether it still gives the very answer that it gave before anything was captured; of
        several calls that of the last, or of the one that is named."""
        now = self._run(expected.calls, expected.sample.around)[call]
        return not agreement.differences(expected.behaviours[call], now, EXACTLY)

    def rounding(
        self, expected: Expected, rules: Rules, got: Mapping[str, Distance], call: int = -1
    ) -> dict[str, torch.Tensor]:
        """How far from this answer another may be that was only rounded otherwise, by place, where
        a capture's is as far off as it ``got``."""
        spreads = []
        for draw in range(DRAWS):
            module = nudged_module(self.module, draw, rules.rounds_to)
            calls = [
                (nudged_inputs(inputs, draw, rules.rounds_to), given)
                for inputs, given in expected.calls
            ]
            nudged = self._run(calls, expected.sample.around, module)[call]
            spreads.append(agreement.spread(expected.behaviours[call], nudged, rules))
        return rounding(spreads, got, rules.rounds_to)

    def amplified(
        self, expected: Expected, rules: Rules, got: Mapping[str, Distance], call: int = -1
    ) -> dict[str, torch.Tensor]:
        """How far from this answer another may be whose every operator was rounded otherwise, by
        place: what cancels is as far off as what it cancels from. Nothing where ``got``, how far a
        capture's is, is plainly more."""
        near: list[Mapping[str, Distance]] = []
        far: list[Mapping[str, Distance]] = []
        for draw in range(AMPLIFIED):
            for found, ulps in (near, NEAR), (far, FAR):
                if (seen := self._within(RoundedOtherwise(draw, ulps), expected)) is None:
                    return dict(rules.rounding)
                found.append(agreement.spread(expected.behaviours[call], seen[call], rules))
            if is_out_of_reach(got, near):
                return dict(rules.rounding)
        return amplification(near, far, rules.rounding)

    def chooses(self, expected: Expected, rules: Rules, call: int = -1) -> bool:
        """Whether its answer rests on which of equal elements an operator takes first."""
        first, last = (self._within(LastOfEqual(really), expected) for really in (False, True))
        if first is None or last is None:
            return False
        # The mode is not one that every operator takes.
        if first[-1].exception is not None or last[-1].exception is not None:
            return False
        found = agreement.differences(first[call], last[call], rules)
        return any(not d.harmless for d in found)

    def elsewhere(self, expected: Expected) -> Expected:
        """What it does on a processor that oneDNN has no kernels for: which there are decides how a
        half type is computed, and of which type an LSTM's answer is under autocast."""
        around = partial(_both, expected.sample.around, WithoutOneDnn())
        sample = replace(expected.sample, around=around)
        return replace(expected, sample=sample, behaviours=self._run(expected.calls, around))

    def undefined(
        self, expected: Expected, rules: Rules, call: int = -1
    ) -> dict[str, torch.Tensor] | None:
        """What of its answer rests on memory that nobody wrote: past the end of an input, or handed
        out and never filled. It is then another where something else lies there, each time the
        same; that is true of the program whatever a capture has left behind.

        By place how far from it another answer may be, which is how far it likes; nothing where
        what is open is no floating number; None where nothing is open.
        """
        one, other = (self._surrounded_by(byte, expected, call) for byte in (POISON, b"\x00"))
        if one is None or other is None:
            return None
        if all(d.harmless for d in agreement.differences(one, other, rules)):
            return None
        same = self._surrounded_by(POISON, expected, call)
        if same is None or agreement.differences(one, same, EXACTLY):
            return None
        spread = agreement.spread(one, other, rules)
        open_ = {place: (seen.distance > 0) | seen.torn for place, seen in spread.items()}
        return {
            place: torch.zeros_like(spread[place].distance).masked_fill(where, torch.inf)
            for place, where in open_.items()
            if bool(where.any())
        }

    def _surrounded_by(self, byte: bytes, expected: Expected, call: int) -> Behaviour | None:
        """What a call does with this in all memory that nobody wrote; None where it raises."""
        seen = self._within(FilledMemory(byte[0]), expected, byte) or []
        return seen[call] if len(seen) > call and seen[call].exception is None else None

    def _within(
        self, mode: AbstractContextManager[Any], expected: Expected, poison: bytes = b""
    ) -> list[Behaviour] | None:
        """What the calls do with a ``mode`` of torch's dispatch around them; None if the program
        cannot run so.

        What ``scan`` and its like are given is compiled in eager too, and no mode is known to them.
        What torch could not compile with one it does not compile without one either from then on,
        so that nothing is compiled here.
        """
        around = partial(_uncompiled, expected.sample.around, mode)
        name = type(mode).__name__
        tried = self.bears.setdefault(name, [])
        if not any(tried) and len(tried) < SAMPLES_TRIED:  # this sample may, where another did not
            tried.append(self._run(expected.calls, around)[-1].exception is None)
        return self._run(expected.calls, around, poison=poison) if any(tried) else None

    def unsettled(
        self, expected: Expected, rules: Rules, names: Sequence[str], found: Sequence[Difference],
        call: int = -1,
    ) -> set[Difference]:  # fmt: skip
        """The zeros, of those ``found``, whose sign is another when it is asked again: nobody
        defined it, and it hangs on what lay there before."""
        asked = {d for d in found if d.kind == "zero-sign"}
        seen = set[Difference]()
        for answers in self._asked_again(expected):
            before = expected.behaviours[call]
            seen |= set(agreement.differences(before, answers[call], rules, names))
            if asked <= seen:
                break
        return asked & seen

    def wavers(self, expected: Expected, got: Behaviour, rules: Rules, call: int = -1) -> bool:
        """Whether it gives, asked again and again, both the answer that it gave and ``got``: what a
        solver makes of infinities hangs on what lay in its memory before."""
        if all(map(_is_finite, pytree.tree_leaves(expected.inputs))):
            return False
        met = [False, False]
        for answers in self._asked_again(expected):
            pairs = (expected.behaviours[call], answers[call]), (answers[call], got)
            for i, (one, other) in enumerate(pairs):
                met[i] |= all(d.harmless for d in agreement.differences(one, other, rules))
            if all(met):
                return True
        return False

    def _asked_again(self, expected: Expected) -> Iterator[list[Behaviour]]:
        """What it does now, many times, in memory like a capture's too; where a call takes long, a
        few times."""
        took = sum(seen.seconds for seen in expected.behaviours)
        times = min(MOST_DRAWS, max(DRAWS, int(DRAWING_SECONDS / max(took, 1e-6))))
        held = []
        for draw in range(times):
            poison = b"" if draw % 2 else POISON
            seen = self._run(expected.calls, expected.sample.around, poison=poison)
            if draw % 4 == 3:
                held.append(seen)  # the next ones lie elsewhere
            if seen[-1].exception is None:
                yield seen

    def run_watched(self, expected: Expected, watch: CallWatch) -> None:
        """Run it once more, with ``watch`` around each call."""
        module, around = copied(self.module), expected.sample.around
        observe_calls(
            self.program, watch.around(module), module, expected.calls, self.gradients, around,
            stepping=changeable(named_tensors(self.module)),
        )  # fmt: skip

    def way(self, expected: Expected) -> BaseException | None:
        """Run it once more, for whoever follows; what it raises."""
        module, around = copied(self.module), expected.sample.around
        calls = expected.calls
        return observe_calls(self.program, module, module, calls, self.gradients, around)[
            -1
        ].exception

    def _run(
        self, calls: Calls, around: Around = nullcontext,
        module: torch.nn.Module | None = None, poison: bytes = b"",
    ) -> list[Behaviour]:  # fmt: skip
        module = module or copied(self.module)
        own = named_tensors(self.module)
        seen = observe_calls(
            self.program, module, module, calls, self.gradients, around, poison, changeable(own)
        )
        return [replace(run, state=_slim(run.state, own)) for run in seen]


def _is_finite(leaf: Any) -> bool:
    plain = isinstance(leaf, torch.Tensor) and leaf.is_floating_point() and holds_values(leaf)
    return not plain or bool(leaf.isfinite().all())


def _gradients_differ(some: Sequence[Behaviour], others: Sequence[Behaviour]) -> bool:
    found = agreement.differences(some[-1], others[-1], Rules(Tolerance()))
    return len(some) != len(others) or any(d.kind == "gradient" for d in found)


@contextmanager
def _both(around: Around, mode: AbstractContextManager[Any]) -> Iterator[None]:
    """What a call is made in, and ``mode`` within."""
    with around(), mode:
        yield


@contextmanager
def _uncompiled(around: Around, mode: AbstractContextManager[Any]) -> Iterator[None]:
    """The same, and nothing is compiled within."""
    with torch.compiler.set_stance("force_eager"), _both(around, mode):
        yield


def _sizes(inputs: Inputs) -> list[torch.Size]:
    return [t.shape for t in pytree.tree_leaves(inputs) if isinstance(t, torch.Tensor)]


def _accepted(expected: Expected) -> bool:
    ran = bool(expected.behaviours) and expected.last.exception is None
    return ran and expected.sample.role == "accepts"


def other_values(example: Expected, others: Sequence[Expected]) -> Expected:
    """The first of the samples that hold other values than the example at its sizes and that eager
    takes: an example without random numbers has them in a made one. That itself if there is none.
    """
    given = pytree.tree_leaves(example.inputs[0])

    def differs(other: Expected) -> bool:
        leaves = pytree.tree_leaves(other.inputs[0])
        return len(leaves) == len(given) and any(
            isinstance(a, torch.Tensor) and isinstance(b, torch.Tensor) and not identical(a, b)
            for a, b in zip(given, leaves, strict=True)
        )

    sizes = _sizes(example.inputs[0])
    alike = (e for e in others[1:] if _accepted(e) and _sizes(e.inputs[0]) == sizes)
    return next((e for e in alike if differs(e)), example)


def _slim(state: State, own: State) -> State:
    """``state`` with what nobody changed as the tensor that it is a copy of: there is one state for
    every sample, and a module may be large."""
    return {
        name: own[name] if name in own and identical(own[name], tensor) else tensor
        for name, tensor in state.items()
    }


def observe_calls(
    program: LoadedProgram,
    call: Callable[..., Any],
    owner: torch.nn.Module,
    calls: Calls,
    gradients: Gradients,
    around: Around,
    poison: bytes = b"",
    stepping: Collection[str] = (),
    look: Look = nullcontext,
) -> list[Behaviour]:
    """What calls in a row do, until one raises; gradients are taken in the last.

    With ``poison`` the inputs lie between guard zones of it. ``stepping`` are the names of what a
    training step changes, where one comes before a call. What was done is looked at within
    ``look``.
    """
    found: list[Behaviour | EarlierCall] = []
    first: list[Any] = []
    with program.context(RUN_SEED), around():
        for i, (inputs, how) in enumerate(calls):
            leaves = gradients.asked_of(fresh(inputs))
            step = how is InputMemory.AFTER_STEP
            given, used = (as_results(leaves), True) if step else given_again(first, leaves, how)
            first = first or pytree.tree_leaves(given)
            zones = GuardZones(given, poison) if poison and not used else None
            # A later call draws other numbers: what was kept of the first shows.
            seed_everything(RUN_SEED + i)
            last = i == len(calls) - 1
            train = last and gradients is not Gradients.NONE
            # What stays is looked at again: eager's when there is a capture, an earlier call's
            # after the next one.
            with stepped(owner, stepping, train) if step else nullcontext():
                seen = observe(
                    call, given, owner, train, keep=not (last and poison), turned=len(calls) > 1,
                    second=len(calls) > 1 and program.ref.meta.train,
                    leaves=leaves if step else None, look=look,
                )  # fmt: skip
            with look():
                seen = replace(seen, overrun=zones.written()) if zones else seen
                if last or seen.exception is not None:
                    return [*all_settled(found), seen]
                found.append(EarlierCall.of(seen))
    return all_settled(found)
