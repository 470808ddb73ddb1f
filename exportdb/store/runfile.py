"""The file of a run while it goes on: made, appended to line by line, resumed.

Owns that a finished record is on disk, whole, as soon as it is finished. The form of the lines is
left to ``exportdb.records.jsonl``.
"""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import time
from pathlib import Path

from exportdb.executors.error import RunnerError
from exportdb.records import jsonl
from exportdb.records.jsonl import Header, RecordFileError
from exportdb.records.record import Identity, Record

#: Where runs are kept unless told otherwise; the variable goes before the folder.
HOME, HOME_VARIABLE = ".exportdb", "EXPORTDB_HOME"


def home_folder(given: Path | None = None) -> Path:
    """The folder that runs and caches are kept in, made if it is not there. Raises RunnerError."""
    home = Path(given or os.environ.get(HOME_VARIABLE) or HOME)
    try:
        (home / "runs").mkdir(parents=True, exist_ok=True)
        (home / ".gitignore").write_text("*\n")
    except OSError as e:
        raise _no_home(home, e) from None
    return home


def run_path(home: Path, run: str) -> Path:
    """The file of a run."""
    return home / "runs" / f"{run}.jsonl"


def new_run_id() -> str:
    """A name for a run that sorts by time, to the millisecond."""
    now = time.time()
    second = time.strftime("%Y%m%d-%H%M%S", time.gmtime(now))
    return f"{second}-{int(now * 1000) % 1000:03}{secrets.token_hex(1)}"


class RunFile:
    """One run's file, open for appending; no other process can resume it meanwhile."""

    def __init__(self, path: Path, fd: int) -> None:
        self.path, self._fd = path, fd
        self._length = os.fstat(fd).st_size
        try:
            fcntl.flock(fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except OSError:
            os.close(fd)
            raise RunnerError(f"the run {path.stem} is still going on") from None

    @staticmethod
    def create(home: Path, header: Header) -> RunFile:
        """Begin the file of a new run. Raises RunnerError."""
        path = run_path(home, header.run)
        try:
            fd = os.open(path, os.O_RDWR | os.O_APPEND | os.O_CREAT | os.O_EXCL, 0o644)
        except OSError as e:
            raise _no_home(home, e) from None
        file = RunFile(path, fd)
        try:
            file._append(header.encode())
        except RunnerError:
            file.close()
            path.unlink(missing_ok=True)
            raise
        return file

    @staticmethod
    def resume(home: Path, run: str, plan: str) -> tuple[RunFile, Header, set[Identity]]:
        """Open the file of an interrupted run; also its header, and what is finished in it.

        A last line that was cut off is dropped. Raises RunnerError for a run that is not there,
        is still going on, was damaged, or had another plan (``plan`` is the digest of this one).
        """
        path = run_path(home, run)
        try:
            fd = os.open(path, os.O_RDWR | os.O_APPEND)
        except FileNotFoundError:
            latest = sorted((home / "runs").glob("*.jsonl"))[-1:]
            hint = f"; the latest is {latest[0].stem}" if latest else ""
            raise RunnerError(f"there is no run {run} in {home}{hint}") from None
        except OSError as e:
            raise _no_home(home, e) from None
        file = RunFile(path, fd)
        try:
            file._drop_torn_line()
            header, records = jsonl.read(path)
            finished = {(r.suite, r.case, r.exporter, r.device) for r in records}
        except RecordFileError as e:
            file.close()
            raise RunnerError(f"{e}; the run cannot be resumed, start a new one") from None
        if header.plan != plan:
            file.close()
            raise RunnerError(
                f"the run {run} was planned for other cases, exporters, options or another "
                "environment than now; start a new one"
            )
        return file, header, finished

    def add(self, record: Record) -> None:
        """Write one record. Raises RunnerError; what was written before stays."""
        self._append(record.encode() + b"\n")

    def close(self) -> None:
        """Close the file. Twice is once."""
        if self._fd >= 0:
            os.close(self._fd)
            self._fd = -1

    def _append(self, raw: bytes) -> None:
        rest = raw
        try:
            while rest:
                rest = rest[os.write(self._fd, rest) :]
        except OSError as e:
            with contextlib.suppress(OSError):
                os.ftruncate(self._fd, self._length)  # nothing but whole lines
            raise RunnerError(
                f"{self.path} cannot be written ({e.strerror}): free some space"
            ) from None
        self._length += len(raw)

    def _drop_torn_line(self) -> None:
        size = end = os.fstat(self._fd).st_size
        while end:
            start = max(0, end - 65536)
            newline = os.pread(self._fd, end - start, start).rfind(b"\n")
            if newline >= 0:
                end = start + newline + 1
                break
            end = start
        if end < size:
            os.ftruncate(self._fd, end)
        self._length = end


def _no_home(home: Path, error: OSError) -> RunnerError:
    return RunnerError(
        f"{home} cannot be written ({error.strerror}); choose another folder with --home or "
        f"{HOME_VARIABLE}"
    )
