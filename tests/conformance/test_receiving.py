"""What an exporter gives back is checked where it comes in: its faults are recorded as its own."""

from __future__ import annotations

import json
import os
from enum import StrEnum
from itertools import count
from typing import Any

import pytest
import torch

from exportdb.exporters.protocol import Artifact, Exporter
from exportdb.records.record import Record

DOUBLE = """
class Model(torch.nn.Module):
    def forward(self, x):
        return x * 2

dynamic_shapes = {"x": {0: Dim("n", min=2, max=9)}}

def inputs(n=5):
    return torch.randn(n)
"""


class Gives(Exporter):
    """Runs the program itself; what its artifact holds besides is the test's."""

    name = "gives"

    def __init__(self, **given: Any) -> None:
        self.given = given

    def capture(self, program):
        return Artifact(**{"call": program.module, **self.given})


class Raises(Exporter):
    """Raises what the test says, while it captures."""

    name = "raises"

    def __init__(self, error: BaseException) -> None:
        self.error = error

    def capture(self, program):
        raise self.error


def fits_a_file(record: Record) -> bool:
    """Whether a record can be written, and is read again as what it was."""
    written = record.with_(run="r", env="0" * 16)
    line = written.encode()
    json.loads(line, parse_constant=pytest.fail)
    return Record.decode(line) == written


def raising(*_: object) -> Any:
    raise ValueError("out of order")


class Unreadable(Exception):
    __str__ = raising


class Unstoppable(BaseException):
    pass


class Hostile:
    """Raises whenever it is looked at."""

    __eq__ = __repr__ = __len__ = __iter__ = raising
    __hash__ = object.__hash__


def nested(levels: int) -> list[Any]:
    return [nested(levels - 1)] if levels else []


class Shifty(dict[str, Any]):
    """Has other numbers the second time."""

    def __init__(self) -> None:
        super().__init__(nodes="many")

    def items(self) -> Any:
        return [("nodes", 1)]


class Word(StrEnum):
    """A text of a class of its own."""

    LOSS = "my-loss"


@pytest.mark.parametrize(
    ("given", "said"),
    [
        ({"call": 5}, "the artifact's call is 5, which is not callable"),
        ({"facts": 5}, "the artifact's facts is 5, not of the type Mapping"),
        ({"facts": {"x": object}}, "the artifact's facts cannot be written as JSON: TypeError"),
        ({"facts": {"x": float("nan")}}, "the artifact's facts cannot be written as JSON: Value"),
        ({"facts": {"x": "a" * 2**24}}, "the artifact's facts have 16777225 characters as JSON"),
        ({"facts": {"ranges": {"x": (2, 9)}}}, "Expected `str`, got `int` - at `$.ranges[...][0]`"),
        (
            {"facts": {"guards": 5}},
            "facts are not as others read them: Expected `array`",
        ),
        ({"facts": {"dims": [[1]]}}, "Expected `object`, got `array` - at `$.dims[0]`"),
        ({"facts": {"display": {"dims": [{}]}}}, "required field `source` - at `$.display.dims"),
        ({"facts": {"counts": {"guards": 10**30}}}, "Expected `int` <= 100000000 - at `$.counts"),
        ({"facts": {"x": nested(60)}}, "the artifact's facts are nested deeper than 50 levels"),
        ({"folded": "w"}, "the artifact's folded is 'w', not names of parameters and buffers"),
        ({"folded": [3]}, "the artifact's folded has 3, not the name of a parameter or buffer"),
        ({"reports": 5}, "the artifact's reports is 5, not pairs of finding ID and message"),
        ({"reports": ["a finding"]}, "the artifact's reports has 'a finding', not a pair"),
        ({"reports": [("Not An ID", "x")]}, "not a pair of finding ID (lower case) and message"),
        ({"cost": [1]}, "the artifact's cost is [1], not numbers by name"),
        ({"cost": {"nodes": float("nan")}}, "the artifact's cost of nodes is nan, not a whole"),
        ({"cost": {"euros": 3}}, "the artifact's cost has 'euros', not one of nodes, guards"),
        ({"cost": {"nodes": 10**30}}, "not a whole number from 0 to 100,000,000"),
        (
            {"graphs": 10**6000},
            "the artifact's graphs is int (its repr() raised ValueError)",
        ),
        ({"cost": Shifty()}, "the artifact's cost of nodes is 'many', not a whole number from 0"),
        ({"graphs": "two"}, "the artifact's graphs is 'two', not a whole number from 1"),
        ({"graphs": 0}, "the artifact's graphs is 0, not a whole number from 1"),
        ({"graph_text": b"relu"}, "the artifact's graph_text is b'relu', not of the type str"),
        ({"graph_text": "x" * 2**24}, "the artifact's graph_text has 16777216 characters"),
        ({"readable": 5}, "the artifact's readable is 5, not of the type str"),
        ({"compares": "nearly"}, "compares is 'nearly', not one of values, metadata, nothing"),
        ({"compares": Hostile()}, "compares is Hostile (its repr() raised ValueError)"),
        ({"exported_program": 5}, "exported_program is 5, not of the type ExportedProgram"),
        ({"graph_module": "fx"}, "graph_module is 'fx', not of the type GraphModule"),
        ({"compiled": 5}, "the artifact's compiled is 5, which is not callable"),
        ({"compiled": raising}, "the artifact's compiled() raised ValueError: out of order"),
        ({"compiled": lambda: "many"}, "the answer of the artifact's compiled() is 'many', not"),
        ({"put_back": raising}, "the artifact's put_back() raised ValueError: out of order"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, dict) else "",
)
def test_an_artifact_that_is_not_as_the_protocol_says_is_refused(examine, given, said) -> None:
    record = examine(DOUBLE, Gives(**given))
    assert record.outcome == "refused"
    assert record.error.type == "ArtifactError" and said in record.error.message
    assert fits_a_file(record)


def test_texts_of_any_class_are_kept_as_texts(examine) -> None:
    class Text(str):
        pass

    reports = ((Word.LOSS, "of a digit"), (Text("my-gain"), Text("of another")))
    record = examine(DOUBLE, Gives(reports=reports, graph_text=Text("%0 = input"), facts={
        "levels": nested(40)
    }))  # fmt: skip
    assert record.outcome == "supported"
    assert {(f.id, f.message) for f in record.findings} == {
        ("my-loss", "of a digit"), ("my-gain", "of another")
    }  # fmt: skip
    assert fits_a_file(record)


def test_fewer_graphs_than_before_are_no_recompilation(examine) -> None:
    left = count(100, step=-1)
    record = examine(DOUBLE, Gives(compiled=lambda: next(left)))
    assert (record.outcome, record.cost["recompilations"]) == ("supported", 0)


def test_a_module_without_its_parts_is_refused(examine) -> None:
    class Wrapper(torch.nn.Module):
        def __init__(self):
            pass  # and not torch's

        def forward(self, x):
            return x * 2

    record = examine(DOUBLE, Gives(call=Wrapper()))
    assert record.outcome == "refused"
    assert "the artifact's call raised AttributeError" in record.error.message


def test_what_is_wrong_before_put_back_raises_stays_wrong(examine) -> None:
    called = []

    def put_back():
        called.append(1)
        if len(called) == 3:
            raise ValueError("no more")

    record = examine(DOUBLE, Gives(call=lambda x: x, put_back=put_back))
    assert record.outcome == "wrong" and "no more" in record.error.message
    assert [s.result for s in record.samples] == ["disagrees", "disagrees"]


@pytest.mark.parametrize(
    ("error", "outcome", "message"),
    [
        (RuntimeError(os.fsdecode(b"caf\xe9.so")), "refused", "caf\\udce9.so"),
        (Unreadable(), "refused", "(its message cannot be read: str() raised ValueError)"),
        (Unstoppable("enough"), "crashed", "enough"),
        (SystemExit(3), "crashed", "sys.exit(3) was called"),
    ],
    ids=lambda v: type(v).__name__,
)
def test_whatever_an_exporter_raises_is_its_own(examine, error, outcome, message) -> None:
    record = examine(DOUBLE, Raises(error))
    assert (record.outcome, record.phase) == (outcome, "capture")
    said = record.error.message.partition("\n\nUser stack:\n")[0]
    assert (record.error.type, said) == (type(error).__name__, message)
    assert fits_a_file(record)


@pytest.mark.parametrize(
    ("error", "outcome", "result"),
    [(Unreadable(), "refused", "raised"), (Unstoppable("enough"), "crashed", None)],
    ids=lambda v: type(v).__name__,
)
def test_whatever_a_capture_raises_is_its_own(examine, error, outcome, result) -> None:
    def call(x):
        raise error

    record = examine(DOUBLE, Gives(call=call))
    assert record.outcome == outcome and record.error.type == type(error).__name__
    assert [s.result for s in record.samples][:1] == ([result] if result else [])
    assert fits_a_file(record)


def test_an_output_that_cannot_be_looked_at_is_wrong(examine) -> None:
    record = examine(DOUBLE, Gives(call=lambda x: Hostile()))
    assert record.outcome == "wrong"
    said = "output is a tensor (5,) in eager, Hostile (its repr() raised ValueError) in capture"
    assert record.samples[0].message == said


def test_an_output_that_raises_when_it_is_compared_is_wrong(examine) -> None:
    class Evasive(torch.Tensor):
        @classmethod
        def __torch_function__(cls, func, types, args=(), kwargs=None):
            if func is torch.equal:
                raise ValueError("out of order")
            return super().__torch_function__(func, types, args, kwargs or {})

    record = examine(DOUBLE, Gives(call=lambda x: (x * 2).as_subclass(Evasive)))
    assert record.outcome == "wrong"
    assert "cannot be compared: ValueError: out of order" in record.samples[0].message


def test_what_is_too_long_to_keep_is_cut(examine) -> None:
    long = "a" * 20_000_000
    record = examine(DOUBLE, Gives(reports=[("verbose", long)] * 200, readable=long))
    assert record.outcome == "supported"
    assert [f.id for f in record.findings] == ["verbose"]
    assert len(record.findings[0].message) < 7000 and len(record.graph_readable) < 9_000_000
    assert fits_a_file(record)


def test_texts_that_are_no_unicode_are_written_as_escapes(examine) -> None:
    bad = "caf\udce9"
    record = examine(DOUBLE, Gives(graph_text=bad, reports=[("name", bad)], facts={"file": bad}))
    assert record.outcome == "supported"
    assert (record.graph, record.findings[0].message) == ("caf\\udce9", "caf\\udce9")
    assert fits_a_file(record)
