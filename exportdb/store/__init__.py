"""Where runs are kept, and how they are found again.

``protocol`` says what a store is; which kind is used is decided here and nowhere else.
"""

from __future__ import annotations

from pathlib import Path

from exportdb.store.protocol import RunStore, StoredRun, StoreError


def open_store(home: Path) -> RunStore:
    """The runs that are kept in a home folder, which need not be there; today as record files."""
    from exportdb.store.record_files import RecordFiles

    return RecordFiles(home)


def open_run(named: str, home: Path | None = None) -> StoredRun:
    """What a user calls a run: a file of records, the ID of a run in ``home``, or ``last``.

    Raises StoreError.
    """
    from exportdb.store.home import home_path
    from exportdb.store.record_files import RecordFile

    if named != "last" and Path(named).is_file():
        return RecordFile(Path(named))
    folder = home_path(home)
    store = open_store(folder)
    runs = store.runs()
    if named == "last" and not runs:
        raise StoreError(f"there are no runs in {folder} yet; begin with exportdb run")
    if named != "last" and named not in runs:
        last = f"the last run is {runs[-1]}" if runs else "begin with exportdb run"
        raise StoreError(
            f"{named!r} is neither a record file nor the ID of a run in {folder}; {last}"
        )
    return store.open(runs[-1] if named == "last" else named)
