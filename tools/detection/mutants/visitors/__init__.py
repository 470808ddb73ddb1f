"""Broken exporters that lose what is rarely asked for: an argument that few give, a container that
few return, a folding that holds for the example alone.

An eleventh set, written without looking at the cases; those that break an operator name a program
in which it shows (``backends.witness.WITNESSES``).
"""

from detection.mutants.visitors import calls, operators, passes  # noqa: F401
