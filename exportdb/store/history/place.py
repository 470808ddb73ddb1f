"""Where the history is: a file in the home folder, or the database of a team.

Owns the variable, the file's name and what is said where the packages for it are missing. Imports
nothing that takes time.
"""

from __future__ import annotations

import importlib.util
import os
import re
from pathlib import Path

from exportdb.store.protocol import StoreError

#: Names the database of a team, as an SQLAlchemy URL; goes before the configuration.
VARIABLE = "EXPORTDB_HISTORY"
FILE = "history.db"


def history_url(home: Path, given: str | None = None, configured: str | None = None) -> str:
    """The URL of the history: what is given, the variable, the configuration, the home's file."""
    named = given or os.environ.get(VARIABLE) or configured
    return named or f"sqlite:///{(home / FILE).absolute()}"


def shared(given: str | None = None, configured: str | None = None) -> bool:
    """Whether a database besides the home's own file is named."""
    return bool(given or os.environ.get(VARIABLE) or configured)


def check_installed() -> None:
    """Raises StoreError where the packages that history needs are not installed."""
    missing = [n for n in ("sqlalchemy", "alembic") if importlib.util.find_spec(n) is None]
    if missing:
        raise StoreError(
            f"history needs {' and '.join(missing)}, not installed here: "
            "pip install 'exportdb[history]'"
        )


_MEASUREMENT = re.compile(r"\d{4}-\d{2}-\d{2}|torch==\d+\.\d+")


def measurement_named(name: str) -> bool:
    """Whether a word names what a day measured, or what a version of torch did.

    >>> [measurement_named(name) for name in ("2026-11-01", "torch==2.13", "20261101-020000-123ab")]
    [True, True, False]
    """
    return bool(_MEASUREMENT.fullmatch(name))
