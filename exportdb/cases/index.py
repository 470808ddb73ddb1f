"""What the case files of a tree said when they were last read, kept in the user's cache, and other
things that are worked out of files and take long.

Owns that a case taken from here is the one that its file holds: same size, same time, read by the
same code. Reading the files themselves is left to ``frontmatter``. An index that is damaged, or
cannot be written, costs time and nothing else.
"""

from __future__ import annotations

import contextlib
import hashlib
import os
import time
from collections.abc import Callable, Iterable
from pathlib import Path
from stat import S_ISREG
from typing import TypeVar

import msgspec

from exportdb.cases.case import Case
from exportdb.files import keep, user_cache

#: Modules whose text says what a case file means.
_READERS = ("case.py", "data.py", "frontmatter.py", "yamltext.py", "index.py")
#: Nanoseconds for which a file may change again and keep its time.
_UNSETTLED = 2 * 10**9


#: What tells a file from the one that it was before: its time and its size.
Stamp = tuple[int, int]
_ENCODER = msgspec.msgpack.Encoder(enc_hook=str)  # of paths
_DECODER = msgspec.msgpack.Decoder(
    tuple[Stamp, Case], dec_hook=lambda kind, text: kind(text)
)  # fmt: skip


class CaseIndex:
    """The cases of one tree, by path."""

    def __init__(self, root: Path) -> None:
        readers = [stamp(Path(__file__).with_name(name)) for name in _READERS]
        self._file = kept_file("cases", f"{root} {readers}")
        # Of most cases nothing is asked: each is decoded when it is.
        self._entries: dict[str, tuple[Stamp, Case] | msgspec.Raw] = {}
        self._changed = False
        with contextlib.suppress(OSError, msgspec.MsgspecError):
            raw = self._file.read_bytes()
            self._entries.update(msgspec.msgpack.decode(raw, type=dict[str, msgspec.Raw]))

    def get(self, path: Path) -> Case | None:
        """The case that the file holds, if it was read before and has not changed since."""
        entry = self._entries.get(str(path))
        if entry is None:
            return None
        if isinstance(entry, msgspec.Raw):
            try:
                entry = _DECODER.decode(entry)
            except msgspec.MsgspecError:  # damaged
                return None
        (known, case), state = entry, path.stat()
        return case if known == _stamp_of(state) and S_ISREG(state.st_mode) else None

    def put(self, case: Case) -> None:
        """Remember a case that was read from its file just now."""
        at = stamp(case.path)
        if time.time_ns() - at[0] > _UNSETTLED:
            self._changed = True
            self._entries[str(case.path)] = at, case

    def save(self) -> None:
        """Keep what was put in, and nothing of files that are gone."""
        if not self._changed:
            return
        entries = {path: e for path, e in self._entries.items() if Path(path).exists()}
        keep(self._file, _ENCODER.encode(entries))


T = TypeVar("T")


def made_once(
    what: str, sources: Iterable[Path], kind: type[T], make: Callable[[], T], given: str = ""
) -> T:
    """What ``make`` makes of ``sources``, code and data alike, and of what ``given`` says; kept
    until one of them changes."""
    stamps = {str(path): stamp(path) for path in sources if path.exists()}
    file = kept_file(what, f"{sorted(stamps.items())} {given}".rstrip())
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        return msgspec.msgpack.decode(file.read_bytes(), type=kind)
    made = make()
    if all(time.time_ns() - changed > _UNSETTLED for changed, _ in stamps.values()):
        keep(file, msgspec.msgpack.encode(made))
    return made


def kept_file(what: str, of: str) -> Path:
    """Where something that is worked out ``of`` what this names is kept."""
    name = hashlib.sha256(of.encode()).hexdigest()[:32]
    return user_cache() / what / f"{name}.msgpack"


def stamp(path: Path) -> Stamp:
    """What the file is known by now."""
    return _stamp_of(path.stat())


def _stamp_of(state: os.stat_result) -> Stamp:
    return state.st_mtime_ns, state.st_size
