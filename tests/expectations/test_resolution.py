"""What an expectation file says, and the one rule that resolves it."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.cases.case import CaseError
from exportdb.records.expectation import Where, expectation, resolve
from exportdb.records.expectation_files import read

EXTENDS = {"export-strict": "export", "mine": "export-strict"}
CPU_213, CPU_215 = Where("2.13.0+cpu", "cpu"), Where("2.15.0", "cpu")
META_215 = Where("2.15.0", "meta")

FILE = """
export:
  - outcome: supported
    ranges: {n: [2, int_oo]}
    graph: |
      x: f32[s0]
      return x
    measured: [2.15/cpu]
  - when: {torch: "<2.15"}
    outcome: refused
    phase: capture
    error: {type: RuntimeError, fingerprint: abc, message: "no"}
    measured: [2.13/cpu]
  - when: {device: [meta, cuda]}
    graph: null
    measured: [2.15/meta]
export-strict: {measured: [2.13/cpu, 2.15/cpu]}
mine:
  when: {torch: ">=2.15", python: ">=3.12", platform: Linux}
  ranges: {n: [3, 9]}
"""


@pytest.fixture
def entries(tmp_path: Path):
    path = tmp_path / "case.yaml"
    path.write_text(FILE)
    return read(path)


@pytest.mark.parametrize("exporter", ["export", "export-strict"])
@pytest.mark.parametrize(
    ("where", "outcome", "has_graph"),
    [
        (CPU_215, "supported", True),
        (CPU_213, "refused", False),  # an entry with an outcome replaces all that came before
        # One without overrides its keys; null takes one away. And nothing is computed on meta.
        (META_215, "predicted", False),
        (Where("2.15.0a0+git1", "cpu"), "supported", True),  # a nightly counts as its minor version
        (Where("2.14.1", "cpu"), "refused", False),
    ],
)
def test_the_entries_that_hold_are_folded_in_order(entries, exporter, where, outcome, has_graph):
    value = resolve(entries, EXTENDS, exporter, where)
    assert value is not None
    assert value["outcome"] == outcome
    assert ("graph" in value) == has_graph


def test_a_graph_is_read_as_it_was_written(entries):
    value = resolve(entries, EXTENDS, "export", CPU_215)
    assert value["graph"] == "x: f32[s0]\nreturn x\n"
    assert value["ranges"] == {"n": ["2", "int_oo"]}


@pytest.mark.parametrize(
    ("where", "lower"),
    [
        (Where("2.15.0", "cpu", "3.12", "Linux-x86_64"), "3"),
        (Where("2.15.0", "cpu", "3.11", "Linux-x86_64"), "2"),
        (Where("2.15.0", "cpu", "3.12", "macOS-arm64"), "2"),
        (CPU_215, "2"),  # unknown Python and platform: no such condition holds
    ],
)
def test_an_exporter_inherits_through_all_it_extends_and_every_condition_must_hold(
    entries, where, lower
):
    value = resolve(entries, EXTENDS, "mine", where)
    assert value["outcome"] == "supported"
    assert value["ranges"]["n"][0] == lower


def test_an_expectation_is_confirmed_where_this_very_exporter_was_measured(entries):
    assert expectation(entries, EXTENDS, "export-strict", CPU_215).confirmed
    assert not expectation(entries, EXTENDS, "export-strict", META_215).confirmed
    assert not expectation(entries, EXTENDS, "mine", CPU_215).confirmed
    assumed = {e for e in ("export-strict", "mine", "unheard-of")
                 if (known := expectation(entries, EXTENDS | {"unheard-of": "export"}, e, META_215))
                 and known.assumed}  # fmt: skip
    assert assumed == {"unheard-of"}  # of the other two something is known somewhere
    assert expectation(entries, EXTENDS, "onnx", CPU_215) is None


def test_another_version_of_torch_is_compared_in_full(entries):
    never_measured = Where("2.16.0", "cpu")
    assert expectation(entries, EXTENDS, "export", never_measured).confirmed


def test_what_newer_versions_of_torch_give_is_only_assumed_of_an_older_one(entries):
    older = expectation(entries, EXTENDS, "export", Where("2.9.0", "cpu"))
    assert older.assumed and not older.confirmed and older.outcome == "refused"
    later = expectation(entries, EXTENDS, "export", Where("2.14.0", "cpu"))
    assert later.confirmed and not later.assumed


def test_exporters_that_extend_each_other_are_an_error_and_no_endless_loop(entries):
    with pytest.raises(ValueError, match="extends b extends a"):
        resolve(entries, {"a": "b", "b": "a"}, "a", CPU_215)


@pytest.mark.parametrize(
    ("text", "line", "says"),
    [
        ("a:\n  outcome: supported\nexport:\n  outcom: supported\n", 3, "unknown key 'outcom'"),
        ("export: {outcome: fine}", 1, "outcome must be one of supported, predicted"),
        ("export: {outcome: error}", 1, "never expected"),
        ("export: {outcome: null}", 1, "outcome must be"),
        ("export: {outcome: refused, phase: tracing}", 1, "phase must be one of setup, eager"),
        ("export: {when: {toch: '2'}}", 1, "when: unknown key 'toch'; keys are torch"),
        ("export: {when: {torch: 'two'}}", 1, "is not a version specifier"),
        ("export: {when: {torch: '>=2.13.1'}}", 1, "must name minor versions"),
        ("export: {measured: [2.13]}", 1, "must be a list of texts"),
        ("export: {measured: ['2.13']}", 1, "like 2.13/cpu"),
        ("export: {error: {message: no}}", 1, "error lacks the key 'type'"),
        ("export: {ranges: {n: [1]}}", 1, "like {n: [2, 32]}"),
        ("export: []", 1, "has no entries"),
        ("- export", 1, "must map exporters"),
        ("export: [}", 1, "not valid YAML"),
    ],
)
def test_a_mistake_is_named_with_file_and_line(tmp_path: Path, text, line, says):
    path = tmp_path / "case.yaml"
    path.write_text(text)
    with pytest.raises(CaseError) as caught:
        read(path)
    assert says in caught.value.message
    assert (caught.value.path, caught.value.line) == (path, line)


def test_what_is_known_without_switches_says_nothing_of_runs_under_them(entries, tmp_path: Path):
    under = Where("2.15.0", "cpu", switches=("deterministic",))
    assert resolve(entries, EXTENDS, "export", under) is None
    path = tmp_path / "under.yaml"
    path.write_text(
        FILE + "symbolic:\n  - when: {switches: [deterministic=on, mode=as-made]}\n"
        "    outcome: refused\n    measured: [2.15/cpu+deterministic]\n"
    )
    known = expectation(read(path), EXTENDS, "symbolic", under)
    assert known is not None and known.outcome == "refused" and known.confirmed
    assert expectation(read(path), EXTENDS, "symbolic", CPU_215) is None


@pytest.mark.parametrize("text", ["", "\n", "# nothing is expected yet", "null\n"])
def test_a_file_without_entries_says_nothing(tmp_path: Path, text: str):
    path = tmp_path / "case.yaml"
    path.write_text(text)
    assert read(path) == read(path, {"export"}) == {}


def test_a_switch_that_does_not_exist_is_an_error_in_the_file(tmp_path: Path):
    path = tmp_path / "case.yaml"
    path.write_text("export: {when: {switches: [detrministic]}, outcome: wrong}\n")
    with pytest.raises(CaseError, match="did you mean deterministic"):
        read(path)
