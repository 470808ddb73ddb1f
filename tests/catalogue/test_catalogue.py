"""The error catalogue: real messages find their entry, and the format refuses what it cannot mean.

``messages.jsonl`` holds messages that torch raised, each with the torch versions whose text it is.
"""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from exportdb.cases import catalogue, database
from exportdb.explain import match, matcher
from exportdb.explain.matching import Matcher
from exportdb.explain.reading import read, tokens

MESSAGES = [
    json.loads(line)
    for line in Path(__file__).with_name("messages.jsonl").read_text(encoding="utf-8").splitlines()
]
BUILTIN = catalogue.load()


@pytest.mark.parametrize("said", MESSAGES, ids=lambda m: f"{m['entry']}-{'-'.join(m['torch'])}")
def test_a_real_message_finds_its_entry(said: dict[str, str]) -> None:
    assert match(said["type"], said["message"]) == said["entry"]


def test_every_wording_finds_its_own_entry() -> None:
    """Whatever else the catalogue says, the wording of an entry is explained by that entry."""
    told = [(e.id, w) for e in BUILTIN.entries.values() for w in e.messages]
    lost = [(entry, w.text) for entry, w in told if entry not in surely(" ... ".join(w.pieces))]
    assert not lost


#: Wordings that two entries have: what else a text says tells them apart, or either is right.
SHARED = {
    frozenset({"E0125", "E0406"}), frozenset({"E0208", "E1111"}), frozenset({"E0225", "E0819"}),
    frozenset({"E0432", "E0903"}), frozenset({"E0701", "E0703"}),
}  # fmt: skip


def test_no_wording_is_that_of_two_entries() -> None:
    """The first by its number would be given as sure, whichever is meant."""
    told: dict[tuple[str, ...], set[str]] = {}
    for entry in BUILTIN.entries.values():
        for wording in entry.messages:
            said = tuple(token for piece in wording.pieces for token in tokens(piece))
            told.setdefault(said, set()).add(entry.id)
    assert {frozenset(ids) for ids in told.values() if len(ids) > 1} <= SHARED


def surely(text: str) -> list[str]:
    return [fit.id for fit in matcher().fits(read(text), exporting=True) if fit.sure]


def test_the_entry_that_says_more_wins() -> None:
    baked = match("AssertionError", "Guard failed: x.size()[0] == 8")
    general = match("AssertionError", "Guard failed: x.size()[0] <= 8")
    assert (baked, general) == ("E0104", "E0103")


def test_an_unknown_error_has_no_entry() -> None:
    assert match("RuntimeError", "the moon is in the wrong phase") is None


@pytest.mark.parametrize(
    ("error_type", "message"),
    [
        ("AttributeError", "'Cpu' object has no attribute 'fragile'"),
        ("AttributeError", "'function' object has no attribute 'name'"),
        ("AttributeError", "module 'torch' has no attribute 'foo'"),
        ("KeyError", "the codec is not registered"),
        ("AssertionError", "Expected bool, got a list"),
        ("TypeError", "argument 'keepdim' must be bool, not int"),
    ],
)
def test_an_error_that_only_sounds_like_one_has_no_entry(error_type: str, message: str) -> None:
    assert match(error_type, message) is None


@pytest.mark.parametrize(
    ("guard", "entry"),
    [
        ("x.size()[0] == 8", "E0104"),
        ("x.size()[0] % 3 == 0", "E0103"),
        ("bias.size()[0] == x.size()[0]", "E0103"),
        ("flag == True", "E0103"),
    ],
)
def test_only_a_size_equal_to_a_number_is_one_baked_in(guard: str, entry: str) -> None:
    assert match("AssertionError", f"Guard failed: {guard}") == entry


def test_the_type_alone_never_decides() -> None:
    told = {kind for e in BUILTIN.entries.values() for kind in e.types}
    assert len(told) > 40
    assert not [kind for kind in told if match(kind, "the moon is in the wrong phase")]


def test_white_space_and_the_module_of_the_type_do_not_matter() -> None:
    message = "We found a fake tensor\n   in the exported program\tconstant's list."
    assert match("builtins.RuntimeError", message) == "E0303"


def test_an_entry_without_a_case_says_why() -> None:
    shown = catalogue.cases_by_entry(database.load())
    silent = [
        e.id for e in BUILTIN.entries.values() if not (e.id in shown or e.unprovoked or e.fails)
    ]
    assert not silent


def test_the_graph_break_registry_is_covered_once() -> None:
    named = [gb for e in BUILTIN.entries.values() for gb in e.registry]
    assert len(named) == len(set(named)) > 500


def test_cases_of_an_entry_are_derived_from_the_cases() -> None:
    db = database.load()
    by_entry = catalogue.cases_by_entry(db)
    assert all(entry in case.meta.errors for entry, cases in by_entry.items() for case in cases)
    assert by_entry.keys() <= BUILTIN.entries.keys()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("E1: {}", "legal ID"),
        ("E9001: {title: T}", "lacks the text"),
        ("E9001: {title: T, meaning: M, remedy: R, messages: []}", "list of message templates"),
        ("E9001: {title: T, meaning: M, remedy: R, messages: x}", "list of texts"),
        ("E9001: {title: T, meaning: M, remedy: R, messages: ['{a}']}", "literal characters"),
        (
            "E9001: {title: T, meaning: M, remedy: R, messages: ['a long text with {}']}",
            "placeholder",
        ),
        ("E9001: {title: T, meaning: M, remedy: R, kind: x, messages: [y]}", "unknown key"),
        ("E0001: {title: T, meaning: M, remedy: R, messages: [y]}", "already"),
        ("E9001: {title: T, meaning: M, remedy: R, since: lately}", "a version of torch"),
        (
            "E9001: {title: T, meaning: M, remedy: R, since: '2.10', until: '2.9'}",
            "until torch 2.9",
        ),
    ],
)
def test_an_entry_that_cannot_be_meant_is_refused(
    tmp_path: Path, text: str, complaint: str
) -> None:
    (tmp_path / "errors.yaml").write_text(text)
    [error] = catalogue.load([tmp_path]).broken
    assert complaint in error.message
    assert error.line == 1


def test_a_private_tree_adds_entries(tmp_path: Path) -> None:
    entry = "E9001: {title: T, meaning: M, remedy: R, messages: ['the flux capacitor is empty']}"
    (tmp_path / "errors").mkdir()
    (tmp_path / "errors" / "mine.yaml").write_text(entry)
    own = Matcher(catalogue.load([tmp_path]).entries.values())
    assert own.match("mine.MyError", "the flux capacitor is empty") == "E9001"


@pytest.mark.parametrize("line", ["E9001 cond", "E9001 cond many", "E9001 cond 2 while"])
def test_words_that_are_not_told_in_numbers_are_one_problem_with_its_line(
    tmp_path: Path, line: str
) -> None:
    (tmp_path / "errors").mkdir()
    words = tmp_path / "errors" / "words.txt"
    words.write_text(f"# What people say.\n{line}\nE9002 cond 3\n")
    (problem,) = catalogue.load([tmp_path]).broken
    assert (problem.path, problem.line) == (words, 2)
    assert "E9001 must have terms and whole numbers in turn" in str(problem)
