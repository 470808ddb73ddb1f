"""The out-of-tree device in Python: it computes, behaves like a device, and leaves no trace."""

from __future__ import annotations

import json

import pytest

from exportdb.cases import database
from exportdb.executors import open_executor
from exportdb.executors.protocol import Task
from exportdb.plugins import DEVICES, EXPORTERS, find
from exportdb.runner.attempt import task_of
from exportdb.runner.plan import Examination
from exportdb.suites.cases import CaseProgram

TOY = "exportdb.devices.toy:Toy"


def test_it_computes_what_the_processor_computes(apart):
    for name, (here, there) in apart("layers").items():
        assert here == pytest.approx(there, rel=1e-5, abs=1e-6), name


def test_gradients_come_through_checkpoints(apart):
    here, there = apart("gradients")
    assert here == pytest.approx(there)


def test_gradients_of_recurrent_cells_are_those_of_the_processor(apart):
    here, there = apart("gradients_of_cells")
    assert len(here) == 16
    for name, gradient in here.items():
        assert gradient == pytest.approx(there[name], rel=1e-4, abs=1e-6), name


def test_views_share_memory_and_copies_do_not(apart):
    found = apart("views")
    assert found["base"] == [[0, 0, 1, 1], [1, 0, 0, 0], [7, 0, 0, 0]]
    assert found["shares"]
    assert found["copies"] == [[9] * 4, [9] * 4]  # the two copies share as the two tensors did


def test_it_mixes_with_the_processor_as_little_as_any_device(apart):
    tensors, number, index = apart("mixed")
    assert "to be on the same device" in tensors
    assert (number, index) == ("toy:0", "toy:0")


def test_beside_another_device_it_says_who_is_in_its_place(apart):
    assert "other has it" in apart("unusable_beside_another")


def test_a_case_is_examined_on_it(exportdb):
    words = ("run", "control_flow/cond_on_value", "mutation/input", "--exporter", "export")
    done = exportdb(*words, "--device", TOY, "--json")
    assert done.returncode == 0, done.stderr
    records = [json.loads(line) for line in done.stdout.splitlines()[1:]]
    assert [r["outcome"] for r in records] == ["supported"] * 2
    results = {s["result"] for r in records for s in r["samples"]}
    assert "agrees" in results and not results & {"disagrees", "unguarded", "eager-failed"}
    assert "toy" not in "".join(r["graph"] for r in records)  # the program's own device is `here`


def test_a_program_moved_to_it_keeps_what_was_decided_on_the_processor(exportdb):
    words = ["devices/result_on_cpu", "mutation/buffer_in_place", "mutation/aliased_example"]
    done = exportdb("run", *words, "--exporter", "export-moved", "--device", "toy", "--json")
    assert done.returncode == 0, done.stderr
    records = {r["case"]: r for r in map(json.loads, done.stdout.splitlines()[1:])}
    moved = records["devices/result_on_cpu"]
    assert moved["outcome"] == "wrong"
    assert "on cpu in eager, on toy:0 in capture" in json.dumps(moved["samples"])
    assert (
        records["mutation/buffer_in_place"]["outcome"] == "supported"
    )  # the module's own, changed there
    assert records["mutation/aliased_example"]["outcome"] == "wrong"  # as by export: one copy


def test_what_is_examined_after_it_does_not_know_it():
    case = database.load().cases["control_flow/cond_on_value"]
    refs = [find(EXPORTERS, "exportdb.exporters.make_fx:MakeFx"), find(DEVICES, TOY)]
    with open_executor() as executor:
        executor.submit(task_of(Examination(CaseProgram(case), *refs), 120.0, None, alone=False))
        (examined,) = executor.endings()
        executor.submit(Task("tests.devices.on_toy:registered", timeout=120.0))
        (after,) = executor.endings()
    assert examined.value["record"]["outcome"] in ("supported", "wrong"), examined.failure
    assert after.value == "privateuseone"
