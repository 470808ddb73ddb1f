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
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field, fields, replace
from functools import cached_property
from typing import Any

from detection.captures import controls, forget
from detection.mutant import HIGHER_ORDER, Broken, Features, Mutant, NothingToBreak, words_of
from detection.mutant import parts as parts_of
from detection.operators import recording, same
from detection.wrapping import tensors
from exportdb.cases.case import Case
from exportdb.conformance import examine as engine
from exportdb.conformance.clock import Clock
from exportdb.conformance.eager import Expected
from exportdb.conformance.errors import one_line
from exportdb.conformance.evidence import Evidence, decide
from exportdb.conformance.observing import fresh, named_tensors
from exportdb.conformance.options import Options
from exportdb.conformance.oracle import Oracle, load, observe_eager
from exportdb.conformance.task import ModelTask, Stopped
from exportdb.conformance.trial import Trial, TrialResult
from exportdb.devices.builtin import Cpu
from exportdb.records.outcome import Outcome
from exportdb.records.record import SampleResult
from exportdb.suites.cases import CaseProgram

#: Seconds that one capture may take on one program, once it is known what eager does there.
TIMEOUT = 15
#: Outcomes with which a mutant cannot be blamed, and with which nothing is made of a control.
BLAMES_NOBODY = {Outcome.ERROR, Outcome.UNAVAILABLE, Outcome.CONVERTED}
#: Outcomes of a control beside which no mutant is tried.
TELLS_NOTHING = BLAMES_NOBODY | {Outcome.REFUSED, Outcome.TIMEOUT}


@dataclass(frozen=True)
class Result:
    """What came of one capture: how bad, by which findings, and whether the defect was reached.

    ``said`` is the first disagreement in words.
    """

    outcome: Outcome
    findings: frozenset[str] = frozenset()
    said: str = ""
    reached: bool = False
    trouble: str = ""

    def blames(self, control: Result) -> bool:
        """Whether a mutant with this result is caught, beside the sound capture it was made of.

        It is if its outcome is worse, or is the same with a finding that the sound one does not
        have. An outcome that blames the case or the engine catches nobody.
        """
        if self.outcome in BLAMES_NOBODY:
            return False
        mine, sound = self.outcome.rank, control.outcome.rank
        return mine > sound or (mine == sound and bool(self.findings - control.findings))


class Bench:
    """One model of a case, to which mutants are put one after the other."""

    def __init__(self, case: Case, model: str) -> None:
        forget()
        self.program, self.model = CaseProgram(case), model
        self.loaded = load(self._task(Broken(controls()["eager"])))
        self._oracles: dict[bool, Oracle | None] = {}
        self._controls: dict[str, Result] = {}

    def _task(self, exporter: Broken) -> ModelTask:
        clock = Clock(lambda phase: None)
        return ModelTask(
            self.program, self.model, exporter, Cpu(), Options(), clock, lambda evidence: None
        )

    def _oracle(self, exporter: Broken) -> Oracle | None:
        """Eager with what it did, or None where there are no gradients to compare."""
        key = bool(exporter.differentiates)
        if key not in self._oracles:
            try:
                self._oracles[key] = observe_eager(self._task(exporter), self.loaded)
            except Stopped:
                self._oracles[key] = None
        return self._oracles[key]

    def control(self, base: str) -> Result:
        """What comes of the sound capture of that base."""
        if base not in self._controls:
            sound = controls()[base]
            self._oracle(Broken(sound))  # what eager takes, no capture is charged with
            found = _in_time(lambda: self.examined(sound))
            assert found is not None  # a sound capture always has something to do
            self._controls[base] = found
        return self._controls[base]

    @cached_property
    def features(self) -> Features:
        """What the program shows when it is run under a mode that notes its operators."""
        found: set[str] = set()
        recorded = Mutant("control", "recorded", "operators", recording(found))
        self._controls["operators"] = self.examined(recorded) or Result(Outcome.ERROR)
        oracle = self._oracle(Broken(recorded))
        assert oracle is not None
        before = {n: t.detach() for n, t in named_tensors(self.loaded.module).items()}
        tried = [(e.inputs[0], e.last) for e in oracle.expected if e.behaviours]
        runs = [run for _, run in tried if run.exception is None]
        parts = parts_of(self.program.meta.tags, self.program.case.source)
        return Features(
            operators=frozenset(found | parts),
            compiled=bool(parts),
            train=self.program.meta.train,
            state=bool(before),
            changes_state=any(
                before.keys() != run.state.keys()
                or any(not same(run.state[name].detach(), t) for name, t in before.items())
                for run in runs
            ),
            changes_inputs=any(
                not all(map(same, tensors(given), tensors(run.inputs))) for given, run in tried
            ),
            example=oracle.inputs,
            inputs=tuple(given for given, _ in tried),
            runs=tuple(runs),
            words=words_of(self.program.case.program),
        )

    def result(self, mutant: Mutant) -> Result | None:
        """What comes of a mutant, or None where it cannot be told from the sound capture."""
        if not mutant.touches(self.features):
            return None
        control = self.control(mutant.base).outcome
        if control in TELLS_NOTHING:
            return None
        hasty = control.rank < Outcome.WRONG.rank

        def tried(capture: Mutant) -> Result | None:
            if mutant.alone:
                return _in_time(lambda: _apart(self.program, capture))
            return _in_time(lambda: self.examined(capture, hasty))

        found = tried(mutant)
        if found and found.outcome is Outcome.TIMEOUT:
            # A limit that the sound capture does not keep either is no fault of the mutant's.
            sound = tried(controls()[mutant.base])
            return None if sound and sound.outcome is Outcome.TIMEOUT else found
        return found

    def examined(self, mutant: Mutant, hasty: bool = False) -> Result | None:
        """What the engine makes of a capture; ``hasty`` if no more is asked than whether it is
        wrong."""
        exporter = Broken(mutant)
        if (oracle := self._oracle(exporter)) is None:
            return Result(Outcome.UNAVAILABLE)
        oracle = replace(oracle, inputs=fresh(oracle.inputs))
        task = self._task(exporter)
        try:
            capture = engine._capture(task, self.loaded, oracle)
        except NothingToBreak:
            return None
        except Exception as e:  # what is broken here is the mutant, unless it is a control
            found = Outcome.REFUSED if mutant.kind == "control" else Outcome.ERROR
            return Result(found, trouble=one_line(e))
        trial = engine._trial(task, self.loaded, oracle, capture)
        if hasty:
            trial = _Hasty(**{f.name: getattr(trial, f.name) for f in fields(trial)})
        evidence = engine._try_samples(task, oracle, trial, capture.artifact, Evidence())
        return _result(decide(evidence).outcome, evidence.findings, evidence.results, exporter)


@dataclass(frozen=True)
class _Hasty(Trial):
    """A trial that runs no further sample once it found a wrong number."""

    found: list[TrialResult] = field(default_factory=list)

    def of(self, expected: Expected) -> TrialResult:
        if self.found:
            return self.found[0]
        tried = super().of(expected)
        if tried.result.role != "rejects" and tried.result.result == "disagrees":
            self.found.append(tried)
        return tried


def _result(
    outcome: Outcome, findings: Iterable[str], samples: Iterable[SampleResult], exporter: Broken
) -> Result:
    said = next((f"{s.name}: {s.message}" for s in samples if s.result not in _FINE), "")
    hit = exporter.hit
    return Result(outcome, frozenset(findings), said[:200], hit.count > 0, hit.trouble)


_FINE = ("agrees", "refused")


def _apart(program: CaseProgram, mutant: Mutant) -> Result:
    """A whole examination in a process of its own: what the mutant leaves behind ends with it."""
    reading, writing = os.pipe()
    child = os.fork()
    if not child:
        try:
            exporter = Broken(mutant)
            record = engine.examine(program, exporter, Cpu())
            found = [f.id for f in record.findings]
            result = _result(Outcome(record.outcome), found, record.samples, exporter)
            os.write(writing, pickle.dumps(result))
        finally:
            os._exit(0)
    os.close(writing)
    try:
        with os.fdopen(reading, "rb") as pipe:
            told = pipe.read()
    except _TooLong:
        os.kill(child, signal.SIGKILL)
        raise
    finally:
        os.waitpid(child, 0)
    return pickle.loads(told) if told else Result(Outcome.CRASHED, reached=True)


class _TooLong(BaseException):
    """A capture took longer than ``TIMEOUT``."""


def _in_time(examined: Callable[[], Result | None]) -> Result | None:
    """What ``examined`` gives, or that it took too long, also where the engine caught the stop."""
    stops = 0

    def stop(number: int, frame: Any) -> None:
        nonlocal stops
        stops += 1
        raise _TooLong

    before = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, TIMEOUT, TIMEOUT)
    found = None
    try:
        found = examined()
    except _TooLong:
        pass
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
    late = Result(Outcome.TIMEOUT, said=f"more than {TIMEOUT} s", reached=True)
    return late if stops else found


@dataclass(frozen=True)
class CatchResult:
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
) -> Iterator[tuple[str, CatchResult | frozenset[str] | None]]:
    """The names of the mutants, each with what came of it: nothing where it has nothing to break.

    Each name comes with None before the mutant is tried, so that it is known who ended the process.
    First of all come the operators of the case, under no name. Unless ``thorough``, a case whose
    tags name operators that run parts of it, which eager compiles on every call, is tried with the
    mutants of those operators alone.
    """
    warnings.simplefilter("ignore")
    benches = [Bench(case, model) for model in case.meta.models]
    operators = frozenset[str]().union(*(bench.features.operators for bench in benches))
    yield "", operators
    slow = {HIGHER_ORDER[tag] for tag in case.meta.tags if tag in HIGHER_ORDER}
    for mutant in mutants:
        if slow and not thorough and not mutant.needs & slow:
            continue
        yield mutant.name, None
        verdicts = [v for bench in benches if (v := _verdict(bench, mutant)) is not None]
        if verdicts:
            yield mutant.name, max(verdicts, key=lambda v: (v.caught, v.reached))


def _verdict(bench: Bench, mutant: Mutant) -> CatchResult | None:
    if (result := bench.result(mutant)) is None:
        return None
    caught = result.blames(bench.control(mutant.base))
    said = f"{result.outcome}: {result.said}" if caught else ""
    return CatchResult(caught, result.reached, said, result.trouble)
