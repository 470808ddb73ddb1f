"""L034: a redirect that leads nowhere."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases import yamlfile
from exportdb.cases.case import CaseError
from exportdb.cases.lint.check import Check, Context, Problem


def _find(ctx: Context) -> Iterator[Problem]:
    database = ctx.database
    for path in (tree / "redirects.yaml" for tree in database.trees):
        if not path.is_file():
            continue
        try:
            data, lines = yamlfile.load_file(path)
        except CaseError:
            continue  # the database could not have been read
        for old, new in (data or {}).items():
            line = lines.get(str(old), 1)
            if old in database.cases:
                yield Problem(path, line, "L034", f"{old} is a case and cannot lead elsewhere")
            elif new in database.redirects:
                final = database.redirects[new]
                yield Problem(path, line, "L034", f"{new} leads on to {final}; name that one")
            elif new not in database.cases and new not in database.broken:
                yield Problem(path, line, "L034", f"{old} leads to {new}, which is not a case")


CHECK = Check(
    id="L034",
    what="Every redirect leads from an ID that is gone to a case that exists, in one step.",
    why="IDs are permanent: an old link must still arrive.",
    fix="Correct redirects.yaml; a removed case redirects to the one most like it.",
    on_database=_find,
)
