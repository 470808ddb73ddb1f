"""Where in the user's files an error was raised, and what was asked there in the user's own words.

Owns reading the frames of an exception: the innermost line that is the user's, and its variables,
among which torch's symbols have names. Runs where torch is.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from types import FrameType
from typing import Any

from exportdb.diagnose.files import is_users


def place_of(error: BaseException, main: str) -> dict[str, Any]:
    """The ``line``, ``file`` and ``asked`` of :class:`~exportdb.diagnose.attempt.Seen`."""
    for raised in _chain(error):
        if frame := _innermost(raised):
            file = frame[0].f_code.co_filename
            return {
                "line": frame[1], "file": "" if file == main else file,
                "asked": _asked(error, frame[0]),
            }  # fmt: skip
    for raised in _chain(error):
        for file, line in reversed(_named(str(raised), main)):
            return {"line": line, "file": "" if file == main else file}
    return {}


def _chain(error: BaseException) -> Iterator[BaseException]:
    seen: set[int] = set()
    cause: BaseException | None = error
    while cause is not None and id(cause) not in seen:
        seen.add(id(cause))
        yield cause
        cause = cause.__cause__ or cause.__context__


def _innermost(error: BaseException) -> tuple[FrameType, int] | None:
    found, trace = None, error.__traceback__
    while trace is not None:
        if is_users(trace.tb_frame.f_code.co_filename):
            found = trace.tb_frame, trace.tb_lineno
        trace = trace.tb_next
    return found


def _named(text: str, main: str) -> list[tuple[str, int]]:
    """The places in the user's files that a message names."""
    name = re.escape(Path(main).name)
    own = [(main, int(n)) for n in re.findall(rf'(?<![\w]){name}(?:", line |:)(\d+)', text)]
    every = re.findall(r'([^\s"\']+\.py)(?:", line |:)(\d+)', text)
    return own or [(f, int(n)) for f, n in every if Path(f).is_absolute() and is_users(f)]


def _asked(error: BaseException, frame: FrameType) -> str:
    """The condition that torch could not decide, with the sizes in it named as they are at the
    line; "" where some of it has no name there."""
    from exportdb.symbolic.names import is_unbacked, spelled

    condition = next((c.cond for c in _chain(error) if hasattr(c, "cond")), None)
    if condition is None or not hasattr(condition, "free_symbols"):
        return ""
    named = _sizes(frame)
    # The largest first: a size that is Min(s0, u0) says more than one that is u0.
    for expr in sorted(named, key=lambda e: -e.count_ops()):
        condition = condition.xreplace({expr: named[expr]})
    ours = set(named.values())
    if any(is_unbacked(s) or s not in ours for s in condition.free_symbols):
        return ""
    return str(spelled(condition))


def _sizes(frame: FrameType) -> dict[Any, Any]:
    """For each symbolic size or number among a frame's variables, a symbol of its text."""
    import sympy
    import torch

    found: dict[Any, Any] = {}

    def note(value: Any, text: str) -> None:
        node = getattr(value, "node", None)
        expr = getattr(node, "expr", None)
        if expr is not None and not expr.is_number and expr not in found:
            found[expr] = sympy.Symbol(text, integer=True)

    for name, value in frame.f_locals.items():
        if isinstance(value, torch.SymInt | torch.SymFloat):
            note(value, name)
    for name, value in frame.f_locals.items():
        if isinstance(value, torch.Tensor):
            for axis, size in enumerate(value.shape):
                note(size, f"{name}.shape[{axis}]")
    return found
