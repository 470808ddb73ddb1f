"""The nodes of a Ray cluster as one :class:`~exportdb.executors.protocol.Executor`.

Owns which node is given what, and that what a lost node had is given to another. Each node has an
actor that takes all of its CPUs and GPUs; a task that needs a GPU goes to a node that has one.
"""

from __future__ import annotations

import contextlib
import socket
import time
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from pathlib import Path
from typing import Any

from exportdb.executors.cluster.node import Event, Node, surroundings
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Ending, Failure, Task, Workers

#: How many tasks a node has for each of its CPUs: one that goes on, and those that wait there.
AHEAD = 3
#: Seconds after which nodes are looked for again, and that are waited for a first one.
LOOK, WAIT = 5.0, 60.0
#: How often a task may take a node with it before it is to blame.
TRIES = 3
#: How often a head is asked to start a process for this one, where it is reached as a client.
CONNECTION_TRIES = 3


@dataclass(eq=False)
class _ConnectedNode:
    """A node that takes tasks once it has ``joined``, which may take long: others may have its
    CPUs. ``call`` is the one that will say what it is like, and then what happened there."""

    name: str
    address: str
    actor: Any
    cpus: int
    gpus: int
    call: Any
    joined: bool = False
    tasks: set[int] = field(default_factory=set)
    begun: set[int] = field(default_factory=set)


class Nodes:
    """Runs tasks on all nodes of a cluster."""

    def __init__(self, address: str, workers: Workers, started: Callable[[Task], None]) -> None:
        self._ray = _connected(address)
        self._workers, self._started = workers, started
        self._queues: dict[bool, deque[int]] = {True: deque(), False: deque()}  # by: needs a GPU
        self._tasks: dict[int, Task] = {}
        self._lost: dict[int, int] = {}
        self._nodes: dict[str, _ConnectedNode] = {}
        self._looked = -LOOK
        self._had_one = time.monotonic()
        self._trouble = ""
        self._count = 0

    def submit(self, task: Task, soon: bool = False) -> None:
        self._count += 1
        self._tasks[self._count] = task
        waiting = self._queues[task.gpu]
        (waiting.appendleft if soon else waiting.append)(self._count)

    def endings(self) -> Iterator[Ending]:
        self._had_one = time.monotonic()
        while self._tasks:
            self._look_for_nodes()
            yield from self._without_a_place()
            self._hand_out()
            calls = {node.call: node for node in self._nodes.values()}
            if not calls:
                time.sleep(0.5)
                continue
            done, _ = self._ray.wait(list(calls), timeout=LOOK)
            for call in done:
                yield from self._heard(calls[call])

    def installed(self) -> str | None:
        return None

    def close(self) -> None:
        for node in self._nodes.values():
            with contextlib.suppress(Exception):  # a cluster that is gone needs no ending
                self._ray.kill(node.actor)
        self._nodes.clear()
        self._ray.shutdown()

    def __enter__(self) -> Nodes:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    # Nodes

    @property
    def _joined(self) -> list[_ConnectedNode]:
        return [node for node in self._nodes.values() if node.joined]

    def _look_for_nodes(self) -> None:
        """Ask nodes that are new to join. Raises RunnerError where there was none for long."""
        now = time.monotonic()
        if self._joined:
            self._had_one = now
        elif now - self._had_one > WAIT:
            busy = "other runs have all CPUs of the cluster" if self._nodes else "no node has a CPU"
            raise RunnerError(
                f"no node of the cluster took a task for {WAIT:g} s: {self._trouble or busy}"
            )
        if self._nodes and now - self._looked < LOOK:
            return
        self._looked = now
        for told in self._ray.nodes():
            if told["Alive"] and told["NodeID"] not in self._nodes:
                self._ask_to_join(told)

    def _ask_to_join(self, told: dict[str, Any]) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        cpus, gpus = (int(told["Resources"].get(name, 0)) for name in ("CPU", "GPU"))
        if not cpus:
            return
        place = NodeAffinitySchedulingStrategy(told["NodeID"], soft=False)
        options = {"num_cpus": cpus, "num_gpus": gpus, "scheduling_strategy": place,
                   "max_concurrency": 2, "max_restarts": 0}  # fmt: skip
        workers = replace(self._workers, jobs=cpus)
        actor = self._ray.remote(Node).options(**options).remote(workers, str(Path.cwd()))
        name, address = told["NodeID"], told["NodeManagerAddress"]
        asked = actor.surroundings.remote()
        self._nodes[name] = _ConnectedNode(name, address, actor, cpus, gpus, asked)

    def _join(self, node: _ConnectedNode, theirs: dict[str, str | None]) -> None:
        """Take in a node. Raises RunnerError for one where records would say something else."""
        for what, ours in surroundings().items():
            if theirs[what] != ours:
                raise RunnerError(
                    f"the node {node.address} has {what} {theirs[what]}, here it is {ours}: a run "
                    "has one environment, use one image for all nodes"
                )
        node.joined, self._trouble = True, ""

    def _gone(self, node: _ConnectedNode) -> Iterator[Ending]:
        """What a lost node had is for others, but for what was lost with nodes again and again."""
        del self._nodes[node.name]
        for number in sorted(node.tasks, reverse=True):
            task = self._tasks[number]
            lost = self._lost[number] = self._lost.get(number, 0) + (number in node.begun)
            if lost < TRIES:
                self._queues[task.gpu].appendleft(number)
            else:
                message = f"{TRIES} nodes were lost while they ran it"
                del self._tasks[number]
                yield Ending(task, None, Failure("crashed", "Node", message), 0.0)

    # Tasks

    def _without_a_place(self) -> Iterator[Ending]:
        """The ends of tasks that need what no node has; one that may yet join may have it."""
        if not self._joined or any(node.gpus for node in self._nodes.values()):
            return
        while self._queues[True]:
            task = self._tasks.pop(self._queues[True].popleft())
            yield Ending(task, None, Failure("not-started", "Node", "no node has a GPU"), 0.0)

    def _hand_out(self) -> None:
        """Give nodes what they have room for; every node begins before any has more in hand."""
        given: dict[str, list[int]] = {}
        for each in (1, AHEAD):
            for node in self._joined:
                while len(node.tasks) < each * node.cpus and (number := self._next(node)):
                    node.tasks.add(number)
                    given.setdefault(node.name, []).append(number)
        for node in self._joined:
            tasks = [replace(self._tasks[n], tag=n) for n in given.get(node.name, ())]
            if node.call is None:
                node.call = node.actor.news.remote(tasks)
            elif tasks:
                node.actor.add.remote(tasks)

    def _next(self, node: _ConnectedNode) -> int | None:
        """The number of the next task that a node may have."""
        for waiting in (self._queues[True], self._queues[False])[not node.gpus :]:
            if waiting:
                return waiting.popleft()
        return None

    def _heard(self, node: _ConnectedNode) -> Iterator[Ending]:
        """What a node says happened; the next call to it is made when it is handed tasks."""
        try:
            told = self._ray.get(node.call)
        except self._ray.exceptions.RayError as e:
            self._trouble = "" if node.joined else " ".join(str(e).split())[-200:]
            yield from self._gone(node)
            return
        node.call = None
        if not node.joined:
            self._join(node, told)
            return
        news: list[Event] = told
        for what, number, more in news:
            if what == "failed":
                raise RunnerError(f"a node of the cluster: {more['message']}")
            task = self._tasks[number]
            if what == "started":
                node.begun.add(number)
                self._started(task)
            else:
                node.tasks.discard(number)
                node.begun.discard(number)
                del self._tasks[number]
                failure = more["failure"] and Failure(**more["failure"])
                yield Ending(task, more["value"], failure, more["seconds"])


def _check_reachable(address: str) -> None:
    """Raises RunnerError where nobody listens: Ray itself would try for minutes."""
    host, colon, port = address.removeprefix("ray://").rpartition(":")
    if not (colon and port.isdigit()):
        return
    try:
        socket.create_connection((host.strip("[]"), int(port)), timeout=LOOK).close()
    except OSError as e:
        said = e.strerror or "it does not answer"
        raise RunnerError(f"there is no Ray cluster at {address}: {said}") from None


def _died_at_birth(error: Exception) -> bool:
    """Whether it is of the process that the head forks for a client, or of looking at it."""
    gone = ("psutil.ZombieProcess", "psutil.NoSuchProcess")
    return isinstance(error, ConnectionAbortedError) or any(name in str(error) for name in gone)


def _connected(address: str) -> Any:
    """Ray, connected to a cluster. Raises RunnerError."""
    try:
        import ray
        import ray.exceptions
    except ImportError:
        raise RunnerError(
            "a cluster needs Ray, which is not installed: pip install 'exportdb[cluster]'"
        ) from None
    _check_reachable(address)
    tried, theirs = 0, ray.is_initialized()
    while True:
        try:
            ray.init(address, log_to_driver=False, logging_level="ERROR", namespace="exportdb")
            return ray
        except Exception as e:  # Ray raises half a dozen kinds, by the way it was to be reached
            tried += 1
            if not theirs:  # what failed would be taken for connected by half from now on
                ray.shutdown()
            if _died_at_birth(e) and tried < CONNECTION_TRIES:
                continue
            said = (str(e).strip() or type(e).__name__).splitlines()[-1].strip()[:200]
            raise RunnerError(f"there is no Ray cluster at {address}: {said}") from None
