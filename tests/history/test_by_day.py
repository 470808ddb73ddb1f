"""A day, a version of torch and a run whose file is gone can be named wherever a run can."""

from __future__ import annotations

import json

import pytest


def kinds(done) -> list[tuple[str, str]]:
    return [(c["kind"], c["case"]) for c in map(json.loads, done.stdout.splitlines())]


def test_two_days_are_compared(exportdb, night):
    night(1, {"t/a": "supported", "t/b": "refused"})
    night(8, {"t/a": "wrong", "t/b": "refused"})
    done = exportdb("diff", "2026-11-02", "2026-11-08", "--json")
    assert done.returncode == 1, done.stderr
    assert kinds(done) == [("regressed", "t/a")]
    assert exportdb("diff", "2026-11-02", "2026-11-03").returncode == 0


def test_two_versions_of_torch_are_compared(exportdb, night):
    night(1, {"t/a": "refused"}, torch="2.11.0")
    night(1, {"t/a": "supported"}, torch="2.13.0", hour=4)
    done = exportdb("diff", "torch==2.11", "torch==2.13", "--json")
    assert kinds(done) == [("improved", "t/a")], done.stderr


def test_a_run_whose_file_is_gone_is_read_from_the_history(exportdb, night):
    path, other = night(1, {"t/a": "supported"}), night(2, {"t/a": "refused"})
    assert exportdb("history", "info").returncode == 0
    path.unlink()
    done = exportdb("diff", path.stem, other.stem, "--json")
    assert kinds(done) == [("regressed", "t/a")], done.stderr


def test_runs_and_days_of_a_teams_history_are_compared_wherever_their_files_are(
    exportdb, night, url
):
    paths = [night(1, {"t/a": "supported"}), night(2, {"t/a": "refused"})]
    assert exportdb("history", "import", *paths, "--history", url).returncode == 0
    for path in paths:
        path.unlink()
    for words in ([p.stem for p in paths], ["2026-11-01", "2026-11-02"]):
        for given, variables in ((["--history", url], {}), ([], {"EXPORTDB_HISTORY": url})):
            done = exportdb("diff", *words, "--json", *given, **variables)
            assert kinds(done) == [("regressed", "t/a")], done.stderr
    # What is named on the command line goes before the variable.
    other = exportdb("diff", *words, "--history", url, EXPORTDB_HISTORY="sqlite:////no/such.db")
    assert other.returncode == 1, other.stderr


@pytest.mark.parametrize("name", ["file", "ID", "day", "version"])
def test_a_run_and_itself_do_not_differ(exportdb, night, name):
    outcomes = {"t/a": "supported", "t/b": "refused", ("t/b", "make-fx"): "wrong"}
    path = night(3, outcomes)
    names = {"file": path, "ID": path.stem, "day": "2026-11-03", "version": "torch==2.13"}
    for other in names.values():
        done = exportdb("diff", names[name], other, "--json")
        assert (done.returncode, done.stdout) == (0, ""), done.stderr


def test_a_day_before_all_runs_is_told(exportdb, night):
    night(5, {"t/a": "supported"})
    done = exportdb("diff", "2026-11-02", "last")
    assert done.returncode == 2
    assert "nothing of 2026-11-02 is in the history" in done.stderr
    assert "is not a date" in exportdb("diff", "2026-13-45", "last").stderr


def test_only_a_suite_an_exporter_or_a_device_is_compared(exportdb, night):
    both = {"t/a": "supported", ("t/a", "make-fx"): "supported"}
    night(1, both, suite="ops")
    night(2, {"t/a": "wrong", ("t/a", "make-fx"): "refused"}, suite="ops")
    night(1, {"t/a": "lossy"}, hour=4)
    night(2, {"t/a": "supported"}, hour=4)
    days = ("diff", "2026-11-01", "2026-11-02", "--json")

    def found(*words: str) -> list[tuple[str, str, str]]:
        lines = map(json.loads, exportdb(*days, *words).stdout.splitlines())
        return [(c["suite"], c["exporter"], c["kind"]) for c in lines]

    assert sorted(found()) == [
        ("cases", "export", "improved"), ("ops", "export", "regressed"),
        ("ops", "make-fx", "regressed"),
    ]  # fmt: skip
    assert found("--suite", "cases") == [("cases", "export", "improved")]
    assert found("--suite", "ops", "--exporter", "make-fx") == [("ops", "make-fx", "regressed")]
    assert len(found("--suite", "ops,cases", "--device", "cpu")) == 3


def test_a_suite_that_neither_run_has_is_an_error_and_no_empty_answer(exportdb, night):
    night(1, {"t/a": "supported"}, suite="ops")
    night(2, {"t/a": "wrong"})
    assert exportdb("diff", "2026-11-01", "2026-11-02", "--suite", "ops").returncode == 1
    done = exportdb("diff", "2026-11-01", "2026-11-02", "--suite", "opps")
    assert done.returncode == 2
    assert "no result of the suite opps in" in done.stderr
    assert "there are cases, ops" in done.stderr


def test_two_devices_of_a_run_are_compared(exportdb, night):
    night(1, {"t/a": "supported", "t/b": "supported"})
    night(1, {"t/a": "refused", "t/c": "refused"}, hour=4, device="cuda")
    done = exportdb("diff", "2026-11-01", "--devices", "cpu", "cuda", "--json")
    (change,) = map(json.loads, done.stdout.splitlines())
    assert (change["case"], change["device"], change["kind"]) == ("t/a", "cpu -> cuda", "regressed")
    missing = exportdb("diff", "2026-11-01", "--devices", "cpu", "meta")
    assert missing.returncode == 2 and "no result of the device meta" in missing.stderr
    assert "one of the three" in exportdb("diff", "2026-11-01").stderr


def test_days_differ_as_their_files_do_and_only_what_differs_is_read(
    exportdb, night, home, monkeypatch
):
    outcomes = dict.fromkeys([f"t/c{i}" for i in range(40)], "supported")
    before = night(1, {**outcomes, "t/gone": "refused", ("t/c1", "make-fx"): "wrong"})
    after = night(2, {**outcomes, "t/c3": "refused", "t/new": "lossy"})
    night(2, {"t/c4": "wrong"}, hour=4)  # the newest of a night counts
    later = home / "runs" / "20261102-040000-000aa.jsonl"
    days = exportdb("diff", "2026-11-01", "2026-11-02", "--json")
    files = exportdb("diff", before, f"{after},{later}", "--prefer", "newest", "--json")
    assert days.stdout == files.stdout and len(kinds(days)) == 5

    from exportdb.store.history import open_history, reading

    database = open_history(home)
    told, put_together = [], reading.put_together
    monkeypatch.setattr(reading, "put_together", lambda row: told.append(1) or put_together(row))
    one, other = (reading.named(database, f"2026-11-0{day}") for day in (1, 2))
    part, left_out = one.unlike(other)
    found = {r.identity for r in part.records()}
    assert len(found) == len(told) == 4 and len(left_out) == 38
    assert found | left_out == {r.identity for r in one.records()}


def test_of_a_day_only_the_two_exporters_that_are_compared_are_read_and_once(
    exportdb, night, home, monkeypatch, capsys
):
    night(1, {(f"t/c{i}", e): "supported" for i in range(9) for e in ("export", "make-fx", "onnx")})
    night(1, {("t/c3", "make-fx"): "wrong"}, hour=4)
    exportdb("history", "info")

    from exportdb.cli.diff import command
    from exportdb.store.history import reading

    told, put_together = [], reading.put_together
    monkeypatch.setattr(reading, "put_together", lambda row: told.append(1) or put_together(row))
    words = ["2026-11-01", "--exporters", "export", "make-fx", "--json", "--home", str(home)]
    assert command.main(words, standalone_mode=False) == 1
    (change,) = map(json.loads, capsys.readouterr().out.splitlines())
    assert (change["case"], change["exporter"]) == ("t/c3", "export -> make-fx")
    assert len(told) == 2 * 9 + 1  # one of them is older than what counts
    missing = exportdb("diff", "2026-11-01", "--exporters", "export", "onyx")
    assert missing.returncode == 2 and "there are export, make-fx, onnx" in missing.stderr
