"""Commands that just read: they are quick, import nothing heavy, and say clearly what is wrong."""

from __future__ import annotations

import ast
import importlib
import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest
import yaml
from jsonschema import Draft202012Validator

from exportdb import resolve
from exportdb.cases import database, frontmatter
from exportdb.cli import main

HEAVY = {"torch", "numpy", "sympy", "jsonschema", "hypothesis"}
READING = [
    ["--help"],
    ["--version"],
    ["list"],
    ["list", "--json"],
    ["list", "--tags"],
    ["list", "--exporters"],
    ["list", "--search", "cond with closures"],
    ["show", "dynamic_shapes/derived_dim_double"],
    ["show", "E0002"],
]


@pytest.mark.parametrize("words", READING, ids=" ".join)
def test_reading_imports_nothing_heavy(words, folder: Path):
    done = subprocess.run(
        [sys.executable, "-X", "importtime", "-m", "exportdb", *words],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == 0, done.stderr[-2000:]
    imported = set(re.findall(r"\| +([\w.]+)$", done.stderr, re.M))
    assert "click" in imported  # or else nothing was measured
    assert not imported & (HEAVY | {"rich"})


def test_a_case_is_shown_without_importing_an_exporter_or_parsing_mail(folder: Path, tmp_path):
    """What built-in exporters extend is worked out once, and kept."""
    words = ["show", "dynamic_shapes/derived_dim_double"]
    for _ in range(2):
        done = subprocess.run(
            [sys.executable, "-X", "importtime", "-m", "exportdb", *words],
            cwd=folder, capture_output=True, text=True,
            env={**os.environ, "XDG_CACHE_HOME": str(tmp_path / "cache")},
        )  # fmt: skip
        assert "export-strict" in done.stdout
    imported = set(re.findall(r"\| +([\w.]+)$", done.stderr, re.M))
    assert "exportdb.plugins" in imported
    assert not {m for m in imported if m.startswith("exportdb.exporters.")}
    assert "email.parser" not in imported


def test_every_verb_has_help_with_an_exit_code_of_zero(exportdb):
    verbs = re.findall(r"^  (\w+) ", exportdb("--help").stdout.split("Commands:")[1], re.M)
    assert {"list", "show", "run", "check", "accept", "diff", "doctor", "completion"} <= set(verbs)
    for verb in verbs:
        done = exportdb(verb, "--help")
        assert done.returncode == 0
        assert "Usage: exportdb" in done.stdout


def test_list_selects_by_topic_glob_and_tag_in_any_tree(exportdb):
    listed = json.loads(exportdb("list", "--json", "--cases", "own_cases", "own").stdout)
    assert [c["case"] for c in listed] == ["own/add_one", "own/double"]
    assert listed[0]["title"] == "Adds one"
    assert "own/double" in exportdb("list", "--cases", "own_cases", "*/double").stdout
    both = json.loads(exportdb("list", "--json", "--tag", "torch.cond,torch.dynamic-shape").stdout)
    assert both and all({"torch.cond", "torch.dynamic-shape"} <= set(c["tags"]) for c in both)
    by_tag = exportdb("list", "--cases", "own_cases", "own", "--tag", "torch.cond")
    assert by_tag.returncode == 2
    assert "no case is selected by the tags torch.cond" in by_tag.stderr


def test_an_id_that_is_a_folder_too_means_the_case_and_what_lies_in_it(exportdb, folder, tmp_path):
    text = (folder / "own_cases" / "own" / "double.py").read_text()
    for case_id in ("own/double", "own/double/in/halves", "own/triple"):
        path = tmp_path / f"{case_id}.py"
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text)

    def listed(*patterns: str) -> set[str]:
        done = exportdb("list", "--json", "--cases", str(tmp_path), *patterns)
        return {c["case"] for c in json.loads(done.stdout)}

    assert listed("own/double") == {"own/double", "own/double/in/halves"}
    assert listed("own/triple") == {"own/triple"}


def test_show_tells_what_a_case_is_and_how_to_run_it(exportdb):
    text = exportdb("show", "own/add_one", "--cases", "own_cases").stdout
    for part in (
        "Adds one",
        "A case of the tests.",
        "return x + 1",
        "inputs()",
        "exportdb run own/add_one",
    ):
        assert part in text
    data = json.loads(exportdb("show", "own_cases/own/add_one.py", "--json").stdout)
    assert (data["case"], data["expected"]) == ("add_one", {})


def test_the_schema_of_a_case_fits_every_case_and_no_mistake(exportdb):
    schema = json.loads(exportdb("schema", "case").stdout)
    Draft202012Validator.check_schema(schema)
    validator = Draft202012Validator(schema)
    for case in database.load():
        validator.validate(yaml.safe_load(ast.get_docstring(ast.parse(case.source)) or ""))
    good = {"title": "A", "description": "B", "tags": ["torch.dynamic-shape"]}
    assert validator.is_valid(good)
    for mistake in ({"titel": "A"}, {"tags": "one"}, {"title": ""}, {"dims": {"n": {"min": "x"}}}):
        assert not validator.is_valid(good | mistake), mistake


def test_a_case_named_in_full_is_read_alone(monkeypatch, folder: Path, tmp_path: Path):
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path))
    read = []
    real = frontmatter.parse_case
    monkeypatch.setattr(frontmatter, "parse_case", lambda *a: read.append(a[0]) or real(*a))
    trees = [folder / "own_cases"]
    assert [c.id for c in resolve.select(["own/double"], (), trees).cases] == ["own/double"]
    assert read == ["own/double"]
    resolve.select(["own"], (), trees)
    assert {"own/add_one", "own/double", "top_k/int_argument"} <= set(read)


@pytest.mark.parametrize(
    ("words", "says"),
    [
        (["show", "own/ad_one", "--cases", "own_cases"], "did you mean own/add_one"),
        (["show", "own", "--cases", "own_cases"], "names 2 cases"),
        (["list", "missing.py"], "there is no file missing.py"),
        (["list", "--cases", "nowhere"], "is not a folder of cases"),
        (["run", "own", "--cases", "own_cases", "--exporter", "exprot"], "did you mean export"),
        (["run", "own", "--cases", "own_cases", "--exporter", "no.py:X"], "no file no.py"),
        (["run", "own", "--cases", "own_cases", "--exporter", "mine.py"], "like mine.py:Name"),
        (
            ["run", "own/double", "--cases", "own_cases", "--python", "/bin/true"],
            "/bin/true has to be an interpreter of Python",
        ),
        (["run", "own", "--cases", "own_cases", "--shard", "6/5"], "is not a shard"),
        (["accept"], "begin with exportdb run"),
        (["accept", "--issue", "somewhere"], "project#number"),
        (["diff", "last", "last"], "begin with exportdb run"),
        (["diff", "a"], "second run"),
        (["run", "--jobs", "0"], "--jobs"),
        (["list", "--tag", "torch.dynamic-shap"], "did you mean torch.dynamic-shape?"),
        (
            ["show", "E00021"],
            "no entry of the error catalogue is named E00021; did you mean E0002",
        ),
        (["list", "--search", "clsure"], "no case has the word 'clsure'; did you mean closure"),
        (["list", "--search", "torch.cond torch.einsum"], "'torch.cond' is in "),
        (["list", "--search", "()"], "has no word to search for"),
        (["list", "--tag", "nope"], "see exportdb list --tags"),
        (
            ["check", "own", "--cases", "own_cases", "--expectations", "nowhere"],
            "no folder nowhere",
        ),
        (["show", "top_k/int_argument", "--expectations", "nowhere"], "'nowhere' does not exist"),
        (["matrix", "--torch", "2.13x"], "give a version like 2.13"),
        (["list", "--outcome", "wrong,refusd"], "did you mean refused?"),
        (["explain", "log.txt"], "there is no file log.txt; give the text itself, a file"),
        (["rum"], "there is no command 'rum'; did you mean run?"),
    ],
    ids=lambda v: " ".join(v) if isinstance(v, list) else None,
)
def test_a_mistake_is_one_clear_line_and_exit_code_two(words, says, exportdb, tmp_path):
    done = exportdb(*words, EXPORTDB_HOME=str(tmp_path))
    assert done.returncode == 2
    assert says in done.stderr
    assert "Traceback" not in done.stderr
    assert "Traceback" in exportdb(*words, "--debug", EXPORTDB_HOME=str(tmp_path)).stderr or (
        "Usage:" in done.stderr
    )


def test_words_may_be_longer_than_the_name_of_a_file(exportdb, tmp_path):
    error = "Could not guard on data-dependent expression Eq(u0, 1) (unhinted: Eq(u0, 1)). "
    explained = exportdb("explain", error + "For more information, look at the log. " * 20)
    assert (explained.returncode, explained.stdout[:5]) == (0, "E0001")
    every = ",".join(["export", "make-fx", "jit-trace"] * 20)
    listed = exportdb("run", "no/such/case", "--exporter", every, EXPORTDB_HOME=str(tmp_path))
    assert "no/such/case" in listed.stderr and "too long" not in listed.stderr
    assert "no case is named" in exportdb("show", "a" * 300).stderr


def test_the_configuration_of_the_folder_counts(tmp_path: Path, folder: Path, exportdb):
    def listed(text: str, name: str):
        (tmp_path / name).write_text(text)
        return subprocess.run(
            [sys.executable, "-m", "exportdb", "list", "own"],
            cwd=tmp_path, capture_output=True, text=True,
        )  # fmt: skip

    trees = json.dumps([str(folder / "own_cases")])
    assert "own/double" in listed(f"[tool.exportdb]\ncases = {trees}\n", "pyproject.toml").stdout
    wrong = listed("cass = []\n", "exportdb.toml")  # this file wins over pyproject.toml
    assert wrong.returncode == 2
    assert "unknown key 'cass'; did you mean cases?" in wrong.stderr


@pytest.mark.parametrize(
    "words, begins", [("list --json", ["["]), ("list", ["case", "title"])], ids=["json", "table"]
)
def test_a_reader_that_leaves_is_no_error(words, begins, folder: Path):
    done = subprocess.run(
        ["bash", "-c", f"{sys.executable} -m exportdb {words} | head -1; echo ${{PIPESTATUS[0]}}"],
        cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    first, code = done.stdout.splitlines()
    assert first.split() == begins
    assert code in ("0", "141")  # whether all of it was printed before; 1 would mean surprises
    assert done.stderr == ""


@pytest.mark.parametrize("closed", [">&-", "2>&-", "<&- >&- 2>&-"])
@pytest.mark.parametrize("words", ["list", "--help", "run own --cases own_cases --exporter no"])
def test_a_stream_that_is_closed_is_no_error(closed, words, folder: Path):
    done = subprocess.run(
        f"{sys.executable} -m exportdb {words} {closed}",
        shell=True, cwd=folder, capture_output=True, text=True,
    )  # fmt: skip
    assert done.returncode == (2 if "--exporter no" in words else 0)
    assert "Traceback" not in done.stderr


def test_output_that_is_not_utf8_is_no_error(folder: Path):
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "list"],
        cwd=folder, capture_output=True, env={**os.environ, "PYTHONIOENCODING": "ascii"},
    )  # fmt: skip
    assert done.returncode == 0
    done.stdout.decode("ascii")


@pytest.mark.parametrize("shell", ["bash", "zsh", "fish"])
def test_a_shell_learns_to_complete(shell, exportdb):
    assert "_EXPORTDB_COMPLETE" in exportdb("completion", shell).stdout


@pytest.mark.parametrize(
    ("typed", "offered"),
    [
        ("exportdb show dynamic_shapes/derived_dim_d", "dynamic_shapes/derived_dim_double"),
        ("exportdb run --cases own_cases own/", "own/double"),
        ("exportdb run --exporter export-s", "export-strict"),
        ("exportdb list --tag torch.dynamic-s", "torch.dynamic-shape"),
        ("exportdb run --exporter export,make", "export,make-fx"),
        ("exportdb run --device me", "meta"),
        ("exportdb show E000", "E0002"),
        ("exportdb acc", "accept"),
        ("exportdb hunt --around state,high", "state,higher-order"),
    ],
)
def test_what_is_completed(typed, offered, exportdb):
    count = len(typed.split()) - 1
    done = exportdb(_EXPORTDB_COMPLETE="bash_complete", COMP_WORDS=typed, COMP_CWORD=str(count))
    assert offered in re.findall(r"^plain,(.*)$", done.stdout, re.M)


def test_help_names_every_verb_there_is_and_only_those() -> None:
    files = {p.stem for p in Path(main.__file__).parent.glob("*.py")}
    assert set(main.VERBS) <= files
    with_command = {
        name
        for name in files - {"main", "__init__"}
        if hasattr(importlib.import_module(f"exportdb.cli.{name}"), "command")
    }
    assert with_command == set(main.VERBS)


def test_cases_by_outcome_follow_their_expectations(exportdb, folder: Path) -> None:
    """What files said is remembered, and asked anew when they change."""
    file = folder / "own_cases/own/double.yaml"

    def listed() -> list[str]:
        done = exportdb("list", "--cases", "own_cases", "--only", "--outcome", "wrong", "--json")
        return [case["case"] for case in json.loads(done.stdout)]

    assert listed() == []
    try:
        for outcome in ("wrong", "supported", "wrong"):
            cases = ["own/double"] if outcome == "wrong" else []
            file.write_text(f"export: {{outcome: {outcome}, measured: [2.13/cpu]}}\n")
            assert listed() == cases == listed()
    finally:
        file.unlink()
    assert listed() == []


@pytest.mark.parametrize("limit", ["inf", "nan", "0", "-1"])
def test_a_time_limit_is_a_number_of_seconds(exportdb, limit):
    done = exportdb("run", "own", "--timeout", limit)
    assert done.returncode == 2 and "--timeout" in done.stderr and "Traceback" not in done.stderr


@pytest.mark.parametrize("words", [
    ("list", "--cases", ""), ("status", "--home", ""), ("run", "own", "--expectations", ""),
    ("hunt", "--exporter", "export", "--home", ""), ("site", "--out", ""),
])  # fmt: skip
def test_an_empty_word_is_no_folder(exportdb, words):
    done = exportdb(*words)
    assert done.returncode == 2 and done.stdout == ""
    assert f"{words[-2]}': the name of a folder cannot be empty." in done.stderr


def test_a_run_is_resumed_in_the_home_that_it_is_in():
    from exportdb.cli.running import how_to_resume

    assert how_to_resume("r1", {"home": None}).endswith("exportdb run --resume r1")
    elsewhere = how_to_resume("r1", {"home": Path("my runs")})
    assert elsewhere.endswith("exportdb run --resume r1 --home 'my runs'")
