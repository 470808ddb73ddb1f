"""Comparisons: results with another outcome, and those that are different all the same."""

from __future__ import annotations

import re
from dataclasses import replace
from pathlib import Path

import pytest

from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Record
from exportdb.site.load import Inputs, load
from exportdb.site.model import Cell, Place, Site, Source
from exportdb.site.pages import compare

from .conftest import record, write_case, write_records

GRAPH = "  %0: float32[s0] = x\n  return [%0]\noutputs: user_output\nrange s0 in [2, 8]\n"
CELL = Cell(
    "area/adds", "export", Place("2.13", "cpu"), Outcome.SUPPORTED, Source(), graph=GRAPH,
    ranges={"x.size()[0]": ("2", "8")}, facts={"counts": {"guards": 0}},
    error=ErrorInfo("RuntimeError", "it went away", "00ff"),
)  # fmt: skip


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({}, ()),
        ({"graph": GRAPH.replace("%0]\n", "%0, %0]\n")}, ("graph",)),
        ({"graph": GRAPH.replace("user_output", "buffer_mutation")}, ("graph",)),
        ({"graph": GRAPH.replace("outputs: user_output\n", "")}, ()),  # not every exporter says
        ({"graph": "".join(f"  {line}\n" for line in GRAPH.splitlines())}, ()),
        ({"graph": GRAPH.replace("[2, 8]", "[1, 8]"), "ranges": {"x.size()[0]": (1, 8)}},
         ("ranges",)),
        ({"ranges": {"x.size()[0]": (2, 8)}}, ()),  # a number, or as text
        ({"facts": {"guards": ["x.size()[0] > 4"]}}, ("guards",)),
        ({"error": ErrorInfo("RuntimeError", "it went off", "00fe")}, ("error",)),
        ({"error": ErrorInfo("RuntimeError", "it went away at 0x7f", "00ff")}, ()),
        ({"graph": "", "ranges": {}, "facts": {}, "error": None}, ()),  # nothing to compare
    ],
)  # fmt: skip
def test_results_with_one_outcome_differ_in_what_both_have(
    other: dict[str, object], what: tuple[str, ...]
) -> None:
    assert compare.differing(CELL, replace(CELL, **other)) == what


def site_of(tree: Path, *records: Path) -> Site:
    return load(Inputs(records, (tree,), builtin=False))


def rows(html: str) -> list[tuple[list[str], list[str]]]:
    """The texts of each row and the links in it."""
    found = []
    for row in re.findall(r"<tr>(.*?)</tr>", html.partition("<tbody>")[2]):
        cells = re.findall(r"<t[hd][^>]*>(.*?)</t[hd]>", row)
        texts = [" ".join(re.sub("<[^>]*>", "", cell).split()) for cell in cells]
        found.append((texts, re.findall('href="([^"]*)"', row)))
    return found


def test_two_exporters_are_compared_and_both_cells_are_linked(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    write_case(tree, "area/same")
    file = write_records(
        tmp_path / "r.jsonl",
        wrong, wrong.with_(exporter="mine", graph="%0: float32[s0] = x\n", facts={}),
        record("area/adds_later"), record("area/adds_later", exporter="mine", outcome="refused"),
        record("area/same"), record("area/same", exporter="mine"),
    )  # fmt: skip
    page = compare.exporters(site_of(tree, file), "export", "mine")
    assert "1 results have another outcome, 1 the same outcome with another graph" in page.lead
    assert "and 1 are the same in all that both have (torch 2.13 on cpu)" in page.lead
    better, worse, alike = (rows(section.html) for section in page.sections)
    case = "../cases/area/adds_later.html"
    assert better == []
    assert worse == [
        (["adds later", "cpu", "✔ supported", "✖ refused"],
         [case, f"{case}#export-2.13-cpu", f"{case}#mine-2.13-cpu"])
    ]  # fmt: skip
    assert [texts for texts, _ in alike] == [["adds", "cpu", "≠ wrong", "≠ wrong", "graph"]]


def test_what_is_declared_impossible_is_neither_better_nor_worse(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    file = write_records(
        tmp_path / "r.jsonl",
        wrong, wrong.with_(exporter="mine", outcome="unavailable", phase="setup"),
    )  # fmt: skip
    page = compare.exporters(site_of(tree, file), "export", "mine")
    assert "1 results have another outcome" in page.lead
    found = {section.id: rows(section.html) for section in page.sections}
    assert found["better"] == found["worse"] == []
    assert [texts for texts, _ in found["unknown"]] == [["adds", "cpu", "≠ wrong", "– unavailable"]]


def test_two_torch_versions_are_compared(tree: Path, tmp_path: Path, wrong: Record) -> None:
    old = write_records(tmp_path / "old.jsonl", wrong)
    changed = wrong.with_(graph="  %0: float32[s0] = x\n", graph_digest="ef01")
    new = write_records(tmp_path / "new.jsonl", changed, torch="2.15.0", started="2026-02-01")
    page = compare.torches(site_of(tree, old, new), "2.13", "2.15")
    *_, alike = (rows(section.html) for section in page.sections)
    case = "../cases/area/adds.html"
    assert page.title == "torch 2.13 and 2.15 compared"
    assert alike == [
        (["export", "adds", "cpu", "≠ wrong", "≠ wrong", "graph"],
         [case, f"{case}#export-2.13-cpu", f"{case}#export-2.15-cpu"])
    ]  # fmt: skip
