"""What the site knows: from expectations alone, and from records of several runs."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.records import findings
from exportdb.records.expectation import Point
from exportdb.records.jsonl import RecordFileError
from exportdb.records.outcome import Outcome
from exportdb.records.record import ErrorInfo, Finding, Record, SampleResult
from exportdb.site import memory
from exportdb.site.load import Inputs, SiteError, load
from exportdb.site.model import OutcomeCounts, Site
from exportdb.site.pages import errors, exporters, matrix
from exportdb.site.pages.verdict import in_words, verdict
from exportdb.site.words import where

from .conftest import record, write_case, write_records

P213, P215 = Point("2.13", "cpu"), Point("2.15", "cpu")


def site_of(tree: Path, *records: Path) -> Site:
    return load(Inputs(records, (tree,), builtin=False))


def test_expectations_alone_make_a_cell_for_each_place_they_were_confirmed_at(tree: Path) -> None:
    cells = site_of(tree).cases["area/adds"].by_key
    assert {key: cell.outcome for key, cell in cells.items()} == {
        ("export", P213): "supported",
        ("export", P215): "refused",
        ("export-strict", P213): "supported",  # inherited, and confirmed there
    }
    assert cells["export", P215].error is not None
    assert not cells["export", P213].run


def test_the_newest_run_decides_a_cell_and_all_of_them_make_its_history(
    tree: Path, tmp_path: Path
) -> None:
    new = write_records(tmp_path / "new.jsonl", record(outcome="wrong"), started="2026-03-01")
    old = write_records(tmp_path / "old.jsonl", record(), started="2026-02-01")
    view = site_of(tree, new, old).cases["area/adds"]
    assert view.by_key["export", P213].outcome == "wrong"
    assert view.by_key["export", P213].started == "2026-03-01"
    assert [c.outcome for c in view.history] == ["supported", "wrong"]


def test_where_no_run_was_expectations_fill_in(tree: Path, tmp_path: Path) -> None:
    view = site_of(tree, write_records(tmp_path / "r.jsonl", record())).cases["area/adds"]
    assert view.by_key["export", P213].run
    assert not view.by_key["export", P215].run


def test_a_result_of_an_earlier_text_of_the_case_says_so(tree: Path, tmp_path: Path) -> None:
    file = write_records(tmp_path / "r.jsonl", record(case_digest="0" * 16))
    assert site_of(tree, file).cases["area/adds"].by_key["export", P213].stale


def test_a_record_under_a_former_id_counts_for_the_case(tree: Path, tmp_path: Path) -> None:
    file = write_records(tmp_path / "r.jsonl", record("area/added", outcome="degraded"))
    assert site_of(tree, file).cases["area/adds"].by_key["export", P213].outcome == "degraded"


def test_programs_of_other_suites_are_counted(tree: Path, tmp_path: Path) -> None:
    file = write_records(tmp_path / "r.jsonl", record("add", suite="opinfo", outcome="wrong"))
    assert site_of(tree, file).elsewhere[("opinfo", "export", P213)] == {"wrong": 1}


def test_a_result_under_switches_stands_apart_and_replaces_none_without(
    tree: Path, tmp_path: Path
) -> None:
    mild = write_records(
        tmp_path / "new.jsonl", record(), record("add", suite="opinfo"),
        started="2026-03-01", switches=("deterministic",),
    )  # fmt: skip
    bad = write_records(tmp_path / "old.jsonl", record(outcome="wrong"), started="2026-02-01")
    site = site_of(tree, mild, bad)
    view = site.cases["area/adds"]
    assert view.by_key["export", P213].outcome == "wrong"
    assert [(c.point.switches, c.outcome) for c in view.switched] == [
        (("deterministic",), "supported")
    ]
    assert [c.outcome for c in view.history] == ["wrong"]
    assert not any(p.switches for p in site.points)
    assert [p.switches for _, _, p in site.elsewhere] == [("deterministic",)]


def test_an_expectation_under_switches_stands_apart_too(tree: Path) -> None:
    file = tree / "area" / "adds.yaml"
    file.write_text(
        file.read_text().replace(
            "\nexport-strict:",
            "  - when: {switches: [deterministic]}\n    outcome: wrong\n    issue: pytorch#1\n"
            "    measured: [2.13/cpu+deterministic]\n\nexport-strict:",
        )
    )
    view = site_of(tree).cases["area/adds"]
    assert view.by_key["export", P213].outcome == "supported"
    assert [(c.exporter, c.outcome) for c in view.switched] == [("export", "wrong")]


def test_an_error_finds_its_entry_in_the_catalogue(
    tree: Path, tmp_path: Path, refused: Record
) -> None:
    site = site_of(tree, write_records(tmp_path / "r.jsonl", refused))
    assert "area/adds" in [c.case for c in site.raised["E0001"]]


def test_an_expectation_keeps_the_beginning_of_an_error_and_has_the_entry_that_a_record_finds(
    tree: Path, tmp_path: Path
) -> None:
    said = "You marked n as dynamic but your code specialized it to be a constant (5)."
    error = ErrorInfo("UserError", f"Constraints violated (n)!\n{said}", "00ff", "E0101")
    expected = tree / "area" / "adds.yaml"
    began = "{type: UserError, fingerprint: 00ff, message: Constraints violated (n)!}"
    expected.write_text(
        expected.read_text().replace(
            "{type: RuntimeError, fingerprint: 00ff, message: it went away}", began
        )
    )

    def entry(*records: Path) -> str | None:
        cell = site_of(tree, *records).cases["area/adds"].by_key["export", P215]
        return cell.error and cell.error.catalogue

    assert entry() == "E0112"  # constraints violated, whatever they are
    refused = record(outcome="refused", phase="capture", error=error)
    assert entry(write_records(tmp_path / "r.jsonl", refused)) == "E0101"


@pytest.mark.parametrize("change", [
    {"graph": "other"}, {"facts": {"guards": ["n > 2"]}}, {"findings": (Finding("found", "x"),)},
])  # fmt: skip
def test_a_case_is_another_when_anything_of_a_record_is(tree: Path, tmp_path: Path, change) -> None:
    def told(*records: Record) -> str:
        return (
            site_of(tree, write_records(tmp_path / "r.jsonl", *records)).cases["area/adds"].digest
        )

    same = told(record(graph="one"))
    assert told(record(graph="one")) == same
    assert told(record(graph="one").with_(**change)) != same


def test_a_file_that_does_not_validate_is_refused_with_its_line(tree: Path, tmp_path: Path) -> None:
    file = write_records(tmp_path / "r.jsonl", record(), record())
    file.write_text(file.read_text().replace('"supported"', '"nice"', 1))
    with pytest.raises(RecordFileError, match=r"r\.jsonl:2: outcome must be one of"):
        site_of(tree, file)


def test_a_folder_of_runs_is_read_and_one_without_any_is_an_error(
    tree: Path, tmp_path: Path
) -> None:
    store = tmp_path / "store"
    (store / "runs").mkdir(parents=True)
    with pytest.raises(SiteError, match="no files of records"):
        site_of(tree, store)
    write_records(store / "runs" / "r.jsonl", record())
    assert site_of(tree, store).cases["area/adds"].by_key["export", P213].run


def test_questions_that_the_explorer_asks_of_a_case(tree: Path, tmp_path: Path) -> None:
    view = site_of(tree).cases["area/adds"]
    assert view.has_rewrite and view.changed
    assert not view.silently_wrong and not view.differs
    file = write_records(tmp_path / "r.jsonl", record(outcome="unguarded"))
    view = site_of(tree, file).cases["area/adds"]
    assert view.silently_wrong and view.differs


def test_cells_that_look_alike_share_a_note_and_a_plain_yes_has_none(
    tree: Path, tmp_path: Path, wrong: Record
) -> None:
    file = write_records(tmp_path / "r.jsonl", wrong, wrong.with_(exporter="export-strict"))
    notes = matrix.notes(site_of(tree, file).cases["area/adds"].cells)
    alike, refused = notes
    assert [(c.exporter, c.point) for c in notes[alike]] == [
        ("export", P213), ("export-strict", P213)
    ]  # fmt: skip
    assert alike.findings == ("range-wider-than-guards",)
    assert [(c.exporter, c.point) for c in notes[refused]] == [("export", P215)]
    plain = matrix.notes(site_of(tree).cases["area/adds"].cells)
    assert list(plain) == [refused]


def test_a_note_says_why_a_capture_is_degraded(tree: Path, tmp_path: Path) -> None:
    broken = record(outcome="degraded", cost={"graphs": 3, "graph_breaks": 2, "recompilations": 0})
    again = record(
        exporter="mine", outcome="degraded",
        cost={"graphs": 1, "graph_breaks": 0, "recompilations": 1, "peak_mib": 42.3},
    )  # fmt: skip
    file = write_records(tmp_path / "r.jsonl", broken, again)
    notes = matrix.notes(site_of(tree, file).cases["area/adds"].cells)
    said = {where(cells): remark.pieces for remark, cells in notes.items() if remark.pieces}
    assert said == {"export: cpu 2.13": "3 graphs, 2 graph breaks", "mine: cpu 2.13":
                    "1 recompilation"}  # fmt: skip


@pytest.mark.parametrize(
    ("found", "cause"),
    [
        (["accepts-outside-range", "range-wider-than-guards"],
         findings.meaning("range-wider-than-guards")),
        (["accepts-outside-range"], Outcome.WRONG.meaning),
        (["accepts-outside-range", "state-mutation-differs"],
         findings.meaning("state-mutation-differs")),
    ],
)  # fmt: skip
def test_a_wrong_result_stands_under_the_finding_that_explains_it(
    tree: Path, tmp_path: Path, found: list[str], cause: str
) -> None:
    wrong = record(outcome="wrong", findings=tuple(Finding(f, "") for f in found))
    site = site_of(tree, write_records(tmp_path / "r.jsonl", wrong, torch="2.15.0"))
    (told,) = exporters.todo(site, "export")["wrong"]
    assert told.title == cause


def test_an_entry_shows_the_rewrite_that_writes_what_it_says(tmp_path: Path) -> None:
    tree = tmp_path / "cases"
    named = "errors: [E0001]\nrewrites: [area/{}]\n"
    for name, body, more in (
        ("short", "x if x.sum() > 0 else -x", named.format("left_out")),
        ("left_out", "x", ""),
        ("branch", "x.cos() if x.sum() > 0 else x.sin()", named.format("with_cond")),
        ("with_cond", "torch.cond(x.sum() > 0, torch.cos, torch.sin, (x,))", ""),
    ):
        write_case(tree, f"area/{name}", body=body, more=more)
    shown = site_of(tree).fixes["E0001"]
    assert [view.id for view in shown] == ["area/branch", "area/with_cond"]


def test_what_was_read_is_remembered_until_it_changes(tree: Path, tmp_path: Path) -> None:
    file, memory = tmp_path / "r.jsonl", tmp_path / "state" / "memory.sqlite"
    inputs = Inputs((file,), (tree,), builtin=False)

    def outcome() -> str:
        return load(inputs, memory).cases["area/adds"].by_key["export", P213].outcome

    write_records(file, record())
    assert outcome() == "supported"
    written = memory.stat().st_mtime_ns
    assert outcome() == "supported" and memory.stat().st_mtime_ns == written
    write_records(file, record(outcome="refused", phase="capture"))
    assert outcome() == "refused"
    memory.write_bytes(b"torn")
    assert outcome() == "refused"


@pytest.mark.parametrize("changed", ["site/pages/case.py", "site/templates/sphinx/layout.html",
                                     "site/static/exportdb.css", "records/outcome.py"])  # fmt: skip
def test_a_page_is_another_when_any_of_the_code_that_makes_it_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, changed: str
) -> None:
    monkeypatch.setattr(memory, "PACKAGE", tmp_path)
    file = tmp_path / changed
    file.parent.mkdir(parents=True)
    told = []
    for text in ("one", "two"):
        file.write_text(text)
        told.append(memory.code.__wrapped__(".html", ".css", ".js"))
    assert told[0] != told[1]


def test_two_builds_at_once_both_remember_what_they_found(
    tree: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    memory = tmp_path / "memory.sqlite"
    write_case(tmp_path / "other", "elsewhere/adds")
    mine, other = (Inputs((), (t,), builtin=False) for t in (tree, tmp_path / "other"))
    made: list[str] = []

    def names(source: str, _graphs: object) -> tuple[str, ...]:
        made.append(source)
        if len(made) == 1:  # the first build is at its first case
            load(other, memory)
        return ()

    monkeypatch.setattr("exportdb.site.load.names", names)
    first = load(mine, memory)
    assert len(made) == len(first.cases) + 1
    made.clear()
    load(Inputs((), (tree, tmp_path / "other"), builtin=False), memory)
    assert made == []


def test_a_remembered_case_follows_its_expectations(tree: Path, tmp_path: Path) -> None:
    memory = tmp_path / "memory.sqlite"
    inputs = Inputs((), (tree,), builtin=False)
    assert load(inputs, memory).cases["area/adds"].by_key["export", P215].outcome == "refused"
    file = tree / "area" / "adds.yaml"
    file.write_text(file.read_text().replace("outcome: refused", "outcome: crashed"))
    assert load(inputs, memory).cases["area/adds"].by_key["export", P215].outcome == "crashed"


def test_a_reason_of_its_own_takes_the_place_of_the_one_of_its_exporter(tree: Path) -> None:
    (tree / "exporters.yaml").write_text("mine: {issue: 'pytorch#1', note: It looks at nothing.}\n")
    expectations = tree / "area/adds.yaml"
    wrong = "mine: {outcome: wrong, measured: [2.13/cpu]}\n"
    for own, issue, note in (
        ("", "pytorch#1", "It looks at nothing."),
        ("note: It rounds., ", "", "It rounds."),
        ("issue: 'pytorch#2', ", "pytorch#2", ""),
    ):
        expectations.write_text(wrong.replace("measured", own + "measured"))
        cell = site_of(tree).cases["area/adds"].by_key["mine", P213]
        assert (cell.issue, cell.note) == (issue, note)


@pytest.mark.parametrize(("outcome", "sample", "result", "said"), [
    ("wrong", "n=2", "disagrees", "silently differs from eager at n=2, torch 2.13."),
    ("wrong", "other values", "disagrees", "eager on the sample other values, torch 2.13."),
    ("wrong", "example", "disagrees", "eager on the example itself, torch 2.13."),
    ("wrong", "example, called again", "disagrees",
     "eager when the example is called again, torch 2.13."),
    ("specialized", "n=4", "raised", "raises on others, such as n=4, torch 2.13."),
    ("unguarded", "n=99", "unguarded", "what it had to refuse, such as n=99, torch 2.13."),
])  # fmt: skip
def test_a_verdict_names_the_sample_that_tells(
    tree: Path, tmp_path: Path, outcome: str, sample: str, result: str, said: str
) -> None:
    told = SampleResult("accepts", sample, result, {}, "differs")
    file = write_records(tmp_path / "r.jsonl", record(outcome=outcome, samples=(told,)))
    (tree / "area/adds.yaml").unlink()
    assert in_words(verdict(site_of(tree, file).cases["area/adds"])).endswith(said)


def test_a_verdict_says_what_goes_along_with_it(
    tree: Path, tmp_path: Path, wrong: Record, refused: Record
) -> None:
    (tree / "area/adds.yaml").unlink()

    def said(*records: Record) -> str:
        file = write_records(tmp_path / "r.jsonl", *records)
        return in_words(verdict(site_of(tree, file).cases["area/adds"]))

    assert said(wrong).endswith(
        "at n=2, torch 2.13. " + findings.meaning("range-wider-than-guards")
    )
    assert "raises while capturing it (" in said(refused)
    assert "captures it, and raises while saving (" in said(refused.with_(phase="save"))
    assert "captures it, and raises when that is run on the example (" in said(
        refused.with_(phase="run")
    )


def test_the_exporter_that_was_measured_most_speaks_first_where_all_were_measured_once(
    tree: Path, tmp_path: Path
) -> None:
    found = (("compiler", "degraded"), ("export", "refused"))
    runs = [record("area/unmeasured", exporter=e, outcome=o) for e, o in found]
    said = verdict(
        site_of(tree, write_records(tmp_path / "r.jsonl", *runs)).cases["area/unmeasured"]
    )
    assert said and said.cell.exporter == "export"


def test_what_changed_is_asked_of_a_torch_that_enough_was_measured_with(
    tree: Path, tmp_path: Path
) -> None:
    for path in (tree / "control_flow").iterdir():
        path.unlink()
    (tree / "area/adds.yaml").unlink()
    cases = ("area/adds", "area/adds_later", "area/unmeasured")
    files = [
        write_records(tmp_path / f"{torch}.jsonl", *(record(case=c) for c in cases[:count]),
                      torch=f"{torch}.0")
        for torch, count in (("2.11", 3), ("2.13", 3), ("2.14", 1), ("2.15", 3))
    ]  # fmt: skip
    assert site_of(tree, *files).before["export"].torch == "2.13"
    assert site_of(tree, *files[2:]).before["export"].torch == "2.14"


def test_a_verdict_tells_the_error_and_who_else_is_wrong_or_unguarded(
    tree: Path, tmp_path: Path, refused: Record
) -> None:
    others = [record(exporter=e, outcome=o) for e, o in
              (("tracer", "wrong"), ("mobile", "unguarded"), ("other", "supported"))]  # fmt: skip
    site = site_of(tree, write_records(tmp_path / "r.jsonl", refused, *others))
    (tree / "area/adds.yaml").unlink()
    site = site_of(tree, tmp_path / "r.jsonl")
    said = verdict(site.cases["area/adds"])
    assert said and (said.wrong, said.unguarded) == (("tracer",), ("mobile",))
    assert said.error.startswith("GuardOnDataDependentSymNode: Could not guard on data-dependent")
    assert "Advice" not in in_words(said) and said.error in in_words(said)


def test_a_verdict_says_what_an_older_torch_gave(tree: Path, tmp_path: Path) -> None:
    files = [
        write_records(tmp_path / f"{t}.jsonl", record("area/adds_later", outcome=o), torch=f"{t}.0")
        for t, o in (("2.8", "refused"), ("2.9", "supported"), ("2.10", "wrong"), ("2.11", "wrong"))
    ]
    said = in_words(verdict(site_of(tree, *files).cases["area/adds_later"]))
    assert "torch 2.10, 2.11 (supported with 2.9)." in said


def test_a_verdict_leaves_out_what_says_nothing_of_the_error(
    tree: Path, tmp_path: Path, refused: Record
) -> None:
    advice = 'Constraints violated (n)! For more information, run with TORCH_LOGS="+dynamic".\nMore'
    raised = refused.with_(error=ErrorInfo("UserError", advice), case="area/adds_later")
    said = verdict(
        site_of(tree, write_records(tmp_path / "r.jsonl", raised)).cases["area/adds_later"]
    )
    assert said and said.error == "UserError: Constraints violated (n)"


def test_a_verdict_names_no_version_that_nobody_measured(tree: Path, tmp_path: Path) -> None:
    wrong = record("area/adds_later", outcome="wrong")
    files = [
        write_records(tmp_path / f"{torch}.jsonl", wrong, torch=f"{torch}.0")
        for torch in ("2.8", "2.9", "2.10", "2.13", "2.15")
    ]
    site = load(Inputs(tuple(files), (tree,), builtin=False))
    assert "torch 2.8 to 2.10, 2.13, 2.15." in in_words(verdict(site.cases["area/adds_later"]))


def test_no_score_counts_a_prediction_or_a_program_that_breaks_a_contract(
    tree: Path, tmp_path: Path
) -> None:
    write_case(tree, "area/lies", more="breaks_contract: its fake kernel is of another size\n")
    file = write_records(
        tmp_path / "r.jsonl", record(), record("area/lies", outcome="wrong"),
        record(device="meta", outcome="predicted"),
        record("area/adds_later", device="meta", outcome="refused"),
    )  # fmt: skip
    site = site_of(tree, file)
    kept = {
        point.device: site.scored(site.at("export", point).values())
        for point in site.points
        if point.torch == "2.13"
    }
    on_cpu, on_meta = OutcomeCounts.of(kept["cpu"]), OutcomeCounts.of(kept["meta"])
    assert "area/lies" not in {cell.case for cell in kept["cpu"]}
    assert on_cpu.computed
    assert on_cpu.supported == 1
    assert (on_meta.percent, on_meta.computed) == ("–", False)


def test_code_in_the_causes_of_an_entry_is_shown_as_code(whole: Site) -> None:
    coded = [e for e in whole.entries.values() if any("`" in cause for cause in e.causes)]
    assert coded
    for entry in coded:
        causes = next(s for s in errors.error(whole, entry.id).sections if s.id == "causes")
        assert "`" not in causes.html and "<code>" in causes.html
