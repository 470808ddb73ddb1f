"""Files that the tasks of one run leave for each other, each written whole or not at all.

Owns how such a file is written. What stands in one is left to ``observed`` and to
``sampling.conditions``.
"""

from __future__ import annotations

import os
from pathlib import Path


def write_whole(path: Path, data: bytes) -> None:
    """Write ``path`` so that nobody ever reads a part of it. Raises OSError."""
    part = path.with_suffix(f".{os.getpid()}")
    part.write_bytes(data)
    part.replace(path)
