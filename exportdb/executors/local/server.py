"""Forking workers from one warm process: the end that forks.

Owns the reaping: a worker leads a session of its own, and when it ends or has to end, so does
everything it started, daemons included. The parent's life line is the control socket; when that
closes, for whatever reason, every worker dies and so does this process. It stays single-threaded
and does nothing but fork, so that children begin in a state that is known.
"""

from __future__ import annotations

import contextlib
import ctypes
import gc
import importlib
import os
import select
import shutil
import signal
import socket
import sys
import time
from collections.abc import Iterator
from pathlib import Path

from exportdb.executors.local import worker
from exportdb.executors.local.forkserver import FORK, GONE, KILL, NOT_FORKED, READY, REPLY, REQUEST

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


def main(control: int, preload: str | None, arguments: list[str], scratch: str) -> None:
    """Serve requests on the socket ``control`` until it closes; never returns."""
    try:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)  # daemons of our workers become children of ours
        gc.disable()  # next to nothing of what is imported is garbage; looking takes its time
        if preload:
            module, _, function = preload.partition(":")
            getattr(importlib.import_module(module), function)(*arguments)
        worker.prepare()
        gc.freeze()  # what is warm is never garbage: a collection in a child must not touch it
        gc.enable()
        _Server(socket.socket(fileno=control), Path(scratch)).serve()
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
        os._exit(1)
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(0)  # tearing torch down takes longer than some runs


class _Server:
    def __init__(self, control: socket.socket, scratch: Path) -> None:
        self.control, self.scratch = control, scratch
        self.numbers: dict[int, int] = {}  # by process ID
        self.wake, self.wake_write = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(self.wake_write, False)
        self.kept: frozenset[int] = frozenset()
        self.kept = frozenset(self.orphans())  # what the preload started, for all workers
        signal.set_wakeup_fd(self.wake_write)
        signal.signal(signal.SIGCHLD, lambda *_: None)

    def serve(self) -> None:
        self.control.sendall(REPLY.pack(READY, 0, 0))
        control = self.control.fileno()
        try:
            while True:
                readable, _, _ = select.select([control, self.wake], [], [])
                if self.wake in readable:
                    with contextlib.suppress(BlockingIOError):
                        os.read(self.wake, 4096)
                    self.reap()
                if control in readable and not self.request():
                    return
        except OSError:
            return  # the parent is gone
        finally:
            self.end_all()

    def end_all(self) -> None:
        """End every worker and everything that any of them started."""
        deadline = time.monotonic() + 2.0
        for pid in self.numbers:
            _kill_group(pid)
        self.numbers.clear()
        self.kept = frozenset()
        while time.monotonic() < deadline:  # what one orphan started is the next
            for pid in self.orphans():
                _kill_group(pid)
            try:
                if os.waitpid(-1, os.WNOHANG) == (0, 0):
                    time.sleep(0.002)
            except ChildProcessError:
                return

    def request(self) -> bool:
        """Do what the parent asks; False when there is no parent any more."""
        asked, fds, _, _ = socket.recv_fds(self.control, REQUEST.size, 2)
        while asked and len(asked) < REQUEST.size:
            rest = self.control.recv(REQUEST.size - len(asked))
            asked = asked + rest if rest else b""
        if not asked:
            return False
        what, number = REQUEST.unpack(asked)
        if what == FORK:
            self.fork(number, *fds)
        elif what == KILL:
            for pid in [p for p, n in self.numbers.items() if n == number]:
                _kill_group(pid)
        return True

    def fork(self, number: int, channel: int, output: int) -> None:
        try:
            pid = os.fork()
        except OSError:
            self.control.sendall(REPLY.pack(GONE, number, NOT_FORKED))
            pid = -1
        if pid == 0:
            self.become_worker(number, channel, output)
        os.close(channel)
        os.close(output)
        if pid > 0:
            self.numbers[pid] = number

    def become_worker(self, number: int, channel: int, output: int) -> None:
        """In the child: leave the server's session and files, work, never come back."""
        try:
            os.setsid()
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            _prctl(_PR_SET_CHILD_SUBREAPER, 1)  # so that a daemon is seen as what it left behind
            signal.set_wakeup_fd(-1)
            signal.signal(signal.SIGCHLD, signal.SIG_DFL)
            os.dup2(output, 1)
            os.dup2(output, 2)
            for fd in (output, self.control.fileno(), self.wake, self.wake_write):
                os.close(fd)
            worker.main(socket.socket(fileno=channel), self.scratch / str(number))
        finally:
            os._exit(1)

    def reap(self) -> None:
        """Collect the dead, end what they left behind, tell the parent."""
        while True:
            try:
                pid, status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return  # so there are no orphans either
            if pid == 0:
                break
            number = self.numbers.pop(pid, None)
            if number is None:
                continue
            _kill_group(pid)
            shutil.rmtree(self.scratch / str(number), ignore_errors=True)
            self.control.sendall(REPLY.pack(GONE, number, os.waitstatus_to_exitcode(status)))
        for pid in self.orphans():
            _kill_group(pid)

    def orphans(self) -> Iterator[int]:
        """Our children that are no workers: theirs have died."""
        with contextlib.suppress(OSError):  # not on Linux: daemons are nobody's there
            for child in Path(f"/proc/self/task/{os.getpid()}/children").read_text().split():
                if (pid := int(child)) not in self.numbers and pid not in self.kept:
                    yield pid


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)  # before its setsid there is no group


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        _LIBC.prctl(option, value, 0, 0, 0)
