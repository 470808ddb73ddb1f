"""What earlier builds found out, so that a build does only what has changed.

Owns a file in the state folder, which may be removed at any time. It is written and read by this
very version of our code, and never comes from elsewhere; one that cannot be read is forgotten.
"""

from __future__ import annotations

import gc
import pickle
from collections.abc import Callable
from dataclasses import dataclass, field
from functools import cache
from pathlib import Path

from exportdb.records.record import digest
from exportdb.site.model import CaseView
from exportdb.site.runs import Run, stamp


@dataclass
class Memory:
    """Checked files of records by path, and cases with all that is known of them by ID.

    What is asked for is kept for the next build; what is not asked for is forgotten.
    """

    path: Path | None = None
    _runs: dict[Path, Run] = field(default_factory=dict)
    _views: dict[str, tuple[str, CaseView]] = field(default_factory=dict)
    _kept_runs: dict[Path, Run] = field(default_factory=dict)
    _kept_views: dict[str, tuple[str, CaseView]] = field(default_factory=dict)
    _new: bool = False

    @staticmethod
    def load(path: Path | None) -> Memory:
        """What the last build left at ``path``; nothing if there is no such file."""
        if path is None or not path.is_file():
            return Memory(path)
        collecting = gc.isenabled()
        gc.disable()  # walking a hundred thousand new objects again and again finds nothing
        try:
            with path.open("rb") as file:
                if pickle.load(file) == code():
                    return Memory(path, *pickle.load(file))
        except Exception:  # torn, or of another Python
            path.unlink(missing_ok=True)
        finally:
            if collecting:
                gc.enable()
        return Memory(path)

    def run(self, path: Path, read: Callable[[Path], Run]) -> Run:
        """A file of records, read unless it is known and the same."""
        known = self._runs.get(path)
        if known is None or known.stamp != stamp(path):
            known, self._new = read(path), True
        self._kept_runs[path] = known
        return known

    def view(self, case_id: str, key: str, make: Callable[[], CaseView]) -> CaseView:
        """A case, made unless it is known under the same key."""
        known = self._views.get(case_id)
        if known is None or known[0] != key:
            known, self._new = (key, make()), True
        self._kept_views[case_id] = known
        return known[1]

    def save(self) -> None:
        """Leave it for the next build, if anything is new."""
        if self.path is None or not self._new:
            return
        self.path.parent.mkdir(parents=True, exist_ok=True)
        temporary = self.path.with_suffix(".new")
        with temporary.open("wb") as file:
            pickle.dump(code(), file)
            pickle.dump((self._kept_runs, self._kept_views), file, pickle.HIGHEST_PROTOCOL)
        temporary.replace(self.path)


@cache
def code() -> str:
    """Digest of the code that decides what is remembered."""
    package = Path(__file__).parent.parent
    folders = ("site", "records", "cases")
    files = sorted(p for folder in folders for p in (package / folder).glob("*.py"))
    return digest(b"".join(p.read_bytes() for p in files))
