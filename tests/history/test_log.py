"""``exportdb log`` tells every change of a case once, and of versions only what was measured."""

from __future__ import annotations

import json

import pytest

from exportdb.store.history.lines import Measurement
from exportdb.store.history.since import by_version, since

CASE = "t/a"


def lines(exportdb, *words: str) -> list[tuple[str, str, str, int]]:
    done = exportdb("log", CASE, "--json", *words)
    assert done.returncode == 0, done.stderr
    return [
        (line["torch"], line["outcome"], line["date"][:10], line["count"])
        for line in json.loads(done.stdout)["lines"]
    ]


def test_it_tells_changes_by_version_and_date(exportdb, night):
    for day, outcome in enumerate(("refused", "refused", "supported", "supported", "refused"), 1):
        night(day, {CASE: outcome, "t/other": "wrong"})
    night(6, {CASE: "wrong"}, torch="2.11.0")
    assert lines(exportdb) == [
        ("2.11.0", "wrong", "2026-11-06", 1),
        ("2.13.0", "refused", "2026-11-01", 2),
        ("2.13.0", "supported", "2026-11-03", 2),
        ("2.13.0", "refused", "2026-11-05", 1),
    ]
    assert len(lines(exportdb, "--all")) == 6
    shown = exportdb("log", CASE).stdout
    assert [line.split()[-3:] for line in shown.splitlines() if "✔ supported" in line] == [
        ["2026-11-03", "2026-11-04", "2"]
    ]


def test_it_takes_exporters_and_devices(exportdb, night):
    night(1, {CASE: "refused", (CASE, "make-fx"): "supported"})
    assert [line[1] for line in lines(exportdb, "--exporter", "make-fx")] == ["supported"]
    assert exportdb("log", CASE, "--device", "cuda").returncode == 2


def test_a_case_that_was_never_measured_is_told(exportdb):
    done = exportdb("log", "no/such_case")
    assert done.returncode == 2
    assert "'no/such_case' was never measured" in done.stderr


def test_what_expectations_confirm_counts_as_measured_without_a_date(exportdb):
    """Of a case of the database whose expectations name several versions of torch."""
    done = exportdb(
        "log", "top_k/int_argument", "--exporter", "export", "--device", "cpu", "--json"
    )
    data = json.loads(done.stdout)
    assert {line["outcome"] for line in data["lines"]} == {"specialized"}
    assert {line["date"] for line in data["lines"]} == {""}
    (level,) = data["since"]
    assert level["versions"] == [line["torch"] for line in data["lines"]]
    assert (level["level"], level["before"], level["exact"]) == ("partial", None, False)


def test_a_run_is_told_in_place_of_the_expectation_of_its_version(exportdb, night):
    case = "top_k/int_argument"
    night(3, {case: "wrong"}, torch="2.13.0")
    words = ("log", case, "--exporter", "export", "--device", "cpu", "--json")
    data = json.loads(exportdb(*words).stdout)
    told = {line["torch"]: line["outcome"] for line in data["lines"]}
    assert told["2.13.0"] == "wrong" and "2.13" not in told
    assert told["2.12"] == "specialized"
    assert [s["level"] for s in data["since"]] == ["partial", "wrong", "partial"]


# --- since -------------------------------------------------------------------------------------


def at(torch: str, outcome: str, date: str = "2026-01-01") -> Measurement:
    return Measurement("cases", CASE, "export", "cpu", torch, (), outcome, date=date)


@pytest.mark.parametrize(
    ("measured", "told"),
    [
        ({"2.12": "refused", "2.13": "supported"},
         ["refused since 2.12 or earlier", "supported since 2.13"]),
        ({"2.11": "refused", "2.14": "supported"},
         ["refused since 2.11 or earlier", "supported since one of 2.12, 2.13, 2.14"]),
        ({"2.9": "supported", "2.11": "lossy"},
         ["supported since 2.9 or earlier", "partial since one of 2.10, 2.11"]),
        ({"2.11": "supported", "2.14": "supported"},
         ["supported since 2.11 or earlier (2.12, 2.13 not measured)"]),
        ({"2.12": "refused", "2.13": "supported", "2.14": "refused"},
         ["refused since 2.12 or earlier", "supported since 2.13", "refused since 2.14"]),
        ({"2.12": "refused", "2.13": "error"}, ["refused since 2.12 or earlier"]),
        ({"1.13": "refused", "2.0": "supported"},
         ["refused since 1.13 or earlier", "supported since 2.0"]),
    ],
)  # fmt: skip
def test_levels_begin_where_that_was_measured_and_gaps_stay_unknown(measured, told):
    found = since(by_version(at(torch, outcome) for torch, outcome in measured.items()))
    assert list(map(str, found)) == told


def test_the_newest_measurement_of_a_version_counts():
    runs = [at("2.13.1", "supported", "2026-02-01"), at("2.13.0", "refused", "2026-01-01")]
    assert by_version(runs) == {"2.13": "supported"}


def test_another_version_of_the_exporter_has_a_line_of_its_own_that_says_which(exportdb, night):
    for day, version, torch in ((1, "1.18", "2.12.0"), (2, "1.18", "2.13.0"), (3, "1.20", "2.13.0"),
                                (4, "1.20", "2.14.0")):  # fmt: skip
        night(day, {CASE: "supported"}, torch=torch, exporter_version=version)
    shown = [line.split() for line in exportdb("log", CASE).stdout.splitlines() if "✔" in line]
    assert [tuple(words[2:4]) for words in shown] == [
        ("1.18", "2.12.0"), ("1.18", "2.13.0"), ("1.20", "2.13.0,"),
    ]  # fmt: skip
