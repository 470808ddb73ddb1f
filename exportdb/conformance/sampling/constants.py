"""The numbers and words that a program mentions: in its code, and as attributes of its modules.

Read from what Python compiled, so that a program from a file, a notebook or a suite is read alike.
What belongs to torch or to the standard library is nobody's choice of a threshold and left out.
"""

from __future__ import annotations

import ast
import dis
import inspect
import os
import sys
import sysconfig
import textwrap
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from pathlib import Path
from types import CodeType, FunctionType, MethodType
from typing import Any

import torch

_FOREIGN_FILES = (
    sysconfig.get_path("stdlib") + os.sep, f"{Path(torch.__file__).parent}{os.sep}", "<string>",
)  # fmt: skip
#: How deep code is followed into functions that it calls by name.
_DEPTH = 4
#: What gives values without an end.
_ENDLESS = frozenset(("count", "cycle", "repeat", "iter"))


@dataclass(frozen=True)
class SourceConstants:
    """Whole numbers, other numbers and words, each in the order in which they first stand."""

    whole: tuple[int, ...] = ()
    real: tuple[float, ...] = ()
    words: tuple[str, ...] = ()
    loops: bool = False  # it has loops that may not end on other values


def constants_of(module: torch.nn.Module) -> SourceConstants:
    """What the code of ``module`` and of the modules in it mentions."""
    found = list(chain_of(module))
    loops = any(_has_loop(v) for v in found if isinstance(v, CodeType))
    # True is no number here; -0.0 and 0.0 are one.
    whole = [v for v in found if type(v) is int]
    real = [v for v in found if type(v) is float]
    words = [v for v in found if type(v) is str]
    return SourceConstants(
        tuple(dict.fromkeys(whole)), tuple(dict.fromkeys(real)), tuple(dict.fromkeys(words)), loops
    )


def codes_of(module: torch.nn.Module) -> list[CodeType]:
    """The code of the program that ``module`` and the modules in it may run.

    A decorator of the standard library passes for what it decorates; its file tells.
    """
    found = [value for value in chain_of(module) if isinstance(value, CodeType)]
    return [code for code in found if not code.co_filename.startswith(_FOREIGN_FILES)]


def _has_loop(code: CodeType) -> bool:
    """Whether code has a ``while``: a jump back that is not to the next item of a ``for``; or a
    ``for`` without an end."""
    if "while_loop" in code.co_names:
        return True
    if _has_endless_for(code):
        return True
    steps = list(dis.get_instructions(code))
    items = {s.offset for s in steps if s.opname in ("FOR_ITER", "SEND")}
    return any(
        s.opcode in dis.hasjrel + dis.hasjabs
        and isinstance(s.argval, int)
        and s.argval <= s.offset
        and s.argval not in items
        for s in steps
    )


def _has_endless_for(code: CodeType) -> bool:
    """Whether a ``for`` goes over what ``count``, ``cycle``, ``repeat`` or ``iter`` with a function
    gives, which does not end by itself."""
    if _ENDLESS.isdisjoint(code.co_names):
        return False
    try:
        tree = ast.parse(textwrap.dedent(inspect.getsource(code)))
    except (OSError, TypeError, SyntaxError):  # no text, or one that begins within a statement
        return False
    loops = (n for n in ast.walk(tree) if isinstance(n, ast.For | ast.comprehension))
    return any(_never_ends(loop.iter) for loop in loops)


def _never_ends(over: ast.expr) -> bool:
    if not isinstance(over, ast.Call):
        return False
    name = getattr(over.func, "attr", getattr(over.func, "id", ""))
    given = len(over.args) + len(over.keywords)
    limits = {"count": True, "cycle": True, "repeat": given == 1, "iter": given == 2}
    return limits.get(name, False)


def chain_of(module: torch.nn.Module) -> Iterator[Any]:
    """All code, and every constant in it, plain ones of containers one by one."""
    seen: set[int] = set()
    for part in module.modules():
        cls = type(part)
        if _is_foreign(cls.__module__):
            continue
        for base in cls.__mro__:
            if not _is_foreign(base.__module__):
                for value in vars(base).values():
                    yield from _function(inspect.unwrap(_plain(value)), seen, _DEPTH)
    for part in module.modules():
        if not _is_foreign(type(part).__module__):
            own = {k: v for k, v in vars(part).items() if not k.startswith("_")}
            yield from _values(own.values())


def _plain(value: Any) -> Any:
    if isinstance(value, staticmethod | classmethod | MethodType):
        return value.__func__
    return value.fget if isinstance(value, property) else value


def _function(value: Any, seen: set[int], depth: int) -> Iterator[Any]:
    if not isinstance(value, FunctionType) or id(value) in seen or depth == 0:
        return
    seen.add(id(value))
    if _is_foreign(value.__module__ or ""):
        return
    yield from _values(value.__defaults__ or ())
    yield from _values((value.__kwdefaults__ or {}).values())
    for code in _codes(value.__code__):
        yield code
        # A docstring is the first constant of a function, and no word of the program.
        yield from _values(c for c in code.co_consts if c != value.__doc__)
        for name in code.co_names:
            if name in value.__globals__:
                held = value.__globals__[name]
                yield from _values([held])
                yield from _function(held, seen, depth - 1)
    for cell in value.__closure__ or ():
        try:
            held = cell.cell_contents
        except ValueError:  # bound later, or never
            continue
        yield from _values([held])
        yield from _function(held, seen, depth - 1)


def _codes(code: CodeType) -> Iterator[CodeType]:
    yield code
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield from _codes(constant)


def _values(values: Iterable[Any], depth: int = 2) -> Iterator[Any]:
    for value in values:
        if type(value) in (int, float, str):
            if not isinstance(value, str) or len(value) <= 40:
                yield value
        elif type(value) in (tuple, list, set, frozenset) and depth:
            inner = sorted(value, key=repr) if isinstance(value, set | frozenset) else value
            yield from _values(inner, depth - 1)
        elif type(value) is dict and depth:
            yield from _values([*value.keys(), *value.values()], depth - 1)


def _is_foreign(module: str) -> bool:
    top = module.partition(".")[0]
    return top in ("torch", "builtins") or top in sys.stdlib_module_names - {"__main__"}
