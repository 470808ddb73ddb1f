"""When Python's collector looks for garbage, in a build that makes much that stays.

Left alone it walks the whole model again and again and finds nothing: a third of the work of a
build in which one case has changed.
"""

from __future__ import annotations

import contextlib
import gc
from collections.abc import Iterator

#: New objects between two looks at the newest, and how often it looks at those that are older.
SELDOM = (200_000, 5, 5)


@contextlib.contextmanager
def seldom() -> Iterator[None]:
    """Let the collector come less often: counting frees nearly all that a build throws away."""
    before = gc.get_threshold()
    gc.set_threshold(*SELDOM)
    try:
        yield
    finally:
        gc.set_threshold(*before)


@contextlib.contextmanager
def sparing() -> Iterator[None]:
    """Let the collector leave alone what is there now: it stays until the end."""
    gc.freeze()
    try:
        yield
    finally:
        gc.unfreeze()
