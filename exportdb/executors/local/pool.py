"""Isolated tasks: importable functions run in processes of their own, with a time limit.

Owns the queue, the deadlines and what is reported of a child that died. Knows nothing of cases:
examinations, the lint's executing checks and the doctor all come through here. The processes
themselves are ``forkserver``'s, the inside of a child is ``worker``'s.

A child may take several tasks, one after the other, as long as it is as clean after each as it
was before (``cleanliness``); at the first doubt it is replaced. What a child takes with it when
it dies is the one task it had begun.

How many: examining 88 cases with ``export`` (torch 2.13, one thread) took, per case in CPU
milliseconds of all processes together, 107 with a fork for each, 66 with four to a child, 54 with
eight, 50 with sixteen, 51 with no limit. The first task in a child pays some 6,500 page faults on
what it shares with the server; after sixteen nothing is left to gain.
"""

from __future__ import annotations

import contextlib
import json
import os
import selectors
import signal
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from types import TracebackType
from typing import Any

from exportdb.environments.bridge import Interpreter
from exportdb.executors.local import worker
from exportdb.executors.local.forkserver import NOT_FORKED, Child, ForkServer

#: Tasks one child may take.
REUSE = 16
#: Seconds a fresh child may need before it takes its task.
START = 60.0
#: Bytes of a child's output that are kept, and that one task may write before it is ended.
TAIL, MAX_OUTPUT = 4_000, 64 * 2**20
#: Longest answer, in bytes.
MAX_ANSWER = 256 * 2**20


@dataclass(frozen=True, eq=False)
class Task:
    """One call to make: ``function`` is ``module:function``, ``args`` can be pickled.

    The function must return JSON-ready data. ``timeout`` is in seconds from its start; ``alone``
    asks for a child that no other task uses before or after; ``memory_mb`` is how much memory
    (MiB) it may take, None for no limit. ``tag`` is the caller's own.
    """

    function: str
    args: tuple[Any, ...] = ()
    timeout: float = 60.0
    alone: bool = False
    memory_mb: int | None = None
    tag: Any = None


@dataclass(frozen=True)
class Failure:
    """Why a task has no value.

    ``kind`` is ``raised`` (an exception left the function), ``crashed`` (the process ended or had
    to be ended) or ``timeout``. ``type`` is the exception's name, the signal's name, ``Exit`` or
    ``Timeout``; ``message`` one sentence; ``at`` what the task last announced; ``output`` the end
    of what it printed, or the traceback of what it raised.
    """

    kind: str
    type: str
    message: str
    at: str = ""
    output: str = ""


@dataclass(frozen=True)
class Ending:
    """What became of a task: its value, or the failure; and the seconds it took."""

    task: Task
    value: Any
    failure: Failure | None
    seconds: float


class _Worker:
    """A child at work on one task."""

    def __init__(self, child: Child, task: Task) -> None:
        self.child = child
        self.taken = 0
        self.incoming = bytearray()
        self.begin(task, time.monotonic() + START)

    def begin(self, task: Task, deadline: float) -> None:
        self.task, self.deadline = task, deadline
        self.started = time.monotonic()
        self.running = False
        self.at = ""
        self.tail, self.printed = b"", 0


class Pool:
    """Runs tasks in at most ``jobs`` processes at a time; a context manager.

    ``reuse`` is how many tasks one child may take; ``preload``, ``arguments``, ``variables`` and
    ``interpreter`` are :class:`ForkServer`'s. ``started`` is called with each task as it begins.
    Tasks begin in the order in which they were submitted.
    """

    def __init__(
        self,
        jobs: int = 1,
        reuse: int = REUSE,
        preload: str | None = None,
        arguments: Sequence[str] = (),
        variables: Mapping[str, str] | None = None,
        started: Callable[[Task], None] | None = None,
        interpreter: Interpreter | None = None,
    ) -> None:
        self._jobs, self._reuse = jobs, reuse
        self._started = started or (lambda _: None)
        self._queue: deque[Task] = deque()
        self._workers: dict[int, _Worker] = {}  # by the child's number
        self._server = ForkServer(preload, arguments, variables or {}, interpreter)
        self._selector = selectors.DefaultSelector()
        self._ended: deque[Ending] = deque()

    def submit(self, task: Task) -> None:
        """Put a task at the end of the queue; may be called while endings are read."""
        self._queue.append(task)

    def endings(self) -> Iterator[Ending]:
        """What became of each task, as they end, until there are none.

        Raises RunnerError if workers cannot be started at all.
        """
        while True:
            while self._queue and len(self._workers) < self._jobs:
                self._employ(self._queue.popleft())
            while self._ended:
                yield self._ended.popleft()
            if self._queue and len(self._workers) < self._jobs:
                continue
            if not self._workers:
                return
            self._wait()

    def close(self) -> None:
        """End every child and the server. Twice is once."""
        self._server.close()
        for employed in self._workers.values():
            employed.child.close()
        self._workers.clear()
        self._selector.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        tb: TracebackType | None,
    ) -> None:
        self.close()

    # One step of the loop

    def _employ(self, task: Task) -> None:
        if not self._server.alive:
            self._server.start()
            self._selector.register(self._server, selectors.EVENT_READ, (None, self._bury))
        employed = _Worker(self._server.fork(), task)
        self._workers[employed.child.number] = employed
        for end, hear in (
            (employed.child.channel, self._listen),
            (employed.child.output, self._drain),
        ):
            self._selector.register(end, selectors.EVENT_READ, (employed, hear))

    def _wait(self) -> None:
        """Until something happens or a deadline passes; then do what is to be done."""
        nearest = min(w.deadline for w in self._workers.values())
        for key, _ in self._selector.select(max(0.0, nearest - time.monotonic())):
            employed, hear = key.data
            if employed is None:
                hear()
            elif employed.child.number in self._workers:  # not dismissed a moment ago
                hear(employed)
        now = time.monotonic()
        for employed in [w for w in self._workers.values() if w.deadline <= now]:
            self._drain(employed)
            limit = employed.task.timeout if employed.running else START
            self._fail(employed, "timeout", "Timeout", f"did not finish within {limit:g} s")

    def _hand_over(self, employed: _Worker) -> None:
        task = employed.task
        employed.taken += 1
        last = task.alone or employed.taken >= self._reuse
        try:
            employed.child.channel.settimeout(START)
            employed.child.channel.sendall(
                worker.pack(task.function, task.args, task.memory_mb, last)
            )
        except OSError:
            self._fail(employed, "crashed", "Exit", "its process could not be talked to")
            return
        employed.begin(task, time.monotonic() + task.timeout)
        employed.running = True
        self._started(task)

    def _listen(self, employed: _Worker) -> None:
        """Read what a child says."""
        try:
            received = employed.child.channel.recv(2**20, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            # Its death is the server's to tell; until then only a child that cut the line is mute.
            self._deafen(employed.child.channel)
            employed.deadline = min(employed.deadline, time.monotonic() + 1.0)
            return
        employed.incoming += received
        if len(employed.incoming) > MAX_ANSWER:
            self._fail(
                employed, "crashed", "Exit", f"its answer was longer than {MAX_ANSWER} bytes"
            )
            return
        *lines, rest = employed.incoming.split(b"\n") if b"\n" in received else [employed.incoming]
        employed.incoming = rest
        for line in lines:
            if employed.child.number in self._workers:
                self._understand(employed, line)

    def _understand(self, employed: _Worker, line: bytearray) -> None:
        try:
            message = json.loads(line)
            if "at" in message:
                employed.at = str(message["at"])[:100]
            elif "ready" in message:
                self._hand_over(employed)
            elif "raised" in message:
                raised = message["raised"]
                failure = Failure(
                    "raised", raised["type"], raised["message"], employed.at, raised["traceback"]
                )
                self._end(employed, None, failure, message["retire"])
            else:
                self._end(employed, message["value"], None, message["retire"])
        except (ValueError, KeyError, TypeError):
            self._fail(
                employed, "crashed", "Exit", "something else wrote on its line to the parent"
            )

    def _end(
        self, employed: _Worker, value: Any, failure: Failure | None, retire: str | None
    ) -> None:
        """Note an ending; give the child its next task, or let it go."""
        task = employed.task
        self._drain(employed)
        if employed.child.number not in self._workers:
            return
        self._ended.append(Ending(task, value, failure, time.monotonic() - employed.started))
        if retire or not self._queue or self._queue[0].alone:
            self._dismiss(employed)
        else:
            employed.task = self._queue.popleft()
            self._hand_over(employed)

    def _drain(self, employed: _Worker) -> None:
        """Read what a child prints, keep the end, and put an end to too much."""
        for _ in range(16):  # then it is the others' turn
            if employed.child.output < 0:
                return
            try:
                text = os.read(employed.child.output, 65536)
            except BlockingIOError:
                return
            if not text:
                self._deafen(employed.child.output)
                return
            employed.tail = (employed.tail + text)[-TAIL:]
            employed.printed += len(text)
            if employed.printed > MAX_OUTPUT:
                mib = MAX_OUTPUT // 2**20
                self._fail(employed, "crashed", "Output", f"printed more than {mib} MiB")
                return

    def _bury(self) -> None:
        """Hear from the server which children have died."""
        for child in self._server.news():
            if not (employed := self._workers.get(child.number)):
                continue
            if not self._server.alive:
                self._fail(employed, "crashed", "Exit", "the process that started it was ended")
                continue
            self._listen(employed)  # its last words
            if child.number in self._workers:
                self._drain(employed)
            if child.number in self._workers:
                self._fail(employed, "crashed", *_how_it_died(child.exit_code or 0))
        if not self._server.alive:
            self._deafen(self._server)

    def _fail(self, employed: _Worker, kind: str, type_: str, message: str) -> None:
        tail = employed.tail.decode(errors="replace").strip()
        failure = Failure(kind, type_, message, employed.at, tail)
        seconds = time.monotonic() - employed.started
        self._ended.append(Ending(employed.task, None, failure, seconds))
        self._dismiss(employed)

    def _dismiss(self, employed: _Worker) -> None:
        child = employed.child
        del self._workers[child.number]
        self._deafen(child.channel)
        self._deafen(child.output)
        self._server.kill(child)

    def _deafen(self, end: Any) -> None:
        """Listen no more to a file, if anybody did."""
        with contextlib.suppress(KeyError, ValueError):
            self._selector.unregister(end)


def _how_it_died(code: int) -> tuple[str, str]:
    """Type and message for an exit code, negative for a signal."""
    if code == NOT_FORKED:
        return "Exit", "no process could be started for it"
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        hint = ", as the system does when memory runs out" if name == "SIGKILL" else ""
        return name, f"the process was ended by {name}{hint}"
    return "Exit", f"the process ended itself with exit code {code}"
