"""What the command line needs to know of expectations: where they are, and what they say here.

Owns finding the versions of this environment and what each exporter extends without importing
torch. The rules are ``exportdb.records.expectation``'s.
"""

from __future__ import annotations

import contextlib
import threading
from collections.abc import Callable, Iterable, Mapping, Sequence
from functools import cache
from pathlib import Path

from exportdb import plugins
from exportdb.cases.case import Case, CaseError
from exportdb.cli import options
from exportdb.records.environment import Environment, environment
from exportdb.records.expectation import (
    Expectation,
    Extends,
    Shelf,
    Where,
    expectation,
    lineage,
    minor,
)
from exportdb.records.record import Record
from exportdb.records.verdict import judge


def here(device: str = "cpu", measured: Environment | None = None) -> Where | None:
    """The place where records were measured, by default this one; None where there is no torch."""
    told = measured or _this()
    if told.torch is None:
        return None
    return Where(told.torch, device, minor(told.python), told.platform, told.switches)


@cache
def _this() -> Environment:
    return environment()


def declared_extends(
    refs: Sequence[plugins.PluginRef], home: Path | None = None
) -> dict[str, str | None]:
    """What plug-ins say they extend, each asked in a process of its own. Raises RunnerError."""
    others = [r for r in refs if not r.target.startswith("exportdb.")]
    if not others:
        return {}
    from exportdb.runner.describe import describe
    from exportdb.store.runfile import home_folder

    said = describe(others, home_folder(home))
    return {r.name: said[r.target].extends for r in others}


def shelf(
    own: Path | None = None, extends: Extends | None = None, about: Iterable[str] | None = None
) -> Shelf:
    """The expectations that --expectations or the configuration name, then the built-in ones.

    ``about`` are the exporters that will be asked about, None for all.
    """
    folder = own or options.configuration().expectations
    extended = {**plugins.builtin_extends(), **(extends or {})}
    names = None if about is None else {n for e in about for n in lineage(extended, e)}
    return Shelf(
        extended, folder.resolve() if folder else None, None if names is None else frozenset(names)
    )


def read_ahead(shelf: Shelf, cases: Sequence[Case]) -> None:
    """Begin to read what is expected of ``cases``, and do not wait for it.

    While the processes of a run warm up, the parent has nothing to do; later it would take the
    time from them. A file that cannot be read is said to be so when it is needed.
    """

    def read() -> None:
        for case in cases:
            with contextlib.suppress(CaseError):
                shelf.entries(case)

    threading.Thread(target=read, daemon=True).start()


def judging(shelf: Shelf, cases: Sequence[Case]) -> Callable[[Record, Environment], Record]:
    """A function that fills ``expected`` and ``verdict`` of a record of one of ``cases``.

    What is expected hangs on the environment that the record was made in.
    """
    by_id = {c.id: c for c in cases}

    def fill(record: Record, measured: Environment) -> Record:
        known = expectation_of(shelf, by_id, record, measured)
        return record.with_(
            expected=known.outcome if known else None, verdict=judge(record, known).word
        )

    return fill


def expectation_of(
    shelf: Shelf,
    cases: Mapping[str, Case],
    record: Record,
    measured: Environment,
) -> Expectation | None:
    """What is expected of a record; None for a case that is not among ``cases``."""
    where = here(record.device, measured)
    if where is None or record.case not in cases:
        return None
    return shelf.expectation(cases[record.case], record.exporter, where)


def outcomes(
    shelf: Shelf, case: Case, device: str = "cpu", measured: Environment | None = None
) -> dict[str, str]:
    """The expected outcome of every exporter that expectations of a case speak of."""
    entries, where = shelf.entries(case), here(device, measured)
    # Without a torch, what holds for one that no version condition has heard of.
    where = where or Where("9999.0", device)
    # An exporter that was never measured here inherits what to compare with, and has no outcome.
    names = [e for e in shelf.extends if e in entries]
    names += [e for e in entries if e not in shelf.extends]
    found = {n: expectation(entries, shelf.extends, n, where) for n in names}
    return {n: known.outcome for n, known in found.items() if known is not None}


def with_outcome(cases: Sequence[Case], wanted: Sequence[str]) -> list[Case]:
    """The cases for which some exporter is expected to have one of the outcomes."""
    if not wanted:
        return list(cases)
    known = shelf()
    return [c for c in cases if set(outcomes(known, c).values()) & set(wanted)]
