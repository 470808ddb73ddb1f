"""Broken exporters as compilers go wrong: folding, fused kernels, tails, caches, plans of memory.

A second set that was written blind, after ``engines`` and without a run of anything
(docs/architecture.md has its first figure).
"""

from detection.mutants.compiled import (  # noqa: F401
    backward,
    caches,
    kernels,
    loops,
    order,
    values,
)  # fmt: skip
