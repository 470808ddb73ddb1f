"""Which releases of torch say what an entry explains, as ``tools/date_entries.py`` finds it."""

from __future__ import annotations

import json
import sys
from dataclasses import replace
from pathlib import Path

import pytest

from exportdb.cases.catalogue import Entry, template

sys.path.insert(0, str(Path(__file__).parents[2] / "tools"))
import date_entries
from date_entries import Dated, Release, Releases

PLAIN = Entry("E9001", "T", "M.", "R.", Path("errors.yaml"), 1)
#: Python says of them that they have no such attribute.
SEEKING = [replace(PLAIN, sought=("class WarpCore:", "class Tribble:"))]


def entry(*messages: str, **registry: str) -> Entry:
    return replace(PLAIN, messages=tuple(map(template, messages)), registry=registry)


def wheel(folder: Path, version: str, program: str, strings: str = "", breaks: str = "") -> Release:
    (folder / "torch" / "_dynamo").mkdir(parents=True)
    (folder / "torch" / "version.py").write_text(f"__version__ = '{version}'\n")
    (folder / "torch" / "raises.py").write_text(program)
    (folder / "libtorch.strings").write_text(strings)
    if breaks:
        registry = folder / "torch" / "_dynamo" / "graph_break_registry.json"
        registry.write_text(json.dumps({breaks: []}))
    return date_entries.release(folder, SEEKING)


@pytest.fixture
def releases(tmp_path: Path) -> Releases:
    old = """def f(x):
        "the docstring mentions a quantum banana split"
        raise ValueError(f"the flux {x} capacitor " "leaks purple plasma by %s" % x)"""
    new = "raise E('the warp core {} has been ejected twice'.format(a) + b)\nclass WarpCore: pass"
    return Releases([
        wheel(tmp_path / "b", "2.10.0", old + "\n" + new, "no dilithium crystals left aboard\n"),
        wheel(tmp_path / "a", "2.9.1", old),
        wheel(tmp_path / "c", "2.11.0", new, breaks="GB7001"),
    ])  # fmt: skip


def test_an_entry_lasts_from_the_first_to_the_last_release_that_says_it(
    releases: Releases,
) -> None:
    ended = entry("capacitor leaks purple plasma by {name}")
    assert date_entries.dated(ended, releases) == Dated("2.9", "2.10", 1, 1)
    begun = entry("the warp core {name} has been ejected twice")
    assert date_entries.dated(begun, releases) == Dated("2.10", "", 1, 1)
    library = entry("RuntimeError: no dilithium crystals left aboard")
    assert date_entries.dated(library, releases) == Dated("2.10", "2.10", 1, 1)
    assert date_entries.dated(entry(GB7001="a break"), releases) == Dated("2.11", "", 1, 1)


def test_what_is_found_seldom_or_only_in_documents_says_nothing(releases: Releases) -> None:
    documented = entry("mentions a quantum banana split")
    assert date_entries.dated(documented, releases) == Dated("", "", 0, 1)
    elsewhere = ["the converter of another package gave up", "onnx runtime refused this graph"]
    seldom = entry("the warp core {name} has been ejected twice", *elsewhere)
    assert date_entries.dated(seldom, releases) == Dated("", "", 1, 3)


def test_some_of_the_oldest_release_is_enough(releases: Releases) -> None:
    elsewhere = ["the converter of another package gave up", "onnx runtime refused this graph"]
    seldom = entry("capacitor leaks purple plasma by {name}", *elsewhere)
    assert date_entries.dated(seldom, releases) == Dated("2.9", "", 1, 3)


def test_what_is_sought_counts_and_not_the_wordings(releases: Releases) -> None:
    (seeking,) = SEEKING
    said = replace(seeking, messages=(template("capacitor leaks purple plasma by {name}"),))
    assert date_entries.dated(said, releases) == Dated("2.10", "", 1, 2)
    assert date_entries.dated(replace(said, undated="No."), releases) == Dated("", "", 0, 0)


def test_a_folder_of_another_package_dates_its_entries_alone(tmp_path: Path) -> None:
    for version in ("0.3.0", "0.10.1"):
        head = tmp_path / version / f"warp-{version}.dist-info" / "METADATA"
        head.parent.mkdir(parents=True)
        head.write_text(f"Metadata-Version: 2.1\nName: Warp\nVersion: {version}\n")
        program = "raise E('no dilithium crystals left aboard')" if "10" in version else ""
        (head.parents[1] / "core.py").write_text(program)
    read = date_entries.read_all([tmp_path / "0.10.1", tmp_path / "0.3.0"], [])
    assert [r.version for r in read["warp"].all] == [(0, 3), (0, 10)]
    ours = replace(entry("no dilithium crystals left aboard"), package="warp")
    assert date_entries.dated(ours, read["warp"]) == Dated("0.10", "", 1, 1)


def test_the_versions_are_written_into_the_entries_in_the_place_of_others() -> None:
    text = "# about\nE0001:\n  title: T\n  since: '2.1'\n  messages:\n    - m\nE0002:\n  title: U\n"
    found = {"E0001": Dated("2.4", "2.8", 1, 1), "E0002": Dated("", "", 0, 1)}
    assert date_entries.rewritten(text + "  meaning: M\n", found) == (
        '# about\nE0001:\n  title: T\n  since: "2.4"\n  until: "2.8"\n  messages:\n    - m\n'
        "E0002:\n  title: U\n  meaning: M\n"
    )
    assert date_entries.rewritten(text, {}) == text
