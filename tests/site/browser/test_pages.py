"""Every kind of page in a real browser: reachable to all, whole on a phone, copied as it was."""

from __future__ import annotations

from pathlib import Path

import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Page, expect

from exportdb.cases import catalogue, database

from .conftest import Open, Visit, whole_database
from .test_explorer import MESSAGES, TRACEBACK, entry

#: WCAG at levels A and AA, and what is merely advised: the order of headings, landmarks. Sheets
#: of style are not loaded a second time: a page from a folder may not.
TAGS = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa", "best-practice"]
RULES = {"runOnly": {"type": "tag", "values": TAGS}, "preload": False}
KINDS = (
    "explorer", "explain", "notfound", "case", "error", "tag", "topic", "exporter", "compare",
    "trends", "index", "guide", "search.html", "genindex.html",
)  # fmt: skip


def violations(page: Page) -> list[str]:
    """What axe finds wrong, with where."""
    found = Axe().run(page, options=RULES).response["violations"]
    return [
        f"{v['id']}: {n['html'][:200]} {n['failureSummary']}" for v in found for n in v["nodes"]
    ]


def busy(seen: Visit, kind: str) -> None:
    """Bring a page into the state with most on it."""
    page = seen.page
    if kind == "explorer":
        page.locator("#xdb-q").fill(
            f"{MESSAGES[0]['type']}: {MESSAGES[0]['message'].splitlines()[0]}"
        )
        page.locator(".xdb-facets").evaluate("(facets) => { facets.open = true; }")
        page.locator(".xdb-facet-outcome").get_by_role("checkbox", name="refused").check()
    if kind == "explain":
        page.fill("#xdb-error", TRACEBACK.format(**entry("E0001")))
        expect(page.locator(".xdb-answer").first).to_be_visible()
    page.evaluate("document.querySelectorAll('article details').forEach((d) => { d.open = true; })")


def test_every_kind_of_page_is_tested(kinds: dict[str, str]) -> None:
    assert set(kinds) - {"py-modindex.html", "widest"} == set(KINDS)


#: Kinds of page with colours of their own, which may be too weak in the dark.
COLOURED = ("explorer", "case")


@pytest.mark.slow
@pytest.mark.parametrize(
    ("kind", "scheme"), [*((k, "light") for k in KINDS), *((k, "dark") for k in COLOURED)]
)
def test_a_page_is_accessible(visit: Open, typical: dict[str, str], kind: str, scheme: str) -> None:
    seen = visit(color_scheme=scheme)
    page = seen.go(typical[kind])  # the longest has more of the same, and takes a minute
    expect(page.locator("html")).to_have_attribute("data-theme", scheme)
    if kind in ("explorer", "explain"):  # elsewhere the busy page holds all of the fresh one
        assert violations(page) == []
    busy(seen, kind)
    assert violations(page) == []


def widest(page: Page) -> int:
    """How wide the page is, or a box around the article, which the theme lets scroll by itself."""
    return int(page.evaluate("""(() => {
        let most = 0;
        for (let box = document.querySelector("article, main"); box; box = box.parentElement)
            most = Math.max(most, box.scrollWidth);
        return most;
    })()"""))  # fmt: skip


@pytest.mark.parametrize("kind", [*KINDS, "api/cases.html", "api/records.html"])
def test_a_phone_does_not_scroll_sideways(visit: Open, kinds: dict[str, str], kind: str) -> None:
    seen = visit(viewport={"width": 360, "height": 740}, has_touch=True, is_mobile=True)
    page = seen.go(kinds.get(kind, kind))
    for state in ("fresh", "busy"):
        if state == "busy":
            busy(seen, kind)
        assert widest(page) <= 360, state


def test_a_phone_shows_a_whole_support_matrix(visit: Open, kinds: dict[str, str]) -> None:
    page = visit(viewport={"width": 390, "height": 844}, is_mobile=True).go(kinds["widest"])
    page.evaluate("document.querySelectorAll('article details').forEach((d) => { d.open = true; })")
    hidden = """[...document.querySelectorAll(".xdb-scroll:has(.xdb-matrix)")].map(
        ({scrollWidth, clientWidth}) => scrollWidth - clientWidth)"""
    assert set(page.evaluate(hidden)) == {0}
    matrix = page.get_by_role("region", name="Support matrix").get_by_role("table")
    expect(matrix.get_by_role("rowheader").first).to_be_visible()
    assert matrix.get_by_role("cell").first.get_attribute("data-label")


def test_the_scores_of_all_exporters_fit_a_smaller_screen(visit: Open) -> None:
    page = visit(viewport={"width": 1280, "height": 800}).go("exporters/index.html")
    hidden = "({scrollWidth, clientWidth}) => scrollWidth - clientWidth"
    assert page.locator(".xdb-scroll:has(.xdb-score)").first.evaluate(hidden) == 0


def test_a_table_of_many_exporters_fits_and_all_of_it_is_a_click_away(visit: Open) -> None:
    page = visit(viewport={"width": 1440, "height": 900}).go("tags/torch.cond.html")
    table, heads = page.locator(".xdb-scroll:has(.xdb-support)"), page.locator("thead th:visible")
    hidden = "({scrollWidth, clientWidth}) => scrollWidth - clientWidth"
    assert table.evaluate(hidden) == 0 and heads.count() == 8
    page.get_by_role("button", name="more exporters").click()
    assert heads.count() > 20
    page.set_viewport_size({"width": 390, "height": 844})
    assert table.evaluate(hidden) == 0


@pytest.mark.parametrize("name", ["exporters/index.html", "compare/index.html"])
def test_a_phone_shows_whole_tables(visit: Open, name: str) -> None:
    page = visit(viewport={"width": 390, "height": 844}, is_mobile=True).go(name)
    expect(page.locator("tbody td").first).to_be_visible()
    cut = """[...document.querySelectorAll(".xdb-scroll")].map(
        ({scrollWidth, clientWidth}) => scrollWidth - clientWidth)"""
    assert set(page.evaluate(cut)) == {0}


def test_a_phone_is_not_widened_by_a_long_name(visit: Open) -> None:
    seen = visit(viewport={"width": 360, "height": 740}, is_mobile=True)
    for name in ("cases/hostile/long.html", "index.html#?q=without_end", "topics/hostile.html"):
        page = seen.go(name)
        assert widest(page) <= 360, name


def test_a_phone_shows_a_result_with_its_exporter(visit: Open) -> None:
    page = visit(viewport={"width": 360, "height": 740}).go("index.html#?q=branch_on_value")
    cell = page.locator("#xdb-cases tbody td").first
    label = cell.evaluate("(cell) => getComputedStyle(cell, '::before').content")
    assert label.strip('"').strip() == cell.get_attribute("data-label") != ""
    expect(page.get_by_role("table").first.get_by_role("rowheader").first).to_be_visible()


@pytest.mark.parametrize("case_id", ["control_flow/branch_on_value", "hostile/markup"])
def test_a_program_is_copied_and_downloaded_as_it_is(
    visit: Open, hosted: str, site: Path, case_id: str
) -> None:
    tree = site.parent / "browser-tree" if case_id.startswith("hostile") else None
    case = (database.load([tree]) if tree else whole_database()).cases[case_id]
    seen = visit(hosted)
    page = seen.go(f"cases/{case_id}.html")
    clipboard = "navigator.clipboard.readText()"
    page.get_by_role("button", name="Copy program").click()
    expect(page.get_by_role("button", name="Copied")).to_be_visible()
    assert (
        page.evaluate(clipboard) == case.program
    )  # the page tells the front matter in its own way
    page.get_by_role("button", name="Copy as runnable repro").click()
    page.wait_for_function(f"{clipboard}.then((text) => text.length > {len(case.program)})")
    repro = page.evaluate(clipboard)
    assert repro.startswith(case.program)
    compile(repro, "repro.py", "exec")
    with page.expect_download() as download:
        page.get_by_role("link", name="Download").click()
    assert download.value.path().read_text(encoding="utf-8") == case.source
    assert download.value.suggested_filename == case_id.rpartition("/")[2] + ".py"


def test_a_program_is_copied_from_a_folder_too(visit: Open) -> None:
    page = visit().go("cases/control_flow/branch_on_value.html")
    page.get_by_role("button", name="Copy program").click()
    program = whole_database().cases["control_flow/branch_on_value"].program
    page.wait_for_function("navigator.clipboard.readText().then((text) => text.length > 0)")
    assert page.evaluate("navigator.clipboard.readText()") == program


@pytest.mark.parametrize("kind", KINDS)
def test_a_hosted_page_asks_for_nothing_else(
    visit: Open, hosted: str, kinds: dict[str, str], kind: str
) -> None:
    seen = visit(hosted)
    seen.page.on("response", lambda r: r.status >= 400 and seen.complaints.append(r.url))
    seen.go(kinds[kind])
    seen.page.wait_for_load_state("networkidle")
    assert seen.requests


@pytest.mark.parametrize("name", [
    "exporters/index.html", "compare/index.html", "case", "compare", "widest", "guide",
    "exporters.html", "devices.html",
])  # fmt: skip
def test_paper_holds_every_column(visit: Open, kinds: dict[str, str], name: str) -> None:
    page = visit(viewport={"width": 718, "height": 1000}).go(kinds.get(name, name))
    page.emulate_media(media="print")
    cut = """[...document.querySelectorAll("article :is(table, pre)")].flatMap((shown) => {
        const found = [];
        for (let box = shown; box; box = box.parentElement)
            if (getComputedStyle(box).overflow !== "visible") found.push(box.className);
        return found;
    })"""
    assert page.evaluate(cut) == []
    right = """Math.max(0, ...[...document.querySelectorAll("article :is(table, pre)")].map(
        (shown) => shown.getBoundingClientRect().left + shown.scrollWidth))"""
    assert page.evaluate(right) <= 718


def test_a_dark_page_is_printed_light(visit: Open) -> None:
    page = visit(color_scheme="dark").go("cases/control_flow/branch_on_value.html")
    page.evaluate("""window.addEventListener("beforeprint", () => {
        window.printed = getComputedStyle(document.body).backgroundColor;
    })""")
    page.pdf()
    assert page.evaluate("window.printed") == "rgb(255, 255, 255)"
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")


# --- the box for errors


@pytest.mark.parametrize("entry_id", ["E0001", "E0005", "E0303"])
def test_the_box_explains_a_traceback(visit: Open, entry_id: str) -> None:
    seen = visit()
    page = seen.go("explain.html")
    seen.paste("#xdb-error", TRACEBACK.format(**entry(entry_id)))
    first = page.locator(".xdb-answer").first
    expect(first.locator("h2")).to_contain_text(entry_id)
    cases = [c for c in whole_database() if entry_id in c.meta.errors]
    titles = {case.meta.title for case in cases}
    shown = first.locator("h3 + ul > li > a").all_inner_texts()
    assert len(shown) == min(3, len(cases)) and {*shown} <= titles
    more = first.get_by_role("link", name=f"{len(cases) - 3} more", exact=True)
    assert more.count() == (len(cases) > 3)
    first.locator("h2 a").click()
    expect(page).to_have_url(f"{seen.root}errors/{entry_id}.html")


def test_the_box_takes_the_number_of_an_entry(visit: Open) -> None:
    page = visit().go("explain.html")
    page.fill("#xdb-error", " e0303\n")
    expect(page.locator(".xdb-answer h2")).to_contain_text("E0303")
    expect(page.locator(".xdb-answer .xdb-diff").first).to_be_visible()


def test_the_box_shows_code_as_code(visit: Open) -> None:
    page = visit().go("explain.html")
    page.fill("#xdb-error", TRACEBACK.format(**entry("E0001")))
    answer = page.locator(".xdb-answer").first
    expect(answer.locator("p code").get_by_text("if", exact=True)).to_be_visible()
    assert "`" not in answer.inner_text()


def test_the_box_and_the_page_show_the_programs_of_an_entry(visit: Open) -> None:
    programs = catalogue.load().entries["E0206"]
    (fails,), (works,) = (
        set(one.splitlines()) - set(other.splitlines())
        for one, other in ((programs.fails, programs.works), (programs.works, programs.fails))
    )
    seen = visit()
    page = seen.go("explain.html")
    page.fill("#xdb-error", "Expecting `args` to be a tuple of example positional inputs, got list")
    change = page.locator(".xdb-answer").first.locator(".xdb-diff")
    expect(change.locator(".remove")).to_have_text(f"− {fails}")
    expect(change.locator(".add")).to_have_text(f"+ {works}")
    seen.go("errors/E0206.html")
    expect(page.locator(".xdb-program")).to_contain_text(fails)
    expect(page.locator(".xdb-fix .add")).to_have_text(f"+ {works}")


def test_the_box_says_when_it_does_not_know(visit: Open) -> None:
    seen = visit()
    page = seen.go("explain.html")
    page.fill("#xdb-error", "RuntimeError: the moon is in the wrong phase")
    unsure = "The catalogue does not surely know this error."
    expect(page.locator("[role=status]")).to_have_text(unsure)
    page.get_by_role("link", name="Search all cases").click()
    expect(page.locator("#xdb-q")).to_have_value("RuntimeError: the moon is in the wrong phase")


def test_what_is_pasted_stays_text(visit: Open) -> None:
    seen = visit()
    page = seen.go("explain.html")
    said = entry("E0001")
    harm = "<img src=x onerror='window.harmed = true'>"
    pasted = f"{said['type']}: {said['message'].splitlines()[0]} {harm}"
    page.fill("#xdb-error", pasted)
    expect(page.locator(".xdb-answer h2").first).to_contain_text("E0001")
    assert page.locator("article img").count() == 0
    page.get_by_role("link", name="Search all cases").click()
    expect(page.locator("#xdb-q")).to_have_value(" ".join(pasted.split()))
    expect(page.locator("#xdb-cases tbody tr").first).to_be_visible()
    assert page.locator("article img").count() == 0
    assert page.evaluate("window.harmed") is None


# --- a missing page


def test_a_missing_page_leads_to_cases_of_that_name(visit: Open, hosted: str) -> None:
    page = visit(hosted).go("404.html")
    expect(page.get_by_label("Search all cases")).to_have_value("")
    page.get_by_label("Search all cases").fill("torch.cond")
    page.keyboard.press("Enter")
    expect(page.locator("#xdb-q")).to_have_value("torch.cond")
    expect(page.locator("a.xdb-case").first).to_be_visible()


MISSING = "Failed to load resource: the server responded with a status of 404"


@pytest.mark.parametrize("address", ["cases/control_flow/branch_on_values.html", "a/b/c/d", "x"])
def test_a_missing_page_is_whole_at_any_depth(visit: Open, hosted: str, address: str) -> None:
    seen = visit(hosted)
    page = seen.go(address)
    expect(page.get_by_label("Search all cases")).to_be_visible()
    assert (
        page.evaluate("getComputedStyle(document.querySelector('.xdb-missing')).display") == "grid"
    )
    if address.startswith("cases"):
        expect(page.get_by_label("Search all cases")).to_have_value("control flow branch values")
        page.get_by_role("link", name="Data-dependent if on the value of a tensor").click()
        expect(page).to_have_url(f"{hosted}cases/control_flow/branch_on_value.html")
    else:
        page.get_by_role("link", name="All cases").click()
        expect(page).to_have_url(f"{hosted}index.html")
    asked = [url for url in seen.requests if url.startswith(hosted)]
    assert asked == seen.requests
    # The page itself is missing, and so are our files in folders that do not exist.
    assert all(MISSING in said for said in seen.complaints)
    seen.complaints.clear()


def test_without_scripts_a_dark_phone_shows_a_page_and_the_way_on(visit: Open) -> None:
    phone = {"width": 390, "height": 844}
    seen = visit(java_script_enabled=False, color_scheme="dark", viewport=phone, is_mobile=True)
    page = seen.go("cases/control_flow/branch_on_value.html")
    for box in (".xdb-verdict", ".xdb-numbered", ".xdb-diff", ".title"):
        expect(page.locator(box).first).to_have_css("color", "rgb(0, 0, 0)")
    page.get_by_role("link", name="Exporters", exact=True).click()
    expect(page).to_have_url(f"{seen.root}exporters/index.html")


def test_no_icon_font_is_loaded(visit: Open, kinds: dict[str, str]) -> None:
    seen = visit(viewport={"width": 390, "height": 740})
    for kind in ("explorer", "case", "guide"):
        seen.go(kinds[kind])
        seen.page.wait_for_load_state("networkidle")
    assert [url for url in seen.requests if url.endswith(("woff", "woff2"))] == []
