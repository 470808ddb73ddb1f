"""From a failing attempt to the smallest program of the same file that fails in the same way.

Owns what "the same way" is, for the program and for the case that is written of it. Which smaller
texts there are is left to ``reduce``, the forms of the result to ``as_case``.
"""

from __future__ import annotations

import ast
import re
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import replace
from pathlib import Path

from exportdb.diagnose.as_case import drafts, returned
from exportdb.diagnose.change import edited
from exportdb.diagnose.flat import flattened
from exportdb.diagnose.origin import FileOrigin
from exportdb.diagnose.reduce import ReductionProgress, reduced, smaller
from exportdb.diagnose.search import Attempt, Search
from exportdb.records.record import Record, digest

#: How many times as long as the whole program a smaller one may take, and seconds it may anyway.
_LONGER, _LEAST = 2, 2.0
#: Seconds that the run of the small program as a case may take anyway, and the part of all seconds
#: that is kept for it: it is not shown without.
_LEAST_OF_CASE, _KEPT = 5.0, 0.3


def failure_of(record: Record) -> tuple[object, ...]:
    """What has to stay as it is: the error, or how it disagrees with eager."""
    error = record.error
    if error is not None and not record.outcome.silent:
        what = error.catalogue or error.fingerprint
        return record.outcome, error.type, what, *filter(None, [question_kind(error.message)])
    return record.outcome, *sorted({s.result for s in record.samples if s.counts_against})


def question_kind(message: str) -> str:
    """What kind of thing torch could not tell from data: "" where it asked nothing of data.

    >>> question_kind("Could not guard on data-dependent expression u0 > 6 (unhinted: u0 > 6).")
    'which is larger'
    >>> question_kind("Could not guard on data-dependent expression Eq(u0, 1) (unhinted: ...).")
    'whether it holds'
    """
    found = re.search(r"data-dependent expression (.+?)(?: \(|\.(?:\s|$)|\n|$)", message)
    if found is None:
        return ""
    asked = found[1]
    if re.fullmatch(r"Eq\(u\d+, 1\)|Ne\(u\d+, [01]\)", asked):  # a bare `if` on a tensor
        return "whether it holds"
    if re.search(r"\b(Eq|Ne)\(|[!=]=", asked):
        return "whether two are equal"
    return "which is larger" if re.search(r"[<>]", asked) else "a number"


def small_program(
    attempt: Attempt,
    search: Search,
    seconds: float = 60.0,
    home: Path | None = None,
    lines: Callable[[int], None] = lambda lines: None,
) -> tuple[str, bool]:
    """A small program that fails as ``attempt`` does, as a case that was run, and whether nothing
    smaller was left to try: within ``seconds``, but that one run is made in any case.

    ``lines`` is told how long it is. Raises ValueError as :func:`minimise` does.
    """
    end = time.monotonic() + seconds
    run = _LONGER * attempt.seconds  # as long as that may be; there may be two
    left = seconds - min(_KEPT * seconds, 2 * run)

    def note(progress: ReductionProgress) -> None:
        lines(len(progress.text.splitlines()))

    text, done = minimise(attempt, search, left, home, note)
    return small_case(text, attempt, search, end), done


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
    wanted, end = failure_of(attempt.record), time.monotonic() + seconds
    # A smaller program that takes much longer than the whole one goes round and round.
    limit = max(_LEAST, _LONGER * attempt.seconds)

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
    whole = gives_example(text, origin.name)

    def steps(text: str) -> Iterator[str]:
        found = smaller(text, origin.name)
        return (t for t in found if not whole or gives_example(t, origin.name))

    done = reduced(progress, still_fails, steps, seconds, batch, note=noted)
    return progress.text, done


def gives_example(text: str, name: str) -> bool:
    """Whether the function ``name`` returns the arguments beside the module, as far as it shows.

    >>> gives_example("def make():\\n    return (Model(),)", "make")
    False
    """
    for value in returned(ast.parse(text), name):
        if isinstance(value, ast.Tuple) and len(value.elts) < 2:
            return False
        if isinstance(value, ast.Dict) and not any(
            isinstance(key, ast.Constant) and key.value == "args" for key in value.keys
        ):
            return False
    return True


def small_case(text: str, attempt: Attempt, search: Search, end: float | None = None) -> str:
    """The program ``text`` as a case that was run as one and fails as ``attempt`` does, if one of
    its forms does so; its description says what came of it. After ``end`` (of the monotonic clock)
    no further form is tried."""
    origin = attempt.program.origin
    assert isinstance(origin, FileOrigin)
    limit = max(_LEAST_OF_CASE, _LONGER * attempt.seconds)
    found = list[str]()
    for draft in drafts(text, origin.name):
        if found and end is not None and time.monotonic() > end:
            break
        record = search.of_case(
            draft.written(origin.path.name, attempt.record), attempt, origin, limit
        )
        written = draft.written(origin.path.name, record)
        if _alike(record, attempt.record):
            return written
        found.append(written)
    return found[-1]


def _alike(case: Record, program: Record) -> bool:
    """Whether a case fails as the program that it was made of: the same, but for the samples."""
    if case.outcome != program.outcome:
        return False
    one, other = case.error, program.error
    if one is None or other is None or program.outcome.silent:
        return True
    kinds = question_kind(one.message) == question_kind(other.message)
    return one.type == other.type and one.catalogue == other.catalogue and kinds
