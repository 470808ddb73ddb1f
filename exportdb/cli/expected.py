"""What the command line needs to know of expectations: where they are, and what they say here.

Owns finding the versions of this environment and what each exporter extends without importing
torch. The rules are ``exportdb.records.expectation``'s.
"""

from __future__ import annotations

import contextlib
from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path
from typing import TypeAlias

import msgspec

from exportdb import plugins, resolve
from exportdb.cases.case import Case
from exportdb.cases.index import kept_file, stamp
from exportdb.files import keep
from exportdb.records import expectation_files
from exportdb.records.environment import Environment, environment
from exportdb.records.expectation import Extends, Where
from exportdb.records.expectation_files import Expectations
from exportdb.records.outcome import Outcome

#: A place that no version condition has heard of.
_NEWEST = Where("9999.0", "cpu")
#: Outcomes by what first says something of a case, with what tells its files apart.
_Kept: TypeAlias = dict[str, tuple[list[tuple[str, int, int]], list[str]]]


def here(device: str = "cpu", measured: Environment | None = None) -> Where | None:
    """The place where records were measured, by default this one; None where there is no torch."""
    return Where.of(measured or _environment_here(), device)


@cache
def _environment_here() -> Environment:
    return environment()


def declared_extends(
    refs: Sequence[plugins.PluginRef], home: Path | None = None
) -> dict[str, str | None]:
    """What plug-ins say they extend, each asked in a process of its own. Raises RunnerError."""
    others = [r for r in refs if not r.target.startswith("exportdb.")]
    if not others:
        return {}
    from exportdb.runner.declarations import declarations_of
    from exportdb.store.home import home_folder

    said = declarations_of(others, home_folder(home))
    return {r.name: said[r.target].extends for r in others}


def all_expectations(
    own: Path | None = None, extends: Extends | None = None,
    exporters: Sequence[plugins.PluginRef] = (),
) -> Expectations:  # fmt: skip
    """The expectations that --expectations or the configuration name, or that stand beside the
    file of one of ``exporters``; then the built-in ones."""
    return Expectations(
        {**plugins.builtin_extends(), **(extends or {})}, resolve.own_expectations(own, exporters)
    )


def outcomes(known: Expectations, case: Case, device: str = "cpu") -> dict[str, Outcome]:
    """The expected outcome of every exporter that expectations of a case speak of."""
    # Without a torch, what holds for one that no version condition has heard of.
    return known.outcomes(case, here(device) or replace(_NEWEST, device=device))


def with_outcome(cases: Sequence[Case], wanted: Sequence[str]) -> list[Case]:
    """The cases for which some exporter is expected to have one of the outcomes."""
    if not wanted:
        return list(cases)
    found = _outcomes(all_expectations(), cases)
    return [c for c in cases if found[c.id] & set(wanted)]


def _outcomes(known: Expectations, cases: Sequence[Case]) -> dict[str, set[str]]:
    """What any exporter is expected to have here, by case. Reading a file takes milliseconds, so
    what it said is remembered until it changes."""
    readers = sorted(Path(expectation_files.__file__).parent.glob("*.py"))
    place = here() or _NEWEST
    asked = f"{place} {sorted(known.extends.items())} {[stamp(r) for r in readers]}"
    file = kept_file("outcomes", asked)
    kept: _Kept = {}
    with contextlib.suppress(OSError, msgspec.MsgspecError):
        kept = msgspec.msgpack.decode(file.read_bytes(), type=_Kept)
    found, fresh = {}, {}
    for case in cases:
        parts = [p for p in known.parts_of(case) if p.path.exists()]
        stamps = [(f"{p.path} {p.key}".rstrip(), *stamp(p.path)) for p in parts]
        name = stamps[0][0] if stamps else case.id
        if kept.get(name, ([], []))[0] != stamps or not stamps:
            fresh[name] = (stamps, sorted(map(str, set(outcomes(known, case).values()))))
        found[case.id] = set((fresh.get(name) or kept[name])[1])
    if fresh:
        keep(file, msgspec.msgpack.encode(kept | fresh))
    return found
