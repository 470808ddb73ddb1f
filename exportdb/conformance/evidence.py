"""What was found out about one model of a program, and the outcome that follows from it.

Owns what counts as evidence, and the findings in it. Gathering it is left to ``examine``, the rules
by which it makes an outcome to ``exportdb.records.decision``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from exportdb.conformance.describe import CaptureDetails
from exportdb.conformance.difference import Difference
from exportdb.conformance.errors import error_of, message_of
from exportdb.records.decision import Decision, by_exception, by_samples
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, FirstDifference, SampleResult


@dataclass(frozen=True)
class Evidence:
    """What was found out about one model.

    ``results`` are those of the samples in the order they were tried, ``first_error`` what the
    capture raised first where it had to run, ``pieces`` the number of graphs it came to.
    ``findings`` are ID to message, ``differs`` are samples with the kind of what differs first.
    ``early`` is the decision that ended the examination before everything was tried. ``computed``
    says whether there were values to compare.
    """

    details: CaptureDetails = field(default_factory=CaptureDetails)
    left_out: int = 0  # samples that could have been tried as well
    untaken: Sequence[str] = ()  # sides of branches that no sample takes
    results: Sequence[SampleResult] = ()
    findings: Mapping[str, str] = field(default_factory=dict)
    differs: Mapping[str, str] = field(default_factory=dict)
    departs: FirstDifference | None = None
    cost: Mapping[str, float] = field(default_factory=dict)
    first_error: BaseException | None = None
    pieces: int = 1
    early: Decision | None = None
    computed: bool = True


def ended_by(
    e: BaseException, phase: str, outcome: Outcome, own: Sequence[str] = (), line: int = 0
) -> Decision:
    """What an exception in ``phase`` means: a crash if it ends a process, or else ``outcome``.

    ``own`` are the files that the user wrote, ``line`` one of the first that it is owed to, if none
    is named.
    """
    return Decision(by_exception(e, message_of(e), outcome), phase, error_of(e, own, line))


def decide(evidence: Evidence) -> Decision:
    """The outcome that evidence makes."""
    outcome, phase = by_samples(evidence.results, evidence.pieces, evidence.computed)
    if evidence.early is not None:
        return Decision(outcome, phase).then(evidence.early)
    if outcome is Outcome.ERROR:
        failed = next(r for r in evidence.results if r.result == "eager-failed")
        said = f"on the sample {failed.name}: {failed.message}"
        return Decision(outcome, phase, ErrorInfo("EagerFailed", said))
    if evidence.first_error is not None and outcome.raised:
        return Decision(outcome, phase, error_of(evidence.first_error))
    return Decision(outcome, phase)


#: The findings that kinds of difference are kept as.
_FINDING_OF = {
    "input-mutation": "input-mutation-differs",
    "state-mutation": "state-mutation-differs",
    "alias": "alias-differs",
    "identity": "identity-differs",
    "stride": "strides-differ",
    "requires-grad": "requires-grad-differs",
    "class": "class-differs",
    "zero-sign": "zero-sign-differs",
    "random": "random-state-differs",
    "settings": "settings-differ",
    "held": "held-output-overwritten",
    "input-on-error": "input-changed-on-error",
    "state-on-error": "state-differs-on-error",
    "out-of-bounds": "writes-out-of-bounds",
}


def findings_of(name: str, differences: Sequence[Difference]) -> dict[str, str]:
    """The findings, ID to message, that follow from the ``differences`` on the sample ``name``."""
    return {
        _FINDING_OF[d.kind]: f"{name}: {d.message}" for d in differences if d.kind in _FINDING_OF
    }
