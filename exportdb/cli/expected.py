"""What the command line needs to know of expectations: where they are, and what they say here.

Owns finding the versions of this environment and what each exporter extends without importing
torch. The rules are ``exportdb.records.expectation``'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path

from exportdb import plugins, resolve
from exportdb.cases.case import Case
from exportdb.records.environment import environment
from exportdb.records.expectation import Extends, Where
from exportdb.records.expectation_files import Expectations
from exportdb.records.outcome import Outcome
from exportdb.records.outcome_index import outcomes_by_case


def _here() -> Where:
    """This place; without a torch, one that no version condition has heard of."""
    return Where.of(environment(), "cpu") or Where("9999.0", "cpu")


def declared_extends(refs: Sequence[plugins.PluginRef], home: Path | None = None) -> Extends:
    """What built-in exporters and these say they extend, each plug-in asked in a process of its
    own. Raises RunnerError, and PluginError for one that extends itself."""
    others = [r for r in refs if not r.ours]
    if not others:
        return plugins.builtin_extends()
    from exportdb.runner.declarations import declarations_of, extends_of
    from exportdb.store.home import home_folder

    return extends_of(others, declarations_of(others, home_folder(home)))


def all_expectations(
    own: Path | None = None, extends: Extends | None = None,
    exporters: Sequence[plugins.PluginRef] = (),
) -> Expectations:  # fmt: skip
    """The expectations that --expectations or the configuration name, or that stand beside the
    file of one of ``exporters``; then the built-in ones."""
    return Expectations(
        extends or plugins.builtin_extends(), resolve.own_expectations(own, exporters)
    )


def outcomes(known: Expectations, case: Case) -> dict[str, Outcome]:
    """The expected outcome of every exporter that expectations of a case speak of."""
    return known.outcomes(case, _here())


def with_outcome(cases: Sequence[Case], wanted: Sequence[str]) -> list[Case]:
    """The cases for which some exporter is expected to have one of the outcomes."""
    if not wanted:
        return list(cases)
    found = outcomes_by_case(all_expectations(), cases, _here())
    return [c for c in cases if found[c.id] & set(wanted)]
