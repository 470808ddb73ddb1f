"""What earlier builds found out, so that a build does only what has changed.

Owns a file in the state folder, which may be removed at any time and which several builds may use
at once: each adds what it found. It is written and read by this very version of our code, and never
comes from elsewhere; what cannot be read is forgotten.
"""

from __future__ import annotations

import pickle
import sqlite3
from collections.abc import Callable
from contextlib import closing, suppress
from functools import cache
from pathlib import Path
from typing import TypeVar

from exportdb.records.record import digest

T = TypeVar("T")
PACKAGE = Path(__file__).parent.parent
#: What something is, and its name.
Name = tuple[str, str]

_TABLE = "CREATE TABLE IF NOT EXISTS found (kind, name, key, value, PRIMARY KEY (kind, name))"


class BuildCache:
    """What was found before, and what is found now; ``path`` None remembers nothing."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._known: dict[Name, tuple[str, bytes]] = {}
        self._asked: set[Name] = set()
        self._new: dict[Name, tuple[str, bytes]] = {}
        if path is not None and path.is_file():
            try:
                with closing(sqlite3.connect(path, timeout=60)) as db:
                    rows = db.execute("SELECT kind, name, key, value FROM found")
                    self._known = {(kind, name): (key, value) for kind, name, key, value in rows}
            except sqlite3.DatabaseError:  # torn, or of another version
                path.unlink(missing_ok=True)

    def get(self, kind: str, name: str, key: str, make: Callable[[], T]) -> T:
        """What was made under this name with the same ``key``; else it is made now."""
        self._asked.add((kind, name))
        key = f"{code()} {key}"
        known = self._known.get((kind, name))
        if known is not None and known[0] == key:
            try:
                return pickle.loads(known[1])  # type: ignore[no-any-return]
            except Exception:  # of another Python
                pass
        made = make()
        with suppress(RecursionError):  # facts of a record may go as deep as they like
            self._new[kind, name] = (key, pickle.dumps(made, pickle.HIGHEST_PROTOCOL))
        return made

    def save(self) -> None:
        """Leave it for the next build; what was known and nobody asked for is forgotten."""
        gone = self._known.keys() - self._asked
        if self._path is None or not (self._new or gone):
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        new = [(*name, *found) for name, found in self._new.items()]
        with closing(sqlite3.connect(self._path, timeout=60)) as db, db:
            db.execute(_TABLE)
            db.executemany("DELETE FROM found WHERE kind = ? AND name = ?", gone)
            db.executemany("INSERT OR REPLACE INTO found VALUES (?, ?, ?, ?)", new)


@cache
def code(*suffixes: str) -> str:
    """Digest of our code that decides what is remembered; of a page, its templates, style sheets
    and scripts as well, by their ``suffixes``."""
    folders = (PACKAGE / name for name in ("site", "records", "cases"))
    found = (p for folder in folders for p in folder.rglob("*") if p.suffix in (".py", *suffixes))
    return digest(b"".join(p.read_bytes() for p in sorted(found)))
