"""One try of one examination: the task a process is given for it, and the record made of its end.

Owns the records of what ended early, and what a second opinion means for one. Which outcome that is
has ``exportdb.records.decision``. When to try, and what to keep, is left to ``run``; processes to
``pool``.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

from exportdb.cases.data import DataError
from exportdb.executors.protocol import Ending, Executor, Failure, Task
from exportdb.plugins import EXPORTERS, PluginRef
from exportdb.records.decision import Decision, attributed, by_ending
from exportdb.records.fingerprint import fingerprint
from exportdb.records.outcome import Outcome, Phase, Verdict, phase_named
from exportdb.records.record import ErrorInfo, Finding, Record
from exportdb.runner.declarations import Declaration
from exportdb.runner.measured import Measured
from exportdb.runner.plan import Examination
from exportdb.runner.warm import IMPORT


def shares_process(ref: PluginRef) -> bool:
    """Whether a process may go on to something else after this plug-in was used in it.

    A plug-in that is not ours may keep anything in its globals, where no guard can see it.
    """
    return ref.ours and not getattr(ref.load(), "own_process", False)


def warming(examinations: Iterable[Examination], preload: Iterable[str] = ()) -> list[str]:
    """The arguments of ``warm`` for these: how many they are, and the exporters to warm up.

    ``preload`` names modules to import as well.
    """
    exporters = Counter(e.exporter for e in examinations)
    names = {warmed_with(ref) for ref in exporters}
    modules = (f"{IMPORT}{module}" for module in dict.fromkeys(preload))
    return [str(exporters.total()), *sorted(names), *modules]


def warmed_with(ref: PluginRef) -> str:
    """The built-in exporter to warm up for ``ref``: most plug-ins use torch.export first."""
    if not ref.ours:
        return "export"
    return getattr(ref.load(), "warm_with", "") or ref.name


def task_of(
    examination: Examination, timeout: float, memory_mb: int | None, alone: bool,
    timeout_factor: float = 1.0, tag: Any = None, share: bool = True,
) -> Task:  # fmt: skip
    """What a process is to do for ``examination``.

    ``timeout`` (seconds) holds where its case does not say otherwise; the exporter may take
    ``timeout_factor`` times as long. With ``alone`` the process takes nothing else. ``share`` says
    that others ask for the same program.
    """
    e = examination
    shares = shares_process(e.exporter) and shares_process(e.device)
    return Task(
        "exportdb.runner.examining:examine",
        # A second opinion is one of eager, too.
        (e.program, e.exporter, e.device, e.options, share and shares and not alone),
        timeout=(e.program.meta.timeout or timeout) * timeout_factor,
        alone=alone or not shares,
        memory_mb=memory_mb if e.device.name == "cpu" else None,
        gpu=e.device.name == "cuda",
        tag=tag,
    )


@dataclass(frozen=True)
class _UnderWay:
    """An examination of several: its place among them, as it is tried now, and what came of the
    try that eager in the exporter's place is to explain."""

    place: int
    examination: Examination
    first: Record | None = None


def all_tried(
    executor: Executor, examinations: Sequence[Examination], timeout: float,
    memory_mb: int | None, alone: bool, timeout_factor: float,
) -> Iterator[tuple[int, Record, float]]:  # fmt: skip
    """The records of examinations that an executor has nothing else to do beside, as they come:
    the place of each, and the seconds that its last try took; the other arguments are those of
    :func:`task_of`."""

    def submit(under: _UnderWay) -> None:
        what = task_of(under.examination, timeout, memory_mb, alone, timeout_factor, under)
        executor.submit(what)

    for place, examination in enumerate(examinations):
        submit(_UnderWay(place, examination))
    for ending in executor.endings():
        under = ending.task.tag
        if less := without_fatal_sample(under.examination, ending):
            submit(replace(under, examination=less))
            continue
        record = measured_of(under.examination, ending).record
        if under.first is not None:
            record = attributed(under.first, record)
        elif check := with_stand_in(under.examination, record):
            submit(replace(under, examination=check, first=record))
            continue
        yield under.place, record, ending.seconds


def tried(
    executor: Executor, examination: Examination, timeout: float, memory_mb: int | None,
    alone: bool, timeout_factor: float,
) -> Record:  # fmt: skip
    """The record of one examination; the arguments are those of :func:`all_tried`."""
    ((_, record, _),) = all_tried(
        executor, [examination], timeout, memory_mb, alone, timeout_factor
    )
    return record


def without_fatal_sample(examination: Examination, ending: Ending) -> Examination | None:
    """The examination without the made sample on which eager itself ended the process: nothing was
    captured yet, so that it says nothing of the exporter.

    None where anything else was going on, or where many samples were left out already.
    """
    failure, without = ending.failure, examination.options.without
    if failure is None or failure.kind != "crashed" or len(without) == MOST_LEFT_OUT:
        return None
    phase, _, sample = failure.at.partition(": ")
    if phase != "eager" or not sample or sample in without or _OWN.match(sample):
        return None
    options = replace(examination.options, without=(*without, sample))
    return replace(examination, options=options)


def with_stand_in(examination: Examination, record: Record) -> Examination | None:
    """The same with eager in the exporter's place, for what failed after the exporter came into the
    process: by what it broke or gave, or by a fault of ours or of the case's.

    None for any other record.
    """
    other = stand_in(examination.exporter, record)
    return None if other is None else replace(examination, exporter=other)


def stand_in(exporter: PluginRef, record: Record) -> PluginRef | None:
    """Eager, where only it in an exporter's place shows whose fault a record is; else None."""
    early = record.phase == "eager" and exporter.ours  # it has not been called yet
    if record.outcome is not Outcome.ERROR or record.phase == "setup" or early:
        return None
    return _STAND_IN


_STAND_IN = PluginRef(EXPORTERS, "eager", "exportdb.exporters.stand_in:StandIn", "")


#: How many samples that end eager's process are left out, one after the other.
MOST_LEFT_OUT = 4
#: Names of the samples that a program gives itself.
_OWN = re.compile(r"example\b|(accepts|rejects)\[\d+\]$")


def surprising(record: Record) -> bool:
    """Whether a result wants a second try."""
    return (record.verdict or Verdict.NEW).wants_second_try(record.outcome)


def agreed(first: Record, second: Record) -> tuple[Record, bool]:
    """The record to report of two tries, and whether they agree."""
    said = [
        (r.outcome, r.graph_digest, r.error.fingerprint if r.error else None)
        for r in (first, second)
    ]
    if said[0] == said[1]:
        return first, True
    what = f"tried again, it was {second.outcome} in {second.phase}"
    if second.error:
        what += f" ({second.error.type}: {second.error.message.partition(chr(10))[0][:200]})"
    elif first.outcome == second.outcome:
        what += " with another graph"
    findings = (*first.findings, Finding("differs-on-second-try", what))
    return first.with_(verdict=Verdict.FLAKY, findings=findings), False


def repeated(tries: Sequence[Record]) -> Record:
    """The record of an examination that was made several times: that of the outcome that was seen
    most (of several the worst), with how often each was seen."""
    seen = Counter(r.outcome for r in tries)
    most = max(seen, key=lambda o: (seen[o], o.rank))
    record = next(r for r in tries if r.outcome is most)
    return record.with_(outcomes={str(o): seen[o] for o in sorted(seen, key=lambda o: o.rank)})


def impossible(
    examination: Examination, declarations: Mapping[str, Declaration], here: bool = True
) -> Record | None:
    """The record of what need not be tried: a plug-in that cannot be used, or not even asked.

    Where it is not made ``here``, whether a plug-in can be used is asked there.
    """
    for ref in (examination.exporter, examination.device):
        said = declarations[ref.target]
        if said.unusable is not None and here:
            message = f"{ref.name}: {said.unusable}"
            error = ErrorInfo("Unusable", message, fingerprint("Unusable", message))
            return _record(examination, Outcome.UNAVAILABLE, "setup", error)
        if said.failure is not None:
            return _failed(examination, said.failure)
    return None


def measured_of(examination: Examination, ending: Ending) -> Measured:
    """What came of a try that has ended, by itself or not."""
    try:
        before = None if ending.value is None else Measured.from_json(ending.value)
    except DataError:
        before, ending = None, replace(ending, failure=_NO_RECORD)
    if before is not None and ending.failure is None:
        return before
    failed = _failed(examination, ending.failure or _NO_RECORD)
    failed = failed.with_(seconds={failed.phase: ending.seconds})
    if before is None:
        return Measured(failed)
    # It died while it captured again.
    record = before.record
    decided = Decision.of(record).then(Decision.of(failed))
    return before.with_(record=decided.on(record))


#: What an answer is that somebody else has written.
_NO_RECORD = Failure("crashed", "Exit", "its process answered something that is not a record")


def _failed(examination: Examination, failure: Failure) -> Record:
    message = failure.message
    if failure.kind != "raised" and (sample := failure.at.partition(": ")[2]):
        message += f" on the sample {sample}"  # the fingerprint is that of any sample
    message += f"\n{failure.output}" if failure.output else ""
    error = ErrorInfo(failure.type, message, fingerprint(failure.type, failure.message))
    outcome = by_ending(failure.kind, failure.type)
    return _record(examination, outcome, phase_named(failure.at), error)


def _record(examination: Examination, outcome: Outcome, phase: Phase, error: ErrorInfo) -> Record:
    return Record(
        case=examination.program.id,
        exporter=examination.exporter.name,
        device=examination.device.name,
        outcome=outcome,
        phase=phase,
        case_digest=examination.program.digest,
        error=error,
    )
