"""Questions about where tasks run, asked there: what is installed, what a plug-in says of itself.

Owns keeping an answer until something else is installed there, so that whoever asks the same on
every run starts no process for it.
"""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

from exportdb.executors.error import RunnerError
from exportdb.executors.protocol import Executor, Task
from exportdb.files import keep_sealed, read_sealed
from exportdb.records.record import digest

#: Answers that a file keeps, the latest.
KEPT = 50


def ask(executor: Executor, question: Task, kept: Path) -> Any:
    """The value of a task which hangs on nothing but its arguments and what is installed.

    ``kept`` is the file of answers. Raises RunnerError if the task fails.
    """
    installed = executor.installed()
    key = digest(repr((installed, question.function, question.args)))
    if installed is not None and key in (answers := _read(kept)):
        return answers[key]
    executor.submit(question)
    (ending,) = executor.endings()
    if ending.failure is not None:
        raise RunnerError(f"{ending.failure.type}: {ending.failure.message}")
    if installed is not None:
        _write(kept, {**_read(kept), key: ending.value})
    return ending.value


def _read(kept: Path) -> dict[str, Any]:
    """What is kept; a file that is not as it was written holds nothing."""
    answers: dict[str, Any] = json.loads(read_sealed(kept) or b"{}")
    return answers


def _write(kept: Path, answers: dict[str, Any]) -> None:
    latest = dict(list(answers.items())[-KEPT:])
    keep_sealed(kept, json.dumps(latest).encode())
