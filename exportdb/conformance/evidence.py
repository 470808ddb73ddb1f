"""What was found out about one model of a program, and the outcome that follows from it.

Owns the one place where an outcome is decided. Gathering evidence is left to ``examine``.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field

from exportdb.conformance.describe import CaptureDetails
from exportdb.conformance.difference import Difference
from exportdb.conformance.errors import ends_process, error_of, message_of
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, FirstDifference, SampleResult


@dataclass(frozen=True)
class Decision:
    """An outcome, the phase in which it showed, and the error that made it, if one did."""

    outcome: Outcome
    phase: str
    error: ErrorInfo | None = None


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
    died = ends_process(e) or (
        outcome is Outcome.REFUSED and "can't allocate memory" in message_of(e)
    )
    return Decision(Outcome.CRASHED if died else outcome, phase, error_of(e, own, line))


def decide(evidence: Evidence) -> Decision:
    """The outcome that evidence makes.

    A capture that was wrong on a sample stays so, whatever it died of afterwards.
    """
    outcome, phase = outcome_of(evidence.results, evidence.pieces, evidence.computed)
    if (early := evidence.early) is not None:
        stays = outcome is Outcome.WRONG and early.outcome is not Outcome.ERROR
        return Decision(outcome, phase, early.error) if stays else early
    if outcome is Outcome.ERROR:
        failed = next(r for r in evidence.results if r.result == "eager-failed")
        said = f"on the sample {failed.name}: {failed.message}"
        return Decision(outcome, phase, ErrorInfo("EagerFailed", said))
    if evidence.first_error is not None and outcome.raised:
        return Decision(outcome, phase, error_of(evidence.first_error))
    return Decision(outcome, phase)


def outcome_of(
    results: Sequence[SampleResult], pieces: int = 1, computed: bool = True
) -> tuple[Outcome, str]:
    """The outcome that the results of samples make, and the phase it showed in.

    What is right is predicted where nothing was ``computed``.

    >>> from exportdb.records.record import SampleResult as R
    >>> ok, n1 = R("example", "example", "agrees"), R("accepts", "n=1", "disagrees")
    >>> for results in ([ok, n1], [ok], [ok, R("accepts", "n=1", "raised")]):
    ...     print(outcome_of(results)[0])
    wrong
    supported
    specialized
    >>> print(outcome_of([ok, R("rejects", "n=9", "unguarded")])[0], outcome_of([ok], 2)[0])
    unguarded degraded
    >>> lossy = R("accepts", "n=1", "lossy")
    >>> print(outcome_of([ok, lossy])[0], outcome_of([ok], computed=False)[0])
    lossy predicted
    """
    accepted = [r for r in results if r.role != "rejects"]
    if any(r.result == "eager-failed" for r in accepted):
        return Outcome.ERROR, "eager"
    if any(r.result == "disagrees" for r in accepted):
        return Outcome.WRONG, "compare"
    if any(r.result == "raised" for r in accepted if r.role == "example"):
        return Outcome.REFUSED, "run"
    if any(r.result == "raised" for r in accepted):
        return Outcome.SPECIALIZED, "run"
    if pieces != 1:
        return Outcome.DEGRADED, "compare"
    if any(r.result in ("disagrees", "unguarded") for r in results):
        return Outcome.UNGUARDED, "compare"
    if any(r.result == "lossy" for r in accepted):
        return Outcome.LOSSY, "compare"
    if not computed:
        return Outcome.PREDICTED, "compare"
    return Outcome.SUPPORTED, "compare"


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
