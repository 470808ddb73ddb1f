"""A ``dynamic_shapes`` that does not nest as the inputs do, read as what its author meant by it.

Owns finding a place for every dim that was asked for: a level more or less, a name written
otherwise, one description for every tensor of a list. What was found is examined like any change.
Runs where the program runs.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import torch

from exportdb.diagnose.shapes import children
from exportdb.symbolic.requested import hint_kind, root_of


@dataclass(frozen=True)
class Fitted:
    """``specs`` by parameter, nested as the inputs; ``guessed`` where what was written is not
    that; ``lost`` is how many dims were asked for at no place that the inputs have."""

    specs: Any
    guessed: bool = False
    lost: int = 0


def fitted(specs: Any, inputs: Mapping[str, Any]) -> Fitted:
    """``specs`` with the structure of ``inputs`` (by parameter), as much kept as has a place.

    >>> n = torch.export.Dim("n")
    >>> fitted({"a": {0: n}}, {"batch": {"a": torch.ones(3)}}).specs
    {'batch': {'a': {0: Dim('n', min=0)}}}
    >>> fitted({"maps": {0: n}}, {"maps": [torch.ones(3), torch.ones(3)]}).specs
    {'maps': [{0: Dim('n', min=0)}, {0: Dim('n', min=0)}]}
    """
    if not isinstance(specs, Mapping | list | tuple) or not specs:
        return Fitted(specs)
    found = _fit(dict(inputs), specs)
    there = {name for name, _ in _asked(found.specs)}
    missing = {name for name, _ in _asked(specs)} - there
    if not found.guessed and not missing:
        return Fitted(specs)
    return Fitted(found.specs, True, max(found.lost, len(missing)))


def _asked(spec: Any) -> Iterator[tuple[str, Any]]:
    """The dims and hints that stand anywhere in a spec, with their names."""
    if isinstance(spec, Mapping | list | tuple):
        for part in spec.values() if isinstance(spec, Mapping) else spec:
            yield from _asked(part)
    elif (hint := hint_kind(spec)) and hint != "STATIC":
        yield hint, spec
    elif root := root_of(spec):
        yield root.name, spec


def _count(spec: Any) -> int:
    return sum(1 for _ in _asked(spec))


def _fit(value: Any, spec: Any) -> Fitted:
    parts = children(value)
    if spec is None:
        return Fitted(None)
    if parts is None:
        return _at_tensor(value, spec) if isinstance(value, torch.Tensor) else _at_leaf(spec)
    keys = [key for key, _ in parts]
    ways: list[Fitted] = []
    # The first of those that lose least: as it is written before all else.
    for way in (_by_part, _under_other_names, _for_each, _unwrapped):
        if (found := way(keys, [child for _, child in parts], spec)) is not None:
            if not found.lost:
                return found
            ways.append(found)
    return min(ways, key=lambda w: w.lost, default=Fitted(None, True, _count(spec)))


def _joined(keys: Sequence[Any], fits: Sequence[Fitted], guessed: bool, lost: int = 0) -> Fitted:
    """The parts as one, by name where they have names."""
    specs = [f.specs for f in fits]
    named = all(isinstance(key, str) for key in keys)
    return Fitted(
        dict(zip(keys, specs, strict=True)) if named else specs,
        guessed or any(f.guessed for f in fits),
        lost + sum(f.lost for f in fits),
    )


def _by_part(keys: Sequence[Any], values: Sequence[Any], spec: Any) -> Fitted | None:
    """A description of each part, by name or in their order."""
    if isinstance(spec, Mapping):
        if not all(isinstance(key, str) for key in keys) and _is_of_tensor(spec):
            return None  # its numbers are axes
        other = [spec[key] for key in spec if key not in keys]
        fits = [_fit(v, spec.get(k)) for k, v in zip(keys, values, strict=True)]
        complete = all(key in spec for key in keys)  # then nothing was to stand elsewhere
        lost = 0 if complete else sum(map(_count, other))
        return _joined(keys, fits, bool(other) and (_count(other) > 0 or not complete), lost)
    if isinstance(spec, list | tuple):
        padded = [*spec, *[None] * len(values)][: len(values)]
        fits = [_fit(v, s) for v, s in zip(values, padded, strict=True)]
        complete = len(spec) >= len(values)
        lost = 0 if complete and len(spec) == len(values) else _count(spec[len(values) :])
        return _joined(keys, fits, len(spec) != len(values), lost)
    parts = [getattr(spec, k, None) if isinstance(k, str) else None for k in keys]
    if any(part is not None for part in parts):
        return _joined(keys, [_fit(v, s) for v, s in zip(values, parts, strict=True)], False)
    return None


def _is_of_tensor(spec: Mapping[Any, Any]) -> bool:
    nested = any(isinstance(part, Mapping | list | tuple) for part in spec.values())
    return not nested and _count(spec) > 0


def _under_other_names(keys: Sequence[Any], values: Sequence[Any], spec: Any) -> Fitted | None:
    """A description of each part, of which one or all have a name that there is not."""
    if not isinstance(spec, Mapping):
        return None
    missing = [key for key in keys if key not in spec]
    surplus = [key for key in spec if key not in keys]
    if len(missing) != len(surplus) or len(missing) not in (1, len(keys)):
        return None
    if not all(isinstance(key, str) for key in surplus):
        return None
    renamed = {**spec, **{m: spec[s] for m, s in zip(missing, surplus, strict=True)}}
    found = _by_part(keys, values, {key: renamed[key] for key in keys})
    return found and Fitted(found.specs, True, found.lost)


def _for_each(keys: Sequence[Any], values: Sequence[Any], spec: Any) -> Fitted | None:
    """A description one level short: of each part that it can be of, or of the only one."""
    fits = [_fit(value, spec) for value in values]
    if not any(_count(f.specs) and not f.lost for f in fits):
        return None
    return _joined(keys, [Fitted(None) if f.lost else f for f in fits], True)


def _unwrapped(keys: Sequence[Any], values: Sequence[Any], spec: Any) -> Fitted | None:
    """A description with one level too many."""
    inner = _inner(spec)
    found = None if inner is None else _fit(dict(zip(keys, values, strict=True)), inner)
    if found is None or not isinstance(found.specs, Mapping):
        return None
    return _joined(keys, [Fitted(found.specs[key]) for key in keys], True, found.lost)


def _inner(spec: Any) -> Any:
    """What a description of one part has in it."""
    if isinstance(spec, Mapping | list | tuple) and len(spec) == 1:
        (inner,) = spec.values() if isinstance(spec, Mapping) else spec
        return inner if isinstance(inner, Mapping | list | tuple) else None
    return None


def _at_tensor(value: torch.Tensor, spec: Any) -> Fitted:
    if (inner := _inner(spec)) is not None:
        return Fitted(_at_tensor(value, inner).specs, True, _at_tensor(value, inner).lost)
    if isinstance(spec, Mapping | list | tuple):
        listed = list(spec.items() if isinstance(spec, Mapping) else enumerate(spec))
        good = {
            axis: wanted
            for axis, wanted in listed
            if type(axis) is int
            and -value.dim() <= axis < value.dim()
            and not isinstance(wanted, Mapping | list | tuple)
        }
        lost = 0 if _count(good) else _count(spec)
        if not isinstance(spec, Mapping) and len(spec) != value.dim():
            lost = _count(spec)  # which axes are meant?
        whole = len(good) == len(listed) and not lost
        return Fitted(spec if whole else good, not whole, lost)
    if hint_kind(spec) or root_of(spec) is None:
        return Fitted(spec)
    if value.dim() == 1:
        return Fitted({0: spec}, True)
    return Fitted(None, True, 1)


def _at_leaf(spec: Any) -> Fitted:
    nested = isinstance(spec, Mapping | list | tuple)
    return Fitted(None, True, _count(spec)) if nested else Fitted(spec)
