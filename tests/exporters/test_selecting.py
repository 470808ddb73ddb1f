"""Which exporters a run takes: the fast ones, or all."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb import plugins
from exportdb.cli import options
from exportdb.cli.report import cost
from exportdb.records.record import Record

SLOW = {
    "export-decomposed", "export-retraced", "export-unflattened", "export-saved", "export-moved",
    "aot-eager",
    "aot-eager-train", "dynamo-unspec", "inductor", "inductor-breaks",
    "aot-inductor", "aot-inductor-checked", "onnx", "jit-script",
}  # fmt: skip


@pytest.fixture
def declared(monkeypatch: pytest.MonkeyPatch) -> dict[str, plugins.PluginRef]:
    """The exporters that pyproject.toml declares, whatever an older installation says."""
    import tomllib

    root = Path(__file__).parents[2]
    project = tomllib.loads((root / "pyproject.toml").read_text())["project"]
    found = {
        name: plugins.PluginRef(plugins.EXPORTERS, name, target, "", "exportdb")
        for name, target in project["entry-points"][plugins.EXPORTERS].items()
    }
    monkeypatch.setattr(plugins, "installed", lambda group: found)
    monkeypatch.setattr(options, "configuration", lambda: options.config.Config())
    return found


def test_every_declared_exporter_is_called_what_it_is_declared_as(declared):
    assert {ref.load().name for ref in declared.values()} == set(declared)


def test_an_exporter_extends_one_that_there_is(declared):
    assert {ref.load().extends for ref in declared.values()} <= {None, *declared}


def test_a_run_takes_the_fast_ones_and_all_takes_all(declared):
    assert {r.name for r in options.exporter_refs([])} == set(declared) - SLOW
    assert {r.name for r in options.exporter_refs(["all"])} == set(declared)


def test_all_and_a_file_of_ones_own(declared, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("class Mine: pass")
    names = [r.name for r in options.exporter_refs(["all", f"{mine}:Mine"])]
    assert set(names) == {*declared, "mine"}


def test_the_end_of_a_run_says_what_captures_cost(capsys):
    records = [
        Record(
            f"c{i}", "slow", "cpu", "supported", "compare",
            seconds={"eager": 100.0, "capture": 1.0, "lower": float(i)}, cost={"peak_mib": 3 * i},
        )
        for i in range(5)
    ]  # fmt: skip
    cost(records)
    header, row = capsys.readouterr().out.strip().splitlines()[1:]
    assert header.split()[:3] == ["exporter", "captures", "mean"]
    assert row.split() == ["slow", "5", "3.00", "3.00", "5.00", "12", "c4,", "c3,", "c2"]
