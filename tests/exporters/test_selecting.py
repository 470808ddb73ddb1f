"""Which exporters a run takes: the fast ones, or all."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb import plugins, resolve

SLOW = {
    "export-decomposed", "export-retraced", "export-unflattened", "export-saved", "export-moved",
    "aot-eager",
    "aot-eager-train", "dynamo-unspec", "inductor", "inductor-breaks",
    "aot-inductor", "aot-inductor-checked", "onnx", "onnx-torchscript", "jit-script",
    "fx-trace", "pt2e-quantized",
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
    monkeypatch.setattr(resolve, "configuration", lambda: resolve.config.Config())
    return found


def test_every_declared_exporter_is_called_what_it_is_declared_as(declared):
    assert {ref.load().name for ref in declared.values()} == set(declared)


def test_an_exporter_extends_one_that_there_is(declared):
    assert {ref.load().extends for ref in declared.values()} <= {None, *declared}


def test_a_run_takes_the_fast_ones_and_all_takes_all(declared):
    assert {r.name for r in resolve.find_exporters([])} == set(declared) - SLOW
    assert {r.name for r in resolve.find_exporters(["all"])} == set(declared)


def test_all_and_a_file_of_ones_own(declared, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("class Mine: pass")
    names = [r.name for r in resolve.find_exporters(["all", f"{mine}:Mine"])]
    assert set(names) == {*declared, "mine"}


def test_several_may_be_named_in_one_word(declared):
    named = resolve.find_exporters(["export,make-fx", "symbolic", "export"])
    assert [r.name for r in named] == ["export", "make-fx", "symbolic"]
    assert [r.name for r in resolve.find_exporters(["export,all"])] == list(declared)


def test_a_file_with_a_comma_in_its_name_is_one_word(declared, tmp_path):
    mine = tmp_path / "a,b.py"
    mine.write_text("class Mine: pass")
    assert [r.name for r in resolve.find_exporters([f"{mine}:Mine"])] == ["mine"]
    both = resolve.find_exporters([f"make-fx,{mine}:Mine,export"])
    assert [r.name for r in both] == ["make-fx", "mine", "export"]


def test_a_file_and_a_name_may_stand_in_one_word(declared, tmp_path):
    mine = tmp_path / "mine.py"
    mine.write_text("class Mine: pass\nclass Other: pass")
    named = resolve.find_exporters([f"{mine}:Mine,make-fx,{mine}:Other"])
    assert [r.name for r in named] == ["mine", "make-fx", "other"]
