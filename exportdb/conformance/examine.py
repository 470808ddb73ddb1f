"""Examines one case with one exporter on one device: from the four of them to one record.

Owns the order of the phases and the decision which outcome was earned. Building samples is left to
``samples``, comparing to ``agreement``, reading the artifact to ``describe``; processes, timeouts
and retries to ``exportdb.runner``. Looks pure from outside: everything it touches it made itself.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any

from exportdb import explain
from exportdb.cases.case import Case
from exportdb.conformance import agreement
from exportdb.conformance.agreement import Observation
from exportdb.conformance.capturing import Capturing
from exportdb.conformance.cost import Memory, cost_of, total
from exportdb.conformance.describe import Description, describe
from exportdb.conformance.options import Options
from exportdb.conformance.program import load_program
from exportdb.conformance.samples import Sample, for_metadata, plan
from exportdb.conformance.switches import turned
from exportdb.conformance.trial import Captured, Eager, Gradients, Trial, Tried
from exportdb.devices.protocol import Device
from exportdb.exporters.protocol import Artifact, Exporter
from exportdb.plugins import completed
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
    exporter, device = completed(exporter, Exporter), completed(device, Device)
    record = Record(
        case=case.id,
        exporter=exporter.name,
        device=device.name,
        outcome=outcomes.ERROR.name,
        phase="setup",
        case_digest=case.digest,
        exporter_version=str(exporter.version),
    )
    clock.enter("setup")
    if reason := unavailable(case, exporter, device):
        return _finish(record, clock, outcomes.UNAVAILABLE, error=ErrorInfo("Unavailable", reason))
    parts: list[_Part] = []
    for name in case.meta.models:
        try:
            with turned(options.switches):
                parts.append(_examine_model(case, name, exporter, device, options, clock))
        except Exception as e:  # a fault of ours must show as one, and end no run
            parts.append(_failed(outcomes.ERROR, clock.phase, e))
    return _combine(record, clock, case.meta.models, parts)


def unavailable(case: Case, exporter: Exporter, device: Device) -> str | None:
    """Why this examination cannot be made, from what case, exporter and device declare; or None."""
    needs = set(case.meta.requires) | ({"training"} if case.meta.train else set())
    if missing := sorted((needs - device.offers - _UNLESS_LACKED) | (needs & device.lacks)):
        return f"the case needs {', '.join(missing)}, which the device {device.name} does not offer"
    if missing := sorted(device.demands & exporter.lacks):
        return (
            f"the device {device.name} demands {', '.join(missing)}, "
            f"which the exporter {exporter.name} lacks"
        )
    if missing := sorted(needs & exporter.lacks):
        return f"the case needs {', '.join(missing)}, which the exporter {exporter.name} lacks"
    if exporter.devices is not None and device.name not in exporter.devices:
        return f"the exporter {exporter.name} cannot capture for the device {device.name}"
    for part in (device, exporter):
        if reason := part.unusable():
            return f"{part.name}: {reason}"
    return None


#: Capabilities that a device has without saying so.
_UNLESS_LACKED = frozenset({"attention", "backward", "training"})


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
    cost: Mapping[str, float] = field(default_factory=dict)
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
        program = load_program(case, device, options)
        module = program.model(model)
        samples = plan(program, module, options)
        clock.enter("eager")
        eager = Eager(program, module, _gradients(case, exporter))
        example = eager.run(samples[0], samples[0].build())
        if exporter.differentiates:
            eager, example = _differentiated(eager, example, samples[0])
            if not has_gradients(example):
                reason = ErrorInfo("Unavailable", f"{exporter.name}: {_NO_GRADIENT}")
                return _Part(outcomes.UNAVAILABLE, clock.phase, reason)
        if example.exception is not None:
            return _failed(outcomes.ERROR, clock.phase, example.exception)
        args, kwargs = eager.gradients.asked_of(program.build())
        names = input_names(module, args, kwargs)
    except _FATAL as e:
        return _failed(outcomes.CRASHED, clock.phase, e)
    except Exception as e:
        return _failed(outcomes.ERROR, clock.phase, e)

    memory = Memory()
    clock.enter("capture")
    train = eager.gradients is not Gradients.NONE
    # Another seed than any run's: see RUN_SEED.
    capturing = Capturing(program, model, exporter, options.seed + 2, train)
    try:
        given, artifact = capturing.make((args, kwargs), clock.enter)
    except _FATAL as e:
        return _failed(outcomes.CRASHED, clock.phase, e, cost=memory.grown())
    except Exception as e:
        return _failed(outcomes.REFUSED, clock.phase, e, cost=memory.grown())

    def described_as(artifact: Artifact) -> Description:
        return describe(
            artifact, module, names, (args, kwargs), program.dynamic_shapes, program.device
        )

    described = described_as(artifact)
    findings = dict(described.findings)
    if artifact.compares == "nothing":
        return _Part(
            outcomes.CONVERTED, clock.phase,
            cost=cost_of(artifact, described.facts, 0) | memory.grown(),
            findings=tuple(Finding(i, m) for i, m in sorted(findings.items())),
            graph=described.graph, readable=described.readable, ranges=described.ranges,
            facts=described.facts,
        )  # fmt: skip
    clock.enter("run")
    metadata_only = artifact.compares == "metadata"
    if metadata_only:
        samples = for_metadata(samples)
    new_state = agreement.named_tensors(program.model(model))
    captured = Captured(program, artifact, given, new_state, eager.gradients)
    trial = Trial(eager, captured, names, metadata_only, clock.switch)
    results: list[SampleResult] = []
    first_error: BaseException | None = None
    compiled = artifact.compiled or (lambda: 0)
    before, recompilations = compiled(), 0
    try:
        for tried in _tries(trial, samples, example, device.computes and not metadata_only):
            results.append(tried.result)
            if tried.result.role != "rejects":
                recompilations += compiled() - before
            before = compiled()
            findings |= _findings(tried)
            if artifact.exported_program is not None and tried.result.outside:
                message = f"{tried.result.name}: ran, outside of the range that is declared"
                findings.setdefault("accepts-outside-range", message)
            if first_error is None and tried.result.role != "rejects":
                first_error = tried.error
    except _FATAL as e:
        return _failed(outcomes.CRASHED, clock.phase, e, samples=tuple(results))

    cost = cost_of(artifact, described.facts, recompilations) | memory.grown()
    try:
        for _ in range(options.repeat - 1):
            inputs = eager.gradients.asked_of(program.build())
            if said := capturing.again(inputs, described.graph, lambda a: described_as(a).graph):
                findings["graph-differs-on-rerun"] = said
    except _FATAL as e:
        return _failed(outcomes.CRASHED, "capture", e)
    pieces = artifact.graphs + recompilations + int(cost["graph_breaks"])
    outcome, phase = decide(results, pieces)
    error_info = error_of(first_error) if first_error and outcome in _WITH_ERROR else None
    if outcome is outcomes.ERROR:
        failed = next(r for r in results if r.result == "eager-failed")
        error_info = ErrorInfo("EagerFailed", f"on the sample {failed.name}: {failed.message}")
    return _Part(
        outcome, phase, error_info, cost, tuple(results),
        tuple(Finding(i, m) for i, m in sorted(findings.items())),
        described.graph, described.readable, described.ranges, described.facts,
    )  # fmt: skip


_NO_GRADIENT = "there is nothing to differentiate: no gradient reaches a parameter or an input"


def _gradients(case: Case, exporter: Exporter) -> Gradients:
    """The gradients that are compared, at most."""
    if exporter.differentiates:
        return Gradients.INPUTS
    return Gradients.PARAMETERS if case.meta.train else Gradients.NONE


def _differentiated(
    eager: Eager, example: Observation, sample: Sample
) -> tuple[Eager, Observation]:
    """Eager with as many gradients as it has: a program may refuse inputs that ask for them."""
    if has_gradients(example):
        return eager, example
    fewer = replace(eager, gradients=Gradients.PARAMETERS)
    return fewer, fewer.run(sample, sample.build())


def has_gradients(run: Observation) -> bool:
    """Whether a gradient reached anything."""
    return any(gradient is not None for gradient in run.gradients.values())


def _tries(
    trial: Trial, samples: Sequence[Sample], example: Observation, twice: bool
) -> Iterator[Tried]:
    """Every sample, and with ``twice`` the example called again, if it agreed at all."""
    first = trial.of(samples[0], known=example)
    yield first
    for sample in samples[1:]:
        yield trial.of(sample)
    if twice and first.result.result == "agrees":
        yield trial.again(samples[0])


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
    if any(r.result == "raised" for r in accepted):
        return outcomes.SPECIALIZED, "run"
    if graphs != 1:
        return outcomes.DEGRADED, "compare"
    if any(r.result in ("disagrees", "unguarded") for r in results):
        return outcomes.UNGUARDED, "compare"
    return outcomes.SUPPORTED, "compare"


_FINDING_OF = {
    "input-mutation": "input-mutation-differs",
    "state-mutation": "state-mutation-differs",
    "alias": "alias-differs",
    "out-of-bounds": "writes-out-of-bounds",
}


def _findings(tried: Tried) -> dict[str, str]:
    name = tried.result.name
    return {
        _FINDING_OF[d.kind]: f"{name}: {d.message}"
        for d in tried.differences
        if d.kind in _FINDING_OF
    }


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
    return ErrorInfo(kind, message, fingerprint(kind, message), explain.match(kind, message))


def _failed(outcome: Outcome, phase: str, e: BaseException, **more: Any) -> _Part:
    text = str(e)
    if outcome is outcomes.REFUSED and "can't allocate memory" in text:
        outcome = outcomes.CRASHED
    return _Part(outcome, phase, error_of(e), **more)


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
        cost=total(p.cost for p in parts),
    )  # fmt: skip


def _finish(record: Record, clock: _Clock, outcome: Outcome, **more: Any) -> Record:
    clock.switch("setup")
    seconds = {phase: round(clock.seconds[phase], 4) for phase in PHASES if phase in clock.seconds}
    return record.with_(outcome=outcome.name, seconds=seconds, **more)
