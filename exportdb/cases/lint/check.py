"""What a check is: its ID, what it looks at, why, how to fix what it finds.

Owns the words of lint (check, problem, context). Finding the checks and running them is left to
``exportdb.cases.lint``; each check is a module of its own under ``checks``, and those that need
more than the files of the database live in ``exportdb.conformance.lint``.
"""

from __future__ import annotations

import ast
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

from exportdb.cases.case import Case
from exportdb.cases.catalogue import Catalogue
from exportdb.cases.database import Database
from exportdb.cases.vocabulary import Vocabulary


@dataclass(frozen=True, order=True)
class Problem:
    """One thing that is wrong: where, which check says so, and what it is."""

    path: Path
    line: int
    check: str
    message: str


@dataclass(frozen=True)
class Context:
    """Everything a check may look at besides the case in hand.

    ``checks`` holds the ID of every check there is, run or not, ``chosen`` the cases that are asked
    about: a check that reads a file a case reads those of no others.
    """

    database: Database
    vocabulary: Vocabulary
    catalogue: Catalogue
    checks: frozenset[str] = frozenset()
    chosen: tuple[Case, ...] = ()
    _trees: dict[str, ast.Module] = field(default_factory=dict, repr=False)

    def tree(self, case: Case) -> ast.Module:
        """The syntax tree of a case's file, parsed once."""
        if case.id not in self._trees:
            self._trees[case.id] = ast.parse(case.source)
        return self._trees[case.id]

    @property
    def by_title(self) -> Mapping[str, list[Case]]:
        """Cases that share a title, letter case left out."""
        titles: dict[str, list[Case]] = {}
        for case in self.database:
            titles.setdefault(case.meta.title.casefold(), []).append(case)
        return titles


#: What a check of a case yields: the line and the message; the path is the case's.
Found = Iterable[tuple[int, str]]


@dataclass(frozen=True)
class Check:
    """One check. Exactly one of the three functions is given.

    ``on_case`` sees one case and its surroundings, ``on_database`` all of it; neither runs any
    program. ``on_program`` is given a program that has been imported in a process of its own (a
    ``exportdb.conformance.lint.subject.Subject``), and may run it. What ``advises`` is demanded of
    the public database alone: of a tree of one's own it is advice.
    """

    id: str
    what: str
    why: str
    fix: str
    on_case: Callable[[Case, Context], Found] | None = None
    on_database: Callable[[Context], Iterator[Problem]] | None = None
    on_program: Callable[[Any], Found] | None = None
    advises: bool = False

    @property
    def executes(self) -> bool:
        """Whether the check runs programs."""
        return self.on_program is not None


def line_of(case: Case, key: str) -> int:
    """The line of a front-matter key, or of the front matter where the key is not given."""
    return case.lines.get(key, 1)
