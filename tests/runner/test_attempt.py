"""What the end of one try means for a record."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from exportdb.conformance.options import Options
from exportdb.devices.builtin import Cuda
from exportdb.executors.protocol import Ending, Failure, Task
from exportdb.plugins import DEVICES, find
from exportdb.runner.attempt import (
    MOST_LEFT_OUT,
    impossible,
    measured_of,
    task_of,
    without_fatal_sample,
)
from exportdb.runner.declarations import Declaration
from exportdb.runner.plan import examinations
from tests.runner.conftest import Bench

NOTHING = {"files": {}, "distributions": {}}
DEATH = Failure("crashed", "SIGSEGV", "the process was ended by SIGSEGV", "capture")
LATE = Failure("timeout", "Timeout", "did not finish within 60 s", "capture")


def record(outcome: str) -> dict[str, Any]:
    return {
        "kind": "record", "case": "one", "exporter": "right", "device": "cpu",
        "outcome": outcome, "phase": "compare", "graph": "the graph",
    }  # fmt: skip


def ended(bench: Bench, value: Any, failure: Failure | None = None):
    (examination,) = examinations(bench.request("Right"))
    return measured_of(examination, Ending(Task("a:b"), value, failure, 1.0)).record


@pytest.mark.parametrize("value", [{}, [], 3, {"record": {}, "imported": NOTHING},
                                   {"record": {"case": 1}, "imported": {}}])  # fmt: skip
def test_an_answer_that_is_no_record_is_a_crash_and_not_the_end_of_the_run(bench, value):
    made = ended(bench, value)
    assert (made.outcome, made.case) == ("crashed", "one")
    assert "not a record" in made.error.message


@pytest.mark.parametrize(
    "before, failure, after",
    [
        ("wrong", DEATH, ("wrong", "compare", "SIGSEGV")),
        ("wrong", LATE, ("wrong", "compare", "Timeout")),
        ("supported", DEATH, ("crashed", "capture", "SIGSEGV")),
        ("refused", LATE, ("timeout", "capture", "Timeout")),
    ],
)
def test_of_what_was_found_and_a_death_thereafter_the_worse_is_kept(bench, before, failure, after):
    made = ended(bench, {"record": record(before), "imported": NOTHING}, failure)
    assert (made.outcome, made.phase, made.error.type) == after
    assert made.graph == "the graph"


def test_of_a_death_before_anything_was_found_only_that_is_known(bench):
    made = ended(bench, None, DEATH)
    assert (made.outcome, made.phase, made.graph) == ("crashed", "capture", None)


def test_a_death_says_on_which_sample_and_is_the_same_on_any(bench):
    first, second = (
        ended(bench, None, replace(DEATH, at=f"run: {sample}")) for sample in ("n=0", "data: a NaN")
    )
    assert first.phase == "run"
    assert first.error.message == "the process was ended by SIGSEGV on the sample n=0"
    assert second.error.message.endswith("on the sample data: a NaN")
    assert first.error.fingerprint == second.error.fingerprint


def without(bench: Bench, at: str, kind: str = "crashed", before: tuple[str, ...] = ()):
    """The samples that are left out of the next try after a death there; None without one."""
    (examination,) = examinations(bench.request("Right", options=Options(without=before)))
    failure = Failure(kind, "SIGSEGV", "the process was ended by SIGSEGV", at)
    less = without_fatal_sample(examination, Ending(Task("a:b"), None, failure, 1.0))
    return less and less.options.without


def test_a_made_sample_on_which_eager_dies_is_left_out(bench):
    assert without(bench, "eager: data: a NaN") == ("data: a NaN",)
    assert without(bench, "eager: n=0", before=("data: a NaN",)) == ("data: a NaN", "n=0")


@pytest.mark.parametrize(
    "at", ["capture", "run: n=0", "eager", "eager: example", "eager: accepts[1]", "eager: n=3"]
)
def test_what_the_exporter_or_the_program_itself_does_counts(bench, at):
    assert without(bench, at, before=("n=3",)) is None


def test_no_more_than_a_few_are_left_out(bench):
    many = tuple(f"n={i}" for i in range(MOST_LEFT_OUT))
    assert without(bench, "eager: n=99", before=many) is None


@pytest.mark.parametrize("kind", ["raised", "timeout", "not-started"])
def test_what_else_ends_a_task_is_no_death(bench, kind):
    assert without(bench, "eager: n=0", kind) is None


def test_what_cannot_be_used_here_may_be_elsewhere(bench):
    (examination,) = examinations(bench.request("Right"))
    on_gpu = replace(examination, device=find(DEVICES, Cuda.name))
    assert task_of(on_gpu, 60, None, False).gpu and not task_of(examination, 60, None, False).gpu
    said = {
        on_gpu.exporter.target: Declaration("right"),
        on_gpu.device.target: Declaration("cuda", unusable="there is no GPU on this machine"),
    }
    assert impossible(on_gpu, said).outcome == "unavailable"
    assert impossible(on_gpu, said, here=False) is None
