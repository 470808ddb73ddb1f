"""Forking workers from one warm process: the end that lives in the parent.

Owns the process that forks (``server`` is its other end) and the handles of its
children. What a child does is left to ``worker``; when it has to go, to ``pool``.

The standard library's forkserver was tried first. Its children run the caller's main program
again, keep the server alive after the parent was killed (they inherit its life line), stay in the
parent's process group, and a preload that fails is passed over in silence. What remains when
these are repaired is these two small modules.
"""

from __future__ import annotations

import contextlib
import json
import os
import shutil
import socket
import struct
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Workers

#: A request: what, and the number of the child it is about.
REQUEST = struct.Struct("!cI")
FORK, KILL = b"F", b"K"
#: A reply: what, the number of the child, and its exit code (negative: the signal).
REPLY = struct.Struct("!cIi")
READY, GONE = b"R", b"X"

#: Exit code of a child that could not be forked at all.
NOT_FORKED = 1_000

_BOOT = (
    "import json, sys; order = json.loads(sys.argv[1]); "
    "sys.path[:] = order.pop('path') + (sys.path[1:] if order.pop('elsewhere') else []); "
    "from exportdb.executors.local.server import main; main(**order)"
)


@dataclass(eq=False)
class Child:
    """A forked worker: the socket to talk over and the pipe that all it prints goes into."""

    number: int
    channel: socket.socket
    output: int
    #: Set when the server has seen it end: the exit code, or minus the signal that ended it.
    exit_code: int | None = None

    def close(self) -> None:
        """Close both ends held here. Twice is once."""
        self.channel.close()
        if self.output >= 0:
            os.close(self.output)
            self.output = -1


@dataclass
class ForkServer:
    """One process that has run ``preload`` and forks a worker whenever it is asked to.

    ``workers`` says how it is made and what its children find done. The server, and with it every
    child and what they left behind, ends when this process does, however it does.
    """

    workers: Workers

    def __post_init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._children: dict[int, Child] = {}
        self._count = 0
        self._unread = b""

    def start(self) -> None:
        """Start the server and wait until it is warm. Raises RunnerError if it does not get so."""
        try:
            self._scratch = Path(tempfile.mkdtemp(prefix="exportdb-"))
        except OSError as e:
            raise RunnerError(
                f"no folder for temporary files can be made ({e.strerror}); free some space or "
                "set TMPDIR to a folder that can be written"
            ) from None
        self._control, theirs = socket.socketpair()
        order = {
            "path": [str(Path(p or ".").resolve()) for p in sys.path]
            if self.workers.interpreter is None
            else list(self.workers.interpreter.path),
            "elsewhere": self.workers.interpreter is not None,
            "control": theirs.fileno(),
            "preload": self.workers.preload,
            "arguments": list(self.workers.arguments),
            "scratch": str(self._scratch),
        }
        with (self._scratch / "server.log").open("wb") as log, theirs:
            self._process = subprocess.Popen(
                [self._python, "-c", _BOOT, json.dumps(order)],
                stdin=subprocess.DEVNULL,
                stdout=log,
                stderr=log,
                pass_fds=[theirs.fileno()],
                env={**os.environ, **self.workers.variables},
                start_new_session=True,  # Ctrl-C is for the parent alone
            )
        if self._control.recv(REPLY.size, socket.MSG_WAITALL)[:1] != READY:
            log_text = (self._scratch / "server.log").read_text(errors="replace").strip()
            self.close()
            last = log_text.splitlines()[-1] if log_text else "it said nothing"
            raise RunnerError(
                f"the process that starts the workers did not come up: {last}{self._hint(last)}"
            )

    @property
    def _python(self) -> str:
        return str(self.workers.interpreter.python) if self.workers.interpreter else sys.executable

    def _hint(self, last: str) -> str:
        """What to do about it, where that is known."""
        if "ModuleNotFoundError" not in last:
            return ""
        install = "pip install 'exportdb[torch]'"
        if self.workers.interpreter is not None:
            return f"; {self._python} lacks what exportdb needs: {install} there"
        return f"; running a program needs torch: {install}" if "'torch'" in last else ""

    @property
    def alive(self) -> bool:
        """Whether the server has been started and has not ended."""
        return self._process is not None and self._process.poll() is None

    def fileno(self) -> int:
        """For selectors: readable when :meth:`exited` has something."""
        return self._control.fileno()

    def fork(self) -> Child:
        """Start one more child; it is there at once and warm in some milliseconds."""
        if not self.alive:
            self.start()
        self._count += 1
        ours, channel = socket.socketpair()
        output, written = os.pipe()
        os.set_blocking(output, False)
        child = Child(self._count, ours, output)
        self._children[child.number] = child
        # A server that has just died says so through exited().
        with contextlib.suppress(OSError):
            socket.send_fds(
                self._control, [REQUEST.pack(FORK, child.number)], [channel.fileno(), written]
            )
        channel.close()
        os.close(written)
        return child

    def kill(self, child: Child) -> None:
        """End a child and all that it started, at once; nobody waits for it."""
        self._children.pop(child.number, None)
        child.close()
        with contextlib.suppress(OSError):
            self._control.sendall(REQUEST.pack(KILL, child.number))

    def exited(self) -> Iterator[Child]:
        """Children that have ended since the last call. If the server has died, all of them."""
        try:
            received = self._control.recv(65536, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            yield from self._all_exited()
            return
        self._unread += received
        whole = len(self._unread) // REPLY.size * REPLY.size
        replies, self._unread = self._unread[:whole], self._unread[whole:]
        for _, number, code in REPLY.iter_unpack(replies):
            if child := self._children.pop(number, None):
                child.exit_code = code
                yield child

    def _all_exited(self) -> Iterator[Child]:
        orphans, self._children = list(self._children.values()), {}
        self.close()
        for child in orphans:
            child.exit_code = NOT_FORKED
            yield child

    def close(self) -> None:
        """End the server and all children. Twice is once."""
        for child in self._children.values():
            child.close()
        self._children.clear()
        if self._process is None:
            return
        self._control.close()
        self._unread = b""
        try:
            self._process.wait(5)
        except subprocess.TimeoutExpired:
            self._process.kill()
            self._process.wait()
        self._process = None
        shutil.rmtree(self._scratch, ignore_errors=True)
