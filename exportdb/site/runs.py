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
from exportdb.records.jsonl import Header
from exportdb.records.outcome import Outcome
from exportdb.records.record import Record, digest
from exportdb.records.switches import Switches

#: The suite of the records that speak of cases of the database.
CASES = "cases"


@dataclass
class Lines:
    """Where the records of one case stand: (offset, length), and a digest of their text."""

    at: list[tuple[int, int]] = field(default_factory=list)
    digest: str = ""


@dataclass
class Run:
    """A checked file of records.

    ``cases`` says where the records of each case stand, ``others`` counts the outcomes of other
    suites by suite, exporter, device, torch and switches.
    """

    path: Path
    header: Header
    cases: dict[str, Lines] = field(default_factory=dict)
    others: dict[tuple[str, str, str, str, Switches], Counter[Outcome]] = field(
        default_factory=dict
    )

    def records(self, case_ids: Iterable[str]) -> list[Record]:
        """The records of some cases, in the order of the file."""
        wanted = sorted(at for i in case_ids if i in self.cases for at in self.cases[i].at)
        found = []
        with self.path.open("rb") as file:
            for offset, length in wanted:
                file.seek(offset)
                found.append(Record.decode(file.read(length)))
        return found


def stamp(path: Path) -> tuple[int, int]:
    """What changes with a file: its size and the time it was written."""
    known = path.stat()
    return (known.st_size, known.st_mtime_ns)


def read(path: Path) -> Run:
    """Check every line of a file and note where it stands. Raises RecordFileError."""
    header, records = jsonl.read(path)
    run = Run(path, header)
    texts: dict[str, list[bytes]] = {}
    with path.open("rb") as file:
        offset = sum(len(file.readline()) for _ in header.environments)
        for record in records:
            line = file.readline()
            if record.suite == CASES:
                run.cases.setdefault(record.case, Lines()).at.append((offset, len(line)))
                texts.setdefault(record.case, []).append(line)
            else:
                e = header.environment_of(record)
                key = (record.suite, record.exporter, record.device, e.torch or "none", e.switches)
                run.others.setdefault(key, Counter())[record.outcome] += 1
            offset += len(line)
    for case, lines in texts.items():
        run.cases[case].digest = digest(b"".join(lines))
    return run
