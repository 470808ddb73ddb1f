"""Which line of the user's program caused a guard or an assertion, for display only.

Owns telling the user's frames from torch's. Nothing here is stable: paths and line numbers are.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Any


def user_line(recorded: Any) -> str:
    """``file.py:12 in forward`` for a guard's location or an assertion, "" if not recoverable."""
    frames = [getattr(recorded, name, None) for name in ("maybe_user_loc", "framework_loc")]
    stack = getattr(recorded, "stack", None)
    if stack is not None:
        frames += reversed(stack.summary())
    for frame in frames:
        if frame is None:
            continue
        if isinstance(frame, str):  # Dynamo's: the source text, "#", then the place
            return frame.rpartition("# ")[2].rpartition("/")[2]
        if not _is_torchs(frame.filename):
            return f"{Path(frame.filename).name}:{frame.lineno} in {frame.name}"
    return ""


def assertion_lines(graph: Any) -> Mapping[str, str]:
    """The user's line of each runtime assertion in a graph, by the text of the assertion.

    The message of an assertion node names the expression; its stack trace the line.
    """
    lines = {}
    for node in graph.nodes:
        if "_assert_scalar" in str(node.target) and (trace := node.meta.get("stack_trace")):
            text = re.search(r"for expression (.*?) on node", str(node.args[-1]))
            frames = re.findall(r'File "([^"]+)", line (\d+), in (\w+)', trace)
            own = [f for f in frames if not _is_torchs(f[0])]
            if text and own:
                path, line, name = own[-1]
                lines[text[1]] = f"{Path(path).name}:{line} in {name}"
    return lines


def _is_torchs(path: str) -> bool:
    return "/torch/" in path.replace("\\", "/") or path.startswith("<")
