"""Sorting, searching and choosing the largest: order among equals, direction, what is left out."""

from __future__ import annotations

from typing import Any

import torch

from detection.kind import Kind

broken = Kind("ordering").operator


def _unstable(values: torch.Tensor, indices: torch.Tensor, dim: int) -> torch.Tensor:
    """The indices with every run of equal values the other way round, along the last axis."""
    if dim not in (-1, values.dim() - 1) or not values.numel():
        return indices
    rows = []
    for row, chosen in zip(
        values.reshape(-1, values.shape[-1]), indices.reshape(-1, values.shape[-1]), strict=True
    ):
        lengths = torch.unique_consecutive(row, return_counts=True)[1].tolist()
        rows.append(torch.cat([part.flip(0) for part in chosen.split(lengths)]))
    return torch.stack(rows).reshape(indices.shape)


@broken("sort", "sort turns equal elements round")
def _(right: Any, x: torch.Tensor, dim: Any) -> Any:
    return right[0], _unstable(right[0], right[1], -1 if dim is None else dim)


@broken("topk", "topk gives the last among equals")
def _(right: Any, x: torch.Tensor, k: int, dim: int, largest: bool) -> Any:
    if not x.dim():
        return None
    mirrored = torch.sort(x.flip(dim), dim=dim, descending=bool(largest), stable=True)[1]
    return right[0], (x.shape[dim] - 1 - mirrored).narrow(dim, 0, k)


broken(
    "sort",
    "sort leaves out descending",
    lambda right, x, dim, descending: (
        torch.sort(x, -1 if dim is None else dim) if descending else None
    ),
)
broken(
    "sort",
    "sort is along the last axis",
    lambda right, x, dim, descending: torch.sort(x, -1, bool(descending)) if x.dim() > 1 else None,
)
broken(
    "sort",
    "a descending sort turns equal elements round",
    lambda right, x, dim, descending: (
        (right[0], x.shape[-1] - 1 - torch.sort(x.flip(-1), -1, descending=True, stable=True)[1])
        if descending and x.dim() == 1
        else None
    ),
)
broken(
    "topk",
    "topk gives the smallest",
    lambda right, x, k, dim, largest: torch.topk(x, k, dim, not largest),
)
broken(
    "topk",
    "topk is along the last axis",
    lambda right, x, k, dim, largest: (
        torch.topk(x, min(k, x.shape[-1]), -1, largest) if x.dim() > 1 else None
    ),
)
broken(
    "topk",
    "topk gives one less than asked for",
    lambda right, k, dim: (
        tuple(r.narrow(dim, 0, k - 1) for r in right) if k > 1 and right[0].dim() else None
    ),
)
broken(
    "topk",
    "topk is not sorted",
    lambda right, dim: tuple(r.flip(dim) for r in right) if right[0].dim() else None,
)


@broken("searchsorted", "searchsorted leaves out right")
def _(right: Any, sorted_sequence: torch.Tensor, self: Any) -> Any:
    return torch.searchsorted(sorted_sequence, self).to(right.dtype)


broken(
    "_unique2",
    "unique keeps the order of appearance",
    lambda right, x: (right[0].flip(0), *right[1:]) if right[0].numel() > 1 else None,
)
broken(
    "_unique2",
    "unique leaves out the largest",
    lambda right: (right[0][:-1], *right[1:]) if right[0].numel() > 1 else None,
)
broken(
    "kthvalue",
    "kthvalue counts from zero",
    lambda right, x, k, dim, keepdim: torch.kthvalue(
        x, min(k + 1, x.shape[dim]), dim, bool(keepdim)
    ),
)
broken(
    "unique_consecutive",
    "unique_consecutive is unique",
    lambda right, x: (torch.unique(x), *right[1:]),
)
