"""A small tree of cases, exporters in a file, and a run over them."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import pytest
import yaml

from exportdb.cases import database
from exportdb.distributions import installed_version
from exportdb.plugins import DEVICES, EXPORTERS, find
from exportdb.records.expectation import minor
from exportdb.runner.plan import Examination
from exportdb.runner.request import Request
from exportdb.runner.result import RunResult
from exportdb.runner.run import Settings, run
from exportdb.runner.watch import Silent
from exportdb.suites.cases import CaseProgram

CASE = '''"""
title: Adds {number}
description: The input and {number}.
"""
import torch

class Model(torch.nn.Module):
    def forward(self, x):
        return x + {number}

def inputs():
    return torch.arange(3.0)
'''

#: Exporters that take no time: what they are asked to do is in their names.
EXPORTERS_FILE = '''
import os, pathlib, time

class Right:
    name = "right"
    def capture(self, program):
        return program.module

class Wrong:
    name = "wrong"
    def capture(self, program):
        return lambda x: program.module(x) + 1

class Hangs:
    name = "hangs"
    def capture(self, program):
        time.sleep(600)

class Dies:
    name = "dies"
    def capture(self, program):
        os.kill(os.getpid(), 11)

class Fills:
    name = "fills"
    def capture(self, program):
        held = []
        while True:
            held.append(bytearray(2**24))

class Changes:
    """Another result every second time, by a file that is there or not."""
    name = "changes"
    def capture(self, program):
        mark = pathlib.Path(__file__).with_name("mark")
        if mark.exists():
            mark.unlink()
            return program.module
        mark.touch()
        return lambda x: program.module(x) + 1

class Slow:
    """From the sixth capture on it waits for as long as the file "hold" is there."""
    name = "slow"
    def capture(self, program):
        folder = pathlib.Path(__file__).parent
        with open(folder / "captured", "a") as file:
            file.write("x")
        while (folder / "captured").stat().st_size > 5 and (folder / "hold").exists():
            time.sleep(0.02)
        return program.module

class Helped:
    """Adds what a module beside it says."""
    name = "helped"
    def capture(self, program):
        import sys
        sys.path.insert(0, str(pathlib.Path(__file__).parent))
        import helper_of_exporters
        return lambda x: program.module(x) + helper_of_exporters.MORE

class Deletes:
    """Deletes the files of all runs, once."""
    name = "deletes"
    def capture(self, program):
        folder = pathlib.Path(__file__).parent
        if not (folder / "mark").exists():
            (folder / "mark").touch()
            for path in folder.glob("home/runs/*.jsonl"):
                path.unlink()
        return program.module

class WrongThenDies:
    """Wrong, and the end of its process when it is asked to capture again."""
    name = "wrong-then-dies"
    captured = False
    def capture(self, program):
        if type(self).captured:
            os.kill(os.getpid(), 11)
        type(self).captured = True
        return lambda x: program.module(x) + 1

class DiesOfSomeNumbers:
    """The end of its process where it is called with other numbers than the example's."""
    name = "dies-of-some-numbers"
    def capture(self, program):
        known = program.args[0].clone()
        def run(x):
            if x.shape != known.shape or not bool((x == known).all()):
                os.kill(os.getpid(), 11)
            return program.module(x)
        return run

class Wordy:
    name = "wordy"
    def capture(self, program):
        from exportdb.exporters.protocol import Artifact
        return Artifact(program.module, graph_text="x" * 20_000)

class Remembers:
    """Right once a process: keeps a count in its module."""
    name = "remembers"
    def capture(self, program):
        global count
        count = globals().get("count", 0) + 1
        return (lambda x: program.module(x) + 1) if count > 1 else program.module
'''


class Log(Silent):
    """A watch that remembers what it was told."""

    def __init__(self) -> None:
        self.total = self.cached = -1
        self.begun: list[str] = []
        self.ended: list[Any] = []
        self.notes: list[str] = []

    def note(self, line: str) -> None:
        self.notes.append(line)

    def planned(self, total: int, cached: int) -> None:
        self.total, self.cached = total, cached

    def started(self, examination: Examination) -> None:
        self.begun.append(examination.program.id)

    def finished(self, record: Any) -> None:
        self.ended.append(record)


class Bench:
    """Cases, exporters and a home to run them in."""

    def __init__(self, folder: Path) -> None:
        self.tree, self.home = folder / "tree", folder / "home"
        self.tree.mkdir()
        self.exporters = folder / "exporters.py"
        self.exporters.write_text(EXPORTERS_FILE)
        self.log = Log()

    def case(self, name: str = "one", number: int = 1) -> None:
        """Write a case that adds a number."""
        (self.tree / f"{name}.py").write_text(CASE.format(number=number))

    def expect(self, exporter: str, **value: Any) -> None:
        """Write down what the case ``one`` is expected to give; with no value, nothing.

        An outcome alone is all that binds; more is compared as if it had been measured here.
        """
        if len(value) > 1:
            value["measured"] = [f"{minor(installed_version('torch') or '')}/cpu"]
        path = self.tree / "one.yaml"
        if value:
            path.write_text(yaml.safe_dump({exporter: value}))
        else:
            path.unlink(missing_ok=True)

    def request(self, *exporters: str, device: str = "cpu", **more: Any) -> Request:
        """All cases with exporters of the file (Right) or built-in (export)."""
        refs = [
            find(EXPORTERS, f"{self.exporters}:{e}" if e[0].isupper() else e) for e in exporters
        ]
        db = database.load([self.tree], builtin=False)
        programs = tuple(map(CaseProgram, db))
        return Request(programs, tuple(refs), (find(DEVICES, device),), broken=db.broken, **more)

    def run(self, *exporters: str, request: Request | None = None, **settings: Any) -> RunResult:
        """Run all cases with these exporters; :attr:`log` tells what happened."""
        self.log = Log()
        asked = request or self.request(*exporters)
        return run(asked, Settings(home=self.home, **settings), self.log)


@pytest.fixture
def bench(tmp_path: Path, kept_servers: None) -> Bench:
    pytest.importorskip("torch")
    made = Bench(tmp_path)
    made.case()
    return made
