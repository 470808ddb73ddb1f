"""What a terminal shows while a run works."""

from __future__ import annotations

import io
import re
import sys

import pytest

from exportdb.cli.progress import RunProgress
from exportdb.records.record import Record


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_before_the_size_of_a_run_is_known_the_bar_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with RunProgress() as progress:
        progress._bar.refresh()
        before = sys.stderr.getvalue()
        progress.planned(7, 0)
        progress._bar.refresh()
    assert "0/?" in before and "None" not in before
    assert "0/7" in sys.stderr.getvalue()


@pytest.mark.parametrize("fails", ["start", "stop"])
def test_a_bar_that_fails_ends_no_run(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str], fails: str
) -> None:
    def broken(bar: object) -> None:
        raise RuntimeError("no such terminal")

    monkeypatch.setattr(sys.stderr, "isatty", lambda: True)
    monkeypatch.setattr("rich.progress.Progress." + fails, broken)
    with RunProgress() as progress:
        progress.planned(7, 0)
    if fails == "start":
        said = capsys.readouterr().err.splitlines()
        assert said == ["no progress bar: RuntimeError: no such terminal", "examining: 7 results"]


def test_a_line_names_what_fails(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr("exportdb.cli.progress._EVERY", 0.0)
    results = [("supported", "expected"), ("error", "regressed"), ("error", "new")]
    results += [("wrong", "regressed"), ("wrong", "new")]
    with RunProgress() as progress:
        progress.planned(42, 0)
        for outcome, verdict in results:
            progress.finished(Record("t/a", "mine", "cpu", outcome, "compare", verdict=verdict))
    said = capsys.readouterr().err.splitlines()
    assert said[1] == "1/42"
    assert said[2] == "2/42, 1 error"
    assert said[-1] == "5/42, 2 errors, 1 surprise"


@pytest.mark.parametrize("width", [24, 40, 79, 200])
def test_a_terminal_of_any_width_keeps_the_counter(
    monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setenv("COLUMNS", str(width))
    wrong = Record("topic/" + "long_name_" * 9, "mine", "cpu", "wrong", "run", verdict="regressed")
    with RunProgress() as progress:
        progress.planned(1042, 0)
        progress.finished(wrong)
        progress._bar.refresh()
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", sys.stderr.getvalue())
    last = [line for line in re.split(r"[\r\n]", drawn) if "1/1042" in line][-1]
    assert len(last) <= width
    assert ("1 surprise" in last) == (width >= 40)
