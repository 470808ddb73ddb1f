"""Results of earlier runs, by the digest of everything they depend on.

Owns the SQLite file and the digests. Which results are worth keeping is left to ``run``.
"""

from __future__ import annotations

import json
import sqlite3
import time
from collections.abc import Iterable, Mapping
from dataclasses import asdict
from functools import cache
from pathlib import Path

import exportdb
from exportdb.cases.database import builtin_tree
from exportdb.executors.error import RunnerError
from exportdb.records.environment import Environment
from exportdb.records.record import SCHEMA, Record, digest
from exportdb.runner import backends
from exportdb.runner.declarations import Declaration
from exportdb.runner.plan import Examination

#: Results older than this many seconds are measured again.
MAX_AGE = 90 * 24 * 3600
_VERSION = 1  # of the table
#: What of exportdb decides a record: how a case is read, all that examines it, what is written.
_ENGINE = (
    "cases/case.py", "cases/frontmatter.py", "cases/yamlfile.py", "cases/capabilities.py",
    "cases/catalogue.py", "records/record.py", "records/fingerprint.py", "records/outcome.py",
    "records/switches.py",
    "plugins.py", "devices", "symbolic", "exporters", "suites", "conformance",
    "runner/examining.py", "runner/warm.py",
)  # fmt: skip


@cache
def engine_digest() -> str:
    """Digest of the sources of exportdb that decide a record, the error catalogue included."""
    root = Path(exportdb.__file__).parent
    sources = [p for name in _ENGINE for p in sorted((root / name).rglob("*.py")) or [root / name]]
    sources = [p for p in sources if "lint" not in p.relative_to(root).parts]
    sources += [p for p in [builtin_tree() / "errors.yaml"] if p.is_file()]
    return digest(b"\0".join(p.read_bytes() for p in sources))


class Keys:
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
        case = examination.case
        return digest(
            "\n".join(
                (
                    self._parts[both],
                    examination.suite,
                    case.id,
                    case.digest,
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
        environment = asdict(whole) | {
            "packages": {n: v for n, v in whole.packages.items() if n in needed},
            "accelerator": plugins[1][0].accelerator,
        }
        names = [[ref.name, ref.target, ref.digest, d.version] for d, ref in plugins]
        return json.dumps(
            [SCHEMA, engine_digest(), environment, names, self._memory_mb], sort_keys=True
        )


class Cache:
    """Records by key, in one file that several runs may use at once."""

    def __init__(self, path: Path) -> None:
        self._path = path
        try:
            self._db = sqlite3.connect(path, timeout=60, isolation_level=None)
            self._db.execute("PRAGMA journal_mode=WAL")
            self._db.execute("PRAGMA synchronous=NORMAL")
            if self._db.execute("PRAGMA user_version").fetchone()[0] != _VERSION:
                self._db.execute("DROP TABLE IF EXISTS results")
                self._db.execute(
                    "CREATE TABLE IF NOT EXISTS results (key TEXT PRIMARY KEY, record TEXT, "
                    "confirmed INTEGER, made REAL) WITHOUT ROWID"
                )
                self._db.execute(f"PRAGMA user_version={_VERSION}")
        except sqlite3.Error as e:
            raise self._trouble(e) from None

    def known(self, keys: Iterable[str]) -> set[str]:
        """Those of ``keys`` that :meth:`get` would find."""
        wanted = list(keys)
        found: set[str] = set()
        oldest = time.time() - MAX_AGE
        try:
            for i in range(0, len(wanted), 500):
                some = wanted[i : i + 500]
                marks = ",".join("?" * len(some))
                rows = self._db.execute(
                    f"SELECT key FROM results WHERE made > ? AND key IN ({marks})", [oldest, *some]
                )
                found.update(key for (key,) in rows)
        except sqlite3.Error as e:
            raise self._trouble(e) from None
        return found

    def get(self, key: str) -> tuple[Record, bool] | None:
        """The record under ``key``, and whether a second try has confirmed it."""
        try:
            row = self._db.execute(
                "SELECT record, confirmed FROM results WHERE key = ?", [key]
            ).fetchone()
        except sqlite3.Error as e:
            raise self._trouble(e) from None
        return (Record.from_json(json.loads(row[0])), bool(row[1])) if row else None

    def put(self, key: str, record: Record, confirmed: bool) -> None:
        """Keep a record; what one run alone knows of it (verdict, run) is left out."""
        plain = record.with_(run="", env="", expected=None, verdict=None, repro="", cached=False)
        text = json.dumps(plain.to_json(), ensure_ascii=False, separators=(",", ":"))
        try:
            self._db.execute(
                "INSERT OR REPLACE INTO results VALUES (?, ?, ?, ?)",
                [key, text, confirmed, time.time()],
            )
        except (sqlite3.Error, UnicodeEncodeError) as e:
            raise self._trouble(e) from None

    def close(self) -> None:
        """Close the file. Twice is once."""
        self._db.close()

    def _trouble(self, error: Exception) -> RunnerError:
        kept = isinstance(
            error, sqlite3.OperationalError
        )  # disk, permissions, locks: not its content
        advice = "free some space or choose another --home" if kept else "delete the file"
        return RunnerError(f"the cache {self._path} cannot be used ({error}); {advice}")
