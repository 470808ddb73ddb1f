"""The whole site, as it is built: what stands on it, what changes with what, what is refused."""

from __future__ import annotations

import fcntl
import json
import os
import re
import subprocess
import sys
import threading
from concurrent.futures import ThreadPoolExecutor
from html import unescape
from pathlib import Path
from xml.etree import ElementTree

import pytest

from exportdb import files
from exportdb.cases import database
from exportdb.records.record import ErrorInfo, Finding, FirstDifference, Record, SampleResult
from exportdb.site import build, links, markup, words
from exportdb.site.load import Inputs, SiteError, load
from exportdb.site.options import SiteOptions
from exportdb.site.pages import case

from .conftest import (
    build_site,
    built_alone,
    record,
    with_guides,
    write_case,
    write_records,
)

OF_SPHINX = ("search.html", "genindex.html", "py-modindex.html")


def text_of(page: str) -> str:
    """A page without its markup, blanks made one."""
    return " ".join(re.sub(r"<[^>]*>", " ", page).split())


def read(tree: Path, name: str) -> str:
    return (tree.parent / "site" / name).read_text(encoding="utf-8")


def outputs(tree: Path) -> dict[str, int]:
    """When each page was written. Sphinx writes its own (search, indices) each time."""
    root = tree.parent / "site"
    pages = {p.relative_to(root).as_posix(): p.stat().st_mtime_ns for p in root.rglob("*.html")}
    return {p: t for p, t in pages.items() if p not in OF_SPHINX}


def test_facts_may_go_as_deep_as_a_record_can_be_read(tree: Path, tmp_path: Path, wrong) -> None:
    nested: list[object] = []
    for _ in range(900):
        nested = [nested]
    build_site(tree, write_records(tmp_path / "deep.jsonl", wrong.with_(facts={"deep": nested})))
    assert "≠ wrong" in text_of(read(tree, "cases/area/adds.html"))


def test_a_case_page_holds_what_is_known(tree: Path, tmp_path: Path, wrong: Record) -> None:
    build_site(tree, write_records(tmp_path / "first.jsonl", wrong))
    page = read(tree, "cases/area/adds.html")
    text = text_of(page)
    for said in (
        "A case of the tests.", "≠ wrong", "✖ refused", "it went away", "n=2 disagrees",
        "range-wider-than-guards", "published wider than traced", "2 to 32", "3 to 32",
        "n != 7", "adds.py:13 in forward", "2026-01-02, torch 2.13.0+cpu, Python 3.11.7",
        "run first", "accepted expectations", "exportdb run area/adds --exporter export",
    ):  # fmt: skip
        assert said in text, said
    assert '<a href="#L13" data-line="13"' in page  # a line of the graph, and who made it
    assert "<title>adds" in page
    assert '<meta name="description" content="export raises while capturing it ' in page
    assert "(RuntimeError: it went away), torch 2.15 (wrong with 2.13). A case of the" in page
    # What the rewrite changes stands before support, and marks the line in the program.
    lead = page.partition('id="support"')[0]
    assert re.search(
        r'<span class="remove"><b>−</b>.*?</span>.*<span class="add"><b>\+</b>', lead, re.S
    )
    assert 'class="xdb-marked" data-mark="rewritten"' in lead
    parts = ("rewrites", "program", "support", "graphs", "facts", "samples", "measured")
    places = [page.index('class="xdb-verdict'), *(page.index(f'id="{part}"') for part in parts)]
    assert places == sorted(places)


def test_lines_of_a_graph_are_not_guessed_and_the_page_says_how_to_get_them(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    build_site(tree)
    page = read(tree, "cases/area/adds.html")
    assert "aten.add.Tensor" in page and "data-line=" not in page
    text = text_of(page)
    assert "known from records" in text and "exportdb run area/adds , then" in text
    build_site(tree, write_records(tmp_path / "first.jsonl", wrong))
    assert "known from records" not in text_of(read(tree, "cases/area/adds.html"))


def test_a_guard_leads_to_its_line_and_not_to_one_of_a_file_of_the_same_name(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    lines = {"n != 7": "adds.py:14 in forward", "n != 8": "adds.py:14 in mapped",
             "n != 9": "adds.py:99 in forward"}  # fmt: skip
    facts = {**wrong.facts, "guards": [*lines], "display": {"lines": lines}}
    build_site(tree, write_records(tmp_path / "r.jsonl", wrong.with_(facts=facts)))
    page = (tree.parent / "site/cases/area/adds.html").read_text()
    assert "def forward" in (tree / "area/adds.py").read_text().splitlines()[12]
    assert '<a href="#L14">adds.py:14 in forward</a>' in page
    assert "<td>adds.py:14 in mapped</td>" in page and "<td>adds.py:99 in forward</td>" in page


def test_results_under_switches_are_shown_apart_and_count_nowhere(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    plain = write_records(tmp_path / "plain.jsonl", wrong)
    switched = write_records(
        tmp_path / "switched.jsonl", record(exporter="mine"), record(outcome="degraded"),
        started="2026-03-01", switches=("default-dtype=float64", "deterministic"),
    )  # fmt: skip
    build_site(tree, plain)
    counted = ("exporters/index.html", "exporters/export.html", "trends.html", "index.html",
               "topics/area.html", "compare/index.html")  # fmt: skip
    before = {name: text_of(read(tree, name)) for name in counted}
    index = (tree.parent / "state/static/explorer-index.js").read_text()
    build_site(tree, plain, switched)
    assert {name: text_of(read(tree, name)) for name in counted} == before
    assert (tree.parent / "state/static/explorer-index.js").read_text() == index
    support = read(tree, "cases/area/adds.html").partition('id="support"')[2]
    plainly, _, apart = text_of(support).partition("Under switches")
    assert "wrong" in plainly and "degraded" not in plainly and "mine" not in plainly
    assert "default-dtype=float64, deterministic" in apart and "degraded" in apart
    assert "mine" in apart and "run switched" in apart


def test_outcomes_that_no_exporter_has_are_no_columns(tree: Path) -> None:
    build_site(tree)
    page = (tree.parent / "site/exporters/index.html").read_text()
    assert "xdb-supported" in page and "xdb-refused" in page
    assert "xdb-converted" not in page and "xdb-timeout" not in page


def test_the_program_can_be_taken_away(tree: Path) -> None:
    build_site(tree)
    assert read(tree, "cases/area/adds.py") == (tree / "area/adds.py").read_text()
    assert 'href="adds.py" download' in read(tree, "cases/area/adds.html")


def test_addresses_are_permanent_and_old_ones_lead_on(tree: Path) -> None:
    build_site(tree, url="https://example.org/db")
    assert "url=adds.html" in read(tree, "cases/area/added.html")
    assert "E0001:" in read(tree, "errors/E0001.html")
    assert "<loc>https://example.org/db/cases/area/adds.html</loc>" in read(tree, "sitemap.xml")
    assert "/db/404.html" not in read(tree, "sitemap.xml")
    canonical = '<link rel="canonical" href="https://example.org/db/cases/area/adds.html"'
    assert canonical in read(tree, "cases/area/adds.html")
    missing = read(tree, "404.html")
    assert 0 < missing.index('<base href="https://example.org/db/"') < missing.index("stylesheet")


def test_every_link_holds_and_nothing_is_loaded_from_outside(
    tree: Path, tmp_path: Path, wrong: Record, refused: Record
) -> None:
    runs = [
        write_records(tmp_path / "a.jsonl", wrong, refused.with_(exporter="make-fx")),
        write_records(tmp_path / "b.jsonl", record(), torch="2.15.0", started="2026-02-01"),
    ]
    built = build_site(tree, *runs)
    assert built.warnings == ""
    assert links.check(tree.parent / "site") == []


def test_what_changes_is_built_again_and_nothing_else(tree: Path) -> None:
    build_site(tree)
    before = outputs(tree)
    assert build_site(tree).written == 0
    assert outputs(tree) == before
    write_case(tree, "area/unmeasured", description="Now it says something else.")
    build_site(tree)
    changed = {name for name, time in outputs(tree).items() if time != before[name]}
    assert "cases/area/unmeasured.html" in changed
    assert "cases/area/adds.html" not in changed and "guides/start.html" not in changed
    assert "something else" in read(tree, "cases/area/unmeasured.html")


def test_guides_that_were_built_in_another_folder_are_not_built_again(
    tree: Path, shared: Path
) -> None:
    build_site(tree)
    before, now = (folder / "site/devices.html" for folder in (shared / "guides", tree.parent))
    assert now.stat().st_mtime_ns == before.stat().st_mtime_ns


def test_the_first_page_of_the_guides_shows_an_examination_from_python(tree: Path) -> None:
    build_site(tree)
    page = unescape(re.sub("<[^>]+>", "", (tree.parent / "site/guides.html").read_text()))
    start = (files.guides() / "guides/start.md").read_text()
    (shown,) = re.findall(r"```text\n(Centred with export.*?)```", start, re.S)
    assert "exportdb.examine(Centred()" in page
    assert shown in page


def test_counts_are_built_again_when_they_change(tree: Path, tmp_path: Path) -> None:
    def count(page: str, pattern: str) -> int:
        found = re.search(pattern, text_of(read(tree, page)))
        assert found is not None
        return int(found[1])

    file = tmp_path / "r.jsonl"
    write_records(file, record())
    build_site(tree, file)
    results = count("index.html", r"(\d+) results")
    tagged = count("tags/index.html", r"torch\.dynamic-shape (\d+)")
    unavailable = record("area/unmeasured", outcome="unavailable", phase="setup")
    write_records(file, record(), record("area/adds_later"), unavailable)
    build_site(tree, file)
    assert count("index.html", r"(\d+) results") == results + 1  # nothing was compared of the other
    path = tree / "area/unmeasured.py"
    path.write_text(path.read_text().replace("torch.dynamic-shape", "python.control-flow"))
    build_site(tree, file)
    assert count("tags/index.html", r"torch\.dynamic-shape (\d+)") == tagged - 1


def test_errors_that_are_explained_stand_first_then_those_raised_most(
    tree: Path, tmp_path: Path, refused: Record
) -> None:
    def raised(exporter: str, message: str) -> Record:
        return refused.with_(exporter=exporter, error=ErrorInfo("RuntimeError", message))

    runs = (raised("a", "rare"), raised("b", "common"), raised("c", "common"),
            refused.with_(exporter="d"))  # fmt: skip
    build_site(tree, write_records(tmp_path / "r.jsonl", *runs))
    errors = text_of(read(tree, "cases/area/adds.html").partition('id="error"')[2])
    places = [errors.index(text) for text in ("Advice.", "common", "rare")]
    assert places == sorted(places)


def test_a_page_says_when_it_has_just_the_first_line_of_an_error(
    tree: Path, tmp_path: Path, refused: Record
) -> None:
    build_site(tree)
    assert "it went away The first line: accepted expectations keep no more." in text_of(
        read(tree, "cases/area/adds.html")
    )
    runs = refused.with_(error=ErrorInfo("RuntimeError", "it went away\nfar away", "00ff"))
    build_site(tree, write_records(tmp_path / "r.jsonl", runs))
    text = text_of(read(tree, "cases/area/adds.html"))
    assert "far away" in text and "The first line" not in text


def test_the_line_at_which_an_exporter_stopped_is_marked(
    tree: Path, tmp_path: Path, refused: Record
) -> None:
    (tree / "area/adds.yaml").unlink()

    def mark(said: str, number: int) -> bool:
        error = ErrorInfo("UserError", f"No.\nfrom user code:\n  {said}, line {number}, in forward")
        build_site(tree, write_records(tmp_path / "r.jsonl", refused.with_(error=error)))
        page = read(tree, "cases/area/adds.html")
        return f'id="L{number}" class="xdb-marked" data-mark="refused here"' in page

    assert mark('File "/home/me/area/adds.py"', 14)
    assert not mark('File "/home/me/area/adds_later.py"', 14)
    assert not mark('File "/home/me/area/adds.py"', 1400)


@pytest.mark.parametrize(("outcome", "result", "said"), [
    ("wrong", "disagrees", "export is silently wrong from here"),
    ("specialized", "raised", "export settles this by the example"),
    ("unguarded", "unguarded", "export does not check this"),
])  # fmt: skip
def test_the_line_that_a_result_is_owed_to_is_marked(
    tree: Path, tmp_path: Path, outcome: str, result: str, said: str
) -> None:
    role = "rejects" if outcome == "unguarded" else "accepts"
    told = (SampleResult(role, "n=2", result, {"n": 2}, "differs"),)
    (tree / "area/adds.yaml").unlink()
    there = record(outcome=outcome, samples=told, departs=FirstDifference("", 14, "return x + 1"))
    build_site(tree, write_records(tmp_path / "r.jsonl", there))
    page = read(tree, "cases/area/adds.html")
    assert f'id="L14" class="xdb-marked" data-mark="{said}"' in page
    elsewhere = there.with_(case_digest="another text of the case")
    build_site(tree, write_records(tmp_path / "r.jsonl", elsewhere))
    assert said not in read(tree, "cases/area/adds.html")


def test_an_exporter_beside_the_main_one_is_marked_where_that_has_no_line(
    tree: Path, tmp_path: Path
) -> None:
    (tree / "area/adds.yaml").unlink()

    def marks(*own: FirstDifference) -> list[str]:
        settles = {"outcome": "specialized", "departs": FirstDifference("", 14, "return x + 1")}
        records = [
            record(exporter="export", **({**settles, "departs": own[0]} if own else {})),
            record(exporter="make-fx", **settles),
            record(
                exporter="tracer", outcome="wrong", departs=FirstDifference("", 12, "class Model")
            ),
        ]
        build_site(tree, write_records(tmp_path / "r.jsonl", *records))
        found = re.findall(r'id="L(\d+)" class="xdb-marked" data-mark="(?!rewr)(.*?)"',
                           read(tree, "cases/area/adds.html"))  # fmt: skip
        return [f"{line} {said}" for line, said in found]

    silent = "12 tracer is silently wrong from here"
    assert marks() == [silent, "14 make-fx settles this by the example"]
    assert marks(FirstDifference("", 13, "def forward")) == [
        silent, "13 export settles this by the example",
    ]  # fmt: skip


def test_a_mark_is_of_the_newest_result_and_an_older_one_of_the_same_may_tell_its_line(
    tree: Path, tmp_path: Path
) -> None:
    (tree / "area/adds.yaml").unlink()

    def marks(outcome: str, sample: str) -> list[str]:
        told = SampleResult("accepts", "n=2", "disagrees", {"n": 2}, "differs")
        old = record(
            outcome="wrong", samples=(told,), departs=FirstDifference("", 14, "return x + 1")
        )
        new = record(outcome=outcome, samples=(told.with_(name=sample),))
        files = [write_records(tmp_path / "old.jsonl", old, torch="2.12.0"),
                 write_records(tmp_path / "new.jsonl", new, torch="2.13.0")]  # fmt: skip
        site = load(Inputs(tuple(files), (tree,), builtin=False))
        lead = case.page(site, site.cases["area/adds"]).lead
        return re.findall(r'id="L(\d+)" class="xdb-marked" data-mark="(?!rewr).*?"', str(lead))

    assert marks("wrong", "n=2") == ["14"]
    assert marks("wrong", "n=4") == []
    assert marks("specialized", "n=2") == []


def test_a_case_without_a_rewrite_says_what_to_do_or_that_nothing_is_known(
    tree: Path, tmp_path: Path, refused: Record
) -> None:
    (tree / "area/adds.yaml").unlink()

    def lead(name: str, found: Record) -> str:
        site = load(Inputs((write_records(tmp_path / "r.jsonl", found),), (tree,), builtin=False))
        return text_of(str(case.page(site, site.cases[name]).lead))

    unknown = "No rewrite is known"
    explained = refused.with_(case="area/unmeasured")
    assert "What to do" in lead("area/unmeasured", explained)
    assert unknown in lead("area/unmeasured", explained.with_(error=ErrorInfo("E", "no")))
    assert unknown not in lead("area/unmeasured", record(case="area/unmeasured"))
    assert unknown not in lead("area/adds", refused)


def test_a_long_list_of_places_is_told_briefly(tree: Path, tmp_path: Path) -> None:
    names = [f"exporter-{letter}" for letter in "abcdef"]
    files = [
        write_records(tmp_path / f"{device}.jsonl", *(record(exporter=e, device=device)
                                                      for e in names[at:]))
        for at, device in enumerate(("cpu", "cuda", "meta"))
    ]  # fmt: skip
    cells = load(Inputs(tuple(files), (tree,), builtin=False)).cases["area/adds"].cells
    mine = [c for c in cells if c.exporter in names]
    assert words.briefly(mine) == (
        "exporter-c, exporter-d, exporter-e and 3 more on cpu and 2 more devices"
    )
    assert words.briefly(mine[:1]) == words.where(mine[:1]) == "exporter-c: cpu 2.13"


def test_recordings_are_told_apart_and_no_size_is_without_a_name(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    made = {"name": "u0", "source": "", "traced": ["0", "9"], "published": ["0", "9"]}
    other = wrong.with_(exporter="other", ranges={}, facts={"symbols": [made]})
    build_site(tree, write_records(tmp_path / "r.jsonl", wrong, other))
    page = read(tree, "cases/area/adds.html")
    labels = re.findall(r'role="region" aria-label="([^"]*)"', page)
    assert sum("Ranges" in label for label in labels) > 1 and len(set(labels)) == len(labels)
    heads = [text_of(head).strip() for head in re.findall(r'<th scope="row">(.*?)</th>', page)]
    assert "of no input" in heads and all(heads)


@pytest.mark.parametrize(("message", "line"), [
    ("Unexpected dimension specified at `dynamic_shapes['x']`", "dynamic_shapes = "),
    ("Unsupported input type <class 'some.where.Model'>.", "class Model"),
    ("Guard failed: x == 'relu'", "    def forward(self, x)"),
    ("Guard failed: y == 'relu'", ""),
    ("Unsupported input type <class 'some.where.Other'>.", ""),
])  # fmt: skip
def test_a_message_may_speak_of_the_line_by_name(
    tree: Path, tmp_path: Path, refused: Record, message: str, line: str
) -> None:
    error = ErrorInfo("UserError", message)
    (tree / "area/adds.yaml").unlink()
    build_site(tree, write_records(tmp_path / "r.jsonl", refused.with_(error=error)))
    marked = re.findall(r'id="L(\d+)" class="xdb-marked" data-mark="refused here"',
                        read(tree, "cases/area/adds.html"))  # fmt: skip
    lines = (tree / "area/adds.py").read_text().splitlines()
    expected = [str(n) for n, text in enumerate(lines, 1) if line and text.startswith(line)]
    assert marked == expected and bool(expected) == bool(line)


def test_a_page_says_what_accepted_results_were_measured_with(tree: Path) -> None:
    build_site(tree)
    assert "measured with" not in text_of(read(tree, "cases/area/adds.html"))
    (tree / "environments.yaml").write_text(
        "2.13/cpu:\n  - {torch: '2.13.0', python: '3.11', platform: Linux-x86_64}\n"
        "2.15/cpu:\n  - {torch: '2.15.1', python: '3.11', platform: Linux-x86_64}\n"
        "  - {torch: '2.15.1', python: '3.12', platform: Darwin-arm64}\n"
        "2.15/meta:\n  - {torch: '2.15.2', python: '3.13', platform: Linux-x86_64}\n"
    )
    assert build_site(tree).written > 0
    text = text_of(read(tree, "cases/area/adds.html"))
    assert "measured with Python 3.11 on Linux-x86_64: torch 2.13.0, 2.15.1 measured with" in text
    assert "measured with Python 3.12 on Darwin-arm64: torch 2.15.1" in text
    assert "3.13" not in text and "nobody" not in text
    known = tree / "environments.yaml"
    known.write_text(known.read_text().replace("2.13/cpu", "2.13/toy"))
    build_site(tree)
    told = "environment not kept, beyond device and minor version of torch: cpu 2.13"
    assert told in text_of(read(tree, "cases/area/adds.html"))


def test_a_page_says_what_to_do_where_no_rewrite_does_the_same(tree: Path) -> None:
    write_case(tree, "area/unmeasured", more="advice: Give it as a tensor.\n")
    build_site(tree)
    assert "Give it as a tensor." in text_of(read(tree, "cases/area/unmeasured.html"))


def test_a_line_that_an_expectation_keeps_is_marked(tree: Path) -> None:
    lines = (tree / "area/adds.py").read_text().splitlines()
    text = next(line.strip() for line in lines if line.strip().startswith("return "))
    (number, *_) = [n for n, line in enumerate(lines, 1) if line.strip() == text]
    known = tree / "area/adds.yaml"

    def marked(line: str) -> bool:
        error = f"{{type: E, fingerprint: f, message: went, line: {json.dumps(line)}}}"
        known.write_text(
            f"export: {{outcome: refused, phase: capture, error: {error}, measured: [2.13/cpu]}}\n"
        )
        build_site(tree)
        mark = f'id="L{number}" class="xdb-marked" data-mark="refused here"'
        return mark in read(tree, "cases/area/adds.html")

    assert marked(text)
    assert not marked("return what(it, had)")


def test_what_many_cells_would_repeat_is_sent_once(tree: Path, tmp_path: Path) -> None:
    """The meaning of an outcome, elements that colour nothing, maps of the theme's scripts."""
    runs = [record(exporter=e, outcome="degraded") for e in ("one", "two")]
    build_site(tree, write_records(tmp_path / "r.jsonl", *runs, record(exporter="three")))
    for name in ("cases/area/adds.html", "topics/area.html"):
        page = read(tree, name)
        found = re.findall(r'"xdb-o xdb-degraded xdb-reduced"( title="deg[^"]*")?>', page)
        assert [bool(title) for title in found] == [True, *[False] * (len(found) - 1)]
        assert len(found) > 1
    code = read(tree, "cases/area/adds.html").partition("xdb-numbered")[2].partition("</pre>")[0]
    assert '<span class="k">def</span>' in code and "forward" in text_of(code)
    assert not re.search(r'class="(n|nn|p|w)"', code)
    assert not list((tree.parent / "site/_static").rglob("*.map"))


def test_exporters_that_came_out_alike_share_a_row(tree: Path, tmp_path: Path) -> None:
    names = ("one", "two", "three")
    runs = [record(exporter=e, outcome="degraded" if e == "three" else "refused") for e in names]
    build_site(tree, write_records(tmp_path / "r.jsonl", *runs))
    page = read(tree, "cases/area/adds_later.html")
    assert "Nothing has been measured yet." in page
    support = read(tree, "cases/area/adds.html").partition('id="support"')[2]
    rows = re.findall(r'<th scope="row"[^>]*>(.*?)</tr>', support.partition("</table>")[0], re.S)
    together = {text_of(row).partition(" ✖")[0].partition(" ◐")[0] for row in rows}
    assert {"one , two", "three"} <= together
    assert 'id="two-2.13-cpu"' in support


def test_a_device_that_few_exporters_were_measured_on_is_folded(tree: Path, tmp_path: Path) -> None:
    names = [f"exporter-{letter}" for letter in "abcd"]
    runs = [
        write_records(tmp_path / f"{device}.jsonl",
                      *(record("area/unmeasured", exporter=e, device=device) for e in names[:n]))
        for device, n in (("cpu", 4), ("cuda", 2), ("toy", 1), ("meta", 4))
    ]  # fmt: skip
    build_site(tree, *runs)
    support = read(tree, "cases/area/unmeasured.html").partition('id="support"')[2]
    tables = support.partition("What the outcomes mean")[0].split("<table")
    heads = [re.findall(r'<th scope="col"[^>]*>(\w+)</th>', table) for table in tables[1:]]
    assert heads == [["exporter", "cpu", "cuda"], ["exporter", "meta"], ["exporter", "toy"]]
    folded = re.findall(r"<summary>(.*?)</summary>", support)
    assert folded[:2] == ["Shapes alone, nothing computed: meta", "With few of the exporters: toy"]
    assert tables[1].count("not measured") == 1 and "not measured" not in "".join(tables[2:])


def test_a_page_says_that_no_rewrite_is_known_also_of_a_pitfall(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    write_case(tree, "area/adds", more="pitfalls: [area/adds_later]\n")
    build_site(tree, write_records(tmp_path / "r.jsonl", wrong.with_(case="area/adds_later")))
    text = text_of(read(tree, "cases/area/adds_later.html"))
    assert "No rewrite is known" in text and "This is a pitfall of" in text


def test_a_page_leads_to_its_source(tree: Path) -> None:
    build_site(tree)
    assert "xdb-source" not in read(tree, "cases/area/adds.html")
    inputs = Inputs((), (tree,), builtin=False)
    where = tree.parent / "site", tree.parent / "state"
    build.build(inputs, SiteOptions(*where, repository="https://example.org/a/b/tree/dev"))
    page = read(tree, "cases/area/adds.html")
    assert 'href="https://example.org/a/b/edit/dev/cases/area/adds.py"' in page
    assert 'href="https://example.org/a/b/issues/new?title=Page+cases%2Farea%2Fadds' in page
    for name in ("index", "exporters/export", "guides/host", "errors/E0001", "compare/index"):
        assert "Report a mistake" in read(tree, f"{name}.html"), name
    base, root = "https://example.org/a/b", database.builtin_tree().parent
    for name in ("index", "trends", "exporters/index", "exporters/export", "tags/index",
                 "compare/index", "explain", "404", "guides/host", "errors/E0001"):  # fmt: skip
        page = read(tree, f"{name}.html")
        file = re.search(rf'href="{base}/edit/dev/([^"]*)">Edit this page', page)
        folder = re.search(rf'href="{base}/new/dev/([^"]*)">Add to this page', page)
        assert (file and (root / file[1]).is_file()) or (folder and (root / folder[1]).is_dir())
    for name in OF_SPHINX:  # nobody has written these
        page = read(tree, name)
        assert "Report a mistake" in page and "/dev/" not in page


def test_an_exporter_offers_its_list_as_data_a_feed_and_a_badge(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    newer = write_records(tmp_path / "b.jsonl", wrong, torch="2.14.0", started="2026-02-01")
    build_site(tree, write_records(tmp_path / "a.jsonl", record()), newer, url="https://x.org/db")
    told = json.loads(read(tree, "exporters/export.json"))
    assert told["exporter"] == "export" and told["todo"]
    assert (told["before"], told["torch"]) == ("2.14", "2.15")
    assert told["changed"] == [{"case": "area/adds", "from": "wrong", "to": "refused"}]
    feed = ElementTree.fromstring(read(tree, "exporters/export.atom"))
    assert feed.tag.endswith("feed") and feed.find("{*}updated") is not None
    links = {link.get("rel"): link.get("href") for link in feed.findall("{*}link")}
    assert links["self"] == "https://x.org/db/exporters/export.atom"
    assert links["alternate"] == "https://x.org/db/exporters/export.html#changed"
    assert ElementTree.fromstring(read(tree, "exporters/export.svg")).tag.endswith("svg")
    page = read(tree, "exporters/export.html")
    assert 'type="application/atom+xml"' in page and 'src="export.svg"' in page
    picture = '<meta property="og:image" content="https://x.org/db/_static/card.png"'
    assert picture in page and picture in read(tree, "E0001.html")


def test_an_exporter_says_what_it_is(tree: Path) -> None:
    build_site(tree)
    assert "torch.export.export, strict=True." in text_of(
        read(tree, "exporters/export-strict.html")
    )


def test_a_new_title_is_built_where_it_is_shown(tree: Path) -> None:
    build_site(tree)
    before = outputs(tree)
    write_case(tree, "area/unmeasured", title="Named anew")
    build_site(tree)
    changed = {name for name, time in outputs(tree).items() if time != before[name]}
    assert changed == {
        "cases/area/unmeasured.html", "index.html", "topics/area.html",
        "tags/torch.dynamic-shape.html",
    }  # fmt: skip
    for name in changed:
        assert "Named anew" in read(tree, name)


def test_what_is_remembered_of_earlier_builds_may_be_torn_or_gone(tree: Path) -> None:
    for title in ("one", "two", "three"):
        write_case(tree, "area/unmeasured", title=title)
        build_site(tree)
    before = outputs(tree)
    memory = tree.parent / "state" / "memory.sqlite"
    torn = memory.read_bytes()[:-9]
    for left in (memory.read_bytes(), torn, None):
        memory.unlink()
        if left is not None:
            memory.write_bytes(left)
        assert build_site(tree).written == 0
        assert outputs(tree) == before
        assert "three" in read(tree, "topics/area.html")


def test_a_build_waits_for_another_of_the_same_site(tree: Path) -> None:
    said: list[str] = []
    waits = threading.Event()

    def say(text: str) -> None:
        said.append(text)
        if text.startswith("waiting"):
            waits.set()

    (tree.parent / "state").mkdir()
    with (tree.parent / "state" / "lock").open("w") as lock, ThreadPoolExecutor(1) as pool:
        fcntl.flock(lock, fcntl.LOCK_EX)
        built = pool.submit(build_site, tree, say=say)
        waits.wait(60)
        before = list(said)
        fcntl.flock(lock, fcntl.LOCK_UN)
        assert built.result().pages > 0
    assert before == ["waiting for another build of this site"]


def test_a_changed_rewrite_changes_the_page_that_shows_it(tree: Path) -> None:
    build_site(tree)
    write_case(tree, "area/adds_later", body="2 + x - 1")
    build_site(tree)
    assert "2" in text_of(read(tree, "cases/area/adds.html")).partition("Rewrite")[2]
    assert "2 + x - 1" in text_of(read(tree, "cases/area/adds.html"))


def test_a_diff_has_no_blank_lines_around_what_it_shows() -> None:
    program = "import torch\n\n\nx = 1\n\n\ndef f():\n    return x\n\n\n\n\n\n\nz = {}\n"
    lines = markup.diff((program.format(3), 1), program.format(4).replace("x = 1", "x = 2"))
    assert [(line.sign, line.text, line.number) for line in lines] == [
        ("-", "x = 1", 4), ("+", "x = 2", 0), ("⋯", "", 0), ("-", "z = 3", 15), ("+", "z = 4", 0),
    ]  # fmt: skip


def test_a_case_that_is_gone_is_gone_from_the_site(tree: Path) -> None:
    build_site(tree)
    kept = tree.parent / "site" / "cases" / "mine.html"
    kept.write_text("not of this build")
    (tree / "area/unmeasured.py").unlink()
    build_site(tree)
    assert not (tree.parent / "site/cases/area/unmeasured.html").exists()
    assert not (tree.parent / "site/cases/area/unmeasured.py").exists()
    assert "unmeasured" not in read(tree, "topics/area.html")
    assert kept.exists()


HOSTILE = (
    "</script><script>alert(1)</script> <img src=x onerror=alert(2)> & \"quoted' {{ 7 * 7 }} "
    "|sub| `role`_ :ref:`x` \n\n.. raw:: html\n\n   <b id=rst>\n"
    "\u2028\u0085\x0b.. include:: /etc/passwd\n"
    "\x00\x1b[31m \ud800 javascript:alert(3)\n" + "long" * 50_000
)


def test_whatever_a_record_says_is_text(tree: Path, tmp_path: Path) -> None:
    bad = record(
        outcome="wrong",
        exporter='../../up"><script>alert(4)</script>',
        error=ErrorInfo(f"Type{HOSTILE[:80]}", HOSTILE),
        samples=(SampleResult("accepts", HOSTILE[:200], "disagrees", {}, HOSTILE),),
        findings=(Finding("made-up", HOSTILE),),
        graph=HOSTILE,
        graph_readable=HOSTILE,
        graph_digest="1",
        ranges={HOSTILE[:90]: (HOSTILE[:90], "<u>")},
        facts={"guards": [HOSTILE], "symbols": "none", "dims": [3], "counts": {"<u>": 1},
               "display": {"lines": {HOSTILE: HOSTILE}}, "replacements": {"<u>": "<u>"}},
        repro=f"exportdb; rm -rf / {HOSTILE[:100]}",
    )  # fmt: skip
    other = bad.with_(device="<script>alert(5)</script>", exporter="index")
    build_site(tree, write_records(tmp_path / "bad.jsonl", bad, other))
    root = tree.parent / "site"
    pages = [p for p in root.rglob("*.html") if "_static" not in p.parts]
    assert len(pages) > 30
    for page in pages:
        text = page.read_text(encoding="utf-8")
        assert "<script>alert" not in text and "<img src=x" not in text, page
        assert "<b id=rst>" not in text and "root:" not in text, page
        assert "{{ 7 * 7 }}" in text or "49 |sub|" not in text
    assert "&lt;script&gt;alert(1)" in read(tree, "cases/area/adds.html")
    index = (tree.parent / "state/static/explorer-index.js").read_text(encoding="utf-8")
    assert "<" not in index and "\u2028" not in index
    assert all(p.resolve().is_relative_to(root) for p in root.rglob("*"))
    assert not (tree.parent / 'up"><script>alert(4)').exists()


def test_whatever_a_case_says_is_text(tree: Path) -> None:
    write_case(tree, "area/hostile", title="'<script>alert(1)</script> torch.index_put_ |x|'",
               description="</p><script>alert(2)</script> `a <b>` .. raw:: html")  # fmt: skip
    build_site(tree)
    for name in ("cases/area/hostile.html", "topics/area.html", "index.html"):
        assert "<script>alert" not in read(tree, name)
    text = read(tree, "cases/area/hostile.html")
    assert "&lt;script&gt;alert(1)&lt;/script&gt; torch.index_put_ |x|" in text
    assert "<code>a &lt;b&gt;</code>" in text


def test_whatever_the_programs_of_an_entry_say_is_text(tree: Path) -> None:
    harm = "x = '<script>alert(1)</script></pre> {{ 7 * 7 }} \\u2028'"
    programs = {"fails": f"{harm}\nfails()\n", "works": f"{harm}\nworks()\n"}
    told = {"title": "T", "meaning": "M", "remedy": "R", "messages": ["the flux is empty"]}
    (tree / "errors.yaml").write_text(f"E9001: {json.dumps(told | programs)}\n")
    build_site(tree)
    page = read(tree, "errors/E9001.html")
    assert "<script>alert" not in page and "&lt;script&gt;alert(1)" in page
    shown = text_of(page).replace(" ", "")
    assert "Thisfails" in shown and "Writeinstead" in shown
    assert "−fails()" in shown and "+works()" in shown and "{{7*7}}" in shown
    fixes = (tree.parent / "state/static/explain-index.js").read_text(encoding="utf-8")
    assert '["-","fails()"],["+","works()"]' in fixes
    assert "<" not in fixes and "\u2028" not in fixes


def test_the_programs_of_an_entry_give_way_to_a_case_with_a_rewrite(tree: Path) -> None:
    told = {"title": "T", "meaning": "M", "remedy": "R", "messages": ["the flux is empty"],
            "fails": "fails()", "works": "works()"}  # fmt: skip
    (tree / "errors.yaml").write_text(f"E9001: {json.dumps(told)}\n")
    write_case(tree, "area/adds", more="rewrites: [area/adds_later]\nerrors: [E9001]\n")
    build_site(tree)
    page = read(tree, "errors/E9001.html")
    assert "adds later" in page and "fails()" not in text_of(page).replace(" ", "")


def test_the_page_of_an_entry_says_which_release_says_it_or_why_not(tree: Path) -> None:
    told = {"title": "T", "meaning": "M", "remedy": "R"}
    dated = {"messages": ["the flux is empty"], "package": "warp", "since": "0.3", "until": "1.0"}
    entries = {
        "E9001": dated | told,
        "E9002": {"messages": ["the core is cold"], "undated": "Python says it."} | told,
    }
    lines = [f"{name}: {json.dumps(entry)}\n" for name, entry in entries.items()]
    (tree / "errors.yaml").write_text("".join(lines))
    build_site(tree)
    page, other = (text_of(read(tree, f"errors/{name}.html")) for name in entries)
    assert "In the sources of warp since 0.3, until 1.0." in page
    assert "Python says it." in other and "In the sources" not in other


def test_nothing_of_torch_is_imported(tree: Path, imported_torch: str) -> None:
    with_guides(SiteOptions(tree.parent / "site", tree.parent / "state"))
    assert built_alone(tree, tree.parent) == "None"
    assert imported_torch == "None"  # nor for the guides


def test_commands_that_read_load_nothing_of_the_site() -> None:
    code = (
        "import sys; from exportdb.cli import list, main, show, site; "
        "print({'sphinx', 'docutils', 'jinja2', 'pygments'} & sys.modules.keys())"
    )
    done = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True)
    assert done.stdout.strip() == "set()"


def exportdb(cwd: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, "-m", "exportdb", *arguments],
        cwd=cwd, capture_output=True, text=True, check=False,
        env={**os.environ, "EXPORTDB_HOME": str(cwd / "home")},
    )  # fmt: skip


def test_the_command_refuses_a_file_that_does_not_validate_and_builds_nothing(
    tmp_path: Path,
) -> None:
    file = write_records(tmp_path / "r.jsonl", record())
    file.write_text(file.read_text().replace('"samples":[]', '"samples":[{"role":"x"}]'))
    done = exportdb(tmp_path, "site", "--records", "r.jsonl", "--out", "site")
    assert done.returncode == 2
    assert "r.jsonl:2: samples[0] lacks the key 'name'" in done.stderr
    assert not (tmp_path / "site").exists()
    done = exportdb(tmp_path, "site", "--records", "nowhere", "--out", "site")
    assert done.returncode == 2 and "neither a record file nor the ID of a run" in done.stderr


def test_without_sphinx_the_error_names_the_command_that_installs_it(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import importlib.util

    real = importlib.util.find_spec
    monkeypatch.setattr(
        importlib.util, "find_spec", lambda name: None if name == "sphinx" else real(name)
    )
    with pytest.raises(SiteError, match=r"needs sphinx; install with: pip install 'exportdb\[site"):
        build_site(tree)


def test_a_build_says_how_far_it_is(tree: Path) -> None:
    said: list[str] = []
    build_site(tree, say=said.append)
    assert said[:2] == ["reading cases, expectations and records", "writing the pages of 4 cases"]
    assert files.guides().joinpath("conf.py").is_file()
