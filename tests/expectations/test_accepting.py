"""From records to files: the fewest entries, true at every point, the same bytes every time."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import replace
from difflib import ndiff
from pathlib import Path

import jsonschema
import pytest
import yaml
from hypothesis import given, settings
from hypothesis import strategies as st

from exportdb import files
from exportdb.cases.case import CaseError
from exportdb.cases.frontmatter import parse_case
from exportdb.records.accept import Link, compose, decompose, known_links, rewrite
from exportdb.records.expectation import Point, Where, expectation, resolve
from exportdb.records.expectation_files import Expectations, read
from exportdb.records.expectation_text import render
from exportdb.records.record import (
    ErrorInfo,
    Finding,
    FirstDifference,
    Record,
    SampleResult,
    digest,
)
from exportdb.records.verdict import comparable, judge

EXTENDS = {"export": None, "export-strict": "export", "deferred": "export-strict"}
PRINTED = [sys.executable, "-m", "exportdb", "schema", "expectations"]
SCHEMA = json.loads(subprocess.check_output(PRINTED))

OUTCOMES = st.sampled_from(["supported", "wrong", "refused"])
#: Few enough to meet again, strange enough to be a test of the text.
TEXTS = st.sampled_from(
    ["x\n", "a: b\n\n  c # no\n", "  leading\nline\n", "tail  \nline", "\ttab\n", "\n\n", "é\n",
     "\x85\u2028\x1b[0m\n",
     "- |\n'\"\n", "yes", "null", "1e5", "word " * 60 + "\n", "{[*&!%@`,}\n", "\r\n", " "]
)  # fmt: skip
FACTS = st.dictionaries(
    st.sampled_from(["symbols", "guards", "yes"]),
    st.recursive(
        st.none() | st.booleans() | st.integers() | TEXTS,
        lambda inner: st.lists(inner, max_size=3) | st.dictionaries(TEXTS, inner, max_size=3),
        max_leaves=6,
    ),
    min_size=1,
)
VALUES = st.fixed_dictionaries(
    {"outcome": OUTCOMES},
    optional={
        "graph": TEXTS,
        "note": TEXTS,
        "findings": st.lists(TEXTS, min_size=1, max_size=2),
        "ranges": st.dictionaries(
            TEXTS,
            st.lists(st.sampled_from(["2", "-1", "int_oo", "007", "2*s0"]), min_size=2, max_size=2),
            min_size=1, max_size=2,
        ),
        "facts": FACTS,
        "error": st.fixed_dictionaries(
            {"type": st.just("E"), "fingerprint": st.sampled_from(["1", "2"]), "message": TEXTS}
        ),
    },
)  # fmt: skip
POINTS = st.builds(
    Point,
    st.sampled_from(["2.9", "2.11", "2.13", "2.15"]),
    st.sampled_from(["cpu", "meta", "cuda:0"]),
    st.sampled_from([(), (), ("default-dtype=float64", "deterministic")]),
)  # fmt: skip
FEW_VALUES = st.lists(VALUES, min_size=1, max_size=3).flatmap(
    lambda few: st.dictionaries(POINTS, st.sampled_from(few), max_size=6)
)


def same(a, b) -> bool:
    keys = {*(a or {}), *(b or {})}
    return all(comparable(k, (a or {}).get(k)) == comparable(k, (b or {}).get(k)) for k in keys)


def at(point, value):
    """What a value is read as: nothing is computed on meta."""
    supported = point.device == "meta" and value.get("outcome") == "supported"
    return {**value, "outcome": "predicted"} if supported else value


def make(points_of):
    """The entries of several exporters that inherit from one another, as a file holds them."""
    made = {}
    for name in EXTENDS:
        parent = EXTENDS[name]
        made[name] = compose(
            points_of.get(name, {}),
            lambda p, parent=parent: parent and resolve(made, EXTENDS, parent, p.where),
        )
    return {name: entries for name, entries in made.items() if entries}


@settings(max_examples=150, deadline=None)
@given(st.dictionaries(st.sampled_from(list(EXTENDS)), FEW_VALUES, min_size=1))
def test_every_point_gets_its_value_back_and_a_second_time_changes_no_byte(
    tmp_path_factory, points_of
):
    text = render(make(points_of))
    path = tmp_path_factory.mktemp("t") / "case.yaml"
    path.write_bytes(text.encode())
    if points := {n: p for n, p in points_of.items() if p}:
        back = read(path)
        for name, expected in points.items():
            found = decompose(back, EXTENDS, name)
            assert found.keys() == expected.keys()
            for point, value in expected.items():
                assert same(found[point], at(point, value)), (name, str(point), text)
        jsonschema.validate(yaml.safe_load(text), SCHEMA)
        again = {n: decompose(back, EXTENDS, n) for n in back}
        assert render(make(again)) == text


A = {"outcome": "supported", "graph": "a\n"}
B = {"outcome": "supported", "graph": "b\n"}
C = {"outcome": "refused", "phase": "capture"}


@pytest.mark.parametrize(
    ("points", "inherited", "entries"),
    [
        ({"2.13/cpu": A, "2.15/cpu": A}, None, ["- supported a"]),
        ({"2.13/cpu": B, "2.15/cpu": A}, None, ["- supported a", "<2.15 b"]),
        ({"2.13/cpu": C, "2.15/cpu": A}, None, ["- supported a", "<2.15 refused"]),
        ({"2.11/cpu": A, "2.13/cpu": B, "2.15/cpu": A}, None, ["- supported a", "==2.13.* b"]),
        ({"2.11/cpu": B, "2.13/cpu": B, "2.15/cpu": A}, None, ["- supported a", "<2.15 b"]),
        ({"2.13/meta": B, "2.15/meta": B, "2.15/cpu": A}, None, ["- supported a", "meta b"]),
        ({"2.15/meta": B, "2.13/cpu": A}, None, ["- supported a", "meta b"]),
        (
            {"2.13/meta": B, "2.15/toy": B, "2.13/toy": A, "2.15/meta": B, "2.15/cpu": A},
            None,
            ["- supported a", "meta b", ">=2.15 toy b"],
        ),
        (
            {"2.15/meta": C, "2.15/toy": C, "2.15/cpu": A},
            None,
            ["- supported a", "meta toy refused"],
        ),
        ({"2.13/cpu": A, "2.15/cpu": A}, A, ["-"]),
        ({"2.13/cpu": B, "2.15/cpu": A}, A, ["-", "<2.15 b"]),
        ({"2.15/cpu": B}, A, ["- b"]),
        ({"2.15/cpu": C}, A, ["- refused"]),
        (
            {"2.13/cpu": A, "2.13/cpu+deterministic": A, "2.15/cpu+deterministic": B},
            None,
            ["- supported a", "deterministic supported b", "<2.15 deterministic a"],
        ),
    ],
)
def test_the_entries_written_are_few_and_short(points, inherited, entries):
    given = {Point.several(p)[0]: v for p, v in points.items()}
    made = compose(given, lambda p: inherited)
    assert [shown(entry) for entry in made] == entries


def test_what_is_alike_beside_parents_that_are_not_is_said_once():
    parent = {Point.several("2.13/cpu")[0]: C, Point.several("2.15/cpu")[0]: A}
    made = compose(dict.fromkeys(parent, B), parent.get)
    assert [shown(entry) for entry in made] == ["- supported b"]


def shown(entry) -> str:
    conditions = [entry.when.torch, *entry.when.devices, *entry.when.switches]
    says = [entry.value.get("outcome"), (entry.value.get("graph") or "").strip()]
    return " ".join(filter(None, [*(conditions if any(conditions) else ["-"]), *says]))


# --- one case, record by record ----------------------------------------------------------------

SOURCE = '"""\ntitle: T\ndescription: D\n"""\n'
NO_LINK = Link()
HERE = Where("2.15.0+cpu", "cpu", "3.11", "Linux-x86_64")
OLDER = Where("2.13.0+cpu", "cpu", "3.11", "Linux-x86_64")
UNDER = replace(HERE, switches=("deterministic",))


@pytest.fixture
def case(tmp_path: Path):
    path = tmp_path / "tree" / "a.py"
    path.parent.mkdir()
    path.write_text(SOURCE)
    return parse_case("a", path, SOURCE)


def seen(outcome: str, exporter: str = "export", **more) -> Record:
    return Record(
        case="a", exporter=exporter, device="cpu", outcome=outcome, phase="capture", **more
    )


def accept(
    case, *records: Record, own: Path | None = None, link: Link = NO_LINK, known=None, where=HERE
):
    made = rewrite(Expectations(EXTENDS, own), case, [(r, where) for r in records], link, known)
    if made.changed:
        made.path.parent.mkdir(parents=True, exist_ok=True)
        made.path.write_text(made.after, encoding="utf-8")
    return made


def test_an_exporter_that_does_as_the_one_it_extends_is_noted_and_no_more(case):
    graph = "def f(x):\n    return x\n"
    both = [
        seen("supported", e, graph=graph, graph_digest=digest(graph))
        for e in ("export", "export-strict")
    ]
    text = accept(case, *both).after
    assert "export-strict: {measured: [2.15/cpu]}" in text
    assert text.count("def f(x):") == 1
    assert not accept(case, *both).changed


def test_a_diff_shows_what_was_accepted_and_no_line_of_any_other_exporter(case):
    """Whichever it comes to be like: one in a group, alone, in full or like another."""
    graph = "a\nb\nc\nd\n"
    captured = {"graph": graph, "graph_digest": digest(graph)}
    no = {"error": ErrorInfo("E", "no", "f")}
    accept(
        case,
        seen("supported", **captured),
        *(seen("refused", e, **no) for e in ("onnx", "jit-trace")),
        *(seen("degraded", e) for e in ("make-fx", "script")),
        seen("supported", "saved"),
        seen("supported", "like-export", **captured),
    )
    before = case.expectations_path.read_text()
    assert "[jit-trace, onnx]" in before and "[make-fx, script]" in before
    for outcome, more in (
        ("refused", no),
        ("degraded", {}),
        ("supported", {}),
        ("supported", captured),
        ("supported", {"graph": "a\n", "graph_digest": digest("a\n")}),
    ):
        for name in ("aot", "plain", "zero"):
            case.expectations_path.write_text(before)
            after = accept(case, seen(outcome, name, **more)).after
            gone = [x for x in ndiff(before.splitlines(), after.splitlines()) if x[0] == "-"]
            assert len(gone) <= 1, after
            assert all("exporters: [" in line for line in gone), after
            assert name in after


def test_what_others_inherit_may_change_without_changing_them(case):
    accept(case, seen("supported"), seen("supported", "export-strict"))
    accept(case, seen("refused"))
    entries = read(case.expectations_path)
    assert resolve(entries, EXTENDS, "export", HERE)["outcome"] == "refused"
    assert resolve(entries, EXTENDS, "export-strict", HERE)["outcome"] == "supported"


def test_the_line_that_an_error_names_is_kept_and_never_compared(case):
    """It is written where the same error was known without it, for all that share the error."""

    def raised(exporter: str, text: str) -> Record:
        said = (
            f'no\n  File "/home/me/{case.id.rpartition("/")[2]}.py", line 7, in forward\n    {text}'
        )
        return seen("refused", exporter, error=ErrorInfo("E", said, "f"))

    bare = ErrorInfo("E", "no", "f")
    accept(case, *(seen("refused", e, error=bare) for e in ("export", "jit-trace", "make-fx")))
    assert "line:" not in case.expectations_path.read_text()
    accept(case, raised("export", "if x.sum() > 0:"))
    text = case.expectations_path.read_text()
    assert text.count("line: 'if x.sum() > 0:'") == text.count("fingerprint: f") > 0
    assert accept(case, raised("make-fx", "if x.mean() > 0:")).after == text
    known = expectation(read(case.expectations_path), EXTENDS, "export", HERE)
    assert judge(raised("export", "another"), known).verdict == "expected"


def test_the_line_on_which_a_capture_departs_is_kept_and_never_compared(case):
    """It is written where the same graph was known to fail the same samples, and nowhere else."""

    def wrong(exporter: str, line: str = "", graph: str = "a\n") -> Record:
        departs = FirstDifference("aten.mul.Tensor", 7, line) if line else None
        return seen("wrong", exporter, graph=graph, graph_digest=digest(graph), departs=departs)

    accept(
        case,
        wrong("export"),
        wrong("jit-trace"),
        wrong("make-fx", graph="b\n"),
        link=Link("pytorch#1"),
    )
    assert "departs:" not in case.expectations_path.read_text()
    accept(case, wrong("export", "return x * n"), link=Link("pytorch#1"))
    entries = read(case.expectations_path)
    told = {
        e: resolve(entries, EXTENDS, e, HERE).get("departs")
        for e in ("export", "jit-trace", "make-fx")
    }
    assert told == {"export": "return x * n", "jit-trace": "return x * n", "make-fx": None}
    text = case.expectations_path.read_text()
    assert (
        accept(case, wrong("export", "return y"), wrong("jit-trace"), link=Link("pytorch#1")).after
        == text
    )
    known = expectation(entries, EXTENDS, "export", HERE)
    assert judge(wrong("export", "return y"), known).verdict == "expected"


def test_the_line_that_the_program_alone_tells_is_that_of_every_exporter(case):
    """It hangs on the sample, not on the graph; of what differs in values that is not known."""

    def settles(exporter: str, name: str, line: str = "", outcome: str = "specialized") -> Record:
        departs = FirstDifference("", 7, line) if line else None
        result = "raised" if outcome == "specialized" else "disagrees"
        role = "accepts" if outcome == "specialized" else "rejects"
        samples = (SampleResult(role, name, result, {}, "m"),)
        return seen(outcome, exporter, samples=samples, graph=exporter,
                    graph_digest=digest(exporter), departs=departs)  # fmt: skip

    accept(
        case,
        settles("export", "n=3", "if n > 4:"),
        settles("jit-trace", "n=3"),
        settles("make-fx", "n=5"),
    )
    entries = read(case.expectations_path)
    told = {e: resolve(entries, EXTENDS, e, HERE).get("departs") for e in entries}
    assert told == {"export": "if n > 4:", "jit-trace": "if n > 4:", "make-fx": None}
    accept(
        case,
        settles("export", "n=9", "return x * n", "unguarded"),
        settles("jit-trace", "n=9", outcome="unguarded"),
    )
    entries = read(case.expectations_path)
    told = {e: resolve(entries, EXTENDS, e, HERE).get("departs") for e in ("export", "jit-trace")}
    assert told == {"export": "return x * n", "jit-trace": None}


@pytest.mark.parametrize(
    ("record", "says"),
    [
        (seen("error", error=ErrorInfo("E", "m")), "a fault to fix"),
        (seen("supported", verdict="flaky"), "flaky"),
        (seen("wrong"), "needs a link"),
        (seen("crashed"), "needs a link"),
        (seen("supported", case_digest="another"), "the case has changed since"),
    ],
)
def test_what_is_refused(case, record, says):
    made = accept(case, record)
    assert [says in r.reason for r in made.refused] == [True]
    assert not made.changed
    assert not case.expectations_path.exists()


def test_a_link_is_kept_for_as_long_as_the_outcome_stays(case):
    assert "issue: pytorch#1" in accept(case, seen("wrong"), link=Link("pytorch#1")).after
    again = accept(case, seen("wrong", findings=(Finding("x", ""),)))
    assert "issue: pytorch#1" in again.after
    assert not again.refused
    assert "pytorch#1" not in accept(case, seen("supported")).after


def test_a_defect_that_is_inherited_is_explained_where_it_comes_from(case):
    accept(case, seen("wrong"), link=Link("pytorch#1"))
    made = accept(case, seen("wrong", "export-strict"))
    assert not made.refused
    assert made.after.count("pytorch#1") == 1
    assert "export-strict: {measured: [2.15/cpu]}" in made.after
    assert accept(case, seen("crashed", "deferred")).refused


def test_a_link_is_not_put_on_what_needs_none(case):
    made = accept(case, seen("wrong"), seen("refused", "deferred"), link=Link("pytorch#1"))
    assert made.after.count("pytorch#1") == 1


def test_an_exporter_unsound_by_design_is_explained_once_per_tree(case, tmp_path: Path):
    path = tmp_path / "exporters.yaml"
    path.write_text("jit-trace: {note: Tracing keeps the branch it took.}\n")
    known = known_links(path)
    assert not accept(case, seen("wrong", "jit-trace"), known=known).refused
    assert accept(case, seen("wrong", "export"), known=known).refused
    path.write_text("jit-trace: {isue: x}\n")
    with pytest.raises(CaseError, match="mapping of issue and note"):
        known_links(path)


def test_unavailable_is_declared_and_never_written(case):
    assert not accept(case, seen("unavailable")).changed


def test_what_has_become_unavailable_keeps_what_was_known_and_is_refused_for_that(case):
    accept(case, seen("supported"))
    accept(case, seen("supported"), where=OLDER)
    before = case.expectations_path.read_text()
    gone = seen("unavailable", error=ErrorInfo("Unavailable", "export: needs a thing"))
    made = accept(case, gone)
    assert not made.changed
    assert case.expectations_path.read_text() == before
    (refused,) = made.refused
    assert "has become unavailable: export: needs a thing" in refused.reason


def test_a_milder_outcome_under_a_switch_stands_for_no_other_place(case):
    accept(case, seen("wrong"), link=Link("pytorch#1"))
    accept(case, seen("supported"), where=UNDER)
    entries = read(case.expectations_path)
    assert resolve(entries, EXTENDS, "export", HERE)["outcome"] == "wrong"
    for exporter, verdict in (("export", "improved"), ("export-strict", "new")):
        known = expectation(entries, EXTENDS, exporter, HERE)
        assert judge(seen("supported", exporter), known).verdict == verdict
        others = replace(UNDER, switches=("default-dtype=float64",))
        assert expectation(entries, EXTENDS, exporter, others) is None
    under = expectation(entries, EXTENDS, "export", UNDER)
    assert judge(seen("wrong"), under).verdict == "regressed"


def test_ones_own_tree_is_written_and_the_case_left_alone(case, tmp_path: Path):
    accept(case, seen("supported"))
    before = case.expectations_path.read_text()
    own = tmp_path / "mine"
    made = accept(case, seen("supported"), seen("refused", "deferred"), own=own)
    assert made.path == own / "a.yaml"
    assert set(read(made.path)) == {"deferred"}  # export is known beside the case already
    assert case.expectations_path.read_text() == before


def test_what_a_person_wrote_for_one_python_stays_and_is_not_overruled(case):
    accept(case, seen("supported"))
    path = case.expectations_path
    base = "export:\n  - {outcome: supported, measured: [2.15/cpu]}\n"
    path.write_text(base + "  - {when: {python: '>=3.13'}, outcome: refused, phase: capture}\n")
    assert "when: {python: '>=3.13'}" in accept(case, seen("supported")).after
    newer = Where("2.15.0", "cpu", "3.13", "Linux-x86_64")
    made = accept(case, seen("supported"), where=newer)
    assert ["python or platform" in r.reason for r in made.refused] == [True]


KILLED = """
import os, pathlib, sys
from exportdb import files
os.fsync = lambda fd: os._exit(9)
files.write_atomically(pathlib.Path(sys.argv[1]), "export: {}")
"""


def test_what_a_killed_writer_left_is_removed_and_what_another_writes_now_is_not(tmp_path: Path):
    path = tmp_path / "case.yaml"
    for _ in range(2):
        subprocess.run([sys.executable, "-c", KILLED, str(path)], check=False)
    left, now = sorted(tmp_path.iterdir())
    other = tmp_path / ".case.yaml.my-notes"  # a person's own, however old
    other.write_text("mine")
    for old in (left, other):
        os.utime(old, (0, 0))
    files.write_atomically(path, "export: {}")
    assert set(tmp_path.iterdir()) == {now, other, path}
