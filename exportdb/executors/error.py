"""The one exception of the runner that a user reads."""

from __future__ import annotations


class RunnerError(Exception):
    """A run that cannot begin or go on: one sentence saying what is wrong, and what to do."""


#: Said where torch is not there at all.
NO_TORCH = (
    "torch is not installed, and running a program needs torch: pip install 'exportdb[torch]'"
)
