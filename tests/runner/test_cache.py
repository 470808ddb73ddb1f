"""What was measured is not measured again, until something that it depends on changes."""

from __future__ import annotations

import dataclasses
import json
import sqlite3
import threading
from collections.abc import Callable

import pytest

from exportdb.conformance.options import Options
from exportdb.records import environment
from exportdb.runner import cache
from exportdb.runner.declarations import declarations_of
from exportdb.runner.plan import examinations
from tests.runner.conftest import Bench


def examined(bench: Bench, *exporters: str, **settings) -> int:
    """How many examinations a run really makes."""
    bench.run(*(exporters or ("Right",)), **settings)
    return len(bench.log.begun)


def test_a_second_run_examines_nothing_and_says_the_same(bench: Bench):
    (first,) = bench.run("Right").stored.records()
    (second,) = bench.run("Right").stored.records()
    assert bench.log.begun == []
    assert (bench.log.total, bench.log.cached) == (1, 1)
    assert (first.cached, second.cached) == (False, True)
    assert second.with_(run=first.run, cached=False) == first


def test_fresh_examines_again_and_keeps_what_it_finds(bench: Bench):
    assert examined(bench, fresh=True) == 1
    assert examined(bench, fresh=True) == 1
    assert examined(bench) == 0


def test_only_the_case_that_changed_is_examined(bench: Bench):
    bench.case("two", 2)
    assert examined(bench) == 2
    bench.case("two", 3)
    assert examined(bench) == 1
    assert bench.log.begun == ["two"]


def test_another_exporter_beside_it_changes_nothing(bench: Bench):
    assert examined(bench) == 1
    assert examined(bench, "Right", "Wrong", retry=False) == 1


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
    bench.expect("right", outcome="supported")
    (first,) = bench.run("Right").stored.records()
    bench.expect("right")
    (second,) = bench.run("Right").stored.records()
    assert (first.verdict, second.verdict) == ("expected", "new")


def test_a_known_result_that_has_become_a_surprise_is_tried_a_second_time_once(bench: Bench):
    assert examined(bench) == 1
    bench.expect("right", outcome="refused", phase="capture")
    assert examined(bench) == 1
    assert examined(bench) == 0


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
        lines = [json.loads(line) for line in run.stored.path.read_text().splitlines()]
        assert {r["outcome"] for r in lines[1:]} == {"supported"}
        assert len(lines) == 7


# What a result depends on


def key(bench: Bench, spec: str = "Right", device: str = "cpu", **changes) -> str:
    """The key of the one examination there is."""
    memory_mb = changes.pop("memory_mb", 4096)
    (examination,) = examinations(bench.request(spec, device=device))
    declarations = declarations_of([examination.exporter, examination.device])
    packages = [p for d in declarations.values() for p in d.packages]
    keys = cache.Keys(environment.environment(packages), declarations, memory_mb)
    return keys.key(dataclasses.replace(examination, **changes))


def edit(bench: Bench, old: str, new: str) -> None:
    text = bench.exporters.read_text()
    assert old in text
    bench.exporters.write_text(text.replace(old, new))


def versions(monkeypatch, name: str) -> None:
    real = environment.installed_version
    monkeypatch.setattr(
        environment, "installed_version", lambda n: "0.0.1" if n == name else real(n)
    )


def test_the_same_has_the_same_key(bench: Bench):
    assert key(bench) == key(bench)


CHANGES: dict[str, Callable[[Bench, pytest.MonkeyPatch], object]] = {
    "the case": lambda b, m: b.case("one", 2),
    "the source of the exporter": lambda b, m: edit(b, "import os", "import os  # edited"),
    "torch": lambda b, m: versions(m, "torch"),
    "numpy": lambda b, m: versions(m, "numpy"),
    "python": lambda b, m: m.setattr("platform.python_version", lambda: "3.99.0"),
    "the machine": lambda b, m: m.setattr("platform.machine", lambda: "abacus"),
    "exportdb's own engine": lambda b, m: m.setattr(cache, "engine_digest", lambda: "0" * 16),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_this_changes_the_key(bench: Bench, monkeypatch, what):
    before = key(bench)
    CHANGES[what](bench, monkeypatch)
    assert key(bench) != before


def test_options_memory_device_and_exporter_are_in_the_key(bench: Bench):
    keys = {
        key(bench),
        key(bench, options=Options(seed=1)),
        key(bench, suite="other"),
        key(bench, memory_mb=None),
        key(bench, device="meta"),
        key(bench, "Wrong"),
        key(bench, "export"),
        key(bench, "export-strict"),
    }
    assert len(keys) == 8


def test_packages_are_in_the_keys_of_the_exporters_that_name_them(bench: Bench, monkeypatch):
    edit(bench, 'name = "wrong"', 'name = "wrong"; packages = ["pytest"]')
    before = key(bench, "Right"), key(bench, "Wrong")
    versions(monkeypatch, "pytest")
    after = key(bench, "Right"), key(bench, "Wrong")
    assert after[0] == before[0]
    assert after[1] != before[1]
