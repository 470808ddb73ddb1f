"""L036: expectations that cannot be read."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.case import CaseError
from exportdb.cases.lint.check import Check, Context, Problem
from exportdb.records.expectation_files import read


def _find(ctx: Context) -> Iterator[Problem]:
    for case in ctx.chosen:
        if not case.expectations_path.is_file():
            continue
        try:
            read(case.expectations_path)
        except CaseError as e:
            yield Problem(e.path, e.line, "L036", e.message)


CHECK = Check(
    id="L036",
    what="Every expectations file has the keys, outcomes and conditions that exportdb knows.",
    why="A misspelt condition would never hold, and nobody would notice.",
    fix="Correct the entry, or let exportdb accept write the file anew.",
    on_database=_find,
)
