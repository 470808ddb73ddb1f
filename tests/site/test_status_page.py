"""The page of the status: what the command says, with plots of the nights before it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from xml.etree import ElementTree

from exportdb.site import addresses, extra_files
from exportdb.site.build import build
from exportdb.site.load import Inputs, load
from exportdb.site.options import SiteOptions
from exportdb.site.pages import status as page_of
from exportdb.store.score import AreaScore, Score
from exportdb.store.status import Course, Moment, PastNight, Status, StatusChange, StatusRow

from .conftest import with_guides

HOSTILE = "t/<b>x</b>"


def row(yes: int, exporter: str = "export", wrong: int = 1, uncompared: int = 0) -> StatusRow:
    """What an exporter makes of a suite."""
    levels = {"supported": yes, "wrong": wrong, "uncompared": uncompared}
    return StatusRow("cases", exporter, "cpu", levels, {"supported": 1}, None, 4, 3, 0, 2.5, 7,
               0.25, 1.5, 0.5, 2.5)  # fmt: skip


def course() -> Course:
    """Three nights of two exporters, the second of which was not measured in the first."""
    nights = [Moment(f"2026-11-0{day}T02:00:00+00:00", (f"r{day}",)) for day in (1, 2, 3)]
    rows = [(row(6),), (row(7), row(3, "make-fx")), (row(8), row(3, "make-fx", 0, 6))]
    score = Score("export", "cpu", "0.1", 0.5, 1.0, {"area": AreaScore(1, 2, 2)})
    status = Status(
        1, "2.13", (), nights[2], nights[1], None, rows[2], (score,),
        (StatusChange("cases", "area/added", "export", "cpu", "supported", "wrong"),
         StatusChange("ops", HOSTILE, "export", "cpu", "supported", "refused")),
        (), (), (), (),
    )  # fmt: skip
    return Course(status, tuple(PastNight(n, r) for n, r in zip(nights, rows, strict=True)))


def sections(tree: Path) -> dict[str, str]:
    """The sections of the page, by their anchors."""
    site = load(Inputs((), (tree,), builtin=False, course=course()))
    return {s.id: s.html for s in page_of.page(site, course()).sections}


def test_it_says_what_the_command_says_and_links_what_changed(tree: Path) -> None:
    found = sections(tree)
    assert "8 (+1)" in found["counts"] and "0.50 max 2.5" in found["counts"]
    assert '<a href="cases/area/adds.html">area/added</a>' in found["newly-failing"]
    assert "<b>" not in found["newly-failing"] and "t/&lt;b&gt;" in found["newly-failing"]
    assert "50.0%" in found["scores"] and addresses.SCORE_RULE in found["scores"]
    assert "flaky" not in found
    assert "uncompared" in found["counts"] and "refused" not in found["counts"]  # nobody refused


def test_a_phone_which_shows_no_heads_has_the_name_of_each_number(tree: Path) -> None:
    found = sections(tree)
    for table in (found["counts"], found["scores"]):
        cells = re.findall(r"<td[^>]*>", table)
        assert cells and all('role="cell" data-label="' in cell for cell in cells)
    cell = '<td role="cell" data-label="supported" class="xdb-number">8 (+1)</td>'
    assert cell in found["counts"]


def test_each_number_is_drawn_over_the_nights_with_the_numbers_beside_it(tree: Path) -> None:
    html = sections(tree)["course"]
    assert html.count("<svg") == len(page_of.DRAWN)
    assert re.findall(r"<h3>([^<]*)</h3>", html)[0] == "Programs supported: cases, cpu"
    assert [d in html for d in ("2026-11-01", "2026-11-03")] == [True, True]
    table = html.partition("</table>")[0]
    shares = re.findall(r'<td class="xdb-number">([^<]*)', table)
    # What was compared with nothing counts in no share, and what was not measured has none.
    assert [s.strip() for s in shares] == ["85.7%", "87.5%", "88.9%", "–", "75.0%", "100.0%"]


def test_without_a_history_there_is_no_such_page_and_no_link_to_it(tree: Path) -> None:
    options = SiteOptions(tree.parent / "site", tree.parent / "state", strict=True)
    with_guides(options)
    build(Inputs((), (tree,), builtin=False, course=course()), options)
    assert 'href="status.html"' in (options.out / "trends.html").read_text()
    assert json.loads((options.out / "status.json").read_text())["torch"] == "2.13"
    for name in page_of.FILES:
        assert (options.out / name).is_file(), name
    page = (options.out / "status.html").read_text()
    assert re.search(r'type="application/atom\+xml"[^>]*href="status.atom"', page)
    build(Inputs((), (tree,), builtin=False), options)
    assert "status.html" not in (options.out / "trends.html").read_text()
    assert not list(options.out.glob("status.*"))


def test_the_published_feed_names_its_own_address_and_that_of_the_page(tree: Path) -> None:
    site = load(Inputs((), (tree,), builtin=False, course=course()))
    files = dict(extra_files.files(site, [], "https://x.org/db/"))
    atom = "{http://www.w3.org/2005/Atom}"
    feed = ElementTree.fromstring(files["status.atom"])
    links = {link.get("rel"): link.get("href") for link in feed.findall(f"{atom}link")}
    assert links == {
        "self": "https://x.org/db/status.atom", "alternate": "https://x.org/db/status.html",
    }  # fmt: skip
    nowhere = ElementTree.fromstring(dict(extra_files.files(site, [], ""))["status.atom"])
    assert not nowhere.findall(f"{atom}link")


def test_of_very_many_changes_some_are_listed_and_the_rest_counted(tree: Path) -> None:
    many = tuple(StatusChange("ops", f"op/{i}", "export", "cpu", "supported", "wrong")
                 for i in range(page_of.MOST + 7))  # fmt: skip
    one = course()
    site = load(Inputs((), (tree,), builtin=False))
    told = page_of.page(site, Course(one.status.with_(newly_failing=many), one.past))
    (html,) = (s.html for s in told.sections if s.id == "newly-failing")
    assert "and 7 more" in html and html.count("<li>") == page_of.MOST + 1
