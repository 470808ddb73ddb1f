"""Forking workers from one warm process: the end that forks.

Owns the reaping: a worker leads a session of its own, and when it ends or has to end, so does
everything it started, daemons included. The parent's life line is the control socket; when that
closes, for whatever reason, every worker dies and so does this process. It stays single-threaded
and does nothing but fork, so that children begin in a state that is known.

The process that was made warm forks the one that forks workers, and waits: what kills its parent
costs a fork then, and not the seconds that it takes to get warm.
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
from collections.abc import Iterator, Set
from pathlib import Path

from exportdb.executors.local import worker
from exportdb.executors.local.forkserver import FORK, GONE, KILL, NOT_FORKED, READY, REPLY, REQUEST

_LIBC = ctypes.CDLL(None)
_PR_SET_PDEATHSIG, _PR_SET_CHILD_SUBREAPER = 1, 36  # linux/prctl.h


def main(control: int, preload: str | None, arguments: list[str], scratch: str) -> None:
    """Get warm, and serve requests on the socket ``control`` until it closes; never returns."""
    try:
        _prctl(_PR_SET_CHILD_SUBREAPER, 1)  # what a killed child leaves becomes ours
        gc.disable()  # next to nothing of what is imported is garbage; looking takes its time
        if preload:
            module, _, function = preload.partition(":")
            getattr(importlib.import_module(module), function)(*arguments)
        worker.prepare()
        gc.freeze()  # what is warm is never garbage: a collection in a child must not touch it
        gc.enable()
        _serve_until_done(socket.socket(fileno=control), Path(scratch))
    except BaseException:
        sys.excepthook(*sys.exc_info())
        sys.stderr.flush()
        os._exit(1)
    shutil.rmtree(scratch, ignore_errors=True)
    os._exit(0)  # tearing torch down takes longer than some runs


def _serve_until_done(control: socket.socket, scratch: Path) -> None:
    """Have a child serve, and another one in its place as often as one is killed."""
    kept = frozenset(_children())  # what the preload started, for all workers
    while True:
        if (pid := os.fork()) == 0:
            _prctl(_PR_SET_PDEATHSIG, signal.SIGKILL)
            _prctl(_PR_SET_CHILD_SUBREAPER, 1)  # daemons of its workers become children of its own
            _Server(control, scratch).serve()
            os._exit(0)
        _, status = os.waitpid(pid, 0)
        killed = os.WIFSIGNALED(status)
        _end_left(kept if killed else frozenset())
        if not killed:
            return


class _Server:
    def __init__(self, control: socket.socket, scratch: Path) -> None:
        self.control, self.scratch = control, scratch
        self.numbers: dict[int, int] = {}  # by process ID
        self.wake, self.wake_write = os.pipe()
        os.set_blocking(self.wake, False)
        os.set_blocking(self.wake_write, False)
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
        for pid in self.numbers:
            _kill_group(pid)
        self.numbers.clear()
        _end_left()

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
        return (pid for pid in _children() if pid not in self.numbers)


def _children() -> Iterator[int]:
    with contextlib.suppress(OSError):  # not on Linux: daemons are nobody's there
        yield from map(int, Path(f"/proc/self/task/{os.getpid()}/children").read_text().split())


def _end_left(kept: Set[int] = frozenset()) -> None:
    """End all children but those that are ``kept``, with what they started."""
    deadline = time.monotonic() + 2.0
    while time.monotonic() < deadline:  # what one orphan started is the next
        left = [pid for pid in _children() if pid not in kept]
        for pid in left:
            _kill_group(pid)
        try:
            if os.waitpid(-1, os.WNOHANG) == (0, 0):
                if kept and not left:
                    return
                time.sleep(0.002)
        except ChildProcessError:
            return


def _kill_group(pid: int) -> None:
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(pid, signal.SIGKILL)
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.kill(pid, signal.SIGKILL)  # before its setsid there is no group


def _prctl(option: int, value: int) -> None:
    if sys.platform == "linux":
        _LIBC.prctl(option, value, 0, 0, 0)
