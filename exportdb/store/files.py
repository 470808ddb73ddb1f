"""Finding record files of runs, reading them, and writing files that are whole or not there.

Owns what a user may call a run: a file, an ID, or ``last``. The form of the lines is left to
``exportdb.records.jsonl``, writing while a run goes on to ``exportdb.runner``.
"""

from __future__ import annotations

import contextlib
import glob
import os
import tempfile
import time
from dataclasses import dataclass
from pathlib import Path

from exportdb.records import jsonl
from exportdb.records.environment import Environment
from exportdb.records.record import Record
from exportdb.store.runfile import HOME, HOME_VARIABLE, run_path

#: Seconds after which a file that was begun and never finished is nobody's any more.
LEFTOVER_AGE = 3600


class StoreError(Exception):
    """A run or record file that is not there, and what to do."""


@dataclass(frozen=True)
class Recorded:
    """A record file that was read: where it lies, what stands before its records, and these."""

    path: Path
    header: jsonl.Header
    records: tuple[Record, ...]

    @property
    def environments(self) -> tuple[Environment, ...]:
        """Where the records were made."""
        return self.header.environments


def locate(run: str, home: Path | None = None) -> Path:
    """The file of a run: a path, the ID of a run in ``home``, or ``last``. Raises StoreError."""
    if run != "last" and Path(run).is_file():
        return Path(run)
    folder = Path(home or os.environ.get(HOME_VARIABLE) or HOME)
    if run == "last":
        runs = sorted(folder.glob("runs/*.jsonl"))
        if not runs:
            raise StoreError(f"there are no runs in {folder} yet; begin with exportdb run")
        return runs[-1]
    path = run_path(folder, run)
    if not path.is_file():
        raise StoreError(f"{run!r} is neither a record file nor the ID of a run in {folder}")
    return path


def read(path: Path) -> Recorded:
    """All of a record file. Raises RecordFileError."""
    header, records = jsonl.read(path)
    return Recorded(path, header, tuple(records))


def write_atomically(path: Path, text: str) -> None:
    """Write a text file so that a reader sees the old one or the new one; "" removes it.

    Raises OSError with the name of the file that was meant.
    """
    if not text:
        path.unlink(missing_ok=True)
        return
    temporary = None
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        _remove_leftovers(path)
        mode = path.stat().st_mode & 0o777 if path.exists() else 0o666 & ~_umask()
        with tempfile.NamedTemporaryFile(
            "w",
            encoding="utf-8",
            newline="\n",
            dir=path.parent,
            prefix=f".{path.name}.",
            delete=False,
        ) as file:
            temporary = Path(file.name)
            file.write(text)
            file.flush()
            os.fsync(file.fileno())
        temporary.chmod(mode)
        temporary.replace(path)
    except OSError as e:
        if temporary is not None:
            with contextlib.suppress(OSError):
                temporary.unlink()
        raise OSError(e.errno, e.strerror, str(path)) from None


def _remove_leftovers(path: Path) -> None:
    """Remove what writers of ``path`` left that were killed; a writer at work is never this old."""
    for left in path.parent.glob(f".{glob.escape(path.name)}.{'[a-z0-9_]' * 8}"):
        with contextlib.suppress(OSError):
            if time.time() - left.stat().st_mtime > LEFTOVER_AGE:
                left.unlink()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask
