"""Changes of ``dynamic_shapes`` and of the example, and ``dynamic_shapes`` as text to paste.

Owns the table of what is asked of each size of each input, whatever structure the user wrote it
in. Runs where the program runs; :mod:`exportdb.symbolic.requested` reads what is well-formed.
"""

from __future__ import annotations

import itertools
import re
from collections import OrderedDict, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch
from torch.export import Dim
from torch.utils import _pytree as pytree

from exportdb.diagnose.change import Change
from exportdb.symbolic.requested import hint_kind, root_of

#: Leaf of the inputs, and the axis of a tensor or None for a number.
Place = tuple[int, int | None]


@dataclass(frozen=True)
class Bounds:
    """The range of a named dim; ``max`` None is unbounded."""

    min: int = 0
    max: int | None = None

    def within(self, other: Bounds) -> Bounds:
        """What both ranges hold."""
        tops = [top for top in (self.max, other.max) if top is not None]
        return Bounds(max(self.min, other.min), min(tops, default=None))


@dataclass(frozen=True)
class RequestedShapes:
    """What is asked of the inputs' sizes.

    ``texts`` has for each place a dim's name, an expression of one, ``Dim.AUTO`` or
    ``Dim.DYNAMIC``; ``dims`` the range of each name.
    """

    texts: Mapping[Place, str]
    dims: Mapping[str, Bounds]

    def places(self, dim: str) -> list[Place]:
        """Where a dim stands by itself."""
        return [place for place, text in self.texts.items() if text == dim]


def read(specs: Any, inputs: Mapping[str, Any]) -> RequestedShapes:
    """What ``specs`` asks of ``inputs`` (by parameter), as far as they can be told to belong."""
    texts: dict[Place, str] = {}
    dims: dict[str, Bounds] = {}
    counter = itertools.count()

    def note(leaf: int, axis: int | None, spec: Any) -> None:
        if spec is None or isinstance(spec, int) or hint_kind(spec) == "STATIC":
            return
        if hint := hint_kind(spec):
            texts[leaf, axis] = f"Dim.{hint}"
        elif root := root_of(spec):
            texts[leaf, axis] = str(spec.__name__)
            dims[root.name] = Bounds(root.min, root.max)

    def visit(value: Any, spec: Any) -> None:
        parts_of = children(value)
        if parts_of is None:
            leaf = next(counter)
            if isinstance(value, torch.Tensor):
                for axis, wanted in _per_axis(value, spec):
                    note(leaf, axis, wanted)
            else:
                note(leaf, None, spec)
            return
        for i, (key, child) in enumerate(parts_of):
            visit(child, _part(spec, i, key))

    if isinstance(specs, list | tuple):
        specs = dict(zip(inputs, specs, strict=False))
    visit(dict(inputs), specs)
    return RequestedShapes(texts, dims)


def children(value: Any) -> list[tuple[Any, Any]] | None:
    """The parts of a container that pytree knows, with their keys; None for a leaf."""
    if pytree.tree_structure(value).is_leaf():
        return None
    kind = pytree._get_node_type(value)
    if type(value) in _DICTS:
        return list(value.items())
    node = pytree.SUPPORTED_NODES[kind]
    if node.flatten_with_keys_fn is not None:  # it leaves out what the class leaves out
        pairs, _ = node.flatten_with_keys_fn(value)
        return [(_bare(key), child) for key, child in pairs]
    parts, _ = node.flatten_fn(value)
    names = list(vars(value)) if hasattr(value, "__dict__") else []
    keys = names if len(names) == len(parts) else range(len(parts))
    return list(zip(keys, parts, strict=True))


#: What has its parts by keys in ``dynamic_shapes``; a class of the user's has a list of them.
_DICTS = (dict, OrderedDict, defaultdict)


def _bare(key: Any) -> Any:
    """The name, key or number that pytree's key stands for."""
    for attribute in ("name", "key", "idx"):
        if hasattr(key, attribute):
            return getattr(key, attribute)
    return key


def _part(spec: Any, i: int, key: Any) -> Any:
    if isinstance(spec, Mapping):
        return spec.get(key)
    if isinstance(spec, list | tuple):
        return spec[i] if i < len(spec) else None
    return getattr(spec, key, None) if isinstance(key, str) and hasattr(spec, "__dict__") else None


def _per_axis(value: torch.Tensor, spec: Any) -> Iterable[tuple[int, Any]]:
    if isinstance(spec, Mapping):
        return [(a, s) for a, s in spec.items() if isinstance(a, int) and a < value.dim()]
    if isinstance(spec, list | tuple):
        return list(enumerate(spec))[: value.dim()]
    return [(a, spec) for a in range(value.dim())] if spec is not None else []


# --- changes -----------------------------------------------------------------------------------


def changed(asked: RequestedShapes, change: Change) -> RequestedShapes:
    """``asked`` after one change of it."""
    texts, dims, data = dict(asked.texts), dict(asked.dims), change.data
    dim = str(data.get("dim", ""))
    here = [p for p, text in texts.items() if dim == "*" or dim in names_in(text)]
    if change.kind == "range":
        old = dims[dim]
        dims[dim] = Bounds(data.get("min", old.min), data.get("max", old.max))
    elif change.kind == "static":
        every = texts if dim == "*" else here
        texts = {p: t for p, t in texts.items() if p not in every}
    elif change.kind == "hint":
        texts |= dict.fromkeys(here, f"Dim.{data['hint']}")
    elif change.kind == "derive":
        texts |= {p: re.sub(rf"\b{re.escape(dim)}\b", _inner(data["of"]), texts[p]) for p in here}
        for name in names_in(data["of"]):
            dims.setdefault(name, Bounds(data.get("min", 2), data.get("max")))
        if data["of"] in dims:  # one range for both
            dims[data["of"]] = dims[data["of"]].within(dims[dim])
    elif change.kind == "share":
        texts[data["leaf"], data["axis"]] = dim
    elif change.kind == "number":
        texts[data["leaf"], None] = f"Dim.{data['hint']}"
    used = {name for text in texts.values() for name in names_in(text)}
    return RequestedShapes(texts, {name: bounds for name, bounds in dims.items() if name in used})


def _inner(expression: str) -> str:
    return expression if expression.isidentifier() else f"({expression})"


def names_in(text: str) -> set[str]:
    """The dims that an expression names.

    >>> sorted(names_in("2*batch + 1")), names_in("Dim.AUTO")
    (['batch'], set())
    """
    return set() if text.startswith("Dim.") else set(re.findall(r"[A-Za-z_]\w*", text))


def resized(inputs: Any, asked: RequestedShapes, dim: str, size: int) -> Any:
    """``inputs`` with ``size`` wherever ``dim`` stands: cut, or repeated from their beginning."""
    leaves, structure = pytree.tree_flatten(inputs)
    for leaf, axis in asked.places(dim):
        if axis is not None:
            old = leaves[leaf]
            index = torch.arange(size) % old.shape[axis]
            leaves[leaf] = old.detach().index_select(axis, index).requires_grad_(old.requires_grad)
    return pytree.tree_unflatten(leaves, structure)


def unshared(inputs: Any) -> Any:
    """``inputs`` in which no two tensors have memory in common."""
    leaves, structure = pytree.tree_flatten(inputs)
    own = [
        leaf.detach().clone().requires_grad_(leaf.requires_grad)
        if isinstance(leaf, torch.Tensor)
        else leaf
        for leaf in leaves
    ]
    return pytree.tree_unflatten(own, structure)


def sizes(asked: RequestedShapes, inputs: Any) -> dict[str, int]:
    """The size that each named dim has in ``inputs``, where it stands by itself."""
    leaves = pytree.tree_leaves(inputs)
    found = {}
    for name in asked.dims:
        for leaf, axis in asked.places(name):
            found[name] = leaves[leaf].shape[axis] if axis is not None else leaves[leaf]
    return found


def sampled(
    asked: RequestedShapes, inputs: Any, wanted: Mapping[str, int], below: int | None = None
) -> Any:  # fmt: skip
    """``inputs`` at other sizes and with other values of the same kind, drawn from torch's
    generator: floats from a normal distribution, integers and booleans from those that are there,
    integers taken modulo ``below`` if it is given.
    """
    leaves, structure = pytree.tree_flatten(inputs)
    for leaf, old in enumerate(leaves):
        if isinstance(old, torch.Tensor) and old.layout is torch.strided:
            shape = list(old.shape)
            for (where, axis), text in asked.texts.items():
                named = names_in(text)  # none in Dim.AUTO
                if where == leaf and axis is not None and named and named <= wanted.keys():
                    shape[axis] = int(eval(text, {}, dict(wanted)))  # our text: names, numbers
            leaves[leaf] = made = _drawn(old, shape)
            if below and _is_integer(made):
                leaves[leaf] = made % below
        elif (text := asked.texts.get((leaf, None), "")) in wanted:
            leaves[leaf] = wanted[text]
    return pytree.tree_unflatten(leaves, structure)


def _is_integer(tensor: torch.Tensor) -> bool:
    kinds = tensor.is_floating_point() or tensor.is_complex() or tensor.dtype is torch.bool
    return not kinds


def index_limit(asked: RequestedShapes, inputs: Any, wanted: Mapping[str, int]) -> int | None:
    """The smallest of the sizes in ``wanted`` that some integers of the example count up to, if
    there is one that is smaller than they go."""
    whole = [x for x in pytree.tree_leaves(inputs) if isinstance(x, torch.Tensor)]
    tops = [int(x.max()) for x in whole if _is_integer(x) and x.numel() and int(x.min()) >= 0]
    example = sizes(asked, inputs)
    limits = [
        size
        for name, size in wanted.items()
        if any(size <= top < example.get(name, 0) for top in tops)
    ]
    return min(limits, default=None) or None


def _drawn(old: torch.Tensor, shape: Sequence[int]) -> torch.Tensor:
    if old.is_floating_point() or old.is_complex():
        made = torch.randn(shape, dtype=old.dtype, device=old.device)
    elif old.numel():
        index = torch.randint(0, old.numel(), tuple(shape), device=old.device)
        made = old.detach().reshape(-1)[index]
    else:
        made = old.new_zeros(shape)
    return made.requires_grad_(old.requires_grad)


# --- back to what torch takes ------------------------------------------------------------------


def built(asked: RequestedShapes, inputs: Mapping[str, Any]) -> Any:
    """``asked`` as a ``dynamic_shapes`` with the structure of ``inputs``; None if it is empty."""
    if not asked.texts:
        return None
    space: dict[str, Any] = {"Dim": Dim}
    for name, bounds in asked.dims.items():
        limit = {} if bounds.max is None else {"max": bounds.max}
        space[name] = Dim(name, min=bounds.min, **limit)
    return _structured(asked, inputs, lambda text: eval(text, space))  # ours, of names and numbers


def printed(asked: RequestedShapes, inputs: Mapping[str, Any]) -> list[str]:
    """The lines of Python that make it."""
    lines = []
    for name, bounds in asked.dims.items():
        limit = "" if bounds.max is None else f", max={bounds.max}"
        lines.append(f'{name} = Dim("{name}", min={bounds.min}{limit})')
    tree = _structured(asked, inputs, _Text) if asked.texts else None
    return [*lines, f"dynamic_shapes = {tree!r}"]


class _Text(str):
    """Text that is shown as it is."""

    __slots__ = ()

    def __repr__(self) -> str:
        return str(self)


def _structured(asked: RequestedShapes, inputs: Mapping[str, Any], make: Any) -> Any:
    counter = itertools.count()

    def visit(value: Any) -> Any:
        parts_of = children(value)
        if parts_of is None:
            leaf = next(counter)
            if isinstance(value, torch.Tensor):
                axes = {a: make(t) for (i, a), t in asked.texts.items() if i == leaf}
                return dict(sorted(axes.items())) or None
            text = asked.texts.get((leaf, None))
            return make(text) if text else None
        parts = [visit(child) for _, child in parts_of]
        if type(value) in _DICTS:
            return dict(zip([key for key, _ in parts_of], parts, strict=True))
        if isinstance(value, tuple) and hasattr(value, "_fields"):
            return type(value)(*parts)
        return tuple(parts) if type(value) is tuple else parts

    return visit(dict(inputs))
