"""Nothing that one task changes is felt by the next, whoever's process it runs in."""

from __future__ import annotations

from itertools import pairwise

import pytest

from exportdb.executors import open_executor
from exportdb.executors.protocol import Task
from exportdb.runner.warm import warm_workers

HERE = "tests.executors.stand_ins:"

#: Put back: the next task may have the same process.
RESTORED = [
    "environment", "directory", "signal handler", "sys.path", "recursion limit", "default dtype",
    "grad mode", "deterministic", "threads of torch", "configuration", "random numbers",
]  # fmt: skip
#: Cannot be put back surely: the next task gets a new process.
RETIRED = [
    "thread", "warning filter", "stdout", "builtin", "default device", "patched relu",
    "patched method", "patched Tensor", "pytree", "custom operator", "another kernel", "hook",
    "mode", "autocast", "patched ast", "patched sympy", "patched numpy.random",
]  # fmt: skip


@pytest.fixture(scope="module")
def seen() -> dict[str, tuple[int, dict, int]]:
    """For each change: the process it was made in, what the next task saw, and in which process."""
    pytest.importorskip("torch")
    kinds = [*RESTORED, *RETIRED]
    tasks = [Task(HERE + "state")]
    for kind in kinds:
        tasks += [Task(HERE + "changes", (kind,)), Task(HERE + "state"), Task(HERE + "process")]
    with open_executor(warm_workers(reuse=1000)) as executor:
        for task in tasks:
            executor.submit(task)
        endings = list(executor.endings())
    assert [e.failure for e in endings if e.failure] == []
    values = [e.value for e in endings]
    found = {k: tuple(values[1 + 3 * i : 4 + 3 * i]) for i, k in enumerate(kinds)}
    return {"untouched": (0, values[0], 0), **found}


@pytest.mark.parametrize("kind", [*RESTORED, *RETIRED])
def test_the_next_task_does_not_notice(seen, kind):
    assert seen[kind][1] == seen["untouched"][1]


@pytest.mark.parametrize("kind", RESTORED)
def test_what_can_be_put_back_costs_no_process(seen, kind):
    changed_in, _, next_in = seen[kind]
    assert changed_in == next_in


@pytest.mark.parametrize("kind", RETIRED)
def test_what_cannot_be_put_back_costs_the_process(seen, kind):
    changed_in, _, next_in = seen[kind]
    assert changed_in != next_in


def test_an_ordinary_capture_costs_no_process():
    pytest.importorskip("torch")
    with open_executor(warm_workers(["99", "export"])) as executor:
        for _ in range(3):
            executor.submit(Task(HERE + "captures"))
        pids = [e.value for e in executor.endings()]
    assert all(a == b for a, b in pairwise(pids))


def test_what_a_device_needs_to_run_is_no_trace_of_a_program():
    with open_executor(warm_workers(reuse=1000)) as executor:
        for _ in range(2):
            executor.submit(Task(HERE + "starts_a_thread_and_settles"))
        first, second = (e.value for e in executor.endings())
    assert first == second
