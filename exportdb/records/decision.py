"""Which outcome an examination has: the one place where that is decided.

Owns the rules from what was seen to an outcome: what samples showed, what was raised, how a process
ended, what came later, what eager did in the exporter's place. Seeing it is left to ``conformance``
and ``runner``, what an outcome is to ``outcome``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from exportdb.records.fingerprint import fingerprint
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record, SampleResult


@dataclass(frozen=True)
class Decision:
    """An outcome, the phase in which it showed, and the error that made it, if one did."""

    outcome: Outcome
    phase: str
    error: ErrorInfo | None = None

    @classmethod
    def of(cls, record: Record) -> Decision:
        """That of a record."""
        return cls(record.outcome, record.phase, record.error)

    def on(self, record: Record) -> Record:
        """The record with it."""
        return record.with_(outcome=self.outcome, phase=self.phase, error=self.error)

    def then(self, later: Decision) -> Decision:
        """What it is where ``later`` came after it: a capture that was wrong on a sample stays so,
        whatever it died of, if it was not we who failed."""
        stays = self.outcome is Outcome.WRONG and later.outcome is not Outcome.ERROR
        return Decision(self.outcome, self.phase, later.error) if stays else later


def by_samples(
    results: Sequence[SampleResult], pieces: int = 1, computed: bool = True
) -> tuple[Outcome, str]:
    """The outcome that the results of samples make, and the phase it showed in.

    What is right is predicted where nothing was ``computed``.

    >>> from exportdb.records.record import SampleResult as R
    >>> ok, n1 = R("example", "example", "agrees"), R("accepts", "n=1", "disagrees")
    >>> for results in ([ok, n1], [ok], [ok, R("accepts", "n=1", "raised")]):
    ...     print(by_samples(results)[0])
    wrong
    supported
    specialized
    >>> print(by_samples([ok, R("rejects", "n=9", "unguarded")])[0], by_samples([ok], 2)[0])
    unguarded degraded
    >>> lossy = R("accepts", "n=1", "lossy")
    >>> print(by_samples([ok, lossy])[0], by_samples([ok], computed=False)[0])
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


def by_exception(e: BaseException, message: str, otherwise: Outcome) -> Outcome:
    """What an exception means: a crash if it ends a user's process, or else as is said.

    >>> print(by_exception(SystemExit(0), "0", Outcome.ERROR))
    crashed
    """
    died = isinstance(e, MemoryError) or not isinstance(e, Exception)
    died = died or (otherwise is Outcome.REFUSED and "can't allocate memory" in message)
    return Outcome.CRASHED if died else otherwise


#: What ends a user's process, whoever raised it.
_FATAL = ("MemoryError", "SystemExit", "KeyboardInterrupt", "GeneratorExit")
_BY_KIND = {"raised": Outcome.ERROR, "crashed": Outcome.CRASHED, "timeout": Outcome.TIMEOUT,
            "not-started": Outcome.ERROR}  # fmt: skip


def by_ending(kind: str, type_: str) -> Outcome:
    """What it means that a task has no value: ``kind`` and ``type_`` are those of its failure."""
    return Outcome.CRASHED if type_ in _FATAL else _BY_KIND[kind]


def attributed(record: Record, eager: Record) -> Record:
    """The record of an error, told what came of the same with eager in the exporter's place: if
    that was no error, the exporter has broken the process, or what it gave raises."""
    error = record.error
    if eager.outcome is Outcome.ERROR or error is None:
        return record
    message = (
        f"what {record.exporter} gave, or did to its process, raised this where it was examined; "
        f"with eager in its place nothing did\n{error.type}: {error.message}"
    )
    broken = ErrorInfo("Broken", message, fingerprint("Broken", f"{error.type}: {error.message}"))
    return record.with_(outcome=Outcome.CRASHED, error=broken)
