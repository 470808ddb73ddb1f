"""Examines one program with one exporter on one device: from the three of them to one record.

Owns the order of the steps. Building samples is left to ``samples``, comparing to ``agreement``,
reading the artifact to ``describe``, the outcome to ``evidence``; processes, timeouts and retries
to ``exportdb.runner``. Looks pure from outside: everything it touches it made itself.
"""

from __future__ import annotations

import contextlib
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

import torch

from exportdb.conformance import agreement
from exportdb.conformance.agreement import Behaviour
from exportdb.conformance.capturing import Capturing
from exportdb.conformance.clock import Clock
from exportdb.conformance.cost import PeakMemory, cost_of
from exportdb.conformance.describe import CaptureDetails, describe
from exportdb.conformance.evidence import Decision, Evidence, ended_by
from exportdb.conformance.options import Options
from exportdb.conformance.program import Inputs, LoadedProgram, load_program
from exportdb.conformance.receiving import ArtifactError
from exportdb.conformance.recording import blank_record, completed_record
from exportdb.conformance.samples import PlannedSample, for_metadata, plan
from exportdb.conformance.snapshot import Snapshot
from exportdb.conformance.switches import turned
from exportdb.conformance.trial import Captured, Eager, Gradients, Trial, Tried
from exportdb.devices.protocol import Device
from exportdb.exporters.protocol import Artifact, Exporter
from exportdb.plugins import completed
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record, SampleResult
from exportdb.suites.protocol import ProgramRef
from exportdb.symbolic.names import input_names


def examine(
    program: ProgramRef,
    exporter: Exporter,
    device: Device,
    options: Options = Options(),  # noqa: B008  # frozen
    announce: Callable[[str], None] = lambda phase: None,
    so_far: Callable[[Record], None] = lambda record: None,
) -> Record:
    """Capture ``program`` with ``exporter`` on ``device`` and compare it with eager on all samples.

    ``announce`` is called with the name of each phase as it begins, ``so_far`` with the record as
    it would be if nothing were captured again. Never raises: whatever the program, the exporter or
    the artifact raises becomes part of the record.
    """
    clock = Clock(announce)
    exporter, device = completed(exporter, Exporter), completed(device, Device)
    clock.enter("setup")
    record = blank_record(program, exporter, device)
    if reason := unavailable(program, exporter, device):
        found = {"": Evidence(early=_unavailable(reason, "setup"))}
        return completed_record(record, found, clock.seconds)
    found = {}
    for model in program.meta.models:

        def before_repeats(evidence: Evidence, model: str = model) -> None:
            so_far(completed_record(record, {**found, model: evidence}, clock.seconds))

        task = _Task(program, model, exporter, device, options, clock, before_repeats)
        try:
            with turned(options.switches):
                found[model] = _examine_model(task)
        except BaseException as e:  # a fault of ours must show as one, and end no run
            found[model] = Evidence(early=ended_by(e, clock.phase, Outcome.ERROR))
    return completed_record(record, found, clock.seconds)


def unavailable(program: ProgramRef, exporter: Exporter, device: Device) -> str | None:
    """Why this examination cannot be made, from what the three of them declare; or None."""
    needs = set(program.meta.requires) | ({"training"} if program.meta.train else set())
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


def _unavailable(reason: str, phase: str) -> Decision:
    return Decision(Outcome.UNAVAILABLE, phase, ErrorInfo("Unavailable", reason))


# --- one model, step by step -------------------------------------------------------------------


@dataclass(frozen=True)
class _Task:
    """One model of a program that is to be examined, and with what."""

    program: ProgramRef
    model: str
    exporter: Exporter
    device: Device
    options: Options
    clock: Clock
    before_repeats: Callable[[Evidence], None]


class _Stopped(Exception):
    """Ends the examination of one model with a decision."""

    def __init__(self, decision: Decision) -> None:
        super().__init__(decision.outcome)
        self.decision = decision


@contextlib.contextmanager
def _failing_as(outcome: Outcome, clock: Clock) -> Iterator[None]:
    """A step in which whatever is raised ends the examination with ``outcome``, or as a crash."""
    try:
        yield
    except _Stopped:
        raise
    except BaseException as e:
        raise _Stopped(ended_by(e, clock.phase, outcome)) from e


def _examine_model(task: _Task) -> Evidence:
    memory: PeakMemory | None = None
    try:
        with _failing_as(Outcome.ERROR, task.clock):
            loaded = _load(task)
            oracle = _observe_eager(task, loaded)
        memory = PeakMemory()
        with _failing_as(Outcome.REFUSED, task.clock):
            capture = _capture(task, loaded, oracle)
    except _Stopped as stopped:
        return Evidence(cost=memory.grown() if memory else {}, early=stopped.decision)
    details = _describe(capture, loaded, oracle)
    evidence = Evidence(details, findings=details.findings)
    if capture.artifact.compares == "nothing":
        cost = cost_of(capture.artifact, details.facts, 0) | memory.grown()
        return replace(evidence, cost=cost, early=Decision(Outcome.CONVERTED, task.clock.phase))
    evidence = _try_samples(task, loaded, oracle, capture, evidence)
    evidence = replace(evidence, cost={**evidence.cost, **memory.grown()})
    return evidence if evidence.early else _repeat(task, loaded, oracle, capture, evidence)


@dataclass(frozen=True)
class _Loaded:
    """The program in this process, one module of it, and the samples it will be put to."""

    program: LoadedProgram
    module: torch.nn.Module
    samples: Sequence[PlannedSample]


def _load(task: _Task) -> _Loaded:
    task.device.prepare()
    program = load_program(task.program, task.device, task.options)
    module = program.model(task.model)
    return _Loaded(program, module, plan(program, module, task.options))


@dataclass(frozen=True)
class _Oracle:
    """Eager, what it does on the example, and the example's inputs with the names of its leaves."""

    eager: Eager
    example: Behaviour
    inputs: Inputs
    names: Sequence[str]


def _observe_eager(task: _Task, loaded: _Loaded) -> _Oracle:
    task.clock.enter("eager")
    first = loaded.samples[0]
    eager = Eager(loaded.program, loaded.module, _gradients(task))
    example = eager.run(first, first.build())
    if task.exporter.differentiates:
        if not has_gradients(example):  # a program may refuse inputs that ask for them
            eager = replace(eager, gradients=Gradients.PARAMETERS)
            example = eager.run(first, first.build())
        if not has_gradients(example):
            reason = f"{task.exporter.name}: {_NO_GRADIENT}"
            raise _Stopped(_unavailable(reason, task.clock.phase))
    if example.exception is not None:
        raise example.exception
    args, kwargs = eager.gradients.asked_of(loaded.program.build())
    return _Oracle(eager, example, (args, kwargs), input_names(loaded.module, args, kwargs))


_NO_GRADIENT = "there is nothing to differentiate: no gradient reaches a parameter or an input"


def _gradients(task: _Task) -> Gradients:
    """The gradients that are compared, at most."""
    if task.exporter.differentiates:
        return Gradients.INPUTS
    return Gradients.PARAMETERS if task.program.meta.train else Gradients.NONE


def has_gradients(run: Behaviour) -> bool:
    """Whether a gradient reached anything."""
    return any(gradient is not None for gradient in run.gradients.values())


@dataclass(frozen=True)
class _Capture:
    """What the exporter made, of which module, and how to make another."""

    capturing: Capturing
    given: Snapshot
    artifact: Artifact


def _capture(task: _Task, loaded: _Loaded, oracle: _Oracle) -> _Capture:
    task.clock.enter("capture")
    train = oracle.eager.gradients is not Gradients.NONE
    # Another seed than any run's: see RUN_SEED.
    seed = task.options.seed + 2
    capturing = Capturing(loaded.program, task.model, task.exporter, seed, train)
    return _Capture(capturing, *capturing.make(oracle.inputs, task.clock.enter))


def _describe(capture: _Capture, loaded: _Loaded, oracle: _Oracle) -> CaptureDetails:
    return describe(
        capture.artifact, loaded.module, oracle.names, oracle.inputs,
        loaded.program.dynamic_shapes, loaded.program.device,
    )  # fmt: skip


def _try_samples(
    task: _Task, loaded: _Loaded, oracle: _Oracle, capture: _Capture, evidence: Evidence
) -> Evidence:
    clock, artifact, samples = task.clock, capture.artifact, loaded.samples
    clock.enter("run")
    metadata_only = artifact.compares == "metadata"
    if metadata_only:
        samples = for_metadata(samples)
    new_state = agreement.named_tensors(loaded.program.model(task.model))
    gradients = oracle.eager.gradients
    captured = Captured(loaded.program, artifact, capture.given, new_state, gradients)
    trial = Trial(oracle.eager, captured, oracle.names, metadata_only, clock.switch)
    findings, results = dict(evidence.findings), list[SampleResult]()
    first_error: BaseException | None = None
    decision: Decision | None = None
    compiled = artifact.compiled or (lambda: 0)
    before = recompilations = 0
    try:
        before = compiled()
        for tried in _tries(trial, samples, oracle.example, task.device.computes):
            results.append(tried.result)
            if tried.result.role != "rejects":
                recompilations += compiled() - before
                first_error = tried.error if first_error is None else first_error
            before = compiled()
            findings |= _findings(tried)
            if artifact.exported_program is not None and tried.result.outside:
                said = f"{tried.result.name}: ran, outside of the range that is declared"
                findings.setdefault("accepts-outside-range", said)
    except ArtifactError as e:
        decision = ended_by(e, clock.phase, Outcome.REFUSED)
    except BaseException as e:
        decision = ended_by(e, clock.phase, Outcome.ERROR)
    cost = cost_of(artifact, evidence.details.facts, recompilations)
    pieces = artifact.graphs + recompilations + int(cost["graph_breaks"])
    return replace(
        evidence, results=results, findings=findings, cost=cost, first_error=first_error,
        pieces=pieces, early=decision,
    )  # fmt: skip


def _tries(
    trial: Trial, samples: Sequence[PlannedSample], example: Behaviour, computes: bool
) -> Iterator[Tried]:
    """Every sample, and where values are compared the example called again, if it agreed at all."""
    first = trial.of(samples[0], known=example)
    yield first
    for sample in samples[1:]:
        yield trial.of(sample)
    if computes and not trial.metadata_only and first.result.result == "agrees":
        yield trial.again(samples[0])


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


def _repeat(
    task: _Task, loaded: _Loaded, oracle: _Oracle, capture: _Capture, evidence: Evidence
) -> Evidence:
    """Capture again as often as asked, only to see whether the graph is the same."""

    def graph_of(artifact: Artifact) -> str | None:
        return _describe(replace(capture, artifact=artifact), loaded, oracle).graph

    if task.options.repeat > 1:
        task.before_repeats(evidence)
    for _ in range(task.options.repeat - 1):
        inputs = oracle.eager.gradients.asked_of(loaded.program.build())
        try:
            said = capture.capturing.again(inputs, evidence.details.graph, graph_of)
        except BaseException as e:
            return replace(evidence, early=ended_by(e, "capture", Outcome.ERROR))
        if said:
            findings = {**evidence.findings, "graph-differs-on-rerun": said}
            evidence = replace(evidence, findings=findings)
    return evidence
