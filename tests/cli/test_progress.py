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
