"""Runs a program in a process of its own, to find out what samples are worth trying.

The program keeps nothing of it, and one that hangs or dies takes nothing along. Owns the process
and the file that keeps what came of it; what is asked there is left to ``conditions`` and
``coverage``.

A process forked from one that holds torch costs both of them some ten milliseconds of copied pages,
as much as tracing a small program. Where the options do without isolation, as for the thousands of
programs of a hunt, the program's code runs once more in this process instead.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import select
import signal
import sys
import time
import warnings
from collections.abc import Callable
from pathlib import Path
from typing import TypeVar

import torch

from exportdb.conformance.program import LoadedProgram
from exportdb.files import write_whole

T = TypeVar("T")

#: Seconds after which it is left; no program that comes to an end takes as long.
TIMEOUT = 20.0


def asked_once(
    work: Callable[[LoadedProgram], T], program: LoadedProgram, kept: Path | None
) -> T | None:
    """What ``work`` gives for the program on the CPU, in a process of its own; or None if that does
    not come to an end.

    ``kept`` is a file that holds the answer for the next who asks.
    """
    if kept is not None:
        with contextlib.suppress(Exception):
            known: T | None = pickle.loads(kept.read_bytes())
            return known
    answer = _asked(work, program.on_cpu())
    if kept is not None:
        with contextlib.suppress(OSError):
            write_whole(kept, pickle.dumps(answer))
    return answer


def _asked(work: Callable[[LoadedProgram], T], program: LoadedProgram) -> T | None:
    if not program.options.isolated:
        try:
            return work(program.anew())
        except Exception:  # code that cannot run twice
            pass
        finally:
            # Torch cannot compile any more what it could not compile on fake tensors.
            torch._dynamo.reset()
    return run_in_child(lambda: work(program))


def run_in_child(work: Callable[[], T]) -> T | None:
    """What ``work`` gives in a process of its own, or None if that does not come to an end."""
    if not hasattr(os, "fork"):
        return None
    reading, writing = os.pipe()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # of threads, which the child does not use
        child = os.fork()
    if not child:
        _answer(writing, work)
    os.close(writing)
    answer = _answered(reading)
    if answer is None:
        os.kill(child, signal.SIGKILL)
    os.waitpid(child, 0)
    found: T | None = pickle.loads(answer) if answer else None
    return found


def _answered(reading: int) -> bytes | None:
    """All that comes from the pipe, or None when the time is over."""
    end, parts = time.monotonic() + TIMEOUT, list[bytes]()
    with os.fdopen(reading, "rb", buffering=0) as pipe:
        while select.select([pipe], [], [], max(0.0, end - time.monotonic()))[0]:
            part = pipe.read(1 << 16)
            if not part:
                return b"".join(parts)
            parts.append(part)
    return None


def _answer(writing: int, work: Callable[[], object]) -> None:
    """What the child does, which never returns."""
    try:
        quiet = os.open(os.devnull, os.O_WRONLY)
        os.dup2(quiet, 1)
        os.dup2(quiet, 2)
        torch.set_num_threads(1)  # threads of the parent are not here
        sys.settrace(None)
        with os.fdopen(writing, "wb") as pipe:
            pipe.write(pickle.dumps(work()))
    finally:
        os._exit(0)
