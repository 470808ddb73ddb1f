"""What is installed where tasks run is asked there, and not again until that has changed."""

from __future__ import annotations

import os
import platform
from pathlib import Path

import pytest

from exportdb.cases import database
from exportdb.executors.local.forkserver import ForkServer
from exportdb.plugins import DEVICES, EXPORTERS, find
from exportdb.records.environment import Environment
from exportdb.runner.installations import arrange
from exportdb.runner.request import Request


class Plugin:
    """Writes an exporter whose results hang on a distribution."""

    def __init__(self, folder: Path) -> None:
        self.folder = folder
        self.file = folder / "mine.py"
        self.file.write_text(
            "class Mine:\n    name = 'mine'\n    packages = ('exportdb-toy',)\n"
            "    def capture(self, program):\n        return program.module\n"
        )

    def install(self, version: str) -> None:
        for old in self.folder.glob("site/*.dist-info"):
            old.joinpath("METADATA").unlink()
            old.rmdir()
        told = self.folder / "site" / f"exportdb_toy-{version}.dist-info"
        told.mkdir(parents=True)
        told.joinpath("METADATA").write_text(f"Name: exportdb-toy\nVersion: {version}\n")

    def environment(self) -> Environment:
        db = database.load([self.folder / "none"], builtin=False)
        request = Request(
            tuple(db), (find(EXPORTERS, f"{self.file}:Mine"),), (find(DEVICES, "cpu"),)
        )
        return arrange(request, self.folder, 60.0).here.environment


@pytest.fixture
def plugin(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Plugin:
    made = Plugin(tmp_path)
    (tmp_path / "none").mkdir()
    made.install("1.0")
    monkeypatch.syspath_prepend(str(tmp_path / "site"))
    return made


def test_the_environment_is_what_the_processes_find_that_examine(plugin: Plugin, monkeypatch):
    python = platform.python_version()
    monkeypatch.setattr(platform, "python_version", lambda: "0.0.0")
    found = plugin.environment()
    assert found.python == python
    assert found.packages["exportdb-toy"] == "1.0"


def test_no_process_is_started_to_hear_the_same_again(plugin: Plugin, monkeypatch):
    first = plugin.environment()
    monkeypatch.setattr(ForkServer, "start", lambda self: pytest.fail("a process was started"))
    assert plugin.environment() == first


def test_another_version_of_a_package_is_noticed(plugin: Plugin):
    assert plugin.environment().packages["exportdb-toy"] == "1.0"
    plugin.install("1.1")
    assert plugin.environment().packages["exportdb-toy"] == "1.1"


def test_an_answer_that_somebody_has_edited_is_asked_for_again(plugin: Plugin):
    first = plugin.environment()
    kept = plugin.folder / "environments.json"
    kept.write_text(kept.read_text().replace("1.0", "9.9"))
    assert plugin.environment() == first


@pytest.mark.parametrize("put", [lambda p: p.write_text('{"half'), os.mkfifo, os.mkdir])
def test_answers_that_cannot_be_read_are_asked_for_again(plugin: Plugin, put):
    first = plugin.environment()
    for kept in ("environments.json", "plugins.json"):
        (plugin.folder / kept).unlink()
        put(plugin.folder / kept)
    assert plugin.environment() == first
