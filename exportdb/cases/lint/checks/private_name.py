"""L040: a rewrite that calls what torch keeps to itself, and does not say so."""

from __future__ import annotations

import re

from exportdb.cases.case import Case
from exportdb.cases.lint.check import Check, Context, Found
from exportdb.cases.lint.syntax import private_names

_SAID = re.compile(r"\bno public\b")


def _find(case: Case, ctx: Context) -> Found:
    found = list(private_names(ctx.tree(case), "torch"))
    if not found or _SAID.search(case.meta.description):
        return
    if any(case.id in other.meta.rewrites for other in ctx.database):
        for line, name in found:
            yield line, f"{name} is a private name, and the description does not say so"


CHECK = Check(
    id="L040",
    what="A rewrite that uses a private name of torch says that there is no public one.",
    why="Whoever takes it over has to know that the next version may rename it.",
    fix="Use a public name that does the same; if there is none, write that torch has no public "
    "name for it.",
    on_case=_find,
    advises=True,
)
