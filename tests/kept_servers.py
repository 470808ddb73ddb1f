"""Fork servers that outlive a test, for tests that are not about how one starts or ends.

A server takes some seconds to import torch, and is as good as new for whoever comes next: it only
forks. One that a test has harmed ends with the test.
"""

from __future__ import annotations

import os
import sys
from pathlib import Path

import pytest

from exportdb.executors.local import pool
from exportdb.executors.local.forkserver import ForkServer
from exportdb.runner import kept_code
from exportdb.runner.warm import MANY

#: Servers kept at most. A run takes three kinds (what exporters declare, what is asked about the
#: machine, examinations): with fewer kept, none would be left for the next test.
MOST_IDLE = 4
#: Servers that nobody uses, the latest last, by what they were made of.
_idle: dict[str, ForkServer] = {}
#: Variables that say where compiled code is kept: one place, or no two tests share a server.
_KEPT = (kept_code.INDUCTOR, kept_code.PACKAGES)


class KeptForkServer(ForkServer):
    """Takes over an idle server that was made of the same, and leaves its own idle."""

    def start(self) -> None:
        """Have a warm server, an old one if there is one."""
        if (old := _idle.pop(self._made_of(), None)) and old.alive:
            self._process, self._control, self._scratch = old._process, old._control, old._scratch
            self._count, self._unread, self._ready = old._count, old._unread, True
        else:
            super().start()

    def close(self) -> None:
        """Leave the server to the next, if it is well."""
        if not (self._ready and self.alive):
            super().close()
            return
        for child in list(self._children.values()):
            self.kill(child)
        left = ForkServer(self.workers)
        left._process, left._control, left._scratch = self._process, self._control, self._scratch
        left._count, left._unread, left._ready = self._count, self._unread, True
        _idle[self._made_of()] = left
        self._process = None
        while len(_idle) > MOST_IDLE:
            _idle.pop(next(iter(_idle))).close()

    def _made_of(self) -> str:
        workers = self.workers
        variables = {k: v for k, v in os.environ.items() if k != "PYTEST_CURRENT_TEST"}
        # How many examinations are to come matters only from some number on.
        count, *others = workers.arguments or ("0",)
        many = count.isdecimal() and int(count) >= MANY
        return repr((
            workers.preload, many, others, workers.variables, workers.interpreter, variables,
            sys.path, self.installed(), Path.cwd(),
        ))  # fmt: skip


@pytest.fixture(scope="session")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for what is compiled, for all tests of this process."""
    return tmp_path_factory.mktemp("compiled")


@pytest.fixture
def kept_servers(monkeypatch: pytest.MonkeyPatch, compiled: Path) -> None:
    """Within the test, fork servers are taken over and left."""
    for name in _KEPT:
        monkeypatch.setenv(name, str(compiled / name.lower()))
    monkeypatch.setattr(pool, "ForkServer", KeptForkServer)
