"""What becomes of a run's records when it is not the exporter that fails."""

from __future__ import annotations

import json
import os
import subprocess
import sys

import pytest

from exportdb.executors.protocol import Ending, Failure
from exportdb.runner import run as runner
from exportdb.runner.attempt import measured_of
from exportdb.runner.plan import examinations
from tests.runner.conftest import Bench, Log, bench

__all__ = ["bench"]


class Broken(Log):
    """A display that cannot show anything."""

    def started(self, *what):
        raise TypeError("no display")

    planned = finished = started


def test_an_error_of_the_display_ends_nothing_and_blames_nobody(bench: Bench):
    bench.case("two", 2)
    settings = runner.Settings(home=bench.home)
    with pytest.warns(RuntimeWarning, match="TypeError: no display; the run goes on"):
        run = runner.run(bench.request("Right"), settings, Broken())
    assert {r.case: r.outcome for r in run.briefs} == {"one": "supported", "two": "supported"}


def test_what_never_began_is_no_crash_of_the_exporter(bench: Bench):
    (examination,) = examinations(bench.request("Right"))
    failure = Failure("not-started", "PicklingError", "its arguments cannot be sent")
    record = measured_of(examination, Ending(None, None, failure, 0.0)).record
    assert (record.outcome, record.phase) == ("error", "setup")
    assert "cannot be sent" in record.error.message


def test_a_time_limit_that_is_given_counts_as_the_default_does(bench: Bench):
    """An exporter that may take longer may do so under either."""
    hangs = bench.exporters.read_text().replace('"hangs"', '"hangs"\n    timeout_factor = 2.5')
    bench.exporters.write_text(hangs)
    case, hangs = str(bench.tree / "one.py"), f"{bench.exporters}:Hangs"
    done = subprocess.run(
        [sys.executable, "-m", "exportdb", "run", case, "--exporter", hangs, "--timeout", "0.2",
         "--json"],
        env={**os.environ, "EXPORTDB_HOME": str(bench.home)}, capture_output=True, text=True,
        check=False,
    )  # fmt: skip
    record = json.loads(done.stdout.splitlines()[1])
    assert "did not finish within 0.5 s" in record["error"]["message"]
