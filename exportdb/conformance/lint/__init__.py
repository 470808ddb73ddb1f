"""Checks of the database that need more than its files: expectations, and programs that run.

Owns the list of these checks. Importing them is light: what needs torch is in ``subject`` and
``execute``, which only the process that runs a program imports.
"""

from __future__ import annotations

from functools import cache

from exportdb.cases.lint import checks_in, static_checks
from exportdb.cases.lint.check import Check
from exportdb.conformance.lint import checks as _checks


@cache
def all_checks() -> tuple[Check, ...]:
    """Every check there is, by ID, those of ``exportdb.cases.lint`` included."""
    own = checks_in(_checks.__name__, _checks.__path__)
    return tuple(sorted((*static_checks(), *own), key=lambda check: check.id))
