"""Which results of generated programs are a lead, which have one cause, and what is known."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest

from exportdb.cases.frontmatter import parse_case
from exportdb.hunt.buckets import Bucket, bucket, internal, wording
from exportdb.hunt.known import Known
from exportdb.records.fingerprint import fingerprint
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Finding, FirstDifference, Record, SampleResult


def refused(kind: str, message: str, exporter: str = "export") -> Record:
    error = ErrorInfo(kind, message, fingerprint(kind, message))
    return Record("hunt/p1", exporter, "cpu", Outcome.REFUSED, "capture", error=error)


def wrong(
    message: str, sample: str = "example", *findings: str, exporter: str = "export"
) -> Record:
    name, _, size = sample.partition("=")
    sizes = {name: int(size)} if size else {}
    return Record(
        "hunt/p1", exporter, "cpu", Outcome.WRONG, "compare",
        samples=(SampleResult("accepts", sample, "disagrees", sizes, message),),
        findings=tuple(Finding(f, "") for f in findings),
    )  # fmt: skip


@pytest.mark.parametrize(
    ("kind", "message", "innermost"),
    [
        ("KeyError", "'aten.foo'", "KeyError"),
        ("AssertionError", "Expected a SymInt", "AssertionError"),
        (
            "BackendCompilerFailed",
            "backend='x' raised:\nAssertionError: no proxy",
            "AssertionError",
        ),
        (
            "RuntimeError",
            "0 INTERNAL ASSERT FAILED at a.cpp:1, please report a bug",
            "RuntimeError",
        ),
    ],
)
def test_an_internal_error_is_a_lead(kind: str, message: str, innermost: str) -> None:
    found = bucket(refused(kind, message))
    assert found is not None
    assert found.kind == innermost


@pytest.mark.parametrize(
    ("kind", "message"),
    [
        ("UserError", "Constraints violated (n)!"),
        ("GuardOnDataDependentSymNode", "Could not guard on data-dependent expression Eq(u0, 1)"),
        ("Unsupported", "Data pointer comparison\n\nThis is likely to be a Dynamo bug"),
        ("AssertionError", "Guard failed: x.size()[0] >= 5"),
        ("NotImplementedError", "There is no such operator: it is not supported"),
    ],
)
def test_an_honest_refusal_is_none(kind: str, message: str) -> None:
    assert internal(ErrorInfo(kind, message)) is None
    assert bucket(refused(kind, message)) is None


def test_what_changes_from_program_to_program_is_no_part_of_a_bucket() -> None:
    one = bucket(wrong("output[1][0] is 0.195 in eager, -1.8 in capture (5 of 5 values differ)"))
    other = bucket(wrong("output[2] is 3 in eager, 4 in capture (1 of 1 values differ)"))
    assert one == other
    assert bucket(wrong("output has shape (2,) in eager, (3,) in capture")) != one
    assert wording("node v17_3 of x.shape[0] is s77") == wording("node v2_1 of y.shape[0] is s3")


def test_the_first_operator_that_disagrees_tells_buckets_apart() -> None:
    def at(operator: str) -> str:
        record = wrong("output is 1 in eager, 2 in capture").with_(
            departs=FirstDifference(operator, 3)
        )
        found = bucket(record)
        assert found is not None
        return found.operator

    assert at("aten.cumsum.default") == at("aten.cumsum_.default") == "cumsum"
    # Arithmetic on what is wrong already is none.
    assert at("aten.mul.Tensor") == at("aten.add_.Scalar") == at("") == ""


def test_a_loss_beside_wrong_values_is_no_part_of_a_bucket() -> None:
    told = "output is 1 in eager, 2 in capture"
    assert bucket(wrong(told, "example", "requires-grad-differs")) == bucket(wrong(told))
    assert bucket(wrong(told, "example", "alias-differs")) != bucket(wrong(told))


def test_what_range_is_published_is_no_part_of_a_bucket() -> None:
    told, wider = "output is 1 in eager, 2 in capture", "range-wider-than-guards"
    assert bucket(wrong(told, "n=4", wider)) == bucket(wrong(told, "n=4"))
    beside = bucket(wrong(told, "n=4", wider, "alias-differs"))
    assert beside == bucket(wrong(told, "n=4", "alias-differs"))


def test_supported_and_faults_are_no_leads() -> None:
    for outcome in (Outcome.SUPPORTED, Outcome.ERROR, Outcome.UNAVAILABLE, Outcome.DEGRADED):
        assert bucket(Record("hunt/p1", "export", "cpu", outcome, "compare")) is None


CASE = '''"""
title: A
description: B
"""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return x.frac() + 1


def inputs():
    return torch.ones(3)
'''


def known(tmp_path: Path, expectations: str, case: str = CASE) -> Known:
    path = tmp_path / "a.py"
    path.write_text(case)
    path.with_suffix(".yaml").write_text(expectations)
    return Known.of([parse_case("a", path, case)], {"export-strict": "export"})


def explained(db: Known, record: Record, program: str = "class Model: pass") -> str:
    found = bucket(record)
    assert found is not None
    return db.explains(record, found, program)


def test_an_error_that_a_case_shows_is_known(tmp_path: Path) -> None:
    digest = fingerprint("KeyError", "'aten.foo'")
    db = known(
        tmp_path,
        "export:\n  outcome: refused\n  phase: capture\n  error:\n    type: KeyError\n"
        f"    fingerprint: {digest}\n    message: \"'aten.foo'\"\n",
    )
    assert explained(db, refused("KeyError", "'aten.foo'")) == "a"
    assert explained(db, refused("KeyError", "'aten.bar'")) == ""


WORDLESS = "{}:\n  outcome: refused\n  phase: capture\n  error:\n    type: IndexError\n" + (
    f"    fingerprint: {fingerprint('IndexError', 'list index out of range')}\n"
    "    message: list index out of range\n"
)


def test_what_torch_raises_is_known_of_all_ways_into_it_and_of_no_exporter_beside(
    tmp_path: Path,
) -> None:
    """Python's own words say nothing of who raised them, and little of what."""
    db = known(tmp_path, WORDLESS.format("make-fx"))
    program = db.programs["a"]
    of_export, mine = (
        refused("IndexError", "list index out of range", name) for name in ("export", "mine")
    )
    assert explained(db, of_export, program) == "a"
    assert explained(db, of_export, program.replace("frac", "cosh")) == ""
    assert explained(db, mine, program) == ""
    assert explained(replace(db, extends={"mine": "make-fx"}), mine, program) == "a"


def test_what_one_expects_of_one_s_own_exporter_is_known(tmp_path: Path) -> None:
    own = tmp_path / "own"
    own.mkdir()
    (own / "a.yaml").write_text(
        WORDLESS.format("mine") + "others:\n  outcome: wrong\n  note: to be mended\n"
    )
    path = tmp_path / "a.py"
    path.write_text(CASE)
    case = parse_case("a", path, CASE)
    mine, another = (
        refused("IndexError", "list index out of range", name) for name in ("mine", "others")
    )
    assert explained(Known.of([case], {}), mine, case.program) == ""
    db = Known.of([case], {}, own)
    assert explained(db, mine, case.program) == "a"
    assert explained(db, another, case.program) == ""
    assert db.wrong == {"others": {"a"}}
    (own / "exporters.yaml").write_text("mine:\n  note: keeps no guards\n")
    told = wrong("output is 1 in eager, 2 in capture", "n=16", exporter="mine")
    assert explained(db, told) == ""
    assert "by design" in explained(Known.of([case], {}, own), told)


def test_other_sizes_of_an_exporter_without_guards_are_by_design(tmp_path: Path) -> None:
    db = known(tmp_path, "{}\n")
    told = "output is 1 in eager, 2 in capture"
    assert "by design" in explained(db, wrong(told, "n=16", exporter="make-fx"))
    assert explained(db, wrong(told, exporter="make-fx")) == ""
    assert explained(db, wrong(told, "n=16")) == ""
    assert "sizes 0 and 1" in explained(db, wrong(told, "n=1", "range-wider-than-guards"))


@pytest.mark.parametrize("outcome", [Outcome.TIMEOUT, Outcome.CRASHED])
def test_what_hangs_or_dies_in_eager_is_no_lead(outcome: Outcome) -> None:
    error = ErrorInfo("Timeout", "did not finish within 60 s")
    for phase, lead in {"setup": False, "eager": False, "capture": True, "run": True}.items():
        record = Record("hunt/p1", "export", "cpu", outcome, phase, error=error)  # type: ignore[arg-type]
        assert (bucket(record) is not None) == lead, phase


def test_an_exporter_that_changes_nothing_in_place_is_known_for_it(tmp_path: Path) -> None:
    lost = "outcome: wrong\n  findings: [state-mutation-differs]\n"
    db = known(tmp_path, f"onnx:\n  {lost}export:\n  {lost}")
    told = ("state.count after the call is 2.0 in eager, 0.0 in capture", "example")
    for exporter, why in {"onnx": "a", "export": ""}.items():
        found = wrong(*told, "range-wider-than-guards", "state-mutation-differs", exporter=exporter)
        assert (
            explained(db, found, "class Model:\n    def forward(self, x):\n        x.erf_()\n")
            == why
        )
    other = wrong("output is 1 in eager, 2 in capture", "example", "state-mutation-differs",
                  exporter="onnx")  # fmt: skip
    assert explained(db, other) == ""


def test_what_an_exporter_loses_one_that_extends_it_loses_too(tmp_path: Path) -> None:
    db = known(tmp_path, "export:\n  outcome: lossy\n  findings: [class-differs]\n")
    lost = SampleResult("accepts", "example", "lossy", {}, "output is Size() in eager")
    for finding, why in {"class-differs": "a", "strides-differ": ""}.items():
        record = Record(
            "hunt/p1", "export-strict", "cpu", Outcome.LOSSY, "compare", samples=(lost,),
            findings=(Finding(finding, ""),),
        )  # fmt: skip
        assert explained(db, record) == why


def test_numbers_read_out_of_other_values_are_baked_by_design(tmp_path: Path) -> None:
    db = known(tmp_path, "{}\n")
    told = "output is 1 in eager, 2 in capture"
    assert "by design" in explained(db, wrong(told, "other values 2", exporter="jit-trace"))
    assert explained(db, wrong(told, "example", exporter="jit-trace")) == ""
    assert explained(db, wrong(told, "other values 2")) == ""


def test_a_bucket_is_alike_whoever_has_it() -> None:
    one = Bucket("export", Outcome.WRONG, "example", "a")
    assert one.alike(Bucket("make-fx", Outcome.WRONG, "example", "a"))
    assert not one.alike(Bucket("export", Outcome.WRONG, "sizes", "a"))
