"""A file says a fact once: what is short in it is read as if it were written out."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.cases.case import CaseError
from exportdb.cases.database import builtin_tree
from exportdb.records.expectation import ExpectationEntry
from exportdb.records.expectation_files import read
from exportdb.records.expectation_text import HEADER, render

GRAPH = "%0 = x\n%1 = sin(%0)\n%2 = cos(%1)\nreturn [%2]\n"


@pytest.fixture
def file(tmp_path: Path):
    """A file of this text."""

    def write(text: str) -> Path:
        path = tmp_path / "case.yaml"
        path.write_text(text)
        return path

    return write


def entry(**fields) -> ExpectationEntry:
    return ExpectationEntry(**{"outcome": "supported", "measured": ("2.13/cpu",), **fields})


def test_versions_that_follow_each_other_are_written_as_a_range(file) -> None:
    points = ("2.11/cpu", "2.12/cpu", "2.13/cpu", "2.15/cpu", "2.13/meta", "2.15/cpu+deterministic")
    text = render({"export": [entry(measured=points)]})
    assert "[2.11..2.13/cpu, 2.15/cpu, 2.13/meta, 2.15/cpu+deterministic]" in text
    assert read(file(text))["export"][0].measured == points


@pytest.mark.parametrize("text", ["2.13", "2.13..2.15", "2.13..3.1/cpu", "..2.13/cpu"])
def test_what_is_no_place_is_an_error_with_its_line(file, text: str) -> None:
    path = file(f"a: {{}}\nexport:\n  measured: ['{text}']\n")
    with pytest.raises(CaseError, match=r":2: export: .*must be a torch minor version"):
        read(path)


def test_a_capture_that_two_exporters_share_is_written_once(file) -> None:
    entries = {
        "export": (entry(graph=GRAPH, ranges={"n": (2, 9)}),),
        "package": (entry(outcome="unguarded", graph=GRAPH, ranges={"n": (2, 8)}),),
    }
    text = render(entries)
    assert text.count("sin") == 1
    assert "like: export" in text
    assert read(file(text)) == entries
    assert read(file(text), {"package"}) == {"package": entries["package"]}


def test_one_that_lacks_a_part_of_it_is_written_out(file) -> None:
    entries = {
        "export": (entry(graph=GRAPH, ranges={"n": (2, 9)}),),
        "package": (entry(graph=GRAPH),),
    }
    assert read(file(render(entries))) == entries


def test_an_entry_that_several_exporters_have_is_written_once(file) -> None:
    entries = {"a": (entry(),), "b": (entry(outcome="refused"),), "c": (entry(),)}
    text = render(entries)
    assert "exporters: [a, c]" in text
    assert read(file(text)) == entries
    assert read(file(text), {"c"}) == {"c": entries["c"]}


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("a: {like: b}", "1: a: like: 'b' is not an exporter of this file"),
        (
            "a: {like: b}\nb: {like: a}",
            "1: a: like: 'b' is not an exporter of this file that gives",
        ),
        ("alike:\n- exporters: [a]\n  outcome: best", r"1: alike: \[0\].outcome must be one of"),
        ("alike:\n- outcome: supported", r"1: alike: \[0\] lacks the key 'exporters'"),
        ("a: {}\nalike:\n- exporters: [a]", "2: alike: a has an entry of its own"),
    ],
)
def test_a_mistake_is_one_error_with_its_line(file, text: str, says: str) -> None:
    with pytest.raises(CaseError, match=says):
        read(file(text))


def test_every_file_of_the_database_is_as_it_would_be_written(file) -> None:
    files = [p for p in builtin_tree().glob("*/*.yaml") if p.with_suffix(".py").is_file()]
    other = [p for p in files[::7] if HEADER + render(read(p)) != p.read_text()]
    assert files
    assert not other
