"""Paragraphs and tables fit the terminal that they are printed on."""

from __future__ import annotations

import io
import re
import sys

import pytest

from exportdb.cli import output
from exportdb.prose import lines

TEXT = "torch.export.export takes the module and " * 9 + "exportdb/" * 8


class Terminal(io.StringIO):
    def isatty(self) -> bool:
        return True


@pytest.mark.parametrize(("terminal", "most"), [(40, 40), (60, 60), (200, 96), (None, 96)])
def test_a_line_is_as_wide_as_the_terminal_and_never_wider_than_a_page(
    monkeypatch: pytest.MonkeyPatch, terminal: int | None, most: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(terminal or 40))  # in a pipe it says nothing of the reader
    monkeypatch.setattr(sys, "stdout", Terminal() if terminal else io.StringIO())
    *filled, last = lines(TEXT, indent="  ")
    assert most - 20 < max(map(len, filled)) <= most
    assert last.endswith("exportdb/" * 8)  # a path can be pasted wherever it is shown
    assert all(line.startswith("  ") for line in filled)


HEADER = ("exporter", "captures", "median s", "slowest")
ROW = ("aot-inductor-checked", "1042", "0.31", "operators/resized_by_a_factor, views/flatten")


@pytest.mark.parametrize("columns", [24, 40, 60, 200])
def test_numbers_and_names_of_a_table_stay_whole_on_any_terminal(
    monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    monkeypatch.setenv("TERM", "xterm")
    monkeypatch.setattr(sys, "stdout", terminal := Terminal())
    output.table(HEADER, [ROW, ("mine", "7", "", "t/a")])
    drawn = re.sub(r"\x1b\[[0-9;?]*[A-Za-z]", "", terminal.getvalue())
    for word in (*HEADER[1:], *ROW[:3], "mine", "t/a"):
        assert word in drawn
    as_list = "\n  captures: 1042\n  median s: 0.31\n  slowest: operators/" in drawn
    assert as_list == (columns < 65)
