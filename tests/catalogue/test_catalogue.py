"""The error catalogue: real messages find their entry, and the format refuses what it cannot mean.

``messages.jsonl`` holds messages that torch raised, each with the torch versions whose text it is.
"""

from __future__ import annotations

import json
import time
from pathlib import Path

import pytest

from exportdb.cases import catalogue, database

MESSAGES = [
    json.loads(line)
    for line in Path(__file__).with_name("messages.jsonl").read_text(encoding="utf-8").splitlines()
]
BUILTIN = catalogue.load()


@pytest.mark.parametrize("said", MESSAGES, ids=lambda m: f"{m['entry']}-{'-'.join(m['torch'])}")
def test_a_real_message_finds_its_entry(said: dict[str, str]) -> None:
    assert catalogue.match(said["type"], said["message"]) == said["entry"]


@pytest.mark.parametrize("said", MESSAGES, ids=lambda m: f"{m['entry']}-{'-'.join(m['torch'])}")
def test_no_other_entry_explains_it_as_well(said: dict[str, str]) -> None:
    text = catalogue.one_line(said["message"])
    weights = {e.id: e.weight(said["type"], text) for e in BUILTIN.entries.values()}
    best = weights.pop(said["entry"])
    assert all(weight < best for weight in weights.values()), weights


def test_every_entry_has_real_messages_of_both_reference_versions() -> None:
    seen: dict[str, set[str]] = {}
    for said in MESSAGES:
        seen.setdefault(said["entry"], set()).update(said["torch"])
    assert seen == {entry: {"2.13", "2.15"} for entry in BUILTIN.entries}


def test_every_template_is_met_by_a_real_message() -> None:
    texts = [catalogue.one_line(said["message"]) for said in MESSAGES]
    templates = [t for e in BUILTIN.entries.values() for t in e.messages]
    assert not [t.text for t in templates if not any(t.matches(text) for text in texts)]


def test_the_entry_that_says_more_wins() -> None:
    baked = BUILTIN.match("AssertionError", "Guard failed: x.size()[0] == 8")
    general = BUILTIN.match("AssertionError", "Guard failed: x.size()[0] <= 8")
    assert baked != general


def test_an_unknown_error_has_no_entry() -> None:
    assert BUILTIN.match("RuntimeError", "the moon is in the wrong phase") is None
    assert BUILTIN.match("KeyError", "Guard failed: x.size()[0] == 8") is None


def test_white_space_and_the_module_of_the_type_do_not_matter() -> None:
    message = "We found a fake tensor\n   in the exported program\tconstant's list."
    assert BUILTIN.match("builtins.RuntimeError", message) == "E0303"


def test_a_huge_message_is_matched_in_time() -> None:
    message = "Guard failed: " * 50_000
    started = time.process_time()
    BUILTIN.match("AssertionError", message)
    assert time.process_time() - started < 1.0


def test_cases_of_an_entry_are_derived_from_the_cases() -> None:
    db = database.load()
    by_entry = catalogue.cases_by_entry(db)
    assert all(entry in case.meta.errors for entry, cases in by_entry.items() for case in cases)
    assert by_entry.keys() == BUILTIN.entries.keys()


@pytest.mark.parametrize(
    ("text", "complaint"),
    [
        ("E1: {}", "legal ID"),
        ("E9001: {title: T}", "lacks the text"),
        ("E9001: {title: T, meaning: M, remedy: R, messages: []}", "list of message templates"),
        ("E9001: {title: T, meaning: M, remedy: R, messages: ['{a}']}", "literal characters"),
        (
            "E9001: {title: T, meaning: M, remedy: R, types: [KeyError], messages: ['{a}']}",
            "literal",
        ),
        ("E9001: {title: T, meaning: M, remedy: R, messages: ['a long text with {}']}", "hole"),
        ("E9001: {title: T, meaning: M, remedy: R, kind: x, messages: [y]}", "unknown key"),
        ("E0001: {title: T, meaning: M, remedy: R, messages: [y]}", "already"),
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
    entry = "E9001: {title: T, meaning: M, remedy: R, types: [MyError], messages: ['{anything}']}"
    (tmp_path / "errors.yaml").write_text(entry)
    assert catalogue.load([tmp_path]).match("mine.MyError", "boom") == "E9001"
