"""Every check finds what it is for, where it is, and nothing else; see ``fixtures``."""

from __future__ import annotations

from pathlib import Path

import pytest

from exportdb.cases import database
from exportdb.cases.lint.check import Problem
from exportdb.cli import linting
from exportdb.conformance.lint import all_checks
from tests.lint.fixtures import Fixture, fixtures

STATIC, EXECUTING = fixtures("static"), fixtures("executing")


def said(problems: list[Problem], folder: Path) -> list[str]:
    """Problems as fixtures write them."""
    found = []
    for p in problems:
        tree, _, path = p.path.relative_to(folder).as_posix().partition("/")
        found.append(f"{'' if tree == 'tree' else tree + ':'}{path}:{p.line} {p.check}")
    return sorted(found)


@pytest.mark.parametrize("fixture", STATIC, ids=lambda f: f.name)
def test_static(fixture: Fixture, tmp_path: Path) -> None:
    trees = fixture.lay_out(tmp_path)
    db = database.load(trees, builtin=False)
    assert said(linting.problems(db, None, static=True), tmp_path) == sorted(fixture.expected)


@pytest.fixture(scope="module")
def executed(tmp_path_factory: pytest.TempPathFactory) -> list[str]:
    """What lint says of all the executing fixtures, laid out in one tree."""
    folder = tmp_path_factory.mktemp("executing")
    trees = {tree for fixture in EXECUTING for tree in fixture.lay_out(folder)}
    db = database.load(sorted(trees), builtin=False)
    return said(linting.problems(db, None, static=False), folder)


@pytest.mark.parametrize("fixture", EXECUTING, ids=lambda f: f.name)
def test_executing(fixture: Fixture, executed: list[str]) -> None:
    topics = tuple({name.partition("/")[0] + "/" for name in fixture.files})
    assert [s for s in executed if s.startswith(topics)] == sorted(fixture.expected)


def test_every_check_has_a_fixture_that_it_fires_on() -> None:
    fired = {e.partition(" ")[2] for f in (*STATIC, *EXECUTING) for e in f.expected}
    assert fired == {check.id for check in all_checks()}


def test_ids_are_unique_and_every_check_says_what_why_and_how() -> None:
    checks = all_checks()
    assert len({c.id for c in checks}) == len(checks)
    for check in checks:
        for text in (check.what, check.why, check.fix):
            assert text.endswith((".", "`.")), f"{check.id}: {text}"


def test_the_database_is_clean() -> None:
    problems = linting.problems(database.load(), None, static=True)
    assert not problems, "\n".join(f"{p.path}:{p.line}: {p.check} {p.message}" for p in problems)


#: A class of tensors and a registered class need more lines than the idea that they serve.
LONGER = {
    "inputs/cache_object_registered",
    "operators/weight_of_class_within_class",
    "operators/weight_of_own_class",
}


def test_programs_are_as_short_as_the_manual_says() -> None:
    """At most 25 lines after the docstring, blank ones aside; a fragment of a model at most 40."""
    cases = database.load().cases.values()
    lines = {c.id: sum(map(bool, c.program.split("\n"))) for c in cases}
    assert {name for name, count in lines.items() if count > 25} == LONGER
    assert max(lines.values()) <= 40
