"""Examines one program with one exporter on one device: from the three of them to one record.

Owns the order of the steps. What is known before the capture is ``oracle``'s, comparing is left to
``agreement``, reading the artifact to ``describe``, the outcome to ``evidence``; processes,
timeouts and retries to ``exportdb.runner``. Looks pure from outside: everything it touches it made
itself.
"""

from __future__ import annotations

import contextlib
import functools
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

import torch

from exportdb.cases.capabilities import is_version, unmet_versions
from exportdb.conformance import agreement, locate, monkeypatches
from exportdb.conformance.capturing import Capturing
from exportdb.conformance.clock import Clock
from exportdb.conformance.cost import PeakMemory, cost_of
from exportdb.conformance.describe import CaptureDetails, describe
from exportdb.conformance.difference import Rules
from exportdb.conformance.dims import accounted, asked_of
from exportdb.conformance.eager import Eager, Gradients
from exportdb.conformance.evidence import Evidence, ended_by, findings_of
from exportdb.conformance.options import Options
from exportdb.conformance.oracle import Loaded, Oracle, load, observe_eager
from exportdb.conformance.receiving import ArtifactError
from exportdb.conformance.recording import blank_record, completed_record
from exportdb.conformance.sampling.planned import for_metadata
from exportdb.conformance.settings import changed, settings
from exportdb.conformance.snapshot import Snapshot
from exportdb.conformance.switches import turned
from exportdb.conformance.task import (
    DeviceLost,
    ModelTask,
    Stopped,
    failing_as,
    fault,
    not_available,
    still_works,
)
from exportdb.conformance.trial import Captured, Trial, TrialResult
from exportdb.devices.protocol import Device
from exportdb.exporters.protocol import Artifact, Exporter
from exportdb.plugins import completed
from exportdb.records.decision import Decision
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, SampleResult
from exportdb.suites.protocol import ProgramRef
from exportdb.symbolic.requested import RequestedSize

monkeypatches.note()  # whoever has a plug-in imports this before it


def examine(
    program: ProgramRef,
    exporter: Exporter,
    device: Device,
    options: Options = Options(),  # noqa: B008  # frozen
    announce: Callable[[str], None] = lambda phase: None,
    so_far: Callable[[Record], None] = lambda record: None,
    shared: Path | None = None,
) -> Record:
    """Capture ``program`` with ``exporter`` on ``device`` and compare it with eager on all samples.

    ``announce`` is called with the name of each phase as it begins, ``so_far`` with the record as
    it would be if nothing were captured again. ``shared`` is a folder in which what eager
    does is kept for other exporters. Never raises: whatever the program, the exporter or the
    artifact raises becomes part of the record.
    """
    clock = Clock(announce)
    exporter, device = completed(exporter, Exporter), completed(device, Device)
    clock.enter("setup")
    record = blank_record(program, exporter, device)
    if reason := unavailable(program, exporter, device):
        found = {"": Evidence(early=not_available(reason, "setup"))}
        return completed_record(record, found, clock.seconds)
    for part in (device, exporter):
        if reason := part.unusable():
            lacking = not_available(f"{part.name}: {reason}", "setup", "Unusable")
            return completed_record(record, {"": Evidence(early=lacking)}, clock.seconds)
    found = {}
    for model in program.meta.models:

        def before_more(evidence: Evidence, model: str = model) -> None:
            so_far(completed_record(record, {**found, model: evidence}, clock.seconds))

        task = ModelTask(program, model, exporter, device, options, clock, before_more, shared)
        try:
            with turned(options.switches):
                found[model] = _examine_model(task)
        except BaseException as e:  # a fault of ours must show as one, and end no run
            found[model] = Evidence(early=fault(e, task))
    return completed_record(record, found, clock.seconds)


def unavailable(program: ProgramRef, exporter: Exporter, device: Device) -> str | None:
    """Why this examination cannot be made, from what the three of them declare; or None."""
    if unmet := unmet_versions(program.meta.requires, torch.__version__):
        return f"the case needs {', '.join(unmet)}, and this is torch {torch.__version__}"
    needs = {n for n in program.meta.requires if not is_version(n)}
    needs |= {"training"} if program.meta.train else set()
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
    return None


#: Capabilities that a device has without saying so.
_UNLESS_LACKED = frozenset(
    {
        "attention",
        "backward",
        "cpu-kernels",
        "flex-attention",
        "integer-product",
        "sparse",
        "traced-derivatives",
        "training",
    }
)


# --- one model, step by step -------------------------------------------------------------------


def _examine_model(task: ModelTask) -> Evidence:
    memory: PeakMemory | None = None
    asked: Sequence[RequestedSize] = ()
    try:
        with failing_as(Outcome.ERROR, task):
            loaded = load(task)
            oracle = observe_eager(task, loaded)
        asked = asked_of(loaded.module, oracle.inputs, loaded.program.dynamic_shapes)
        memory = PeakMemory()
        with (
            locate.assumptions_of(task.file, oracle.names) as line,
            failing_as(Outcome.REFUSED, task, line),
        ):
            capture = _capture(task, loaded, oracle)
    except Stopped as stopped:
        cost, untaken = memory.grown() if memory else {}, loaded.untaken if memory else ()
        return accounted(Evidence(untaken=untaken, cost=cost, early=stopped.decision), asked, ())
    details = _describe(capture, loaded, oracle)
    left_out = len(loaded.left_out) + oracle.left_out
    findings = {**details.findings, **_left_behind(task, capture)}
    if task.options.without:
        findings["eager-ends-process"] = f"left out: {', '.join(task.options.without)}"
    evidence = Evidence(details, left_out, loaded.untaken, findings=findings)
    if capture.artifact.compares == "nothing":
        cost = cost_of(capture.artifact, details.facts, 0) | memory.grown()
        converted = Decision(Outcome.CONVERTED, task.clock.phase)
        return accounted(replace(evidence, cost=cost, early=converted), asked, ())
    trial = _trial(task, loaded, oracle, capture)
    evidence = _try_samples(task, oracle, trial, capture.artifact, evidence)
    evidence = replace(evidence, cost={**evidence.cost, **memory.grown()})
    evidence = accounted(evidence, asked, oracle.expected)
    if evidence.early:
        return evidence
    evidence = _located(task, oracle, trial, evidence, line)
    return _repeat(task, loaded, oracle, capture, evidence)


@dataclass(frozen=True)
class _Capture:
    """What the exporter made, of which module, and how to make another.

    ``settings`` are those of torch that it left changed, ``inputs`` those of its example.
    """

    capturing: Capturing
    given: Snapshot
    artifact: Artifact
    settings: Sequence[str] = ()
    inputs: Sequence[str] = ()


def _capture(task: ModelTask, loaded: Loaded, oracle: Oracle) -> _Capture:
    task.clock.enter("capture")
    train = oracle.gradients is not Gradients.NONE
    # Another seed than any run's: see RUN_SEED.
    seed = task.options.seed + 2
    capturing = Capturing(loaded.program, task.model, task.exporter, seed, train)
    before = settings()
    given, artifact = capturing.make(oracle.inputs, task.clock.enter)
    left = list(changed(before))
    if torch.initial_seed() != seed:  # to draw is not to seed
        left.append("the seed of the random generator")
    inputs: Sequence[str] = ()
    with contextlib.suppress(Exception):  # of a class that cannot be compared
        example = oracle.expected[0].inputs[0], oracle.inputs, oracle.names
        inputs = list(dict.fromkeys(agreement.touched(*example) + agreement.rearranged(*example)))
    return _Capture(capturing, given, artifact, left, inputs)


def _describe(capture: _Capture, loaded: Loaded, oracle: Oracle) -> CaptureDetails:
    return describe(
        capture.artifact, loaded.module, oracle.names, oracle.inputs,
        loaded.program.dynamic_shapes, loaded.program.device,
    )  # fmt: skip


def _left_behind(task: ModelTask, capture: _Capture) -> dict[str, str]:
    """What the capture left changed outside of the artifact, the state of the module aside."""
    found = {}
    # What runs the program may say so: then the program may have done it.
    if capture.settings and not task.exporter.advances_state:
        found["settings-changed"] = f"changed by the capture: {', '.join(capture.settings)}"
    if capture.inputs and not task.exporter.advances_state:
        found["example-changed"] = f"changed by the capture: {', '.join(capture.inputs)}"
    return found


def _trial(task: ModelTask, loaded: Loaded, oracle: Oracle, capture: _Capture) -> Trial:
    """The artifact, ready to be compared."""
    task.clock.enter("run")
    artifact = capture.artifact
    metadata_only = artifact.compares == "metadata"
    ours = type(task.exporter).__module__.startswith("exportdb.")
    look = contextlib.nullcontext if ours else monkeypatches.undone
    captured = Captured(
        loaded.program, artifact, capture.given, oracle.state, oracle.gradients, look
    )
    trains = "training" not in task.exporter.lacks
    tolerance, rounds_to = task.program.meta.tolerance, task.exporter.rounds_to
    rules = Rules(tolerance, metadata_only, trains, rounds_to=rounds_to)

    @functools.cache
    def eager() -> Eager:
        return Eager(loaded.program, loaded.program.model(task.model), oracle.gradients)

    again = eager if task.device.computes and not metadata_only else None
    return Trial(captured, rules, oracle.names, task.clock, again)


def _try_samples(
    task: ModelTask, oracle: Oracle, trial: Trial, artifact: Artifact, evidence: Evidence
) -> Evidence:
    clock, captured, metadata_only = task.clock, trial.captured, trial.rules.metadata_only
    evidence = replace(evidence, computed=trial.eager is not None)
    findings, results = dict(evidence.findings), list[SampleResult]()
    differs = dict[str, str]()
    if captured.left_mode:
        findings["mode-changed"] = f"left in another mode: {', '.join(captured.left_mode)}"
    if captured.rewired and not task.exporter.advances_state:
        findings["module-rewired"] = (
            f"left with other hooks or methods: {', '.join(captured.rewired)}"
        )
    if captured.advanced and not task.exporter.advances_state:
        findings["state-advanced"] = f"changed by the capture: {', '.join(captured.advanced)}"
    first_error: BaseException | None = None
    decision: Decision | None = None
    compiled = artifact.compiled or (lambda: 0)
    before = recompilations = 0
    try:
        before = compiled()
        for tried in _tries(trial, oracle, metadata_only):
            results.append(tried.result)
            if tried.result.role != "rejects":
                recompilations += max(0, compiled() - before)  # less where it has forgotten some
                first_error = tried.error if first_error is None else first_error
            before = compiled()
            still_works(task.device, f"the artifact on {tried.result.name}")
            findings |= findings_of(tried.result.name, tried.differences)
            kinds = (d.kind for d in tried.differences if not d.harmless)
            differs[tried.result.name] = next(kinds, "")
            if artifact.exported_program is not None and tried.result.outside:
                said = f"{tried.result.name}: ran, outside of the range that is declared"
                findings.setdefault("accepts-outside-range", said)
        clock.enter("run")  # what ends the process from here on, ends it on no sample
        clock.switch("compare")
    except ArtifactError as e:
        decision = ended_by(e, clock.phase, Outcome.REFUSED, task.files)
    except DeviceLost as e:
        decision = ended_by(e, "run", Outcome.CRASHED)
    except BaseException as e:
        decision = fault(e, task)
    cost = cost_of(artifact, evidence.details.facts, recompilations)
    if captured.first_call is not None and evidence.computed:
        cost["first_call"] = round(captured.first_call, 4)
    pieces = artifact.graphs + recompilations + int(cost["graph_breaks"])
    return replace(
        evidence, results=results, findings=findings, cost=cost, first_error=first_error,
        pieces=pieces, early=decision, differs=differs,
    )  # fmt: skip


def _located(
    task: ModelTask, oracle: Oracle, trial: Trial, evidence: Evidence, line: Callable[[str], int]
) -> Evidence:
    """Where the capture first differs from eager, on the sample that shows best that it does."""
    shown = locate.sample_to_explain(evidence.results) if trial.eager else None
    if shown is None:
        return evidence
    task.before_more(evidence)
    tried = [*oracle.expected, *oracle.again]
    kind = evidence.differs.get(shown.name, "")
    return replace(
        evidence, departs=locate.first_difference(shown, tried, trial, task.file, line, kind)
    )


def _tries(trial: Trial, oracle: Oracle, metadata_only: bool) -> Iterator[TrialResult]:
    """Every sample, and where values are compared the example called again, if it agreed at all;
    with other sizes in between, if nothing went wrong so far."""
    chosen = oracle.expected
    if metadata_only:
        fitting = {id(sample) for sample in for_metadata([e.sample for e in chosen])}
        chosen = [e for e in chosen if id(e.sample) in fitting]
    first = trial.of(chosen[0])
    yield first
    sound = _agrees(first)
    # What must be refused comes last: what compiles again has not learnt from it then.
    for expected in sorted(chosen[1:], key=lambda e: e.sample.role == "rejects"):
        yield (tried := trial.of(expected))
        sound = sound and (tried.result.role == "rejects" or _agrees(tried))
    if metadata_only or not _agrees(first):
        return
    for i, expected in enumerate(oracle.again):
        if (i == 0 or sound) and trial.takes(expected):
            yield (tried := trial.of(expected))
            sound = sound and _agrees(tried)


def _agrees(tried: TrialResult) -> bool:
    return tried.result.result in ("agrees", "lossy")


def _repeat(
    task: ModelTask, loaded: Loaded, oracle: Oracle, capture: _Capture, evidence: Evidence
) -> Evidence:
    """Capture again as often as asked, only to see whether the graph is the same."""

    def graph_of(artifact: Artifact) -> str | None:
        return _describe(replace(capture, artifact=artifact), loaded, oracle).graph

    if task.options.repeat > 1:
        task.before_more(evidence)
    for _ in range(task.options.repeat - 1):
        inputs = oracle.gradients.asked_of(loaded.program.build())
        try:
            said = capture.capturing.again(inputs, evidence.details.graph, graph_of)
        except BaseException as e:
            return replace(evidence, early=fault(e, task, "capture"))
        if said:
            findings = {**evidence.findings, "graph-differs-on-rerun": said}
            evidence = replace(evidence, findings=findings)
    return evidence
