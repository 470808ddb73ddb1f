"""How values are held: containers, their places and keys, objects that are what they hold.

Owns looking at structures that pytree flattened; the leaves in them are left to ``agreement``.
"""

from __future__ import annotations

import enum
from collections.abc import Mapping
from types import FunctionType, MethodType, ModuleType
from typing import Any

import torch


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
        type(a).__name__ == type(b).__name__ and vars(a).keys() == vars(b).keys()
    )


def is_record(value: Any) -> bool:
    """Whether a leaf is what its attributes say: an object that pytree does not know.

    Its ``==`` may compare identities, or fail on the tensors inside.
    """
    return hasattr(value, "__dict__") and not isinstance(
        value, type | FunctionType | ModuleType | MethodType | torch.nn.Module | enum.Enum
    )


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
