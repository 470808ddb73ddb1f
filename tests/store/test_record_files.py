"""Runs as files of records: what was added is there, whatever happens to the file meanwhile."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exportdb.cases.data import DataError
from exportdb.records.environment import environment
from exportdb.records.jsonl import Header
from exportdb.records.record import Record
from exportdb.store import open_run, open_store
from exportdb.store.home import home_folder
from exportdb.store.protocol import EVERYTHING, Query, RunWriter, StoreError


@pytest.fixture
def home(tmp_path: Path) -> Path:
    return home_folder(tmp_path / "home")


def header(run: str = "r1") -> Header:
    return Header(run, "2026-01-01T00:00:00+00:00", (environment(),), planned=9, plan="p")


def record(case: str, exporter: str = "export", outcome: str = "supported", **more) -> Record:
    return Record(case, exporter, "cpu", outcome, "compare", **more)


def file_of(home: Path, run: str = "r1") -> Path:
    return home / "runs" / f"{run}.jsonl"


@pytest.fixture
def writer(home: Path) -> RunWriter:
    made = open_store(home).create(header())
    made.add(record("one"))
    return made


def cases(home: Path, run: str = "r1") -> list[str]:
    return [r.case for r in open_run(run, home).records()]


def test_a_run_is_read_by_id_as_last_and_as_a_file(home, writer):
    writer.close()
    open_store(home).create(header("r2")).close()
    assert cases(home) == ["one"]
    assert open_run("last", home).header.run == "r2"
    assert open_run(str(file_of(home))).header == header()
    assert open_store(home).runs() == ["r1", "r2"]
    with pytest.raises(StoreError, match="'r3' is neither a record file nor the ID of a run"):
        open_run("r3", home)


def test_a_run_can_be_asked(home, writer):
    writer.add(record("two", outcome="wrong", verdict="regressed"))
    writer.add(record("two", "make-fx", outcome="wrong", verdict="expected"))
    run = open_run("r1", home)

    def found(query: Query) -> list[tuple[str, str]]:
        return [(r.case, r.exporter) for r in run.records(query)]

    assert found(EVERYTHING) == [("one", "export"), ("two", "export"), ("two", "make-fx")]
    assert found(Query(outcome={"wrong"})) == [("two", "export"), ("two", "make-fx")]
    assert found(Query(case={"two"}, verdict={"regressed"})) == [("two", "export")]
    assert found(Query(device={"cuda"})) == []


def test_records_are_read_one_at_a_time(home, writer):
    with file_of(home).open("a") as file:
        file.write("no record\n")
    records = open_run("r1", home).records()
    assert next(records).case == "one"
    with pytest.raises(Exception, match=":3: is not JSON"):
        next(records)


def test_the_lines_of_a_run_are_a_file_of_records(home, writer, tmp_path):
    copy = tmp_path / "copy.jsonl"
    copy.write_text("".join(open_run("r1", home).lines()))
    assert [r.case for r in open_run(str(copy)).records()] == ["one"]


# While a run goes on


@pytest.mark.parametrize("what", ["file", "folder"])
def test_a_file_that_is_deleted_is_noticed_at_once_and_written_again(home, writer, what):
    if what == "file":
        file_of(home).unlink()
    else:
        file_of(home).unlink()
        (home / "runs").rmdir()
    with pytest.raises(StoreError, match=r"r1\.jsonl was removed or replaced .* is written to"):
        writer.add(record("two"))
    assert cases(home) == ["one", "two"]


def test_a_file_that_is_deleted_after_the_last_record_is_noticed_at_the_end(home, writer):
    file_of(home).unlink()
    with pytest.raises(StoreError, match="was removed"):
        writer.close()
    assert cases(home) == ["one"]


def test_what_came_into_its_place_is_not_overwritten(home, writer):
    file_of(home).unlink()
    file_of(home).write_text("somebody else's\n")
    with pytest.raises(StoreError, match=r"is written to .*r1-rescued\.jsonl"):
        writer.add(record("two"))
    assert file_of(home).read_text() == "somebody else's\n"
    assert cases(home, "r1-rescued") == ["one", "two"]


def test_what_is_added_goes_to_the_disk_soon_and_at_the_end(home, writer, monkeypatch):
    synced = []
    monkeypatch.setattr("os.fsync", synced.append)
    monkeypatch.setattr("exportdb.store.record_files.SYNC", 0.0)
    writer.add(record("two"))
    assert len(synced) == 1
    monkeypatch.setattr("exportdb.store.record_files.SYNC", 1e9)
    writer.add(record("three"))
    assert len(synced) == 1
    writer.close()
    assert len(synced) == 2


@pytest.mark.parametrize(
    "end", [b'{"kind": "rec', b"\0" * 9000, b'{"kind"\0\0\0\0\0"}\n\0\0\n', b""]
)
def test_what_a_power_cut_leaves_at_the_end_is_dropped_on_resume(home, writer, end):
    writer.close()
    with file_of(home).open("ab") as file:
        file.write(end)
    resumed = open_store(home).resume("r1", "p")
    assert {case for _, case, _, _ in resumed.finished} == {"one"}
    resumed.add(record("two"))
    resumed.close()
    assert cases(home) == ["one", "two"]


def test_runs_under_other_switches_are_never_one(home, writer):
    """A file in which somebody joined two is refused, not read as one run."""
    writer.close()
    text = file_of(home).read_text()
    other = environment(switches=("deterministic",))
    line = {"kind": "environment", "run": "r1", "schema": 2, "env": other.digest, **other.to_json()}
    first, rest = text.split("\n", 1)
    file_of(home).write_text(f"{first}\n{json.dumps(line)}\n{rest}")
    with pytest.raises(Exception, match=r":2: .* other switches than the run"):
        cases(home)


# The home folder


def test_a_folder_that_we_make_is_hidden_from_git(tmp_path):
    assert (home_folder(tmp_path / "a" / "home") / ".gitignore").read_text() == "*\n"


def test_in_a_folder_of_the_users_no_file_is_touched(tmp_path, monkeypatch):
    (tmp_path / ".gitignore").write_text("*.pyc\n")
    (tmp_path / "plain").mkdir()
    monkeypatch.chdir(tmp_path)
    home_folder(Path())
    home_folder(Path("plain"))
    assert Path(".gitignore").read_text() == "*.pyc\n"
    assert not Path("plain/.gitignore").exists()


def test_what_was_not_as_expected_is_known_while_the_run_goes_on(home, writer):
    writer.add(record("two", outcome="wrong", verdict="regressed"))
    writer.add(record("three", verdict="expected"))
    writer.add(record("four", outcome="error"))
    writer.add(record("five", verdict="new"))
    with file_of(home).open("a") as file:
        file.write('{"kind": "record", "case": "six", "verd')
    found = open_run("r1", home).surprises()
    assert {case for _, case, _, _ in found} == {"two", "four", "five"}
    assert found <= {r.identity for r in (record(c) for c in ("two", "four", "five"))}


def test_a_count_that_no_database_can_keep_is_an_error_that_names_it():
    line = b'{"kind":"record","case":"a/b","exporter":"export","device":"cpu","outcome":"wrong",'
    line += b'"phase":"run","cost":{"nodes":1000000000000000000000000000000}}'
    assert Record.decode(line.replace(b"0" * 30, b"")).cost == {"nodes": 1}
    with pytest.raises(DataError, match=r"cost\.nodes must be"):
        Record.decode(line)
