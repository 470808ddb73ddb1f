"""Which sizes a program asked to be dynamic, read from ``dynamic_shapes``.

Owns every reading of a ``dynamic_shapes``: the dims that it names, and, beside the inputs it is
for, where each stands. What became of each request is left to :mod:`exportdb.symbolic.facts`, and
making symbols from requests to ``engine``.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

from exportdb.symbolic.names import input_names, parameter_names, parameters_of


@dataclass(frozen=True)
class RootDim:
    """A named ``Dim``, which others may be derived from; ``max`` None is unbounded."""

    name: str
    min: int
    max: int | None

    def holds(self, size: int) -> bool:
        """Whether a size is in its range."""
        return self.min <= size and (self.max is None or size <= self.max)

    def __str__(self) -> str:
        return f"{self.min} to {'any' if self.max is None else self.max}"


def root_of(spec: Any) -> RootDim | None:
    """The named dim that a spec is or is derived from; None for a hint, a number or nothing."""
    root = getattr(spec, "root", spec)  # of 2*n, the dim n
    if not all(hasattr(root, name) for name in ("__name__", "min", "max")):
        return None
    low, high = _ends(root)
    return RootDim(root.__name__, low or 0, high)


def _ends(spec: Any) -> tuple[int | None, int | None]:
    """The ends of a range that a dim or a hint has; None for an open one."""
    low, high = getattr(spec, "min", None), getattr(spec, "max", None)
    # torch writes "no upper bound" as its own infinity or as the largest integer.
    bounded = isinstance(high, int) and high < sys.maxsize - 1
    return None if low is None else int(low), high if bounded else None


def roots(dynamic_shapes: Any) -> dict[str, RootDim]:
    """The dims that ``dynamic_shapes`` names anywhere, by name, whatever inputs it is for."""
    if isinstance(dynamic_shapes, Mapping):
        parts = list(dynamic_shapes.values())
    elif isinstance(dynamic_shapes, list | tuple):
        parts = list(dynamic_shapes)
    else:
        root = root_of(dynamic_shapes)
        return {root.name: root} if root else {}
    return {name: root for part in parts for name, root in roots(part).items()}


@dataclass(frozen=True)
class RequestedSize:
    """One size (or, with ``dim`` None, one number) that was asked to be dynamic.

    ``leaf`` is the number of the input leaf in flattening order, ``name`` what it is called,
    ``spec`` the ``Dim`` or hint that was given for it.
    """

    leaf: int
    name: str
    dim: int | None
    spec: Any

    @property
    def source(self) -> str:
        """What is measured: ``x.size()[0]``, or the input itself for a number."""
        return self.name if self.dim is None else f"{self.name}.size()[{self.dim}]"

    @property
    def root(self) -> RootDim | None:
        """The named dim that it asks for, by itself or derived; None for a hint."""
        return root_of(self.spec)

    @property
    def ends(self) -> tuple[int | None, int | None]:
        """Those of the range that is declared for it, None for an open one: what a derived dim has
        follows from its root."""
        return (None, None) if hasattr(self.spec, "root") else _ends(self.spec)

    def size(self, root: int) -> int:
        """The size it has when its root's is ``root``."""
        relation: Callable[[int], int] = getattr(self.spec, "fn", int)
        return relation(root)

    def root_size(self, size: int) -> int | None:
        """The root's size for which it has this ``size``; None if there is none.

        torch derives dims by whole multiples and offsets only.
        """
        offset = self.size(0)
        root, rest = divmod(size - offset, self.size(1) - offset)
        return None if rest else root

    @property
    def asked(self) -> str:
        """What was asked for: a dim's name, the text of a derived one, ``AUTO`` or ``DYNAMIC``."""
        return hint_kind(self.spec) or str(getattr(self.spec, "__name__", self.spec))


def hint_kind(spec: Any) -> str:
    """``AUTO``, ``DYNAMIC`` or ``STATIC`` for a hint of torch's, "" for anything else."""
    kind = getattr(spec, "type", None)
    name = getattr(kind, "name", "")
    return name if name in ("AUTO", "DYNAMIC", "STATIC") else ""


def requests(
    forward: Any, args: Sequence[Any], kwargs: Mapping[str, Any], dynamic_shapes: Any
) -> list[RequestedSize]:
    """The sizes that ``dynamic_shapes`` asks to be dynamic, in the order of the input leaves."""
    dynamic_shapes = spelled_out(forward, args, kwargs, dynamic_shapes)
    if not dynamic_shapes:
        return []
    names = input_names(forward, args, kwargs)
    found: list[RequestedSize] = []
    for number, (value, spec) in enumerate(_leaves(forward, args, kwargs, dynamic_shapes)):
        for dim, wanted in _per_dim(value, spec):
            if wanted is not None and not isinstance(wanted, int) and hint_kind(wanted) != "STATIC":
                found.append(RequestedSize(number, names[number], dim, wanted))
    return found


def spelled_out(
    forward: Any, args: Sequence[Any], kwargs: Mapping[str, Any], dynamic_shapes: Any
) -> Any:
    """A ``dynamic_shapes`` in the structure of the inputs, also where it is a ShapesCollection."""
    if hasattr(dynamic_shapes, "dynamic_shapes"):
        return dynamic_shapes.dynamic_shapes(forward, tuple(args), dict(kwargs))
    return dynamic_shapes


def _per_dim(value: Any, spec: Any) -> Iterator[tuple[int | None, Any]]:
    if spec is None:
        return
    if isinstance(spec, Mapping):
        yield from spec.items()
    elif isinstance(spec, list | tuple):
        yield from enumerate(spec)
    elif hasattr(value, "shape"):  # one hint for all dims of a tensor
        yield from ((i, spec) for i in range(len(value.shape)))
    else:
        yield None, spec


def _leaves(
    forward: Any, args: Sequence[Any], kwargs: Mapping[str, Any], specs: Any
) -> Iterator[tuple[Any, Any]]:
    """Each input leaf with its part of ``specs``."""
    positional, var = parameter_names(forward)
    keyed = isinstance(specs, Mapping)
    tops: list[tuple[Any, Any]] = []
    for i, value in enumerate(args):
        if i < len(positional):
            spec = _get(specs, positional[i] if keyed else i)
        else:  # further positional arguments are one tuple to dynamic_shapes
            spec = _get(_get(specs, var if keyed else len(positional)), i - len(positional))
        tops.append((value, spec))
    order = _keyword_order(forward, kwargs)
    for key, value in kwargs.items():
        if keyed:
            rest = _var_keyword(forward)
            spec = _get(specs, key) if key in specs else _get(_get(specs, rest), key)
        else:
            spec = _get(specs, len(args) + order.index(key))
        tops.append((value, spec))
    for value, spec in tops:
        yield from _descend(value, spec)


def _descend(value: Any, spec: Any) -> Iterator[tuple[Any, Any]]:
    from torch.utils import _pytree as pytree

    try:
        flat = pytree.tree_flatten_with_path(value)[0]
    except ValueError:  # a container that does not say its keys: specs in flattening order
        inner = pytree.tree_leaves(value)
        parts = spec if isinstance(spec, list | tuple) else [None] * len(inner)
        yield from zip(inner, parts, strict=False)
        return
    for path, leaf in flat:
        part = spec
        for key in path:
            part = _get(part, getattr(key, "key", getattr(key, "idx", getattr(key, "name", None))))
        yield leaf, part


def _get(spec: Any, key: Any) -> Any:
    """The part of a spec under ``key``; None where there is none."""
    if isinstance(spec, Mapping):
        return spec.get(key)
    if isinstance(spec, list | tuple):
        return spec[key] if isinstance(key, int) and key < len(spec) else None
    if spec is None or hint_kind(spec) or isinstance(spec, int):
        return spec  # one hint stands for everything below it
    return getattr(spec, str(key), None)


def _keyword_order(forward: Any, kwargs: Mapping[str, Any]) -> list[str]:
    """The keywords in the order of the signature, which positional specs follow."""
    parameters = list(parameters_of(forward))
    return sorted(kwargs, key=lambda k: parameters.index(k) if k in parameters else len(parameters))


def _var_keyword(forward: Any) -> str:
    return next((n for n, p in parameters_of(forward).items() if p.kind is p.VAR_KEYWORD), "kwargs")
