"""L050: a program that cannot be imported. Found in ``exportdb.conformance.lint.execute``."""

from __future__ import annotations

from exportdb.cases.lint.check import Check, Found


def _find(_: object) -> Found:
    return ()  # a subject that exists was imported


CHECK = Check(
    id="L050",
    what="A program can be imported, in a process of its own that ends well and in time.",
    why="Nothing of it can be examined otherwise.",
    fix="Run the file with python and fix what it says.",
    on_program=_find,
)
