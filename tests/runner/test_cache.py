"""What was measured is not measured again, until something that it depends on changes."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
import threading

import pytest

from exportdb.conformance.options import Options
from exportdb.records import environment
from exportdb.runner import cache
from tests.runner.conftest import Bench


def examined(bench: Bench, *exporters: str, **settings) -> int:
    """How many examinations a run really makes."""
    bench.run(*(exporters or ("Right",)), **settings)
    return len(bench.log.begun)


def test_a_second_run_examines_nothing_and_says_the_same(bench: Bench):
    (first,) = bench.run("Right").records
    (second,) = bench.run("Right").records
    assert bench.log.begun == []
    assert (bench.log.total, bench.log.cached) == (1, 1)
    assert (first.cached, second.cached) == (False, True)
    assert second.with_(run=first.run, cached=False) == first


def test_fresh_examines_again_and_keeps_what_it_finds(bench: Bench):
    assert examined(bench) == 1
    assert examined(bench, fresh=True) == 1
    assert examined(bench) == 0


def test_only_the_case_that_changed_is_examined(bench: Bench):
    bench.case("two", 2)
    assert examined(bench) == 2
    bench.case("two", 3)
    assert examined(bench) == 1
    assert bench.log.begun == ["two"]


def test_an_exporter_that_changed_is_examined(bench: Bench):
    assert examined(bench) == 1
    bench.exporters.write_text(bench.exporters.read_text() + "\n# another version\n")
    assert examined(bench) == 1


def test_another_exporter_beside_it_changes_nothing(bench: Bench):
    assert examined(bench) == 1
    assert examined(bench, "Right", "Wrong", retry=False) == 1


def test_other_options_are_examined(bench: Bench):
    assert examined(bench) == 1
    plan, _ = bench.plan("Right")
    other = [dataclasses.replace(e, options=Options(seed=1)) for e in plan]
    assert examined(bench, examinations=other) == 1


def test_another_memory_limit_is_examined(bench: Bench):
    assert examined(bench, memory_mb=1000) == 1
    assert examined(bench, memory_mb=2000) == 1


@pytest.mark.parametrize("distribution", ["torch", "numpy"])
def test_another_version_of_what_decides_results_is_examined(bench: Bench, monkeypatch, distribution):
    assert examined(bench) == 1
    real = environment.installed_version
    monkeypatch.setattr(
        environment, "installed_version", lambda n: "0.1" if n == distribution else real(n)
    )
    assert examined(bench) == 1


def test_the_package_that_an_exporter_names_decides_too(bench: Bench, monkeypatch):
    source = bench.exporters.read_text()
    bench.exporters.write_text(source.replace('name = "right"', 'name = "right"; packages = ["pytest"]'))
    assert examined(bench) == 1
    real = environment.installed_version
    monkeypatch.setattr(environment, "installed_version", lambda n: "0.1" if n == "pytest" else real(n))
    assert examined(bench) == 1


def test_another_exportdb_is_examined(bench: Bench, monkeypatch):
    assert examined(bench) == 1
    monkeypatch.setattr(cache, "engine_digest", lambda: "0" * 16)
    assert examined(bench) == 1


def test_old_results_are_examined_again(bench: Bench):
    assert examined(bench) == 1
    with sqlite3.connect(bench.home / "cache.sqlite") as db:
        db.execute("UPDATE results SET made = made - ?", [cache.MAX_AGE])
    assert examined(bench) == 1


@pytest.mark.parametrize("exporter", ["Hangs", "Changes"])
def test_timeouts_and_flaky_results_are_not_kept(bench: Bench, exporter):
    assert examined(bench, exporter, timeout=0.5) == 2
    assert examined(bench, exporter, timeout=0.5) == 2


def test_errors_are_not_kept(bench: Bench):
    (bench.tree / "one.py").write_text((bench.tree / "one.py").read_text() + "\nraise ValueError\n")
    assert examined(bench, retry=False) == 1
    assert examined(bench, retry=False) == 1


def test_a_verdict_is_of_its_run_and_not_kept(bench: Bench):
    (first,) = bench.run("Right", judge=lambda r: r.with_(verdict="expected")).records
    (second,) = bench.run("Right", judge=lambda r: r.with_(verdict="new")).records
    assert (first.verdict, second.verdict) == ("expected", "new")


def test_a_known_result_that_has_become_a_surprise_is_tried_a_second_time_once(bench: Bench):
    def surprise(record):
        return record.with_(verdict="regressed")

    assert examined(bench) == 1
    assert examined(bench, judge=surprise) == 1
    assert examined(bench, judge=surprise) == 0


def test_two_runs_at_once_on_one_home_are_fine(bench: Bench):
    for i in range(5):
        bench.case(f"more_{i}", i)
    done = []
    other = Bench.__new__(Bench)
    vars(other).update(vars(bench))
    threads = [
        threading.Thread(target=lambda b=b: done.append(b.run("Right"))) for b in (bench, other)
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    one, two = done
    assert one.id != two.id
    for run in done:
        lines = [json.loads(line) for line in run.path.read_text().splitlines()]
        assert {r["outcome"] for r in lines[1:]} == {"supported"}
        assert len(lines) == 7
