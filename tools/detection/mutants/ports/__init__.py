"""Broken exporters as ports to another runtime go wrong: a fourth set, written without looking at
the cases.

Each that breaks an operator names a program in which that shows, as in ``backends``.
"""

from detection.mutants.ports import (  # noqa: F401
    calls,
    layers,
    numbers,
    places,
)
