"""Runs in pieces: several record files are read as one, and say so where they do not agree."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path

import pytest

from exportdb.records import jsonl
from exportdb.records.environment import environment
from exportdb.records.jsonl import Header
from exportdb.records.record import Record

Write = Callable[..., str]
ADD, DOUBLE = "own/add_one", "own/double"


@pytest.fixture
def write(tmp_path: Path) -> Write:
    """Writes a record file and gives its path."""

    def write(
        name: str,
        day: int,
        outcomes: dict[str, str],
        planned: int = 0,
        seconds: float = 1.0,
        **here,
    ) -> str:
        made = environment().with_(**here)
        records = [
            Record(
                case, "export", "cpu", outcome, "compare",
                run=name, env=made.digest, seconds={"capture": seconds},
            )
            for case, outcome in outcomes.items()
        ]  # fmt: skip
        started = f"2026-01-{day:02}T00:00:00+00:00"
        header = Header(name, started, (made,), planned or len(records))
        path = tmp_path / f"{name}.jsonl"
        path.write_bytes(header.encode() + b"".join(r.encode() + b"\n" for r in records))
        return str(path)

    return write


def outcomes(path: Path) -> dict[tuple[str, str | None], str]:
    """The outcomes in a file, by case and torch."""
    header, records = jsonl.read(path)
    return {(r.case, header.environment_of(r).torch): r.outcome for r in records}


def test_shards_become_one_file_and_exact_doubles_are_dropped(exportdb, write, tmp_path: Path):
    a = write("a", 1, {"t/a": "supported", "t/b": "refused"}, seconds=1.0)
    b = write("b", 2, {"t/b": "refused", "t/c": "wrong"}, seconds=2.0)
    done = exportdb("merge", a, b, "--out", str(tmp_path / "all.jsonl"))
    assert done.returncode == 0, done.stderr
    assert "2 files, 3 results, 1 double left out" in done.stdout
    torch = environment().torch
    assert outcomes(tmp_path / "all.jsonl") == {
        ("t/a", torch): "supported", ("t/b", torch): "refused", ("t/c", torch): "wrong",
    }  # fmt: skip
    again = exportdb("merge", str(tmp_path / "all.jsonl"), a, "--out", str(tmp_path / "all.jsonl"))
    assert "2 files, 3 results, 2 doubles left out" in again.stdout
    told = json.loads(exportdb("merge", a, b, "--out", str(tmp_path / "c.jsonl"), "--json").stdout)
    assert told == {"path": str(tmp_path / "c.jsonl"), "read": [a, b], "results": 3, "doubles": 1,
                    "missing": 0}  # fmt: skip


def test_the_environments_of_all_files_are_kept(exportdb, write, tmp_path: Path):
    a = write("a", 1, {"t/a": "supported"})
    b = write("b", 2, {"t/a": "refused"}, planned=3, torch="2.11.0")
    merged = tmp_path / "deep" / "all.jsonl"
    done = exportdb("merge", a, b, "--out", str(merged))
    assert "2 planned but not run" in done.stdout
    assert outcomes(merged) == {
        ("t/a", environment().torch): "supported", ("t/a", "2.11.0"): "refused",
    }  # fmt: skip
    assert jsonl.read_header(merged).planned == 4
    one_at_a_time = exportdb("diff", str(merged), a)
    assert one_at_a_time.returncode == 2
    assert "t/a · export · cpu in two environments" in one_at_a_time.stderr


def test_results_that_differ_are_one_error_that_names_both_files(exportdb, write, tmp_path: Path):
    newer = write("newer", 9, {"t/a": "refused", "t/b": "refused"})
    older = write("older", 1, {"t/a": "supported", "t/b": "supported"})
    out = tmp_path / "all.jsonl"
    done = exportdb("merge", newer, older, "--out", str(out))
    assert done.returncode == 2
    assert (
        f"t/a · export · cpu is refused in {newer}, supported in {older}; 1 more differ; "
        "give one of the two, or --prefer newest"
    ) in done.stderr
    assert not out.exists()
    assert exportdb("merge", newer, older, "--out", str(out), "--prefer", "newest").returncode == 0
    assert set(outcomes(out).values()) == {"refused"}


def test_runs_under_different_switches_are_kept_apart(exportdb, write, tmp_path: Path):
    a = write("a", 1, {"t/a": "supported"})
    b = write("b", 2, {"t/a": "supported"}, switches=("deterministic",))
    done = exportdb("merge", a, b, "--out", str(tmp_path / "all.jsonl"))
    assert done.returncode == 2
    assert "made under different switches" in done.stderr


def test_accept_uses_all_files_and_says_which(exportdb, write, tmp_path: Path):
    a = write("a", 1, {ADD: "supported"})
    b = write("b", 2, {DOUBLE: "supported"})
    own = ["--cases", "own_cases", "--expectations", str(tmp_path / "known")]
    for given in (["--from", a, "--from", b], ["--from", f"{a},{b}"]):
        done = exportdb("accept", *own, *given, "--dry-run")
        assert done.returncode == 0, done.stderr
        assert f"reading {a}, {b}" in done.stderr
        assert "2 results accepted; 1 file would change" in done.stderr


def test_accept_refuses_to_guess_between_two_results(exportdb, write, tmp_path: Path):
    older = write("older", 1, {ADD: "supported"})
    newer = write(
        "newer", 2, {ADD: "degraded"}, packages={"numpy": "9.9"}
    )  # expectations know none
    accept = ["accept", "--cases", "own_cases", "--expectations", str(tmp_path / "known")]
    accept += ["--from", newer, "--from", older]
    done = exportdb(*accept)
    assert done.returncode == 2
    assert older in done.stderr and newer in done.stderr and "--prefer newest" in done.stderr
    assert not (tmp_path / "known").exists()
    assert exportdb(*accept, "--prefer", "newest").returncode == 0
    assert "outcome: degraded" in (tmp_path / "known" / "own.yaml").read_text()
    other = exportdb(*accept, DOUBLE)  # what is not asked for is not in the way
    assert "no such result" in other.stderr


def test_diff_sums_up_the_cases_that_only_the_larger_run_has(exportdb, write):
    all_of_them = {f"t/c{i}": "supported" for i in range(9)}
    full = write("full", 1, all_of_them)
    part = write("part", 2, {"t/c1": "refused"})
    done = exportdb("diff", full, part)
    assert done.returncode == 1
    assert done.stdout.splitlines()[1:] == [
        "regressed  t/c1  export    cpu     supported -> refused",
        "B has fewer cases: 8 cases (8 results) only in A, like t/c0, t/c2, t/c3 and 5 more; "
        "--common leaves them out",
        "1 regressed, 8 gone",
    ]
    assert "A has fewer cases: 8 cases" in exportdb("diff", part, full).stdout
    assert len(exportdb("diff", full, part, "--json").stdout.splitlines()) == 9


def test_common_compares_what_both_runs_have(exportdb, write):
    full = write("full", 1, {"t/a": "supported", "t/b": "supported"})
    part = write("part", 2, {"t/b": "supported"})
    same = exportdb("diff", full, part, "--common")
    assert (same.returncode, same.stdout) == (0, "no difference\n")
    worse = write("worse", 3, {"t/b": "wrong"})
    changes = exportdb("diff", full, worse, "--common", "--json").stdout.splitlines()
    assert [json.loads(c)["kind"] for c in changes] == ["regressed"]


def test_diff_takes_a_run_in_pieces(exportdb, write):
    full = write("full", 1, {"t/a": "supported", "t/b": "supported"})
    a, b = write("a", 2, {"t/a": "supported"}), write("b", 2, {"t/b": "wrong"})
    done = exportdb("diff", full, f"{a},{b}")
    assert f"comparing A ({full}) with B ({a}, {b})" in done.stderr
    assert done.stdout.endswith("1 regressed\n")


def test_one_report_on_several_runs_says_which_it_reads(exportdb, write):
    a = write("report_a", 1, {"t/a": "supported", "t/b": "refused"})
    b = write("report_b", 2, {"t/c": "wrong"}, planned=3)
    done = exportdb("report", a, b)
    assert done.returncode == 0, done.stderr
    assert f"reading {a}, {b}" in done.stderr
    assert "✖ refused: t/b" in done.stdout and "≠ wrong: t/c" in done.stdout
    assert "2 results of 5 missing" in done.stderr and "--resume" not in done.stderr


def test_a_report_on_several_runs_knows_the_adapter_and_the_gate_of_each(exportdb, folder: Path):
    for name in ("add_one", "double"):
        words = ["--cases", "own_cases", "--exporter", "mine.py:Mine", "--out", f"{name}.jsonl"]
        assert exportdb("check", f"own/{name}", *words).returncode == 1  # it is new
    done = exportdb("report", "add_one.jsonl", "double.jsonl", "--format", "junit")
    assert done.stdout.count("<failure") == 2, done.stdout + done.stderr


def test_accept_tells_an_empty_run_from_one_without_what_was_asked_for(exportdb, folder: Path):
    words = ["own/double", "--cases", "own_cases", "--exporter", "mine.py:Mine"]
    known = ["--expectations", "kept"]
    assert exportdb("run", *words, "--out", "one.jsonl").returncode == 0
    other = exportdb("accept", "own/add_one", "--from", "one.jsonl", "--cases", "own_cases", *known)
    assert other.returncode == 2
    assert "there is no such result of own/add_one; name another run" in other.stderr
    (folder / "none.jsonl").write_text((folder / "one.jsonl").read_text().splitlines()[0] + "\n")
    empty = exportdb("accept", "--from", "none.jsonl", "--cases", "own_cases", *known)
    assert empty.returncode == 2
    assert "there are no results at all" in empty.stderr
