"""An interrupted run goes on where it was: nothing is lost, nothing is there twice."""

from __future__ import annotations

import contextlib
import json
import os
import random
import resource
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from exportdb.conformance.options import Options
from exportdb.executors.error import RunnerError
from exportdb.records.jsonl import RecordFileError, read, read_header
from exportdb.runner.result import RunResult
from exportdb.store.protocol import StoreError
from tests.processes import family
from tests.runner.conftest import Bench

COUNT = 8

SCRIPT = """
from pathlib import Path
from tests.runner.conftest import Bench
b = Bench.__new__(Bench)
b.tree, b.home, b.exporters = (Path(p) for p in {paths!r})
run = b.run("Slow", fresh=True, jobs=2)
print("interrupted" if run.interrupted else "whole")
"""


@pytest.fixture
def slow(bench: Bench) -> Bench:
    for i in range(COUNT - 1):
        bench.case(f"more_{i}", i)
    return bench


def start(bench: Bench) -> subprocess.Popen[str]:
    """A run in a process of its own, which has finished some records and is held at the rest."""
    bench.exporters.with_name("hold").touch()
    paths = [str(p) for p in (bench.tree, bench.home, bench.exporters)]
    process = subprocess.Popen(
        [sys.executable, "-c", SCRIPT.format(paths=paths)], stdout=subprocess.PIPE, text=True,
        # A shell's background jobs, these tests among them perhaps, ignore Ctrl-C.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.SIG_DFL),
    )  # fmt: skip
    deadline = time.monotonic() + 60
    while len(lines(bench)) < 4:
        assert process.poll() is None
        assert time.monotonic() < deadline
        time.sleep(0.02)
    return process


def resume(bench: Bench) -> RunResult:
    """The rest of the run that :func:`start` began."""
    bench.exporters.with_name("hold").unlink()
    return bench.run("Slow", fresh=True, resume=run_file(bench).stem)


def run_file(bench: Bench) -> Path:
    return next(iter(bench.home.glob("runs/*.jsonl")), bench.home / "none")


def lines(bench: Bench) -> list[str]:
    return run_file(bench).read_text().splitlines() if run_file(bench).exists() else []


def wait_for_the_end_of(children: set[int]) -> None:
    deadline = time.monotonic() + 10
    while any(Path(f"/proc/{c}/stat").exists() for c in children):
        assert time.monotonic() < deadline, "children are left behind"
        time.sleep(0.05)


def check_whole(bench: Bench, run: RunResult, before: list[str]) -> None:
    """The run has one record a case, and those that were finished before as they were."""
    after = run.stored.path.read_text().splitlines()
    assert after[: len(before)] == before
    cases = [json.loads(line)["case"] for line in after[1:]]
    assert len(cases) == len(set(cases)) == COUNT
    assert len(bench.log.begun) == COUNT - (len(before) - 1)
    assert [r.case for r in bench.log.ended] == cases  # a counter begins with what is there


def test_kill_9_then_resume(slow: Bench):
    process = start(slow)
    children = family(process.pid)
    assert len(children) >= 2
    process.kill()
    process.wait()
    before = lines(slow)
    assert 1 < len(before) < COUNT + 1
    wait_for_the_end_of(children)
    check_whole(slow, resume(slow), before)
    assert slow.log.total == COUNT


def test_ctrl_c_ends_cleanly_and_can_be_resumed(slow: Bench):
    process = start(slow)
    children = family(process.pid)
    process.send_signal(signal.SIGINT)
    out, _ = process.communicate(timeout=20)
    assert out == "interrupted\n"
    wait_for_the_end_of(children)
    before = lines(slow)
    check_whole(slow, resume(slow), before)


def cut(bench: Bench, keep: int, extra: int) -> list[str]:
    """A whole run, then its file cut off in the middle of a line."""
    run = bench.run("Right")
    whole = run.stored.path.read_text().splitlines(keepends=True)
    run.stored.path.write_text("".join(whole[:keep]) + whole[keep][:extra])
    return [line.rstrip("\n") for line in whole[:keep]]


def test_a_torn_last_line_is_dropped_and_its_case_examined_again(slow: Bench):
    before = cut(slow, 3, 40)
    run = slow.run("Right", fresh=True, resume=run_file(slow).stem)
    check_whole(slow, run, before)


def test_a_torn_last_line_is_an_error_for_readers_that_says_what_to_do(slow: Bench):
    cut(slow, 3, 40)
    _, records = read(run_file(slow))
    with pytest.raises(RecordFileError, match=r"\.jsonl:4: .*cut off.*--resume"):
        list(records)


def test_a_run_that_is_whole_is_resumed_without_doing_anything(slow: Bench):
    run = slow.run("Right")
    before = run.stored.path.read_text()
    slow.run("Right", fresh=True, resume=run.id)
    assert slow.log.begun == []
    assert run.stored.path.read_text() == before


def test_a_run_that_is_not_there_is_an_error_that_names_the_latest(slow: Bench):
    run = slow.run("Right")
    with pytest.raises(StoreError, match=rf"no run nothing in .*{run.id}"):
        slow.run("Right", resume="nothing")


def test_a_run_is_not_resumed_with_another_plan(slow: Bench):
    run = slow.run("Right")
    slow.case("one", 99)
    with pytest.raises(StoreError, match="start a new one"):
        slow.run("Right", resume=run.id)


def test_a_run_is_not_resumed_under_other_switches(bench: Bench):
    run = bench.run("Right")
    switched = bench.request("Right", options=Options(switches=("deterministic",)))
    with pytest.raises(StoreError, match="start a new one"):
        bench.run(request=switched, resume=run.id)


def test_a_run_is_not_resumed_while_it_goes_on(slow: Bench):
    process = start(slow)
    try:
        with pytest.raises(StoreError, match="still running"):
            slow.run("Slow", fresh=True, resume=run_file(slow).stem)
    finally:
        process.kill()
        process.wait()


def test_a_damaged_line_in_the_middle_is_one_clear_error(slow: Bench):
    run = slow.run("Right")
    whole = run.stored.path.read_text().splitlines(keepends=True)
    run.stored.path.write_text("".join([whole[0], whole[1][:50] + "\n", *whole[2:]]))
    with pytest.raises(StoreError, match=r":2: is not JSON.*start a new one"):
        slow.run("Right", resume=run.id)


def test_the_words_of_the_command_are_kept_for_resuming(bench: Bench):
    run = bench.run("Right", arguments=("run", "one", "--fresh"))
    assert read_header(run.stored.path).arguments == ("run", "one", "--fresh")


def test_a_full_disk_is_one_clear_error_and_loses_nothing(slow: Bench):
    """A limit on the size of files stands in for the disk."""
    room = (
        slow.run("Wordy").stored.path.stat().st_size * 2 // 3
    )  # known results need no room in the cache
    run_file(slow).unlink()
    with files_up_to(room), pytest.raises(StoreError) as error:
        slow.run("Wordy")
    message = str(error.value)
    assert "cannot be written (File too large): free some space" in message
    assert f"--resume {run_file(slow).stem}" in message
    before = lines(slow)
    assert 1 < len(before) < COUNT + 1
    assert [json.loads(line)["kind"] for line in before[1:]] == ["record"] * (len(before) - 1)
    slow.run("Wordy", resume=run_file(slow).stem)
    assert len(lines(slow)) == COUNT + 1


def test_a_run_that_is_deleted_while_it_goes_on_ends_at_once_and_loses_nothing(slow: Bench):
    with pytest.raises(StoreError, match=r"was removed .* --resume") as error:
        slow.run("Deletes")
    before = lines(slow)
    assert 1 < len(before) < COUNT + 1
    (path,) = slow.home.glob("runs/*")
    assert f"--resume {path.stem}" in str(error.value)
    check_whole(slow, slow.run("Deletes", resume=path.stem), before)


def test_a_cache_that_cannot_grow_is_one_clear_error_and_loses_nothing(slow: Bench):
    slow.run("Right")
    run_file(slow).unlink()
    with files_up_to(60_000), pytest.raises(RunnerError, match=r"cache.*free some space.*--resume"):
        slow.run("Right", "Wrong", fresh=True, retry=False)
    before = lines(slow)
    assert len(before) > 1
    slow.run("Right", "Wrong", fresh=True, retry=False, resume=run_file(slow).stem)
    assert lines(slow)[: len(before)] == before
    assert len(lines(slow)) == 2 * COUNT + 1


@contextlib.contextmanager
def files_up_to(size: int) -> Iterator[None]:
    """No file may grow beyond ``size`` bytes; writing more is an error, as on a full disk."""
    old = resource.getrlimit(resource.RLIMIT_FSIZE)
    ignored = signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_FSIZE, (size, old[1]))
    try:
        yield
    finally:
        resource.setrlimit(resource.RLIMIT_FSIZE, old)
        signal.signal(signal.SIGXFSZ, ignored)


@pytest.mark.slow
def test_killed_twenty_times_at_random_moments_it_loses_and_doubles_nothing(tmp_path: Path):
    """The real command on real cases; now it is killed itself, now a process below it."""
    chance = random.Random(17)
    environment = {**os.environ, "EXPORTDB_HOME": str(tmp_path)}
    words = [sys.executable, "-m", "exportdb", "run"]
    first = ["mutation/*", "--exporter", "export,make-fx", "--fresh", "--jobs", "2"]
    kept: list[str] = []
    kills = 0
    while kills < 20:
        file = next(iter(tmp_path.glob("runs/*.jsonl")), None)
        asked = ["--resume", file.stem] if file else first
        process = subprocess.Popen(
            [*words, *asked], env=environment, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL
        )
        enough = len(kept) + chance.randint(2, 5)
        while process.poll() is None and (kills < 20 or file is None):
            time.sleep(0.05)
            file = next(iter(tmp_path.glob("runs/*.jsonl")), None)
            told = file.read_text().splitlines(keepends=True) if file else []
            if len(told) < enough:
                continue
            victim = chance.choice([process.pid, *family(process.pid)])
            with contextlib.suppress(ProcessLookupError):
                os.kill(victim, signal.SIGKILL)
                kills += 1
            if victim == process.pid:
                process.wait()
                whole = [t for t in file.read_text().splitlines(keepends=True) if t.endswith("\n")]
                assert whole[: len(kept)] == kept
                kept = whole
            enough = len(told) + chance.randint(2, 5)
        process.kill()
        assert process.wait() == -signal.SIGKILL, "it ended before it could be killed"
    assert file is not None
    done = subprocess.run([*words, "--resume", file.stem], env=environment, capture_output=True)
    assert done.returncode in (0, 2), done.stderr
    header, found = read(file)
    identities = [r.identity for r in found]
    assert len(identities) == len({*identities}) == header.planned
    assert file.read_text().splitlines(keepends=True)[: len(kept)] == kept
