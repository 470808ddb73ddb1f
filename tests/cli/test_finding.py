"""Finding what is known: an entry of the error catalogue by its ID, cases by words."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path

import pytest

from exportdb.cases import database
from exportdb.cases.search import search, words_of

ENTRY = """E9901:
  title: The toy compiler has no such operation
  types: [ToyError]
  messages: ["no lowering for the operation {name}"]
  meaning: It was never written.
  remedy: Write it.
  since: "2.11"
"""


@pytest.fixture
def own(tmp_path: Path) -> Path:
    """A tree with an entry, a case that explains it, and the case's rewrite."""
    tree = tmp_path / "tree"
    (tree / "own").mkdir(parents=True)
    (tree / "errors.yaml").write_text(ENTRY)
    head = '"""\ntitle: {}\ndescription: Of the tests.\n{}\n"""\nimport torch\n'
    asks = "errors: [E9901]\nrewrites: [own/fixed]"
    (tree / "own" / "asks.py").write_text(head.format("Asks for it", asks) + "zebras = quagga_s0\n")
    (tree / "own" / "fixed.py").write_text(head.format("Does without", "") + "# the zebra\n")
    (tree / "own" / "asks.yaml").write_text(
        "export:\n  outcome: refused\n  phase: capture\n  error:\n    type: ToyError\n"
        "    fingerprint: 0123456789abcdef\n    message: 'no lowering for the operation\n"
        "      okapi_sort (in strict mode)'\n  measured: [2.13/cpu]\n"
    )
    return tree


def test_show_tells_what_an_entry_means_and_which_cases_explain_it(exportdb, own: Path):
    text = exportdb("show", "E9901", "--cases", str(own)).stdout
    for part in (
        "E9901: The toy compiler has no such operation",
        "It was never written.",
        "What to do:\n  Write it.",
        "  - no lowering for the operation {name}",
        "since 2.11",
        "  own/asks: Asks for it\n    captured as own/fixed",
        "exportdb show own/asks",
    ):
        assert part in text
    data = json.loads(exportdb("show", "e9901", "--cases", str(own), "--json").stdout)
    assert (data["entry"], data["remedy"], data["types"]) == ("E9901", "Write it.", ["ToyError"])
    assert data["wordings"] == ["no lowering for the operation {name}"]
    assert data["cases"] == [
        {"case": "own/asks", "title": "Asks for it", "rewrites": ["own/fixed"], "pitfalls": []}
    ]


def found(exportdb, *words: str) -> dict[str, list[str]]:
    listed = json.loads(exportdb("list", "--json", *words).stdout)
    return {c["case"]: c["found_in"] for c in listed}


def test_search_looks_everywhere_and_gives_the_best_first(exportdb, own: Path):
    tree = ["--cases", str(own)]
    unknown = exportdb("list", *tree, "--search", "bras")  # a word begins as it is asked for
    assert (unknown.returncode, unknown.stdout) == (2, "")
    assert found(exportdb, *tree, "--search", "ask for ZEBRA") == {
        "own/asks": ["id", "title", "program"]
    }
    assert found(exportdb, *tree, "--search", "okapi_sort strict") == {"own/asks": ["errors"]}
    assert list(found(exportdb, *tree, "--search", "zebra")) == ["own/asks", "own/fixed"]
    assert list(found(exportdb, *tree, "--search", "zebra", "own/fixed")) == ["own/fixed"]
    table = exportdb("list", *tree, "--search", "zebra").stdout
    assert table.index("own/asks") < table.index("own/fixed")


def test_tags_are_listed_with_what_they_mean(exportdb, own: Path):
    """One that is in no vocabulary, for which lint sends people here, is said to be unknown."""
    case = own / "own" / "asks.py"
    tagged = "tags: [torch.cond, torch.zebra]\nerrors:"
    case.write_text(case.read_text().replace("errors:", tagged))
    words = ["list", "--tags", "--cases", str(own)]
    listed = {t["tag"]: t for t in json.loads(exportdb(*words, "--json").stdout)}
    assert "branch" in listed["torch.cond"]["description"]
    assert listed["torch.zebra"] == {"tag": "torch.zebra", "cases": 1, "description": ""}
    (line,) = (x for x in exportdb(*words).stdout.splitlines() if x.startswith("torch.zebra "))
    assert line.split(maxsplit=2) == ["torch.zebra", "1", "not in tags.yaml"]


def test_search_finds_branches_of_cond_that_take_variables_from_outside(exportdb):
    cases = list(found(exportdb, "--search", "cond with closures"))
    assert cases[0] == "control_flow/cond_closure"
    assert "data_dependent/cond_closes_over_size" in cases
    tagged = found(exportdb, "--search", "closures", "--tag", "torch.cond")
    assert set(tagged) <= set(found(exportdb, "--search", "closure")) and tagged


@pytest.mark.parametrize(
    ("asked", "text", "finds"),
    [
        ("closures", "a closure", True),
        ("closure", "two closures", True),
        ("entries", "the entry", True),
        ("entry", "its Entries", True),
        ("branches", "a branch", True),
        ("torch.cond", "uses torch.cond", True),
        ("torch.cond", "torch and cond apart", False),
        ("on_value", "branch_on_value", True),
        ("ranch", "a branch", False),
        ("class", "clas", False),
    ],
)
def test_a_word_finds_what_begins_with_it(asked: str, text: str, finds: bool, tmp_path: Path):
    path = tmp_path / "one.py"
    path.write_text(f'"""\ntitle: T\ndescription: D\n"""\n# {text}\n')
    cases = [*database.load(files=[path], builtin=False)]
    try:
        hits = search(asked, cases)
    except database.SelectionError:
        hits = []
    assert bool(hits) is finds


def test_small_words_count_only_where_there_is_nothing_else():
    assert words_of("a cond with the closures") == ["cond", "closures"]
    assert words_of("with the") == ["with", "the"]


def test_a_message_that_was_recorded_since_is_found(exportdb, own: Path):
    tree = ["--cases", str(own)]
    assert found(exportdb, *tree, "--search", "okapi_sort")
    path = own / "own" / "asks.yaml"
    path.write_text(path.read_text().replace("okapi_sort", "gnu_scatter"))
    assert found(exportdb, *tree, "--search", "gnu_scatter") == {"own/asks": ["errors"]}
    assert exportdb("list", *tree, "--search", "okapi_sort").returncode == 2


def test_ones_own_expectations_are_searched_too(own: Path, tmp_path: Path):
    (tmp_path / "known" / "own").mkdir(parents=True)
    (own / "own" / "asks.yaml").rename(tmp_path / "known" / "own" / "asks.yaml")
    (tmp_path / "exportdb.toml").write_text('cases = ["tree"]\nexpectations = "known"\n')
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "list", "--search", "okapi_sort"],
        cwd=tmp_path, capture_output=True, text=True,
    )  # fmt: skip
    assert "own/asks" in done.stdout
