"""Runs lint for the command line: the static checks here, the executing ones each in isolation.

Owns the way from a selection to the problems that remain. The checks are
``exportdb.cases.lint``'s and ``exportdb.conformance.lint``'s.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Sequence
from pathlib import Path

from exportdb.cases import lint
from exportdb.cases.case import Case
from exportdb.cases.database import Database
from exportdb.cases.lint.check import Problem
from exportdb.cases.lint.syntax import unfilled
from exportdb.conformance.lint import all_checks

#: Seconds the checks of one case may take.
TIMEOUT = 120.0


def problems(
    database: Database,
    cases: Sequence[Case] | None,
    static: bool,
    trees: Sequence[Path] = (),
    done: Callable[[Case], None] = lambda case: None,
) -> list[Problem]:
    """What is wrong with ``cases``, or with the whole database where that is None.

    Of ``trees`` the files that belong to no case are looked at as well. ``done`` is called with
    each case whose program has been run. Raises RunnerError if no process can be started.
    """
    chosen = list(database) if cases is None else list(cases)
    checks = [c for c in all_checks() if not (static and c.executes)]
    ctx = lint.context(database, all_checks())
    found = lint.run_static(checks, ctx, cases, trees)
    if not static:
        found += _executed(database, chosen, done)
    return lint.settle(found, chosen, checks, ctx)


def part_of(cases: Sequence[Case], shard: str) -> list[Case]:
    """The cases of the part ``shard``, as ``2/5``. Raises RunnerError where it is no such thing."""
    from exportdb.runner.request import Shard

    part = Shard.parse(shard).of([("", case.id, "", "") for case in cases])
    return [case for case in cases if ("", case.id, "", "") in part]


def _executed(
    database: Database, cases: Sequence[Case], done: Callable[[Case], None]
) -> list[Problem]:
    from exportdb.executors import open_executor
    from exportdb.executors.protocol import Task
    from exportdb.runner.warm import warm_workers

    found: list[Problem] = []
    with open_executor(warm_workers(jobs=os.cpu_count() or 1)) as executor:
        for case in cases:
            if unfilled(case.source, case.meta.models):
                continue  # a problem already (L039), and all that follows from it
            rewrites = [database.cases[r] for r in case.meta.rewrites if r in database.cases]
            function = "exportdb.conformance.lint.execute:check_case"
            # Two programs in one process may register the same operator: no third is to meet it.
            executor.submit(Task(function, (case, rewrites), TIMEOUT, alone=True, tag=case))
        for ending in executor.endings():
            case = ending.task.tag
            if ending.failure is None:
                found += [Problem(case.path, *each) for each in ending.value]
            else:
                message = f"running it: {ending.failure.type}: {ending.failure.message}"
                found.append(Problem(case.path, case.program_line, "L050", message))
            done(case)
    return found
