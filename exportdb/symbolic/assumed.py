"""What tracing assumed of the inputs' sizes, and which line of the user's file made it.

Owns listening to the shape engine while a capture runs, one that fails included: a message about
violated constraints names no line. What comes back is plain data; which files are the user's, the
caller says.
"""

from __future__ import annotations

import contextlib
import re
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from types import FrameType
from typing import Any

from exportdb.symbolic.lines import user_line
from exportdb.symbolic.names import InputNames, spelled

#: Line (from 1), the text of what was assumed, the sizes that it is about, and the line's file, ""
#: for the one that makes the module.
Assumed = tuple[int, str, tuple[str, ...], str]


@dataclass
class RecordedPlaces:
    """The places that the shape engine asked for while it was listened to."""

    path: str
    places: list[tuple[Any, Any, tuple[int, str]]] = field(default_factory=list)

    def assumed(self, names: list[str]) -> list[Assumed]:
        """What was assumed at lines of the file; ``names`` are what the inputs are called."""
        if not self.places:
            return []
        lines = {id(sloc): place for _, sloc, place in self.places if place[0]}
        called = InputNames(names, names)
        found: dict[Assumed, None] = {}
        for env in {id(env): env for env, _, _ in self.places}.values():
            sources = {
                symbol: called.source(_name(of[0]))
                for symbol, of in getattr(env, "var_to_sources", {}).items()
                if of
            }
            for guard in getattr(env, "guards", ()):
                sloc = getattr(guard, "sloc", None)
                named = _named(user_line(sloc), self.path), self.path
                line, file = lines.get(id(sloc), named)
                about = sorted(sources[s] for s in guard.expr.free_symbols if s in sources)
                if line and about:
                    text = spelled(guard.expr, _Speller(sources))
                    found[line, text, tuple(about), "" if file == self.path else file] = None
        return list(found)


@dataclass(frozen=True)
class _Speller:
    """Calls a symbol by the size that it stands for."""

    sources: dict[Any, str]

    def __call__(self, symbol: Any) -> str:
        return self.sources.get(symbol, str(symbol))


@contextlib.contextmanager
def listening(path: str, is_users: Callable[[str], bool]) -> Iterator[RecordedPlaces]:
    """Note, for all that the shape engine assumes meanwhile, the innermost line of a file that
    ``is_users``; the module is made by the file ``path``."""
    from torch.fx.experimental.symbolic_shapes import ShapeEnv

    heard, asked = RecordedPlaces(path), getattr(ShapeEnv, "_get_sloc", None)
    if asked is None:  # this torch keeps no places
        yield heard
        return

    def noting(env: Any, *args: Any, **kwargs: Any) -> Any:
        sloc = asked(env, *args, **kwargs)
        heard.places.append((env, sloc, _innermost(is_users)))
        return sloc

    ShapeEnv._get_sloc = noting
    try:
        yield heard
    finally:
        ShapeEnv._get_sloc = asked


def _innermost(is_users: Callable[[str], bool]) -> tuple[int, str]:
    frame: FrameType | None = sys._getframe(2)
    while frame is not None and not is_users(frame.f_code.co_filename):
        frame = frame.f_back
    return (frame.f_lineno, frame.f_code.co_filename) if frame is not None else (0, "")


def _named(place: str, path: str) -> int:
    """The line in ``file.py:12 in forward`` if that is of the file ``path``."""
    found = re.match(r"(.+\.py):(\d+)", place)
    return int(found[2]) if found and path.endswith(found[1]) else 0


def _name(source: Any) -> str:
    name = source.name
    return str(name() if callable(name) else name)
