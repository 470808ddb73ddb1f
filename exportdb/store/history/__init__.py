"""The history of runs: a database of what was measured when, filled from files of records.

``place`` says where it is, ``connection`` opens it (and brings its tables up to date), ``tables``
are its tables, ``importing`` fills it, ``reading`` asks it, ``pruning`` makes it smaller. What the
answers mean is left to pure modules: ``lines`` (of one case) and ``since`` (levels by version)
here, ``exportdb.store.status`` and ``exportdb.store.score`` beside this package.

Only what works on the database imports SQLAlchemy; ``place`` and the pure modules do not.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from exportdb.store.history.place import FILE, check_installed, history_url, shared
from exportdb.store.record_files import files_of_runs

if TYPE_CHECKING:
    from exportdb.store.history.connection import HistoryDatabase


def open_history(
    home: Path, given: str | None = None, configured: str | None = None
) -> HistoryDatabase | None:
    """The history, with all runs of the home in it; None where there was never a run.

    Into the database of a team nothing goes by itself. Raises StoreError.
    """
    own = not shared(given, configured)
    if own and not (home / FILE).is_file() and not files_of_runs(home):
        return None
    check_installed()
    from exportdb.store.history.connection import HistoryDatabase
    from exportdb.store.history.importing import add_home

    database = HistoryDatabase(history_url(home, given, configured))
    if own:
        add_home(database, home)
    return database
