"""Broken exporters that are wrong for one type, one size or one way to be called.

A ninth set, written without looking at the cases; those that break an operator name a program in
which it shows (``backends.witness.WITNESSES``).
"""

from detection.mutants.newcomers import calls, operators  # noqa: F401
