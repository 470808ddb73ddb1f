"""Broken exporters as their authors report them: patterns recognised too widely, runners that keep
what they should copy, front ends that miss what a module does around its forward.

A twelfth set, written without looking at the cases; those that break an operator name a program in
which it shows (``backends.witness.WITNESSES``).
"""

from detection.mutants.neighbours import (  # noqa: F401
    calls,
    gradients,
    modules,
    operators,
    passes,
)
