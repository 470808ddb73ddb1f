"""Broken exporters whose defects depend on when, how and with what a capture is called.

A fifth set, written without looking at the cases. Each that breaks an operator names a program in
which its defect shows (``backends.witness.WITNESSES``).
"""

from detection.mutants.strangers import (  # noqa: F401
    calls,
    flow,
    gradients,
    graphs,
    operators,
    state,
)
