"""What accepted results were measured with stays known, whoever accepts next."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.cases.case import CaseError
from exportdb.records import surroundings
from exportdb.records.expectation import Point, Where
from exportdb.records.surroundings import Surrounding

NEW = Where("2.13.1+cpu", "cpu", "3.12", "Linux-x86_64")
OLD = Where("2.9.0", "cpu", "3.11", "Linux-x86_64")


def test_a_file_is_read_as_it_was_written(tmp_path: Path) -> None:
    known = surroundings.merged({}, [NEW, OLD, NEW, Where("2.13.0", "cpu", "3.11", "Darwin-arm64")])
    path = tmp_path / surroundings.FILE
    path.write_text(surroundings.render(known))
    assert surroundings.read(path) == known
    assert known[Point("2.13", "cpu")] == (
        Surrounding("2.13.0", "3.11", "Darwin-arm64"), Surrounding("2.13.1", "3.12", "Linux-x86_64")
    )  # fmt: skip
    text = path.read_text()
    assert text.index("2.9/cpu") < text.index("2.13/cpu")  # as versions go, not as texts
    assert surroundings.merged(known, [OLD]) == known


def test_switches_have_a_point_of_their_own_and_what_is_not_known_none() -> None:
    under = Where("2.13.0", "cpu", "3.11", "Linux-x86_64", ("deterministic",))
    assert list(surroundings.merged({}, [under])) == [Point("2.13", "cpu", ("deterministic",))]
    assert surroundings.merged({}, [Where("2.13.0", "cpu")]) == {}


@pytest.mark.parametrize(
    "text", ["somewhere: []\n", "2.13/cpu: [2.13.0]\n", "2.13/cpu: [{torch: 2.13.0}]\n"]
)
def test_a_file_that_says_something_else_is_named_with_its_line(tmp_path: Path, text: str) -> None:
    path = tmp_path / surroundings.FILE
    path.write_text(f"# A comment.\n{text}")
    with pytest.raises(CaseError, match="must be a point"):
        surroundings.read(path)
