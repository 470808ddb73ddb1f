"""A file says a fact once: what is short in it is read as if it were written out."""

from __future__ import annotations

from pathlib import Path

import pytest
from msgspec import UNSET

from exportdb.cases.case import CaseError
from exportdb.cases.database import builtin_tree
from exportdb.cases.yamlfile import Part
from exportdb.records.expectation import ExpectationEntry
from exportdb.records.expectation_files import layout_of, read
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


def test_samples_are_written_by_their_result(file) -> None:
    """And read as well where each has its own, as in files that were written before."""
    samples = {"n=1": "disagrees", "data: zeros": "raised", "example, called again": "disagrees"}
    text = render({"export": [entry(outcome="wrong", samples=samples)]})
    assert "{disagrees: [n=1, 'example, called again'], raised: ['data: zeros']}" in text
    assert read(file(text))["export"][0].samples == samples
    each = "".join(f"    '{name}': {result}\n" for name, result in samples.items())
    older = file(f"export:\n  outcome: wrong\n  samples:\n{each}")
    assert read(older)["export"][0].samples == samples


def test_what_is_short_stands_on_one_line(file) -> None:
    """An entry, a part of one, and no line between two that are none of either."""
    counts = {"counts": {"guards": 0, "runtime_assertions": 0, "symbols": 0, "unbacked": 0}}
    plain, more = entry(outcome="supported"), entry(outcome="supported", facts=counts, graph="a\nb")
    assert render({"jit-trace": [plain], "export": [more]}) == (
        "export:\n"
        "  outcome: supported\n"
        "  facts: {counts: {guards: 0, runtime_assertions: 0, symbols: 0, unbacked: 0}}\n"
        "  measured: [2.13/cpu]\n"
        "  graph: |-\n"
        "    a\n"
        "    b\n"
        "jit-trace: {outcome: supported, measured: [2.13/cpu]}\n"
    )


def test_a_list_of_samples_under_what_is_no_result_is_an_error(file) -> None:
    path = file("export:\n  outcome: wrong\n  samples: {disagreed: [n=1]}\n")
    with pytest.raises(CaseError, match=r":1: export: .*'disagreed' is no result of a sample"):
        read(path)


def test_a_name_in_a_list_is_never_broken_in_two(file) -> None:
    names = [f"example, called again for the {n}th time" for n in range(9)]
    text = render({"export": [entry(outcome="wrong", samples=dict.fromkeys(names, "disagrees"))]})
    assert all(f"'{name}'" in text for name in names)


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


def told(file, entries, before: str) -> str:
    """The text of these entries in a file that has the text ``before``."""
    text = render(entries, layout_of(Part(file(before))))
    assert read(file(text)) == entries
    assert render(entries, layout_of(Part(file(text)))) == text
    return text


#: Nothing in it stands as it would in a file of its own: each is a chance to move.
SEVERAL_GROUPS = """\
export:
  outcome: supported
  measured: [2.13/cpu]
  graph: |
    %0 = x
    %1 = sin(%0)
    %2 = cos(%1)
    return [%2]
plain: {outcome: unguarded, like: export, measured: [2.13/cpu]}
same-as-plain: {outcome: unguarded, like: export, measured: [2.13/cpu]}
alike:
  - {exporters: [dynamo, script], outcome: refused, measured: [2.13/cpu]}
  - {exporters: [checked, saved], measured: [2.13/cpu]}
  - {exporters: [retraced], outcome: degraded, measured: [2.13/cpu]}
"""


def test_what_is_said_as_before_keeps_every_byte(file) -> None:
    assert told(file, read(file(SEVERAL_GROUPS)), SEVERAL_GROUPS) == SEVERAL_GROUPS


@pytest.mark.parametrize(
    ("fields", "line", "instead"),
    [
        ({"outcome": "refused"}, "[dynamo, script]", "[aot, dynamo, script]"),
        ({"outcome": UNSET}, "[checked, saved]", "[aot, checked, saved]"),
        ({"outcome": "degraded"}, "[retraced]", "[aot, retraced]"),
    ],
)
def test_a_new_exporter_joins_the_group_that_says_its_entry(
    file, fields, line: str, instead: str
) -> None:
    entries = {**read(file(SEVERAL_GROUPS)), "aot": (entry(**fields),)}
    assert told(file, entries, SEVERAL_GROUPS) == SEVERAL_GROUPS.replace(line, instead)


def test_a_new_exporter_does_as_one_that_stands_alone_and_leaves_it_there(file) -> None:
    before = read(file(SEVERAL_GROUPS))
    text = told(file, before | {"aot": before["plain"]}, SEVERAL_GROUPS)
    own = "aot: {outcome: unguarded, like: export, measured: [2.13/cpu]}\n"
    assert text == own + SEVERAL_GROUPS


def test_new_exporters_that_say_the_same_are_a_group_in_its_place(file) -> None:
    before = read(file(SEVERAL_GROUPS))
    new = (entry(outcome="wrong", note="known"),)
    text = told(file, before | {"eager": new, "zero": new}, SEVERAL_GROUPS)
    own = "  - {exporters: [eager, zero], outcome: wrong, note: known, measured: [2.13/cpu]}\n"
    first = SEVERAL_GROUPS.index("  - {exporters: [retraced]")
    assert text == SEVERAL_GROUPS[:first] + own + SEVERAL_GROUPS[first:]


def test_one_that_leaves_its_group_leaves_the_others_as_they_stand(file) -> None:
    before = read(file(SEVERAL_GROUPS))
    text = told(file, before | {"saved": (entry(outcome="wrong"),)}, SEVERAL_GROUPS)
    own = "saved: {outcome: wrong, measured: [2.13/cpu]}\n"
    assert text.replace(own, "") == SEVERAL_GROUPS.replace("[checked, saved]", "[checked]")


def test_a_plainer_name_with_the_same_capture_is_not_named_instead(file) -> None:
    before = read(file(SEVERAL_GROUPS))
    text = told(file, before | {"aot": (entry(graph=GRAPH),)}, SEVERAL_GROUPS)
    own = "aot: {outcome: supported, like: export, measured: [2.13/cpu]}\n"
    assert text == own + SEVERAL_GROUPS


def test_those_that_are_like_one_that_changed_say_what_it_said(file) -> None:
    before = read(file(SEVERAL_GROUPS))
    text = told(file, before | {"export": (entry(graph="%0 = x\n"),)}, SEVERAL_GROUPS)
    assert "same-as-plain: {outcome: unguarded, like: plain," in text
    assert text.count("sin") == 1
    groups = SEVERAL_GROUPS.index("alike:")
    assert text.endswith("\n" + SEVERAL_GROUPS[groups:])


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
    other = [p for p in files[::7] if HEADER + render(read(p), layout_of(Part(p))) != p.read_text()]
    assert files
    assert not other
