"""Tasks in processes of their own: whatever one does, the others get their results."""

from __future__ import annotations

import signal
import time
from pathlib import Path

import pytest

from exportdb.executors import open_executor
from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Task, Workers
from tests.executors.running import HERE, between_good_ones, run


def is_alive(pid: int) -> bool:
    """Whether a process is there and no zombie; waits a little for it to go."""
    for _ in range(50):
        try:
            state = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()[0]
        except OSError:
            return False
        if state == "Z":
            return False
        time.sleep(0.05)
    return True


def test_values_come_back_as_json():
    assert run(Task(HERE + "echo", ({"a": [1, None, "ü"]},)))[0].value == {"a": [1, None, "ü"]}


def test_a_task_that_raises_keeps_its_error_and_the_child():
    bad = between_good_ones("raises")
    assert (bad.failure.kind, bad.failure.type) == ("raised", "ValueError")
    assert bad.failure.message == "as it was told to"
    assert "in raises" in bad.failure.output


@pytest.mark.parametrize("kills", [2, 9])
def test_a_server_that_is_killed_while_it_comes_up_is_started_again_but_not_for_ever(
    kills: int, tmp_path: Path
):
    mark = tmp_path / "kills"
    preload = HERE + "killed_while_coming_up"
    with open_executor(Workers(preload=preload, arguments=(str(mark), str(kills)))) as executor:
        executor.submit(Task(HERE + "echo", (1,)))
        if kills == 2:
            assert [e.value for e in executor.endings()] == [1]
        else:
            with pytest.raises(RunnerError, match="did not come up"):
                list(executor.endings())
    assert len(mark.read_text()) == min(kills, 3)


@pytest.mark.parametrize("function", ["nowhere", "not_json"])
def test_what_cannot_be_called_or_returned_is_an_error_of_that_task(function):
    assert between_good_ones(function).failure.kind == "raised"


def test_a_crash_names_the_signal_where_it_was_and_what_was_printed():
    failure = between_good_ones("segfault").failure
    assert (failure.kind, failure.type, failure.at) == ("crashed", "SIGSEGV", "capture")
    assert "SIGSEGV" in failure.message
    assert "about to fall" in failure.output
    assert "in segfault" in failure.output


def test_the_reason_before_a_long_native_stack_is_kept():
    failure = between_good_ones("panics_with_a_long_stack").failure
    assert failure.output.startswith("panicked at 'attempt to divide by zero'")
    assert "(794 more lines of the stack)" in failure.output


@pytest.mark.parametrize("number", [signal.SIGKILL, signal.SIGABRT, signal.SIGTERM])
def test_any_signal_is_a_crash(number):
    failure = between_good_ones("kills_itself", int(number)).failure
    assert (failure.kind, failure.type) == ("crashed", number.name)


def test_a_process_that_exits_is_a_crash():
    failure = between_good_ones("os_exit").failure
    assert failure.kind == "crashed"
    assert "exit code 3" in failure.message


@pytest.mark.parametrize(
    ("function", "error"), [("sys_exit", "SystemExit"), ("interrupts", "KeyboardInterrupt")]
)
def test_exceptions_that_end_programs_end_only_their_task(function, error):
    failure = between_good_ones(function).failure
    assert (failure.kind, failure.type) == ("raised", error)


@pytest.mark.parametrize("function", ["hangs", "sleeps_in_c_with_the_gil", "ignores_sigterm"])
def test_a_hang_is_ended_when_its_time_is_up(function):
    ending = between_good_ones(function, timeout=1)
    assert ending.failure.kind == "timeout"
    assert "1 s" in ending.failure.message
    assert 1 <= ending.seconds < 5


def test_a_timeout_says_how_far_the_task_was():
    assert between_good_ones("hangs", timeout=0.5).failure.at == "run"


def test_endless_printing_is_ended_and_its_end_kept():
    failure = between_good_ones("prints_without_end").failure
    assert failure.kind == "crashed"
    assert "printed more than" in failure.message
    assert 0 < len(failure.output) < 10_000


def test_endless_announcing_only_lasts_until_the_timeout():
    assert between_good_ones("announces_without_end", timeout=1).failure.kind == "timeout"


def test_memory_is_limited():
    failure = between_good_ones("takes_memory", memory=256).failure
    assert (failure.kind, failure.type) == ("raised", "MemoryError")


def test_threads_without_end_run_into_the_memory_limit():
    failure = between_good_ones("starts_threads_without_end", memory=256).failure
    assert failure.kind == "raised"
    assert "thread" in failure.message


@pytest.mark.parametrize("function", ["cuts_the_line", "talks_in_between"])
def test_a_task_that_meddles_with_the_line_to_the_parent_is_a_crash(function):
    assert between_good_ones(function, timeout=20).failure.kind == "crashed"


@pytest.mark.parametrize("function", ["leaves_a_process", "leaves_a_daemon"])
def test_processes_left_behind_are_ended(function, tmp_path):
    note = tmp_path / "pid"
    assert between_good_ones(function, str(note)).failure is None
    assert not is_alive(int(note.read_text()))


def test_a_process_that_the_preload_started_lives_as_long_as_the_pool(tmp_path):
    note = tmp_path / "pid"
    workers = Workers(preload=HERE + "starts_a_helper", arguments=(str(note),))
    with open_executor(workers) as executor:
        for count in range(2):
            executor.submit(Task(HERE + "leaves_a_daemon", (str(tmp_path / f"{count}"),)))
            list(executor.endings())
            time.sleep(1.2)  # as long as orphans may wait for their end
        helper = int(note.read_text())
        assert Path(f"/proc/{helper}/cmdline").read_bytes().startswith(b"sleep")
        assert not is_alive(int((tmp_path / "0").read_text()))
    assert not is_alive(helper)


def test_files_beside_a_program_go_with_its_process():
    folder = between_good_ones("litters").value
    assert folder != str(Path.cwd())
    assert not Path(folder).exists()


def test_ending_the_process_that_forks_costs_what_was_running_and_no_more():
    failure = between_good_ones("kills_its_parent").failure
    assert failure.kind == "crashed"


def test_a_child_takes_as_many_tasks_as_it_may():
    pids = [e.value for e in run(*[Task(HERE + "process") for _ in range(6)], reuse=3)]
    assert len(set(pids[:3])) == 1
    assert len(set(pids[3:])) == 1
    assert pids[0] != pids[3]


def test_a_task_alone_shares_its_child_with_none():
    tasks = [Task(HERE + "process", alone=i == 1) for i in range(3)]
    assert len({e.value for e in run(*tasks)}) == 3


def test_jobs_go_on_side_by_side(tmp_path):
    tasks = [Task(HERE + "meets", (str(tmp_path / str(i)), 4), timeout=60) for i in range(4)]
    assert [e.value for e in run(*tasks, jobs=4)] == [4] * 4


def test_tasks_may_be_submitted_while_endings_are_read():
    with open_executor() as executor:
        executor.submit(Task(HERE + "echo", (3,)))
        seen = []
        for ending in executor.endings():
            seen.append(ending.value)
            if ending.value:
                executor.submit(Task(HERE + "echo", (ending.value - 1,)))
    assert seen == [3, 2, 1, 0]


def test_a_preload_that_fails_is_one_clear_error():
    workers = Workers(preload=HERE + "raises")
    with open_executor(workers) as executor, pytest.raises(RunnerError) as error:
        executor.submit(Task(HERE + "echo", (1,)))
        list(executor.endings())
    assert "ValueError: as it was told to" in str(error.value)


def test_without_torch_the_error_says_what_to_install():
    workers = Workers(preload=HERE + "needs_torch")
    with open_executor(workers) as executor, pytest.raises(RunnerError) as error:
        executor.submit(Task(HERE + "echo", (1,)))
        list(executor.endings())
    assert "needs torch: pip install 'exportdb[torch]'" in str(error.value)


def test_nothing_is_left_when_the_pool_closes_early(tmp_path):
    note = tmp_path / "pid"
    with open_executor(Workers(jobs=2)) as executor:
        executor.submit(Task(HERE + "hangs"))
        executor.submit(Task(HERE + "leaves_a_daemon", (str(note),)))
        next(iter(executor.endings()))
    assert not is_alive(int(note.read_text()))


def test_ten_thousand_tasks_take_no_more_each_than_a_thousand():
    def seconds(count: int) -> float:
        begun = time.process_time()  # of the parent: others may use the machine
        run(*[Task(HERE + "echo", (i,)) for i in range(count)], reuse=count)
        return (time.process_time() - begun) / count

    seconds(100)
    assert seconds(10_000) < 3 * seconds(1_000)
