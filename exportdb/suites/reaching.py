"""All that a module or its inputs lead to, also where ``copy.deepcopy`` does not follow.

Owns the ways from one object to the next: attributes, items, bound arguments, what a function
closes over. What becomes of what is found is left to ``copying``.
"""

from __future__ import annotations

import dis
import functools
import sys
from collections import deque
from collections.abc import Iterable, Iterator
from types import BuiltinFunctionType, CellType, CodeType, FunctionType, MethodType, ModuleType
from typing import Any

import torch

#: Objects that lead nowhere, and where a program keeps nothing.
_ENDS = (
    int, float, complex, str, bytes, bool, type(None), type, ModuleType, BuiltinFunctionType,
    torch.jit.ScriptModule, torch.dtype, torch.device,
)  # fmt: skip
#: A function that remembers its answers.
Cache = type(functools.lru_cache(lambda: None))
_FOREIGN = (sys.stdlib_module_names | {"torch", "numpy"}) - {"__main__"}


def reached(value: Any) -> list[Any]:
    """``value`` and every object that it leads to, outer ones first."""
    found: dict[int, Any] = {}
    waiting: list[Any] = [value]
    while waiting:
        each = waiting.pop()
        if id(each) not in found and not isinstance(each, _ENDS):
            found[id(each)] = each
            waiting.extend(_inside(each))
    return list(found.values())


def _inside(value: Any) -> Iterable[Any]:
    if isinstance(value, torch.Tensor | torch.nn.Module):
        return attributes(value).values()
    if isinstance(value, dict):
        return value.values()
    if isinstance(value, list | tuple | set | frozenset | deque):
        return value
    if isinstance(value, MethodType):
        return value.__self__, value.__func__
    if isinstance(value, functools.partial):
        return value.func, *value.args, *value.keywords.values()
    if isinstance(value, Cache):
        return (value.__wrapped__,)
    if isinstance(value, FunctionType):
        return () if is_foreign(value) else _held_by_function(value)
    return () if is_foreign(type(value)) else attributes(value).values()


def attributes(value: Any) -> dict[str, Any]:
    """The attributes that an object has of its own; none where it keeps them otherwise."""
    try:  # not vars(): an object's own way to them may do anything
        names = object.__getattribute__(value, "__dict__")
    except AttributeError:
        return {}
    return names if type(names) is dict else {}


def is_foreign(made: Any) -> bool:
    """Whether a class or a function is Python's or torch's own: a program keeps nothing there."""
    return str(getattr(made, "__module__", "")).partition(".")[0] in _FOREIGN


def _held_by_function(function: FunctionType) -> Iterator[Any]:
    yield from (contents for cell in cells(function) for contents in contents_of(cell))
    yield from function.__defaults__ or ()
    yield from (function.__kwdefaults__ or {}).values()


def cells(function: FunctionType) -> tuple[CellType, ...]:
    """The variables of others that a function uses."""
    return function.__closure__ or ()


def contents_of(cell: CellType) -> list[Any]:
    """What a variable holds: nothing where it is bound later, or never."""
    try:
        return [cell.cell_contents]
    except ValueError:
        return []


def keeps(function: FunctionType) -> bool:
    """Whether a function of the program's, or one that it calls so, holds something that a call may
    change: a module, a tensor, a container, an object, or a variable that it or another one binds
    anew."""
    plain = (*_ENDS, FunctionType, tuple, frozenset)
    functions = [f for f in reached(function) if isinstance(f, FunctionType) and not is_foreign(f)]
    return any(
        _rebinds(f.__code__) or any(not isinstance(v, plain) for v in _held_by_function(f))
        for f in functions
    )


def _rebinds(code: CodeType) -> bool:
    free = set(code.co_freevars)
    if any(s.opname == "STORE_DEREF" and s.argval in free for s in dis.get_instructions(code)):
        return True
    return any(isinstance(c, CodeType) and _rebinds(c) for c in code.co_consts)
