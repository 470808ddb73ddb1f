"""What the tests of executors share: running tasks to their ends."""

from __future__ import annotations

from exportdb.executors import open_executor
from exportdb.executors.protocol import Ending, Task, Workers

HERE = "tests.executors.stand_ins:"


def run(*tasks: Task, jobs: int = 1, reuse: int = 8, preload: str | None = None) -> list[Ending]:
    """The endings of tasks, in the order of the tasks."""
    with open_executor(Workers(jobs, reuse, preload)) as executor:
        for task in tasks:
            executor.submit(task)
        endings = {id(e.task): e for e in executor.endings()}
    assert len(endings) == len(tasks)
    return [endings[id(t)] for t in tasks]


def between_good_ones(function: str, *args: object, timeout: float = 30, memory: int | None = None):
    """What becomes of a task that misbehaves, with well-behaved ones before and behind it."""
    bad = Task(HERE + function, args, timeout, memory_mb=memory)
    good = [Task(HERE + "echo", (i,)) for i in range(4)]
    endings = run(*good[:2], bad, *good[2:])
    assert [e.value for e in endings if e.task is not bad] == [0, 1, 2, 3]
    return endings[2]
