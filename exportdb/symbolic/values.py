"""Symbolic values: which expressions they hold, and which are constants after all.

Owns asking torch's SymInts and fake tensors without adding a guard. What the expressions mean is
left to :mod:`exportdb.symbolic.facts` and :mod:`exportdb.symbolic.evaluate`.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any


def expression_of(value: Any) -> Any:
    """The sympy expression of a symbolic number, with what is known replaced; None for others."""
    return getattr(getattr(value, "node", None), "expr", None)


def constant_of(value: Any) -> Any:
    """The number that a size or number is; None when it is symbolic.

    A size that was specialised can still be a SymInt: its expression is asked, not its type.
    """
    node = getattr(value, "node", None)
    if node is None or not hasattr(node, "maybe_as_int"):
        return value
    expr = node.expr
    return None if expr.free_symbols else (node.maybe_as_int() if expr.is_integer else expr)


def expressions(value: Any) -> Iterable[Any]:
    """The expressions in a fake value: sizes, strides and offset of tensors, symbolic numbers."""
    if hasattr(value, "shape") and hasattr(value, "dtype"):
        numbers = [*value.shape]
        if str(value.layout) == "torch.strided":
            numbers += [*value.stride(), value.storage_offset()]
        yield from (e for n in numbers if (e := expression_of(n)) is not None)
    elif isinstance(value, list | tuple):
        for item in value:
            yield from expressions(item)
    elif (expr := expression_of(value)) is not None:
        yield expr


def shape_env_of(values: Iterable[Any]) -> Any:
    """The shape environment that the fake values belong to, or None."""
    found = None
    for value in values:
        for item in value if isinstance(value, list | tuple) else (value,):
            env = getattr(getattr(item, "node", None), "shape_env", None)
            if env is not None:
                return env
            mode = getattr(item, "fake_mode", None)
            found = found or getattr(mode, "shape_env", None)
    return found
