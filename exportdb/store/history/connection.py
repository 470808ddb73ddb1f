"""Opens the history: the engine, its settings for SQLite, and tables that are up to date.

Owns transactions and when they are tried again. Alembic is imported only where there is something
to migrate: it takes as long as the answer.
"""

from __future__ import annotations

import contextlib
import random
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.engine import Connection, Engine, make_url
from sqlalchemy.exc import ArgumentError, DBAPIError, IntegrityError, NoSuchModuleError

from exportdb.store.history.tables import REVISION
from exportdb.store.protocol import StoreError

T = TypeVar("T")
#: Seconds that a writer of SQLite waits for another.
LOCK_TIMEOUT = 60
#: How often a transaction is tried again that another writer was in the way of.
TRIES = 12
#: PostgreSQL: serialisation, deadlock, tables that another has just made, a server that restarts.
_PASSING_STATES = ("40001", "40P01", "42P07", "57P01", "57P02", "57P03")
_MIGRATIONS = Path(__file__).parent / "migrations"


class HistoryDatabase:
    """The history at a URL, open. Its tables are made, or brought up to date, on opening."""

    def __init__(self, url: str) -> None:
        """Raises StoreError for a URL that cannot be used or a history of a newer exportdb."""
        self.engine = _engine(url)
        self.location = self.engine.url.render_as_string(hide_password=True)
        with _told(self.location):
            if self._revision() != REVISION:
                self._migrate()

    def close(self) -> None:
        """Give back its connections."""
        self.engine.dispose()

    @contextlib.contextmanager
    def reading(self) -> Iterator[Connection]:
        """A connection to ask with. Raises StoreError."""
        with _told(self.location), self.engine.connect() as connection:
            yield connection

    def write(self, change: Callable[[Connection], T]) -> T:
        """Make a change in one transaction, all of it or nothing.

        It is made again where another writer was in its way. Raises StoreError.
        """
        with _told(self.location):
            for left in reversed(range(TRIES)):
                try:
                    with self.engine.begin() as connection:
                        if connection.dialect.name == "sqlite":
                            connection.exec_driver_sql("BEGIN IMMEDIATE")
                        return change(connection)
                except DBAPIError as e:
                    if not left or not _passing(e):
                        raise
                    time.sleep(random.uniform(0.01, 0.2))
        raise AssertionError("unreachable")

    def _revision(self) -> str | None:
        with self.engine.connect() as connection:
            if not sa.inspect(connection).has_table("alembic_version"):
                return None
            found = connection.scalar(sa.text("SELECT version_num FROM alembic_version"))
            return None if found is None else str(found)

    def _migrate(self) -> None:
        from alembic import command
        from alembic.config import Config
        from alembic.util import CommandError

        config = Config()
        config.set_main_option("script_location", str(_MIGRATIONS).replace("%", "%%"))
        config.set_main_option("path_separator", "os")

        def upgrade(connection: Connection) -> None:
            config.attributes["connection"] = connection
            try:
                command.upgrade(config, "head")
            except CommandError:
                raise StoreError(
                    f"{self.location} was written by a newer exportdb; update this one"
                ) from None

        self.write(upgrade)


def _engine(url: str) -> Engine:
    try:
        parsed = make_url(url)
        engine = sa.create_engine(parsed, **_options(parsed.get_backend_name()))
    except (ArgumentError, NoSuchModuleError):
        raise StoreError(
            f"{_without_password(url)!r} is not the URL of a database, like "
            "postgresql+psycopg://user@host/name or sqlite:////path/to/history.db"
        ) from None
    except ImportError as e:
        raise StoreError(
            f"{parsed.render_as_string(hide_password=True)} needs the driver {e.name}, which is "
            f"not installed here: pip install {e.name}"
        ) from None
    if parsed.get_backend_name() == "sqlite":
        event.listen(engine, "connect", _set_up_sqlite)
    return engine


def _options(backend: str) -> dict[str, Any]:
    """Settings of an engine. In SQLite we begin transactions ourselves: its driver does it late."""
    if backend == "sqlite":
        return {"connect_args": {"timeout": LOCK_TIMEOUT, "isolation_level": None}}
    return {"pool_pre_ping": True}


def _set_up_sqlite(connection: Any, _: Any) -> None:
    cursor = connection.cursor()
    cursor.execute("PRAGMA journal_mode=WAL")  # readers are never in the way
    cursor.execute("PRAGMA synchronous=NORMAL")  # whole after a power cut; the files are there too
    cursor.execute("PRAGMA cache_size=-65536")
    cursor.close()


def _passing(error: DBAPIError) -> bool:
    """Whether the same change may succeed when it is made again."""
    if isinstance(error, IntegrityError):  # another writer has just added the same row
        return True
    state = getattr(error.orig, "sqlstate", None)
    if error.connection_invalidated or state in _PASSING_STATES:
        return True
    return "locked" in str(error.orig) or "busy" in str(error.orig)


@contextlib.contextmanager
def _told(location: str) -> Iterator[None]:
    """What the database complains of, as one sentence. Raises StoreError."""
    try:
        yield
    except DBAPIError as e:
        said = " ".join(str(e.orig).split())[:300]
        raise StoreError(f"the history {location} cannot be used: {said}") from None


def _without_password(url: str) -> str:
    before, at, host = url.rpartition("@")
    return f"{before.rpartition(':')[0]}:***@{host}" if at and ":" in before else url
