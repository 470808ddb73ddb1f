"""Where in the user's files an error was raised, and what was asked there in the user's own words.

Owns reading the frames of an exception: the innermost line that is the user's, and its variables,
among which torch's symbols have names. Runs where torch is.
"""

from __future__ import annotations

import linecache
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
    import sympy

    from exportdb.symbolic.names import spelled

    # The text: the exception's own expression has the example's sizes in it.
    found = [re.search(r"\(unhinted: (.+?)\)\.", str(c)) for c in _chain(error)]
    condition = next((match[1] for match in found if match), "")
    names: dict[str, sympy.Symbol] = {}
    # The largest first: a size that is Min(s0, u0) says more than one that is u0.
    for expr, text in sorted(_sizes(frame).items(), key=lambda pair: -len(pair[0])):
        key = f"k_{len(names)}_"
        condition, times = re.subn(rf"(?<!\w){re.escape(expr)}(?!\w)", key, condition)
        if times:
            names[key] = sympy.Symbol(text, integer=True)
    if not condition or re.search(r"\b(z?uf?|s)\d+\b", condition):
        return ""
    try:
        return str(spelled(sympy.sympify(condition, locals=names, evaluate=False)))
    except Exception:  # a text that is no expression
        return ""


def _sizes(frame: FrameType) -> dict[str, str]:
    """What each symbolic size or number among a frame's variables is, and how it is written."""
    import torch

    found: dict[str, str] = {}

    def note(value: Any, text: str) -> None:
        expr = getattr(getattr(value, "node", None), "expr", None)
        if expr is not None and not expr.is_number:
            found.setdefault(str(expr), text)

    here = linecache.getline(frame.f_code.co_filename, frame.f_lineno)
    named = sorted(frame.f_locals.items(), key=lambda item: not re.search(rf"\b{item[0]}\b", here))
    for name, value in named:  # first those of the line
        if isinstance(value, torch.SymInt | torch.SymFloat):
            note(value, name)
    for name, value in named:
        if isinstance(value, torch.Tensor):
            for axis, size in enumerate(value.shape):
                note(size, f"{name}.shape[{axis}]")
    return found
