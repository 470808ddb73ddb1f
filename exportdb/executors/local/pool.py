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
from collections.abc import Callable, Iterator
from types import TracebackType
from typing import Any

from exportdb.executors.local.forkserver import NOT_FORKED, Child, ForkServer
from exportdb.executors.local.worker import pack
from exportdb.executors.protocol import Ending, Failure, Task, Workers

#: Seconds a fresh child may need before it takes its task.
START = 60.0
#: Bytes of a child's output that are kept, and that one task may write before it is ended.
TAIL, MAX_OUTPUT = 4_000, 64 * 2**20
#: Longest answer, in bytes.
MAX_ANSWER = 256 * 2**20


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
    """Runs tasks in forked processes of this machine: the local :class:`Executor`."""

    def __init__(self, workers: Workers, started: Callable[[Task], None]) -> None:
        self._jobs, self._reuse = workers.jobs, workers.reuse
        self._started = started
        self._queue: deque[Task] = deque()
        self._workers: dict[int, _Worker] = {}  # by the child's number
        self._server = ForkServer(workers)
        self._selector = selectors.DefaultSelector()
        self._ended: deque[Ending] = deque()

    def submit(self, task: Task) -> None:
        self._queue.append(task)

    def endings(self) -> Iterator[Ending]:
        while True:
            while self._queue and len(self._workers) < self._jobs:
                self._start_worker(self._queue.popleft())
            while self._ended:
                yield self._ended.popleft()
            if self._queue and len(self._workers) < self._jobs:
                continue
            if not self._workers:
                return
            self._wait()

    def close(self) -> None:
        self._server.close()
        for worker in self._workers.values():
            worker.child.close()
        self._workers.clear()
        self._selector.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        self.close()

    # One step of the loop

    def _start_worker(self, task: Task) -> None:
        if not self._server.alive:
            self._server.start()
            self._selector.register(self._server, selectors.EVENT_READ, (None, self._collect_exits))
        worker = _Worker(self._server.fork(), task)
        self._workers[worker.child.number] = worker
        for end, handle in (
            (worker.child.channel, self._read_messages),
            (worker.child.output, self._read_output),
        ):
            self._selector.register(end, selectors.EVENT_READ, (worker, handle))

    def _wait(self) -> None:
        """Until something happens or a deadline passes; then do what is to be done."""
        nearest = min(w.deadline for w in self._workers.values())
        for key, _ in self._selector.select(max(0.0, nearest - time.monotonic())):
            worker, handle = key.data
            if worker is None:
                handle()
            elif worker.child.number in self._workers:  # not dismissed a moment ago
                handle(worker)
        now = time.monotonic()
        for worker in [w for w in self._workers.values() if w.deadline <= now]:
            self._read_output(worker)
            limit = worker.task.timeout if worker.running else START
            self._fail(worker, "timeout", "Timeout", f"did not finish within {limit:g} s")

    def _send_task(self, worker: _Worker) -> None:
        task = worker.task
        worker.taken += 1
        last = task.alone or worker.taken >= self._reuse
        try:
            worker.child.channel.settimeout(START)
            worker.child.channel.sendall(pack(task.function, task.args, task.memory_mb, last))
        except OSError:
            self._fail(worker, "crashed", "Exit", "its process could not be talked to")
            return
        worker.begin(task, time.monotonic() + task.timeout)
        worker.running = True
        self._started(task)

    def _read_messages(self, worker: _Worker) -> None:
        """Read what a child says."""
        try:
            received = worker.child.channel.recv(2**20, socket.MSG_DONTWAIT)
        except BlockingIOError:
            return
        except OSError:
            received = b""
        if not received:
            # Its death is the server's to tell; until then only a child that cut the line is mute.
            self._stop_listening(worker.child.channel)
            worker.deadline = min(worker.deadline, time.monotonic() + 1.0)
            return
        worker.incoming += received
        if len(worker.incoming) > MAX_ANSWER:
            self._fail(worker, "crashed", "Exit", f"its answer was longer than {MAX_ANSWER} bytes")
            return
        *lines, rest = worker.incoming.split(b"\n") if b"\n" in received else [worker.incoming]
        worker.incoming = rest
        for line in lines:
            if worker.child.number in self._workers:
                self._handle_message(worker, line)

    def _handle_message(self, worker: _Worker, line: bytearray) -> None:
        try:
            message = json.loads(line)
            if "at" in message:
                worker.at = str(message["at"])[:100]
            elif "ready" in message:
                self._send_task(worker)
            elif "raised" in message:
                raised = message["raised"]
                failure = Failure(
                    "raised", raised["type"], raised["message"], worker.at, raised["traceback"]
                )
                self._end(worker, None, failure, message["retire"])
            else:
                self._end(worker, message["value"], None, message["retire"])
        except (ValueError, KeyError, TypeError):
            self._fail(worker, "crashed", "Exit", "something else wrote on its line to the parent")

    def _end(
        self, worker: _Worker, value: Any, failure: Failure | None, retire: str | None
    ) -> None:
        """Note an ending; give the child its next task, or let it go."""
        task = worker.task
        self._read_output(worker)
        if worker.child.number not in self._workers:
            return
        self._ended.append(Ending(task, value, failure, time.monotonic() - worker.started))
        if retire or not self._queue or self._queue[0].alone:
            self._stop_worker(worker)
        else:
            worker.task = self._queue.popleft()
            self._send_task(worker)

    def _read_output(self, worker: _Worker) -> None:
        """Read what a child prints, keep the end, and put an end to too much."""
        for _ in range(16):  # then it is the others' turn
            if worker.child.output < 0:
                return
            try:
                text = os.read(worker.child.output, 65536)
            except BlockingIOError:
                return
            if not text:
                self._stop_listening(worker.child.output)
                return
            worker.tail = (worker.tail + text)[-TAIL:]
            worker.printed += len(text)
            if worker.printed > MAX_OUTPUT:
                mib = MAX_OUTPUT // 2**20
                self._fail(worker, "crashed", "Output", f"printed more than {mib} MiB")
                return

    def _collect_exits(self) -> None:
        """Hear from the server which children have died."""
        for child in self._server.exited():
            if not (worker := self._workers.get(child.number)):
                continue
            if not self._server.alive:
                self._fail(worker, "crashed", "Exit", "the process that started it was ended")
                continue
            self._read_messages(worker)  # its last words
            if child.number in self._workers:
                self._read_output(worker)
            if child.number in self._workers:
                self._fail(worker, "crashed", *_how_it_died(child.exit_code or 0))
        if not self._server.alive:
            self._stop_listening(self._server)

    def _fail(self, worker: _Worker, kind: str, type_: str, message: str) -> None:
        tail = worker.tail.decode(errors="replace").strip()
        failure = Failure(kind, type_, message, worker.at, tail)
        seconds = time.monotonic() - worker.started
        self._ended.append(Ending(worker.task, None, failure, seconds))
        self._stop_worker(worker)

    def _stop_worker(self, worker: _Worker) -> None:
        child = worker.child
        del self._workers[child.number]
        self._stop_listening(child.channel)
        self._stop_listening(child.output)
        self._server.kill(child)

    def _stop_listening(self, end: Any) -> None:
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
