"""Broken exporters as whole engines go wrong: what surrounds operators, and passes over graphs.

Written without a look at the others, so that the share of them that was caught at once says what
the database is worth against defects that it was not made for (docs/architecture.md).
"""

from detection.mutants.engines import (  # noqa: F401
    calling,
    derivatives,
    flow,
    guards,
    layouts,
    memory,
    numerics,
    random_numbers,
    state,
    types,
)  # fmt: skip
