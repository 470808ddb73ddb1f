"""How large a year of nightly runs is, and how long the commands take that read it.

    python tools/bench_history.py [--nights 365] [--programs 685] [--exporters 4] [--made 20]

Makes up nights of ``programs`` times ``exporters`` results (the default is a year of 1 million
records; 13,700 programs make 20 million), of which one in 500 comes out differently than the
night before, and adds them to a history: ``made`` nights at its beginning and end by importing
them, those between as copies of rows, in a hundredth of the time. Prints its size, how long the
last night took to import as a file of records, and the wall-clock and CPU seconds of ``log``,
``status``, ``diff`` and ``history``, start of Python included, beside the second that they may take
on an idle core. A report, not a test.
"""

from __future__ import annotations

import argparse
import os
import random
import resource
import statistics
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

import sqlalchemy as sa

from exportdb.records.environment import Environment
from exportdb.records.jsonl import Header
from exportdb.records.record import ErrorInfo, Record, SampleResult
from exportdb.store.history import tables
from exportdb.store.history.connection import HistoryDatabase
from exportdb.store.history.importing import add
from exportdb.store.history.rows import Parts, milliseconds, taken_apart

OUTCOMES = ("supported",) * 7 + ("refused", "specialized", "wrong")
BUDGET = 1.0


class Year:
    """A year of nights: what each program comes to, and how that changes."""

    def __init__(self, programs: int, exporters: int) -> None:
        self.chance = random.Random(17)
        self.names = [(f"area_{i % 25}/program_{i}", f"exporter-{e}")
                      for i in range(programs) for e in range(exporters)]  # fmt: skip
        self.outcomes = [self.chance.choice(OUTCOMES) for _ in self.names]
        self.parts: list[Parts | None] = [None] * len(self.names)

    def header(self, night: int) -> Header:
        """That of the run of a night."""
        began = datetime(2026, 1, 1, 2, tzinfo=UTC) + timedelta(days=night)
        torch = f"2.16.0.dev{began:%Y%m%d}"
        made = Environment(torch, "3.11.7", "CPython", "Linux-x86_64", {"numpy": "2.4.6"})
        run = began.strftime("%Y%m%d-%H%M%S-000aa")
        return Header(run, began.isoformat(), (made,), len(self.names))

    def records(self, night: int) -> Iterator[Parts]:
        """What a night measures, in parts."""
        header = self.header(night)
        env = header.environment.digest
        for i in range(len(self.names)):
            if night and self.chance.random() < 0.002:
                self.outcomes[i], self.parts[i] = self.chance.choice(OUTCOMES), None
            known = self.parts[i] or taken_apart(self.record(i), header)
            self.parts[i] = known
            seconds = f'{{"capture":{self.chance.random():.4f},"run":{self.chance.random():.4f}}}'
            yield replace(known, run=header.run, env=env, seconds=seconds)

    def record(self, i: int) -> Record:
        """A record of about the size that records have."""
        (case, exporter), outcome = self.names[i], self.outcomes[i]
        refused = outcome == "refused"
        error = ErrorInfo("GuardError", f"{case} has no size " * 8, "f00d") if refused else None
        lines = [f"%{n}: float32[s0, {i % 97}] = aten.op_{n * i % 89}(%{n - 1})" for n in range(9)]
        graph = None if refused else "\n".join(lines)
        samples = [SampleResult("accepts", f"n={n}", "agrees", {"n": n}) for n in range(2, 14)]
        return Record(
            case, exporter, "cpu", outcome, "compare", error=error, samples=tuple(samples),
            graph=graph, graph_digest=None if refused else f"{i:016x}",
            graph_readable=None if refused else graph, expected=outcome, verdict="expected",
            facts={"dims": [{"asked": "n", "kept": True, "source": "x.size()[0]", "value": "s0"}],
                   "counts": {"guards": 1, "symbols": 1}},
            ranges={"x.size()[0]": ("2", "32")}, repro=f"exportdb run {case} --exporter {exporter}",
            cost={"nodes": 9, "guards": 3, "graphs": 1, "graph_breaks": 0, "peak_mib": 31.9,
                  "first_call": 0.125},
            exporter_version="1", case_digest=f"{i:016x}", run="x", env="x", suite="ops",
        )  # fmt: skip


def copy(database: HistoryDatabase, of: Header, to: Header) -> None:
    """Say of one night what another one said."""
    run, record = tables.runs, tables.records
    source, began = (milliseconds(datetime.fromisoformat(h.started)) for h in (of, to))

    def change(connection: sa.Connection) -> None:
        for table, key, new in (
            (run, run.c.id, {"id": began, "name": to.run, "started": to.started}),
            (record, record.c.run_id, {"run_id": began}),
        ):
            said = [sa.literal(new[c.name]) if c.name in new else c for c in table.c]
            rows = sa.select(*said).where(key == source)
            connection.execute(sa.insert(table).from_select([c.name for c in table.c], rows))

    database.write(change)


def seconds(words: list[str], times: int = 5) -> tuple[float, float, float]:
    """The first and the median wall-clock seconds of a command, and the median of its CPU's."""
    wall, cpu = [], []
    for _ in range(times):
        began, used = time.perf_counter(), resource.getrusage(resource.RUSAGE_CHILDREN)
        done = subprocess.run(words, capture_output=True, text=True)
        assert done.returncode in (0, 1), done.stderr
        wall.append(time.perf_counter() - began)
        now = resource.getrusage(resource.RUSAGE_CHILDREN)
        cpu.append(now.ru_utime + now.ru_stime - used.ru_utime - used.ru_stime)
    return wall[0], statistics.median(wall), statistics.median(cpu)


def main() -> None:
    """Make the year and print what it costs."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").splitlines()[0])
    parser.add_argument("--nights", type=int, default=365)
    parser.add_argument("--programs", type=int, default=685)
    parser.add_argument("--exporters", type=int, default=4)
    parser.add_argument("--made", type=int, default=20, help="nights that are really imported")
    parser.add_argument("--url", help="an empty database; default: a file that is removed")
    parser.add_argument("--keep", type=Path, help="keep the file of the history here")
    asked = parser.parse_args()
    with tempfile.TemporaryDirectory() as folder:
        os.environ["EXPORTDB_HOME"] = str(Path(folder, "home"))
        file = asked.keep or Path(folder, "history.db")
        url = asked.url or f"sqlite:///{file.absolute()}"
        year = Year(asked.programs, asked.exporters)
        database = HistoryDatabase(url)
        began = time.perf_counter()
        made = min(asked.made, asked.nights - 1)
        first, last = range((made + 1) // 2), range(asked.nights - 1 - made // 2, asked.nights - 1)
        for night in range(asked.nights - 1):
            if night in first or night in last:
                add(database, year.header(night), year.records(night))
            else:
                copy(database, year.header(night % len(first)), year.header(night))
        print(f"made in {time.perf_counter() - began:.0f} s", file=sys.stderr)
        database.close()
        report(year, url, Path(folder), asked.nights - 1)
        if file.is_file():
            size = file.stat().st_size
            count = asked.nights * len(year.names)
            print(f"{count:,} records: {size / 2**20:,.0f} MiB, {size / count:.0f} bytes each")


def report(year: Year, url: str, folder: Path, last: int) -> None:
    """Import the last night as a user would, and time the commands."""
    header = year.header(last)
    path = folder / "night.jsonl"
    made = header.environment.digest
    with path.open("wb") as out:
        out.write(header.encode())
        for i, parts in enumerate(year.records(last)):
            out.write(year.record(i).with_(run=parts.run, env=made).encode() + b"\n")
    exportdb = [sys.executable, "-m", "exportdb"]
    began = time.perf_counter()
    subprocess.run([*exportdb, "history", "import", str(path), "--history", url], check=True)
    print(f"import of one night: {time.perf_counter() - began:.1f} s, {len(year.names):,} records")
    case = year.names[len(year.names) // 2][0]
    os.environ["EXPORTDB_HISTORY"] = url
    week_ago, today = (f"{datetime(2026, 1, 1) + timedelta(days=d):%Y-%m-%d}"
                       for d in (last - 7, last))  # fmt: skip
    one, other = year.names[0][1], year.names[-1][1]
    for name, words in {
        "log": ["log", case],
        "log --all --json": ["log", case, "--all", "--json"],
        "status": ["status"],
        "status --format json": ["status", "--format", "json"],
        "diff of two days": ["diff", week_ago, today, "--json"],
        "diff of one exporter": ["diff", week_ago, today, "--json", "--exporter", one],
        "diff of two exporters": ["diff", today, "--exporters", one, other, "--json"],
        "history info": ["history", "info"],
        "history prune": ["history", "prune", "--keep-days", "3000", "--dry-run"],
    }.items():
        first, wall, cpu = seconds([*exportdb, *words], 3 if name.startswith("diff") else 5)
        over = "" if cpu <= BUDGET else "  over a second"
        print(f"{name:<24} first {first:6.2f} s, median {wall:6.2f} s, CPU {cpu:5.2f} s{over}")


if __name__ == "__main__":
    main()
