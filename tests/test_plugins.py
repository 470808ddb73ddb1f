"""Exporters and devices of one's own: from a file, and named by an installed distribution."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

CASE = "dynamic_shapes/derived_dim_double"
EXPORTER = """
class Mine:
    name = "mine"

    def capture(self, program):
        import torch

        return torch.export.export(
            program.module, program.args, program.kwargs, dynamic_shapes=program.dynamic_shapes
        )
"""
DEVICE = """
class Host:
    name = "host"
    torch_name = "cpu"
    offers = frozenset({"values"})
"""


@pytest.fixture
def exportdb(tmp_path: Path):
    """Runs the command in an empty folder, with what is in ``site`` installed."""
    (tmp_path / "site").mkdir()
    environment = {
        **os.environ,
        "EXPORTDB_HOME": str(tmp_path / "home"),
        "PYTHONPATH": os.pathsep.join(
            [str(tmp_path / "site"), *filter(None, [os.environ.get("PYTHONPATH")])]
        ),
    }

    def run(*arguments: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *arguments],
            cwd=tmp_path, env=environment, capture_output=True, text=True, timeout=200, check=False,
        )  # fmt: skip

    return run


def records(done: subprocess.CompletedProcess[str]) -> list[dict]:
    assert done.returncode == 0, done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()[1:]]


def test_an_exporter_of_fifteen_lines_from_a_file(exportdb, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(EXPORTER)
    (record,) = records(exportdb("run", CASE, "--exporter", "mine.py:Mine", "--json"))
    assert (record["exporter"], record["outcome"]) == ("mine", "supported")
    assert record["graph"] and record["ranges"]
    assert "mine.py:Mine" in record["repro"]


def test_it_goes_by_the_name_that_its_class_declares(exportdb, tmp_path: Path) -> None:
    (tmp_path / "ours.py").write_text(EXPORTER.replace("class Mine", "class TheOneOfOurs"))
    own = tmp_path / "own" / f"{CASE}.yaml"
    own.parent.mkdir(parents=True)
    own.write_text("mine: {outcome: refused, phase: capture}\n")
    words = ("run", CASE, "--exporter", "ours.py:TheOneOfOurs", "--expectations", "own", "--json")
    (record,) = records(exportdb(*words))
    assert (record["exporter"], record["expected"]) == ("mine", "refused")


def test_a_name_that_is_no_word_is_refused(exportdb, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(EXPORTER.replace('"mine"', r'"m\n/../x"'))
    done = exportdb("run", CASE, "--exporter", "mine.py:Mine")
    assert done.returncode == 2
    assert r"the name 'm\n/../x' is not of letters, digits and ._+-" in done.stderr


def test_two_of_one_name_are_refused(exportdb, tmp_path: Path) -> None:
    for name in ("a.py", "b.py"):
        (tmp_path / name).write_text(EXPORTER)
    done = exportdb("run", CASE, "--exporter", "a.py:Mine", "--exporter", "b.py:Mine")
    assert done.returncode == 2
    assert "both named mine" in done.stderr


@pytest.mark.parametrize("group", ["exporter", "device", "suite"])
def test_one_that_is_named_like_a_built_in_one_is_refused(group, exportdb, tmp_path: Path) -> None:
    name = {"exporter": "export", "device": "cpu", "suite": "ops"}[group]
    (tmp_path / "mine.py").write_text(f"class Mine:\n    name = {name!r}\n")
    done = exportdb("run", CASE, f"--{group}", "mine.py:Mine")
    assert done.returncode == 2
    assert f"{group} 'mine.py:Mine' is named {name}, as exportdb." in done.stderr
    assert "give its class another `name`" in done.stderr
    assert ("`extends = 'export'`" in done.stderr) is (group == "exporter")


def install(site: Path, entry_point: str, text: str = EXPORTER) -> None:
    (site / "my_exporter.py").write_text(text)
    info = site / "my_exporter-1.0.dist-info"
    info.mkdir()
    (info / "METADATA").write_text("Metadata-Version: 2.1\nName: my-exporter\nVersion: 1.0\n")
    (info / "entry_points.txt").write_text(f"[exportdb.exporters]\n{entry_point}\n")


def test_a_built_in_name_means_the_built_in_one_whatever_is_installed(exportdb, tmp_path) -> None:
    install(tmp_path / "site", "export = my_exporter:Mine")
    (record,) = records(exportdb("run", CASE, "--exporter", "export", "--json"))
    assert record["verdict"] == "expected"
    assert "my_exporter" not in record["repro"]
    found = [line for line in exportdb("doctor").stdout.splitlines() if "my_exporter" in line]
    assert len(found) == 1
    assert "problem" in found[0]
    assert "rename its entry point" in found[0]


CIRCLE = """
class Mine:
    extends = "yours"

    def capture(self, program):
        return program.module


class Yours(Mine):
    name = "yours"
    extends = "mine"
"""


@pytest.mark.parametrize("verb", ["run", "check", "hunt"])
def test_an_exporter_that_extends_itself_is_refused(verb: str, exportdb, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(EXPORTER.replace("name =", 'extends = "mine"\n    name ='))
    words = {"hunt": ("--programs", "1")}.get(verb, (CASE,))
    done = exportdb(verb, *words, "--exporter", "mine.py:Mine", "--exporter", "export")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1] == (
        f"exportdb: {tmp_path / 'mine.py'}:Mine: the exporter mine extends mine; `extends` names "
        "another exporter, whose expectations hold where its own do not differ: change it, or "
        "leave it out"
    )


def test_exporters_that_extend_each_other_are_refused(exportdb, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CIRCLE)
    done = exportdb("run", CASE, "--exporter", "mine.py:Mine", "--exporter", "mine.py:Yours")
    assert done.returncode == 2
    assert "mine.py:Mine: the exporter mine extends yours extends mine; `extends`" in done.stderr


@pytest.mark.parametrize(
    ("parent", "meant"),
    [("exprot", "did you mean export"), ("nobody", "known: aot-eager, ")],
)
def test_an_exporter_that_extends_nobody_is_refused(parent, meant, exportdb, tmp_path) -> None:
    text = EXPORTER.replace("name =", f'extends = "{parent}"\n    name =')
    (tmp_path / "mine.py").write_text(text)
    done = exportdb("run", CASE, "--exporter", "mine.py:Mine")
    assert done.returncode == 2
    assert done.stderr.splitlines()[-1].startswith(
        f"exportdb: {tmp_path / 'mine.py'}:Mine: the exporter mine extends {parent!r}, and no "
        f"exporter here is named so; {meant}"
    )


def test_an_exporter_may_extend_one_in_the_same_file(exportdb, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(CIRCLE.replace('"mine"', "None"))
    (record,) = records(exportdb("run", CASE, "--exporter", "mine.py:Mine", "--json"))
    assert (record["exporter"], record["outcome"]) == ("mine", "supported")


def test_an_exporter_that_an_installed_distribution_names(exportdb, tmp_path: Path) -> None:
    install(tmp_path / "site", "mine = my_exporter:Mine")
    (record,) = records(exportdb("run", CASE, "--exporter", "mine", "--json"))
    assert (record["exporter"], record["outcome"]) == ("mine", "supported")


def test_a_device_from_a_file(exportdb, tmp_path: Path) -> None:
    (tmp_path / "host.py").write_text(DEVICE)
    (record,) = records(
        exportdb("run", CASE, "--exporter", "export", "--device", "host.py:Host", "--json")
    )
    assert (record["device"], record["outcome"]) == ("host", "supported")


def test_the_meta_device_compares_shapes_and_leaves_out_what_needs_values(exportdb) -> None:
    found = records(
        exportdb("run", CASE, "top_k/item_of_input", "--exporter", "export", "--device", "meta",
                 "--json")
    )  # fmt: skip
    assert {r["case"]: r["outcome"] for r in found} == {
        CASE: "predicted",
        "top_k/item_of_input": "unavailable",
    }


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("class Mine: raise RuntimeError('not today')", "not today"),
        ("import os; Mine = os._exit(3)", "exit"),
        ("class Mine: pass", "no method capture"),
        (EXPORTER + "    patience = 3.0\n", "`timeout_factor` now"),
        ("globals()['My' + 'ne'] = 1", "Mine"),
    ],
)
def test_a_plug_in_that_cannot_be_loaded_is_named(exportdb, tmp_path, text, complaint) -> None:
    (tmp_path / "mine.py").write_text(text)
    done = exportdb("run", CASE, "--exporter", "mine.py:Mine", "--exporter", "export", "--json")
    by_name = {r["exporter"]: r for r in map(json.loads, done.stdout.splitlines()[1:])}
    assert by_name["export"]["outcome"] == "supported"
    outcome = by_name["mine"]["outcome"]
    assert (outcome, done.returncode) in {("error", 2), ("crashed", 0)}
    assert complaint in by_name["mine"]["error"]["message"]


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("class Mime: pass", "mine.py defines no 'Mine'; did you mean Mime?"),
        ("def other():\n    pass\nprint(Mine)", "mine.py defines no 'Mine'"),
    ],
)
def test_a_name_that_the_file_does_not_define_is_said_before_anything_runs(
    exportdb, tmp_path, text, complaint
) -> None:
    (tmp_path / "mine.py").write_text(text)
    done = exportdb("run", CASE, "--exporter", "mine.py:Mine", "--exporter", "export")
    assert (done.returncode, done.stdout) == (2, "")
    assert complaint in done.stderr
