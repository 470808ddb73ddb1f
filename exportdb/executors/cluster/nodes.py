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

from exportdb.executors.cluster.node import Node, Said, surroundings
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Ending, Failure, Task, Workers

#: How many tasks a node has for each of its CPUs: one that goes on, and those that wait there.
AHEAD = 3
#: Seconds after which nodes are looked for again, and that are waited for a first one.
LOOK, WAIT = 5.0, 60.0
#: How often a task may take a node with it before it is to blame.
TRIES = 3


@dataclass(eq=False)
class _ConnectedNode:
    """A node that takes tasks; ``news`` is the call that will say what happened there."""

    name: str
    actor: Any
    cpus: int
    gpus: int
    news: Any
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
        self._count = 0

    def submit(self, task: Task, soon: bool = False) -> None:
        self._count += 1
        self._tasks[self._count] = task
        waiting = self._queues[task.gpu]
        (waiting.appendleft if soon else waiting.append)(self._count)

    def endings(self) -> Iterator[Ending]:
        while self._tasks:
            self._look_for_nodes()
            yield from self._without_a_place()
            self._hand_out()
            calls = {node.news: node for node in self._nodes.values()}
            done, _ = self._ray.wait(list(calls), timeout=LOOK) if calls else ([], [])
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

    def _look_for_nodes(self) -> None:
        """Take in nodes that are new, and wait for one where there is none. Raises RunnerError."""
        if time.monotonic() - self._looked < LOOK:
            return
        until = time.monotonic() + WAIT
        while True:
            for told in self._ray.nodes():
                if told["Alive"] and told["NodeID"] not in self._nodes:
                    self._take_in(told)
            self._looked = time.monotonic()
            if self._nodes:
                return
            if self._looked > until:
                raise RunnerError(f"the cluster has had no node with a CPU for {WAIT:g} s")
            time.sleep(0.5)

    def _take_in(self, told: dict[str, Any]) -> None:
        from ray.util.scheduling_strategies import NodeAffinitySchedulingStrategy

        cpus, gpus = (int(told["Resources"].get(name, 0)) for name in ("CPU", "GPU"))
        if not cpus:
            return
        place = NodeAffinitySchedulingStrategy(told["NodeID"], soft=False)
        options = {"num_cpus": cpus, "num_gpus": gpus, "scheduling_strategy": place,
                   "max_concurrency": 2, "max_restarts": 0}  # fmt: skip
        workers = replace(self._workers, jobs=cpus)
        actor = self._ray.remote(Node).options(**options).remote(workers, str(Path.cwd()))
        try:
            theirs = self._ray.get(actor.surroundings.remote(), timeout=WAIT)
        except self._ray.exceptions.RayError:
            return  # it went as fast as it came, or somebody else has its CPUs
        for what, ours in surroundings().items():
            if theirs[what] != ours:
                raise RunnerError(
                    f"the node {told['NodeManagerAddress']} has {what} {theirs[what]}, here it is "
                    f"{ours}: a run has one environment, use one image for all nodes"
                )
        node = _ConnectedNode(told["NodeID"], actor, cpus, gpus, actor.news.remote())
        self._nodes[node.name] = node

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
        """The ends of tasks that need what no node has."""
        if any(node.gpus for node in self._nodes.values()):
            return
        while self._queues[True]:
            task = self._tasks.pop(self._queues[True].popleft())
            yield Ending(task, None, Failure("not-started", "Node", "no node has a GPU"), 0.0)

    def _hand_out(self) -> None:
        """Give nodes what they have room for; every node begins before any has more in hand."""
        given: dict[str, list[int]] = {}
        for each in (1, AHEAD):
            for node in self._nodes.values():
                while len(node.tasks) < each * node.cpus and (number := self._next(node)):
                    node.tasks.add(number)
                    given.setdefault(node.name, []).append(number)
        for name, numbers in given.items():
            self._nodes[name].actor.add.remote([replace(self._tasks[n], tag=n) for n in numbers])

    def _next(self, node: _ConnectedNode) -> int | None:
        """The number of the next task that a node may have."""
        for waiting in (self._queues[True], self._queues[False])[not node.gpus :]:
            if waiting:
                return waiting.popleft()
        return None

    def _heard(self, node: _ConnectedNode) -> Iterator[Ending]:
        """What a node says happened; the next call to it is made."""
        try:
            news: list[Said] = self._ray.get(node.news)
        except self._ray.exceptions.RayError:
            yield from self._gone(node)
            return
        node.news = node.actor.news.remote()
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
    try:
        ray.init(address, log_to_driver=False, logging_level="ERROR", namespace="exportdb")
    except Exception as e:  # Ray raises half a dozen kinds, by the way it was to be reached
        said = " ".join(str(e).split())[:200]
        raise RunnerError(f"there is no Ray cluster at {address}: {said}") from None
    return ray
