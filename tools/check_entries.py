"""Runs the programs that entries of the error catalogue show, and says which do otherwise.

    python tools/check_entries.py                 every entry that has programs
    python tools/check_entries.py E0206 E0412     these
    python tools/check_entries.py --cases mine    those of a tree of one's own

An entry's program ``fails`` has to raise, and what it wrote to standard error has to be explained
by that entry, surely and before any other (surely, where it only wraps another error); its program
``works`` has to run through. Each runs in a process and an empty folder of its own, as with a
reader who pastes it into a file.
"""

from __future__ import annotations

import argparse
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

from exportdb.cases import catalogue
from exportdb.cases.catalogue import Entry
from exportdb.explain.answer import explained
from exportdb.explain.matching import Matcher

#: Seconds after which a program shows nothing any more.
LIMIT = 300
#: Characters of an error that are told.
END = 700


@dataclass(frozen=True)
class Ended:
    """How a program ended; ``code`` is None where it did not within the limit."""

    code: int | None
    error: str


def ran(program: str) -> Ended:
    """Run a program in a process and a folder of its own."""
    env = {k: v for k, v in os.environ.items() if not k.startswith(("TORCH", "PYTEST"))}
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder, "program.py")
        file.write_text(program, encoding="utf-8")
        try:
            done = subprocess.run(
                [sys.executable, file.name], cwd=folder, env=env, timeout=LIMIT,
                stdout=subprocess.DEVNULL, stderr=subprocess.PIPE, text=True, errors="replace",
            )  # fmt: skip
        except subprocess.TimeoutExpired:
            return Ended(None, f"nothing after {LIMIT} seconds")
    return Ended(done.returncode, done.stderr)


def problems(entry: Entry, matcher: Matcher) -> list[str]:
    """What the programs of an entry do otherwise than they say."""
    fails, works = ran(entry.fails), ran(entry.works)
    found = []
    if fails.code == 0:
        found.append(f"{entry.id}: fails ran through")
    elif fails.code is None:
        found.append(f"{entry.id}: fails gave {fails.error}")
    elif other := _told_otherwise(entry, fails.error, matcher):
        found.append(f"{entry.id}: fails raised what {other}:\n{_end(fails.error)}")
    if works.code != 0:
        found.append(f"{entry.id}: works failed:\n{_end(works.error)}")
    return found


def _told_otherwise(entry: Entry, error: str, matcher: Matcher) -> str:
    """What is said of an error if not that it surely is this entry's; else ""."""
    sure = [a.entry.id for a in explained(error, matcher).answers if a.sure]
    if not sure:
        return "no entry surely explains"
    right = sure if entry.wrapper else sure[:1]
    return "" if entry.id in right else f"{sure[0]} explains first"


def _end(error: str) -> str:
    return error.strip()[-END:]


def main(words: Iterable[str] | None = None) -> int:
    parser = argparse.ArgumentParser(description=(__doc__ or "").split("\n")[0])
    parser.add_argument("ids", nargs="*", metavar="ENTRY", help="an entry's ID (default: all)")
    parser.add_argument("--cases", action="append", default=[], type=Path, metavar="FOLDER")
    chosen = parser.parse_args(None if words is None else [*words])
    read = catalogue.load(chosen.cases)
    matcher = Matcher(read.entries.values())
    found = [str(error) for error in read.broken]
    found += [f"there is no entry {name}" for name in chosen.ids if name not in read.entries]
    shown = [e for e in read.entries.values() if e.fails and (not chosen.ids or e.id in chosen.ids)]
    for entry in shown:
        found += (told := problems(entry, matcher))
        print(f"{entry.id} {'wrong' if told else 'as it says'}", flush=True)
    print(*found, f"{len(shown)} entries with programs, {len(found)} problems", sep="\n")
    return bool(found)


if __name__ == "__main__":
    sys.exit(main())
