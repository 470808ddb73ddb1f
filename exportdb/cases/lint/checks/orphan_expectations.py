"""L035: expectations without a case."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.catalogue import sources
from exportdb.cases.lint.check import Check, Context, Problem
from exportdb.cases.vocabulary import FILE as VOCABULARY

DATA_FILES = frozenset({VOCABULARY, "redirects.yaml", "exporters.yaml", "environments.yaml"})


def _find(ctx: Context) -> Iterator[Problem]:
    for tree in ctx.database.trees:
        for path in sorted(tree.rglob("*.yaml")):
            if (path.parent == tree and path.name in DATA_FILES) or path in sources(tree):
                continue
            if any(p.startswith(".") for p in path.relative_to(tree).parts):
                continue
            if not path.with_suffix(".py").is_file():
                yield Problem(path, 1, "L035", f"there is no {path.stem}.py beside it")


CHECK = Check(
    id="L035",
    what="Every expectations file is next to its case.",
    why="Expectations that belong to no case are never compared with anything.",
    fix="Rename the file with its case, or remove it.",
    on_database=_find,
)
