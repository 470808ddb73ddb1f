"""Evaluates what the engine recorded at the sizes of real inputs.

Owns binding symbols to sizes, evaluating expressions, and what a prediction looks like when a
part of it cannot be known. Which guards there are is left to ``engine``.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy
import torch

from exportdb.symbolic.values import expression_of

Number = int | float | bool
Binding = Mapping[sympy.Symbol, Number]

#: The interval a number must be in; None on a side that has no bound.
Bounds = tuple[int | None, int | None]


@dataclass(frozen=True)
class Predicted:
    """A tensor of which only a part can be known before the program runs.

    ``sizes`` and ``strides`` hold None for what depends on values; ``bounds`` are the intervals
    in which the sizes must be. ``dtype`` is None when not a tensor but a number is meant, which
    then has no sizes.
    """

    dtype: torch.dtype | None
    sizes: tuple[int | None, ...] = ()
    strides: tuple[int | None, ...] = ()
    bounds: tuple[Bounds, ...] = ()


def evaluate(expr: Any, binding: Binding, env: Any = None) -> Number | None:
    """The value of an expression, or None where it depends on a symbol that is not bound.

    ``env`` is the shape environment that knows of some symbols that they equal expressions.
    """
    if not isinstance(expr, sympy.Basic):
        return expr
    free = expr.free_symbols - binding.keys()
    if free and env is not None:
        expr = expr.xreplace({symbol: env.replace(symbol) for symbol in free})
    if expr.free_symbols - binding.keys():
        return None
    return _python(expr.xreplace({s: sympy.sympify(binding[s]) for s in expr.free_symbols}))


def predict(leaf: Any, binding: Binding, env: Any) -> Any:
    """What one output leaf of a symbolic run will be: a meta tensor, a number, or ``Predicted``.

    Anything that is neither a fake tensor nor a symbolic number is returned as it is.
    """
    if not isinstance(leaf, torch.Tensor):
        if (expr := expression_of(leaf)) is None:
            return leaf
        value = evaluate(expr, binding, env)
        return Predicted(None) if value is None else _as_kind(leaf, value)
    sizes = tuple(_whole(size, binding, env) for size in leaf.shape)
    if leaf.layout is not torch.strided:
        return Predicted(leaf.dtype, sizes, (None,) * len(sizes), _bounds(leaf, env))
    strides = tuple(_whole(stride, binding, env) for stride in leaf.stride())
    if None in sizes or None in strides:
        return Predicted(leaf.dtype, sizes, strides, _bounds(leaf, env))
    return torch.empty_strided(sizes, strides, dtype=leaf.dtype, device="meta")


def _whole(size: Any, binding: Binding, env: Any) -> int | None:
    expr = expression_of(size)
    value = size if expr is None else evaluate(expr, binding, env)
    return None if value is None else int(value)


def _bounds(leaf: torch.Tensor, env: Any) -> tuple[Bounds, ...]:
    def of(size: Any) -> Bounds:
        expr = expression_of(size)
        if expr is None or env is None:
            return (int(size), int(size))
        bound = env.bound_sympy(expr)
        return _finite(bound.lower), _finite(bound.upper)

    return tuple(of(size) for size in leaf.shape)


def _finite(bound: Any) -> int | None:
    return int(bound) if bound.is_Integer else None


def _as_kind(leaf: Any, value: Number) -> Number:
    """The value as the type that the program returns: a SymFloat may hold a whole number."""
    if isinstance(leaf, torch.SymFloat):
        return float(value)
    return bool(value) if isinstance(leaf, torch.SymBool) else int(value)


def _python(value: Any) -> Number:
    if value in (sympy.true, sympy.false):
        return bool(value)
    return int(value) if value.is_integer else float(value)
