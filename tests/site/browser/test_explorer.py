"""The explorer as a reader uses it: by keys, by filters, by addresses."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from playwright.sync_api import Page, expect

from .conftest import Open, whole_database

MESSAGES = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "catalogue" / "messages.jsonl")
    .read_text(encoding="utf-8")
    .splitlines()
]
TRACEBACK = (
    "\x1b[31mTraceback (most recent call last):\x1b[0m\n"
    '  File "/home/me/train.py", line 44, in <module>\n    torch.export.export(model, args)\n'
    "torch._dynamo.exc.{type}: {message}\n"
)


def count(said: str) -> int:
    """The number that a text begins with."""
    return int(said.split()[0].replace(",", ""))


def choose_exporter(page: Page, name: str) -> None:
    """Check an exporter in its group, of which only those that find most are shown at first."""
    group = page.locator(".xdb-facet-exporter")
    group.get_by_role("button", name="Show all").click()
    group.get_by_role("checkbox", name=name).check()


def entry(entry_id: str) -> dict[str, str]:
    """A real message of an entry of the catalogue."""
    return next(m for m in MESSAGES if m["entry"] == entry_id)


# --- searching


@pytest.mark.slow
@pytest.mark.parametrize("entry_id", ["E0001", "E0002", "E0101", "E0303"])
def test_a_pasted_traceback_finds_a_case_that_explains_it_first(visit: Open, entry_id: str) -> None:
    seen = visit()
    seen.go("index.html")
    seen.paste("#xdb-q", TRACEBACK.format(**entry(entry_id)))
    expect(seen.page.locator(".xdb-meaning")).to_contain_text(entry_id)
    first = whole_database().cases[seen.ids()[0]]
    assert entry_id in first.meta.errors
    assert "\n" not in seen.page.input_value("#xdb-q")


def test_typing_filters_the_table_and_says_how_many_are_left(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    total = count(seen.said())
    page.locator("#xdb-q").press_sequentially("torch.cond")
    found = count(seen.said())
    assert 0 < found < total and seen.said().endswith(f"of {total:,} cases")
    page.fill("#xdb-q", "no such thing anywhere")
    assert seen.ids() == []
    expect(page.locator("#explorer")).to_contain_text("No case fits")


def test_long_results_are_shown_in_steps(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    total = count(seen.said())
    assert len(seen.ids()) == 50 < total
    page.get_by_role("button", name="Show 200 more").click()
    assert len(seen.ids()) == 250
    expect(page.locator("a.xdb-case").nth(50)).to_be_focused()


def test_without_scripts_every_case_is_listed(visit: Open) -> None:
    seen = visit(java_script_enabled=False)
    page = seen.page
    page.goto(seen.root + "index.html")
    listed = page.locator("#all-cases a").count()
    assert listed >= len(whole_database().cases)
    expect(page.locator("#all-cases a").first).to_be_visible()
    page.locator("#all-cases a").first.click()
    expect(page.locator("h1")).to_be_visible()


def test_every_question_that_is_offered_finds_something(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    offered = page.locator("#xdb-q-hint a").all_inner_texts()
    assert len(offered) >= 3
    for question in offered:
        page.locator("#xdb-q-hint").get_by_role("link", name=question, exact=True).click()
        assert page.input_value("#xdb-q") == question
        assert count(seen.said()) > 0, question


def test_a_condition_that_is_none_is_told_with_what_was_meant(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    page.fill("#xdb-q", "cond strict:wrong")
    expect(page.locator(".xdb-meaning")).to_contain_text("strict:wrong")
    page.locator(".xdb-meaning").get_by_role("link", name="cond export-strict:wrong").click()
    assert page.input_value("#xdb-q") == "cond export-strict:wrong"
    expect(page.locator(".xdb-meaning")).not_to_contain_text("strict:wrong")


def test_the_search_of_the_guides_leads_to_that_of_the_cases(visit: Open) -> None:
    page = visit().go("search.html?q=lstm+%26+cell")
    expect(page.get_by_placeholder("Search the guides").last).to_be_visible()
    page.get_by_role("link", name="Search all cases").click()
    expect(page.locator("#xdb-q")).to_have_value("lstm & cell")


# --- choosing


def test_choices_combine_in_one_cell(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    page.locator(".xdb-facet-outcome").get_by_role("checkbox", name="wrong").check()
    wrong = seen.said()
    choose_exporter(page, "jit-trace")
    both = seen.said()
    page.locator(".xdb-facet-torch").get_by_role("checkbox", name="2.15").check()
    page.locator(".xdb-facet-device").get_by_role("checkbox", name="cpu").check()
    found = [count(said) for said in (wrong, both, seen.said())]
    assert found[0] > found[1] >= found[2] > 0
    # Every row shows the very cell that was asked for.
    assert set(page.locator("#xdb-cases tbody td").all_inner_texts()) == {"≠ wrong"}


def test_the_number_beside_a_choice_is_what_it_finds(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html#?exporter=export")
    choices = ("outcome", "refused"), ("topic", "dynamic_shapes"), ("is", "silently wrong")
    for group, name in choices:
        choice = page.locator(f".xdb-facet-{group} label", has_text=name)
        count = choice.locator(".xdb-count").inner_text()
        choice.locator("input").check()
        assert seen.said().split()[0] == count
        choice.locator("input").uncheck()


def test_a_choice_is_taken_away_by_its_button(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html#?exporter=export&outcome=wrong")
    page.get_by_role("button", name="Remove outcome: wrong").click()
    assert page.evaluate("location.hash") == "#?exporter=export"
    expect(page.locator("#xdb-q")).to_be_focused()


# --- addresses


def test_an_address_restores_what_was_found(visit: Open) -> None:
    first = visit()
    page = first.go("index.html")
    page.fill("#xdb-q", "size & guard")
    page.fill("#xdb-q", "size")
    choose_exporter(page, "export-strict")
    page.get_by_role("button", name="Case").click()
    address, ids, said = page.url, first.ids(), first.said()
    assert len(ids) > 1

    second = visit()
    second.page.goto(address)
    assert (second.ids(), second.said()) == (ids, said)
    assert second.page.input_value("#xdb-q") == "size"
    box = second.page.locator(".xdb-facet-exporter").get_by_role("checkbox", name="export-strict")
    expect(box).to_be_checked()
    expect(second.page.locator("th[aria-sort=ascending]")).to_contain_text("Case")


def test_back_goes_step_by_step_and_typing_is_one_step(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    everything = seen.said()
    page.locator("#xdb-q").press_sequentially("size")
    searched = seen.said()
    choose_exporter(page, "export-strict")
    page.locator(".xdb-facet-outcome").get_by_role("checkbox", name="refused").check()
    chosen = seen.said()
    page.go_back()
    page.go_back()
    assert seen.said() == searched
    page.go_back()
    assert (seen.said(), page.input_value("#xdb-q")) == (everything, "")
    for _ in range(3):
        page.go_forward()
    assert seen.said() == chosen


def test_back_from_a_case_finds_the_same_table(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html#?q=torch.cond&outcome=refused")
    ids = seen.ids()
    page.locator("a.xdb-case").nth(1).click()
    expect(page.locator("body[data-kind=case]")).to_be_attached()
    page.go_back()
    assert seen.ids() == ids


def test_an_address_that_asks_for_what_is_not_there_says_so(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html#?exporter=exprot&torch=2.15")
    expect(page.locator(".xdb-meaning")).to_contain_text("exporter=exprot")


# --- keys


def test_everything_is_reached_by_keys(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    page.keyboard.press("/")
    expect(page.locator("#xdb-q")).to_be_focused()
    page.keyboard.type("a/b")  # in the field it is a letter
    assert page.input_value("#xdb-q") == "a/b"
    page.keyboard.press("Escape")
    assert page.input_value("#xdb-q") == ""
    page.keyboard.type("torch.cond")
    page.keyboard.press("ArrowDown")
    expect(page.locator("a.xdb-case").nth(0)).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator("a.xdb-case").nth(1)).to_be_focused()
    page.keyboard.press("ArrowUp")
    page.keyboard.press("ArrowUp")
    expect(page.locator("#xdb-q")).to_be_focused()
    page.keyboard.press("Enter")
    title = seen.titles()[0]
    page.keyboard.press("Enter")
    expect(page.locator("h1")).to_contain_text(title)


def test_a_choice_keeps_the_focus(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    page.keyboard.press("/")
    box = page.locator(".xdb-facet-outcome input").first
    for _ in range(60):
        page.keyboard.press("Tab")
        if box.evaluate("(box) => box === document.activeElement"):
            break
    expect(box).to_be_focused()
    page.keyboard.press("Space")
    expect(box).to_be_checked()
    expect(box).to_be_focused()


def test_sorting_keeps_the_focus_and_is_told(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    button = page.locator("[data-sort='exporter:jit-trace']")
    button.focus()
    page.keyboard.press("Enter")
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("jit-trace")
    page.keyboard.press("Enter")
    expect(page.locator("th[aria-sort=descending]")).to_contain_text("jit-trace")
    expect(page.locator("[data-sort='exporter:jit-trace']")).to_be_focused()


def test_a_few_exporters_have_a_column_until_all_are_asked_for(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    columns = page.locator("#xdb-cases thead th")
    exporters = page.locator(".xdb-facet-exporter input").count()
    assert columns.count() < exporters
    # What is shown fits: nobody has to scroll sideways to see whether there is more.
    assert (
        page.evaluate(
            "(({scrollWidth, clientWidth}) => scrollWidth - clientWidth)"
            "(document.querySelector('#explorer .xdb-scroll'))"
        )
        <= 0
    )
    page.get_by_role("button", name="more exporters").click()
    assert columns.count() == exporters + 1
    fewer = page.get_by_role("button", name="Show fewer exporters")
    expect(fewer).to_be_focused()
    fewer.click()
    assert columns.count() < exporters
    # An exporter that an address sorts by has its column in any case.
    page = seen.go("index.html#?sort=exporter:onnx")
    expect(page.locator("th[aria-sort=ascending]")).to_contain_text("onnx")


def test_paper_has_every_case_that_was_found(visit: Open) -> None:
    page = visit().go("index.html")
    rows = page.locator("#xdb-cases tbody tr")
    total = page.evaluate("document.querySelectorAll('#all-cases li').length")
    few = rows.count()
    assert few < total
    page.evaluate("dispatchEvent(new Event('beforeprint'))")
    expect(rows).to_have_count(total)
    page.evaluate("dispatchEvent(new Event('afterprint'))")
    expect(rows).to_have_count(few)


# --- harm


def test_what_a_case_says_is_text(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html#?q=hostile")
    assert "<img src=x onerror='window.harmed = true'> in a title" in seen.titles()
    page.fill("#xdb-q", "HostileError")
    expect(page.locator(".xdb-said")).to_contain_text("<script>window.harmed = true</script>")
    assert page.locator("#explorer img, #explorer script").count() == 0
    page.goto(seen.root + "index.html#?q=" + "%3Cimg src=x onerror='window.harmed = true'%3E")
    page.goto(seen.root + "cases/hostile/markup.html")
    assert page.locator("article img, article script").count() == 0
