"""Runs as files of records, one a run: the store that needs nothing but a folder.

Owns that a record is whole or not there, and what happens to a file while its run goes on. The
form of the lines is left to ``exportdb.records.jsonl``.

A record that was added has gone to the system: no death of this process takes it away. It goes to
the disk within :data:`SYNC` seconds, and at the end of the run; a power cut takes what came after
that, and going on with the run measures it again. To the disk after every record would cost eight
milliseconds each, a tenth of an ordinary examination.
"""

from __future__ import annotations

import contextlib
import fcntl
import mmap
import os
import shutil
import time
from collections.abc import Iterator, Set
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path

from exportdb.records import jsonl
from exportdb.records.jsonl import Header, RecordFileError
from exportdb.records.record import Identity, Record
from exportdb.store.home import cannot_write
from exportdb.store.protocol import EVERYTHING, Query, StoredRun, StoreError

#: Seconds after which what was added is made safe from a power cut.
SYNC = 1.0


@dataclass(frozen=True)
class RecordFile:
    """A file of records, wherever it is from: every line is checked when it is read."""

    path: Path

    @cached_property
    def header(self) -> Header:
        """Where and how its records were made. Raises RecordFileError."""
        return jsonl.read_header(self.path)

    @property
    def location(self) -> str:
        """The path."""
        return str(self.path)

    def records(self, query: Query = EVERYTHING) -> Iterator[Record]:
        """Its records, read as they are asked for. Raises RecordFileError."""
        return filter(query.matches, jsonl.read(self.path)[1])

    def surprises(self) -> Set[Identity]:
        """What was not as expected. Raises RecordFileError."""
        return jsonl.read_surprises(self.path)

    def unlike(self, _: StoredRun) -> tuple[StoredRun, Set[Identity]]:
        """All of it: what a file says is known when it is read."""
        return self, frozenset()

    def lines(self) -> Iterator[str]:
        """The lines of the file, as they are."""
        with self.path.open(encoding="utf-8") as file:
            yield from file


@dataclass(frozen=True)
class RecordFiles:
    """The runs in the folder ``runs`` of a home folder."""

    home: Path

    def create(self, header: Header) -> RecordFileWriter:
        """Begin the file of a new run. Raises StoreError."""
        path = self.path(header.run)
        try:
            fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o644)
        except OSError as e:
            raise cannot_write(self.home, e) from None
        _lock(path, fd)
        file = RecordFileWriter(path, fd, header)
        try:
            file.append(header.encode())
            _sync_folder(path.parent)
        except StoreError:
            file.close()
            path.unlink(missing_ok=True)
            raise
        return file

    def resume(self, run: str, plan: str) -> RecordFileWriter:
        """Open the file of a run to go on with it; its end is dropped where it is damaged.

        That is a line that was cut off, or what a power cut left. Raises StoreError.
        """
        path = self.open(run).path
        try:
            fd = os.open(path, os.O_RDWR | os.O_APPEND)
        except OSError as e:
            raise cannot_write(self.home, e) from None
        _lock(path, fd)
        try:
            _drop_damaged_end(fd)
            header, records = jsonl.read(path)
            finished = {r.identity for r in records}
        except RecordFileError as e:
            os.close(fd)
            raise StoreError(f"{e}; the run cannot be resumed, start a new one") from None
        if header.plan != plan:
            os.close(fd)
            raise StoreError(
                f"the run {run} was planned for other cases, exporters, options or another "
                "environment than now; start a new one"
            )
        return RecordFileWriter(path, fd, header, finished)

    def open(self, run: str) -> RecordFile:
        """The file of a run. Raises StoreError if there is none."""
        if not self.path(run).is_file():
            hint = f"; the latest is {known[-1]}" if (known := self.runs()) else ""
            raise StoreError(f"there is no run {run} in {self.home}{hint}")
        return RecordFile(self.path(run))

    def runs(self) -> list[str]:
        """The IDs of all runs, the oldest first."""
        return [path.stem for path in files_of_runs(self.home)]

    def path(self, run: str) -> Path:
        """Where the file of a run lies, or would."""
        return self.home / "runs" / f"{run}.jsonl"


def files_of_runs(home: Path) -> list[Path]:
    """The files of all runs in a home, the oldest first; a named pipe is none."""
    return sorted(p for p in home.glob("runs/*.jsonl") if p.is_file())


class RecordFileWriter:
    """One run's file, open for appending and locked."""

    def __init__(
        self, path: Path, fd: int, header: Header, finished: Set[Identity] = frozenset()
    ) -> None:
        self.path, self.header, self.finished = path, header, finished
        self._fd = fd
        self._length = os.fstat(fd).st_size
        self._synced = time.monotonic()

    def add(self, record: Record) -> None:
        """Write one record. Raises StoreError; what was written before stays."""
        self.append(record.encode() + b"\n")

    def append(self, raw: bytes) -> None:
        """Write whole lines, or nothing. Raises StoreError."""
        try:
            rest = raw
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as e:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._length)  # nothing but whole lines
            raise StoreError(
                f"{self.path} cannot be written ({e.strerror}): free some space"
            ) from None
        self._length += len(raw)
        if time.monotonic() - self._synced > SYNC:
            self._sync()
        self._check_place()

    def close(self) -> None:
        """Close the file, all of it on the disk. Twice is once. Raises StoreError if it is gone."""
        if self._fd < 0:
            return
        self._sync()
        self._check_place()
        self._release()

    def _release(self) -> None:
        os.close(self._fd)
        self._fd = -1

    def _sync(self) -> None:
        with contextlib.suppress(OSError):  # a file system that cannot: nobody can fix that here
            os.fsync(self._fd)
        self._synced = time.monotonic()

    def _check_place(self) -> None:
        """Raises StoreError if the file is no longer in its place; what it held is put back."""
        with contextlib.suppress(OSError):
            if os.path.samestat(self.path.stat(), os.fstat(self._fd)):
                return
        kept = self.path
        while kept.exists():
            kept = kept.with_stem(f"{kept.stem}-rescued")
        try:
            kept.parent.mkdir(parents=True, exist_ok=True)
            with os.fdopen(os.dup(self._fd), "rb") as held, kept.open("xb") as copy:
                held.seek(0)
                shutil.copyfileobj(held, copy)
        except OSError as e:
            raise StoreError(f"{self.path} was removed while its run went on ({e})") from None
        finally:
            self._release()
        raise StoreError(
            f"{self.path} was removed or replaced while its run went on; "
            f"what was finished is written to {kept}"
        )


def _lock(path: Path, fd: int) -> None:
    """Keep others out until the file is closed. Raises StoreError if somebody is in."""
    try:
        fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except OSError:
        os.close(fd)
        raise StoreError(f"the run {path.stem} is still running") from None


def _drop_damaged_end(fd: int) -> None:
    """Cut off what stands behind the last whole line; a power cut leaves NULs, too."""
    if not (size := os.fstat(fd).st_size):
        return
    with mmap.mmap(fd, size, access=mmap.ACCESS_READ) as held:
        damaged = held.find(b"\0")
        end = held.rfind(b"\n", 0, size if damaged < 0 else damaged) + 1
    if end < size:
        os.ftruncate(fd, end)


def _sync_folder(folder: Path) -> None:
    """Make the name of a new file in ``folder`` safe from a power cut."""
    with contextlib.suppress(OSError):
        fd = os.open(folder, os.O_RDONLY)
        try:
            os.fsync(fd)
        finally:
            os.close(fd)
