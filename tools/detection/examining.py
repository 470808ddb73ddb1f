"""Puts mutants to one case: eager is observed once, then every mutant is tried against that.

Owns what "caught" means. Everything that an examination consists of is the engine's own: samples,
capture, trial, agreement and decision are ``exportdb.conformance``'s. Which mutants are put to
which case, in what processes, is left to ``driver``.
"""

from __future__ import annotations

import os
import pickle
import signal
import warnings
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Any

from detection import operators
from detection.mutant import HIGHER_ORDER, Broken, Features, Mutant, NothingToBreak, controls
from detection.mutants import guards
from detection.wrapping import tensors
from exportdb.cases.case import Case
from exportdb.conformance import agreement
from exportdb.conformance import examine as engine
from exportdb.conformance.agreement import Observation
from exportdb.conformance.capturing import Capturing
from exportdb.conformance.options import Options
from exportdb.conformance.program import Inputs, LoadedProgram, load_program
from exportdb.conformance.samples import Sample, plan
from exportdb.conformance.trial import Captured, Eager, Gradients, Trial, one_line
from exportdb.devices.builtin import Cpu
from exportdb.records import outcome as outcomes
from exportdb.records.record import SampleResult
from exportdb.symbolic.names import input_names

#: Seconds that one mutant may take on one program.
PATIENCE = 15
#: Outcomes with which a mutant cannot be blamed, and with which nothing is made of a control.
BLAMES_NOBODY = {"error", "unavailable", "converted"}


@dataclass(frozen=True)
class Result:
    """What came of one capture: how bad, by which findings, and whether the defect was reached.

    ``said`` is the first disagreement in words.
    """

    outcome: str
    findings: frozenset[str] = frozenset()
    said: str = ""
    reached: bool = False
    trouble: str = ""

    @property
    def rank(self) -> int:
        """How bad the outcome is."""
        return outcomes.OUTCOMES[self.outcome].rank

    def blames(self, control: Result) -> bool:
        """Whether a mutant with this result is caught, beside the sound capture it was made of.

        It is if its outcome is worse, or is the same with a finding that the sound one does not
        have. An outcome that blames the case or the engine catches nobody.
        """
        if self.outcome in BLAMES_NOBODY:
            return False
        return self.rank > control.rank or (
            self.rank == control.rank and bool(self.findings - control.findings)
        )


@dataclass(frozen=True)
class _Remembering(Eager):
    """Eager that is observed once on each sample."""

    seen: dict[tuple[str, int], Observation] = field(default_factory=dict)

    def run(self, sample: Sample, inputs: Inputs, calls: int = 1) -> Observation:
        key = (sample.name, calls)
        if key not in self.seen:
            self.seen[key] = super().run(sample, inputs, calls)
        return self.seen[key]


class Bench:
    """One model of a case, to which mutants are put one after the other."""

    def __init__(self, case: Case, model: str) -> None:
        guards.EXPORTED.clear()
        self.case, self.name = case, model
        self.program: LoadedProgram = load_program(case, Cpu())
        self.module = self.program.model(model)
        self.samples = plan(self.program, self.module, Options())
        args, kwargs = self.program.build()
        self.names = input_names(self.module, args, kwargs)
        self._eager: dict[Gradients, _Remembering] = {}
        self._controls: dict[str, Result] = {}

    def eager(self, mutant: Mutant) -> _Remembering:
        """What eager does, with the gradients that are compared for this mutant."""
        gradients = Gradients.PARAMETERS if self.case.meta.train else Gradients.NONE
        if mutant.base == "gradients":
            gradients = Gradients.INPUTS
        if gradients not in self._eager:
            self._eager[gradients] = _Remembering(self.program, self.module, gradients)
        return self._eager[gradients]

    def control(self, base: str) -> Result:
        """What comes of the sound capture of that base."""
        if base not in self._controls:
            sound = controls()[base]
            self._controls[base] = self.examined(sound)
            example = self.eager(sound).seen.get(("example", 1))
            if base == "gradients" and not (example and engine.has_gradients(example)):
                self._controls[base] = Result("unavailable")
        return self._controls[base]

    @cached_property
    def features(self) -> Features:
        """What the program shows when it is run under a mode that notes its operators."""
        found: set[str] = set()
        recording = Mutant("control", "recorded", "operators", operators.recording(found))
        self._controls["operators"] = self.examined(recording)
        eager = self.eager(recording)
        module, before = self.program.model(self.name), agreement.named_tensors(self.module)
        seen = eager.seen[self.samples[0].name, 1]
        return Features(
            operators=frozenset(found),
            train=self.case.meta.train,
            state=bool(agreement.named_tensors(module)),
            changes_state=any(
                (o := seen.state.get(n)) is None or not operators.same(o.detach(), t.detach())
                for n, t in before.items()
            ),
            changes_inputs=any(
                not all(map(operators.same, tensors(o.inputs), tensors(s.build())))
                for s in self.samples
                if (o := eager.seen.get((s.name, 1))) is not None
            ),
            example=self.program.build(),
            inputs=tuple(s.build() for s in self.samples if (s.name, 1) in eager.seen),
            runs=tuple(o for o in eager.seen.values() if o.exception is None),
        )

    def result(self, mutant: Mutant) -> Result | None:
        """What comes of a mutant, or None where it cannot be told from the sound capture."""
        if not mutant.touches(self.features):
            return None
        if self.control(mutant.base).outcome in BLAMES_NOBODY | {"refused"}:
            return None
        return _apart(self, mutant) if mutant.alone else self.examined(mutant)

    def examined(self, mutant: Mutant) -> Result:
        """What the engine makes of a capture; for a mutant no further than until it is caught."""
        exporter, eager = Broken(mutant), self.eager(mutant)
        train = eager.gradients is not Gradients.NONE
        capturing = Capturing(self.program, self.name, exporter, Options().seed + 2, train)
        try:
            given, artifact = capturing.make(eager.gradients.asked_of(self.program.build()))
        except NothingToBreak:
            return Result("supported")
        except Exception as e:  # what is broken here is the mutant, unless it is a control
            return Result("refused" if mutant.kind == "control" else "error", trouble=one_line(e))
        new_state = agreement.named_tensors(self.program.model(self.name))
        captured = Captured(self.program, artifact, given, new_state, eager.gradients)
        trial = Trial(eager, captured, self.names, False, lambda phase: None)
        sound = Result("wrong") if mutant.kind == "control" else self.control(mutant.base)
        results: list[SampleResult] = []
        found, said = set[str](), ""
        for tried in self._tries(trial, eager):
            results.append(tried.result)
            found |= set(engine._findings(tried))
            if tried.result.result not in ("agrees", "refused") and not said:
                said = f"{tried.result.name}: {tried.result.message}"[:200]
            so_far = Result(engine.decide(results)[0].name, frozenset(found), said)
            if so_far.blames(sound):
                break
        return replace(so_far, reached=exporter.hit.count > 0, trouble=exporter.hit.trouble)

    def _tries(self, trial: Trial, eager: Eager) -> Iterator[Any]:
        example = eager.run(self.samples[0], self.samples[0].build())
        return engine._tries(trial, self.samples, example, True)


def _apart(bench: Bench, mutant: Mutant) -> Result:
    """A whole examination in a process of its own: what the mutant leaves behind ends with it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            exporter = Broken(mutant)
            record = engine.examine(bench.case, exporter, Cpu())
            wrong = [s for s in record.samples if s.result not in ("agrees", "refused")]
            result = Result(
                record.outcome,
                frozenset(f.id for f in record.findings),
                f"{wrong[0].name}: {wrong[0].message}"[:200] if wrong else "",
                exporter.hit.count > 0,
                exporter.hit.trouble,
            )
            os.write(writing, pickle.dumps(result))
        finally:
            os._exit(0)
    os.close(writing)
    with os.fdopen(reading, "rb") as pipe:
        told = pipe.read()
    os.waitpid(child, 0)
    return pickle.loads(told) if told else Result("crashed", reached=True)


class _TooLong(BaseException):
    """A mutant took longer than ``PATIENCE``."""


def _stop(number: int, frame: Any) -> None:
    raise _TooLong


@dataclass(frozen=True)
class Verdict:
    """Whether a case catches a mutant, and if not, whether its defect was reached there.

    ``said`` is the outcome and the first disagreement in words; ``trouble`` what the mutant's own
    code raised, which is a fault of the benchmark.
    """

    caught: bool
    reached: bool
    said: str = ""
    trouble: str = ""


def put_to(
    case: Case, mutants: Iterable[Mutant], thorough: bool = False
) -> Iterator[tuple[str, Verdict | frozenset[str] | None]]:
    """The names of the mutants, each with what came of it: nothing where it has nothing to break.

    Each name comes with None before the mutant is tried, so that it is known who ended the process.
    First of all come the operators of the case, under no name. Unless ``thorough``, a program with
    operators that run parts of it, which eager compiles on every call, is tried with the mutants of
    those operators alone.
    """
    warnings.simplefilter("ignore")
    signal.signal(signal.SIGALRM, _stop)
    benches = [Bench(case, model) for model in case.meta.models]
    operators = frozenset[str]().union(*(bench.features.operators for bench in benches))
    yield "", operators
    slow = operators & HIGHER_ORDER
    for mutant in mutants:
        if slow and not thorough and not mutant.needs & slow:
            continue
        yield mutant.name, None
        verdicts = [v for bench in benches if (v := _verdict(bench, mutant)) is not None]
        if verdicts:
            yield mutant.name, max(verdicts, key=lambda v: (v.caught, v.reached))


def _verdict(bench: Bench, mutant: Mutant) -> Verdict | None:
    signal.alarm(PATIENCE)
    try:
        result = bench.result(mutant)
    except _TooLong:
        return Verdict(True, True, f"timeout: more than {PATIENCE} s")
    finally:
        signal.alarm(0)
    if result is None:
        return None
    caught = result.blames(bench.control(mutant.base))
    said = f"{result.outcome}: {result.said}" if caught else ""
    return Verdict(caught, result.reached, said, result.trouble)
