"""Tasks on the nodes of a real cluster, which is on this machine: isolation, and nodes that die."""

from __future__ import annotations

import contextlib
import json
import os
import random
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import pytest

from exportdb.executors import open_executor
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Ending, Task, Workers
from exportdb.records import jsonl
from tests.processes import family

from .running import HERE

pytest.importorskip("ray")

#: A task that tells one node from another.
WHERE = (HERE + "server_of_mine_later", (0.1,))


@pytest.fixture(scope="module")
def cluster() -> Iterator[Any]:
    """A cluster whose head runs nothing, with two nodes of one CPU; a test leaves as many."""
    from ray.cluster_utils import Cluster

    port = a_free_port()
    head = {"num_cpus": 0, "include_dashboard": False, "ray_client_server_port": port}
    made = Cluster(initialize_head=True, head_node_args=head)
    made.for_clients = f"ray://127.0.0.1:{port}"
    made.add_node(num_cpus=1)
    made.add_node(num_cpus=1)
    made.wait_for_nodes()
    yield made
    made.shutdown()


def a_free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port: int = taken.getsockname()[1]
        return port


def run(cluster: Any, *tasks: Task, ended: Any = lambda n: None) -> list[Ending]:
    """The endings of tasks, as they come; ``ended`` is told how many there are."""
    found = []
    with open_executor(Workers(cluster=cluster.address)) as executor:
        for task in tasks:
            executor.submit(task)
        for ending in executor.endings():
            found.append(ending)
            ended(len(found))
    return found


def kill_one(cluster: Any) -> None:
    """End a node that runs tasks, as a power cut would."""
    cluster.remove_node(next(iter(cluster.worker_nodes)), allow_graceful=False)


def values(endings: list[Ending]) -> list[Any]:
    return sorted(e.value for e in endings if e.failure is None)


def test_both_nodes_take_tasks_and_what_one_does_harms_no_other(cluster: Any) -> None:
    good = [Task(HERE + "echo", (i,)) for i in range(12)]
    bad = [Task(HERE + "segfault"), Task(HERE + "hangs", timeout=1.0),
           Task(HERE + "takes_memory", memory_mb=200), Task(HERE + "raises")]  # fmt: skip
    begun: list[Task] = []
    endings: dict[Task, Ending] = {}
    servers: set[int] = set()
    with open_executor(Workers(cluster=cluster.address), begun.append) as executor:
        for task in [*good[:6], *bad, *good[6:]]:
            executor.submit(task)
        until = time.monotonic() + 60  # for both nodes to come up, on a busy machine
        for _ in range(2):  # so that one that is free is not always the same
            executor.submit(Task(*WHERE))
        for ending in executor.endings():
            endings[ending.task] = ending
            if ending.task.function == WHERE[0]:
                servers.add(ending.value)
                if len(servers) < 2 and time.monotonic() < until:
                    executor.submit(Task(*WHERE))
    assert [endings[t].value for t in good] == list(range(12))
    kinds = [endings[t].failure and endings[t].failure.kind for t in bad]
    assert kinds[:2] == ["crashed", "timeout"] and kinds[3] == "raised" and kinds[2] is not None
    assert len(servers) == 2, "one server on each node"
    assert {*begun} == {*endings}


def test_what_a_lost_node_had_is_done_by_another_and_nothing_twice(cluster: Any) -> None:
    def ended(count: int) -> None:
        if count == 5:
            kill_one(cluster)
        if count == 20:
            cluster.add_node(num_cpus=1)

    endings = run(cluster, *(Task(HERE + "echo_later", (i, 0.1)) for i in range(60)), ended=ended)
    assert values(endings) == list(range(60))


def test_from_elsewhere_it_is_the_same_by_the_address_for_clients(cluster: Any) -> None:
    good = [Task(HERE + "echo_later", (i, 0.1)) for i in range(20)]
    endings = []
    with open_executor(Workers(cluster=cluster.for_clients)) as executor:
        for task in [*good, Task(HERE + "segfault")]:
            executor.submit(task)
        for ending in executor.endings():
            endings.append(ending)
            if len(endings) == 3:
                kill_one(cluster)
    cluster.add_node(num_cpus=1)
    assert values(endings) == list(range(20))
    assert [e.failure.kind for e in endings if e.failure] == ["crashed"]


#: What Ray says of a client's process that died.
NO_SERVER = ConnectionAbortedError("no server")


def breaks_connections(
    monkeypatch: pytest.MonkeyPatch,
    *,
    how_many: int,
    error: Exception = NO_SERVER,
) -> list[str]:
    """The head's process for a client dies as it starts, so many times; what is left to break."""
    from ray.util.client.worker import Worker

    left, connect = ["died"] * how_many, Worker._server_init

    def connects_or_not(self: Any, *words: Any) -> None:
        if left:
            raise type(error)(f"{error}:\nTraceback\nits process {left.pop()}")
        connect(self, *words)

    monkeypatch.setattr(Worker, "_server_init", connects_or_not)
    return left


@pytest.mark.parametrize(
    "error",
    [NO_SERVER, RuntimeError("psutil.ZombieProcess: PID still exists")],
    ids=["said by Ray", "by what it looks at processes with"],
)
def test_a_head_whose_process_for_a_client_died_is_asked_again(
    cluster: Any, monkeypatch: pytest.MonkeyPatch, error: Exception
) -> None:
    left = breaks_connections(monkeypatch, how_many=2, error=error)
    with open_executor(Workers(cluster=cluster.for_clients)) as executor:
        executor.submit(Task(HERE + "echo", (1,)))
        assert [e.value for e in executor.endings()] == [1]
    assert not left


def test_after_a_failed_connection_a_cluster_can_be_reached(
    cluster: Any, monkeypatch: pytest.MonkeyPatch
) -> None:
    left = breaks_connections(monkeypatch, how_many=100)
    with pytest.raises(RunnerError, match=r"no Ray cluster at ray://[^ ]*: its process died$"):
        open_executor(Workers(cluster=cluster.for_clients))
    assert 90 < len(left) < 99, "it is asked more than once, and not for ever"
    assert values(run(cluster, Task(HERE + "echo", (1,)))) == [1]


def test_a_connection_that_the_process_has_is_left_to_it(cluster: Any) -> None:
    import ray

    ray.init(cluster.address, log_to_driver=False, logging_level="ERROR")
    try:
        with pytest.raises(RunnerError, match=r"there is no Ray cluster at .*twice"):
            open_executor(Workers(cluster=cluster.address))
        assert ray.is_initialized()
    finally:
        ray.shutdown()


def test_what_needs_a_gpu_goes_where_one_is(cluster: Any) -> None:
    needs = Task(HERE + "echo", (1,), gpu=True)
    (ending,) = run(cluster, needs)
    assert (ending.failure.kind, ending.failure.message) == ("not-started", "no node has a GPU")
    added = cluster.add_node(num_cpus=1, num_gpus=1)
    cluster.wait_for_nodes()
    visible = Task(HERE + "variable", ("CUDA_VISIBLE_DEVICES",), gpu=True)
    assert [e.value for e in run(cluster, visible, Task(HERE + "echo", ("0",)))] == ["0", "0"]
    cluster.remove_node(added)


def test_a_node_with_another_torch_is_told(cluster: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    from exportdb.executors.cluster import nodes

    monkeypatch.setattr(nodes, "surroundings", lambda: {"torch": "1.0"})
    with pytest.raises(RunnerError, match=r"has torch .*, here it is 1\.0"):
        run(cluster, Task(HERE + "echo", (1,)))


def test_a_node_that_another_run_has_is_not_waited_for_and_joins_when_it_is_free(
    cluster: Any,
) -> None:
    """Two runs at once; the second has what the first leaves, from the moment on that it does."""
    other = subprocess.Popen(
        [sys.executable, "-c", OTHER_RUN, cluster.address], text=True, stdin=subprocess.PIPE,
        stdout=subprocess.PIPE,
    )  # fmt: skip
    assert other.stdin and other.stdout
    try:
        assert other.stdout.readline() == "has it\n"
        places = []
        with open_executor(Workers(cluster=cluster.address)) as executor:
            for _ in range(200):
                executor.submit(Task(*WHERE))
            began = time.monotonic()
            for ending in executor.endings():
                places.append(ending.value)
                if len(places) == 20:
                    assert len({*places}) == 1 and time.monotonic() - began < 30
                    other.stdin.close()
        assert len(places) == 200 and len({*places}) == 2
    finally:
        other.kill()
        other.wait()


#: Holds one of two nodes until its input ends.
OTHER_RUN = """
import sys, ray
ray.init(sys.argv[1], log_to_driver=False, logging_level="ERROR", namespace="exportdb")

@ray.remote(num_cpus=1)
class Holder:
    def held(self):
        return True

holder = Holder.remote()
ray.get(holder.held.remote())
print("has it", flush=True)
sys.stdin.read()
"""


def test_without_a_cluster_it_is_one_clear_error() -> None:
    with pytest.raises(RunnerError, match="there is no Ray cluster at 127"):
        open_executor(Workers(cluster="127.0.0.1:1"))


@pytest.mark.slow
def test_a_run_on_a_cluster_says_what_one_here_says(cluster: Any, tmp_path: Path) -> None:
    words = ["run", "top_k/*", "--exporter", "export,make-fx", "--timeout", "300"]
    told = {}
    for name, more in (("here", []), ("there", ["--cluster", cluster.address])):
        out = tmp_path / f"{name}.jsonl"
        done = subprocess.run(
            [sys.executable, "-m", "exportdb", *words, *more, "--out", str(out)], text=True,
            env={**os.environ, "EXPORTDB_HOME": str(tmp_path / name)}, capture_output=True,
        )  # fmt: skip
        assert done.returncode == 0, done.stderr
        told[name] = {(r.identity, r.outcome, r.graph_digest) for r in jsonl.read(out)[1]}
    assert told["here"] == told["there"] and len(told["here"]) > 10


@pytest.mark.slow
def test_a_hunt_on_a_cluster_finds_what_one_here_finds(cluster: Any, tmp_path: Path) -> None:
    (tmp_path / "mine.py").write_text(
        "class Refusing:\n    def capture(self, program):\n        raise KeyError('aten.foo')\n"
    )
    words = ["hunt", "--exporter", "mine.py:Refusing", "--programs", "4", "--seconds", "5",
             "--json"]  # fmt: skip
    told = {}
    for name, more in (("here", []), ("there", ["--cluster", cluster.address])):
        done = subprocess.run(
            [sys.executable, "-m", "exportdb", *words, *more], text=True, cwd=tmp_path,
            env={**os.environ, "EXPORTDB_HOME": str(tmp_path / name)}, capture_output=True,
        )  # fmt: skip
        assert done.returncode == 1, done.stderr
        told[name] = json.loads(done.stdout)
    here, there = told["here"], told["there"]
    for what in ("programs", "elements", "outcomes"):
        assert here[what] == there[what], what
    assert [c["key"] for c in here["causes"]] == [c["key"] for c in there["causes"]]


@pytest.mark.slow
def test_nodes_killed_at_random_moments_lose_and_double_nothing(cluster: Any) -> None:
    chance, kills = random.Random(17), []

    def ended(_: int) -> None:
        if len(kills) < 20 and chance.random() < 0.05:
            kill_one(cluster)
            kills.append(cluster.add_node(num_cpus=1))

    endings = run(cluster, *(Task(HERE + "echo_later", (i, 0.05)) for i in range(600)), ended=ended)
    assert values(endings) == list(range(600)) and len(kills) == 20


@pytest.mark.slow
@pytest.mark.parametrize("kills", [6, 20])
def test_a_run_of_which_all_kinds_of_process_are_killed_loses_and_doubles_nothing(
    cluster: Any, tmp_path: Path, kills: int
) -> None:
    """The real command on real cases. So many times, and at random moments, it is killed itself,
    or a node is, or a process on a node; each of these as often as the others."""
    chance = random.Random(17)
    plan = (["parent", "node", "process"] * kills)[:kills]
    chance.shuffle(plan)
    words = [sys.executable, "-m", "exportdb", "run", "--cluster", cluster.address]
    first = ["mutation/*", "control_flow/*", "--exporter", "export,make-fx", "--fresh"]
    kept: list[str] = []

    def lines() -> list[str]:
        files = [*tmp_path.glob("runs/*.jsonl")]
        text = "".join(f.read_text() for f in files).splitlines(keepends=True)
        assert len(files) < 2
        return [line for line in text if line.endswith("\n")]

    run = None
    while plan:
        if run is None:
            run = started([*words, *(["--resume"] if lines() else first)], tmp_path)
        enough = len(lines()) + chance.randint(2, 5)
        while len(lines()) < enough and run.poll() is None:
            time.sleep(0.05)
        assert run.poll() is None, (tmp_path / "said").read_text()[-2000:]
        match plan.pop():
            case "parent":
                run.kill()
                run.wait()
                whole, run = lines(), None
                assert whole[: len(kept)] == kept
                kept = whole
            case "node":
                kill_one(cluster)
                cluster.add_node(num_cpus=1)
            case _:
                while not (victims := on_nodes()):
                    time.sleep(0.05)
                with contextlib.suppress(ProcessLookupError):
                    os.kill(chance.choice(victims), signal.SIGKILL)
    if run is not None:
        assert run.wait(timeout=900) in (0, 2)
    else:
        assert started([*words, "--resume"], tmp_path).wait(timeout=900) in (0, 2)
    (path,) = tmp_path.glob("runs/*.jsonl")
    header, records = jsonl.read(path)
    identities = [r.identity for r in records]
    assert len(identities) == len({*identities}) == header.planned
    assert lines()[: len(kept)] == kept


def started(words: list[str], home: Path) -> subprocess.Popen[bytes]:
    """A command that goes on; what it complains of is in the file ``said``."""
    with (home / "said").open("w") as said:
        return subprocess.Popen(
            words, env={**os.environ, "EXPORTDB_HOME": str(home)},
            stdout=subprocess.DEVNULL, stderr=said,
        )  # fmt: skip


def on_nodes() -> list[int]:
    """The servers and workers of the nodes: the processes below those of Ray's that run ours."""
    nodes = []
    for process in family(os.getpid()):
        with contextlib.suppress(OSError):
            if "ray::Node" in Path(f"/proc/{process}/comm").read_text():
                nodes.append(process)
    return sorted({p for node in nodes for p in family(node)})


@pytest.mark.slow
def test_two_nodes_are_nearly_twice_as_fast_as_one(cluster: Any) -> None:
    tasks = [Task(HERE + "echo_later", (i, 0.1)) for i in range(150)]

    def seconds(where: Workers) -> float:
        """From the first ending to the last: processes have come up by then."""
        with open_executor(where) as executor:
            for task in tasks:
                executor.submit(task)
            endings = executor.endings()
            next(endings)
            began = time.perf_counter()
            assert len(list(endings)) == len(tasks) - 1
            return time.perf_counter() - began

    both = seconds(Workers(cluster=cluster.address))
    kill_one(cluster)
    one, here = seconds(Workers(cluster=cluster.address)), seconds(Workers())
    cluster.add_node(num_cpus=1)
    assert one > 1.7 * both and one < 1.05 * here, (one, both, here)
