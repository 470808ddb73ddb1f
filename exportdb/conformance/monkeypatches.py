"""The functions that a comparison goes by, as they were before any plug-in was imported.

A plug-in may put others in their place, of torch or of Python: to trace with, by mistake, or so
that two numbers that differ are found equal. Owns which functions these are, and putting them back
while a call is looked at. What the plug-in has put there is there again when its own code runs.
"""

from __future__ import annotations

import builtins
import cmath
import contextlib
import copy
import functools
import itertools
import math
import operator
import sys
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from types import FunctionType, ModuleType
from typing import Any

import torch
from torch.utils import _pytree as pytree

_MODULES = (builtins, cmath, contextlib, copy, functools, itertools, math, operator, torch,
            torch._tensor, torch.autograd, torch.testing._comparison, pytree)  # fmt: skip
#: Whose results are compared: a name that it inherits may be hidden by another.
_TENSORS = (torch.Tensor, torch.nn.Parameter)
_OURS = "exportdb.conformance"
# By name: this is not to go by what it looks at.
_any, _vars, _set, _delete = any, vars, setattr, delattr
_ABSENT = object()


@dataclass(frozen=True)
class _Names:
    """Names of a module or a class, and what each stood for; of a class of tensors, there are no
    others that hide what it inherits."""

    owner: Any
    known: Mapping[str, Any]
    hides: bool = False

    def replaced(self) -> dict[str, Any]:
        """What stands there instead, by name."""
        now = _vars(self.owner)
        found = {n: now.get(n, _ABSENT) for n, v in self.known.items() if now.get(n) is not v}
        if self.hides:
            bases = self.owner.__mro__[1:]
            new = [n for n in now if n not in self.known]
            found |= {n: now[n] for n in new if _any(n in _vars(base) for base in bases)}
        return found

    def put_back(self, names: Mapping[str, Any]) -> None:
        """Let these names stand for what they did."""
        for name in names:
            self._let(name, self.known.get(name, _ABSENT))

    def put(self, names: Mapping[str, Any]) -> None:
        """Let these names stand for something else."""
        for name, value in names.items():
            self._let(name, value)

    def _let(self, name: str, value: Any) -> None:
        if value is _ABSENT:
            _delete(self.owner, name)
        else:
            _set(self.owner, name, value)


@functools.cache
def note() -> list[_Names]:
    """Take what the names stand for now for what they mean: before any plug-in is imported."""
    ours = [m for name, m in sys.modules.items() if name.startswith(_OURS)]
    modules = [m for m in (*_MODULES, *ours) if isinstance(m, ModuleType)]
    found = [_Names(m, {n: v for n, v in vars(m).items() if callable(v)}) for m in modules]
    classes = {c for m in ours for c in vars(m).values() if isinstance(c, type)
               and c.__module__.startswith(_OURS)}  # fmt: skip
    found += [_Names(c, _functions(c)) for c in classes]
    found += [_Names(c, dict(vars(c)), hides=True) for c in _TENSORS]
    read = {n: f for n, f in _functions(torch.nn.Module).items() if "named" in n or n in _READ}
    return [*found, _Names(torch.nn.Module, read)]


#: How the parts of a module are found. TorchDynamo itself replaces others of its methods.
_READ = ("parameters", "buffers", "modules", "children")


def _functions(owner: type) -> dict[str, Any]:
    return {n: v for n, v in vars(owner).items() if isinstance(v, FunctionType)}


def is_patched() -> bool:
    """Whether something else stands in any of these places."""
    return _any(names.replaced() for names in note())


@contextlib.contextmanager
def undone() -> Iterator[None]:
    """Within it everything is as it was noted."""
    found = []
    for names in note():
        if replaced := names.replaced():
            names.put_back(replaced)
            found.append((names, replaced))
    try:
        yield
    finally:
        for names, replaced in found:
            names.put(replaced)
