"""What the tests of devices share: a process of its own for each thing that is tried."""

from __future__ import annotations

import os
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from exportdb.executors import open_executor
from exportdb.executors.protocol import Task


@pytest.fixture
def apart() -> Callable[[str], Any]:
    """``apart("function")`` is what that function of ``on_toy`` returns in a process of its own."""
    pytest.importorskip("torch")

    def run(name: str) -> Any:
        with open_executor() as executor:
            executor.submit(Task(f"tests.devices.on_toy:{name}", timeout=120.0, alone=True))
            (ending,) = executor.endings()
        assert ending.failure is None, ending.failure
        return ending.value

    return run


@pytest.fixture
def exportdb(tmp_path: Path) -> Callable[..., subprocess.CompletedProcess[str]]:
    """Runs the command in an empty folder, with what is in ``site`` installed."""
    pytest.importorskip("torch")
    (tmp_path / "site").mkdir()
    path = [str(tmp_path / "site"), os.environ.get("PYTHONPATH", "")]

    def run(*words: str, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *words], cwd=tmp_path,
            env={**os.environ, "EXPORTDB_HOME": str(tmp_path / "home"),
                 "PYTHONPATH": os.pathsep.join(filter(None, path)), **variables},
            capture_output=True, text=True, timeout=300, check=False,
        )  # fmt: skip

    return run
