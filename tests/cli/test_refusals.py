"""What ``accept`` says of what it refuses: each reason once, and commands that can be pasted."""

from __future__ import annotations

from exportdb.cli.refusals import MOST_CASES, lines, next_steps
from exportdb.records.record import Record
from exportdb.records.refused import Refused, Remedy


def record(case: str, exporter: str = "mine", outcome: str = "wrong", **more) -> Record:
    repro = f"exportdb run {case} --cases 'my cases' --exporter {exporter} --device cpu --fresh"
    return Record(case, exporter, "cpu", outcome, "run", repro=repro, **more)


def again(cases, exporter: str) -> str:
    return " ".join(("exportdb accept", *cases, "--exporter", exporter))


def test_a_reason_is_said_once_with_the_cases_folded() -> None:
    refused = [Refused.unlinked(record(f"t/c{i}"), "wrong") for i in range(5)]
    [line] = lines(refused, " under mode=train")
    assert line == (
        "refused 5 results: t/c0, t/c1, t/c2 and 2 more · mine · cpu under mode=train: "
        "wrong needs a link: --issue pytorch#N or a URL, or --note TEXT"
    )
    first, *named = lines([*refused, Refused.unlinked(record("t/d", "other"), "wrong")])
    assert first.startswith("refused 6 results: wrong needs a link")
    assert named == ["  t/c0, t/c1, t/c2 and 2 more · mine · cpu", "  t/d · other · cpu"]


def test_a_single_result_is_no_count() -> None:
    [line] = lines([Refused.error(record("t/a", outcome="error"))])
    assert line == "refused: t/a · mine · cpu: an error is a fault to fix, never an expectation"


def test_what_lacks_a_link_is_accepted_by_name_and_by_exporter() -> None:
    refused = [Refused.unlinked(record("t/a", e), "wrong") for e in ("mine", "other")]
    assert [step.partition("  (")[0] for step in next_steps(refused, again)] == [
        "exportdb accept t/a --exporter mine --issue LINK",
        "exportdb accept t/a --exporter other --issue LINK",
    ]


def test_too_many_to_name_are_accepted_together_and_it_says_what_else_that_changes() -> None:
    refused = [Refused.unlinked(record(f"t/c{i}"), "wrong") for i in range(MOST_CASES + 1)]
    [step] = next_steps(refused, again)
    assert step == "exportdb accept --exporter mine --issue LINK  (or --note TEXT, for 13 results)"
    [step] = next_steps(refused, again, linked={"mine"})
    assert "also replaces the links that others of mine have" in step


def test_the_next_command_fits_the_reason() -> None:
    changed = Refused(record("t/new"), "the case has changed", Remedy.RUN)
    flaky = [Refused.flaky(record(case)) for case in ("t/a", "t/b")]
    gone = Refused(record("t/gone"), "there is no such case any more")
    error = Refused.error(record("t/e", outcome="error"))
    steps = list(next_steps([changed, *flaky, gone, error], again))
    assert [step.partition("  (")[0] for step in steps] == [
        "exportdb report",
        "exportdb run t/a t/b --cases 'my cases' --exporter mine --device cpu --fresh"
        " --repeat-run 10",
        "exportdb run t/new --cases 'my cases' --exporter mine --device cpu --fresh",
    ]
