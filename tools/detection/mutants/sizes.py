"""Operators that are right at the sizes of an example: wrong at 0, 1, above 256, in a remainder."""

from __future__ import annotations

import torch

from detection.kind import Kind

broken = Kind("sizes").operator

BLOCK = 256  # elements that the broken kernels work on at a time


def _cut(right: torch.Tensor, first: int) -> torch.Tensor | None:
    """The result, zero from element ``first`` on in the order of its memory."""
    if not isinstance(right, torch.Tensor) or right.numel() <= first:
        return None
    flat = right.reshape(-1).clone()
    flat[first:] = 0
    return flat.view(right.shape)


def _without_remainder(right: torch.Tensor, block: int) -> torch.Tensor | None:
    return _cut(right, right.numel() // block * block) if right.numel() > block else None


def _at_one(right: torch.Tensor, wrong: torch.Tensor) -> torch.Tensor | None:
    return wrong if right.numel() == 1 else None


broken("add", "add does nothing beyond 256 elements", lambda right: _cut(right, BLOCK))
broken("mul", "mul does nothing beyond 256 elements", lambda right: _cut(right, BLOCK))
broken("sin", "sin does nothing beyond 256 elements", lambda right: _cut(right, BLOCK))
broken("relu", "relu does nothing beyond 256 elements", lambda right: _cut(right, BLOCK))
broken("cat", "cat does nothing beyond 256 elements", lambda right: _cut(right, BLOCK))
broken(
    "addmm mm",
    "a matrix product does nothing beyond 256 elements",
    lambda right: _cut(right, BLOCK),
)
broken(
    "sum",
    "sum of more than 256 elements leaves out the rest",
    lambda right, x, dim: x.reshape(-1)[:BLOCK].sum() if not dim and x.numel() > BLOCK else None,
)
broken("add", "add does nothing beyond 1024 elements", lambda right: _cut(right, 1024))
broken(
    "mul",
    "mul leaves out the remainder of blocks of 16",
    lambda right: _without_remainder(right, 16),
)
broken(
    "tanh",
    "tanh leaves out the remainder of blocks of 8",
    lambda right: _without_remainder(right, 8),
)
broken(
    "sub", "sub leaves out the remainder of blocks of 4", lambda right: _without_remainder(right, 4)
)
broken(
    "sum",
    "sum over one element is zero",
    lambda right, x, dim: torch.zeros_like(right) if x.numel() == 1 else None,
)
broken(
    "mean",
    "mean over one element is NaN",
    lambda right, x: torch.full_like(right, float("nan")) if x.numel() == 1 else None,
)
broken(
    "mul",
    "mul of one element gives the first operand",
    lambda right, x, other: (
        _at_one(right, x.clone().reshape(right.shape))
        if isinstance(x, torch.Tensor) and x.numel() == 1
        else None
    ),
)
broken("relu", "relu of one element is the element", lambda right, x: _at_one(right, x.clone()))
broken(
    "_softmax",
    "softmax over one element is zero",
    lambda right, x, dim: (
        torch.zeros_like(right) if right.dim() and right.shape[dim] == 1 else None
    ),
)
broken(
    "sum",
    "sum of nothing is NaN",
    lambda right, x: (
        torch.full_like(right, float("nan"))
        if x.numel() == 0 and right.numel() and x.is_floating_point()
        else None
    ),
)
broken(
    "mean",
    "mean of nothing is zero",
    lambda right, x: torch.zeros_like(right) if x.numel() == 0 and right.numel() else None,
)
broken(
    "addmm mm",
    "a matrix product of a single row loses a dimension",
    lambda right: right[0] if right.shape[0] == 1 else None,
)
broken(
    "mm",
    "a matrix product over nothing is not zero",
    lambda right, x: torch.ones_like(right) if not x.shape[1] and right.numel() else None,
)
broken(
    "addmm",
    "addmm of a single row leaves out the bias",
    lambda right, mat1, mat2: mat1 @ mat2 if right.shape[0] == 1 else None,
)
broken(
    "cat",
    "cat leaves out parts of one row",
    lambda right, tensors, dim: (
        torch.cat([t for t in tensors if t.shape[dim] != 1], dim)
        if 0 < sum(t.shape[dim] == 1 for t in tensors if t.dim()) < len(tensors)
        else None
    ),
)
broken(
    "cat",
    "cat with an empty part gives the other one twice",
    lambda right, tensors, dim: (
        torch.cat([right, right], dim or 0)
        if len(tensors) > 1 and any(t.numel() == 0 for t in tensors) and right.numel()
        else None
    ),
)
broken(
    "stack",
    "stack of more than two leaves out the last",
    lambda right, tensors, dim: torch.stack(tensors[:-1], dim or 0) if len(tensors) > 2 else None,
)
broken(
    "cumsum",
    "cumsum begins again after 64 elements",
    lambda right, x, dim: (
        torch.cat([p.cumsum(dim) for p in x.split(64, dim)], dim).to(right.dtype)
        if x.dim() and x.shape[dim] > 64
        else None
    ),
)
broken(
    "flip",
    "flip of an even size leaves the middle",
    lambda right, x: (
        torch.cat(
            [
                right[: len(x) // 2 - 1],
                x[len(x) // 2 - 1 : len(x) // 2 + 1],
                right[len(x) // 2 + 1 :],
            ]
        )
        if len(x) % 2 == 0 and len(x) >= 4
        else None
    ),
)
broken(
    "expand",
    "expand to size one gives an empty tensor",
    lambda right: right.narrow(0, 0, 0) if right.dim() and right.shape[0] == 1 else None,
)
broken(
    "slice",
    "a slice of everything gives all but the last",
    lambda right, x, dim: (
        right.narrow(dim, 0, x.shape[dim] - 1)
        if x.shape[dim] > 1 and right.shape[dim] == x.shape[dim]
        else None
    ),
)
broken(
    "index_select index gather",
    "an index of one element gives the first row",
    lambda right, x: (
        x.reshape(-1)[:1].reshape(right.shape)
        if isinstance(right, torch.Tensor) and right.numel() == 1 and x.numel()
        else None
    ),
)
broken(
    "amax max",
    "max of a single row is that of all",
    lambda right, x: (
        x.max().expand(right.shape).clone()
        if isinstance(right, torch.Tensor) and x.dim() > 1 and x.shape[0] == 1 and x.numel()
        else None
    ),
)
