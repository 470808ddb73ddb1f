"""Observed against expected: every verdict, and what it says differs."""

from __future__ import annotations

import pytest

from exportdb.records.expectation import Expectation, record_of, value_of
from exportdb.records.record import ErrorInfo, Finding, Record, digest
from exportdb.records.verdict import first_difference, judge

GRAPH = "x: f32[s0]\nadd = add(x, 1)\nreturn add\n"


def record(outcome: str = "supported", graph: str = GRAPH, **more) -> Record:
    return Record(
        case="a/b", exporter="export", device="cpu", outcome=outcome, phase="compare", graph=graph,
        graph_digest=digest(graph), **more,
    )  # fmt: skip


REFUSED = {
    "outcome": "refused",
    "phase": "capture",
    "error": {"type": "ValueError", "fingerprint": "f1", "message": "some words"},
}


def refused(phase: str = "capture", type_: str = "ValueError", fingerprint: str = "f1") -> Record:
    return Record(
        case="a/b", exporter="export", device="cpu", outcome="refused", phase=phase,
        error=ErrorInfo(type_, "other words", fingerprint),
    )  # fmt: skip


SUPPORTED = {"outcome": "supported", "graph": GRAPH}


@pytest.mark.parametrize(
    ("seen", "value", "word", "differs"),
    [
        (record(), SUPPORTED, "expected", ()),
        (record("wrong"), SUPPORTED, "regressed", ("outcome",)),
        (record("error"), SUPPORTED, "regressed", ("outcome",)),
        (record("supported"), REFUSED, "improved", ("outcome",)),
        (record("unguarded"), {"outcome": "specialized"}, "improved", ("outcome",)),
        (record("predicted"), SUPPORTED, "changed", ("outcome",)),
        (record(), {"outcome": "predicted"}, "changed", ("outcome",)),
        (record("predicted"), REFUSED, "improved", ("outcome",)),
        (record("lossy"), SUPPORTED, "regressed", ("outcome",)),
        (record(graph="x\n"), SUPPORTED, "changed", ("graph",)),
        (record(ranges={"n": ("2", "32")}), SUPPORTED, "changed", ("ranges",)),
        (record(facts={"guards": 3}), SUPPORTED, "changed", ("facts",)),
        (record(findings=(Finding("no-dtype-guard", ""),)), SUPPORTED, "changed", ("findings",)),
        (refused(), REFUSED, "expected", ()),  # another message with the same fingerprint
        (refused(fingerprint="f2"), REFUSED, "changed", ("error",)),
        (refused(type_="KeyError"), REFUSED, "changed", ("error",)),
        (refused(phase="lower"), REFUSED, "changed", ("phase",)),
        (record("wrong"), None, "new", ()),
        (record("error"), None, "new", ()),
        (record("unavailable"), None, "expected", ()),
        (record("unavailable"), SUPPORTED, "regressed", ("outcome",)),
    ],
)
def test_the_verdict_on_a_confirmed_expectation(seen, value, word, differs):
    verdict = judge(seen, None if value is None else Expectation(value, confirmed=True))
    assert (verdict.verdict, verdict.differs) == (word, differs)
    assert verdict.surprise == (word != "expected")
    assert bool(verdict.reason) == verdict.surprise


@pytest.mark.parametrize(
    ("seen", "word"),
    [
        (record(graph="device=meta\n"), "expected"),  # the graph names the device, so of course
        (record("wrong"), "regressed"),
        (record("unavailable"), "expected"),  # declared by exporter or device
    ],
)
def test_an_expectation_nobody_confirmed_on_this_device_binds_the_outcome_alone(seen, word):
    assert judge(seen, Expectation(SUPPORTED, confirmed=False)).verdict == word


@pytest.mark.parametrize(
    ("seen", "word"),
    [(record(), "expected"), (record("wrong"), "new"), (record("unavailable"), "expected")],
)
def test_what_was_only_assumed_is_nothing_to_regress_from(seen, word):
    judged = judge(seen, Expectation(SUPPORTED, confirmed=False, assumed=True))
    assert judged.verdict == word
    assert ("supported was only assumed" in judged.reason) == (word == "new")


def test_what_the_runner_found_flaky_stays_flaky():
    assert judge(record().with_(verdict="flaky"), Expectation(SUPPORTED, True)).verdict == "flaky"


@pytest.mark.parametrize(
    ("seen", "value", "shown"),
    [
        (refused(fingerprint="f2"), REFUSED, "error message: some words -> other words"),
        (refused(fingerprint="f2"),
         {**REFUSED, "error": {**REFUSED["error"], "message": "other words"}},
         "error fingerprint: f1 -> f2"),
        (refused(phase="lower"), REFUSED, "phase: capture -> lower"),
        (record(graph=GRAPH.replace("1", "2")), SUPPORTED,
         "graph: -add = add(x, 1) | +add = add(x, 2)"),
        (record(ranges={"n": ("2", "9")}), {**SUPPORTED, "ranges": {"n": ["2", "8"]}},
         "ranges n: ['2', '8'] -> ['2', '9']"),
    ],
)  # fmt: skip
def test_the_first_difference_is_shown_in_a_line(seen, value, shown):
    verdict = judge(seen, Expectation(value, True))
    assert first_difference(value, seen, verdict.differs) == shown


def test_what_is_accepted_of_a_message_names_no_folder_of_the_machine():
    message = "Expected one function: /home/me/cases/a/b.py:16, see https://x.org/a/b\n  more"
    seen = refused().with_(error=ErrorInfo("ValueError", message, "f1"))
    accepted = value_of(seen)["error"]["message"]
    assert accepted == "Expected one function: b.py:16, see https://x.org/a/b"


def test_a_dim_of_which_nothing_was_known_is_not_compared_and_not_shown():
    nothing = {"asked": "n", "kept": False, "source": "x.size()[0]", "value": "None"}
    expected = {**SUPPORTED, "facts": {"counts": {"guards": 0}, "dims": [nothing]}}
    same = record(facts={"counts": {"guards": 0}})
    assert judge(same, Expectation(expected, confirmed=True)).verdict == "expected"
    assert record_of(expected, "a/b", "export", "cpu").facts == {"counts": {"guards": 0}}
    # Once it is known, that is another result.
    kept = record(
        facts={"counts": {"guards": 0}, "dims": [{**nothing, "kept": True, "value": "s0"}]}
    )
    assert judge(kept, Expectation(expected, confirmed=True)).verdict == "changed"
