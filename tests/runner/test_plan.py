"""What a run is to examine, and how it is cut into shards."""

from __future__ import annotations

from dataclasses import replace

import pytest

from exportdb.cases import database
from exportdb.cases.database import SelectionError
from exportdb.executors.error import RunnerError
from exportdb.plugins import DEVICES, EXPORTERS, find
from exportdb.records.record import Identity
from exportdb.runner.plan import Examination, broken_records, plan
from exportdb.runner.request import Request, Shard
from exportdb.suites.cases import CaseProgram
from tests.runner.conftest import CASE


@pytest.fixture
def db(tmp_path):
    for i in range(40):
        (tmp_path / f"case_{i}.py").write_text(CASE.format(number=i))
    (tmp_path / "bad.py").write_text("x = 1\n")
    return database.load([tmp_path], builtin=False)


@pytest.fixture
def request_(db):
    exporters = tuple(find(EXPORTERS, e) for e in ("export", "make-fx"))
    devices = tuple(find(DEVICES, d) for d in ("cpu", "meta"))
    return Request(tuple(map(CaseProgram, db)), exporters, devices, broken=db.broken)


def expected(examination: Examination) -> str:
    """Cases with an odd number are expected to be refused by export."""
    odd = examination.program.id[-1] in "13579"
    return "refused" if odd and examination.exporter.name == "export" else "supported"


def no_times(run: str) -> dict[Identity, float]:
    raise AssertionError(f"the times of {run} are not asked for")


def identities(request: Request) -> list[tuple[str, ...]]:
    return [e.identity for e in plan(request, expected)]


def test_a_plan_is_every_case_with_every_exporter_on_every_device(request_):
    found = identities(request_)
    assert len(found) == len(set(found)) == 160
    begins = [(e, d) for _, c, e, d in found if c == "case_0"]
    assert begins == [(e, d) for d in ("cpu", "meta") for e in ("export", "make-fx")]
    assert {i[2:] for i in found[:40]} == {("export", "cpu")}  # one after the other


def test_shards_are_the_whole_plan_and_share_nothing(request_):
    parts = [replace(request_, shard=Shard(i, 5)) for i in range(1, 6)]
    assert sorted(i for p in parts for i in identities(p)) == sorted(identities(request_))
    assert all(16 <= len(identities(p)) <= 50 for p in parts)
    assert sum(len(broken_records(p)) for p in parts) == 4


def test_an_examination_stays_in_its_shard_whatever_else_is_planned(request_):
    many = replace(request_, shard=Shard.parse("2/5", no_times))
    few = replace(many, programs=many.programs[:7], exporters=many.exporters[:1])
    ids = [p.id for p in few.programs]
    assert identities(few)
    assert identities(few) == [i for i in identities(many) if i[1] in ids and i[2] == "export"]


def test_shards_are_balanced_by_the_times_of_a_run(request_):
    """One part gets what is slow; what was never timed is spread, and nothing is lost or twice."""
    found = identities(request_)
    times = {i: 1000.0 if i == found[5] else 10.0 for i in found[:100]}
    parts = [Shard.parse(f"{i}/4@run", lambda _: times) for i in range(1, 5)]
    planned = [identities(replace(request_, shard=p)) for p in parts]
    assert sorted(i for p in planned for i in p) == sorted(found)
    timed = [[i for i in p if i in times] for p in planned]
    assert sorted(map(len, timed)) == [1, 33, 33, 33]
    assert [found[5]] in timed
    assert sum(len(broken_records(replace(request_, shard=p))) for p in parts) == 4


def test_the_times_balance_what_is_planned_however_much_else_was_timed(request_):
    """Of a topic, too, each part gets its share."""
    times = {i: 10.0 + n % 7 for n, i in enumerate(identities(request_))}
    few = replace(request_, programs=request_.programs[:8], exporters=request_.exporters[:1])
    parts = [Shard.parse(f"{i}/4@run", lambda _: times) for i in range(1, 5)]
    assert [len(identities(replace(few, shard=p))) for p in parts] == [4, 4, 4, 4]


def test_all_shards_agree_on_who_does_what_in_whatever_order_the_records_are(request_):
    times = {i: float(len(i[1]) % 3) for i in identities(request_)}
    backwards = dict(reversed(times.items()))
    for text in ("1/3@run", "3/3@run"):
        one, other = (
            replace(request_, shard=Shard.parse(text, lambda _, t=t: t)) for t in (times, backwards)
        )
        assert identities(one) == identities(other)


def test_a_plan_can_be_just_what_is_expected_to_have_an_outcome(request_):
    refused = replace(request_, outcomes=("refused",))
    assert len(identities(refused)) == 40
    assert all(c[-1] in "13579" and e == "export" for _, c, e, _ in identities(refused))
    assert broken_records(refused) == []
    with pytest.raises(SelectionError, match="nothing selected is expected to be wrong"):
        plan(replace(request_, outcomes=("wrong",)), expected)


@pytest.mark.parametrize("text", ["0/5", "6/5", "1", "1/0", "a/b", "-1/5", "1/5/2", "", "2/5@"])
def test_what_is_no_shard_is_refused(text):
    with pytest.raises(RunnerError, match="2/5"):
        Shard.parse(text, no_times)


def test_a_broken_case_is_an_error_in_setup_for_every_exporter_and_device(request_):
    records = broken_records(request_)
    assert {(r.case, r.outcome, r.phase) for r in records} == {("bad", "error", "setup")}
    assert len(records) == 4
    assert all("bad.py:1" in r.error.message and r.error.fingerprint for r in records)
