"""Broken exporters that take arguments, types and ends of ranges for what they mostly are.

A seventh set, written without looking at the cases; each names a program in which it shows
(``backends.witness.WITNESSES``).
"""

from detection.mutants.doubters import arguments, calls, numbers  # noqa: F401
