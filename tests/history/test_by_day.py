"""A day, a version of torch and a run whose file is gone can be named wherever a run can."""

from __future__ import annotations

import json


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


def test_a_day_before_all_runs_is_told(exportdb, night):
    night(5, {"t/a": "supported"})
    done = exportdb("diff", "2026-11-02", "last")
    assert done.returncode == 2
    assert "nothing of 2026-11-02 is in the history" in done.stderr
    assert "is no date" in exportdb("diff", "2026-13-45", "last").stderr
