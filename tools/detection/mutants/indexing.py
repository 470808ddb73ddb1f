"""Operators that read or write by position: signs, steps, duplicates, bounds, masks."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import torch

from detection.kind import Kind

broken = Kind("indexing").operator


def _in_bounds(sizes: Any, indices: Any) -> list[Any]:
    """Indices of an index operator, each clamped to its axis."""
    return [
        i if i is None or i.dtype in (torch.bool, torch.uint8) else i.clamp(-size, size - 1)
        for i, size in zip(indices, sizes, strict=False)
    ]


def _change_indices(change: Callable[[torch.Tensor, int], torch.Tensor]) -> Callable[..., Any]:
    """The same operator with its integer indices changed; ``change`` also takes the axis's size."""

    def defect(right: Any, x: torch.Tensor, indices: Any) -> Any:
        new = [
            change(i, size) if i is not None and i.dtype == torch.int64 and size else i
            for i, size in zip(indices, x.shape, strict=False)
        ]
        return torch.ops.aten.index.Tensor(x, new)

    return defect


broken(
    "index",
    "a negative index means the first element",
    _change_indices(lambda i, size: i.clamp(min=0)),
)
broken(
    "index",
    "an index wraps at the size before last",
    _change_indices(lambda i, size: i % max(1, size - 1)),
)


@broken("index_put", "index_put leaves out accumulate")
def _(right: Any, x: torch.Tensor, indices: Any, values: Any, accumulate: bool) -> Any:
    return torch.ops.aten.index_put(x, indices, values) if accumulate else None


@broken("index_put", "index_put always accumulates")
def _(right: Any, x: torch.Tensor, indices: Any, values: Any, accumulate: bool) -> Any:
    if accumulate or x.dtype == torch.bool:
        return None
    return torch.ops.aten.index_put(x, indices, values, True)


@broken("index_put", "index_put writes just the first of its values")
def _(right: Any, x: torch.Tensor, indices: Any, values: Any, accumulate: bool) -> Any:
    first = values.reshape(-1)[:1].reshape([])
    return torch.ops.aten.index_put(x, indices, first, accumulate) if values.numel() > 1 else None


broken(
    "index",
    "a boolean mask is taken for the indices 0 and 1",
    lambda right, x, indices: (
        x[indices[0].long()]
        if len(indices) == 1
        and indices[0] is not None
        and indices[0].dtype == torch.bool
        and indices[0].dim() == 1
        and x.shape[0] > 1
        else None
    ),
)
broken(
    "index_select",
    "index_select is along the first axis",
    lambda right, x, dim, index: (
        torch.index_select(x, 0, index.clamp(max=x.shape[0] - 1)) if dim % max(1, x.dim()) else None
    ),
)
broken(
    "index_select",
    "index_select gives each row once",
    lambda right, x, dim, index: torch.index_select(x, dim, index.unique()),
)
broken(
    "gather",
    "gather is along the last axis",
    lambda right, x, dim, index: (
        torch.gather(x, -1, index.clamp(max=x.shape[-1] - 1))
        if x.dim() > 1 and dim % x.dim() != x.dim() - 1 and index.shape[0] <= x.shape[0]
        else None
    ),
)
broken(
    "scatter",
    "scatter adds what is there",
    lambda right, x: right + x if right.dtype == x.dtype else None,
)
broken(
    "scatter_add index_add",
    "of several writes to one place the last remains",
    lambda right, x, dim, index, src: (
        torch.scatter(x, dim, index, src) if src is not None else None
    ),
)
broken(
    "index_add",
    "index_add leaves out alpha",
    lambda right, x, dim, index, source, alpha: (
        torch.index_add(x, dim, index, source) if alpha != 1 else None
    ),
)
broken(
    "embedding",
    "embedding clamps its indices",
    lambda right, weight, indices: torch.embedding(weight, indices.clamp(1, len(weight) - 1)),
)
broken(
    "select",
    "select of a negative index is one off",
    lambda right, x, dim, index: (
        x.select(dim, max(-x.shape[dim], index - 1)) if index < 0 else None
    ),
)
broken(
    "select",
    "select is along the first axis",
    lambda right, x, dim, index: (
        x.select(0, min(index, x.shape[0] - 1)) if dim % x.dim() and x.shape[0] else None
    ),
)
broken(
    "slice",
    "slice leaves out its step",
    lambda right, x, dim, start, step: (
        x.narrow(
            dim,
            min((start or 0) % max(1, x.shape[dim]), x.shape[dim] - right.shape[dim]),
            right.shape[dim],
        )
        if step > 1
        else None
    ),
)
broken(
    "slice",
    "slice takes a negative start for zero",
    lambda right, x, dim, start, end, step: (
        x[(slice(None),) * dim + (slice(0, end, step),)] if (start or 0) < 0 else None
    ),
)
broken(
    "slice",
    "slice takes a negative end for the whole",
    lambda right, x, dim, start, end, step: (
        x[(slice(None),) * dim + (slice(start, None, step),)] if (end or 0) < 0 else None
    ),
)
broken(
    "slice",
    "slice begins one later",
    lambda right, x, dim, start: (
        x.narrow(dim, start + 1, right.shape[dim] - 1)
        if (start or 0) > 0 and right.shape[dim]
        else None
    ),
)
broken(
    "masked_select",
    "masked_select goes column by column",
    lambda right, x, mask: x.t()[mask.expand_as(x).t()] if x.dim() == 2 else None,
)
broken(
    "nonzero",
    "nonzero leaves out the first element",
    lambda right: right[1:] if right.shape[0] and not right[0].any() else None,
)
broken("nonzero", "nonzero goes from the end", lambda right: right.flip(0))
broken(
    "masked_fill",
    "masked_fill fills where the mask is false",
    lambda right, x, mask, value: x.masked_fill(~mask, value),
)
broken(
    "where",
    "where takes its branches the other way round",
    lambda right, condition, self, other: (
        torch.where(condition, other, self) if self is not None else None
    ),
)
broken(
    "flip",
    "flip is along the last axis",
    lambda right, x, dims: x.flip(-1) if [d % x.dim() for d in dims] != [x.dim() - 1] else None,
)
broken(
    "flip",
    "flip along several axes is along the first",
    lambda right, x, dims: x.flip(dims[0]) if len(dims) > 1 else None,
)
broken(
    "roll",
    "roll fills with zeros instead of wrapping",
    lambda right, x, shifts, dims: (
        torch.cat([torch.zeros_like(right[: shifts[0]]), right[shifts[0] :]])
        if len(shifts) == 1 and 0 < shifts[0] < len(x) and dims in ([0], ())
        else None
    ),
)
broken(
    "roll",
    "roll goes the other way",
    lambda right, x, shifts, dims: torch.roll(x, [-s for s in shifts], dims),
)
broken(
    "diagonal",
    "diagonal leaves out its offset",
    lambda right, x, offset, dim1, dim2: torch.diagonal(x, 0, dim1, dim2) if offset else None,
)
broken(
    "triu tril",
    "a triangle leaves out its diagonal argument",
    lambda right, x, diagonal: (
        torch.where(right != 0, x, 0).to(x.dtype) * torch.ones_like(x).triu() if diagonal else None
    ),
)
broken(
    "index_copy",
    "index_copy adds",
    lambda right, x, dim, index, source: torch.index_add(x, dim, index, source),
)
broken(
    "unfold",
    "unfold steps by one",
    lambda right, x, dimension, size, step: x.unfold(dimension, size, 1) if step > 1 else None,
)
broken(
    "repeat_interleave",
    "repeat_interleave repeats the first count for all",
    lambda right, x: (
        torch.arange(len(x)).repeat_interleave(int(x[0]))
        if right.dim() == 1
        and x.dim() == 1
        and len(x)
        and not x.is_floating_point()
        and right.dtype == torch.int64
        else None
    ),
)
broken(
    "take",
    "take goes column by column",
    lambda right, x, index: torch.take(x.t().contiguous(), index) if x.dim() == 2 else None,
)
