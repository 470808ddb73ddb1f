"""What a run of the benchmark says: the score, by kind; who is missed and why; what cases lack.

Owns the words and the JSON form of the result. Nothing here runs anything.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from typing import Any

from detection.driver import Run, Tally

#: Why a mutant is missed.
NO_CASE = "no case has it"
NO_SAMPLE = "no sample reaches it"
NOT_SEEN = "no comparison sees it"


def missed_because(tally: Tally) -> str:
    """Why no case catches a mutant, or "" of one that is caught.

    What is reached made a difference where the mutant works; that may be less than the tolerance,
    or not matter to the program's result.
    """
    if tally.caught:
        return ""
    if not tally.tried:
        return NO_CASE
    return NOT_SEEN if tally.reached else NO_SAMPLE


def score(tallies: Iterable[Tally]) -> float:
    """The share of mutants that some case catches, between 0 and 1."""
    found = list(tallies)
    return sum(bool(t.caught) for t in found) / len(found) if found else 1.0


def lacking(run: Run) -> list[str]:
    """Operators that a mutant breaks and no case has."""
    known = frozenset().union(*run.operators.values()) if run.operators else frozenset()
    return sorted({name for t in run.tallies.values() for name in t.mutant.needs} - known)


def as_json(run: Run, seconds: float) -> dict[str, Any]:
    """The whole result as plain data."""
    return {
        "cases": len(run.operators),
        "seconds": round(seconds, 1),
        "score": round(score(run.tallies.values()), 4),
        "operators_without_case": lacking(run),
        "cases_not_observed": dict(run.broken),
        "mutants": [
            {
                "name": t.mutant.name,
                "kind": t.mutant.kind,
                "says": t.mutant.says,
                "operators": sorted(t.mutant.needs),
                "tried": t.tried,
                "reached": sorted(t.reached),
                "caught": dict(sorted(t.caught.items())),
                "missed": missed_because(t),
                "trouble": t.trouble,
            }
            for t in run.tallies.values()
        ],
    }


def table(run: Run) -> Iterator[str]:
    """The score by kind, as lines of text."""
    kinds: dict[str, list[Tally]] = defaultdict(list)
    for tally in run.tallies.values():
        kinds[tally.mutant.kind].append(tally)
    columns = ("mutants", "twice", "once", NO_CASE, NO_SAMPLE, NOT_SEEN)
    yield f"{'kind':<20}" + "".join(f"  {c:>{max(7, len(c))}}" for c in (*columns, "score"))
    for kind, tallies in [*sorted(kinds.items()), ("all", list(run.tallies.values()))]:
        why = [missed_because(t) for t in tallies]
        counts = (
            len(tallies),
            sum(len(t.caught) > 1 for t in tallies),
            sum(len(t.caught) == 1 for t in tallies),
            *(why.count(reason) for reason in (NO_CASE, NO_SAMPLE, NOT_SEEN)),
        )
        cells = "".join(
            f"  {n or '·':>{max(7, len(c))}}" for n, c in zip(counts, columns, strict=True)
        )
        yield f"{kind:<20}{cells}  {score(tallies):>7.1%}"


def lists(run: Run) -> Iterator[str]:
    """Who is missed, for which reason, who is caught by one case alone, and what cases lack."""
    for reason in (NO_CASE, NO_SAMPLE, NOT_SEEN):
        missed = [t for t in run.tallies.values() if missed_because(t) == reason]
        if missed:
            yield f"\nmissed, {reason}: {len(missed)}"
        for t in missed:
            where = f" (in {t.reached[0]}, {len(t.reached)} in all)" if t.reached else ""
            yield f"  {t.mutant.kind}: {t.mutant.says}{where}"
    once = [t for t in run.tallies.values() if len(t.caught) == 1]
    if once:
        yield f"\ncaught by one case alone: {len(once)}"
    for t in once:
        ((case, said),) = t.caught.items()
        yield f"  {t.mutant.kind}: {t.mutant.says} ({case}: {said.split(':')[0]})"
    if missing := lacking(run):
        yield f"\noperators that no case has: {', '.join(missing)}"
    for case, reason in run.broken.items():
        yield f"\nnot observed: {case}: {reason}"
    for t in run.tallies.values():
        for case, raised in list(t.trouble.items())[:1]:
            yield f"\nfault of the mutant {t.mutant.name} in {case}: {raised}"
