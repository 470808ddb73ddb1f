"""Cases of one's own: they are examined, listed and linted apart from the public ones."""

from __future__ import annotations

import json
import re
import subprocess
from pathlib import Path

import pytest
from jsonschema import Draft202012Validator

from exportdb import config
from exportdb.config import ConfigError, Keys, load
from tests.cli.conftest import CASE, EXPORTER
from tests.scaffold.test_new_exporter import exportdb


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A folder with an exporter and a tree of one case, without description, with its own tag."""
    (tmp_path / "mine.py").write_text(EXPORTER)
    (tmp_path / "private" / "acme").mkdir(parents=True)
    bare = CASE.format(title="Adds", body="x + 1").replace(
        "description: A case of the tests.\n", ""
    )
    own = bare.replace("torch.dynamic-shape", "acme.kernel")
    (tmp_path / "private" / "acme" / "adds.py").write_text(own)
    return tmp_path


def cases(done: subprocess.CompletedProcess[str]) -> list[str]:
    """The cases of a list or run as JSON."""
    if done.stdout.startswith("["):
        return [case["case"] for case in json.loads(done.stdout)]
    lines = map(json.loads, done.stdout.splitlines())
    return [line["case"] for line in lines if line["kind"] == "record"]


def test_only_ones_own_cases_are_examined_and_listed(home: Path):
    words = ["--cases", "private", "--only", "--json"]
    assert cases(exportdb(home, "list", *words)) == ["acme/adds"]
    assert cases(exportdb(home, "run", "--exporter", "mine.py:Mine", *words)) == ["acme/adds"]
    assert len(cases(exportdb(home, "list", "--cases", "private", "--json"))) > 700


def test_what_a_run_said_of_other_cases_is_left_out_of_its_report_and_not_accepted(home: Path):
    words = ["--cases", "private"]
    own = ["--exporter", "mine.py:Mine"]
    both = ["acme/adds", "dynamic_shapes/static_size"]
    assert sorted(cases(exportdb(home, "run", *both, *own, *words, "--json"))) == both
    assert cases(exportdb(home, "report", *words, "--only", "--json")) == ["acme/adds"]
    assert "1 result: 1 new" in exportdb(home, "report", "--only").stdout  # --cases as in the run
    done = exportdb(home, "accept", *own, *words, "--only", "--expectations", "known", "--json")
    assert [r["case"] for r in json.loads(done.stdout)["accepted"]] == ["acme/adds"]
    assert exportdb(home, "show", *words, "--only", "acme/adds").returncode == 0
    done = exportdb(home, "show", *words, "--only", "dynamic_shapes/static_size")
    assert done.returncode == 2 and "dynamic_shapes/static_size" in done.stderr


def test_the_configuration_can_say_so(home: Path):
    (home / "exportdb.toml").write_text('cases = "private"\n')
    assert cases(exportdb(home, "list", "--only", "--json")) == ["acme/adds"]
    (home / "exportdb.toml").write_text('cases = "private"\nonly = true\n')
    assert cases(exportdb(home, "list", "--json")) == ["acme/adds"]


def test_a_rewrite_that_a_report_names_is_shown_all_the_same(home: Path):
    (home / "exportdb.toml").write_text('cases = "private"\nonly = true\n')
    done = exportdb(home, "show", "control_flow/cond_on_value")
    assert done.returncode == 0 and "torch.cond" in done.stdout


def test_only_without_cases_of_ones_own_says_what_is_missing(home: Path):
    done = exportdb(home, "run", "--only")
    assert done.returncode == 2
    assert "say where they are with --cases DIR, or with `cases`" in done.stderr


def test_an_own_tag_stands_in_the_own_tree_and_lint_says_where(home: Path):
    words = ["lint", "--cases", "private", "--only", "--static"]
    done = exportdb(home, *words)
    assert done.returncode == 1
    assert "private/acme/adds.py:3: L010 the tag acme.kernel is not in private/tags.yaml" in (
        done.stdout
    )
    (home / "private/tags.yaml").write_text("acme.kernel: Our kernels.\n")
    assert "private/tags.yaml:1: L030 the tag acme.kernel must" in exportdb(home, *words).stdout
    (home / "private/tags.yaml").write_text("acme.kernel: {description: Our kernels.}\n")
    assert exportdb(home, *words).returncode == 0
    found = exportdb(home, "list", "--cases", "private", "--tag", "acme.kernel", "--json")
    assert cases(found) == ["acme/adds"]


def test_what_the_public_database_demands_is_advice(home: Path):
    path = home / "private/acme/adds.py"
    path.write_text(path.read_text().replace("tags: [acme.kernel]\n", ""))
    done = exportdb(home, "lint", "--cases", "private", "--only", "--static")
    assert done.returncode == 0
    assert "L004 front matter lacks the key 'description' (advice)" in done.stdout
    assert "L011 the case has no tags (advice)" in done.stdout
    assert "0 problems, 2 pieces of advice in 1 case" in done.stderr


#: Breaks, of what is demanded, everything that does not make its results worth less.
SHABBY = """'''
title: Our gate. It was written in a hurry.
references: [ACME-12]
'''

import torch

print("hello")


class Model(torch.nn.Module):
    def forward(self, x, hard=False):  # TODO: ask Ann
        if hard:
            return x.sign()
        return x * int(x.sum() * 0 + 1)


dynamic_shapes = {"x": {0: torch.export.Dim("n", max=9)}, "hard": None}


def inputs(n=3):
    return torch.ones(n, 3), False
"""


def test_that_is_said_of_programs_too(home: Path):
    (home / "private/acme/adds.py").unlink()
    (home / "private/acme/gate.py").write_text(SHABBY)
    done = exportdb(home, "lint", "--cases", "private", "--only", "--json")
    found = [json.loads(line) for line in done.stdout.splitlines()]
    assert {"L007", "L009", "L012", "L055", "L058", "L061"} <= {each["check"] for each in found}
    assert all(each["advice"] for each in found), found
    assert done.returncode == 0
    listed = exportdb(home, "lint", "--list", "--json").stdout.splitlines()
    advice = {d["check"] for d in map(json.loads, listed) if d["advises"]}
    assert "L063" in advice and not advice & {"L001", "L010", "L023", "L039", "L050", "L051"}
    assert "Of cases of your own it is advice" in exportdb(home, "lint", "--explain", "L063").stdout


def test_the_schema_and_the_page_of_the_configuration_have_every_key(home: Path):
    schema = json.loads(exportdb(home, "schema", "configuration").stdout)
    properties = schema["$defs"]["Keys"]["properties"]
    assert set(properties) == set(Keys.__struct_fields__)
    check = Draft202012Validator(schema)
    assert check.is_valid({"cases": ["a"], "only": True, "torch": {"2.13": "python"}})
    for wrong in ({"cases": [1]}, {"onyl": True}, {"torch": "2.13"}):
        assert not check.is_valid(wrong)
        path = home / "exportdb.toml"
        path.write_text({"cases": "cases = [1]", "onyl": "onyl = true", "torch": "torch = '2.13'"}[
            next(iter(wrong))
        ])  # fmt: skip
        with pytest.raises(ConfigError):
            load(home)
    page = (Path(__file__).parents[2] / "docs" / "configuration.md").read_text("utf-8")
    for key, said in properties.items():
        assert f"| `{key}` | {said['description']}" in page
    ours = {"EXPORTDB_PACKAGES"}  # set by a run for its own processes
    texts = (p.read_text("utf-8") for p in Path(config.__file__).parent.rglob("*.py"))
    for variable in {v for text in texts for v in re.findall(r"\bEXPORTDB_[A-Z_]+", text)} - ours:
        assert f"| `{variable}` | " in page
