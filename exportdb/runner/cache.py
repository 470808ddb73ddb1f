"""Results of earlier runs, by the digest of everything they depend on.

Owns the SQLite file and the digests. Which results are worth keeping is left to ``run``, what was
imported for one to ``imported``. An entry that is not as it was written is none, and a file that is
no database is set aside: at worst something is measured again.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
import time
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

import msgspec

from exportdb.cases import catalogue
from exportdb.cases.database import builtin_tree
from exportdb.executors.error import RunnerError
from exportdb.records.environment import Environment
from exportdb.records.record import SCHEMA, Record, digest
from exportdb.runner import backends
from exportdb.runner.declarations import Declaration
from exportdb.runner.imported import Imported, Now
from exportdb.runner.measured import Measured
from exportdb.runner.plan import Examination
from exportdb.runner.sources import digest_of_sources

#: Results older than this many seconds are measured again.
MAX_AGE = 90 * 24 * 3600
#: Bytes that results may take on the disk; some 200,000 results do.
MAX_SIZE = 2**30
_VERSION = 2  # of the tables
_MAKE = (
    "PRAGMA auto_vacuum=INCREMENTAL",
    "PRAGMA journal_mode=WAL",
    "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, record TEXT, confirmed INTEGER, "
    "imported TEXT, made REAL, digest TEXT)",
    "CREATE INDEX IF NOT EXISTS by_age ON results (made)",
    "CREATE TABLE IF NOT EXISTS imports (digest TEXT PRIMARY KEY, text TEXT) WITHOUT ROWID",
    "CREATE TABLE IF NOT EXISTS verdicts (key TEXT PRIMARY KEY, basis TEXT, expected TEXT, "
    "verdict TEXT) WITHOUT ROWID",
    f"PRAGMA user_version={_VERSION}",
)
#: What SQLite says of a file that is damaged, is no database, or lacks what is made in it above.
_DAMAGED = (sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB, sqlite3.SQLITE_ERROR)
#: What to do about the others, if not to delete the file.
_MENDS = {
    sqlite3.SQLITE_FULL: "free some space",
    sqlite3.SQLITE_IOERR: "free some space, delete it",
    sqlite3.SQLITE_BUSY: "wait for what else uses it",
}
#: What of exportdb decides a record: how a case is read, all that examines it, what is written.
_ENGINE = (
    "cases/data.py", "cases/case.py", "cases/frontmatter.py", "cases/yamltext.py",
    "cases/capabilities.py", "cases/catalogue.py", "explain", "records/decision.py",
    "records/record.py", "records/fingerprint.py", "records/outcome.py", "records/switches.py",
    "records/text.py",
    "plugins.py", "devices", "symbolic", "exporters", "suites", "conformance",
    "runner/examining.py", "runner/warm.py",
)  # fmt: skip


@cache
def engine_digest() -> str:
    """Digest of the sources of exportdb that decide a record, the error catalogue included."""
    entries = [p.read_text("utf-8") for p in catalogue.sources(builtin_tree()) if p.is_file()]
    return digest("\0".join([digest_of_sources(*_ENGINE), *entries]))


class CacheKeys:
    """Makes the keys of one run's examinations."""

    def __init__(
        self,
        environment: Environment,
        declarations: Mapping[str, Declaration],
        memory_mb: int | None,
    ) -> None:
        self._environment, self._descriptions = environment, declarations
        self._memory_mb = memory_mb
        self._parts: dict[tuple[str, str], str] = {}

    def key(self, examination: Examination) -> str:
        """Digest of all that the result of this examination depends on."""
        both = (examination.exporter.target, examination.device.target)
        if both not in self._parts:
            self._parts[both] = self._part(examination)
        program = examination.program
        return digest(
            "\n".join(
                (
                    self._parts[both],
                    program.suite,
                    program.id,
                    program.digest,
                    str(examination.options),
                )
            )
        )

    def _part(self, examination: Examination) -> str:
        whole = self._environment
        plugins = [
            (self._descriptions[ref.target], ref)
            for ref in (examination.exporter, examination.device)
        ]
        needed = {"numpy", *backends.distributions(), *plugins[0][0].packages}
        environment = whole.to_json() | {
            "packages": {n: v for n, v in whole.packages.items() if n in needed},
            "accelerator": plugins[1][0].accelerator,
        }
        names = [[ref.name, ref.target, ref.digest, d.version] for d, ref in plugins]
        return json.dumps(
            [SCHEMA, engine_digest(), environment, names, self._memory_mb], sort_keys=True
        )


#: What was expected of a record, and the verdict.
Judged = tuple[str | None, str | None]


class Cache:
    """Results by key, in one file that several runs may use at once.

    ``note`` is told, a line each, of what was found damaged.
    """

    def __init__(self, path: Path, note: Callable[[str], None] = lambda line: None) -> None:
        self._path, self._note = path, note
        self._damaged = 0
        self._imports: dict[str, Imported] = {}
        self._open()

    def _open(self) -> None:
        try:
            self._db = sqlite3.connect(self._path, timeout=60, isolation_level=None)
        except sqlite3.Error as e:
            raise self._unusable(e) from None
        ((version,),) = self._do("PRAGMA user_version") or [(_VERSION,)]
        if version not in (0, _VERSION):
            self._put_aside(None)
        elif version == 0:
            for statement in _MAKE:
                self._do(statement)
        self._do("PRAGMA synchronous=NORMAL")

    def known(self, keys: Iterable[str], now: Now) -> set[str]:
        """Those of ``keys`` under which there is a result that still holds."""
        oldest = time.time() - MAX_AGE
        found = self._rows("key, imported", "results", keys, f"made > {oldest} AND")
        texts = {d for _, d in found}
        holds = {d: self._imported(d).holds(now) for d in texts}
        return {key for key, d in found if holds[d]}

    def get(self, key: str) -> Measured | None:
        """What is kept under ``key``; None if nothing is, or if it is not as it was written."""
        for text, confirmed, imported, made, check in self._do(
            "SELECT record, confirmed, imported, made, digest FROM results WHERE key = ?", [key]
        ):
            if check == _check(key, text, confirmed, imported, made):
                return Measured(Record.decode(text), bool(confirmed), self._imported(imported))
            self._damaged += 1
        return None

    def put(self, key: str, measured: Measured) -> None:
        """Keep a result; what one run alone knows of it (verdict, run) is left out."""
        plain = measured.record.with_(
            run="", env="", expected=None, verdict=None, repro="", cached=False
        )
        text = plain.encode().decode()
        imported = msgspec.json.encode(measured.imported, order="sorted").decode()
        entry = (text, int(measured.confirmed), digest(imported), time.time())
        self._do("INSERT OR REPLACE INTO imports VALUES (?, ?)", [digest(imported), imported])
        self._do(
            "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?, ?, ?)",
            [key, *entry, _check(key, *entry)],
        )
        self._do("DELETE FROM verdicts WHERE key = ?", [key])

    def verdicts(self, bases: Mapping[str, str]) -> dict[str, Judged]:
        """How the results under these keys were judged last, where it was by what is given for
        each (a digest), and stands there as it was written."""
        found = self._rows("key, basis, expected, verdict", "verdicts", bases)
        return {
            key: (expected, verdict)
            for key, check, expected, verdict in found
            if check == _check(key, bases[key], expected, verdict)
        }

    def put_verdicts(self, judged: Mapping[str, Judged], bases: Mapping[str, str]) -> None:
        """Keep how results were judged, and by what: reading what is expected takes longer than
        they do."""
        rows = json.dumps([[k, _check(k, bases[k], *how), *how] for k, how in judged.items()])
        values = ", ".join(f"value ->> {i}" for i in range(4))
        self._do(f"INSERT OR REPLACE INTO verdicts SELECT {values} FROM json_each(?)", [rows])

    def prune(self) -> None:
        """Forget what is too old, and the oldest of what is too much."""
        before = self._db.total_changes
        self._do("DELETE FROM results WHERE made <= ?", [time.time() - MAX_AGE])
        while self._size() > MAX_SIZE and self._do("SELECT 1 FROM results LIMIT 1"):
            self._do(
                "DELETE FROM results WHERE rowid IN (SELECT rowid FROM results ORDER BY made "
                "LIMIT (SELECT 1 + count(*) / 8 FROM results))"
            )
        if self._db.total_changes > before:
            self._do("DELETE FROM imports WHERE digest NOT IN (SELECT imported FROM results)")
            self._do("DELETE FROM verdicts WHERE key NOT IN (SELECT key FROM results)")
            self._do("PRAGMA incremental_vacuum", every_step=True)

    def close(self) -> None:
        """Close the file, and say what was found damaged. Twice is once."""
        self._db.close()
        if self._damaged:
            many = self._damaged > 1
            which = f"{self._damaged:,} results" if many else "a result"
            what = "were damaged and are" if many else "was damaged and is"
            self._note(f"{which} in the cache {self._path} {what} measured again")
            self._damaged = 0

    def _imported(self, digest_: str) -> Imported:
        """What was imported; for what cannot be read something that never holds."""
        if digest_ not in self._imports:
            self._imports[digest_] = self._read_imported(digest_)
        return self._imports[digest_]

    def _read_imported(self, digest_: str) -> Imported:
        for (text,) in self._do("SELECT text FROM imports WHERE digest = ?", [digest_]):
            with contextlib.suppress(msgspec.MsgspecError):
                if digest(text) == digest_:
                    return msgspec.json.decode(text, type=Imported)
        return Imported({"": "damaged"})

    def _size(self) -> int:
        """Bytes that are in use."""
        (((pages,),), ((free,),), ((size,),)) = (
            self._do(f"PRAGMA {name}") for name in ("page_count", "freelist_count", "page_size")
        )
        return int((pages - free) * size)

    def _rows(self, columns: str, table: str, keys: Iterable[str], also: str = "") -> list[Any]:
        wanted, found = list(keys), []
        for i in range(0, len(wanted), 500):
            some = wanted[i : i + 500]
            marks = ",".join("?" * len(some))
            found += self._do(f"SELECT {columns} FROM {table} WHERE {also} key IN ({marks})", some)
        return found

    def _do(
        self, statement: str, values: Sequence[Any] = (), every_step: bool = False
    ) -> list[Any]:
        """The rows that a statement gives; none where the file had to be set aside for it.

        Raises RunnerError if the file cannot be used for another reason.
        """
        try:
            if every_step:  # one that gives no rows and yet wants to be asked for more
                self._db.executescript(statement)
                return []
            return self._db.execute(statement, values).fetchall()
        except sqlite3.Error as e:
            if getattr(e, "sqlite_errorcode", 0) & 0xFF not in _DAMAGED:
                raise self._unusable(e) from None
        aside = self._path.with_suffix(".damaged")
        self._put_aside(aside)
        self._note(
            f"the cache {self._path} was damaged; a new one was begun, the old one is {aside}"
        )
        return []

    def _put_aside(self, aside: Path | None) -> None:
        """Begin a new file; the one that is there goes ``aside``, or away."""
        self._db.close()
        try:
            self._path.unlink() if aside is None else self._path.replace(aside)
            for beside in ("-wal", "-shm"):
                self._path.with_name(self._path.name + beside).unlink(missing_ok=True)
        except OSError as e:
            raise self._unusable(e) from None
        self._open()

    def _unusable(self, error: Exception) -> RunnerError:
        mend = _MENDS.get(getattr(error, "sqlite_errorcode", 0) & 0xFF, "delete it")
        return RunnerError(
            f"the cache {self._path} cannot be used ({error}); {mend} or choose another --home"
        )


def _check(key: str, *entry: Any) -> str:
    """The digest of an entry: what it must be for the entry to be as it was written."""
    return digest("\n".join(map(str, (key, *entry))))
