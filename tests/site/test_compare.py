"""Comparisons: results with another outcome, and those that are different all the same.

The page's own script compares, run by a JavaScript engine on the index of a small site.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exportdb.records.record import ErrorInfo, Record
from exportdb.site.load import Inputs, load

from .conftest import record, write_case, write_records
from .test_scripts import asker

GRAPH = "  %0: float32[s0] = x\n  return [%0]\noutputs: user_output\nrange s0 in [2, 8]\n"
RESULT = record(
    graph=GRAPH, ranges={"x.size()[0]": ("2", "8")}, facts={"counts": {"guards": 0}},
    error=ErrorInfo("RuntimeError", "it went away", "00ff"),
)  # fmt: skip

#: Of two results the case, the device, both outcomes and what else differs, by kind.
Compared = dict[str, Any]
COMPARE = """([kind, a, b]) => {
  const found = xdbCompare.compare(index, window.exportdbLooks, xdbCompare[kind](index, a, b));
  const told = ({ case: at, columns, outcomes, what }) => [index.cases[at][0],
    ...columns.map((column) => window.exportdbLooks.anchors[column]),
    ...outcomes.map((outcome) => index.outcomes[outcome][0]), ...what];
  return Object.fromEntries(Object.entries(found).map(([kind, rows]) =>
    [kind, Array.isArray(rows) ? rows.map(told) : rows]));
}"""


@pytest.fixture
def compared(tree: Path, tmp_path: Path) -> Callable[..., Compared]:
    """Compares two torch versions or exporters in some files of records."""

    def compare(kind: str, a: str, b: str, *records: Path) -> Compared:
        site = load(Inputs(records, (tree,), builtin=False))
        names = [site.exporters.index(n) if kind == "exporters" else n for n in (a, b)]
        found: Compared = asker(site)(COMPARE, [kind, *names])
        return found

    return compare


@pytest.mark.parametrize(
    ("other", "what"),
    [
        ({}, []),
        ({"graph": GRAPH.replace("%0]\n", "%0, %0]\n")}, ["graph"]),
        ({"graph": GRAPH.replace("user_output", "buffer_mutation")}, ["graph"]),
        ({"graph": GRAPH.replace("outputs: user_output\n", "")}, []),  # not every exporter says
        ({"graph": "".join(f"  {line}\n" for line in GRAPH.splitlines())}, []),
        ({"graph": GRAPH.replace("[2, 8]", "[1, 8]"), "ranges": {"x.size()[0]": ("1", "8")}},
         ["ranges"]),
        ({"facts": {"guards": ["x.size()[0] > 4"]}}, ["guards"]),
        ({"error": ErrorInfo("RuntimeError", "it went off", "00fe")}, ["error"]),
        ({"error": ErrorInfo("RuntimeError", "it went away at 0x7f", "00ff")}, []),
        ({"graph": None, "ranges": {}, "facts": {}, "error": None}, []),  # nothing to compare
    ],
)  # fmt: skip
def test_results_with_one_outcome_differ_in_what_both_have(
    compared: Callable[..., Compared], tmp_path: Path, other: dict[str, Any], what: list[str]
) -> None:
    mine = RESULT.with_(exporter="mine", **other)
    file = write_records(tmp_path / "r.jsonl", RESULT.with_(exporter="other"), mine)
    found = compared("exporters", "other", "mine", file)
    rows = [row[5:] for row in found["alike"]]
    assert rows == ([what] if what else []) and found["same"] == (not what)


def test_two_exporters_are_compared_and_both_cells_are_named(
    compared: Callable[..., Compared], tree: Path, tmp_path: Path, wrong: Record
) -> None:
    write_case(tree, "area/same")
    file = write_records(
        tmp_path / "r.jsonl",
        wrong, wrong.with_(exporter="mine", graph="%0: float32[s0] = x\n", facts={}),
        record("area/adds_later"), record("area/adds_later", exporter="mine", outcome="refused"),
        record("area/same"), record("area/same", exporter="mine"),
    )  # fmt: skip
    both = ["export-2.13-cpu", "mine-2.13-cpu"]
    assert compared("exporters", "export", "mine", file) == {
        "better": [],
        "worse": [["area/adds_later", *both, "supported", "refused"]],
        "unknown": [],
        "alike": [["area/adds", *both, "wrong", "wrong", "graph"]],
        "same": 1,
    }


def test_what_is_declared_impossible_is_neither_better_nor_worse(
    compared: Callable[..., Compared], tmp_path: Path, wrong: Record
) -> None:
    file = write_records(
        tmp_path / "r.jsonl",
        wrong, wrong.with_(exporter="mine", outcome="unavailable", phase="setup"),
    )  # fmt: skip
    found = compared("exporters", "export", "mine", file)
    assert found["better"] == found["worse"] == []
    both = ["export-2.13-cpu", "mine-2.13-cpu"]
    assert found["unknown"] == [["area/adds", *both, "wrong", "unavailable"]]


def test_two_exporters_are_compared_at_the_newest_torch_that_both_were_measured_on(
    compared: Callable[..., Compared], tmp_path: Path
) -> None:
    case = "area/adds_later"
    old = write_records(tmp_path / "old.jsonl", record(case), record(case, exporter="mine"))
    new = write_records(
        tmp_path / "new.jsonl", record(case, outcome="refused"), torch="2.15.0", started="2026-02"
    )
    found = compared("exporters", "mine", "export", old, new)
    assert found["better"] == found["worse"] == [] and found["same"] == 1


def test_two_torch_versions_are_compared(
    compared: Callable[..., Compared], tmp_path: Path, wrong: Record
) -> None:
    old = write_records(tmp_path / "old.jsonl", wrong)
    changed = wrong.with_(graph="  %0: float32[s0] = x\n", graph_digest="ef01")
    new = write_records(tmp_path / "new.jsonl", changed, torch="2.15.0", started="2026-02-01")
    found = compared("torches", "2.13", "2.15", old, new)
    assert [row for row in found["alike"] if row[0] == "area/adds"] == [
        ["area/adds", "export-2.13-cpu", "export-2.15-cpu", "wrong", "wrong", "graph"]
    ]
