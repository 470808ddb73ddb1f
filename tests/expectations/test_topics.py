"""A folder of one's own keeps a file for each topic, with a part for each case."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.cases.case import Case, CaseError
from exportdb.cases.frontmatter import parse_case
from exportdb.cases.yamlfile import Part
from exportdb.records.accept import AcceptedFile, rewrite
from exportdb.records.expectation import Where
from exportdb.records.expectation_files import Expectations
from exportdb.records.record import Record

SOURCE = '"""\ntitle: A case\n"""\nimport torch\n'
HERE = Where("2.15.0+cpu", "cpu", "3.11", "Linux-x86_64")
GRAPH = "%0 = x\n\n  %1 = sin(%0)\nreturn [%1]\n"


@pytest.fixture
def own(tmp_path: Path) -> Path:
    return tmp_path / "own"


def case_of(tmp_path: Path, name: str) -> Case:
    return parse_case(name, tmp_path / "tree" / f"{name}.py", SOURCE)


def accept(own: Path, case: Case, so_far: str | None = None, **fields: object) -> AcceptedFile:
    given = {"exporter": "mine", "device": "cpu", "outcome": "supported", "phase": "compare"}
    record = Record(**{"case": case.id, **given, **fields})
    return rewrite(Expectations({}, own), case, [(record, HERE)], so_far=so_far)


def written(made: AcceptedFile) -> None:
    made.path.parent.mkdir(parents=True, exist_ok=True)
    made.path.write_text(made.after, encoding="utf-8")


def test_what_is_accepted_of_a_topic_stands_in_one_file_in_order(tmp_path: Path, own: Path) -> None:
    second = accept(own, case_of(tmp_path, "mutation/b"))
    first = accept(own, case_of(tmp_path, "mutation/a"), second.after, graph=GRAPH)
    assert first.path == second.path == own / "mutation.yaml"
    assert first.after.splitlines()[1:4] == ["mutation/a:", "  mine:", "    outcome: supported"]
    assert first.after.endswith(second.after.partition("\n")[2])
    written(first)
    known = Expectations({}, own)
    told = known.expectation(case_of(tmp_path, "mutation/a"), "mine", HERE)
    assert told is not None
    assert told.value["graph"] == GRAPH
    assert known.expectation(case_of(tmp_path, "mutation/c"), "mine", HERE) is None


def test_accepting_one_case_changes_nothing_of_the_others(tmp_path: Path, own: Path) -> None:
    written(accept(own, case_of(tmp_path, "mutation/a"), graph=GRAPH))
    text = (own / "mutation.yaml").read_text() + "mutation/x:   {mine:  {outcome: wrong}}  # mine\n"
    (own / "mutation.yaml").write_text(text)
    made = accept(own, case_of(tmp_path, "mutation/b"))
    assert set(text.splitlines()) < set(made.after.splitlines())
    written(made)
    assert not accept(own, case_of(tmp_path, "mutation/b")).changed


def test_a_file_in_an_order_of_its_own_keeps_it_also_without_a_last_line_end(
    tmp_path: Path, own: Path
) -> None:
    own.mkdir()
    (own / "mutation.yaml").write_text("mutation/z: {mine: {}}\nmutation/c: {mine: {}}")
    made = accept(own, case_of(tmp_path, "mutation/d"))
    written(made)
    known = Expectations({}, own)
    cases = [case_of(tmp_path, f"mutation/{name}") for name in "zcd"]
    assert [set(known.entries(case)) for case in cases] == [{"mine"}] * 3
    lines = [line.partition(":")[0] for line in made.after.splitlines() if line[0] != " "]
    assert lines == ["mutation/d", "mutation/z", "mutation/c"]


def test_a_folder_of_the_topic_has_a_file_for_each_case(tmp_path: Path, own: Path) -> None:
    (own / "mutation").mkdir(parents=True)
    assert accept(own, case_of(tmp_path, "mutation/a")).path == own / "mutation" / "a.yaml"
    assert accept(own, case_of(tmp_path, "alone")).path == own / "alone.yaml"


@pytest.mark.parametrize(
    "text, line, said",
    [
        ("m/b: {}\nm/a:\n  mine:\n    outcom: wrong\n", 3, "outcom"),
        ("m/b: {}\nm/a: {mine: {outcom: wrong}}\n", 2, "outcom"),
        ("m/a: {}\nm/b: {}\nm/a: {}\n", 3, "given twice"),
        ("- m/a\n", 1, "must map names to their entries"),
        ("m/a: [1]\n", 1, "must map exporters"),
    ],
)
def test_a_mistake_is_told_with_its_line(
    tmp_path: Path, own: Path, text: str, line: int, said: str
) -> None:
    own.mkdir()
    (own / "m.yaml").write_text(text)
    with pytest.raises(CaseError, match=said) as raised:
        Expectations({}, own).entries(case_of(tmp_path, "m/a"))
    assert (raised.value.path, raised.value.line) == (own / "m.yaml", line)


def test_a_part_ends_where_the_next_begins(tmp_path: Path) -> None:
    path = tmp_path / "m.yaml"
    path.write_text("# head\nm/a:\n  one: {}\n\nm/b: {two: {}}\n")
    assert Part(path, "m/a").load() == ({"one": {}}, {"one": 3})
    assert Part(path, "m/b").load() == ({"two": {}}, {"two": 5})
    assert Part(path, "m/c").load() == (None, {})
    assert Part(tmp_path / "none.yaml", "m/a").load() == (None, {})


def test_no_file_is_begun_for_what_is_refused(tmp_path: Path, own: Path) -> None:
    made = accept(own, case_of(tmp_path, "mutation/a"), outcome="wrong")
    assert made.refused and not made.changed
