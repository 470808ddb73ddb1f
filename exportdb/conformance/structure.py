"""How values are held: containers, their places and keys, objects that are what they hold.

Owns looking at structures that pytree flattened; the leaves in them are left to ``agreement``.
"""

from __future__ import annotations

import copy
import enum
import functools
import inspect
from collections import deque
from collections.abc import Callable, ItemsView, Iterator, KeysView, Mapping, ValuesView
from itertools import islice
from types import FunctionType, GeneratorType, MappingProxyType, MethodType, ModuleType
from typing import Any

import torch

from exportdb.suites.reaching import attributes, cells, contents_of, is_foreign


def same_places(a: Any, b: Any) -> bool:
    """Whether two structures hold as many leaves in the same places, whatever holds them."""
    if a.is_leaf() or b.is_leaf():
        return bool(a.is_leaf() and b.is_leaf())
    if a.num_children != b.num_children or _keys(a) != _keys(b):
        return False
    if (
        a.type is b.type
        and isinstance(a.type, type)
        and _keys(a) is None
        and a.context != b.context
    ):
        return False  # what a class of the program keeps beside its leaves
    return all(map(same_places, a.children(), b.children()))


def _keys(spec: Any) -> list[Any] | None:
    """The keys of a dict of any class; None for what has none."""
    if not (isinstance(spec.type, type) and issubclass(spec.type, dict)):
        return None
    context = spec.context
    if context and isinstance(context[-1], list):  # of a defaultdict: what makes a value, keys
        context = context[-1]
    return list(context)


def alike(a: Any, b: Any) -> bool:
    """Whether two objects are of one class, or of two that are called and hold the same."""
    return type(a) is type(b) or (
        type(a).__name__ == type(b).__name__
        and is_record(a)
        and is_record(b)
        and attributes(a).keys() == attributes(b).keys()
    )


def is_record(value: Any) -> bool:
    """Whether a leaf is an object that pytree does not know, with attributes of its own."""
    return hasattr(value, "__dict__") and not isinstance(
        value, type | FunctionType | ModuleType | MethodType | torch.nn.Module | enum.Enum
    )


def parts_of(value: Any) -> Any:
    """What a leaf holds, as something that pytree knows; None where it is a value itself.

    Its own ``==`` may compare identities, or fail on the tensors inside.
    """
    if isinstance(value, _VALUES):
        return None
    for kind, parts in _PARTS.items():
        if isinstance(value, kind):
            return parts(value)
    if type(value).__module__ == "numpy":
        return _of_numpy(value)
    if isinstance(value, Iterator) and type(value).__module__ in ("builtins", "itertools"):
        return _of_iterator(value)
    cls: Any = type(value)
    compares = cls.__eq__ is not object.__eq__
    slots = {} if compares and is_foreign(cls) else _in_slots(value)
    held, items = {**slots, **attributes(value)}, _items(value)
    if is_record(value) or held:
        return (held, items) if items else held
    return None if compares or _is_the_only_one(value) else ()


_VALUES = (int, float, complex, str, bytes, type, ModuleType, enum.Enum)
#: Items of an iterator that are looked at: there may be no end of them.
_MOST = 1000


def _is_the_only_one(value: Any) -> bool:
    """Whether another object is another value though nothing compares the two: of a dtype, or a
    function, copies are the thing itself. Of other objects none is told from its copy."""
    try:
        return copy.deepcopy(value) is value
    except Exception:  # of a lock there are no copies
        return False


def _of_iterator(iterator: Iterator[Any]) -> Any:
    """What is left in it, if a copy can be asked."""
    try:
        return list(islice(copy.deepcopy(iterator), _MOST))
    except Exception:
        return ()


def _of_module(m: torch.nn.Module) -> Any:
    return m.training, dict(m.named_parameters()), dict(m.named_buffers())


def _of_function(f: FunctionType) -> Any:
    closed = [contents for cell in cells(f) for contents in contents_of(cell)]
    return f.__code__, f.__defaults__, f.__kwdefaults__, closed


def _of_generator(g: GeneratorType[Any, Any, Any]) -> Any:
    """Where it stands and what it holds there; to go on would change what it holds."""
    frame = g.gi_frame
    return g.gi_code, frame and frame.f_lasti, inspect.getgeneratorlocals(g)


_PARTS: Mapping[Any, Callable[[Any], Any]] = {
    torch.Generator: lambda g: g.get_state(),
    torch.nn.Module: _of_module,
    functools.partial: lambda p: (p.func, p.args, p.keywords),
    FunctionType: _of_function,
    MethodType: lambda m: (m.__func__, m.__self__),
    GeneratorType: _of_generator,
    set | frozenset: lambda s: sorted(s, key=repr),
    KeysView | ValuesView | ItemsView: list,
    MappingProxyType: dict,
}


def _of_numpy(value: Any) -> Any:
    """An array as a tensor, if torch has its type, or as lists; a number of NumPy's as Python's."""
    if not hasattr(value, "dtype") or not hasattr(value, "tolist"):
        return None
    try:
        array = torch.from_numpy(value.copy()) if value.shape else value.item()
    except (TypeError, ValueError):
        array = value.tolist()
    return str(value.dtype), array


def _in_slots(value: Any) -> dict[str, Any]:
    names = [name for base in type(value).__mro__ for name in _slots(base)]
    return {name: getattr(value, name) for name in names if hasattr(value, name)}


def _slots(base: type) -> list[str]:
    slots = vars(base).get("__slots__", ())
    names = [slots] if isinstance(slots, str) else list(slots)
    return [name for name in names if not name.startswith("__")]


def _items(value: Any) -> Any:
    """Those of a container of a class that pytree does not know."""
    if isinstance(value, dict):
        return dict(value)
    return list(value) if isinstance(value, list | tuple | deque) else None


def outline(value: Any) -> str:
    """The structure of a value in a few words: ``tuple(tensor, dict(a=tensor))``."""
    if isinstance(value, torch.Tensor):
        return "tensor"
    if isinstance(value, Mapping):
        inner = ", ".join(f"{k}={outline(v)}" for k, v in value.items())
        return f"{type(value).__name__}({inner})"
    if isinstance(value, list | tuple):
        return f"{type(value).__name__}({', '.join(map(outline, value))})"
    return type(value).__name__
