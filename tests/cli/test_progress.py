"""What a terminal shows while a run works."""

from __future__ import annotations

import io
import sys

import pytest

from exportdb.cli.progress import Progress


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


def test_before_the_size_of_a_run_is_known_the_bar_says_so(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(sys, "stderr", Terminal())
    monkeypatch.setenv("TERM", "xterm")
    with Progress() as progress:
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
    with Progress() as progress:
        progress.planned(7, 0)
    if fails == "start":
        said = capsys.readouterr().err.splitlines()
        assert said == ["no progress bar: RuntimeError: no such terminal", "examining: 7 results"]
