"""L016: rewrites that lead back to where they began."""

from __future__ import annotations

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found, line_of


def _find(case: Case, ctx: Context) -> Found:
    meta, cases = case.meta, ctx.database.cases
    for key in ("rewrites", "pitfalls"):
        if case.id in getattr(meta, key):
            yield line_of(case, key), f"{key} names the case itself"
    for both in sorted(set(meta.rewrites) & set(meta.pitfalls)):
        yield line_of(case, "pitfalls"), f"{both} is both a rewrite and a pitfall"
    for rewrite in meta.rewrites:
        if rewrite != case.id and (path := _way(rewrite, case.id, cases)):
            yield line_of(case, "rewrites"), f"rewrites go in a circle: {' > '.join(path)}"


def _way(start: str, end: str, cases: dict[str, Case]) -> list[str]:
    """The IDs passed on a way from ``start`` to ``end`` along rewrites; empty if there is none."""
    ways = {start: [end, start]}
    queue = [start]
    for here in queue:
        for step in cases[here].meta.rewrites if here in cases else ():
            if step == end:
                return [*ways[here], end]
            if step not in ways:
                ways[step] = [*ways[here], step]
                queue.append(step)
    return []


CHECK = Check(
    id="L016",
    what="No case is its own rewrite, directly or through others, nor both rewrite and pitfall.",
    why="Rewrites must lead to a program that can be captured; a circle leads nowhere.",
    fix="Keep the links that lead from the worse to the better program.",
    on_case=_find,
)
