"""The folder of a hunt: which one it is, and that no other hunt is in it at the same time.

Owns the lock. The system takes it back when a process ends in whatever way, so that a hunt that was
killed can be gone on with at once.
"""

from __future__ import annotations

import contextlib
import fcntl
from itertools import chain, count, pairwise
from pathlib import Path
from typing import IO

from exportdb.executors.error import RunnerError


def own_folder(place: Path, resume: bool) -> Path:
    """The folder of a hunt: that of the last one, if it is gone on with, else one of its own. So
    nobody's drafts are written over, neither before nor at the same time."""
    others = (place.with_name(f"{place.name}-{number}") for number in count(2))
    for folder, following in pairwise(chain([place], others)):
        with contextlib.suppress(FileExistsError):
            if not (resume and following.exists()):
                folder.mkdir(parents=True, exist_ok=resume)
                return folder
    raise AssertionError  # there is always another number


def locked(folder: Path) -> IO[str]:
    """Keep others out of a folder until what is returned is closed. Raises RunnerError where a hunt
    is in it."""
    file = (folder / "lock").open("w")
    try:
        fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        file.close()
        raise RunnerError(
            f"the hunt in {folder} is still running; wait for it, or leave out --resume to hunt "
            "beside it"
        ) from None
    return file
