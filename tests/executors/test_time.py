"""An ending comes when its time is up, whatever the task does to the line to the parent."""

from __future__ import annotations

import time

import pytest

from exportdb.executors import open_executor
from exportdb.executors.error import RunnerError
from exportdb.executors.local import forkserver
from exportdb.executors.protocol import Task, Workers
from tests.executors.running import HERE, between_good_ones, run

#: Seconds after its limit at which an ending is late.
LATE = 6.0

READY, PROGRESS, NOISE = '{"ready": true}\n', '{"at": "run"}\n', "x" * 9999


@pytest.mark.parametrize(
    ("text", "kind"),
    [
        (READY, "crashed"),
        (PROGRESS, "timeout"),
        (NOISE, "timeout"),
        ("[" * 100_000 + "\n", "crashed"),
        ('{"value": 1, "retire": null, "ready": true}\n', "crashed"),
        ('{"raised": {"type": 1}, "retire": null}\n', "crashed"),
    ],
    ids=["ready", "progress", "noise", "nested", "two messages", "no error"],
)
def test_writing_on_the_line_buys_no_time(text, kind):
    ending = between_good_ones("writes_on_the_line", text, 100_000, timeout=1.5)
    assert ending.failure.kind == kind
    assert ending.seconds < 1.5 + LATE


@pytest.mark.parametrize("text", [READY, PROGRESS, NOISE], ids=["ready", "progress", "noise"])
@pytest.mark.parametrize("function", ["leaves_a_writer_and_hangs", "leaves_a_writer_and_dies"])
def test_nor_does_a_process_left_behind_on_it(function, text):
    ending = between_good_ones(function, text, timeout=1.5)
    assert ending.failure.kind in ("crashed", "timeout")
    assert ending.seconds < 1.5 + LATE


@pytest.mark.parametrize("reading", [False, True])
def test_a_process_left_on_the_line_does_not_meet_the_next_task(reading):
    between_good_ones("leaves_a_writer_on_the_line", PROGRESS, reading)


def test_a_value_said_twice_is_not_the_next_tasks():
    forged = '{"value": "forged", "retire": null}\n'
    bad = Task(HERE + "writes_on_the_line", (forged, 1, 0.2))
    assert [e.value for e in run(bad, Task(HERE + "echo", (1,)))][1] == 1


def test_a_task_that_nobody_takes_waits_for_its_time_and_no_longer():
    begun = time.monotonic()
    big = Task(HERE + "echo", ("x" * 10_000_000,), timeout=2)
    endings = run(Task(HERE + "stops_reading"), big)
    assert endings[1].value == big.args[0]
    assert endings[1].seconds < 2
    assert time.monotonic() - begun < 30


def test_warming_up_has_a_limit_and_says_how_far_it_came(monkeypatch):
    monkeypatch.setattr(forkserver, "WARM_UP", 3.0)
    workers = Workers(preload=HERE + "warms_for_ever")
    with open_executor(workers) as executor, pytest.raises(RunnerError) as error:
        executor.submit(Task(HERE + "echo", (1,)))
        list(executor.endings())
    assert "was not ready within 3 s: warming up" in str(error.value)
