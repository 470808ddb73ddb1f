"""What was measured is not measured again, until something that it depends on changes."""

from __future__ import annotations

import contextlib
import dataclasses
import json
import sqlite3
import sys
import threading
import types
import zipfile
from collections.abc import Callable
from importlib import metadata

import pytest

from exportdb.conformance.options import Options
from exportdb.distributions import installed_distributions
from exportdb.executors.error import RunnerError
from exportdb.plugins import EXPORTERS, find
from exportdb.records import environment
from exportdb.records.record import Record
from exportdb.runner import cache, imported
from exportdb.runner.declarations import declarations_of
from exportdb.runner.imported import Imported, Now
from exportdb.runner.installations import arrange
from exportdb.runner.measured import Measured
from exportdb.runner.plan import Examination, examinations
from exportdb.store.home import home_folder
from exportdb.suites.cases import CaseProgram
from tests.runner.conftest import Bench


def examined(bench: Bench, *exporters: str, **settings) -> int:
    """How many examinations a run really makes."""
    bench.run(*(exporters or ("Right",)), **settings)
    return len(bench.log.begun)


def test_a_second_run_examines_nothing_and_says_the_same(bench: Bench):
    (first,) = bench.run("Right").stored.records()
    (second,) = bench.run("Right").stored.records()
    assert bench.log.begun == []
    assert (bench.log.total, bench.log.cached) == (1, 1)
    assert (first.cached, second.cached) == (False, True)
    assert second.with_(run=first.run, cached=False) == first


def test_fresh_examines_again_and_keeps_what_it_finds(bench: Bench):
    assert examined(bench, fresh=True) == 1
    assert examined(bench, fresh=True) == 1
    assert examined(bench) == 0


def test_only_the_case_that_changed_is_examined(bench: Bench):
    bench.case("two", 2)
    assert examined(bench) == 2
    bench.case("two", 3)
    assert examined(bench) == 1
    assert bench.log.begun == ["two"]


def test_another_exporter_beside_it_changes_nothing(bench: Bench):
    assert examined(bench) == 1
    assert examined(bench, "Right", "Wrong", retry=False) == 1


def test_old_results_are_examined_again(bench: Bench):
    assert examined(bench) == 1
    with sqlite3.connect(bench.home / "cache.sqlite") as db:
        db.execute("UPDATE results SET made = made - ?", [cache.MAX_AGE])
    assert examined(bench) == 1


@pytest.mark.parametrize("exporter", ["Hangs", "Changes"])
def test_timeouts_and_flaky_results_are_not_kept(bench: Bench, exporter):
    assert examined(bench, exporter, timeout=0.5) == 2
    assert examined(bench, exporter, timeout=0.5) == 2


def test_what_a_plug_in_lacked_is_looked_for_again(bench: Bench, tmp_path):
    licence = tmp_path / "licence"
    bench.exporters.write_text(
        "import pathlib\n\n\nclass Right:\n    name = 'right'\n"
        f"    file = pathlib.Path({str(licence)!r})\n"
        "    def unusable(self): return None if self.file.exists() else 'no'\n"
        "    def capture(self, program): return program.module\n"
    )
    assert [r.outcome for r in bench.run("Right").stored.records()] == ["unavailable"]
    licence.touch()
    assert [r.outcome for r in bench.run("Right").stored.records()] == ["supported"]


def test_a_plug_in_whose_backend_is_gone_is_not_answered_for_by_the_cache(bench: Bench, tmp_path):
    licence = tmp_path / "licence"
    licence.touch()
    bench.exporters.write_text(
        "import pathlib\n\n\nclass Right:\n    name = 'right'\n"
        f"    file = pathlib.Path({str(licence)!r})\n"
        "    def unusable(self): return None if self.file.exists() else 'no'\n"
        "    def capture(self, program): return program.module\n"
    )
    bench.expect("right", outcome="supported", phase="compare")
    assert outcome(bench, "Right") == ("supported", False)
    licence.unlink()
    (gone,) = bench.run("Right").briefs
    assert (gone.outcome, gone.verdict) == ("unavailable", "regressed")
    licence.touch()
    assert outcome(bench, "Right") == ("supported", True)


@pytest.mark.parametrize("edited", ["worse", "expected"])
def test_a_verdict_that_is_not_as_it_was_written_is_made_again(bench: Bench, edited):
    bench.run("Right")
    bench.run("Right")
    with contextlib.closing(sqlite3.connect(bench.home / "cache.sqlite")) as db, db:
        assert db.execute("UPDATE verdicts SET verdict = ?", [edited]).rowcount == 1
    (record,) = bench.run("Right").stored.records()
    assert record.cached and record.verdict == "new"


def test_errors_are_not_kept(bench: Bench):
    (bench.tree / "one.py").write_text((bench.tree / "one.py").read_text() + "\nraise ValueError\n")
    assert examined(bench, retry=False) == 1
    assert examined(bench, retry=False) == 1


def test_a_verdict_is_of_its_run_and_not_kept(bench: Bench):
    bench.expect("right", outcome="supported")
    (first,) = bench.run("Right").stored.records()
    bench.expect("right")
    (second,) = bench.run("Right").stored.records()
    assert (first.verdict, second.verdict) == ("expected", "new")


def test_a_known_result_that_has_become_a_surprise_is_tried_a_second_time_once(bench: Bench):
    assert examined(bench) == 1
    bench.expect("right", outcome="refused", phase="capture")
    assert examined(bench) == 1
    assert examined(bench) == 0


def test_two_runs_at_once_on_one_home_are_fine(bench: Bench):
    for i in range(5):
        bench.case(f"more_{i}", i)
    done = []
    other = Bench.__new__(Bench)
    vars(other).update(vars(bench))
    # What is asked for is parsed before: ast.parse of Python 3.11 does not hold up to two threads.
    asked = [(b, b.request("Right")) for b in (bench, other)]
    threads = [
        threading.Thread(target=lambda b=b, r=r: done.append(b.run(request=r))) for b, r in asked
    ]
    for t in threads:
        t.start()
    for t in threads:
        t.join()
    one, two = done
    assert one.id != two.id
    for run in done:
        lines = [json.loads(line) for line in run.stored.path.read_text().splitlines()]
        assert {r["outcome"] for r in lines[1:]} == {"supported"}
        assert len(lines) == 7


# What was imported for it


def helper(bench: Bench, more: float) -> None:
    """Write the module that the exporter Helped imports."""
    # Of another size each time: Python takes a file of the same second and size for the same.
    text = f"MORE = {more}\n" + "#" * int(more)
    (bench.exporters.parent / "helper_of_exporters.py").write_text(text)


def outcome(bench: Bench, exporter: str) -> tuple[str, bool]:
    (found,) = bench.run(exporter, retry=False).briefs
    return found.outcome, found.cached


def test_a_module_that_an_exporter_imports_is_part_of_it(bench: Bench):
    helper(bench, 0)
    assert outcome(bench, "Helped") == ("supported", False)
    assert outcome(bench, "Helped") == ("supported", True)
    helper(bench, 1)
    assert outcome(bench, "Helped") == ("wrong", False)
    assert outcome(bench, "Helped") == ("wrong", True)


def test_a_module_that_is_gone_is_asked_for_again(bench: Bench):
    helper(bench, 0)
    assert outcome(bench, "Helped") == ("supported", False)
    (bench.exporters.parent / "helper_of_exporters.py").unlink()
    assert outcome(bench, "Helped") == ("refused", False)


def test_a_module_that_was_missing_is_looked_for_again(bench: Bench):
    assert outcome(bench, "Helped") == ("refused", False)
    assert outcome(bench, "Helped") == ("refused", False)
    helper(bench, 0)
    assert outcome(bench, "Helped") == ("supported", False)


UNSEEN = """
import importlib.util, pathlib, sys

class Unseen:
    name = "unseen"
    def capture(self, program):
        helper = loaded(pathlib.Path(__file__).with_name("helper_of_exporters.py"))
        return lambda x: program.module(x) + helper.MORE
"""
LOADED = """
def loaded(file):
    spec = importlib.util.spec_from_file_location("unseen_helper", file)
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
"""
LOADED_AND_FORGOTTEN = """
def loaded(file):
    sys.path.insert(0, str(file.parent))
    import helper_of_exporters
    del sys.modules["helper_of_exporters"]
    return helper_of_exporters
"""
IN_AN_ARCHIVE = """
def loaded(file):
    sys.path.insert(0, str(file.with_name("helpers.zip")))
    import helper_of_exporters
    return helper_of_exporters
"""


@pytest.mark.parametrize("way", [LOADED, LOADED_AND_FORGOTTEN, IN_AN_ARCHIVE])
def test_a_module_that_leaves_no_trace_is_part_of_it_as_well(bench: Bench, way):
    bench.exporters.write_text(UNSEEN + way)
    for more, said in ((0, "supported"), (1, "wrong")):
        helper(bench, more)
        with zipfile.ZipFile(bench.exporters.parent / "helpers.zip", "w") as archive:
            archive.write(
                bench.exporters.parent / "helper_of_exporters.py", "helper_of_exporters.py"
            )
        assert outcome(bench, "Unseen") == (said, False)
        assert outcome(bench, "Unseen") == (said, True)


OPTIONAL = """
import pathlib, sys

class Optional:
    name = "optional"
    def capture(self, program):
        HERE
        try:
            from helper_of_exporters import MORE
        except ImportError:
            MORE = 0
        return lambda x: program.module(x) + MORE
"""
ON_ITS_OWN_PATH = "sys.path.insert(0, str(pathlib.Path(__file__).parent))"


@pytest.mark.parametrize("way", [ON_ITS_OWN_PATH, "pass"])
def test_a_module_that_it_did_without_is_looked_for_again(bench: Bench, monkeypatch, way):
    bench.exporters.write_text(OPTIONAL.replace("HERE", way))
    if way == "pass":
        monkeypatch.syspath_prepend(bench.exporters.parent)
    for more, said in ((None, "supported"), (1, "wrong")):
        if more is not None:
            helper(bench, more)
        assert outcome(bench, "Optional") == (said, False)
        assert outcome(bench, "Optional") == (said, True)


def test_a_part_of_a_package_that_it_did_without_is_looked_for_again(bench: Bench):
    package = bench.exporters.with_name("package_of_exporters")
    package.mkdir()
    (package / "__init__.py").touch()
    text = OPTIONAL.replace("HERE", ON_ITS_OWN_PATH)
    bench.exporters.write_text(text.replace("helper_of", "package_of_exporters.helper_of"))
    assert outcome(bench, "Optional") == ("supported", False)
    assert outcome(bench, "Optional") == ("supported", True)
    (package / "helper_of_exporters.py").write_text("MORE = 1\n")
    assert outcome(bench, "Optional") == ("wrong", False)


def test_what_is_declared_for_want_of_a_module_is_asked_again(bench: Bench):
    bench.exporters.write_text(
        ON_ITS_OWN_PATH.join(["import pathlib, sys\n", "\n"])
        + "try:\n    from helper_of_exporters import MORE\nexcept ImportError:\n    MORE = 0\n"
        "class Declares:\n    name = 'declares'\n    version = str(MORE)\n"
        "    def capture(self, program): ...\n"
    )
    exporter = find(EXPORTERS, f"{bench.exporters}:Declares")
    for version in ("0", "0", "1"):
        if version == "1":
            helper(bench, 1)
        assert declarations_of([exporter], bench.home)[exporter.target].version == version


def test_what_torch_does_without_is_not_noted(bench: Bench):
    bench.run("Right")
    ((text,),) = entries(bench, "SELECT text FROM imports")
    assert json.loads(text)["missing"] == {}


def test_what_a_process_that_died_had_imported_is_not_known(bench: Bench):
    bench.exporters.write_text(
        UNSEEN.replace("return lambda", "if helper.MORE: os._exit(3)\n        return lambda")
        + "import os\n"
        + LOADED
    )
    helper(bench, 1)
    assert outcome(bench, "Unseen") == ("crashed", False)
    helper(bench, 0)
    assert outcome(bench, "Unseen") == ("supported", False)


def test_what_others_import_changes_nothing(bench: Bench):
    helper(bench, 0)
    bench.run("Right", "Helped")
    helper(bench, 1)
    assert outcome(bench, "Right") == ("supported", True)


def test_a_result_holds_until_another_version_is_installed_of_what_was_used(bench, monkeypatch):
    site = bench.tree.parent / "site"
    site.mkdir()
    monkeypatch.syspath_prepend(str(site))
    home = home_folder(bench.home)

    def install(name: str, version: str) -> dict[str, str]:
        told = site / f"{name}-{version}.dist-info"
        told.mkdir()
        (told / "METADATA").write_text(f"Name: {name}\nVersion: {version}\n")
        return arrange(bench.request("Right"), home, 60.0).here.distributions

    found = install("unrelated", "1.0")
    used = Imported(distributions={"typing-extensions": found["typing-extensions"]})
    record = Record("one", "right", "cpu", "supported", "compare")
    with contextlib.closing(cache.Cache(home / "cache.sqlite")) as kept:
        kept.put("key", Measured(record, imported=used))
        assert kept.known(["key"], Now(found)) == {"key"}
        assert kept.known(["key"], Now(install("another", "1.0"))) == {"key"}
        assert kept.known(["key"], Now(install("typing_extensions", "0.0.1"))) == set()


def test_the_versions_of_distributions_are_those_that_they_say_themselves():
    found = installed_distributions()
    for name in ("torch", "numpy", "typing-extensions", "pyyaml"):
        assert found[name] == metadata.version(name)


def test_what_a_distribution_carries_along_belongs_to_it(monkeypatch):
    # setuptools does so with packaging, and puts the folder on the path when it is imported.
    carried = types.ModuleType("packaging")
    carried.__file__ = str(metadata.distribution("numpy").locate_file("numpy/_vendor/packaging.py"))
    monkeypatch.setattr(imported, "_seen", set(sys.modules) - {"packaging"})
    monkeypatch.setattr(imported, "_distributions", {})
    monkeypatch.setitem(sys.modules, "packaging", carried)
    assert imported.imported().distributions == {"numpy": metadata.version("numpy")}


# What becomes of the file


def entries(bench: Bench, statement: str = "SELECT key FROM results") -> list:
    with contextlib.closing(sqlite3.connect(bench.home / "cache.sqlite")) as db, db:
        return db.execute(statement).fetchall()


DAMAGE = (
    "record = replace(record, 'supported', 'refused')",
    "record = substr(record, 1, 100)",
    "confirmed = 1",
    "digest = NULL",
)


def test_an_entry_that_is_not_as_it_was_written_is_measured_again(bench: Bench):
    for i in range(len(DAMAGE)):
        bench.case(f"damaged_{i}", i)
    bench.run("Right")
    for i, damage in enumerate(DAMAGE):
        entries(bench, f"UPDATE results SET {damage} WHERE record LIKE '%damaged_{i}%'")
    found = bench.run("Right", retry=False).briefs
    assert {b.outcome for b in found} == {"supported"}
    assert {b.case for b in found if b.cached} == {"one"}
    assert bench.log.notes == [
        f"4 results in the cache {bench.home}/cache.sqlite were damaged and are measured again"
    ]
    assert examined(bench) == 0
    assert bench.log.notes == []


@pytest.mark.parametrize("damage", ["DELETE FROM imports", "UPDATE imports SET text = '{}'"])
def test_where_it_is_not_known_what_was_imported_it_is_measured_again(bench: Bench, damage):
    bench.run("Right")
    entries(bench, damage)
    assert outcome(bench, "Right") == ("supported", False)
    assert outcome(bench, "Right") == ("supported", True)


@pytest.mark.parametrize(
    "content", [b"this is no database" * 100, b"SQLite format 3\0" + b"x" * 9000]
)
def test_a_file_that_is_no_database_is_set_aside_and_begun_anew(bench: Bench, content):
    bench.home.mkdir()
    (bench.home / "cache.sqlite").write_bytes(content)
    assert outcome(bench, "Right") == ("supported", False)
    (note,) = bench.log.notes
    assert "was damaged; a new one was begun" in note
    assert (bench.home / "cache.damaged").read_bytes() == content
    assert outcome(bench, "Right") == ("supported", True)


@pytest.mark.parametrize(
    "change",
    [
        "DROP TABLE verdicts",
        "ALTER TABLE verdicts RENAME TO others",
        "ALTER TABLE results RENAME COLUMN digest TO sum",
    ],
)
def test_a_file_that_lacks_what_was_made_in_it_is_begun_anew(bench: Bench, change):
    bench.run("Right")
    entries(bench, change)
    bench.run("Right")
    (note,) = bench.log.notes
    assert "was damaged; a new one was begun" in note
    assert outcome(bench, "Right") == ("supported", True)


def test_a_cache_that_cannot_be_used_says_why_and_what_to_do(bench: Bench):
    (bench.home / "cache.sqlite").mkdir(parents=True)
    with pytest.raises(RunnerError, match=r"unable to open.*; delete it or choose another --home"):
        bench.run("Right")


def test_a_file_that_is_damaged_inside_is_set_aside_while_the_run_goes_on(bench: Bench):
    for i in range(30):
        bench.case(f"more_{i}", i)
    bench.run("Right")
    path = bench.home / "cache.sqlite"
    raw = bytearray(path.read_bytes())
    raw[3 * 4096 :] = bytes(len(raw) - 3 * 4096)  # the tables are there, what they hold is not
    path.write_bytes(raw)
    assert {b.outcome for b in bench.run("Right").briefs} == {"supported"}
    assert any("a new one was begun" in note for note in bench.log.notes)
    assert examined(bench) == 0


def test_what_an_older_version_kept_is_forgotten(bench: Bench):
    bench.home.mkdir()
    entries(bench, "CREATE TABLE results (key TEXT PRIMARY KEY, record TEXT)")
    entries(bench, "PRAGMA user_version=1")
    assert outcome(bench, "Right") == ("supported", False)
    assert outcome(bench, "Right") == ("supported", True)
    assert bench.log.notes == []


def test_what_is_too_old_is_forgotten_at_the_end_of_a_run(bench: Bench):
    bench.run("Right", "Wrong", retry=False)
    entries(bench, f"UPDATE results SET made = made - {cache.MAX_AGE} WHERE record LIKE '%wrong%'")
    bench.run("Right")
    assert len(entries(bench)) == 1


def test_of_what_is_too_much_the_oldest_is_forgotten_and_the_file_shrinks(bench, monkeypatch):
    for i in range(15):
        bench.case(f"more_{i}", i)
    bench.run("Wordy")
    for i in range(15):
        entries(
            bench,
            f"UPDATE results SET made = made - 10000 + {100 * i} WHERE record LIKE '%more_{i}\"%'",
        )
    size = (bench.home / "cache.sqlite").stat().st_size
    monkeypatch.setattr(cache, "MAX_SIZE", size // 2)
    bench.run("Right")
    kept = [
        r for (text,) in entries(bench, "SELECT record FROM results") if (r := json.loads(text))
    ]
    assert len([r for r in kept if r["exporter"] == "right"]) == 16
    old = [r["case"].removeprefix("more_") for r in kept if r["exporter"] == "wordy"]
    assert "one" in old
    assert 1 < len(old) < 16
    assert {int(i) for i in old if i != "one"} == set(range(16 - len(old), 15))
    assert (bench.home / "cache.sqlite").stat().st_size <= size // 2 + 65536


# The verdict is looked up again where what is expected has changed


def test_what_is_expected_is_read_again_when_it_changes(bench: Bench):
    bench.expect("right", outcome="supported")
    assert [b.verdict for b in bench.run("Right", retry=False).briefs] == ["expected"]
    assert [b.verdict for b in bench.run("Right", retry=False).briefs] == ["expected"]
    bench.expect("right", outcome="refused", phase="capture")
    (found,) = bench.run("Right", retry=False).briefs
    assert (found.cached, found.expected, found.verdict) == (True, "refused", "improved")
    own = bench.home / "own"
    own.mkdir()
    (own / "one.yaml").write_text("right: {outcome: supported}\n")
    mine = bench.request("Right", expectations=own)
    assert [b.verdict for b in bench.run(request=mine, retry=False).briefs] == ["expected"]


def test_what_is_expected_is_not_read_where_nothing_changed(bench: Bench, monkeypatch):
    bench.expect("right", outcome="supported")
    bench.run("Right")
    bench.run("Right")
    monkeypatch.setattr("exportdb.records.expectation_files._read_part", None)
    assert [b.verdict for b in bench.run("Right").briefs] == ["expected"]


# What a result depends on


def only(bench: Bench) -> Examination:
    """The one examination there is."""
    (found,) = examinations(bench.request("Right"))
    return found


def key(bench: Bench, spec: str = "Right", device: str = "cpu", **changes) -> str:
    """The key of the one examination there is."""
    memory_mb = changes.pop("memory_mb", 4096)
    (examination,) = examinations(bench.request(spec, device=device))
    declarations = declarations_of([examination.exporter, examination.device])
    packages = [p for d in declarations.values() for p in d.packages]
    keys = cache.CacheKeys(environment.environment(packages), declarations, memory_mb)
    return keys.key(dataclasses.replace(examination, **changes))


def edit(bench: Bench, old: str, new: str) -> None:
    text = bench.exporters.read_text()
    assert old in text
    bench.exporters.write_text(text.replace(old, new))


def versions(monkeypatch, name: str) -> None:
    real = environment.installed_version
    monkeypatch.setattr(
        environment, "installed_version", lambda n: "0.0.1" if n == name else real(n)
    )


def test_the_same_has_the_same_key(bench: Bench):
    assert key(bench) == key(bench)


CHANGES: dict[str, Callable[[Bench, pytest.MonkeyPatch], object]] = {
    "the case": lambda b, m: b.case("one", 2),
    "the source of the exporter": lambda b, m: edit(b, "import os", "import os  # edited"),
    "torch": lambda b, m: versions(m, "torch"),
    "numpy": lambda b, m: versions(m, "numpy"),
    "python": lambda b, m: m.setattr("platform.python_version", lambda: "3.99.0"),
    "the machine": lambda b, m: m.setattr("platform.machine", lambda: "abacus"),
    "exportdb's own engine": lambda b, m: m.setattr(cache, "engine_digest", lambda: "0" * 16),
}


@pytest.mark.parametrize("what", CHANGES)
def test_a_change_of_this_changes_the_key(bench: Bench, monkeypatch, what):
    before = key(bench)
    CHANGES[what](bench, monkeypatch)
    assert key(bench) != before


def test_options_memory_device_and_exporter_are_in_the_key(bench: Bench):
    keys = {
        key(bench),
        key(bench, options=Options(seed=1)),
        key(bench, options=Options(switches=("deterministic",))),
        key(bench, program=CaseProgram(only(bench).program.case, "other")),
        key(bench, memory_mb=None),
        key(bench, device="meta"),
        key(bench, "Wrong"),
        key(bench, "export"),
        key(bench, "export-strict"),
    }
    assert len(keys) == 9


def test_packages_are_in_the_keys_of_the_exporters_that_name_them(bench: Bench, monkeypatch):
    edit(bench, 'name = "wrong"', 'name = "wrong"; packages = ["pytest"]')
    before = key(bench, "Right"), key(bench, "Wrong")
    versions(monkeypatch, "pytest")
    after = key(bench, "Right"), key(bench, "Wrong")
    assert after[0] == before[0]
    assert after[1] != before[1]
