"""What is done with a result that may have a new cause."""

from __future__ import annotations

from pathlib import Path
from types import SimpleNamespace
from typing import Any

import pytest

from exportdb.cases.frontmatter import parse_case
from exportdb.hunt.buckets import Bucket
from exportdb.hunt.causes import Causes
from exportdb.hunt.drafts import ReducedCause
from exportdb.hunt.known import Known
from exportdb.hunt.leads import Leads
from exportdb.hunt.state import GeneratedCase, HuntOptions, HuntState
from exportdb.hunt.trials import Target
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, SampleResult
from exportdb.resolve import find_devices, find_exporters
from tests.hunt.made import CASE, cause_of, silent_in

DISAGREES = SampleResult(
    "accepts", "example", "disagrees", {}, "output is 1 in eager, 2 in capture"
)


TARGET = Target(*find_exporters(["export"]), *find_devices(["cpu"]))


def leads_of(folder: Path, trials: Any) -> Leads:
    """The leads of a hunt in which nothing was found so far."""
    asked = HuntOptions((TARGET.exporter,), (TARGET.device,), home=folder)
    return Leads(asked, HuntState(), Causes({}, folder, Known()), trials, told=print)


@pytest.mark.parametrize("open_", [True, False])
def test_a_result_on_which_eager_itself_moves_is_counted_and_no_cause(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, open_: bool
) -> None:
    small: list[str] = []
    trials: Any = SimpleNamespace(again=lambda *a: True, ill_conditioned=lambda *a: open_)
    leads = leads_of(tmp_path, trials)
    found = cause_of("return x.frac()", silent_in("export", "example"))
    monkeypatch.setattr(Leads, "_small", lambda leads, *a: small.append("p") or found)
    record = Record("p", "export", "cpu", Outcome.WRONG, "compare")
    made = GeneratedCase(parse_case("p", tmp_path / "p.py", CASE), ())
    leads.follow(record, found.bucket, made, TARGET)
    assert (leads.state.ill_conditioned, small) == ((1, []) if open_ else (0, ["p"]))


def test_an_internal_error_is_varied_in_search_of_a_program_that_is_silently_wrong(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    refused = cause_of("return x.erf()", Bucket("mine", Outcome.REFUSED, "KeyError", "a"))
    right, wrong, told = (
        Record(name, "mine", "cpu", outcome, "compare", samples=samples)
        for name, outcome, samples in (
            ("a", Outcome.SUPPORTED, ()), ("b", Outcome.WRONG, (DISAGREES,)),
            ("c", Outcome.REFUSED, ()),
        )
    )  # fmt: skip
    trials: Any = SimpleNamespace(
        near=lambda text, seed, count: ["right", "wrong", "refused"],
        records=lambda texts, target: [right, wrong, told],
        ill_conditioned=lambda *given: False,
    )
    leads = leads_of(tmp_path, trials)
    small: list[tuple[str, str]] = []

    def made_small(
        leads: Leads, record: Record, found: Bucket, text: str, target: object
    ) -> ReducedCause:
        small.append((text, record.case))
        return cause_of("return x.erf() + 1", found)

    monkeypatch.setattr(Leads, "_small", made_small)
    leads._look_for_silence(refused, TARGET)
    assert small == [("wrong", refused.programs[0])]  # it is told of the program that led to it
    (found,) = leads.causes.found.values()
    assert found.bucket.outcome is Outcome.WRONG
    # Where eager itself moves as far, it is counted and no cause.
    trials.ill_conditioned = lambda *given: True
    leads._look_for_silence(refused, TARGET)
    assert (len(small), leads.state.ill_conditioned) == (1, 1)
