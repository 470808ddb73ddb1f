"""Files of records: every line is checked before anything is made of it."""

from __future__ import annotations

import dataclasses
import json
import os
import subprocess
import sys

import pytest
from jsonschema import Draft202012Validator

from exportdb.cases.data import DataError
from exportdb.records import jsonl
from exportdb.records.environment import Environment, environment
from exportdb.records.jsonl import Header, RecordFileError
from exportdb.records.record import ErrorInfo, Finding, Record, SampleResult, digest

ENVIRONMENT = Environment("2.13.0", "3.11.7", "CPython", "Linux-x86_64", {"numpy": "2.4"})
OTHER = Environment("2.11.0", "3.12.1", "CPython", "Linux-x86_64", {"openvino": "2026.4"})
HEADER = Header(
    "20260101-000000-abcd", "2026-01-01T00:00:00+00:00", (ENVIRONMENT,), 2, "p", ("run",)
)
RECORD = Record(
    "a/b", "export", "cpu", "specialized", "run",
    run=HEADER.run, env=ENVIRONMENT.digest,
    error=ErrorInfo("RuntimeError", "n must be 3", "0" * 16),
    samples=(SampleResult("example", "example", "agrees", {"n": 3}),),
    findings=(Finding("range-wider-than-guards", "n"),),
    ranges={"n": ("2", "int_oo")}, facts={"guards": []}, seconds={"capture": 0.1},
)  # fmt: skip


@pytest.fixture
def file(tmp_path):
    path = tmp_path / "run.jsonl"

    def write(*lines: bytes | str):
        path.write_bytes(b"".join(x.encode() if isinstance(x, str) else x for x in lines))
        return path

    return write


def changed(record: Record = RECORD, **fields) -> str:
    data = record.to_json() | fields
    return json.dumps({k: v for k, v in data.items() if v is not ...}) + "\n"


def test_what_is_written_is_read(file):
    path = file(FIRST, GOOD, GOOD)
    header, records = jsonl.read(path)
    assert header == HEADER
    assert list(records) == [RECORD, RECORD]


def test_a_file_may_hold_records_of_several_environments(file):
    header = dataclasses.replace(HEADER, environments=(ENVIRONMENT, OTHER))
    there = RECORD.with_(env=OTHER.digest)
    path = file(header.encode(), GOOD, there.encode() + b"\n")
    read, records = jsonl.read(path)
    assert read == header
    assert [read.environment_of(r) for r in records] == [ENVIRONMENT, OTHER]
    assert all(SCHEMA.is_valid(json.loads(line)) for line in path.read_text().splitlines())


def test_a_file_of_the_schemas_first_version_is_read(file):
    old = json.loads(FIRST) | {"schema": 1}
    path = file(json.dumps(old) + "\n", changed(schema=1))
    header, records = jsonl.read(path)
    assert header.environment == ENVIRONMENT
    assert [r.outcome for r in records] == ["specialized"]


def test_the_digest_of_an_environment_hangs_on_all_of_it():
    others = [
        Environment("2.15.0", "3.11.7", "CPython", "Linux-x86_64", {"numpy": "2.4"}),
        Environment("2.13.0", "3.11.7", "CPython", "Linux-x86_64", {"numpy": "2.5"}),
        Environment("2.13.0", "3.11.7", "CPython", "Linux-x86_64", {"numpy": "2.4"}, "H200"),
    ]
    assert len({e.digest for e in [ENVIRONMENT, *others]}) == 4
    assert environment(["pytest", "no-such-thing"]).packages.keys() >= {"pytest"}
    assert "no-such-thing" not in environment(["no-such-thing"]).packages


PRINTED = [sys.executable, "-m", "exportdb", "schema", "records"]
SCHEMA = Draft202012Validator(json.loads(subprocess.check_output(PRINTED)))
GOOD, FIRST = RECORD.encode() + b"\n", HEADER.encode()


@pytest.mark.parametrize(
    "lines, line, message",
    [
        ([FIRST, GOOD, "{]\n"], 3, "not JSON"),
        ([FIRST, GOOD, "\n", GOOD], 3, "not JSON"),
        ([FIRST, "[1]\n"], 2, "neither an environment nor a record"),
        ([FIRST, changed(outcome="splendid")], 2, "outcome must be one of supported"),
        ([FIRST, changed(case=...)], 2, "lacks the key 'case'"),
        ([FIRST, changed(colour="red")], 2, "unknown key 'colour'"),
        ([FIRST, changed(samples=[{"role": "example"}])], 2, "samples[0] lacks the key 'name'"),
        ([FIRST, changed(schema=99)], 2, "schema 99"),
        ([FIRST, FIRST], 2, "a second run begins here"),
        ([GOOD], 1, "must begin with the environment line of a run"),
        ([""], 1, "must begin with the environment line of a run"),
        ([FIRST, GOOD, FIRST], 3, "a second run begins here"),
        ([FIRST, changed(env=OTHER.digest)], 2, "no environment line is about"),
        ([FIRST, GOOD, GOOD[:30]], 3, "cut off"),
        ([FIRST[:30]], 1, "cut off"),
        (["\x00" * 100 + "\n"], 1, "not JSON"),
        (["[" * 100_000 + "\n"], 1, "not JSON"),
    ],
)
def test_what_is_wrong_is_one_error_that_names_the_line(file, lines, line, message):
    path = file(*lines)
    with pytest.raises(RecordFileError) as error:
        list(jsonl.read(path)[1])
    assert str(error.value).startswith(f"{path}:{line}: ")
    assert message in str(error.value)


def test_a_cut_off_last_line_can_be_left_out(file):
    path = file(FIRST, GOOD, GOOD[:30])
    assert list(jsonl.read(path, torn=True)[1]) == [RECORD]


def test_a_file_that_is_not_there_is_an_error(tmp_path):
    with pytest.raises(RecordFileError, match="cannot be read"):
        jsonl.read(tmp_path / "none.jsonl")


def test_the_schema_is_one_and_describes_every_field():
    schema = SCHEMA.schema
    Draft202012Validator.check_schema(schema)
    assert SCHEMA.is_valid(json.loads(FIRST))
    assert SCHEMA.is_valid(json.loads(GOOD))
    for kind in (k for k in schema["$defs"].values() if "properties" in k):
        assert all(field["description"] for field in kind["properties"].values())
    assert schema["$defs"]["Record"]["properties"].keys() == RECORD.to_json().keys()
    assert schema["$defs"]["EnvironmentLine"]["properties"].keys() == json.loads(FIRST).keys()


def test_what_no_file_can_hold_is_written_as_an_escape_and_read_again(file):
    half = os.fsdecode(b"caf\xe9.so")
    record = RECORD.with_(
        error=ErrorInfo("RuntimeError", half, digest(half)),
        samples=(SampleResult("accepts", half, "raised", {half: 3}, half),),
        facts={half: [half]},
        graph_readable=half,
    )
    path = file(FIRST, record.encode() + b"\n")
    (back,) = jsonl.read(path)[1]
    assert back.error.message == back.graph_readable == "caf\\udce9.so"
    assert back.facts == {"caf\\udce9.so": ["caf\\udce9.so"]}
    assert back.encode() + b"\n" == path.read_bytes().splitlines(keepends=True)[1]


def test_no_line_holds_what_json_has_no_word_for():
    no_number = RECORD.with_(facts={"a": float("nan"), "b": [float("inf")]})

    def refuse(word):
        raise AssertionError(f"{word} is no JSON")

    json.loads(no_number.encode(), parse_constant=refuse)
    with pytest.raises(DataError, match="is not JSON"):
        Record.decode(RECORD.encode().replace(b"0.1", b"NaN"))
