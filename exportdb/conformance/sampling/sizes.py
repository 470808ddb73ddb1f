"""Sizes made from declared ranges.

Owns the choice of sizes: where a capture that looks right on its example goes wrong is at the
ends of a range, at 0 and 1, at other parities and where two sizes happen to be equal. Pure.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from exportdb.cases.case import DimRange
from exportdb.records.record import Role

#: A size that no block of a kernel is as large as; neither even nor a multiple of 3.
_LARGE = 1031


def made_sizes(
    dims: Mapping[str, DimRange], example: Mapping[str, int], max_size: int = 4096
) -> Iterator[tuple[Role, dict[str, int]]]:
    """Roles and sizes of the samples made from dims, most telling first, none twice.

    >>> dims = {"n": DimRange(2, 6)}
    >>> for role, sizes in made_sizes(dims, {"n": 5}): print(role, sizes["n"])
    accepts 2
    rejects 1
    accepts 6
    rejects 7
    rejects 0
    accepts 3
    accepts 4
    """
    seen = {tuple(example.values())}
    for varied in _variations(dims, example, max_size):
        sizes = {**example, **varied}
        if (key := tuple(sizes.values())) in seen:
            continue
        seen.add(key)
        inside = all(dims[n].holds(s) for n, s in sizes.items())
        yield ("accepts" if inside else "rejects"), sizes


def _variations(
    dims: Mapping[str, DimRange], example: Mapping[str, int], max_size: int
) -> Iterator[dict[str, int]]:
    candidates = {n: _candidates(d, example[n], max_size) for n, d in dims.items()}
    # The ends of every dim come before the middle of the first.
    for i in range(max(map(len, candidates.values()), default=0)):
        for name, values in candidates.items():
            if i < len(values):
                yield {name: values[i]}
        if i == 2 and len(dims) > 1:
            yield from _together(dims, example, max_size)


def _together(
    dims: Mapping[str, DimRange], example: Mapping[str, int], max_size: int
) -> Iterator[dict[str, int]]:
    """Several dims at once: all at an end, and every two equal."""
    yield {n: d.min for n, d in dims.items()}
    tops = {n: _top(d, example[n], max_size) for n, d in dims.items()}
    yield tops
    for name, dim in dims.items():
        yield {**tops, name: dim.min}  # corners that are mixed
    names = list(dims)
    for i, a in enumerate(names):
        for b in names[i + 1 :]:
            for shared in (example[a], example[b]):
                if dims[a].holds(shared) and dims[b].holds(shared):
                    yield {a: shared, b: shared}
                    break


def _candidates(dim: DimRange, example: int, max_size: int) -> list[int]:
    """Sizes to try for one dim, most telling first."""
    top = _top(dim, example, max_size)
    middle = (dim.min + top) // 2
    wanted = [
        dim.min, dim.min - 1, top, top + 1, 1, 0, 2, dim.min + 1,
        middle, middle + 1, example + 1, 2 * example, 3 * example,
    ]  # fmt: skip
    if dim.max is None:
        wanted.remove(top + 1)
    if dim.max is None or dim.max > _LARGE:
        wanted.insert(4, _LARGE)
    least = dim.min - 1 if dim.min < 0 else 0  # a number may be declared to be negative
    if dim.min < 0:
        wanted.insert(4, -1)
    sizes = [s for s in dict.fromkeys(wanted) if least <= s <= max_size]
    beyond = [s for s in sizes if not dim.holds(s) and s > top + 1]
    return [s for s in sizes if s not in beyond]


def _top(dim: DimRange, example: int, max_size: int) -> int:
    """The largest size worth building: the declared maximum, or a stand-in for "no bound"."""
    if dim.max is not None and dim.max <= max_size:
        return dim.max
    return min(max(4 * example + 3, dim.min + 8), max_size, dim.max or max_size)


def sizes_of_numbers(
    dims: Mapping[str, DimRange],
    example: Mapping[str, int],
    numbers: Sequence[int],
    max_size: int = 4096,
) -> Iterator[dict[str, int]]:
    """Sizes beside numbers that a program mentions, their multiples, and ratios of two dims.

    >>> found = sizes_of_numbers({"n": DimRange(2, 20)}, {"n": 5}, [7])
    >>> [sizes["n"] for sizes in found]
    [7, 6, 8, 14, 21]
    """
    for number in numbers:
        for size in (number, number - 1, number + 1, 2 * number, 3 * number):
            for name, dim in dims.items():
                if 0 <= size <= min(max_size, _top(dim, example[name], max_size) * 2):
                    yield {**example, name: size}
        for a in dims:
            for b in dims:
                pair = {**example, b: dims[b].min, a: dims[b].min * number}
                if a != b and number > 1 and all(dims[n].holds(s) for n, s in pair.items()):
                    yield pair
