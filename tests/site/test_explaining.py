"""The explain page says what ``exportdb explain`` says: its scripts, without a browser."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest

from exportdb.explain import explain
from exportdb.explain.likeness import statement
from exportdb.site.model import Site
from tests.site import pasted
from tests.site.test_scripts import Ask, asker

ISSUES = "https://issues.example/new"

ANSWER = """(text) => {
  const told = {...window.exportdbTold, issues: "https://issues.example/new"};
  const found = xdbExplaining.explained(index, told, text);
  const name = (at) => (at < 0 ? null : index.cases[at][0]);
  const known = ({at, rewrite, lines}) => ({case: name(at), rewrite: name(rewrite), diff: lines});
  return {
    ...found,
    answers: found.answers.map(({entry, sure}) => ({entry: index.errors[entry][0], sure})),
    cases: found.cases.map(known),
  };
}"""


@pytest.fixture(scope="module")
def ask(whole: Site) -> Iterator[Ask]:
    return asker(whole)


@pytest.fixture(autouse=True)
def _issues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPORTDB_ISSUES", ISSUES)


def changed(diff: str) -> list[str]:
    """The lines that a diff takes away or adds; those that are empty, the page leaves out."""
    lines = [line for line in diff.splitlines() if not line.startswith(("--- ", "+++ "))]
    return [line for line in lines if line[:1] in "+-" and line[1:].strip()]


def said_by_the_command(text: str) -> dict[str, Any]:
    """What ``exportdb explain --json`` prints, but of entries their IDs alone."""
    found = explain(text).as_json()
    found["answers"] = [{"entry": a["entry"], "sure": a["sure"]} for a in found["answers"]]
    found["cases"] = [{**shown, "diff": changed(shown["diff"])} for shown in found["cases"]]
    return {**found, "change": changed(found["change"])}


def said_by_the_page(ask: Ask, text: str) -> dict[str, Any]:
    """The same of the page: a change is signs and lines there."""

    def signed(lines: list[list[str]]) -> list[str]:
        return [sign + line for sign, line in lines if sign in "+-"]

    found: dict[str, Any] = ask(ANSWER, text)
    found["cases"] = [{**shown, "diff": signed(shown["diff"])} for shown in found["cases"]]
    return {**found, "change": signed(found["change"])}


def test_the_page_says_what_the_command_says_in_whatever_clothes_a_text_comes(ask: Ask) -> None:
    texts = pasted.clothed(every=20)
    assert len(texts) > 200
    told = [said_by_the_command(text) for text in texts]
    for text, said in zip(texts, told, strict=True):
        assert said_by_the_page(ask, text) == said, text
    assert sum(bool(one["cases"]) for one in told) > 50
    assert sum(any(shown["diff"] for shown in one["cases"]) for one in told) > 10
    assert sum(bool(one["change"]) for one in told) > 10
    assert sum(bool(one["place"]) for one in told) > 100
    assert sum(not one["sure"] and bool(one["answers"]) for one in told) > 10


@pytest.mark.parametrize("line", pasted.LINES)
def test_cases_with_a_line_like_the_users_come_first_as_they_do_there(ask: Ask, line: str) -> None:
    for error in (pasted.GUARD, "RuntimeError: Guard failed: x.shape[0] == 3"):
        text = pasted.at(line, error)
        assert said_by_the_page(ask, text) == said_by_the_command(text)


@pytest.mark.parametrize("text", [*pasted.UNSURE, *pasted.HOSTILE, *pasted.HUGE, *pasted.UNDRAWN],
                         ids=lambda text: ascii(text[:30]))  # fmt: skip
def test_what_is_odd_hostile_or_huge_is_answered_as_there(ask: Ask, text: str) -> None:
    assert said_by_the_page(ask, text) == said_by_the_command(text)


@pytest.mark.parametrize("line", [
    *pasted.LINES, "", "   ", "with torch.no_grad(): pass", "return [a for a in b if not a]",
    "x: int = f(*args, **words)[1:, ::2]", "print('(', \"[\", 3.5e-7)", "a <<= b // c ** -d",
    "((((", "]])) = '", "yield", "caf\u00e9 = na\u00efve.\u00fc\u00fc()",
])  # fmt: skip
def test_a_line_has_the_pieces_that_it_has_there(ask: Ask, line: str) -> None:
    kind, pieces = ask("(line) => xdbExplaining.statement(window.exportdbTold, line)", line)
    its, counted = statement(line)
    assert (kind, sorted(pieces)) == (its, sorted(counted.elements()))
