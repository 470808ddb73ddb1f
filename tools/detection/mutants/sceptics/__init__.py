"""Broken exporters as a sceptic of the database would write them: the corners of what operators
promise, and what holds between one call and another.

A sixth set, written without looking at the cases. Each that breaks an operator names a program in
which its defect shows (``backends.witness.WITNESSES``).
"""

from detection.mutants.sceptics import (  # noqa: F401
    between,
    calls,
    gradients,
    layers,
    numbers,
    passes,
    places,
)
