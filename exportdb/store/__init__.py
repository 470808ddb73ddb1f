"""Where runs are kept, and how they are found again.

``protocol`` says what a store is; which kind is used is decided here and nowhere else.
"""

from __future__ import annotations

from pathlib import Path

from exportdb.files import names_a_file
from exportdb.store.protocol import RunStore, StoredRun, StoreError


def open_store(home: Path) -> RunStore:
    """The runs that are kept in a home folder, which need not be there; today as record files."""
    from exportdb.store.record_files import RecordFiles

    return RecordFiles(home)


def open_run(
    named: str, home: Path | None = None, configured: str | None = None, history: str | None = None
) -> StoredRun:
    """What a user calls a run: a file of records, the ID of a run in ``home``, or ``last``.

    A day (``2026-11-01``) means what was measured last up to its end, ``torch==2.13`` what was
    measured last with that minor version; both, like runs whose file is gone, are read from the
    history: the one that ``history`` names, or that the configuration does. Raises StoreError.
    """
    from exportdb.store.home import home_path
    from exportdb.store.record_files import RecordFile

    if named != "last" and names_a_file(named):
        return RecordFile(Path(named))
    folder = home_path(home)
    store = open_store(folder)
    runs = store.runs()
    if named not in runs and (found := _in_history(named, folder, configured, history)) is not None:
        return found
    if named == "last" and not runs:
        raise StoreError(f"there are no runs in {folder} yet; begin with exportdb run")
    if named != "last" and named not in runs:
        last = f"the last run is {runs[-1]}" if runs else "begin with exportdb run"
        raise StoreError(
            f"{named!r} is neither a record file nor the ID of a run in {folder}; {last}"
        )
    return store.open(runs[-1] if named == "last" else named)


def _in_history(
    name: str, home: Path, configured: str | None, given: str | None
) -> StoredRun | None:
    """A run, a day or a version of torch in the history; None for what is nothing of it."""
    from exportdb.store.history import open_history
    from exportdb.store.history.place import FILE, measurement_named, shared

    measurement = measurement_named(name)
    known = shared(given, configured) or (home / FILE).is_file()
    if not measurement and ("/" in name or name == "last" or not known):
        return None
    if (database := open_history(home, given, configured)) is None:
        return None
    from exportdb.store.history.reading import named

    if (found := named(database, name)) is None and measurement:
        raise StoreError(f"nothing of {name} is in the history {database.location}")
    return found
