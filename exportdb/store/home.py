"""The folder in which runs and all that is kept between them lie."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from exportdb.store.protocol import StoreError

#: Where it is unless told otherwise; the variable goes before the folder.
HOME, HOME_VARIABLE = ".exportdb", "EXPORTDB_HOME"


def home_path(given: Path | None = None) -> Path:
    """The folder that is meant, whether or not it is there."""
    return Path(given or os.environ.get(HOME_VARIABLE) or HOME)


def home_folder(given: Path | None = None) -> Path:
    """The folder, made if it is not there. Raises StoreError.

    One that we make is hidden from git; in a folder of the user's own no file is touched.
    """
    home = home_path(given)
    try:
        with contextlib.suppress(FileExistsError):
            home.mkdir(parents=True)
            (home / ".gitignore").write_text("*\n")
        (home / "runs").mkdir(exist_ok=True)
    except OSError as e:
        raise cannot_write(home, e) from None
    return home


def cannot_write(home: Path, error: OSError) -> StoreError:
    """The error of a home in which nothing can be kept."""
    return StoreError(
        f"{home} cannot be written ({error.strerror}); choose another folder with --home or "
        f"{HOME_VARIABLE}"
    )
