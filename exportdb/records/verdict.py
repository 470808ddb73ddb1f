"""What was observed against what was expected: the verdict, and why.

Owns how a record is compared. Pure; where expectations come from is left to
``exportdb.records.expectation``, what the verdicts mean to ``exportdb.records.outcome``.
"""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from exportdb.records import waiver
from exportdb.records.expectation import (
    MEASURED_KEYS,
    Expectation,
    Expected,
    known_facts,
    value_of,
)
from exportdb.records.outcome import Outcome, Verdict, how_often
from exportdb.records.record import Record, digest

#: What is said of an error for the reader alone.
FOR_READERS = ("message", "line")


@dataclass(frozen=True)
class Judgement:
    """A verdict; ``differs`` names what differs, ``reason`` says how in a line."""

    verdict: Verdict
    differs: tuple[str, ...] = ()
    reason: str = ""

    @property
    def surprise(self) -> bool:
        """Whether a gate should stop on it."""
        return self.verdict is not Verdict.EXPECTED


def judge(record: Record, expected: Expectation | None) -> Judgement:
    """The verdict on a record. A record that the runner found to be flaky stays so."""
    if expected is not None and expected.sometimes:
        return _intermittent(record, expected)
    if len(record.outcomes) > 1:
        return Judgement(Verdict.FLAKY, (), how_often(record.outcomes))
    if record.verdict is Verdict.FLAKY:
        return Judgement(Verdict.FLAKY, (), "tried again, it came out differently")
    if record.outcome is Outcome.UNAVAILABLE and (expected is None or not expected.confirmed):
        return Judgement(Verdict.EXPECTED)  # declared, so nobody needs to expect it
    if expected is None:
        return Judgement(Verdict.NEW, (), unmeasured(record, None))
    if record.outcome is not expected.outcome:
        if not expected.confirmed and record.outcome.faultless and expected.outcome.faultless:
            return Judgement(Verdict.EXPECTED)  # carried over to where nothing is computed
        if expected.assumed:  # no regression of what was never measured
            return Judgement(Verdict.NEW, ("outcome",), unmeasured(record, expected.outcome))
        reason = f"{expected.outcome} was expected, {record.outcome} seen"
        return Judgement(record.outcome.after(expected.outcome), ("outcome",), reason)
    if not expected.confirmed:
        return Judgement(Verdict.EXPECTED)
    if expected.ended:
        return Judgement(Verdict.REGRESSED, (), waiver.in_words(expected.value))
    differs = differences(expected.value, value_of(record), _same_graph(record, expected.value))
    if not differs:
        return Judgement(Verdict.EXPECTED)
    return Judgement(Verdict.CHANGED, differs, f"another {', '.join(differs)}")


def unmeasured(record: Record, expected: Outcome | None) -> str:
    """One line on a new result; ``expected`` is what another exporter or a newer torch gives."""
    if expected in (None, record.outcome):
        return f"{record.outcome}, and nothing is expected yet"
    return f"{record.outcome}, not measured before; {expected} was only assumed"


def _intermittent(record: Record, expected: Expectation) -> Judgement:
    """The verdict where several outcomes are expected, each now and then."""
    allowed = {str(expected.outcome), *expected.sometimes}
    seen = {*record.outcomes} or {str(record.outcome)}
    if record.outcome is Outcome.UNAVAILABLE and not expected.confirmed:
        return Judgement(Verdict.EXPECTED)
    if seen <= allowed:
        if expected.ended:
            return Judgement(Verdict.REGRESSED, (), waiver.in_words(expected.value))
        return Judgement(Verdict.EXPECTED)
    other = max((Outcome(o) for o in seen - allowed), key=lambda o: o.rank)
    reason = f"{' or '.join(sorted(allowed))} was expected, {other} seen"
    return Judgement(other.after(expected.outcome), ("outcome",), reason)


def differences(before: Expected, after: Expected, same_graph: bool = False) -> tuple[str, ...]:
    """The measured keys in which two values of the same outcome differ; messages do not count."""
    return tuple(
        key
        for key in MEASURED_KEYS
        if not (key == "graph" and same_graph)
        and comparable(key, before.get(key)) != comparable(key, after.get(key))
    )


def comparable(key: str, value: Any) -> Any:
    """The part of a value's key that is compared: an error without its message and line."""
    if key == "error" and value is not None:
        return {k: v for k, v in value.items() if k not in FOR_READERS}
    if key == "facts" and value is not None:
        return known_facts(value)
    return value


def graph_diff(before: str | None, after: str | None, a: str = "expected", b: str = "seen") -> str:
    """A unified diff of two graphs, empty when they are the same."""
    return "".join(difflib.unified_diff(_lines(before), _lines(after), fromfile=a, tofile=b, n=2))


def first_difference(before: Expected, record: Record, differs: Sequence[str]) -> str:
    """One line that shows the first thing that differs, as ``before -> after``."""
    after = value_of(record)
    for key in differs:
        old, new = before.get(key), after.get(key)
        if key == "graph":
            changed = [
                line.rstrip("\n")
                for line in graph_diff(old, new).splitlines()[2:]
                if line[:1] in "+-"
            ]
            return "graph: " + " | ".join(changed[:2])
        if isinstance(old, dict) and isinstance(new, dict):
            for part in [*old, *(k for k in new if k not in old)]:
                if old.get(part) != new.get(part) and not (key == "error" and part in FOR_READERS):
                    if part == "fingerprint" and old.get("message") != new.get("message"):
                        part = "message"  # which a reader can tell apart
                    return f"{key} {part}: {_brief(old.get(part))} -> {_brief(new.get(part))}"
        if old != new:
            return f"{key}: {_brief(old)} -> {_brief(new)}"
    return ""


def _same_graph(record: Record, value: Expected) -> bool:
    """Compared by digest, so that a long text need not be looked at twice."""
    graph = value.get("graph")
    return graph is not None and record.graph_digest == digest(graph)


def _lines(text: str | None) -> list[str]:
    return [line + "\n" for line in (text or "").splitlines()]


def _brief(value: Any) -> str:
    text = "nothing" if value is None else str(value)
    return text if len(text) <= 100 else text[:97] + "..."
