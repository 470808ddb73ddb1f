"""What a run is to examine, and how it is cut into shards."""

from __future__ import annotations

import pytest

from exportdb.cases import database
from exportdb.executors.error import RunnerError
from exportdb.plugins import DEVICES, EXPORTERS, find
from exportdb.runner.plan import Shard, broken_records, plan, shard
from tests.runner.conftest import CASE


@pytest.fixture
def db(tmp_path):
    for i in range(40):
        (tmp_path / f"case_{i}.py").write_text(CASE.format(number=i))
    (tmp_path / "bad.py").write_text("x = 1\n")
    return database.load([tmp_path], builtin=False)


@pytest.fixture
def exporters():
    return [find(EXPORTERS, e) for e in ("export", "make-fx")]


@pytest.fixture
def devices():
    return [find(DEVICES, d) for d in ("cpu", "meta")]


def test_a_plan_is_every_case_with_every_exporter_on_every_device(db, exporters, devices):
    found = [e.identity for e in plan(db, exporters, devices)]
    assert len(found) == len(set(found)) == 160
    begins = [(e, d) for _, c, e, d in found if c == "case_0"]
    assert begins == [(e, d) for d in ("cpu", "meta") for e in ("export", "make-fx")]
    assert {i[2:] for i in found[:40]} == {("export", "cpu")}  # one after the other


def test_shards_are_the_whole_plan_and_share_nothing(db, exporters, devices):
    whole = plan(db, exporters, devices)
    parts = [shard(whole, Shard(i, 5)) for i in range(1, 6)]
    identities = [e.identity for part in parts for e in part]
    assert sorted(identities) == sorted(e.identity for e in whole)
    assert all(16 <= len(part) <= 50 for part in parts)


def test_an_examination_stays_in_its_shard_whatever_else_is_planned(db, exporters, devices):
    part = Shard.parse("2/5")
    many = {e.identity for e in shard(plan(db, exporters, devices), part)}
    few = {e.identity for e in shard(plan(list(db)[:7], exporters[:1], devices), part)}
    assert few
    assert few == {i for i in many if i[1] in list(db.cases)[:7] and i[2] == "export"}


@pytest.mark.parametrize("text", ["0/5", "6/5", "1", "1/0", "a/b", "-1/5", "1/5/2", ""])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(RunnerError, match="2/5"):
        Shard.parse(text)


def test_a_broken_case_is_an_error_in_setup_for_every_exporter_and_device(db, exporters, devices):
    records = broken_records(db.broken, exporters, devices)
    assert {(r.case, r.outcome, r.phase) for r in records} == {("bad", "error", "setup")}
    assert len(records) == 4
    assert all("bad.py:1" in r.error.message and r.error.fingerprint for r in records)
