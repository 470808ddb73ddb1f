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
import selectors
import signal
import time
from collections import deque
from collections.abc import Callable, Iterator
from typing import Any

from exportdb.executors.local.child import Child
from exportdb.executors.local.forkserver import NOT_FORKED, ForkServer
from exportdb.executors.local.printed import condensed
from exportdb.executors.local.worker import framed, pack, texts_of
from exportdb.executors.protocol import Ending, Failure, Task, Workers

#: Seconds a fresh child may need before it can take its task.
START = 30.0
#: Seconds until a child that says nothing any more is known to have died, or has to.
LAST_WORDS = 5.0
#: Bytes that one task may print before it is ended.
MAX_OUTPUT = 64 * 2**20


class _Worker:
    """A child at work on one task."""

    def __init__(self, child: Child, task: Task, body: bytes) -> None:
        self.child = child
        self.task, self.body = task, body
        self.taken = 0
        self.ready = self.begun = self.last = False
        self.at, self.so_far = "", None
        self.started = time.monotonic()
        self.deadline = self.started + START

    def begin(self, task: Task, body: bytes, last: bool) -> None:
        """Send it a task, and let the time run."""
        self.task, self.body = task, body
        self.taken += 1
        self.begun, self.last, self.at, self.so_far = False, last, "", None
        self.started = time.monotonic()
        self.deadline = self.started + task.timeout
        self.child.forget_output()
        self.child.send(framed(body, last))


class Pool:
    """Runs tasks in forked processes of this machine: the local :class:`Executor`."""

    def __init__(self, workers: Workers, started: Callable[[Task], None]) -> None:
        self._jobs, self._reuse = workers.jobs, workers.reuse
        self._started = started
        self._queue: deque[Task] = deque()
        self._again: deque[Task] = deque()  # each to be run with nothing beside it
        self._tried: set[Task] = set()  # those that were put there
        self._workers: dict[int, _Worker] = {}  # by the child's number
        self._server = ForkServer(workers)
        self._selector = selectors.DefaultSelector()
        self._begun: deque[Task] = deque()
        self._ended: deque[Ending] = deque()

    def submit(self, task: Task, soon: bool = False) -> None:
        if soon:
            self._queue.appendleft(task)
        else:
            self._queue.append(task)

    def endings(self) -> Iterator[Ending]:
        while True:
            self._start_workers()
            while self._begun:
                self._started(self._begun.popleft())
            while self._ended:
                yield self._ended.popleft()
            if self._workers:
                self._wait()
            elif not (self._queue or self._again):
                return

    def installed(self) -> str | None:
        return self._server.installed()

    def close(self) -> None:
        self._server.close()
        for worker in self._workers.values():
            worker.child.close()
        self._workers.clear()
        self._selector.close()

    def __enter__(self) -> Pool:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # What goes in

    def _start_workers(self) -> None:
        while self._queue and not self._again and len(self._workers) < self._jobs:
            self._start_worker(self._queue.popleft())
        if self._again and not self._workers:
            self._start_worker(self._again.popleft())

    def _start_worker(self, task: Task) -> None:
        if (body := self._packed(task)) is None:
            return
        if not self._server.alive:
            self._collect_exits()  # of one that has died since
            self._server.start()
            self._selector.register(self._server, selectors.EVENT_READ, None)
        worker = _Worker(self._server.fork(), task, body)
        self._workers[worker.child.number] = worker
        for end in (worker.child.channel, worker.child.output):
            self._selector.register(end, selectors.EVENT_READ, worker)

    def _packed(self, task: Task) -> bytes | None:
        """The bytes of a task; None, and its end, if it has none."""
        try:
            return pack(task.function, task.args, task.memory_mb)
        except Exception as e:
            what = texts_of(e)
            message = f"its arguments cannot be sent to a process: {what['message']}"
            failure = Failure("not-started", what["type"], message, output=what["traceback"])
            self._ended.append(Ending(task, None, failure, 0.0))
            return None

    def _give(self, worker: _Worker, task: Task, body: bytes) -> None:
        alone = task.alone or task in self._tried
        worker.begin(task, body, last=alone or worker.taken + 1 >= self._reuse)
        self._watch_for_room(worker)
        if task not in self._tried:
            self._begun.append(task)

    def _give_next(self, worker: _Worker) -> bool:
        """Give a worker the next task in the queue, if it may have that."""
        while self._queue and not (self._queue[0].alone or self._again):
            task = self._queue.popleft()
            if body := self._packed(task):
                self._give(worker, task, body)
                return True
        return False

    # What comes out

    def _wait(self) -> None:
        """Until something happens or a deadline passes; then do what is to be done."""
        nearest = min(w.deadline for w in self._workers.values())
        for key, _ in self._selector.select(max(0.0, nearest - time.monotonic())):
            if key.data is None:
                self._collect_exits()
            elif self._has(key.data):  # not stopped a moment ago
                self._attend(key.data)
        now = time.monotonic()
        for worker in [w for w in self._workers.values() if w.deadline <= now]:
            self._out_of_time(worker)

    def _has(self, worker: _Worker) -> bool:
        return worker.child.number in self._workers

    def _attend(self, worker: _Worker) -> None:
        """Read what a child says and prints, and send what it has room for."""
        child = worker.child
        if child.unsent:
            child.send()
            self._watch_for_room(worker)
        child.read_output()
        try:
            for message in child.messages():
                self._handle_message(worker, message)
                if not self._has(worker):
                    return
        except ValueError:
            self._fail(worker, "crashed", "Exit", "something else wrote on its line to the parent")
            return
        if child.printed > MAX_OUTPUT:
            mib = MAX_OUTPUT // 2**20
            self._fail(worker, "crashed", "Output", f"printed more than {mib} MiB")
            return
        if child.silent:
            self._stop_listening(child.output)
        if child.mute:
            # Its death is the server's to tell; until then only a child that cut the line is mute.
            self._stop_listening(child.channel)
            worker.deadline = min(worker.deadline, time.monotonic() + LAST_WORDS)

    def _watch_for_room(self, worker: _Worker) -> None:
        """Wake up when a child can take more, as long as there is more for it."""
        wanted = selectors.EVENT_READ | (selectors.EVENT_WRITE if worker.child.unsent else 0)
        with contextlib.suppress(KeyError):  # it has cut the line
            if self._selector.get_key(worker.child.channel).events != wanted:
                self._selector.modify(worker.child.channel, wanted, worker)

    def _handle_message(self, worker: _Worker, message: dict[str, Any]) -> None:
        if "ready" in message and not worker.ready:
            worker.ready = True
            self._give(worker, worker.task, worker.body)
        elif "at" in message and worker.ready:
            worker.begun = True
            worker.at = str(message["at"])[:100]
        elif "so_far" in message and worker.begun:
            worker.so_far = message["so_far"]
        elif "raised" in message and (worker.begun or worker.taken == 1):
            raised = message["raised"]
            failure = Failure(
                "raised", raised["type"], raised["message"], worker.at, raised["traceback"]
            )
            self._end(worker, None, failure, message.get("retire"))
        elif "value" in message and worker.begun:
            self._end(worker, message["value"], None, message.get("retire"))
        else:
            raise ValueError("a message that nobody waited for")

    def _end(
        self, worker: _Worker, value: Any, failure: Failure | None, retire: str | None
    ) -> None:
        """Note an ending; give the child its next task, or let it go."""
        worker.child.read_output()  # it is no other task's
        self._note(worker, value, failure)
        done = retire or worker.last or worker.child.exit_code is not None
        if done or not self._give_next(worker):
            self._stop_worker(worker)

    def _note(self, worker: _Worker, value: Any, failure: Failure | None) -> None:
        self._tried.discard(worker.task)
        seconds = time.monotonic() - worker.started
        value = value if failure is None else worker.so_far
        self._ended.append(Ending(worker.task, value, failure, seconds))

    # What goes wrong

    def _collect_exits(self) -> None:
        """Hear from the server which children have died."""
        cannot_begin = False
        for child in self._server.exited():
            if worker := self._workers.get(child.number):
                self._attend(worker)  # its last words
            if not worker or not self._has(worker):
                continue
            if child.exit_code is None:
                message = "the process that starts the others was ended while only this task ran"
                self._fail(worker, "crashed", "Exit", message, doubted=True)
            elif child.exit_code == NOT_FORKED:
                message = "no process could be started for it"
                self._fail(worker, "not-started", "Exit", message, doubted=True)
            elif not worker.ready:
                cannot_begin = True
                _, how = _how_it_died(child.exit_code)
                message = f"before its process could begin, {how}"
                self._fail(worker, "not-started", "Exit", message, doubted=True)
            else:
                self._fail(worker, "crashed", *_how_it_died(child.exit_code))
        if not self._server.alive:
            self._stop_listening(self._server)
        elif cannot_begin:
            # No task was sent yet: somebody broke what they begin with. Another has it anew.
            self._server.kill_itself()

    def _out_of_time(self, worker: _Worker) -> None:
        if not worker.ready:
            self._server.kill_itself()  # forking takes no time: it is stopped, or stuck
            message = f"its process was not ready within {START:g} s"
            self._fail(worker, "not-started", "Timeout", message, doubted=True)
        elif worker.child.mute and worker.started + worker.task.timeout > time.monotonic():
            self._fail(worker, "crashed", "Exit", "it closed its line to the parent")
        else:
            message = f"did not finish within {worker.task.timeout:g} s"
            self._fail(worker, "timeout", "Timeout", message)

    def _fail(
        self, worker: _Worker, kind: str, type_: str, message: str, doubted: bool = False
    ) -> None:
        """End a task whose process is lost, or run it once more, if that may be another's doing.

        It is ``doubted`` when others may have done it, and when the process had other tasks before
        and was lost before it began this one. Run again it has a process of its own, with nothing
        beside it: what happens then is its own doing.
        """
        task = worker.task
        doubted = doubted or (worker.taken > 1 and not worker.begun)
        if doubted and task not in self._tried:
            self._tried.add(task)
            self._again.append(task)
        else:
            worker.child.read_output()
            said = condensed(worker.child.tail.decode(errors="replace"))
            self._note(worker, None, Failure(kind, type_, message, worker.at, said))
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
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        hint = ", as the system does when memory runs out" if name == "SIGKILL" else ""
        return name, f"the process was ended by {name}{hint}"
    return "Exit", f"the process ended itself with exit code {code}"
