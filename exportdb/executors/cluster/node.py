"""One node of a cluster: a local pool between two queues, of tasks and of what became of them.

Knows nothing of Ray, which calls its methods from threads of its own. Only one thread, started
here, ever touches the pool.
"""

from __future__ import annotations

import contextlib
import os
import platform
import queue
import threading
from dataclasses import asdict, replace
from typing import Any

import exportdb
from exportdb.distributions import installed_version
from exportdb.environments.travel import arrived
from exportdb.environments.wanted import EnvironmentTrouble
from exportdb.executors.error import RunnerError
from exportdb.executors.local.pool import Pool
from exportdb.executors.protocol import Task, Workers

#: Seconds that a call waits for something to tell.
ANSWER_WITHIN = 5.0
#: What a node says of a task, or of itself: what, the number of the task, and more.
Event = tuple[str, int, dict[str, Any]]


def surroundings() -> dict[str, str | None]:
    """What must be the same on all nodes: records say it once for all of them."""
    return {
        "Python": platform.python_version(),
        "platform": f"{platform.system()}-{platform.machine()}",
        "torch": installed_version("torch"),
        "exportdb": exportdb.__version__,
    }


class Node:
    """Runs tasks, each named by the number that is its tag."""

    def __init__(self, workers: Workers, folder: str) -> None:
        with contextlib.suppress(OSError):  # paths of cases may be relative to it
            os.chdir(folder)
        self._workers = workers
        self._given: queue.Queue[Task] = queue.Queue()
        self._events: queue.Queue[Event] = queue.Queue()
        threading.Thread(target=self._work, daemon=True).start()

    def surroundings(self) -> dict[str, str | None]:
        """See :func:`surroundings`."""
        return surroundings()

    def add(self, tasks: list[Task]) -> None:
        """Take further tasks."""
        for task in tasks:
            self._given.put(task)

    def news(self, tasks: list[Task]) -> list[Event]:
        """Take further tasks and return what happened since the last call; waits a moment if that
        is nothing. One call for both is half the cost of two."""
        self.add(tasks)
        try:
            found = [self._events.get(timeout=ANSWER_WITHIN)]
        except queue.Empty:
            return []
        while not self._events.empty():
            found.append(self._events.get())
        return found

    def _work(self) -> None:
        try:
            with Pool(self._settled(), self._started) as pool:
                while True:
                    pool.submit(self._given.get())
                    self._pass_on(pool)
                    for ending in pool.endings():
                        told = asdict(replace(ending, task=Task("")))
                        del told["task"]
                        self._events.put(("ended", ending.task.tag, told))
                        self._pass_on(pool)
        except (RunnerError, EnvironmentTrouble) as e:
            self._events.put(("failed", -1, {"message": str(e)}))
        except Exception as e:  # a node that says nothing more would be waited for
            self._events.put(("failed", -1, {"message": f"{type(e).__name__}: {e}"}))

    def _settled(self) -> Workers:
        """The workers, with the environment of their exporter on this node."""
        interpreter = self._workers.interpreter
        return replace(self._workers, interpreter=interpreter and arrived(interpreter))

    def _started(self, task: Task) -> None:
        self._events.put(("started", task.tag, {}))

    def _pass_on(self, pool: Pool) -> None:
        """Give the pool what has come meanwhile."""
        while not self._given.empty():
            pool.submit(self._given.get())
