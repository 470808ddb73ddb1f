"""Broken exporters as their users have reported them: what stood in the issues of compilers,
converters and runtimes, each defect made small.

A tenth set, written without looking at the cases. Each that breaks an operator names a program in
which its defect shows (``backends.witness.WITNESSES``).
"""

from detection.mutants.reported import calls, operators, passes  # noqa: F401
