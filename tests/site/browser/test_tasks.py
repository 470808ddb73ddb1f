"""What readers come for, with a count of what they have to do: a click, a paste, a text typed."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from exportdb.cases import catalogue
from exportdb.explain import matcher
from exportdb.explain.reading import read

from .conftest import Open, Visit, whole_database
from .test_explorer import MESSAGES, TRACEBACK, entry

#: A line that a change takes away or adds.
CHANGE = ".xdb-diff > :is(.add, .remove)"


class Reader:
    """Someone on the front page, who counts."""

    def __init__(self, seen: Visit) -> None:
        self.seen, self.page, self.actions = seen, seen.go("index.html"), 0

    def click(self, place: Locator) -> None:
        self.actions += 1
        place.click()

    def type(self, text: str) -> None:
        self.actions += 1
        self.page.keyboard.insert_text(text)

    def press(self, key: str) -> None:
        self.actions += 1
        self.page.keyboard.press(key)


@pytest.fixture
def reader(visit: Open) -> Reader:
    return Reader(visit(viewport={"width": 1440, "height": 900}))


def surely(said: dict[str, str]) -> bool:
    """Whether the text of an error is enough to know it: some need what surrounds them."""
    first = next(iter(matcher().rank(read(TRACEBACK.format(**said)))), None)
    return first is not None and first.sure and first.entry.id == said["entry"]


def test_from_a_pasted_error_to_a_fix_on_the_screen(visit: Open) -> None:
    seen = visit(viewport={"width": 1440, "height": 900})
    shown = {e.id for e in catalogue.load().entries.values() if e.fails}
    told = [m for m in MESSAGES if m["entry"] in shown and surely(m)]
    messages = [entry("E0001"), *random.Random(21).sample(told, 5)]
    for said in messages:
        reader = Reader(seen)
        reader.click(reader.page.get_by_role("link", name="Paste an error"))
        expect(reader.page.locator("#xdb-error")).to_be_focused()
        reader.type(TRACEBACK.format(**said))
        expect(reader.page.locator(".xdb-answer h2").first).to_contain_text(said["entry"])
        change = reader.page.locator(".xdb-answer .xdb-diff").first
        for at in (change.locator(":is(.add, .remove)").first, change.locator(".add").last):
            expect(at).to_be_in_viewport()
        assert reader.actions == 2


def test_a_phone_shows_the_fix_of_a_pasted_error(visit: Open) -> None:
    page = visit(viewport={"width": 390, "height": 844}, is_mobile=True).go("explain.html")
    fixed = page.evaluate("Object.keys(exportdbFixes).map((at) => exportdbIndex.errors[at][0])")
    found = []
    for chosen in random.Random(14).sample(fixed, 20):
        page.fill("#xdb-error", chosen)
        expect(page.locator(".xdb-answer h2")).to_contain_text(chosen)
        found += [(chosen, at) for at in [ends(page, CHANGE)] if at > 844]
    assert found == []


def test_where_export_is_wrong_and_strict_is_not(reader: Reader) -> None:
    reader.press("/")
    reader.type("export:wrong export-strict:!wrong")
    expect(reader.page.locator("a.xdb-case").first).to_be_visible()
    heads = [h.split("\u00a0")[0] for h in reader.page.locator("thead th").all_inner_texts()]
    for row in reader.page.locator("#xdb-cases tbody tr").all()[:5]:
        cells = dict(zip(heads, row.locator("th, td").all_inner_texts(), strict=False))
        assert "wrong" in cells["export"] and "wrong" not in cells["export-strict"]
    assert reader.actions == 2


def test_exporters_that_are_asked_about_have_the_first_columns(visit: Open) -> None:
    seen = visit()
    page = seen.go("index.html")
    page.fill("#xdb-q", "onnx-torchscript:wrong onnx:!wrong")
    heads = page.locator("#xdb-cases thead th").all_inner_texts()
    assert [h.split("\u00a0")[0] for h in heads[1:3]] == ["onnx-torchscript", "onnx"]
    assert len(heads) == 7
    for row in page.locator("#xdb-cases tbody tr").all()[:5]:
        first, second = row.locator("td").all_inner_texts()[:2]
        assert "wrong" in first and "wrong" not in second


def test_what_changed_for_export_between_two_versions(reader: Reader) -> None:
    reader.click(reader.page.get_by_role("link", name="export:changed:2.6..2.15"))
    expect(reader.page.locator("[role=status]")).to_have_text(re.compile(r"\d+ of [\d,]+ cases"))
    expect(reader.page.locator("a.xdb-case").first).to_be_visible()
    assert reader.actions <= 2


@pytest.mark.parametrize("at", random.Random(22).sample(range(50), 3))
def test_from_the_front_page_to_a_repro_that_shows_the_trouble(reader: Reader, at: int) -> None:
    reader.click(reader.page.get_by_role("link", name="export:wrong", exact=True))
    reader.click(reader.page.locator("a.xdb-case").nth(at))
    reader.click(reader.page.get_by_role("button", name="Copy as runnable repro"))
    reader.page.wait_for_function("navigator.clipboard.readText().then((t) => t.length > 500)")
    repro = reader.page.evaluate("navigator.clipboard.readText()")
    compile(repro, "repro.py", "exec")  # tests/site/test_repro.py runs such scripts
    expect(reader.page.locator("[data-told]")).to_have_text("export is wrong")
    assert "torch.export.export(" in repro and "torch.testing.assert_close" in repro
    assert reader.actions == 3


def test_the_worst_five_of_an_exporter(visit: Open) -> None:
    seen = visit(viewport={"width": 1440, "height": 900})
    for name in ("make-fx", "export", "onnx", "jit-script", "aot-inductor", "pt2e-quantized"):
        reader = Reader(seen)
        reader.click(reader.page.get_by_role("link", name="How good is this exporter?"))
        reader.click(reader.page.get_by_role("link", name=name, exact=True).first)
        worst = reader.page.locator(".xdb-todo li li a")
        for at in range(5):
            expect(worst.nth(at)).to_be_in_viewport()
        assert reader.actions == 2


def test_an_exporter_shows_the_worst_causes_and_the_rest_on_demand(visit: Open) -> None:
    page = visit(java_script_enabled=False).go("exporters/export.html")
    causes = page.locator("#wrong .xdb-todo > li")
    shown, of = page.locator("#wrong .xdb-todo > li:visible").count(), causes.count()
    assert shown == 10 < of
    page.get_by_text(f"{of - shown} more causes").first.click()
    expect(causes.last).to_be_visible()


def test_what_changed_is_asked_of_any_two_versions(reader: Reader) -> None:
    reader.press("/")
    reader.type("export:changed:2.11..2.15")
    expect(reader.page.locator("[role=status]")).to_have_text(
        re.compile(r"[1-9]\d* of [\d,]+ cases")
    )
    assert reader.actions == 2


def test_a_repro_is_that_of_the_exporter_that_is_chosen(visit: Open) -> None:
    page = visit().go("cases/dynamic_shapes/branch_at_size_one.html")
    page.get_by_label("for").select_option("jit-trace")
    page.get_by_role("button", name="Copy as runnable repro").click()
    page.wait_for_function("navigator.clipboard.readText().then((t) => t.length > 500)")
    repro = page.evaluate("navigator.clipboard.readText()")
    compile(repro, "repro.py", "exec")
    assert "torch.jit.trace(model" in repro and "torch.export.export(" not in repro
    expect(page.locator("[data-told]")).to_have_text("jit-trace is wrong")


def ends(page: Page, selector: str) -> float:
    """How far down the first element of a selector reaches, in pixels."""
    box = page.locator(selector).first.bounding_box()
    assert box is not None, selector
    return box["y"] + box["height"]


def late(page: Page, wanted: Sequence[str], program: str = "") -> list[tuple[str, str, float]]:
    """What of a page is below the fold of a screen or a phone; the program, on a screen alone."""
    found = []
    for width, height in ((1440, 900), (390, 844)):
        page.set_viewport_size({"width": width, "height": height})
        shown = [*wanted, *([program] if program and width > 1000 else [])]
        reaches = {what: ends(page, what) for what in shown}
        found += [(page.url, what, at) for what, at in reaches.items() if at > height]
    return found


def test_the_answer_is_above_the_fold(visit: Open) -> None:
    cases = [c.id for c in whole_database() if c.meta.rewrites]
    chosen = random.Random(14).sample(cases, 20)
    seen = visit()
    told = (".xdb-verdict", CHANGE)
    program = ".xdb-program .xdb-numbered > span:nth-child(5)"
    pages = (seen.go(f"cases/{case}.html") for case in chosen)
    assert [found for page in pages for found in late(page, told, program)] == []


def test_what_to_write_is_above_the_fold_of_an_entry(visit: Open, site: Path) -> None:
    entries = sorted((site / "errors").glob("E*.html"))
    shown = [p.stem for p in entries if "xdb-fix" in p.read_text(encoding="utf-8")]
    chosen = random.Random(13).sample(shown, 20)
    seen = visit()
    told = (".xdb-verdict", ".xdb-remedy", CHANGE)
    pages = (seen.go(f"errors/{name}.html") for name in chosen)
    assert [found for page in pages for found in late(page, told)] == []


def test_a_note_is_opened_by_its_number(visit: Open) -> None:
    page = visit().go("cases/control_flow/branch_on_value.html")
    note = page.locator("#note-1")
    expect(note).to_be_hidden()
    page.locator('.xdb-matrix a[href="#note-1"]').first.click()
    expect(note).to_be_visible()


def test_a_comparison_is_narrowed_to_an_exporter_and_a_device(visit: Open) -> None:
    seen = visit()
    page = seen.go("compare/index.html#?torch=2.11&torch=2.15&only-exporter=export&only-device=cpu")
    rows = page.locator(".xdb-differences tbody tr")
    expect(rows.first).to_be_visible()
    assert set(page.locator(".xdb-differences tbody td:first-child").all_inner_texts()) == {
        "export"
    }
    assert set(page.locator(".xdb-differences tbody td:nth-child(3)").all_inner_texts()) == {"cpu"}


def test_what_is_compared_is_said_and_chosen(visit: Open) -> None:
    page = visit().go("compare/index.html")
    expect(page.get_by_label("Two exporters:")).to_be_checked()
    page.get_by_label("Two versions of torch:").check()
    assert "torch=" in page.evaluate("location.hash")
    expect(page.locator("h2").first).to_contain_text("torch")
    page.get_by_label("and exporter", exact=True).select_option("make-fx")
    expect(page.get_by_label("Two exporters:")).to_be_checked()


def test_a_program_without_a_rewrite_has_most_of_the_width(visit: Open) -> None:
    alone = next(c.id for c in whole_database() if not c.meta.rewrites)
    page = visit(viewport={"width": 1440, "height": 900}).go(f"cases/{alone}.html")
    program, beside = (page.locator(f".xdb-first > .xdb-{part}").bounding_box() for part in
                       ("program", "fix"))  # fmt: skip
    assert program and beside and program["width"] > 1.8 * beside["width"]


def test_trends_show_the_exporters_that_are_chosen(visit: Open) -> None:
    page = visit().go("trends.html")
    shown = page.locator("#support figure:visible")
    assert shown.count() > 4
    page.get_by_text("Choose exporters").click()
    page.get_by_role("checkbox", name="make-fx", exact=True).check()
    assert set(shown.locator("figcaption").all_inner_texts()) and all(
        said.startswith("make-fx") for said in shown.locator("figcaption").all_inner_texts()
    )


def test_short_addresses_lead_to_an_entry(visit: Open, site: Path) -> None:
    page = visit().go("E0101.html")
    expect(page).to_have_url(re.compile(r"errors/E0101\.html$"))
    text = (site / "E0101.html").read_text(encoding="utf-8")
    assert '<meta property="og:title" content="E0101: ' in text
