"""Forking workers from one warm process: the end that lives in the parent.

Owns the process that forks; ``server`` is its other end. What a child does is left to ``worker``,
how the parent talks with it to ``child``, and when it has to go to ``pool``.

The standard library's forkserver was tried first. Its children run the caller's main program
again, keep the server alive after the parent was killed (they inherit its life line), stay in the
parent's process group, and a preload that fails is passed over in silence. What remains when
these are repaired is these two small modules.
"""

from __future__ import annotations

import contextlib
import json
import os
import platform
import shutil
import signal
import socket
import struct
import subprocess
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path

from exportdb.executors.error import NO_TORCH, RunnerError
from exportdb.executors.local.child import Child
from exportdb.executors.protocol import Workers

#: A request: what, and the number of the child it is about.
REQUEST = struct.Struct("!cI")
FORK, KILL = b"F", b"K"
#: A reply: what, the number of the child, and its exit code (negative: the signal). ``READY`` again
#: means that the process that forked them was killed, with all of them, and another one forks now.
REPLY = struct.Struct("!cIi")
READY, GONE = b"R", b"X"

#: Seconds that the server may take until it is warm.
WARM_UP = 300.0
#: How often it is started where it is killed before it is warm; seconds that its end may take.
STARTS, LAST_WORDS = 3, 5.0
#: Exit code of a child that could not be forked at all.
NOT_FORKED = 1_000

_BOOT = (
    "import json, sys; order = json.loads(sys.argv[1]); "
    "sys.path[:] = order.pop('path') + (sys.path[1:] if order.pop('elsewhere') else []); "
    "from exportdb.executors.local.server import main; main(**order)"
)


@dataclass
class ForkServer:
    """One process that has run ``preload`` and forks a worker whenever it is asked to.

    ``workers`` says how it is made and what its children find done. The server, and with it every
    child and what they left behind, ends when this process does, however it does.
    """

    workers: Workers

    def __post_init__(self) -> None:
        self._ready = False
        self._process: subprocess.Popen[bytes] | None = None
        self._children: dict[int, Child] = {}
        self._count = 0
        self._unread = b""

    def start(self) -> None:
        """Start the server and wait until it is warm; again, where somebody kills it meanwhile.

        Raises RunnerError if it does not get so.
        """
        for left in reversed(range(STARTS)):
            self._launch()
            if self._is_warm(again=left > 0):
                return

    def _launch(self) -> None:
        self._ready = False
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

    def _is_warm(self, again: bool) -> bool:
        """Wait until it is. False if it was killed, and may be started ``again``."""
        trouble = "did not come up"
        try:
            self._control.settimeout(WARM_UP)
            if self._control.recv(REPLY.size)[:1] == READY:
                self._control.setblocking(False)
                self._ready = True
                return True
            if again and self._was_killed():
                self.close()
                return False
        except TimeoutError:
            trouble = f"was not ready within {WARM_UP:g} s"
        log_text = (self._scratch / "server.log").read_text(errors="replace").strip()
        self.close()
        last = log_text.splitlines()[-1] if log_text else ""
        if last == "ModuleNotFoundError: No module named 'torch'" and not self.workers.interpreter:
            raise RunnerError(NO_TORCH)
        hint = self._hint(last)
        raise RunnerError(f"the process that starts the workers {trouble}: {last}{hint}")

    def _was_killed(self) -> bool:
        """Whether it was ended from outside, as the system does when memory runs out."""
        assert self._process is not None
        with contextlib.suppress(subprocess.TimeoutExpired):
            return self._process.wait(LAST_WORDS) == -signal.SIGKILL
        return False

    @property
    def _python(self) -> str:
        return str(self.workers.interpreter.python) if self.workers.interpreter else sys.executable

    def _hint(self, last: str) -> str:
        """What to do about it, where that is known."""
        if not last:
            said = "it said nothing"
            wrong = f"; {self._python} has to be an interpreter of Python"
            return said + wrong if self.workers.interpreter is not None else said
        if "ModuleNotFoundError" not in last:
            return ""
        install = "pip install 'exportdb[torch]'"
        if self.workers.interpreter is not None:
            return f"; {self._python} lacks what exportdb needs: {install} there"
        return f"; running a program needs torch: {install}" if "'torch'" in last else ""

    def installed(self) -> str | None:
        """Python, and the folders in which distributions are described, by their names.

        The names have the versions in them. Of another interpreter only itself knows its path.
        """
        if self.workers.interpreter is not None:
            return None
        found = [sys.executable, sys.version, platform.system(), platform.machine()]
        for folder in sys.path:
            with contextlib.suppress(OSError), os.scandir(folder or ".") as entries:
                found += sorted(
                    e.path for e in entries if e.name.endswith((".dist-info", ".egg-info"))
                )
        return "\n".join(found)

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
        child = Child(self._count, ours, output)
        self._children[child.number] = child
        self._ask(FORK, child.number, channel.fileno(), written)
        channel.close()
        os.close(written)
        return child

    def kill(self, child: Child) -> None:
        """End a child and all that it started, at once; nobody waits for it."""
        self._children.pop(child.number, None)
        child.close()
        self._ask(KILL, child.number)

    def _ask(self, what: bytes, number: int, *fds: int) -> None:
        try:
            socket.send_fds(self._control, [REQUEST.pack(what, number)], list(fds))
        except BlockingIOError:
            self.kill_itself()  # it has not read for hundreds of requests
        except OSError:
            return  # a server that has died says so through exited()

    def exited(self) -> list[Child]:
        """Children that have ended since the last call. If what forked them has died, all of them,
        without an exit code."""
        if self._process is None:
            return []
        died = not self.alive  # asked first: it may have said something before
        try:
            received = self._control.recv(65536)
            died = died or not received
        except BlockingIOError:
            received = b""
        except OSError:
            received, died = b"", True
        self._unread += received
        whole = len(self._unread) // REPLY.size * REPLY.size
        replies, self._unread = self._unread[:whole], self._unread[whole:]
        gone: list[Child] = []
        for what, number, code in REPLY.iter_unpack(replies):
            if what == READY:
                gone += self._children.values()
                self._children.clear()
            elif child := self._children.pop(number, None):
                child.exit_code = code
                gone.append(child)
        if died:
            gone += self._children.values()
            self._children.clear()
            self.close()
        return gone

    def kill_itself(self) -> None:
        """End the server at once, when it does not answer; :meth:`exited` will say so."""
        if self._process is not None:
            self._process.kill()
            self._process.wait()

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
            self._process.wait(5 if self._ready else 0)
        except subprocess.TimeoutExpired:
            with contextlib.suppress(OSError):
                os.killpg(self._process.pid, signal.SIGKILL)
            self._process.wait()
        self._process = None
        shutil.rmtree(self._scratch, ignore_errors=True)
