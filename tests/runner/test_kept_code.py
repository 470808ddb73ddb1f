"""Compiled code that a killed linker left half written is not loaded by the next run."""

from __future__ import annotations

import os
import time
from pathlib import Path

import pytest
import torch

from exportdb.runner.kept_code import INDUCTOR, LINKS, drop_cut_libraries, is_cut

LIBRARY = next(path.read_bytes() for path in Path(torch.__file__).parent.glob("_C.*.so"))
LONG_AGO = time.time() - 60


@pytest.fixture
def written(tmp_path, monkeypatch):
    """A library with this content in a folder like Inductor's, written long ago."""
    monkeypatch.setenv(INDUCTOR, str(tmp_path))

    def write(content, name="ab/one.main.so"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_bytes(content)
        os.utime(path, (LONG_AGO, LONG_AGO))
        return path

    return write


@pytest.mark.parametrize("kept", [0, 3, 40, 64, len(LIBRARY) // 2])
def test_a_library_that_ends_too_early_is_removed(written, kept):
    cut, whole = written(LIBRARY[:kept]), written(LIBRARY, "cd/deeper/two.so")
    drop_cut_libraries()
    assert not cut.exists()
    assert whole.read_bytes() == LIBRARY


def test_one_whose_head_was_not_written_yet_is_cut(written):
    assert is_cut(written(bytes(4096)))


def test_other_formats_and_other_files_are_left_alone(written):
    mach = written(b"\xcf\xfa\xed\xfe" + bytes(range(200)))
    text = written(b"", "ab/one.main.cpp")
    drop_cut_libraries()
    assert mach.exists()
    assert text.exists()


def test_what_a_linker_is_writing_now_is_waited_for(written, monkeypatch):
    library = written(LIBRARY[:100])
    os.utime(library)
    slept = []

    def sleeps(seconds):
        slept.append(seconds)
        library.write_bytes(LIBRARY)

    monkeypatch.setattr(time, "sleep", sleeps)
    drop_cut_libraries()
    assert library.read_bytes() == LIBRARY
    assert sum(slept) < LINKS


def test_a_folder_that_is_not_there_has_none(tmp_path, monkeypatch):
    monkeypatch.setenv(INDUCTOR, str(tmp_path / "none"))
    drop_cut_libraries()
