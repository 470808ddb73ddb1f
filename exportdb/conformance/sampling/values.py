"""Other values of the inputs at the example's sizes: of numbers, flags, words, and of data.

Owns which values are tried. What eager makes of them decides what becomes of the samples; nobody
else vouches for them.
"""

from __future__ import annotations

import inspect
from collections.abc import Callable, Iterable, Iterator, Sequence
from functools import partial
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.conformance.program import Inputs
from exportdb.conformance.sampling.constants import SourceConstants
from exportdb.conformance.sampling.places import Number, Places

#: A name and what a leaf becomes; None where the change is not for this leaf.
Change = tuple[str, Callable[[Any], Any]]


#: No number is made larger: the program may make a tensor of that size.
_MOST = 2**25


def numbers(value: Number, constants: Sequence[Number], few: Sequence[Number]) -> list[Number]:
    """Values to try for one number of the inputs, most telling first.

    ``constants`` are those of conditions, ``few`` those that the program mentions.

    >>> numbers(3, [7], [])
    [0, 2, 4, 7, 6, 8, 1, -1, -3, 14, 21]
    """
    kind = type(value)
    beside = [n + d for n in (*constants, *few) for d in (0, -1, 1)]
    multiples = [n * factor for n in (*constants, *few) for factor in (2, 3)]
    wanted = [0, value - 1, value + 1, *beside, 1, -1, -value, *multiples]
    found = [kind(n) for n in wanted if kind is float or n == int(n)]
    return [n for n in dict.fromkeys(found) if n != value and abs(n) <= _MOST]


def flags_and_words(places: Places, words: SourceConstants) -> Iterator[tuple[str, Inputs]]:
    """The example with another flag, word or None in place of one leaf."""
    yield from replaced_leaves(places, lambda leaf: other_statics(leaf, places, words))


def other_statics(leaf: Any, places: Places, words: SourceConstants) -> Sequence[Any]:
    """What may stand in the place of a flag, a word, None or a tensor, most telling first."""
    tensors = [other for other in places.leaves if isinstance(other, torch.Tensor)]
    if type(leaf) is bool:
        return [not leaf]
    if type(leaf) is str:
        return [w for w in (*words.words, "", "other") if w != leaf]
    if leaf is None:
        # A mask that is left out is of either kind.
        given = [made for t in tensors[:1] for made in (t.detach().clone(), t.detach() > 0)]
        return [*given, True, 1]
    if isinstance(leaf, torch.Tensor) and leaf is not places.leaves[0]:
        return [None]
    return []


def replaced_leaves(
    places: Places, others: Callable[[Any], Iterable[Any]]
) -> Iterator[tuple[str, Inputs]]:
    """The example with another value in place of one leaf, for each that ``others`` gives."""
    for index, (name, leaf) in enumerate(zip(places.names, places.leaves, strict=True)):
        for other in dict.fromkeys(others(leaf)):
            leaves, structure = pytree.tree_flatten(places.program.build())
            leaves[index] = other
            inputs = _if_possible(partial(pytree.tree_unflatten, leaves, structure))
            if inputs is not None:
                yield f"{name}={said(other)}", inputs


def said(value: Any) -> str:
    """A value in the name of a sample."""
    if not isinstance(value, torch.Tensor):
        return repr(value)
    return "a mask" if value.dtype is torch.bool else "a tensor"


def other_lengths(places: Places) -> Iterator[tuple[str, Inputs]]:
    """The example with one item less or more in each list, tuple or dict that is an argument."""
    yield from replaced_arguments(places, _lengths)


def replaced_arguments(
    places: Places, others: Callable[[Any], Iterable[tuple[str, Any]]]
) -> Iterator[tuple[str, Inputs]]:
    """The example with another value in place of one argument, for each that ``others`` gives."""
    args, kwargs = places.program.build()
    parts: dict[Any, Any] = {**dict(enumerate(args)), **kwargs}
    for key, value in parts.items():
        for said, other in others(value):
            again_args, again_kwargs = places.program.build()
            if isinstance(key, int):
                changed = list(again_args)
                changed[key] = other
                yield f"argument {key} {said}", (tuple(changed), again_kwargs)
            else:
                yield f"{key} {said}", (again_args, {**again_kwargs, key: other})


def _lengths(value: Any) -> Iterator[tuple[str, Any]]:
    if type(value) in (list, tuple) and value:
        yield "with an item less", value[:-1]
        yield "with an item more", value + value[-1:]
        if len(value) > 1:
            yield "with no items", value[:0]
    elif type(value) is dict and value:
        yield "with a key less", dict(list(value.items())[:-1])


def given_otherwise(places: Places, module: torch.nn.Module) -> Iterator[tuple[str, Inputs]]:
    """The example with its keywords, or the keys of a dict, in another order, and, of a call that
    has keywords, the arguments given by place as keywords too."""
    args, kwargs = places.program.build()
    if len(kwargs) > 1:
        yield "keywords in the other order", (args, _turned(kwargs))
    if kwargs and args:
        parameters = list(inspect.signature(module.forward).parameters.values())[: len(args)]
        if all(p.kind is p.POSITIONAL_OR_KEYWORD for p in parameters):
            named = {p.name: value for p, value in zip(parameters, args, strict=True)}
            yield "all arguments by name", ((), {**kwargs, **named})
    args, kwargs = places.program.build()
    if any(map(_has_keys, (*args, *kwargs.values()))):
        turned = {name: _turned(value) for name, value in kwargs.items()}
        yield "dicts with their keys in the other order", (tuple(map(_turned, args)), turned)


def _has_keys(value: Any) -> bool:
    return type(value) is dict and len(value) > 1


def _turned(value: Any) -> Any:
    return dict(reversed(value.items())) if _has_keys(value) else value


# --- data --------------------------------------------------------------------------------------


def _floats(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Any], Any]:
    return lambda t: change(t) if t.is_floating_point() or t.is_complex() else None


def _whole(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Any], Any]:
    def changed(t: torch.Tensor) -> Any:
        exact = not (t.is_floating_point() or t.is_complex() or t.dtype is torch.bool)
        return change(t) if exact else None

    return changed


def _masks(change: Callable[[torch.Tensor], torch.Tensor]) -> Callable[[Any], Any]:
    return lambda t: change(t) if t.dtype is torch.bool else None


def _first(number: Number) -> Callable[[torch.Tensor], torch.Tensor]:
    """The first element replaced."""
    return lambda t: _with_ends(t, number)


def _near_zero(t: torch.Tensor) -> torch.Tensor:
    """The first element is -0.0, the last too small for its type to hold all of its digits."""
    return _with_ends(t, -0.0, torch.finfo(t.dtype).smallest_normal / 4)


def _at_limits(t: torch.Tensor) -> torch.Tensor:
    """The first element and the last are, of small types, the ends of their type, and of the wide
    ones what the next narrower type, or a float of 32 bits, does not hold."""
    ends = torch.iinfo(t.dtype)
    beyond = _NOT_HELD.get(t.dtype)
    return _with_ends(t, beyond or ends.max, -beyond if beyond else ends.min)


_NOT_HELD = {torch.int64: 2**31 + 1, torch.int32: 2**24 + 1}


def _with_ends(t: torch.Tensor, *ends: Number) -> torch.Tensor:
    """The first element replaced, and the last where two are given and they are not the same."""
    new = t.flatten().clone()
    for element, end in zip((0, -1), ends, strict=False):
        if new.numel() > -element:
            new[element] = end
    return new.view(t.shape)


#: Ordinary values, of which a program that takes the example can be asked to take each.
ORDINARY: tuple[Change, ...] = (
    ("zeros", _floats(torch.zeros_like)),
    ("negated", _floats(torch.neg)),
    ("reversed", lambda t: t.flip(tuple(range(t.dim()))) if t.dim() else None),
    ("whole numbers with ties", _floats(lambda t: t.round())),
    ("large", _floats(lambda t: t * 100)),
    ("all False", _masks(torch.zeros_like)),
    ("all True", _masks(torch.ones_like)),
)

#: Values of which compilers may make something else than eager; refused or agreed with.
EXTREME: tuple[Change, ...] = (
    ("ones", _floats(torch.ones_like)),
    ("a NaN", _floats(_first(float("nan")))),
    ("an infinity", _floats(_first(float("inf")))),
    ("-0.0, denormals", _floats(_near_zero)),
    ("halves", _floats(lambda t: t.round() + 0.5)),
    ("beyond 2**24", _floats(_first(2.0**24 + 2))),
    ("negated whole numbers", _whole(torch.neg)),
)

#: The same for programs that read no value of a tensor, which could become a size.
WIDE: tuple[Change, ...] = (("whole numbers at their limits", _whole(_at_limits)),)


def beside(numbers: Sequence[Number]) -> tuple[Change, ...]:
    """Values around the numbers that a program mentions: to search for its other branches."""
    small = ("small", _floats(lambda t: t * 0.01))
    around = [value for number in numbers for value in (number, number + 1, number - 1)]
    return (small, *filled(around))


def filled(numbers: Sequence[Number]) -> tuple[Change, ...]:
    """Each of the numbers everywhere."""
    return tuple((f"all {number}", partial(_filled, number)) for number in numbers)


def in_turn(numbers: Sequence[Number]) -> tuple[Change, ...]:
    """In turn one below and one above a number that a program mentions: of elements that it counts
    or picks out by that number, half are meant."""
    return tuple(
        (f"in turn {number - 1} and {number + 1}", partial(_in_turn, number)) for number in numbers
    )


def _in_turn(number: Number, t: torch.Tensor) -> torch.Tensor | None:
    if (below := _filled(number - 1, t)) is None or t.numel() < 2:
        return None
    below.view(-1)[1::2] = number + 1
    return below


def _filled(number: Number, t: torch.Tensor) -> torch.Tensor | None:
    if t.dtype is torch.bool or (number != int(number) and not t.is_floating_point()):
        return None
    return torch.full_like(t, number)


def changed(places: Places, change: Callable[[Any], Any]) -> Inputs | None:
    """The example with every plain tensor that ``change`` is for changed; None where none is."""
    leaves, structure = pytree.tree_flatten(places.program.build())
    any_changed = False
    made: dict[int, Any] = {}  # a tensor given twice is one
    for i, leaf in enumerate(leaves):
        if type(leaf) is torch.Tensor and leaf.layout is torch.strided and not leaf.is_quantized:
            if id(leaf) not in made:
                with torch.no_grad():
                    new = change(leaf.detach())
                made[id(leaf)] = None if new is None else _asking(new, leaf)
            if (new := made[id(leaf)]) is not None:
                leaves[i], any_changed = new, True
    rebuilt: Inputs = pytree.tree_unflatten(leaves, structure)
    return rebuilt if any_changed else None


def _asking(new: torch.Tensor, leaf: torch.Tensor) -> torch.Tensor:
    """``new``, which asks for a gradient where ``leaf`` does, if its type can."""
    able = new.is_floating_point() or new.is_complex()
    return new.requires_grad_() if leaf.requires_grad and able else new


# --- layouts -----------------------------------------------------------------------------------


def _spread(t: torch.Tensor) -> torch.Tensor | None:
    """Every second element of a larger tensor."""
    if not t.dim() or not t.numel():
        return None
    wide = torch.zeros((*t.shape[:-1], 2 * t.shape[-1]), dtype=t.dtype, device=t.device)
    view = wide[..., ::2]
    view.copy_(t)
    return view


def _behind(t: torch.Tensor) -> torch.Tensor | None:
    """At an offset in a larger storage."""
    # Kernels of a GPU may fault on memory that is not aligned, eager's too.
    offset = 3 if t.device.type == "cpu" else 16
    wide = torch.zeros(t.numel() + offset, dtype=t.dtype, device=t.device)
    view = wide[offset:].view(t.shape)
    view.copy_(t)
    return view


def _permuted(t: torch.Tensor) -> torch.Tensor | None:
    """The same values with the axes' strides in the other order."""
    if t.dim() < 2 or not t.numel():
        return None
    return t.transpose(0, -1).contiguous().transpose(0, -1)


def _channels_last(t: torch.Tensor) -> torch.Tensor | None:
    return t.contiguous(memory_format=torch.channels_last) if t.dim() == 4 else None


def _expanded(t: torch.Tensor) -> torch.Tensor | None:
    return t[:1].expand(t.shape) if t.dim() and t.shape[0] > 1 else None


def _conjugate(t: torch.Tensor) -> torch.Tensor | None:
    return t.conj().clone().conj() if t.is_complex() else None


#: The layouts that callers have.
LAYOUTS: tuple[Change, ...] = (
    ("channels_last", _channels_last),
    ("not contiguous", _spread),
    ("strides in another order", _permuted),
    ("a storage offset", _behind),
    ("expanded", _expanded),
    ("a conjugate bit", _conjugate),
)


def kinds(table: Sequence[Change], places: Places) -> Iterator[tuple[str, Inputs]]:
    """The example changed in each way of a table that changes anything."""
    for name, change in table:
        inputs = _if_possible(partial(changed, places, change))
        if inputs is not None:
            yield name, inputs


def _if_possible(make: Callable[[], Inputs | None]) -> Inputs | None:
    """What ``make`` gives; None where a container or a kind of tensor does not take the change."""
    try:
        return make()
    except Exception:
        return None
