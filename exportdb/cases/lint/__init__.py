"""Checks that a machine can make of the database: finding them, running them, settling them.

Owns the list of the static checks and what ``allow:`` means. What one check looks at is left to
its module under ``checks``; checks that run programs to ``exportdb.conformance.lint``.
"""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterable, Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

from exportdb.cases import catalogue, vocabulary
from exportdb.cases.case import Case
from exportdb.cases.database import Database
from exportdb.cases.lint import checks as _checks
from exportdb.cases.lint.check import Check, Context, Problem

ALLOW_UNKNOWN = "L017"
ALLOW_UNUSED = "L018"


@cache
def static_checks() -> tuple[Check, ...]:
    """The checks of this package, by ID: every module under ``checks`` is one."""
    return checks_in(_checks.__name__, _checks.__path__)


def checks_in(package: str, path: Iterable[str]) -> tuple[Check, ...]:
    """The ``CHECK`` of every module of a package, by ID."""
    modules = [importlib.import_module(f"{package}.{m.name}") for m in pkgutil.iter_modules(path)]
    found = sorted((m.CHECK for m in modules if hasattr(m, "CHECK")), key=lambda c: c.id)
    return tuple(found)


def context(database: Database, checks: Iterable[Check]) -> Context:
    """What checks look at: a database with the vocabulary and the catalogue of its trees."""
    return Context(
        database,
        vocabulary.load(database.trees),
        catalogue.load(database.trees),
        frozenset(c.id for c in checks),
    )


def run_static(
    checks: Iterable[Check], ctx: Context, cases: Sequence[Case] | None, trees: Sequence[Path] = ()
) -> list[Problem]:
    """What the checks find that run no program: in all of the database, or in ``cases`` and what
    lies beside them in ``trees`` alone."""
    chosen = list(ctx.database) if cases is None else list(cases)
    ctx = replace(ctx, chosen=tuple(chosen))
    files = {file for case in chosen for file in (case.path, case.expectations_path)}
    problems: list[Problem] = []
    for check in checks:
        if check.on_case is not None:
            for case in chosen:
                problems += [
                    Problem(case.path, line, check.id, message)
                    for line, message in check.on_case(case, ctx)
                ]
        elif check.on_database is not None:
            found = check.on_database(ctx)
            problems += [
                p for p in found
                if cases is None or p.path in files or any(p.path.is_relative_to(t) for t in trees)
            ]  # fmt: skip
    return problems


def settle(
    problems: Iterable[Problem], cases: Iterable[Case], ran: Iterable[Check], ctx: Context
) -> list[Problem]:
    """The problems that remain once each case's ``allow:`` is applied, in the order of files.

    An allowance of a check that ran and found nothing is a problem itself, and so is one of a
    check that does not exist.
    """
    found = set(problems)
    ran_ids = {check.id for check in ran}
    remaining = set(found)
    for case in cases:
        line = case.lines.get("allow", 1)
        for check_id in case.meta.allow:
            hits = {
                p for p in found
                if p.check == check_id and p.path in (case.path, case.expectations_path)
            }  # fmt: skip
            remaining -= hits
            if check_id not in ctx.checks:
                message = f"allow names {check_id}, and there is no such check"
                remaining.add(Problem(case.path, line, ALLOW_UNKNOWN, message))
            elif check_id in ran_ids and not hits:
                message = f"allow names {check_id}, which finds nothing here"
                remaining.add(Problem(case.path, line, ALLOW_UNUSED, message))
    return sorted(remaining)
