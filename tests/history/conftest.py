"""Record files of made-up nights, the real command in an empty folder, and a PostgreSQL to use."""

from __future__ import annotations

import contextlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest

from exportdb.records.environment import Environment
from exportdb.records.jsonl import Header
from exportdb.records.record import ErrorInfo, Record, SampleResult

pytest.importorskip("sqlalchemy")

Command = Callable[..., subprocess.CompletedProcess[str]]
#: Writes the record file of a run into the home; see :func:`night`.
Night = Callable[..., Path]


def environment(torch: str = "2.13.0", **more: Any) -> Environment:
    """An environment with a version of torch."""
    return Environment(torch, "3.11.7", "CPython", "Linux-x86_64", {"numpy": "2.4.6"}, **more)


def record(case: str, outcome: str, exporter: str = "export", **more: Any) -> Record:
    """A record that has something in all of its fields."""
    error = more.pop("error", None) or (
        ErrorInfo("ValueError", f"{case} cannot be captured", "f00d")
        if outcome == "refused"
        else None
    )
    return Record(
        case, exporter, more.pop("device", "cpu"), outcome, "capture" if error else "compare",
        exporter_version=more.pop("exporter_version", "1"), case_digest="ab12", error=error,
        samples=(SampleResult("example", "example", "agrees", {"n": 5}),),
        graph=None if error else f"graph of {case}", graph_digest=None if error else "cd34",
        graph_readable=None if error else f"# File: {case}.py\ngraph",
        ranges={"x.size()[0]": ("2", "32")},
        facts={"counts": {"guards": 3}},
        **{"verdict": "expected", "expected": outcome, "seconds": {"capture": 0.25, "run": 0.5},
           "cost": {"guards": 3, "graphs": 1, "graph_breaks": 0, "peak_mib": 31.9,
                    "first_call": 0.125, "dims_asked": 2,
                    "dims_kept": 1 + (outcome == "supported")}, **more},
    )  # fmt: skip


@pytest.fixture
def home(tmp_path: Path) -> Path:
    """A home folder, empty."""
    folder = tmp_path / "home"
    (folder / "runs").mkdir(parents=True)
    return folder


@pytest.fixture
def night(home: Path) -> Night:
    """Writes a run that began at 2 o'clock of a day of November 2026 and gives its file.

    ``outcomes`` are by case (of ``export``) or by (case, exporter).
    """

    def write(
        day: int, outcomes: Mapping[Any, str], torch: str = "2.13.0", hour: int = 2, **more: Any
    ) -> Path:
        began = datetime(2026, 11, 1, hour, tzinfo=UTC) + timedelta(days=day - 1)
        run = began.strftime("%Y%m%d-%H%M%S-000aa")
        made = environment(torch)
        records = [
            record(*((key, out) if isinstance(key, str) else (key[0], out, key[1])), **more)
            .with_(run=run, env=made.digest)
            for key, out in outcomes.items()
        ]  # fmt: skip
        header = Header(
            run, began.isoformat(timespec="seconds"), (made,), len(records), "p1an", ("run",)
        )
        path = home / "runs" / f"{run}.jsonl"
        path.write_bytes(header.encode() + b"".join(r.encode() + b"\n" for r in records))
        return path

    return write


@pytest.fixture
def exportdb(tmp_path: Path, home: Path) -> Command:
    """Runs ``exportdb`` in an empty folder with the home of the test."""

    def run(*words: str | Path, **variables: str) -> subprocess.CompletedProcess[str]:
        return subprocess.run(
            [sys.executable, "-m", "exportdb", *map(str, words)], cwd=tmp_path,
            env={**os.environ, "EXPORTDB_HOME": str(home), **variables},
            capture_output=True, text=True, encoding="utf-8", timeout=300,
        )  # fmt: skip

    return run


# --- databases ---------------------------------------------------------------------------------


@dataclass
class Server:
    """A PostgreSQL of the tests: its data and its socket in a folder, so that no port is taken."""

    binaries: Path
    folder: Path
    user: str | None

    @property
    def data(self) -> Path:
        """Where its data is."""
        return self.folder / "data"

    def control(self, *words: str) -> None:
        """Run ``pg_ctl``; raises where it fails."""
        log = str(self.folder / "log")
        self.tool("pg_ctl", "-D", str(self.data), "-w", "-t", "240", "-l", log, *words)

    def start(self) -> None:
        """Start it, also after it was killed."""
        self.control("start", "-o", f"-c listen_addresses= -k {self.folder}")

    def kill(self) -> None:
        """End it at once, as a power cut would end it."""
        with contextlib.suppress(subprocess.CalledProcessError):
            self.control("stop", "-m", "immediate")

    def tool(self, name: str, *words: str) -> None:
        """Run one of its programs, not as root: it refuses that."""
        subprocess.run(
            [self.binaries / name, *words], check=True, user=self.user, cwd="/",
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL, timeout=300,
        )  # fmt: skip

    def database(self, name: str) -> str:
        """The URL of a new, empty database."""
        self.tool("createdb", "-h", str(self.folder), "-U", "tester", name)
        return f"postgresql+psycopg://tester@/{name}?host={self.folder}"


@pytest.fixture(scope="session")
def postgresql() -> Iterator[Server]:
    """A PostgreSQL server; skipped where none is installed."""
    pytest.importorskip("psycopg")
    found = sorted(Path("/usr/lib/postgresql").glob("*/bin/initdb"))
    initdb = found[-1] if found else Path(shutil.which("initdb") or "")
    if not initdb.is_file():
        assert not os.environ.get("EXPORTDB_REQUIRE_POSTGRESQL"), "a PostgreSQL has to be here"
        pytest.skip("no PostgreSQL server is installed (Debian: apt-get install postgresql)")
    # Not in a folder of pytest's: only its own user may look into those.
    with tempfile.TemporaryDirectory(prefix="exportdb-postgresql-") as folder:
        user = "postgres" if os.getuid() == 0 else None  # made by the package
        if user:
            shutil.chown(folder, user)
        server = Server(initdb.parent, Path(folder), user)
        server.tool("initdb", "-D", str(server.data), "-U", "tester", "-A", "trust")
        server.start()
        try:
            yield server
        finally:
            server.kill()


@pytest.fixture(params=["sqlite", "postgresql"])
def url(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """The URL of an empty database of each kind."""
    if request.param == "sqlite":
        return f"sqlite:///{tmp_path / 'team.db'}"
    server: Server = request.getfixturevalue("postgresql")
    return server.database(f"t{abs(hash(request.node.nodeid)):x}")
