"""Passes that take several operators in a row for a pattern that they almost are.

Each does what some compiler does, and leaves out one of the conditions under which it is right: the
dimension, the padding, the type, the second user, the number that is negative or none.
"""

from detection.mutants.passes import layers, numbers, places, reducing  # noqa: F401
