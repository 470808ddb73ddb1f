"""The real command, as a user calls it."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path

import pytest

Command = Callable[..., subprocess.CompletedProcess[str]]

CASE = '''"""
title: {title}
description: A case of the tests.
tags: [torch.dynamic-shape]
"""
import torch


class Model(torch.nn.Module):
    def forward(self, x):
        return {body}


def inputs():
    return torch.arange(6.0)
'''

#: A whole exporter: it runs the program as it is, and `spoil` is what a test may break.
EXPORTER = """
class Mine:
    name = "mine"

    def capture(self, program):
        return lambda x: spoil(program.module(x))


def spoil(y):
    return y
"""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A user's folder with a tree of cases and an exporter of their own."""
    root = tmp_path_factory.mktemp("user")
    tree = root / "own_cases" / "own"
    tree.mkdir(parents=True)
    (tree / "add_one.py").write_text(CASE.format(title="Adds one", body="x + 1"))
    (tree / "double.py").write_text(CASE.format(title="Doubles", body="x * 2"))
    (root / "mine.py").write_text(EXPORTER)
    slow = EXPORTER.replace("return lambda", "import time; time.sleep(1); return lambda")
    (root / "slow.py").write_text(slow)
    return root


@pytest.fixture(scope="module")
def exportdb(folder: Path) -> Command:
    """Runs ``exportdb`` in the user's folder; standard output and error are captured apart."""

    def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *words],
            cwd=folder, env={**os.environ, "EXPORTDB_HOME": str(folder / "home"), **variables},
            capture_output=True, text=True, encoding="utf-8", timeout=300,
        )  # fmt: skip

    return run
