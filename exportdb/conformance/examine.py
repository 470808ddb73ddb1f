"""Examines one case with one exporter on one device: from the four of them to one record.

Owns the order of the phases and the decision which outcome was earned. Building samples is left to
``samples``, comparing to ``agreement``, reading the artifact to ``describe``; processes, timeouts
and retries to ``exportdb.runner``. Looks pure from outside: everything it touches it made itself.
"""

from __future__ import annotations

import copy
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import torch

from exportdb.cases import catalogue
from exportdb.cases.case import Case
from exportdb.conformance import agreement
from exportdb.conformance.agreement import Difference, Observation, State
from exportdb.conformance.describe import describe
from exportdb.conformance.options import Options
from exportdb.conformance.program import Inputs, LoadedProgram, load_program, seed_everything
from exportdb.conformance.samples import Sample, plan
from exportdb.devices.protocol import Device
from exportdb.exporters.protocol import Artifact, Exporter, Program
from exportdb.records import outcome as outcomes
from exportdb.records.fingerprint import fingerprint
from exportdb.records.outcome import PHASES, Outcome
from exportdb.records.record import ErrorInfo, Finding, Record, SampleResult, digest
from exportdb.symbolic.names import input_names

MAX_MESSAGE = 6000  # characters of an error's message that a record keeps

# What ends a user's process ends the examination as a crash, wherever it was raised.
_FATAL = (MemoryError, SystemExit, KeyboardInterrupt, GeneratorExit)


def examine(
    case: Case,
    exporter: Exporter,
    device: Device,
    options: Options = Options(),  # noqa: B008  # frozen
    announce: Callable[[str], None] = lambda phase: None,
) -> Record:
    """Capture ``case`` with ``exporter`` on ``device`` and compare it with eager on all samples.

    ``announce`` is called with the name of each phase as it begins. Never raises: whatever the
    case, the exporter or the artifact raises becomes part of the record.
    """
    clock = _Clock(announce)
    record = Record(
        case=case.id,
        exporter=exporter.name,
        device=device.name,
        outcome=outcomes.ERROR.name,
        phase="setup",
        case_digest=case.digest,
        exporter_version=str(getattr(exporter, "version", "1")),
    )
    clock.enter("setup")
    if reason := unavailable(case, exporter, device):
        return _finish(record, clock, outcomes.UNAVAILABLE, error=ErrorInfo("Unavailable", reason))
    parts: list[_Part] = []
    for name in case.meta.models:
        try:
            parts.append(_examine_model(case, name, exporter, device, options, clock))
        except Exception as e:  # a fault of ours must show as one, and end no run
            parts.append(_failed(outcomes.ERROR, clock.phase, e))
    return _combine(record, clock, case.meta.models, parts)


def unavailable(case: Case, exporter: Exporter, device: Device) -> str | None:
    """Why this examination cannot be made, from what case, exporter and device declare; or None."""
    needs = set(case.meta.requires) | ({"training"} if case.meta.train else set())
    lacks: frozenset[str] = getattr(exporter, "lacks", frozenset())
    offers: frozenset[str] = getattr(device, "offers", frozenset())
    if missing := sorted(needs - offers - {"training"}):
        return f"the case needs {', '.join(missing)}, which the device {device.name} does not offer"
    if missing := sorted(needs & lacks):
        return f"the case needs {', '.join(missing)}, which the exporter {exporter.name} lacks"
    devices = getattr(exporter, "devices", None)
    if devices is not None and device.name not in devices:
        return f"the exporter {exporter.name} cannot capture for the device {device.name}"
    for part in (device, exporter):
        if (asked := getattr(part, "unusable", None)) and (reason := asked()):
            return f"{part.name}: {reason}"
    return None


@dataclass
class _Clock:
    """Seconds by phase, and which phase it is."""

    announce: Callable[[str], None]
    seconds: dict[str, float] = field(default_factory=dict)
    phase: str = "setup"
    _since: float = field(default_factory=time.perf_counter)

    def enter(self, phase: str) -> None:
        """Begin ``phase``. Raises ValueError for a name that is not a phase."""
        if phase not in PHASES:
            raise ValueError(f"{phase!r} is not a phase; phases are {', '.join(PHASES)}")
        self.switch(phase)
        self.announce(phase)

    def switch(self, phase: str) -> None:
        """Count from now on for ``phase``, without announcing it."""
        now = time.perf_counter()
        self.seconds[self.phase] = self.seconds.get(self.phase, 0.0) + now - self._since
        self.phase, self._since = phase, now


@dataclass(frozen=True)
class _Part:
    """What came of one model of a case."""

    outcome: Outcome
    phase: str
    error: ErrorInfo | None = None
    samples: tuple[SampleResult, ...] = ()
    findings: tuple[Finding, ...] = ()
    graph: str | None = None
    readable: str | None = None
    ranges: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    facts: Mapping[str, Any] = field(default_factory=dict)


def _examine_model(
    case: Case, model: str, exporter: Exporter, device: Device, options: Options, clock: _Clock
) -> _Part:
    try:
        device.prepare()
        program = load_program(case, device, options.seed)
        module = program.model(model)
        samples = plan(program, module, options)
        clock.enter("eager")
        eager = _Eager(program, module)
        example = eager.run(samples[0])
        if example.exception is not None:
            return _failed(outcomes.ERROR, clock.phase, example.exception)
        args, kwargs = program.build()
        names = input_names(module, args, kwargs)
    except _FATAL as e:
        return _failed(outcomes.CRASHED, clock.phase, e)
    except Exception as e:
        return _failed(outcomes.ERROR, clock.phase, e)

    clock.enter("capture")
    try:
        captured_module = program.model(model)
        with program.context(options.seed + 2):  # another seed than any run: see _RunSeed
            artifact = _as_artifact(
                exporter.capture(
                    Program(captured_module, args, kwargs, program.dynamic_shapes,
                            program.device, case.meta.train, clock.enter)
                )
            )  # fmt: skip
    except _FATAL as e:
        return _failed(outcomes.CRASHED, clock.phase, e)
    except Exception as e:
        return _failed(outcomes.REFUSED, clock.phase, e)

    described = describe(artifact, module, names, (args, kwargs), program.dynamic_shapes)
    clock.enter("run")
    metadata_only = artifact.compares == "metadata"
    if metadata_only:
        # A prediction sees sizes: what must be refused for its values is not put to it.
        samples = [s for s in samples if s.role != "rejects" or not s.own]
    captured = _Captured(
        program, artifact, captured_module, agreement.named_tensors(program.model(model))
    )
    results: list[SampleResult] = []
    first_error: tuple[str, BaseException] | None = None
    findings = dict(described.findings)
    try:
        for sample in samples:
            result, error, different = _try(
                sample, eager, captured, case, names, metadata_only, clock,
                known=example if sample is samples[0] else None,
            )  # fmt: skip
            results.append(result)
            findings |= _findings(sample, different)
            if error is not None and first_error is None and sample.role != "rejects":
                first_error = (clock.phase, error)
        if not metadata_only and device.computes and results[0].result == "agrees":
            result, different = _call_twice(samples[0], eager, captured, case, names)
            results.append(result)
            findings |= _findings(samples[0], different)
    except _FATAL as e:
        return _failed(outcomes.CRASHED, clock.phase, e, samples=tuple(results))

    outcome, phase = decide(results, artifact.graphs)
    error_info = error_of(first_error[1]) if first_error and outcome in _WITH_ERROR else None
    if outcome is outcomes.ERROR:
        failed = next(r for r in results if r.result == "eager-failed")
        error_info = ErrorInfo("EagerFailed", f"on the sample {failed.name}: {failed.message}")
    return _Part(
        outcome, phase, error_info, tuple(results),
        tuple(Finding(i, m) for i, m in sorted(findings.items())),
        described.graph, described.readable, described.ranges, described.facts,
    )  # fmt: skip


_WITH_ERROR = (outcomes.SPECIALIZED, outcomes.REFUSED)


def decide(results: Sequence[SampleResult], graphs: int = 1) -> tuple[Outcome, str]:
    """The outcome that these samples make, and the phase it was decided in.

    >>> from exportdb.records.record import SampleResult as R
    >>> ok, n1 = R("example", "example", "agrees"), R("accepts", "n=1", "disagrees")
    >>> decide([ok, n1])[0].name, decide([ok])[0].name, decide([ok], graphs=2)[0].name
    ('wrong', 'supported', 'degraded')
    >>> decide([ok, R("accepts", "n=1", "raised")])[0].name
    'specialized'
    >>> decide([ok, R("rejects", "n=9", "unguarded")])[0].name
    'unguarded'
    """
    accepted = [r for r in results if r.role != "rejects"]
    if any(r.result == "eager-failed" for r in accepted):
        return outcomes.ERROR, "eager"
    if any(r.result == "disagrees" for r in accepted):
        return outcomes.WRONG, "compare"
    if any(r.result == "raised" for r in accepted if r.role == "example"):
        return outcomes.REFUSED, "run"
    if graphs != 1:
        return outcomes.DEGRADED, "compare"
    if any(r.result == "raised" for r in accepted):
        return outcomes.SPECIALIZED, "run"
    if any(r.result in ("disagrees", "unguarded") for r in results):
        return outcomes.UNGUARDED, "compare"
    return outcomes.SUPPORTED, "compare"


# --- running -----------------------------------------------------------------------------------

# The seed of every run. A capture is made under another one, so that a random number baked into
# it differs from the one that eager draws.
_RunSeed = 1001


@dataclass(frozen=True)
class _Eager:
    """The oracle: a new copy of the module for every sample."""

    program: LoadedProgram
    module: torch.nn.Module

    def run(self, sample: Sample, inputs: Inputs | None = None, calls: int = 1) -> Observation:
        module = copy.deepcopy(self.module)
        given = agreement.fresh(sample.build()) if inputs is None else agreement.fresh(inputs)
        with self.program.context(_RunSeed):
            for _ in range(calls - 1):
                module(*given[0], **given[1])
                given = agreement.fresh(sample.build())
                seed_everything(_RunSeed)
            return agreement.observe(module, given, module, self.program.case.meta.train)


class _Captured:
    """The artifact; before every sample its state is that of a module newly made.

    A capture may itself have advanced the state (``torch.jit.trace`` runs the program), and a
    kernel may write into a buffer without saying so, so the state is put back unconditionally.
    """

    def __init__(
        self, program: LoadedProgram, artifact: Artifact, given: torch.nn.Module, new: State
    ) -> None:
        self._program = program
        self._artifact = artifact
        call = artifact.call
        # A capture that is no module of its own runs on the tensors of the module it was given.
        self._owner = call if isinstance(call, torch.nn.Module) else given
        self._kept = {
            name: (tensor, (new.get(name, tensor)).detach().clone())
            for name, tensor in agreement.named_tensors(self._owner).items()
        }

    def run(self, inputs: Inputs, sample: Sample, calls: int = 1) -> Observation:
        self._restore()
        given = inputs
        with self._program.context(_RunSeed):
            for _ in range(calls - 1):
                self._artifact(*given[0], **given[1])
                given = agreement.fresh(sample.build())
                seed_everything(_RunSeed)
            return agreement.observe(
                self._artifact, given, self._owner, self._program.case.meta.train
            )

    def _restore(self) -> None:
        for tensor, value in self._kept.values():
            if tensor.device.type != "meta" and not agreement.is_fake(tensor):
                tensor.data = value.clone()


def _try(
    sample: Sample, eager: _Eager, captured: _Captured, case: Case, names: Sequence[str],
    metadata_only: bool, clock: _Clock, known: Observation | None,
) -> tuple[SampleResult, BaseException | None, list[Difference]]:  # fmt: skip
    """Run one sample both ways. ``known`` is eager's observation where it was made already."""

    def result(what: str, message: str = "") -> SampleResult:
        return SampleResult(sample.role, sample.name, what, dict(sample.sizes), message)

    clock.switch("eager")
    try:
        inputs = sample.build()
    except Exception as e:
        if sample.role == "rejects":  # inputs() itself refuses the sizes: nothing to try
            return result("refused", f"inputs() raised {_one_line(e)}"), None, []
        return result("eager-failed", f"inputs() raised {_one_line(e)}"), None, []
    expected = known or eager.run(sample, inputs)
    if expected.exception is not None and sample.role != "rejects":
        return result("eager-failed", _one_line(expected.exception)), None, []
    clock.switch("run")
    got = captured.run(agreement.fresh(inputs), sample)
    clock.switch("compare")
    if expected.exception is not None:
        if got.exception is not None:
            return result("refused", _one_line(got.exception)), None, []
        return result("unguarded", f"eager raised {_one_line(expected.exception)}"), None, []
    if got.exception is not None:
        return result("raised", _one_line(got.exception)), got.exception, []
    different = agreement.differences(expected, got, case.meta.tolerance, names, metadata_only)
    if different:
        return result("disagrees", different[0].message), None, different
    return result("agrees"), None, []


def _call_twice(
    example: Sample, eager: _Eager, captured: _Captured, case: Case, names: Sequence[str]
) -> tuple[SampleResult, list[Difference]]:
    """The example once more on the state that the first call left: baked state shows here."""
    name = "example, called again"
    expected = eager.run(example, calls=2)
    try:
        got = captured.run(agreement.fresh(example.build()), example, calls=2)
    except _FATAL:
        raise
    except Exception as e:
        return SampleResult("accepts", name, "raised", {}, _one_line(e)), []
    if expected.exception is not None:
        same = got.exception is not None
        return SampleResult("rejects", name, "refused" if same else "unguarded"), []
    if got.exception is not None:
        return SampleResult("accepts", name, "raised", {}, _one_line(got.exception)), []
    different = agreement.differences(expected, got, case.meta.tolerance, names)
    if different:
        return SampleResult("accepts", name, "disagrees", {}, different[0].message), different
    return SampleResult("accepts", name, "agrees"), []


_FINDING_OF = {
    "input-mutation": "input-mutation-differs",
    "state-mutation": "state-mutation-differs",
    "alias": "alias-differs",
}


def _findings(sample: Sample, different: Iterable[Difference]) -> dict[str, str]:
    return {
        _FINDING_OF[d.kind]: f"{sample.name}: {d.message}"
        for d in different
        if d.kind in _FINDING_OF
    }


def _as_artifact(captured: Any) -> Artifact:
    if isinstance(captured, Artifact):
        return captured
    if isinstance(captured, torch.export.ExportedProgram):
        return Artifact(call=captured.module(), exported_program=captured)
    if not callable(captured):
        raise TypeError(f"capture() returned {type(captured).__name__}, which is not callable")
    return Artifact(
        call=captured,
        graph_module=captured if isinstance(captured, torch.fx.GraphModule) else None,
    )


# --- records -----------------------------------------------------------------------------------


def error_of(e: BaseException) -> ErrorInfo:
    """An exception as data, its message bounded, with its fingerprint and catalogue entry."""
    kind, message = type(e).__name__, str(e)
    if isinstance(e, SystemExit):
        message = f"sys.exit({message}) was called"
    elif isinstance(e, MemoryError):
        message = message or "ran out of the memory it was given"
    if len(message) > MAX_MESSAGE:
        half = MAX_MESSAGE // 2
        message = f"{message[:half]}\n[...]\n{message[-half:]}"
    return ErrorInfo(kind, message, fingerprint(kind, message), catalogue.match(kind, message))


def _failed(outcome: Outcome, phase: str, e: BaseException, **more: Any) -> _Part:
    text = str(e)
    if outcome is outcomes.REFUSED and "can't allocate memory" in text:
        outcome = outcomes.CRASHED
    return _Part(outcome, phase, error_of(e), **more)


def _one_line(e: BaseException) -> str:
    first = next((line for line in str(e).splitlines() if line.strip()), "")
    return f"{type(e).__name__}: {first[:300]}" if first else type(e).__name__


def _combine(record: Record, clock: _Clock, models: Sequence[str], parts: list[_Part]) -> Record:
    """One record of what came of every model: the worst outcome counts."""
    worst = max(parts, key=lambda part: part.outcome.rank)
    several = len(models) > 1

    def text(get: Callable[[_Part], str | None]) -> str | None:
        found = [(m, t) for m, p in zip(models, parts, strict=False) if (t := get(p)) is not None]
        return "".join(f"{m}:\n{t}" if several else t for m, t in found) if found else None

    def named(get: Callable[[_Part], Mapping[str, Any]]) -> dict[str, Any]:
        pairs = zip(models, parts, strict=False)
        return {(f"{m}.{k}" if several else k): v for m, p in pairs for k, v in get(p).items()}

    samples = [
        SampleResult(s.role, f"{m}: {s.name}" if several else s.name, s.result, s.sizes, s.message)
        for m, p in zip(models, parts, strict=False)
        for s in p.samples
    ]
    findings = {f.id: f for p in parts for f in p.findings}
    canonical = text(lambda p: p.graph)
    return _finish(
        record, clock, worst.outcome,
        phase=worst.phase,
        error=worst.error,
        samples=tuple(samples),
        findings=tuple(findings[i] for i in sorted(findings)),
        graph=canonical,
        graph_digest=digest(canonical) if canonical is not None else None,
        graph_readable=text(lambda p: p.readable),
        ranges=named(lambda p: p.ranges),
        facts=named(lambda p: p.facts),
    )  # fmt: skip


def _finish(record: Record, clock: _Clock, outcome: Outcome, **more: Any) -> Record:
    clock.switch("setup")
    seconds = {phase: round(clock.seconds[phase], 4) for phase in PHASES if phase in clock.seconds}
    return record.with_(outcome=outcome.name, seconds=seconds, **more)
