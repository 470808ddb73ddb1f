"""From a failing attempt to the smallest program of the same file that fails in the same way.

Owns what "the same way" is. Which smaller texts there are is left to ``reduce``, the form of the
result to ``as_case``.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path

from exportdb.diagnose.change import edited
from exportdb.diagnose.flat import flattened
from exportdb.diagnose.origin import FileOrigin
from exportdb.diagnose.reduce import ReductionProgress, reduced, smaller
from exportdb.diagnose.search import Attempt, Search
from exportdb.records.record import Record, digest

#: How many times as long as the whole program a smaller one may take, and seconds it may anyway.
_LONGER, _LEAST = 2, 2.0


def failure_of(record: Record) -> tuple[object, ...]:
    """What has to stay as it is: the error, or how it disagrees with eager."""
    if record.error is not None and not record.outcome.silent:
        return record.outcome, record.error.type, record.error.catalogue or record.error.fingerprint
    return record.outcome, *sorted({s.result for s in record.samples if s.counts_against})


def minimise(
    attempt: Attempt,
    search: Search,
    seconds: float = 60.0,
    home: Path | None = None,
    note: Callable[[ReductionProgress], None] = lambda progress: None,
) -> tuple[str, bool]:
    """The smallest text found for a failing attempt, and whether nothing smaller was left to try.

    What was tried is kept under ``home``: the next call with the same program goes on from there.
    Raises ValueError for a module that is not from a file: there is no text to make smaller.
    """
    origin = attempt.program.origin
    if not isinstance(origin, FileOrigin):
        raise ValueError("only a program in a file can be made smaller")
    wanted, began = failure_of(attempt.record), time.monotonic()
    search.examine([attempt.setup], began + seconds)
    # A smaller program that takes much longer than the whole one goes round and round.
    limit = max(_LEAST, _LONGER * (time.monotonic() - began))
    end = time.monotonic() + seconds

    def still_fails(texts: Sequence[str]) -> list[bool | None]:
        programs = [replace(attempt.program, source=text, replaced=True) for text in texts]
        setups = [replace(attempt.setup, program=program) for program in programs]
        found = {a.setup.key: failure_of(a.record) for a in search.examine(setups, end, limit)}
        return [found[s.key] == wanted if s.key in found else None for s in setups]

    text = edited(attempt.program.source, attempt.program.changes)
    key = digest(f"{text}\n{attempt.exporter.target}\n{wanted}")
    path = None if home is None else home / "minimise" / f"{key}.json"
    known = ReductionProgress.read(path) if path else None
    if known is None and attempt.seen.others:
        one = flattened(text, attempt.seen.others)
        text = one if still_fails([one]) == [True] else text
    progress = known or ReductionProgress(text)

    def noted(progress: ReductionProgress) -> None:
        if path:
            progress.save(path)
        note(progress)

    # Where few can be tried at once, what comes after the first that fails is tried for nothing.
    batch = min(8, 2 * search.width)
    done = reduced(
        progress, still_fails, lambda t: smaller(t, origin.name), seconds, batch, note=noted
    )
    return progress.text, done
