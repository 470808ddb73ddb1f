"""The explain page, as you paste, shows what ``exportdb explain --json`` prints."""

from __future__ import annotations

import json
from collections.abc import Sequence
from typing import Any

import pytest
from click.testing import CliRunner
from playwright.sync_api import Page, expect

from exportdb.cli.explain import command
from tests.site import pasted
from tests.site.test_explaining import changed

from .conftest import ISSUES, Open
from .test_explorer import MESSAGES, TRACEBACK

#: What stands on the page, in the form of :func:`printed`.
SHOWN = """() => {
  const all = (css, box = document) => [...box.querySelectorAll(css)];
  const around = /^.*\\/(?:errors|cases)\\/|\\.html$/g;
  const linked = (a) => decodeURIComponent(a.pathname.replace(around, ""));
  const texts = (css, box) => all(css, box).map((one) => one.textContent);
  const first = document.querySelector(".xdb-answer");
  const facts = Object.fromEntries(all(".xdb-named > li").filter((li) => li.querySelector("code"))
    .map((li) => [li.firstChild.textContent.replace(/: $/, ""), texts("code", li)]));
  return {
    sure: all(".xdb-answer h2 a").map(linked),
    similar: all("[aria-labelledby=answer-similar] > ul:first-of-type > li > a").map(linked),
    perhaps: all("[aria-labelledby=answer-perhaps] li > a").map(linked),
    facts,
    cases: first ? all("h3 + ul > li", first).map((li) => all("a", li).map(linked)) : [],
    change: first ? all(".xdb-diff > :is(.add, .remove)", first).map((line) =>
      line.textContent.replace(/^\\u2212/, "-").replace(/^(.) /, "$1").trimEnd()) : [],
    draft_export: texts(".xdb-answer > p", document)
      .some((said) => said.startsWith("torch.export.draft_export")),
    report: all(".xdb-answers a[rel=noopener]").map((a) => a.getAttribute("href")).join(),
    cut: document.querySelector("[role=status]").textContent.includes("its middle was not read"),
  };
}"""

#: Puts a text into the box at once.
GIVE = """(text) => {
  const box = document.querySelector("#xdb-error");
  box.value = text;
  box.dispatchEvent(new Event("input"));
}"""


#: Pastes a text, as a browser says that somebody did.
PASTE = """(text) => {
  const clipboardData = new DataTransfer();
  clipboardData.setData("text/plain", text);
  document.querySelector("#xdb-error").dispatchEvent(
    new ClipboardEvent("paste", { clipboardData, cancelable: true }));
}"""


@pytest.fixture(autouse=True)
def _issues(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("EXPORTDB_ISSUES", ISSUES)


def printed(text: str) -> dict[str, Any]:
    """What the command prints of a text."""
    result = CliRunner().invoke(command, ["--json"], input=text, standalone_mode=False)
    found = json.loads(result.stdout)
    sure = [a["entry"] for a in found["answers"] if a["sure"]]
    others = [a["entry"] for a in found["answers"] if not a["sure"]]
    place = found["place"]
    named = f"{place['file']}:{place['line']}" if place else ""
    if place and place["function"]:
        named += f" in {place['function']}"
    facts = {
        "your line": [part for part in (named, place and place["source"]) if part],
        "condition": found["expressions"], "symbols": found["symbols"],
        "operators": found["operators"],
    }  # fmt: skip
    asked = bool(found["answers"])  # without an entry there is nothing to show beside
    diffs = [found["change"], *(shown["diff"] for shown in found["cases"])]
    return {
        "sure": sure,
        "similar": [] if sure else others,
        "perhaps": others if sure else [],
        "facts": {name: values for name, values in facts.items() if values and asked},
        "cases": [[c for c in (s["case"], s["rewrite"]) if c] for s in found["cases"]],
        "change": [line.rstrip() for diff in diffs for line in changed(diff)],
        "draft_export": found["draft_export"],
        "report": "" if sure else found["report"],
        "cut": found["cut"],
    }


def shown(page: Page, text: str) -> dict[str, Any]:
    """What the page says of a text, once it has said it."""
    page.fill("#xdb-error", "")
    expect(page.locator(".xdb-answers")).to_be_empty()
    if len(text) < 100_000:
        page.fill("#xdb-error", text)
    else:  # which Chromium would take line by line, unlike what is pasted
        page.evaluate(GIVE, text)
    expect(page.locator(".xdb-answers")).not_to_be_empty(timeout=60_000)
    found: dict[str, Any] = page.evaluate(SHOWN)
    return found


#: Texts by kind. What is no text at all, half of a character, no browser hands over.
KINDS: dict[str, Sequence[str]] = {
    "messages": [TRACEBACK.format(**said) for said in MESSAGES[::60]],
    "clothes": pasted.clothed(every=160),
    "lines": [pasted.at(line) for line in pasted.LINES],
    "unsure": pasted.UNSURE,
    "hostile": [text for text in pasted.HOSTILE if "\ud800" not in text],
    "huge": pasted.HUGE,
}


@pytest.mark.parametrize("kind", KINDS)
def test_the_page_shows_what_the_command_prints(visit: Open, kind: str) -> None:
    page = visit().go("explain.html")
    for text in KINDS[kind]:
        found, told = shown(page, text), printed(text)
        assert {name: (found[name], told[name]) for name in told if found[name] != told[name]} == {}
    assert page.locator("article :is(img, script)").count() == 0


@pytest.mark.parametrize("text", pasted.UNDRAWN, ids=["colours", "blank lines"])
def test_a_long_paste_comes_in_without_what_takes_long_to_draw(visit: Open, text: str) -> None:
    page = visit().go("explain.html")
    page.evaluate(PASTE, text)
    kept = page.input_value("#xdb-error")
    assert len(kept) < 1000
    assert kept.endswith(text.replace("\x1b[31m", "")[-40:])


def test_there_are_texts_enough_and_all_that_can_be_said_is_said_of_some() -> None:
    texts = [text for texts in KINDS.values() for text in texts]
    assert len(texts) > 60
    told = [printed(text) for text in texts]
    assert {name for one in told for name, said in one.items() if said} == {*told[0]}
    assert {name for one in told for name in one["facts"]} == {
        "your line", "condition", "symbols", "operators",
    }  # fmt: skip


def test_the_report_is_filled_in_and_nothing_is_sent_until_it_is_followed(visit: Open) -> None:
    seen = visit()
    page = seen.go("explain.html")
    page.fill("#xdb-error", "RuntimeError: the moon is in the wrong phase")
    report = page.get_by_role("link", name="Report this error")
    expect(report).to_have_attribute("href", f"{ISSUES}?title=Unexplained%3A+RuntimeError%3A+the+"
        "moon+is+in+the+wrong+phase&body=%60%60%60%0ARuntimeError%3A+the+moon+is+in+the+wrong+"
        "phase%0A%60%60%60")  # fmt: skip
    assert not [url for url in seen.requests if url.startswith(ISSUES)]
