"""``exportdb status`` counts what a night measured and what changed, in every form alike."""

from __future__ import annotations

import json
import re
from xml.etree import ElementTree

import jsonschema
import pytest
from prometheus_client.parser import text_string_to_metric_families

from exportdb.cases import database
from exportdb.store.score import newest_list, scores

NIGHT = {"t/a": "supported", "t/b": "refused", "t/c": "wrong", ("t/a", "make-fx"): "lossy"}


def status(exportdb, *words: str) -> dict:
    done = exportdb("status", "--format", "json", *words)
    assert done.returncode == 0, done.stderr
    return json.loads(done.stdout)


def row(data: dict, exporter: str = "export") -> dict:
    return next(r for r in data["rows"] if r["exporter"] == exporter)


def changes(data: dict, name: str) -> list[tuple[str, str, str]]:
    return [(c["case"], c["before"], c["after"]) for c in data[name]]


def test_it_counts_levels_dims_guards_and_seconds(exportdb, night):
    night(1, NIGHT)
    data = status(exportdb)
    export = row(data)
    assert export["levels"] == {"supported": 1, "refused": 1, "wrong": 1}
    assert (export["dims_asked"], export["dims_kept"]) == (6, 4)
    assert (export["guards_mean"], export["guards_max"]) == (3, 3)
    assert (export["capture_mean"], export["capture_max"]) == (0.25, 0.25)
    assert (export["first_result_mean"], export["first_result_max"]) == (0.375, 0.375)
    assert export["since_last"] is None and data["last"] is None
    assert row(data, "make-fx")["levels"] == {"partial": 1}


def test_changes_are_against_the_last_run_and_the_last_week(exportdb, night):
    night(1, {**NIGHT, "t/b": "supported", "t/c": "refused"})
    night(8, {**NIGHT, "t/b": "wrong"})
    night(9, {**NIGHT, "t/d": "supported"})
    data = status(exportdb)
    assert data["last"]["date"][:10] == "2026-11-08" and data["week"]["date"][:10] == "2026-11-01"
    assert row(data)["since_last"] == {"refused": 1, "wrong": -1}  # a new case has not improved
    assert row(data)["since_week"] == {"supported": -1, "wrong": 1}
    assert changes(data, "newly_fixed") == [("t/b", "wrong", "refused")]
    assert changes(data, "newly_failing") == []


def test_what_a_night_has_not_measured_is_counted_and_no_change(exportdb, night):
    night(1, NIGHT)
    night(2, {"t/a": "supported"})
    data = status(exportdb)
    assert data["unmeasured"] == len(NIGHT) - 1 and not data["newly_failing"]
    told = f"{len(NIGHT) - 1} results of the last run not measured now"
    assert told in exportdb("status").stdout
    assert told in exportdb("status", "--format", "markdown").stdout


def test_shards_of_a_night_are_one_measurement(exportdb, night):
    night(1, NIGHT)
    night(2, {"t/a": "supported", "t/b": "supported"})
    night(2, {"t/c": "refused", ("t/a", "make-fx"): "supported"}, hour=5)
    data = status(exportdb)
    assert len(data["now"]["runs"]) == 2
    assert row(data)["levels"] == {"supported": 2, "refused": 1}
    assert len(data["newly_fixed"]) == 3


def test_versions_of_torch_are_told_apart(exportdb, night):
    night(1, {"t/a": "supported"}, torch="2.13.0")
    night(2, {"t/a": "wrong"}, torch="2.11.0")
    night(3, {"t/a": "supported"}, torch="2.13.1")
    data = status(exportdb)
    assert (data["torch"], data["newly_fixed"], data["last"]["date"][:10]) == (
        "2.13",
        [],
        "2026-11-01",
    )
    assert row(status(exportdb, "--torch", "2.11"))["levels"] == {"wrong": 1}
    assert exportdb("status", "--torch", "2.9").returncode == 2


def test_an_alert_exits_1_and_says_what_came_out_worse(exportdb, night):
    night(1, NIGHT)
    assert exportdb("status", "--alert").returncode == 0
    night(2, {**NIGHT, "t/a": "wrong"})
    done = exportdb("status", "--alert")
    assert done.returncode == 1
    assert "alert: t/a · export · cpu: supported -> wrong" in done.stderr
    assert "next: exportdb log t/a --exporter export" in done.stdout
    night(3, {**NIGHT, "t/a": "wrong"})
    assert exportdb("status", "--alert").returncode == 0


def test_flaky_results_are_listed(exportdb, night):
    night(1, {"t/a": "supported"}, verdict="flaky")
    data = status(exportdb)
    assert changes(data, "flaky") == [("t/a", None, "supported")]
    night(2, {"t/a": "supported"}, verdict="flaky")
    assert "t/a · export · cpu: supported\n" in exportdb("status").stdout


def test_waivers_that_are_over_come_first_and_alert(exportdb, night, tmp_path):
    night(1, {"top_k/int_argument": "specialized"})
    own = tmp_path / "known" / "top_k"
    own.mkdir(parents=True)
    (own / "int_argument.yaml").write_text(
        "export: {outcome: wrong, issue: pytorch#1, until: torch 2.14, measured: [2.13/cpu]}\n"
        "make-fx: {outcome: wrong, issue: pytorch#2, until: torch 2.12, measured: [2.13/cpu]}\n"
    )
    done = exportdb("status", "--format", "json", "--expectations", "known", "--alert")
    assert [(w["reason"], w["ended"]) for w in json.loads(done.stdout)["waivers"]] == [
        ("pytorch#2", True), ("pytorch#1", False),
    ]  # fmt: skip
    assert done.returncode == 1
    assert "the waiver pytorch#2 ended torch 2.12" in done.stderr
    feed, metrics = (
        exportdb("status", "--format", form, "--expectations", "known").stdout
        for form in ("atom", "prometheus")
    )
    assert "waiver: top_k/int_argument · make-fx: the waiver pytorch#2 ended torch 2.12" in feed
    assert feed.count("<title>waiver: ") == 1
    assert 'exportdb_waivers{torch="2.13"} 2' in metrics
    assert 'exportdb_waivers_ended{torch="2.13"} 1' in metrics


def test_without_a_run_it_says_how_to_begin(exportdb):
    done = exportdb("status")
    assert done.returncode == 2
    assert "begin with exportdb run" in done.stderr


# --- forms -------------------------------------------------------------------------------------


@pytest.fixture
def worse(exportdb, night):
    """A status with a change for the better, one for the worse, and a name full of markup."""
    hostile = "t/<b>|`x`_"
    night(1, {**NIGHT, hostile: "supported"})
    night(9, {**NIGHT, "t/b": "supported", hostile: "wrong"})
    return exportdb


def test_the_json_is_what_the_schema_says(worse):
    assert json.loads(worse("status", "--json").stdout) == status(worse)
    schema = json.loads(worse("schema", "status").stdout)
    jsonschema.Draft202012Validator.check_schema(schema)
    jsonschema.validate(status(worse), schema)


def test_markdown_has_the_changes_and_no_foreign_markup(worse):
    text = worse("status", "--format", "markdown").stdout
    assert "| cases | export | 2 | . | . (-1) \\[-1\\] | 2 (+1) \\[+1\\] |" in text
    assert "- t/b · export · cpu: refused -\\> supported" in text
    assert "t/\\<b\\>\\|\\`x\\`\\_" in text and "<b>" not in text.replace("\\<b\\>", "")


def test_the_feed_has_an_entry_for_each_change_that_stays_the_same(worse):
    feeds = [ElementTree.fromstring(worse("status", "--format", "atom").stdout) for _ in "ab"]
    atom = "{http://www.w3.org/2005/Atom}"
    titles = [e.findtext(f"{atom}title") for e in feeds[0].iter(f"{atom}entry")]
    assert titles == [
        "failing: t/<b>|`x`_ · export · cpu: supported -> wrong",
        "fixed: t/b · export · cpu: refused -> supported",
    ]
    ids = [[e.findtext(f"{atom}id") for e in feed.iter(f"{atom}entry")] for feed in feeds]
    assert ids[0] == ids[1] and len(set(ids[0])) == 2
    for name in ("id", "title", "updated"):
        assert feeds[0].findtext(f"{atom}{name}")


def test_prometheus_can_read_the_metrics(worse):
    text = worse("status", "--format", "prometheus").stdout
    families = list(text_string_to_metric_families(text))
    values = {(s.name, *sorted(s.labels.items())): s.value for f in families for s in f.samples}
    at = {"torch": "2.13", "suite": "cases", "exporter": "export", "device": "cpu"}

    def value(name: str, **labels: str) -> float:
        return values[name, *sorted(labels.items())]

    assert value("exportdb_programs", **at, level="supported") == 2
    assert value("exportdb_newly_failing", torch="2.13") == 1
    assert value("exportdb_guards_max", **at) == 3
    assert len(values) == sum(len(f.samples) for f in families), "a sample is given twice"
    assert all(f.type == "gauge" and f.documentation for f in families)


def test_names_full_of_signs_come_through_the_feed_and_the_metrics(exportdb, night):
    hostile = 't/"quoted" \\ <b>\n\x01é|'
    night(1, {hostile: "supported", ("t/a", hostile): "supported"})
    night(2, {hostile: "wrong", ("t/a", hostile): "wrong"})
    feed = ElementTree.fromstring(exportdb("status", "--format", "atom").stdout)
    atom = "{http://www.w3.org/2005/Atom}"
    titles = [e.findtext(f"{atom}title") for e in feed.iter(f"{atom}entry")]
    assert any('t/"quoted" \\ <b>\n\ufffdé|' in title for title in titles)
    ids = [e.text for e in feed.iter(f"{atom}id")]
    assert len(set(ids)) == 3 and all(re.fullmatch(r"tag:[\w:/.,%~-]+", id) for id in ids)
    text = exportdb("status", "--format", "prometheus").stdout
    samples = [s for f in text_string_to_metric_families(text) for s in f.samples]
    assert hostile in {s.labels.get("exporter") for s in samples}


def test_a_program_is_named_with_its_suite_in_every_list(exportdb, night):
    night(1, {"t/a": "supported"}, suite="ops")
    night(2, {"t/a": "wrong"}, suite="ops")
    found = status(exportdb)
    assert [s["suite"] for s in found["slowest"]] == ["ops"]
    text = exportdb("status").stdout
    assert "ops:t/a · export · cpu: supported -> wrong" in text
    assert re.search(r"ops:t/a · export · cpu: [\d.]+ s", text)


def test_the_terminal_has_counts_with_their_changes(worse):
    text = worse("status").stdout
    assert "newly failing (1):" in text and "newly fixed (1):" in text
    (line,) = [line for line in text.splitlines() if line.startswith("cases  export ")]
    assert "1 (-1)" not in line and "2 (+1)" in line and ". (-1)" in line
    assert "0.25 max 0.25" in line  # a maximum that is rounded down would be less than the mean


# --- the score ---------------------------------------------------------------------------------


def test_areas_weigh_the_same_and_what_was_not_compared_is_no_pass():
    listed = ["big/1", "big/2", "big/3", "big/4", "small/1", "gone/1"]
    outcomes = {
        "big/1": "supported", "big/2": "lossy", "big/3": "predicted",  # big/4: never measured
        "small/1": "supported", "gone/1": "unavailable", "other/1": "supported",
    }  # fmt: skip
    (score,) = scores({("export", "cpu"): outcomes}, listed, "0.1")
    assert score.areas["big"].score == 1 / 4
    assert set(score.areas) == {"big", "small"}  # what it declares it cannot do is not applicable
    assert score.score == pytest.approx((1 / 4 + 1) / 2)
    assert score.coverage == pytest.approx(3 / 5)


def test_the_status_has_the_score_over_the_frozen_list(exportdb, night, tmp_path):
    night(1, {"t/a": "supported", "u/b": "refused", "u/c": "supported"})
    (tmp_path / "mine.txt").write_text("# what matters to us\nt/a\nu/b\nu/c\n")
    (score,) = status(exportdb, "--scored", "mine.txt")["scores"]
    assert (score["cases"], score["score"], score["coverage"]) == ("mine", 0.75, 1.0)


def test_the_frozen_list_names_cases_that_are_there():
    tree = database.builtin_tree()
    name, cases = newest_list(tree)
    db = database.load()
    assert name and len(cases) == len(set(cases)) > 700
    assert not [c for c in cases if c not in db.cases]


def test_a_case_that_was_renamed_after_a_list_was_frozen_counts_under_its_new_name(tmp_path):
    (tmp_path / "scored").mkdir()
    (tmp_path / "scored" / "0.1.txt").write_text("t/a\nt/old\nt/merged\n")
    (tmp_path / "redirects.yaml").write_text("t/old: t/new\nt/merged: t/a\n")
    assert newest_list(tmp_path) == ("0.1", ("t/a", "t/new"))


def test_the_newest_list_is_that_of_the_highest_version(tmp_path):
    (tmp_path / "scored").mkdir()
    for name in ("0.2", "0.10", "0.9"):
        (tmp_path / "scored" / f"{name}.txt").write_text("t/a\n")
    assert newest_list(tmp_path)[0] == "0.10"
