"""A task never pays for what another did: if others may have ended it, it is run once more."""

from __future__ import annotations

import pytest

from exportdb.executors import open_executor
from exportdb.executors.local import pool
from exportdb.executors.protocol import Task, Workers
from tests.executors.running import HERE, between_good_ones, run


@pytest.mark.parametrize("function", ["breaks_seeding", "breaks_the_clean_up"])
def test_what_breaks_the_clean_up_of_its_process_ends_that_process(function):
    tasks = [Task(HERE + "process"), Task(HERE + function)]
    tasks += [Task(HERE + "process") for _ in range(2)]
    endings = run(*tasks, preload=HERE + "imports_numpy")
    assert [e.failure for e in endings] == [None] * 4
    assert endings[0].value != endings[2].value == endings[3].value


def test_who_dies_in_a_used_process_before_it_begins_gets_a_fresh_one():
    assert between_good_ones("breaks_what_takes_the_next_task").failure is None


def test_ending_the_process_that_forks_ends_nothing_else(tmp_path):
    mark = str(tmp_path / "mark")
    innocent = [Task(HERE + "leaves_a_mark_and_waits", (mark,)), Task(HERE + "echo", (1,))]
    guilty = Task(HERE + "kills_its_parent_soon", (mark,))
    first, found, last = run(innocent[0], guilty, innocent[1], jobs=2)
    assert first.value == 2  # it was begun twice, and reported once
    assert (found.failure.kind, last.value) == ("crashed", 1)
    assert "while only this task ran" in found.failure.message


def test_what_ends_the_process_that_forks_again_and_again_is_no_reason_to_get_warm_again(tmp_path):
    mark = tmp_path / "mark"
    kills = [Task(HERE + "kills_its_parent") for _ in range(2)]
    tasks = [kills[0], Task(HERE + "echo", (1,)), kills[1]]
    workers = Workers(preload=HERE + "leaves_a_mark", arguments=(str(mark),))
    with open_executor(workers) as executor:
        for task in tasks:
            executor.submit(task)
        found = {e.task: e.failure and e.failure.kind for e in executor.endings()}
        executor.submit(Task(HERE + "echo", (1,)))
        assert [e.value for e in executor.endings()] == [1]
    assert [found[task] for task in tasks] == ["crashed", None, "crashed"]
    assert mark.read_text() == "x"


def test_running_a_task_again_is_not_announced_again(tmp_path):
    mark = str(tmp_path / "mark")
    begun: list[str] = []
    tasks = [
        Task(HERE + "leaves_a_mark_and_waits", (mark,)),
        Task(HERE + "kills_its_parent_soon", (mark,)),
    ]
    with open_executor(Workers(jobs=2), lambda t: begun.append(t.function)) as executor:
        for task in tasks:
            executor.submit(task)
        assert len(list(executor.endings())) == 2
    assert sorted(begun) == sorted(t.function for t in tasks)


def test_stopping_the_process_that_forks_only_takes_time(monkeypatch):
    monkeypatch.setattr(pool, "START", 1.0)
    tasks = [Task(HERE + "stops_its_parent"), *[Task(HERE + "echo", (i,)) for i in range(3)]]
    assert [e.value for e in run(*tasks, reuse=1)] == [None, 0, 1, 2]


def test_where_no_process_can_be_had_the_task_is_not_to_blame(monkeypatch):
    monkeypatch.setattr(pool, "START", 0.0)
    (ending,) = run(Task(HERE + "echo", (1,)))
    assert ending.failure.kind == "not-started"


@pytest.mark.parametrize("how", ["gone", "exists"])
def test_what_spoils_the_folder_in_which_processes_begin_harms_no_other(how, tmp_path):
    spoils = Task(HERE + "spoils_where_processes_begin", (how,))
    good = [Task(HERE + "echo", (i,)) for i in range(3)]
    endings = run(spoils, *good, reuse=1)
    assert [e.failure for e in endings] == [None] * 4
    assert [e.value for e in endings[1:]] == [0, 1, 2]
    # What another process was doing is done again, and not lost.
    at_work = Task(HERE + "leaves_a_mark_and_waits", (str(tmp_path / "mark"),))
    endings = run(at_work, spoils, *good, jobs=2, reuse=1)
    assert [e.failure for e in endings] == [None] * 5


def test_where_no_process_can_begin_at_all_the_task_is_not_to_blame():
    preload = HERE + "spoils_what_processes_begin_with"
    with open_executor(Workers(preload=preload)) as executor:
        executor.submit(Task(HERE + "echo", (1,)))
        (ending,) = executor.endings()
    assert ending.failure.kind == "not-started"
    assert "before its process could begin" in ending.failure.message


@pytest.mark.parametrize("argument", [lambda: 0, "CannotBeSent()"], ids=["lambda", "raises"])
def test_what_cannot_be_sent_is_nobodys_crash(argument):
    from tests.executors.stand_ins import CannotBeSent

    bad = Task(HERE + "echo", (CannotBeSent() if isinstance(argument, str) else argument,))
    good = [Task(HERE + "echo", (i,)) for i in range(3)]
    endings = {id(e.task): e for e in run(good[0], bad, *good[1:])}
    failure = endings[id(bad)].failure
    assert failure.kind == "not-started"
    assert "cannot be sent" in failure.message
    assert [endings[id(g)].value for g in good] == [0, 1, 2]


def test_an_error_of_who_is_told_is_raised_to_the_caller_and_ends_no_task():
    def show(task: Task) -> None:
        raise TypeError("no display")

    tasks = [Task(HERE + "echo", (i,)) for i in range(3)]
    values = []
    with open_executor(started=show) as executor:
        for task in tasks:
            executor.submit(task)
        for _ in tasks:
            with pytest.raises(TypeError, match="no display"):
                for ending in executor.endings():
                    values.append(ending.value)
        values += [e.value for e in executor.endings()]
    assert values == [0, 1, 2]
