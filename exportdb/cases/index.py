"""What the case files of a tree said when they were last read, kept in the user's cache.

Owns that a case taken from here is the one that its file holds: same size, same time, read by the
same code. Reading the files themselves is left to ``frontmatter``. An index that is damaged, or
cannot be written, costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Mapping
from pathlib import Path

import msgspec

from exportdb.cases.case import Case, FrontMatter

#: Modules whose text says what a case file means.
_READERS = ("case.py", "data.py", "frontmatter.py", "yamltext.py", "index.py")
#: Nanoseconds for which a file may change again and keep its time.
_UNSETTLED = 2 * 10**9


class _Entry(msgspec.Struct, array_like=True):
    """A case without what its place says: its ID and path."""

    stamp: tuple[int, int]
    meta: FrontMatter
    source: str
    digest: str
    lines: Mapping[str, int]
    program_line: int


class Index:
    """The cases of one tree, by path."""

    def __init__(self, root: Path) -> None:
        readers = [_stamp(Path(__file__).with_name(name)) for name in _READERS]
        name = hashlib.sha256(f"{root} {readers}".encode()).hexdigest()[:32]
        home = Path(os.environ.get("XDG_CACHE_HOME") or Path("~/.cache").expanduser())
        self._file = home / "exportdb" / "cases" / f"{name}.msgpack"
        self._entries: dict[str, _Entry] = {}
        self._changed = False
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            raw = self._file.read_bytes()
            self._entries = msgspec.msgpack.decode(raw, type=dict[str, _Entry])

    def get(self, case_id: str, path: Path) -> Case | None:
        """The case that the file holds, if it was read before and has not changed since."""
        entry = self._entries.get(str(path))
        if entry is None or entry.stamp != _stamp(path):
            return None
        return Case(
            case_id, path, entry.meta, entry.source, entry.digest, entry.lines, entry.program_line
        )

    def put(self, case: Case) -> None:
        """Remember a case that was read from its file just now."""
        stamp = _stamp(case.path)
        if time.time_ns() - stamp[0] > _UNSETTLED:
            self._changed = True
            self._entries[str(case.path)] = _Entry(
                stamp, case.meta, case.source, case.digest, case.lines, case.program_line
            )

    def save(self) -> None:
        """Keep what was put in, and nothing of files that are gone."""
        if not self._changed:
            return
        entries = {path: e for path, e in self._entries.items() if Path(path).exists()}
        part = self._file.with_suffix(f".{os.getpid()}")
        with contextlib.suppress(OSError):
            self._file.parent.mkdir(parents=True, exist_ok=True)
            part.write_bytes(msgspec.msgpack.encode(entries))
            part.replace(self._file)


def _stamp(path: Path) -> tuple[int, int]:
    state = path.stat()
    return state.st_mtime_ns, state.st_size
