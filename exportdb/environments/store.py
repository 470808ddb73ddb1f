"""Where environments lie: one folder each, named by what it must hold, whole or not there.

Owns the folder, its locks and what is written beside an environment. What goes into one is
``wanted``'s, how it is made ``tool``'s.
"""

from __future__ import annotations

import contextlib
import fcntl
import json
import os
import shutil
from collections.abc import Iterator
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any

from exportdb.environments import tool
from exportdb.environments.tool import Say, interpreter
from exportdb.environments.wanted import EnvironmentTrouble, Wanted
from exportdb.files import user_cache

#: Where environments are kept unless the user's cache folder is right.
VARIABLE = "EXPORTDB_ENVS"
#: Written last, so that an environment without it was never finished.
_NOTE = "exportdb-environment.json"


@dataclass(frozen=True)
class StoredEnvironment:
    """An environment that is there: its folder, and what was noted when it was made.

    ``lock`` are the versions that were resolved (``name==version``), ``made`` is in ISO 8601, UTC.
    """

    folder: Path
    requirements: tuple[str, ...]
    ours: tuple[str, ...]
    lock: tuple[str, ...]
    tool: str
    made: str

    @property
    def name(self) -> str:
        return self.folder.name

    @property
    def python(self) -> Path:
        """Its interpreter."""
        return interpreter(self.folder)

    @property
    def bytes(self) -> int:
        """What it takes on the disk; what is linked from a shared cache counts too."""
        files = (p for p in self.folder.rglob("*") if not p.is_symlink() and p.is_file())
        return sum(p.stat().st_size for p in files)

    def to_json(self) -> dict[str, Any]:
        """JSON-ready data."""
        return {"name": self.name, **asdict(self), "folder": str(self.folder),
                "python": str(self.python), "bytes": self.bytes}  # fmt: skip


def folder() -> Path:
    """Where environments are kept: EXPORTDB_ENVS, or ``exportdb/envs`` in the user's cache."""
    if given := os.environ.get(VARIABLE):
        return Path(given).absolute()
    return user_cache() / "envs"


def listed() -> list[StoredEnvironment]:
    """The environments that are there, the newest last."""
    found = (_read(path) for path in folder().glob("*") if path.is_dir())
    return sorted((made for made in found if made), key=lambda made: (made.made, made.name))


def find(wanted: Wanted) -> StoredEnvironment | None:
    """The environment, if it has been made."""
    return _read(folder() / wanted.name)


def make(wanted: Wanted, say: Say = lambda line: None) -> StoredEnvironment:
    """The environment, made now unless it is there. ``say`` hears how it comes along.

    Another process that makes the same is waited for. Raises EnvironmentTrouble, with nothing
    left behind but the log.
    """
    if (made := find(wanted)) is not None:
        return made
    place = folder() / wanted.name
    log = place.with_suffix(".log")
    try:
        with _locked(wanted.name, say):
            if (made := _read(place)) is not None:
                return made
            shutil.rmtree(place, ignore_errors=True)
            chosen = tool.choose()
            try:
                frozen = chosen.make(place, wanted, log, say)
                made = StoredEnvironment(
                    place, wanted.requirements, wanted.ours,
                    tuple(line for line in frozen.splitlines() if line.strip()),
                    chosen.name, datetime.now(UTC).isoformat(timespec="seconds"),
                )  # fmt: skip
                note = {k: v for k, v in asdict(made).items() if k != "folder"}
                (place / _NOTE).write_text(json.dumps(note, indent=1), encoding="utf-8")
            except BaseException:
                shutil.rmtree(place, ignore_errors=True)
                raise
            log.unlink(missing_ok=True)
    except OSError as e:
        raise EnvironmentTrouble(
            f"{e.filename or place}: {e.strerror}; choose another folder with {VARIABLE}"
        ) from None
    return made


def remove(made: StoredEnvironment) -> None:
    """Remove an environment. Raises EnvironmentTrouble if it cannot be, or is being made."""
    try:
        with _locked(made.name, lambda line: None):
            (made.folder / _NOTE).unlink(missing_ok=True)  # from here on it is not there
            shutil.rmtree(made.folder)
    except OSError as e:
        raise EnvironmentTrouble(f"{made.folder} cannot be removed: {e.strerror}") from None


def _read(place: Path) -> StoredEnvironment | None:
    try:
        data = json.loads((place / _NOTE).read_text(encoding="utf-8"))
        tuples = {k: tuple(v) for k, v in data.items() if isinstance(v, list)}
        made = StoredEnvironment(place, **{**data, **tuples})
    except (OSError, ValueError, TypeError, AttributeError):
        return None
    return made if made.python.exists() else None


@contextlib.contextmanager
def _locked(name: str, say: Say) -> Iterator[None]:
    root = folder()
    root.mkdir(parents=True, exist_ok=True)
    with (root / f"{name}.lock").open("w") as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            say("waiting for another process that makes it")
            fcntl.flock(file, fcntl.LOCK_EX)
        yield
