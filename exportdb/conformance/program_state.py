"""What the file of a program keeps between calls: in its names, its classes and its functions.

Owns which of them a program may change. How each is put back is left to ``keeping``; what its
modules keep, to ``snapshot``.
"""

from __future__ import annotations

import dis
from collections.abc import Iterator
from dataclasses import dataclass, field
from types import CodeType, FunctionType
from typing import Any

from exportdb.conformance.keeping import Kept, kept
from exportdb.suites.reaching import Cache


@dataclass
class ProgramState:
    """The ``names`` of a program's file, with what they held when that was last noted.

    Every run begins with that, eager's and a capture's alike: else each would go on from where the
    one before stopped.
    """

    names: dict[str, Any] = field(repr=False)
    _held: list[Kept] = field(default_factory=list, repr=False)
    _bound: dict[str, Any] = field(default_factory=dict, repr=False)
    _classes: list[tuple[type, dict[str, Any]]] = field(default_factory=list, repr=False)

    def note(self) -> None:
        """From now on what is put back is what there is now."""
        home = self.names.get("__name__")
        own = {n: v for n, v in self.names.items() if not n.startswith("__")}
        classes = [v for v in own.values() if isinstance(v, type) and v.__module__ == home]
        self._classes = [(each, _data(each)) for each in classes]
        functions = [f for v in (own, *map(vars, classes)) for f in _functions(v, home)]
        bound = {name for f in functions for name in _bound_by(f.__code__)}
        self._bound = {name: self.names.get(name, _NOTHING) for name in bound}
        seen: set[int] = set()
        values = [v for v in own.values() if not isinstance(v, type)]
        values += [v for _, data in self._classes for v in data.values()]
        values += [v for each in classes for v in vars(each).values() if isinstance(v, Cache)]
        values += [v for f in functions for v in (*_defaults(f), vars(f))]
        self._held = [k for v in values if (k := kept(v, seen, called=True)) is not None]

    def put_back(self) -> None:
        """Every name, class and function as it was noted."""
        then = {id(held.value): held.put_back() for held in self._held}
        for name, value in self._bound.items():
            if value is _NOTHING:
                self.names.pop(name, None)
            else:
                self.names[name] = then.get(id(value), value)
        for each, data in self._classes:
            now = _data(each)
            for name in now.keys() - data.keys():
                delattr(each, name)
            for name, value in data.items():
                if now.get(name, _NOTHING) is not (wanted := then.get(id(value), value)):
                    setattr(each, name, wanted)


_NOTHING = object()


def _data(cls: type) -> dict[str, Any]:
    """The attributes of a class that are no part of what it does."""
    return {
        name: value
        for name, value in vars(cls).items()
        if not name.startswith("_")
        and not isinstance(value, FunctionType | type)
        and not hasattr(type(value), "__get__")
    }


def _functions(names: Any, home: Any) -> Iterator[FunctionType]:
    for value in names.values():
        value = getattr(value, "__func__", value)
        if isinstance(value, FunctionType) and value.__module__ == home:
            yield value


def _defaults(function: FunctionType) -> list[Any]:
    return [*(function.__defaults__ or ()), *(function.__kwdefaults__ or {}).values()]


def _bound_by(code: CodeType) -> Iterator[str]:
    """The names of the file that code binds."""
    for step in dis.get_instructions(code):
        if step.opname in ("STORE_GLOBAL", "DELETE_GLOBAL"):
            yield step.argval
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _bound_by(constant)
