"""What earlier builds found out, so that a build does only what has changed.

Owns a file in the state folder, which may be removed at any time. It is written and read by this
very version of our code, and never comes from elsewhere; one that cannot be read is forgotten. What
a build finds new is appended, until that is so much that the file is written anew.
"""

from __future__ import annotations

import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from exportdb.records.record import digest
from exportdb.site.model import CaseView
from exportdb.site.runs import Run, stamp

#: The part of what is known that may be appended before the file is written anew.
MOST_APPENDED = 0.25


@dataclass
class Found:
    """Checked files of records by path, and cases with all that is known of them by ID."""

    runs: dict[Path, Run] = field(default_factory=dict)
    views: dict[str, tuple[str, CaseView]] = field(default_factory=dict)

    def __len__(self) -> int:
        return len(self.runs) + len(self.views)

    def update(self, newer: Found) -> None:
        """Take over what was found later."""
        self.runs.update(newer.runs)
        self.views.update(newer.views)


@dataclass
class Memory:
    """What was found before and is asked for again, and what is found now.

    ``appended`` counts what stands in the file behind its first part.
    """

    path: Path | None = None
    known: Found = field(default_factory=Found)
    appended: int = 0
    _asked: Found = field(default_factory=Found)
    _new: Found = field(default_factory=Found)

    @staticmethod
    def load(path: Path | None) -> Memory:
        """What earlier builds left at ``path``; nothing if there is no such file."""
        if path is None or not path.is_file():
            return Memory(path)
        try:
            with path.open("rb") as file:
                if pickle.load(file) != code():
                    return Memory(path)
                memory = Memory(path, pickle.load(file))
                while file.peek(1):
                    newer: Found = pickle.load(file)
                    memory.known.update(newer)
                    memory.appended += len(newer)
                return memory
        except Exception:  # torn, or of another Python
            path.unlink(missing_ok=True)
            return Memory(path)

    def run(self, path: Path, read: Callable[[Path], Run]) -> Run:
        """A file of records, read unless it is known and the same."""
        run = self.known.runs.get(path)
        if run is None or run.stamp != stamp(path):
            run = self._new.runs[path] = read(path)
        self._asked.runs[path] = run
        return run

    def view(self, case_id: str, key: str, make: Callable[[], CaseView]) -> CaseView:
        """A case, made unless it is known under the same key."""
        known = self.known.views.get(case_id)
        if known is None or known[0] != key:
            known = self._new.views[case_id] = (key, make())
        self._asked.views[case_id] = known
        return known[1]

    def save(self) -> None:
        """Leave it for the next build, if anything is new. What nobody asked for is forgotten
        when the file is written anew.
        """
        if self.path is None or not len(self._new):
            return
        if len(self.known) and self.appended + len(self._new) <= len(self._asked) * MOST_APPENDED:
            with self.path.open("ab") as file:
                pickle.dump(self._new, file, pickle.HIGHEST_PROTOCOL)
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_suffix(".new")
        with temporary.open("wb") as file:
            pickle.dump(code(), file)
            pickle.dump(self._asked, file, pickle.HIGHEST_PROTOCOL)
        temporary.replace(self.path)


@cache
def code() -> str:
    """Digest of the code that decides what is remembered."""
    package = Path(__file__).parent.parent
    folders = ("site", "records", "cases")
    files = sorted(p for folder in folders for p in (package / folder).glob("*.py"))
    return digest(b"".join(p.read_bytes() for p in files))
