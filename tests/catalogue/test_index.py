"""What was read of case files is kept, and holds only while they are as they were."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from exportdb.cases import database, frontmatter
from exportdb.cases.case import Case, CaseError

TEXT = '"""\ntitle: {title}\ndescription: A case of the tests.\n"""\nimport torch\n'
LONG_AGO = 10**18


@pytest.fixture
def tree(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A tree of one case that was written long ago, and a cache of its own."""
    monkeypatch.setenv("XDG_CACHE_HOME", str(tmp_path / "cache"))
    folder = tmp_path / "tree"
    folder.mkdir()
    write(folder, "first", LONG_AGO)
    return folder


def write(tree: Path, title: str, time: int) -> None:
    path = tree / "one.py"
    path.write_text(TEXT.format(title=title))
    os.utime(path, ns=(time, time))


def read(tree: Path) -> Case:
    return database.load([tree], builtin=False).cases["one"]


@pytest.fixture
def parsed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """The IDs of cases whose files are parsed."""
    seen: list[str] = []
    parse = frontmatter.parse_case

    def noted(case_id: str, path: Path, source: str) -> Case:
        seen.append(case_id)
        return parse(case_id, path, source)

    monkeypatch.setattr(frontmatter, "parse_case", noted)
    return seen


def test_a_file_is_parsed_once_and_the_case_stays_the_same(tree: Path, parsed: list[str]) -> None:
    first = read(tree)
    assert read(tree) == first
    assert parsed == ["one"]


def test_a_file_that_changed_is_parsed_again(tree: Path, parsed: list[str]) -> None:
    read(tree)
    write(tree, "other", LONG_AGO + 1)  # as long as before
    assert read(tree).meta.title == "other"
    assert parsed == ["one", "one"]


def test_a_file_that_was_just_written_is_not_kept_for_it_may_change_within_its_time(
    tree: Path, parsed: list[str]
) -> None:
    (tree / "one.py").touch()
    read(tree)
    read(tree)
    assert parsed == ["one", "one"]


def test_a_file_that_cannot_be_read_complains_each_time(tree: Path) -> None:
    (tree / "one.py").write_text("import torch\n")
    os.utime(tree / "one.py", ns=(LONG_AGO, LONG_AGO))
    for _ in range(2):
        assert isinstance(database.load([tree], builtin=False).broken["one"], CaseError)


@pytest.mark.parametrize("harm", [b"", b"\xc1 no msgpack", b"\x81\xa1x\x91\x01"])
def test_a_damaged_index_is_made_anew(tree: Path, parsed: list[str], harm: bytes) -> None:
    read(tree)
    (file,) = (tree.parent / "cache").rglob("*.msgpack")
    file.write_bytes(harm)
    assert read(tree).meta.title == "first"
    read(tree)
    assert parsed == ["one", "one"]


def test_an_index_that_cannot_be_written_is_done_without(
    tree: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tree.parent / "file").touch()
    monkeypatch.setenv("XDG_CACHE_HOME", str(tree.parent / "file"))
    assert read(tree).meta.title == "first"
