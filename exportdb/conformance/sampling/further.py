"""Inputs that are made only to take a side of a branch that no planned sample takes.

Owns which those are: other types, ranks and kinds of tensors, containers of other lengths and keys,
words of other lengths, numbers and sizes that follow from two numbers that the program mentions.
Each is tried in eager first, so that many may be made; which of them are kept is ``coverage``'s.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Mapping, Sequence
from itertools import combinations, permutations, product
from typing import Any

import torch
from torch.utils import _pytree as pytree

from exportdb.cases.case import DimRange
from exportdb.conformance.program import Inputs
from exportdb.conformance.sampling import values
from exportdb.conformance.sampling.constants import SourceConstants
from exportdb.conformance.sampling.places import Number, Places
from exportdb.conformance.sampling.values import Change, replaced_arguments, replaced_leaves

#: Containers and words are made no longer.
_LONGEST = 64
#: How many numbers that a program mentions are put together with each other.
_FEW = 6

_TYPES = (
    torch.float64, torch.float32, torch.float16, torch.bfloat16,
    torch.complex64, torch.complex128, torch.int64, torch.int32, torch.uint8, torch.bool,
)  # fmt: skip


def _as_type(dtype: torch.dtype) -> Change:
    def changed(t: torch.Tensor) -> torch.Tensor | None:
        # Of whole numbers as others the program makes something else: their range is enough.
        wide = t.is_floating_point() or t.is_complex() or not dtype.is_complex
        return t.to(dtype) if wide and t.dtype is not dtype else None

    return f"as {str(dtype).removeprefix('torch.')}", changed


def _otherwise_required(t: torch.Tensor) -> torch.Tensor | None:
    able = t.is_floating_point() or t.is_complex()
    return t.clone().requires_grad_() if able else None


def _parameter(t: torch.Tensor) -> torch.Tensor | None:
    return torch.nn.Parameter(t.clone()) if t.is_floating_point() else None


def _last_of_five(t: torch.Tensor) -> torch.Tensor | None:
    return t.contiguous(memory_format=torch.channels_last_3d) if t.dim() == 5 else None


def _conjugate(t: torch.Tensor) -> torch.Tensor | None:
    return t.to(torch.complex64).conj() if t.is_floating_point() else None


def _negative_bit(t: torch.Tensor) -> torch.Tensor | None:
    able = t.is_floating_point()
    return torch.complex(torch.zeros_like(t), -t).conj().imag if able else None


#: What a program may ask of a tensor beside its sizes and values: its type, its rank, its kind.
KINDS: tuple[Change, ...] = (
    *map(_as_type, _TYPES),
    ("asking for a gradient", _otherwise_required),
    ("as a parameter", _parameter),
    ("with an axis less", lambda t: t[0] if t.dim() and t.shape[0] else None),
    ("with an axis more", lambda t: t.unsqueeze(0)),
    ("with two axes more", lambda t: t[None, None]),
    ("transposed", lambda t: t.transpose(-1, -2) if t.dim() > 1 else None),
    ("channels_last_3d", _last_of_five),
    ("a negative bit", _negative_bit),
    ("a conjugate of complex64", _conjugate),
    ("sparse", lambda t: t.to_sparse() if t.dim() else None),
    ("all NaN", lambda t: torch.full_like(t, math.nan) if t.is_floating_point() else None),
    ("rising", lambda t: torch.arange(t.numel()).reshape(t.shape).to(t)),
    ("falling", lambda t: -torch.arange(t.numel()).reshape(t.shape).to(t)),
)


def without_gradient(places: Places) -> Iterator[tuple[str, Inputs]]:
    """The example with no input that asks for a gradient, if one does."""
    leaves, structure = pytree.tree_flatten(places.program.build())
    asks = [isinstance(leaf, torch.Tensor) and leaf.requires_grad for leaf in leaves]
    if any(asks):
        plain = [t.detach() if asked else t for t, asked in zip(leaves, asks, strict=True)]
        yield "not asking for a gradient", pytree.tree_unflatten(plain, structure)


#: By the place of a leaf, its name and what is to stand there.
Statics = Mapping[int, tuple[str, Any]]


def statics_together(places: Places, words: SourceConstants) -> list[Statics]:
    """Other flags, words and None, at most three at a time, one first.

    A branch on ``a and b`` has a side that is taken where both are true.
    """
    single: list[Statics] = [
        {index: (name, other)}
        for index, (name, leaf) in enumerate(zip(places.names, places.leaves, strict=True))
        for other in values.other_statics(leaf, places, words)[:2]
    ]
    return [
        together
        for count in (1, 2, 3)
        for parts in combinations(single[: 2 * _FEW], count)
        # Two values of one leaf are no two changes.
        if len(together := {i: change for part in parts for i, change in part.items()}) == count
    ]


def with_statics(inputs: Inputs, statics: Statics) -> Inputs:
    """Inputs with these leaves in place of their own. Raises what their containers raise."""
    leaves, structure = pytree.tree_flatten(inputs)
    for index, (_, other) in statics.items():
        leaves[index] = other
    rebuilt: Inputs = pytree.tree_unflatten(leaves, structure)
    return rebuilt


def lengths(places: Places, words: SourceConstants) -> Iterator[tuple[str, Inputs]]:
    """Lists, tuples and dicts among the arguments with other lengths and keys, as the program
    mentions them."""
    counts = [n + d for n in words.whole[: 2 * _FEW] for d in (0, 1, -1)]
    wanted = [n for n in dict.fromkeys(counts) if 0 <= n <= _LONGEST]

    def others(value: Any) -> Iterator[tuple[str, Any]]:
        if type(value) in (list, tuple) and value:
            for n in wanted:
                if n != len(value):
                    yield f"with {n} items", (value * (n // len(value) + 1))[:n]
        elif type(value) is dict:
            for key in value:
                yield f"without {key!r}", {k: v for k, v in value.items() if k != key}
            for word in words.words:
                if word not in value and value:
                    yield f"with {word!r}", {**value, word: next(iter(value.values()))}

    yield from replaced_arguments(places, others)


def words_of_length(places: Places, words: SourceConstants) -> Iterator[tuple[str, Inputs]]:
    """Words among the inputs with other lengths, beginnings and ends, and in other letters."""

    def others(value: Any) -> Iterator[str]:
        if type(value) is not str:
            return
        for n in words.whole[: 2 * _FEW]:
            for length in (n, n + 1):
                if 0 <= length <= _LONGEST:
                    yield ((value or "a") * (length + 1))[:length]
        yield from (value.upper(), value.lower(), value.title(), value[::-1], "0")
        for word in words.words:
            yield from (word + value, value + word)

    yield from replaced_leaves(places, others)


def numbers_of_another_type(places: Places) -> Iterator[tuple[str, Inputs]]:
    """A number with a fraction for a whole one and the other way round, and those without end."""

    def others(value: Any) -> Iterator[Number]:
        if type(value) is int:
            yield from (float(value), value + 0.5)
        elif type(value) is float:
            yield from (math.inf, -math.inf, math.nan)
            if math.isfinite(value):
                yield round(value)

    yield from replaced_leaves(places, others)


def numbers(mentioned: Iterable[Number], real: bool) -> list[Number]:
    """Numbers that follow from two that a program mentions; ``real`` if they may have a fraction.

    >>> numbers([2, 10], real=False)
    [4, 20, 12, -8, 1024, 8, 100, -2, -10]
    """
    few = list(dict.fromkeys(mentioned))[:_FEW]
    found: list[Number] = []
    for a in few:
        for b in few:
            if real and b:
                # Beside the quotient, for what is cut to a whole number.
                found += [a / b, (a + 0.5 * math.copysign(1, a)) / b]
            found += [*_products(a, b)]
    found += [-n for n in few]
    unique = dict.fromkeys(found if real else [n for n in found if n == int(n)])
    return [n for n in unique if n not in few and abs(n) <= 2**25]


def _products(a: Number, b: Number) -> Iterator[Number]:
    if a != b:
        yield a * b
        yield a + b
        yield a - b
    elif abs(a) < 2**12:
        yield a * a
    if 1 < a <= 10 and 0 <= b <= 25:
        yield a**b


def sizes(
    dims: Mapping[str, DimRange], example: Mapping[str, int], whole: Sequence[int], most: int
) -> Iterator[dict[str, int]]:
    """One size at a time inside of its range: what a program may compute from the numbers that it
    mentions (squares, powers of two and beside them), and sizes spread evenly over the range.
    """
    grown = [n for number in whole[:_FEW] for n in _grown(number)]
    for name, dim in dims.items():
        top = min(most, dim.max if dim.max is not None else most)
        step = max(1, (top - dim.min) // 16)
        spread = range(dim.min, top + 1, step)
        for size in dict.fromkeys((*grown, *spread)):
            if dim.holds(size) and size <= most and size != example[name]:
                yield {**example, name: size}


def multiples(
    dims: Mapping[str, DimRange], example: Mapping[str, int], whole: Sequence[int], most: int
) -> Iterator[dict[str, int]]:
    """Two sizes together that are multiples of a number that the program mentions, which may be
    what they have in common."""
    few = [number for number in dict.fromkeys(whole) if 1 < number <= most][:_FEW]
    for (a, b), number in product(permutations(dims, 2), few):
        sizes = {a: number, b: 2 * number}
        if all(dims[name].holds(size) and size <= most for name, size in sizes.items()):
            yield {**example, **sizes}


def _grown(number: int) -> Iterator[int]:
    if 0 <= number < 64:
        yield from (number * number, (number + 1) ** 2 - 1, (number + 1) ** 2)
    if 0 <= number < 14:
        yield from (2**number - 1, 2**number, 2 ** (number + 1))
        if number:
            yield from (2 ** (number - 1), 10 ** min(number, 4))
