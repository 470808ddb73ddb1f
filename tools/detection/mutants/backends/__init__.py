"""Broken exporters as single backends go wrong: a third set, written without looking at the cases.

Each that breaks an operator names a program in ``witness.WITNESSES`` in which its defect shows.
"""

from detection.mutants.backends import (  # noqa: F401
    arrangement,
    calling,
    flow,
    gradients,
    guards,
    layers,
    memory,
    numbers,
    random_numbers,
    reducing,
    state,
    windows,
)
