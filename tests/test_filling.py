"""Paragraphs fit the terminal that they are printed on."""

from __future__ import annotations

import io
import sys

import pytest

from exportdb.filling import lines

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
