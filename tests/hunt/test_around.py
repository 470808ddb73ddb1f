"""What a hunt is asked to make programs around: elements, and operators by any name."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.hunt.around import NotKnown, around


def test_elements_are_known_without_a_child(tmp_path: Path) -> None:
    assert around(["higher-order", "items"], tmp_path) == ("higher-order", "items")
    assert not list(tmp_path.iterdir())


def test_operators_stand_for_what_a_program_calls(tmp_path: Path) -> None:
    found = around(["aten.gelu", "state", "argmax", "torch.argmax"], tmp_path)
    assert found == ("state", "torch.nn.functional.gelu", "torch.argmax")


def test_a_word_that_is_neither_comes_with_those_near_it(tmp_path: Path) -> None:
    with pytest.raises(NotKnown, match=r"higher_order is neither .*; near it: higher-order"):
        around(["state", "higher_order"], tmp_path)
