"""L031: a tag that no case has."""

from __future__ import annotations

from collections.abc import Iterator

from exportdb.cases.lint.check import Check, Context, Problem


def _find(ctx: Context) -> Iterator[Problem]:
    used = {tag for case in ctx.database for tag in case.meta.tags}
    for tag in ctx.vocabulary.tags.values():
        if tag.name not in used and tag.path.parent in ctx.database.trees:
            yield Problem(tag.path, tag.line, "L031", f"no case has the tag {tag.name}")


CHECK = Check(
    id="L031",
    what="Every tag of tags.yaml is used by a case.",
    why="An empty tag promises what the database does not have.",
    fix="Write the case, or take the tag out until there is one.",
    on_database=_find,
    advises=True,
)
