"""What a process and all that it has started have used of the processor so far.

Owns reading it while they run: ``getrusage`` counts a child only when it has ended.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path

#: Where, behind the name of the command, /proc says what a process and its ended children used.
_USED = slice(11, 15)


def cpu_seconds() -> float:
    """CPU seconds of this process and all below it; seconds of a clock where nobody tells."""
    own = os.getpid()
    if not Path(f"/proc/{own}/task/{own}/children").exists():
        return time.monotonic()
    return _used(own) / os.sysconf("SC_CLK_TCK")


def _used(pid: int) -> int:
    used = 0
    with contextlib.suppress(OSError):  # it has ended, and counts with its parent
        told = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
        used = sum(map(int, told[_USED]))
        for task in Path(f"/proc/{pid}/task").iterdir():
            used += sum(map(_used, map(int, (task / "children").read_text().split())))
    return used
