"""What a task can say to its executor from within: how far it is, and that its process is spoilt.

Outside of a worker none of it does anything, so that a task's function can be called anywhere. How
a word reaches the executor is left to its workers.
"""

from __future__ import annotations

from collections.abc import Callable


def _nobody(_: str) -> None:
    """Hears nothing."""


_announce: Callable[[str], None] = _nobody
_retire: Callable[[str], None] = _nobody


def listen(announced: Callable[[str], None], retired: Callable[[str], None]) -> None:
    """Have these called from now on; a worker's, once."""
    global _announce, _retire
    _announce, _retire = announced, retired


def announce(what: str) -> None:
    """Say how far the task has come; the last word is what is known of a task that dies."""
    _announce(what)


def retire(reason: str) -> None:
    """Ask that no other task comes into this process after the one that is running."""
    _retire(reason)
