"""A run: one record for each examination, whatever happens to any of them."""

from __future__ import annotations

import subprocess
import sys
import time

import pytest

from exportdb.conformance.options import Options
from exportdb.records import jsonl
from exportdb.records.record import Record
from exportdb.runner.attempt import task_of
from exportdb.store.protocol import StoreError
from tests.runner.conftest import Bench


def outcomes(records) -> dict[str, str]:
    return {f"{r.case} {r.exporter}": r.outcome for r in records}


def plain(record: Record) -> Record:
    """A record without what may differ between runs that agree."""
    readable = record.graph_readable and "readable"
    facts = {k: v for k, v in record.facts.items() if "seconds" not in k}
    return record.with_(
        run="", seconds={}, cost={}, cached=False, graph_readable=readable, facts=facts
    )


def test_every_examination_has_its_record_in_a_file_that_can_be_read(bench: Bench):
    bench.case("two", 2)
    run = bench.run("Right", "Wrong")
    header, records = jsonl.read(run.stored.path)
    records = list(records)
    assert outcomes(records) == {
        "one right": "supported",
        "one wrong": "wrong",
        "two right": "supported",
        "two wrong": "wrong",
    }
    assert header.run == run.id
    assert header.planned == bench.log.total == len(bench.log.ended) == 4
    assert all(r.run == run.id and r.env == header.environment.digest for r in records)
    assert list(run.stored.records()) == records == bench.log.ended


def test_the_repro_of_a_record_names_case_exporter_and_device(bench: Bench):
    repro = next(bench.run("Right").stored.records()).repro
    assert repro == (
        f"exportdb run {bench.tree}/one.py --exporter {bench.exporters}:Right --device cpu --fresh"
    )


@pytest.mark.parametrize("exporter, outcome", [("Dies", "crashed"), ("Fills", "crashed")])
def test_an_exporter_that_dies_gets_a_record_and_the_rest_goes_on(bench: Bench, exporter, outcome):
    run = bench.run(exporter, "Right", memory_mb=512, retry=False)
    found = {r.exporter: r for r in run.stored.records()}
    assert found["right"].outcome == "supported"
    bad = found[exporter.lower()]
    assert (bad.outcome, bad.phase) == (outcome, "capture")
    assert bad.error.message
    assert bad.error.fingerprint


def test_a_hang_is_a_timeout_after_the_time_of_the_run_or_of_the_case(bench: Bench):
    assert outcomes(bench.run("Hangs", timeout=2.0, retry=False).stored.records()) == {
        "one hangs": "timeout"
    }
    source = (bench.tree / "one.py").read_text()
    (bench.tree / "one.py").write_text(source.replace("title:", "timeout: 1.5\ntitle:"))
    (record,) = bench.run("Hangs", retry=False).stored.records()
    assert "1.5 s" in record.error.message


def test_where_the_time_is_over_a_run_ends_with_what_there_is(bench: Bench):
    bench.case("two", 2)
    assert bench.run("Right", until=time.monotonic()).briefs == ()


def test_where_the_time_may_be_over_before_the_end_no_exporter_is_left_for_later(bench: Bench):
    bench.case("two", 2)
    run = bench.run("Right", "Wrong", until=time.monotonic() + 1000, retry=False)
    assert [r.case for r in run.briefs] == ["one", "one", "two", "two"]


def test_a_case_that_cannot_be_read_is_an_error_and_starts_no_process(bench: Bench):
    (bench.tree / "bad.py").write_text('"""\ntitle: [\n"""\n')
    found = {r.case: r for r in bench.run("Right").stored.records()}
    assert found["one"].outcome == "supported"
    assert (found["bad"].outcome, found["bad"].phase) == ("error", "setup")
    assert "bad.py:" in found["bad"].error.message
    assert bench.log.begun == ["one"]


@pytest.mark.parametrize(
    "module, outcome",
    [("raise ImportError('no backend')", "error"), ("import os; os.abort()", "crashed")],
)
def test_an_exporter_that_cannot_be_imported_has_records_that_say_so(bench: Bench, module, outcome):
    bench.exporters.write_text(module)
    (record,) = bench.run("Right").stored.records()
    assert (record.outcome, record.phase) == (outcome, "setup")
    assert record.error.type in ("PluginError", "SIGABRT")
    assert bench.log.begun == []


def test_an_exporter_that_declares_itself_unusable_is_unavailable(bench: Bench):
    bench.exporters.write_text(
        "class Right:\n    def unusable(self): return 'no licence'\n    def capture(self, p): 1"
    )
    (record,) = bench.run("Right").stored.records()
    assert record.outcome == "unavailable"
    assert "no licence" in record.error.message


def test_a_plug_in_cannot_carry_its_own_state_from_case_to_case(bench: Bench):
    bench.case("two", 2)
    assert set(outcomes(bench.run("Remembers").stored.records()).values()) == {"supported"}


def test_records_do_not_depend_on_who_shares_a_process(bench: Bench):
    for i in range(4):
        bench.case(f"more_{i}", i)
    source = (bench.tree / "one.py").read_text()
    (bench.tree / "leaks.py").write_text(source + "\ntorch.set_default_dtype(torch.float64)\n")
    (bench.tree / "patches.py").write_text(source + "\ntorch.Tensor.__add__ = torch.Tensor.sub\n")
    alone, together = (
        sorted(map(plain, bench.run("export", "make-fx", reuse=reuse, fresh=True).stored.records()),
               key=lambda r: (r.case, r.exporter))
        for reuse in (1, 8)
    )  # fmt: skip
    assert len(alone) == 14
    assert alone == together


def test_only_what_another_asks_for_too_is_left_for_it(bench: Bench, monkeypatch):
    left = []

    def noted(*args):
        task = task_of(*args)
        left.append(task.args[-1])
        return task

    monkeypatch.setattr("exportdb.runner.run.task_of", noted)
    bench.run("export", fresh=True)
    bench.run("export", "make-fx", fresh=True)
    assert left == [False, True, True]


def test_jobs_change_nothing_but_the_order(bench: Bench):
    for i in range(4):
        bench.case(f"more_{i}", i)
    one, two = (bench.run("Right", jobs=jobs, fresh=True).stored.records() for jobs in (1, 2))
    assert outcomes(one) == outcomes(two)


def test_a_run_imports_no_torch_here(tmp_path):
    script = (
        "import sys; from pathlib import Path; from tests.runner.conftest import Bench\n"
        f"b = Bench(Path({str(tmp_path)!r})); b.case(); print(len(b.run('export').briefs))\n"
        "assert 'torch' not in sys.modules"
    )
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout == "1\n"


# Second tries


def test_what_is_expected_is_tried_once(bench: Bench):
    bench.expect("wrong", outcome="wrong")
    (record,) = bench.run("Wrong").stored.records()
    assert (record.verdict, record.expected) == ("expected", "wrong")
    assert bench.log.begun == ["one"]


def test_a_surprise_is_tried_again_and_reported_if_it_is_the_same(bench: Bench):
    bench.expect("right", outcome="supported", findings=["constant-baked"])
    (record,) = bench.run("Right").stored.records()
    assert bench.log.begun == ["one", "one"]
    assert (record.verdict, record.findings) == ("changed", ())


@pytest.mark.parametrize(("exporter", "timeout"), [("Wrong", 60.0), ("Dies", 60.0), ("Hangs", 3.0)])
def test_what_is_bad_and_new_is_tried_again(bench: Bench, exporter, timeout):
    (record,) = bench.run(exporter, timeout=timeout).stored.records()
    assert record.verdict == "new"
    assert bench.log.begun == ["one", "one"]


def test_what_is_good_and_new_is_not(bench: Bench):
    (record,) = bench.run("Right").stored.records()
    assert record.verdict == "new"
    assert bench.log.begun == ["one"]


def test_two_tries_that_disagree_are_flaky(bench: Bench):
    (record,) = bench.run("Changes").stored.records()
    assert (record.outcome, record.verdict) == ("wrong", "flaky")
    (finding,) = [f for f in record.findings if f.id == "differs-on-second-try"]
    assert "supported" in finding.message


@pytest.mark.parametrize("exporter", ["WrongThenDies"])
def test_what_was_wrong_stays_wrong_though_its_process_dies_of_capturing_again(bench, exporter):
    repeated = bench.request(exporter, options=Options(repeat=2))
    (record,) = bench.run(request=repeated, retry=False).stored.records()
    assert (record.outcome, record.phase) == ("wrong", "compare")
    # What was found before the process died is kept whole.
    results = [s.result for s in record.samples if s.role != "rejects"]
    assert set(results) == {"disagrees"}, record.samples
    assert record.error.type == "SIGSEGV"
    assert "on the sample" not in record.error.message


def test_the_sample_is_named_on_which_its_process_dies(bench):
    (record,) = bench.run("DiesOfSomeNumbers", retry=False).stored.records()
    assert (record.outcome, record.phase) == ("crashed", "run")
    said, _, _ = record.error.message.partition("\n")
    assert said == "the process was ended by SIGSEGV on the sample data: zeros"


# What eager itself does not survive

DIES_OF_NAN = '''"""
title: Ends its process where it is given a NaN
"""
import os
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        if not torch.compiler.is_compiling() and bool(x.isnan().any()):
            os.kill(os.getpid(), 11)
        return x + 1


def inputs(n=5):
    return (torch.randn(n),)


dynamic_shapes = {"x": {0: torch.export.Dim("n", min=2, max=9)}}
'''


@pytest.mark.parametrize("exporter, outcome", [("Right", "supported"), ("Wrong", "wrong")])
def test_a_sample_that_ends_eager_is_no_fault_of_the_exporter(
    bench: Bench, exporter: str, outcome: str
) -> None:
    (bench.tree / "one.py").write_text(DIES_OF_NAN)
    (record,) = bench.run(exporter).stored.records()
    assert record.outcome == outcome
    (finding,) = [f for f in record.findings if f.id == "eager-ends-process"]
    assert "data: a NaN" in finding.message
    assert record.left_out
    assert all("NaN" not in s.name for s in record.samples)


# What stands in the way


def test_a_home_that_cannot_be_written_is_one_clear_error(bench: Bench):
    bench.home = bench.exporters / "home"
    with pytest.raises(StoreError, match=r"cannot be written .*--home or EXPORTDB_HOME"):
        bench.run("Right")
