"""What the command line needs to know of expectations: where they are, and what they say here.

Owns finding the versions of this environment and what each exporter extends without importing
torch. The rules are ``exportdb.records.expectation``'s.
"""

from __future__ import annotations

import platform
from collections.abc import Callable, Mapping, Sequence
from importlib import metadata
from pathlib import Path
from typing import Any

from exportdb import plugins
from exportdb.cases.case import Case
from exportdb.cli import options
from exportdb.records.expectation import Expectation, Extends, Shelf, Where, expectation, minor
from exportdb.records.record import Record
from exportdb.records.verdict import judge


def torch_version() -> str | None:
    """The installed torch's version as its distribution says, or None if there is none."""
    try:
        return metadata.version("torch")
    except metadata.PackageNotFoundError:
        return None


def here(device: str = "cpu", environment: Mapping[str, Any] | None = None) -> Where | None:
    """The place where a run measures, now or as an environment line says; None without a torch."""
    told = environment or {}
    torch = told.get("torch") or torch_version()
    if torch is None:
        return None
    return Where(
        torch=str(torch),
        device=device,
        python=minor(str(told.get("python") or platform.python_version())),
        platform=platform.system().lower(),
    )


def builtin_extends() -> dict[str, str | None]:
    """What each built-in exporter extends. Their modules are light; no other plug-in is imported."""
    return {
        name: getattr(ref.load(), "extends", None)
        for name, ref in plugins.installed(plugins.EXPORTERS).items()
        if ref.target.startswith("exportdb.")
    }


def shelf(own: Path | None = None, extends: Extends | None = None) -> Shelf:
    """The expectations that --expectations and the configuration name, before the built-in ones."""
    folder = own or options.configuration().expectations
    return Shelf({**builtin_extends(), **(extends or {})}, folder.resolve() if folder else None)


def judging(
    shelf: Shelf, cases: Sequence[Case], environment: Mapping[str, Any] | None = None
) -> Callable[[Record], Record]:
    """A function that fills ``expected`` and ``verdict`` of a record of one of ``cases``."""
    by_id = {c.id: c for c in cases}

    def fill(record: Record) -> Record:
        known = expectation_of(shelf, by_id, record, environment)
        return record.with_(
            expected=known.outcome if known else None, verdict=judge(record, known).word
        )

    return fill


def expectation_of(
    shelf: Shelf,
    cases: Mapping[str, Case],
    record: Record,
    environment: Mapping[str, Any] | None = None,
) -> Expectation | None:
    """What is expected of a record; None for a case that is not among ``cases``."""
    where = here(record.device, environment)
    if where is None or record.case not in cases:
        return None
    return shelf.expectation(cases[record.case], record.exporter, where)


def outcomes(shelf: Shelf, case: Case, device: str = "cpu") -> dict[str, str]:
    """The expected outcome of every exporter that expectations of a case speak of."""
    entries, where = shelf.entries(case), here(device)
    # Without a torch, what holds for one that no version condition has heard of.
    where = where or Where("9999.0", device)
    names = [*shelf.extends, *(e for e in entries if e not in shelf.extends)]
    found = {n: expectation(entries, shelf.extends, n, where) for n in names}
    return {n: known.outcome for n, known in found.items() if known is not None}


def with_outcome(cases: Sequence[Case], wanted: Sequence[str]) -> list[Case]:
    """The cases for which some exporter is expected to have one of the outcomes; all if none asked."""
    if not wanted:
        return list(cases)
    known = shelf()
    return [c for c in cases if set(outcomes(known, c).values()) & set(wanted)]
