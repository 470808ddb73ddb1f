"""``exportdb lint``: everything a machine can check of the database."""

from __future__ import annotations

import os
from collections.abc import Sequence
from functools import cache
from itertools import groupby
from pathlib import Path

import click

from exportdb import resolve
from exportdb.cases.database import builtin_tree
from exportdb.cases.lint.check import Check, Problem
from exportdb.cli import linting, options, output
from exportdb.conformance.lint import all_checks
from exportdb.prose import plural


@click.command("lint")
@options.selecting
@click.option(
    "--static", is_flag=True, help="Run only the checks that execute no program; needs no torch."
)
@click.option(
    "--shard",
    metavar="I/N",
    help="Execute only the programs of the I-th of N parts of the cases; the split is stable. "
    "Checks that execute nothing still cover all cases.",
)
@click.option("--list", "list_checks", is_flag=True, help="List the checks and exit.")
@click.option(
    "--explain", metavar="ID", help="Show what a check looks for, why, and how to fix it; exit."
)
@options.json_option
def command(
    patterns: tuple[str, ...], tags: tuple[str, ...], trees: tuple[Path, ...], only: bool,
    static: bool, shard: str | None, list_checks: bool, explain: str | None, as_json: bool,
) -> int:  # fmt: skip
    """Check cases; CASES are IDs, globs, topics or files. Without any, the whole database.

    \b
      exportdb lint --static
      exportdb lint my_case.py
      exportdb lint --shard 1/4
      exportdb lint --explain L012

    A case that breaks a check on purpose says so: `allow: {L012: reason}` in its front matter.
    Requirements of the public database alone, such as a description and tags, are advice for your
    own cases.

    Exit codes: 0 no problems (there may be advice), 1 problems, 2 cannot run.
    """
    if explain is not None:
        return _explain(explain)
    if list_checks:
        return _list(as_json)
    if patterns or tags or resolve.only_own(only):
        selection = resolve.select(patterns, tags, trees, whole=True, only=only)
        database, cases = selection.database, selection.cases
    else:
        database, cases = resolve.load(trees), None
    # The files beside the cases are looked at as well where whole trees are asked for.
    whole_trees = () if patterns or tags else database.trees[1:]
    if shard is None:
        found = linting.problems(database, cases, static, whole_trees)
    else:
        part = linting.part_of(list(database) if cases is None else cases, shard)
        found = linting.problems(database, cases, True, whole_trees)
        found = sorted({*found, *linting.problems(database, part, static)})
    if cases is not None:  # a selected file that cannot be read belongs to no case
        unread = {e.path for e in selection.broken.values()}
        whole = linting.problems(database, None, static=True) if unread else []
        found = sorted({*found, *(p for p in whole if p.path in unread)})
    _show(found, as_json)
    advice = sum(map(_is_advice, found))
    if not as_json:
        looked = len(database.cases) if cases is None else len(cases)
        looked += len(database.broken if cases is None else selection.broken)
        told = [plural(len(found) - advice, "problem")]
        told += [f"{advice:,} piece{'s' * (advice > 1)} of advice"] * bool(advice)
        output.note(f"{', '.join(told)} in {plural(looked, 'case')}")
    return int(len(found) > advice)


@cache
def _advising() -> frozenset[str]:
    return frozenset(check.id for check in all_checks() if check.advises)


def _is_own(problem: Problem) -> bool:
    """Whether it is in a tree of one's own."""
    return not problem.path.is_relative_to(builtin_tree())


def _is_advice(problem: Problem) -> bool:
    """Whether only the public database demands it, and the case is one's own."""
    return problem.check in _advising() and _is_own(problem)


def _show(problems: Sequence[Problem], as_json: bool) -> None:
    fix = {check.id: check.fix for check in all_checks()}
    if as_json:
        output.put_lines(
            {"path": _shown(p.path), "line": p.line, "check": p.check, "message": p.message,
             "fix": fix[p.check], "advice": _is_advice(p)} for p in problems
        )  # fmt: skip
        return
    for check, alike in groupby(problems, lambda p: p.check):
        for p in alike:
            advice = " (advice)" if _is_advice(p) else ""
            output.put(f"{_shown(p.path)}:{p.line}: {p.check} {p.message}{advice}")
        output.put(f"    {fix[check]}")  # once for several in a row


def _shown(path: Path) -> str:
    """The path as the reader would type it here."""
    shorter = os.path.relpath(path)
    return str(path) if shorter.startswith("..") else shorter


def _explain(check_id: str) -> int:
    for check in all_checks():
        if check.id == check_id.upper():
            output.put(f"{check.id}: {check.what}\n")
            output.put(f"Why: {check.why}")
            output.put(f"To fix it: {check.fix}")
            if check.advises:
                output.put("Of cases of your own it is advice, and does not fail.")
            output.put(f"To break it on purpose: allow: {{{check.id}: the reason}}")
            return 0
    raise click.BadParameter(f"there is no check {check_id}; see --list", param_hint="--explain")


def _list(as_json: bool) -> int:
    if as_json:
        output.put_lines(
            {
                "check": c.id,
                "what": c.what,
                "why": c.why,
                "fix": c.fix,
                "executes": c.executes,
                "advises": c.advises,
            }
            for c in all_checks()
        )
        return 0
    output.table(("check", "runs", "what it checks", "why"), [_row(c) for c in all_checks()])
    return 0


def _row(check: Check) -> tuple[str, str, str, str]:
    return check.id, "yes" if check.executes else "no", check.what, check.why
