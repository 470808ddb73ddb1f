"""Broken exporters that lose one argument of one operator, or what lies between two calls.

An eighth set, written without looking at the cases; those that break an operator name a program in
which it shows (``backends.witness.WITNESSES``).
"""

from detection.mutants.outsiders import arguments, calls  # noqa: F401
