"""A file of records as the site reads it: checked once, then only the lines that are wanted.

Owns where in a file the records of each case stand, so that one changed case costs the reading of
its own records and not of all. Checking lines is left to ``exportdb.records.jsonl``.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from pathlib import Path

from exportdb.records import jsonl
from exportdb.records.expectation import Point, minor
from exportdb.records.jsonl import Header
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, digest

#: The suite of the records that speak of cases of the database.
CASES = "cases"


@dataclass
class Contents:
    """What stands where in a checked file of records.

    ``cases`` has the offset and length of each record of a case, and a digest of them all;
    ``others`` counts the outcomes of other suites by suite, exporter and point.
    """

    path: Path
    header: Header
    cases: dict[str, tuple[list[tuple[int, int]], str]] = field(default_factory=dict)
    others: Counter[tuple[str, str, Point, Outcome]] = field(default_factory=Counter)

    def records(self, case_ids: Iterable[str]) -> list[Record]:
        """The records of some cases, in the order of the file."""
        wanted = sorted(at for i in case_ids if i in self.cases for at in self.cases[i][0])
        found = []
        with self.path.open("rb") as file:
            for offset, length in wanted:
                file.seek(offset)
                found.append(Record.decode(file.read(length)))
        return found

    def point(self, record: Record) -> Point:
        """Where one of its records was measured."""
        e = self.header.environment_of(record)
        return Point(minor(e.torch or "none"), record.device, e.switches)


def stamp(path: Path) -> str:
    """What changes with a file: its size and the time it was written."""
    known = path.stat()
    return f"{known.st_size} {known.st_mtime_ns}"


def read(path: Path) -> Contents:
    """Check every line of a file and note where it stands. Raises RecordFileError."""
    header, records = jsonl.read(path)
    found = Contents(path, header)
    with path.open("rb") as file:
        for _ in header.environments:
            file.readline()
        for record in records:
            offset, line = file.tell(), file.readline()
            if record.suite == CASES:
                at, before = found.cases.get(record.case, ([], ""))
                at.append((offset, len(line)))
                found.cases[record.case] = (at, digest(before.encode() + line))
            else:
                what = (record.suite, record.exporter, found.point(record), record.outcome)
                found.others[what] += 1
    return found
