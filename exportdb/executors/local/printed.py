"""What a process printed before it ended: the end of it, without the middle of stacks.

A native stack is long and comes after the sentence that says why: a panic of Rust, an assertion of
C++. So that the sentence is kept, what a long run of frames holds beyond its first is counted.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import groupby

#: Characters that are kept, and frames of a run of them.
MOST, _FRAMES = 4_000, 6
#: A frame of a native stack: gdb's and glog's `#3`, torch's `frame #3:`, Rust's `3:` and `at`.
_FRAME = re.compile(r"\s*(?:frame )?#\d+[: ]|\s*\d+:\s|\s+at /")


def condensed(text: str) -> str:
    """The last characters of what was printed, runs of frames cut short.

    >>> frames = [f"  {n}: 0x7f00 - rust::call\\n      at /src/a.rs:{n}\\n" for n in range(90)]
    >>> print(condensed("panicked: divide by zero\\n" + "".join(frames) + "aborting"))
    panicked: divide by zero
      0: 0x7f00 - rust::call
          at /src/a.rs:0
      1: 0x7f00 - rust::call
          at /src/a.rs:1
      2: 0x7f00 - rust::call
          at /src/a.rs:2
    (174 more lines of the stack)
    aborting
    """
    return "\n".join(_short(text))[-MOST:].strip()


def _short(text: str) -> Iterator[str]:
    for in_stack, lines in groupby(text.splitlines(), lambda line: bool(_FRAME.match(line))):
        run = list(lines)
        yield from run[:_FRAMES] if in_stack else run
        if in_stack and len(run) > _FRAMES:
            yield f"({len(run) - _FRAMES} more lines of the stack)"
