"""Broken exporters with one realistic defect each, from single operators to what a capture leaves
behind.

A fourteenth set, written without looking at the cases.
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
