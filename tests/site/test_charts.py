"""Charts: drawn from numbers, told apart without colour, and never with more labels than fit."""

from __future__ import annotations

import re
from itertools import pairwise
from pathlib import Path
from xml.etree import ElementTree

from exportdb.records.record import Record
from exportdb.site.load import Inputs, load
from exportdb.site.pages.exporters import Trend, by_torch, index, trends, trends_html
from exportdb.site.svg import Series, chart, small_charts

from .conftest import record, write_records

SVG = "{http://www.w3.org/2000/svg}"


def texts(svg: str) -> list[str]:
    return re.findall(r"<text[^>]*>([^<]*)</text>", svg)


def test_each_line_has_a_marker_of_its_own_and_its_name_at_the_end() -> None:
    svg = chart("Support", ["2.13", "2.15"], [Series("a", (50, 75)), Series("b", (40, 40))], "%")
    markers = re.findall(r'<path d="([^"]*)" transform', svg)
    assert len(set(markers)) == 2 and len(markers) == 6  # two points and a label each
    assert texts(svg)[-2:] in (["a", "b"], ["b", "a"])
    assert "100%" in texts(svg) and {"2.13", "2.15"} <= set(texts(svg))


def test_lines_of_many_exporters_have_names_apart_within_the_picture_and_no_two_look_alike() -> (
    None
):
    svg = chart("t", ["x", "y"], [Series(f"e{i}", (9.0, 1.0 + i / 99)) for i in range(30)])
    height = float(re.search(r'viewBox="0 0 640 (\d+)', svg)[1])  # type: ignore[index]
    names = re.findall(r'<text x="[\d.]+" y="([\d.]+)">(e\d+)</text>', svg)
    heights = [float(y) for y, _ in names]
    assert len(names) == 30 and max(heights) < height
    assert all(b - a > 12 for a, b in pairwise(heights))
    looks = re.findall(r'<path d="([^"]*)" transform="[^"]*" style="([^"]*)"', svg)
    assert len(set(looks)) == 30


def test_a_higher_value_stands_higher_and_the_best_at_the_top() -> None:
    svg = chart("t", ["x", "y"], [Series("a", (0.0, 100.0))], "%")
    path = re.search(r'd="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)" fill="none"', svg)
    assert path is not None
    x1, y1, x2, y2 = map(float, path.groups())
    assert x1 < x2 and y1 > y2


def test_what_was_not_measured_is_left_out() -> None:
    svg = chart("t", ["x", "y"], [Series("a", (None, 3.0)), Series("nothing", (None, None))])
    assert "nothing" not in svg and "a" in texts(svg)
    assert chart("t", ["x"], [Series("a", (None,))]) == ""
    assert chart("t", [], []) == ""


def test_shares_that_lie_close_are_told_apart_and_the_ends_of_the_axis_said() -> None:
    lines = [Series(f"e{i}", (62.0 + i, 66.0 + i)) for i in range(5)]
    svg = small_charts(["2.9", "2.15"], lines, "%")
    paths = re.findall(r'd="M([\d.]+),([\d.]+)L([\d.]+),([\d.]+)" fill="none"', svg)
    rises = [float(before) - float(after) for _, before, _, after in paths]
    assert len(rises) == 5 and all(rise >= 10 for rise in rises)
    assert "from 60 to 70%" in svg


def test_a_share_of_a_few_cases_is_in_the_table_and_not_in_the_chart() -> None:
    lines = (Series("a", (60.0, 75.0, 70.0), (5, 210, 200)),)
    few = Trend("Support", ("2.11", "2.13", "2.15"), lines, "%")
    assert few.drawn.count("transform=") == 3  # two points and a label
    assert few.partial and "60.0%" in trends_html([few])
    all_alike = Trend("Support", ("2.13", "2.15"), (Series("a", (75.0, 70.0), (210, 200)),), "%")
    assert not all_alike.partial


def test_a_line_is_of_the_cases_that_show_most_steps(tree: Path, tmp_path: Path) -> None:
    for path in (*(tree / "control_flow").iterdir(), tree / "area/adds.yaml"):
        path.unlink()
    cases = ("area/adds", "area/adds_later", "area/unmeasured")

    def drawn(*counts: int) -> tuple[int, ...]:
        files = [
            write_records(tmp_path / f"{at}.jsonl", *(record(case=c) for c in cases[:count]),
                          torch=f"2.{at}.0")
            for at, count in enumerate(counts, 10)
        ]  # fmt: skip
        site = load(Inputs(tuple(files), (tree,), builtin=False))
        return by_torch(site, ["export"], "cpu").alike[0].of

    # Three steps of one case, against one of three.
    assert drawn(1, 1, 3, 3, 1) == (1, 1, 1, 1, 1)
    assert drawn(1, 3, 3) == (0, 3, 3)


def test_one_version_is_a_table_and_no_chart() -> None:
    one = Trend("Support", ("2.13",), (Series("a", (75.0,), (210,)),), "%")
    html = trends_html([one])
    assert "<svg" not in html and "75.0%" in html and not one.partial


def test_a_version_of_which_nothing_is_known_has_no_column(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    site = load(Inputs((write_records(tmp_path / "r.jsonl", wrong),), (tree,), builtin=False))
    found = {s.id: s.html for s in trends(site).sections}
    assert "torch 2.13" in found["support"] and "torch 2.15" in found["support"]
    # Only the record says how long it took.
    assert "torch 2.13" in found["seconds"] and "torch 2.15" not in found["seconds"]


def test_runs_at_one_place_make_a_line_over_time(tree: Path, tmp_path: Path, wrong: Record) -> None:
    right = wrong.with_(outcome="supported")
    old = write_records(tmp_path / "old.jsonl", wrong, started="2026-02-01T10:00:00")
    new = write_records(tmp_path / "new.jsonl", right, started="2026-03-01T10:00:00")
    site = load(Inputs((new, old), (tree,), builtin=False))
    time = {s.id: s.html for s in trends(site).sections}["time"]
    assert "Cases supported, torch 2.13 on cpu" in time and "<svg" in time
    labels = re.findall(r'<th scope="col" class="xdb-number">([^<]*)</th>', time)
    assert labels == ["2026-02-01 10:00", "2026-03-01 10:00"]
    assert time.index("0% <small>of 1") < time.index("100.0% <small>of 1")


def test_the_list_of_exporters_counts_what_changed_for_each(tree: Path) -> None:
    for path in (tree / "control_flow").iterdir():
        path.unlink()
    page = index(load(Inputs((), (tree,), builtin=False)))
    rows = r'<th scope="row"[^>]*><a [^>]*>([^<]*)</a>(.*?)</tr>'
    row = dict(re.findall(rows, str(page.lead), re.DOTALL))
    assert '<a href="export.html#changed">1 worse</a>' in row["export"]
    assert "#changed" not in row["export-strict"] and ">–</td>" in row["export-strict"]


def test_many_labels_are_thinned_out_and_names_are_text() -> None:
    labels = [f"2026-01-{day:02} 10:00" for day in range(1, 31)]
    svg = chart('t"<', labels, [Series("<b>", tuple(float(d) for d in range(30)))])
    shown = [t for t in texts(svg) if t in labels]
    assert shown[0] == labels[0] and 2 <= len(shown) <= 5
    ElementTree.fromstring(svg)  # well-formed, whatever the names say
    assert "<b>" not in svg
