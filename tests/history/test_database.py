"""The history keeps every record once, whoever imports it how often, and gives it back whole."""

from __future__ import annotations

import json
import random
import signal
import subprocess
import sys
import time
from pathlib import Path

import pytest

from exportdb.records import jsonl
from tests.history.conftest import environment, record

CASES = [f"topic/case_{i}" for i in range(5000)]


def info(exportdb, url: str) -> dict[str, int]:
    done = exportdb("history", "info", "--history", url, "--json")
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def records_in(path: Path) -> dict[tuple[str, ...], object]:
    return {(r.run, *r.identity): r for r in jsonl.read(path)[1]}


def test_what_is_imported_comes_out_as_it_was(exportdb, night, url, tmp_path):
    path = night(3, {"t/a": "supported", "t/b": "refused", ("t/a", "make-fx"): "wrong"})
    done = exportdb("history", "import", path, "--history", url)
    assert done.returncode == 0, done.stderr
    assert "1 file, 3 results, 3 new" in done.stdout
    assert exportdb("history", "export", "--out", "kept", "--history", url).returncode == 0
    kept = tmp_path / "kept" / path.name
    assert records_in(kept) == records_in(path)
    assert jsonl.read_header(kept) == jsonl.read_header(path)


def test_importing_again_adds_nothing_and_a_run_that_went_on_adds_the_rest(exportdb, night, url):
    path = night(3, {"t/a": "supported", "t/b": "refused"})
    whole = path.read_bytes()
    path.write_bytes(whole[:-20])  # as it is when it is read while the run goes on
    assert "1 result, 1 new" in exportdb("history", "import", path, "--history", url).stdout
    path.write_bytes(whole)
    assert "2 results, 1 new" in exportdb("history", "import", path, "--history", url).stdout
    assert "2 results, 0 new" in exportdb("history", "import", path, "--history", url).stdout
    assert info(exportdb, url)["records"] == 2


def test_a_merged_file_is_the_runs_it_was_merged_from(exportdb, night, url, tmp_path):
    a, b = night(3, {"t/a": "supported"}), night(3, {"t/b": "refused"}, hour=3)
    assert exportdb("merge", a, b, "--out", "all.jsonl").returncode == 0
    for path in (tmp_path / "all.jsonl", a, b):
        assert exportdb("history", "import", path, "--history", url).returncode == 0
    assert (info(exportdb, url)["runs"], info(exportdb, url)["records"]) == (2, 2)


def test_what_a_hundred_nights_say_alike_is_kept_once(exportdb, night, home):
    for day in range(1, 29):
        night(day, {"t/a": "supported", "t/b": "refused"}, seconds={"capture": day / 10})
    facts = json.loads(exportdb("history", "info", "--json").stdout)
    assert (facts["runs"], facts["records"], facts["results"], facts["subjects"]) == (28, 56, 2, 2)
    assert facts["texts"] == 3  # a graph, how the exporter prints it, a message


def test_pruning_keeps_what_is_young_and_pruned_runs_stay_away(exportdb, night, url):
    def run(*words: str | Path) -> str:
        done = exportdb("history", *words, "--history", url)
        assert done.returncode == 0, done.stderr
        return done.stdout

    old, young = night(1, {"t/a": "supported", "t/b": "wrong"}), night(20, {"t/a": "supported"})
    run("import", old, young)
    keep = ("prune", "--keep-days", str(int((time.time() - 1794009600) / 86400)))  # 2026-11-07
    assert "1 run, 2 records would be removed" in run(*keep, "--dry-run")
    assert info(exportdb, url)["records"] == 3
    assert "1 run, 2 records, 1 results and 2 texts that only they had removed" in run(*keep)
    assert old.exists()
    assert "1 result, 0 new" in run("import", young)
    assert "2 results, 0 new, 2 of runs that were pruned" in run("import", old)
    facts = info(exportdb, url)
    assert (facts["runs"], facts["records"], facts["results"], facts["texts"]) == (1, 1, 1, 2)
    assert "1 file" in run("prune", "--keep-days", "0", "--files")
    assert not young.exists()


def test_the_tables_are_those_of_the_last_migration(url):
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    from exportdb.store.history import connection, tables

    database = connection.HistoryDatabase(url)
    with database.reading() as open_connection:
        differs = compare_metadata(MigrationContext.configure(open_connection), tables.METADATA)
    assert differs == []
    database.close()


def test_a_history_of_an_older_exportdb_is_brought_up_to_date(exportdb, night, url, tmp_path):
    import sqlalchemy as sa
    from alembic.autogenerate import compare_metadata
    from alembic.runtime.migration import MigrationContext

    from exportdb.store.history import connection, tables

    path = night(3, {"t/a": "supported", "t/b": "refused"})
    assert exportdb("history", "import", path, "--history", url).returncode == 0
    database = connection.HistoryDatabase(url)
    with database.engine.begin() as old:  # as version 1 had it
        old.execute(sa.text("ALTER TABLE record DROP COLUMN first_call"))
        old.execute(sa.text("UPDATE alembic_version SET version_num = '0001'"))
    database.close()
    assert exportdb("history", "export", "--out", "kept", "--history", url).returncode == 0
    was = records_in(path)
    assert records_in(tmp_path / "kept" / path.name) == {
        key: r.with_(cost={k: v for k, v in r.cost.items() if k != "first_call"})
        for key, r in was.items()
    }
    database = connection.HistoryDatabase(url)
    with database.reading() as now:
        assert compare_metadata(MigrationContext.configure(now), tables.METADATA) == []
    database.close()


def test_a_history_of_a_newer_exportdb_is_left_alone(exportdb, night, home):
    import sqlite3

    night(3, {"t/a": "supported"})
    assert exportdb("history", "info").returncode == 0
    with sqlite3.connect(home / "history.db") as connection:
        connection.execute("UPDATE alembic_version SET version_num = '9999'")
    done = exportdb("log", "t/a")
    assert done.returncode == 2
    assert "was written by a newer exportdb" in done.stderr


@pytest.mark.parametrize("given", ["nonsense", "sqlite:////no/such/folder/x.db",
                                   "postgresql+psycopg://me:secret@127.0.0.1:1/x"])  # fmt: skip
def test_a_database_that_cannot_be_used_is_told_in_one_line_without_the_password(exportdb, given):
    done = exportdb("history", "info", "--history", given)
    assert done.returncode == 2
    assert len(done.stderr.splitlines()) == 1 and "defect" not in done.stderr
    assert "secret" not in done.stderr


# --- several writers, and sudden ends ----------------------------------------------------------


def big(night) -> Path:
    return night(3, dict.fromkeys(CASES, "supported"))


def start(path: Path, url: str) -> subprocess.Popen[str]:
    words = [sys.executable, "-m", "exportdb", "history", "import", str(path), "--history", url]
    return subprocess.Popen(words, text=True, stdout=subprocess.PIPE, stderr=subprocess.PIPE)


def test_four_writers_at_once_lose_and_double_nothing(exportdb, night, url, tmp_path):
    path = big(night)
    writers = [start(path, url) for _ in range(4)]
    for writer in writers:
        out, err = writer.communicate(timeout=300)
        assert writer.returncode == 0, err
        assert "5,000 results" in out
    assert info(exportdb, url)["records"] == len(CASES)
    assert exportdb("history", "export", "--out", "kept", "--history", url).returncode == 0
    assert records_in(tmp_path / "kept" / path.name) == records_in(path)


@pytest.mark.slow
def test_killed_at_random_moments_it_loses_and_doubles_nothing(exportdb, night, url, tmp_path):
    path = big(night)
    chance = random.Random(17)
    for _ in range(20):
        writer = start(path, url)
        time.sleep(chance.uniform(0.3, 2.0))
        writer.send_signal(signal.SIGKILL)
        writer.communicate()
    done = exportdb("history", "import", path, "--history", url)
    assert done.returncode == 0, done.stderr
    assert exportdb("history", "export", "--out", "kept", "--history", url).returncode == 0
    assert records_in(tmp_path / "kept" / path.name) == records_in(path)


@pytest.mark.slow
def test_a_server_killed_at_random_moments_loses_and_doubles_nothing(
    exportdb, night, postgresql, tmp_path
):
    path, url = big(night), postgresql.database("killed")
    chance = random.Random(17)
    for _ in range(20):
        writer = start(path, url)
        time.sleep(chance.uniform(0.3, 2.0))
        postgresql.kill()
        _, told = writer.communicate(timeout=120)
        assert writer.returncode == 0 or "cannot be used" in told, told
        postgresql.start()
    assert exportdb("history", "import", path, "--history", url).returncode == 0
    assert exportdb("history", "export", "--out", "kept", "--history", url).returncode == 0
    assert records_in(tmp_path / "kept" / path.name) == records_in(path)


def test_a_file_with_two_environments_keeps_both_results(exportdb, home, url, tmp_path):
    old, new = environment("2.11.0"), environment("2.13.0")
    header = jsonl.Header("both", "2026-11-03T02:00:00+00:00", (new, old), 2)
    path = tmp_path / "both.jsonl"
    lines = [record("t/a", "refused").with_(env=old.digest, run="both"),
             record("t/a", "supported").with_(env=new.digest, run="both")]  # fmt: skip
    path.write_bytes(header.encode() + b"".join(r.encode() + b"\n" for r in lines))
    assert "2 results, 2 new" in exportdb("history", "import", path, "--history", url).stdout
    log = json.loads(exportdb("log", "t/a", "--history", url, "--json").stdout)
    assert [(line["torch"], line["outcome"]) for line in log["lines"]] == [
        ("2.11.0", "refused"), ("2.13.0", "supported"),
    ]  # fmt: skip
