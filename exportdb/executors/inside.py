"""What a task can say to its executor from within: how far it is, what it has so far, and that its
process is spoilt; and where it finds what other tasks left for it.

Outside of a worker none of it does anything, so that a task's function can be called anywhere. How
a word reaches the executor is left to its workers.
"""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any


def _nobody(*_: Any) -> None:
    """Hears nothing."""


_announce: Callable[[str], None] = _nobody
_retire: Callable[[str], None] = _nobody
_settled: Callable[[], None] = _nobody
_so_far: Callable[[Any], None] = _nobody
_shared: Path | None = None


def listen(
    announced: Callable[[str], None],
    retired: Callable[[str], None],
    has_so_far: Callable[[Any], None],
    settled: Callable[[], None],
    shared: Path,
) -> None:
    """Have these called from now on, and this folder shared; a worker's, once."""
    global _announce, _retire, _so_far, _settled, _shared
    _announce, _retire, _so_far, _settled = announced, retired, has_so_far, settled
    _shared = shared


def announce(what: str) -> None:
    """Say how far the task has come; the last word is what is known of a task that dies."""
    _announce(what)


def so_far(value: Any) -> None:
    """Say what the task has found; it is its value should the task die before it returns one."""
    _so_far(value)


def settled() -> None:
    """Say that the process is now as later tasks should find it: a device was initialised, say.

    To be called before code runs that may leave something behind.
    """
    _settled()


def retire(reason: str) -> None:
    """Ask that no other task comes into this process after the one that is running."""
    _retire(reason)


def shared() -> Path | None:
    """A folder that every process of the executor can write to, and that is gone with it; None
    outside of a worker."""
    return _shared
