"""Broken exporters with one realistic defect each, from single operators to what a capture leaves
behind.

A thirteenth set, written without looking at the cases. Twelve had the sentence of a mutant that was
there already, and have another now.
"""

from detection.mutants.guests import (  # noqa: F401
    aliasing,
    calling,
    constants,
    control_flow,
    gradients,
    guards,
    indexing,
    layers,
    layouts,
    linear_algebra,
    pointwise,
    random_numbers,
    reductions,
    state,
    surroundings,
    types,
)
