"""Operators that join, cut, turn or make tensors: order, axis, fill, counts."""

from __future__ import annotations

from typing import Any

import torch

from detection.kind import Kind

broken = Kind("shaping").operator

broken(
    "cat",
    "cat is along the first axis",
    lambda right, tensors, dim: (
        torch.cat(tensors, 0) if dim and len({t.shape for t in tensors}) == 1 else None
    ),
)
broken(
    "cat",
    "cat joins from the last to the first",
    lambda right, tensors, dim: torch.cat(list(tensors)[::-1], dim or 0),
)
broken(
    "cat",
    "cat gives its first part for every part of the same shape",
    lambda right, tensors, dim: torch.cat(
        [tensors[0] if t.shape == tensors[0].shape else t for t in tensors], dim or 0
    ),
)
broken(
    "stack",
    "stack is cat",
    lambda right, tensors, dim: torch.cat(list(tensors), dim or 0) if tensors[0].dim() else None,
)
broken(
    "stack",
    "stack is along the first axis",
    lambda right, tensors, dim: torch.stack(list(tensors), 0) if dim else None,
)
broken(
    "t transpose",
    "a square matrix is not transposed",
    lambda right, x: x if x.dim() == 2 and x.shape[0] == x.shape[1] else None,
)
broken(
    "transpose",
    "transpose swaps the last two axes",
    lambda right, x: x.transpose(-1, -2) if x.dim() > 2 else None,
)
broken(
    "permute",
    "permute applies the inverse permutation",
    lambda right, x, dims: (
        x.permute([dims.index(i) for i in range(len(dims))]) if all(d >= 0 for d in dims) else None
    ),
)
broken(
    "view _unsafe_view reshape",
    "a view of a matrix goes column by column",
    lambda right, x: (
        x.t().reshape(right.shape) if x.dim() == 2 and right.shape != x.shape else None
    ),
)
broken(
    "squeeze",
    "squeeze of one axis squeezes all of size one",
    lambda right, x, dim: x.squeeze() if dim is not None else None,
)
broken(
    "unsqueeze",
    "unsqueeze of a negative axis is one off",
    lambda right, x, dim: x.unsqueeze(dim - 1) if -x.dim() <= dim < 0 else None,
)
broken(
    "expand",
    "expand repeats the first element",
    lambda right, x: (
        x.reshape(-1)[:1].reshape([1] * right.dim()).expand(right.shape) if x.numel() > 1 else None
    ),
)
broken(
    "repeat",
    "repeat repeats each element",
    lambda right, x, repeats: (
        x.repeat_interleave(repeats[0], 0)
        if len(repeats) == x.dim() and all(r == 1 for r in repeats[1:])
        else None
    ),
)
broken(
    "split unsafe_split",
    "split leaves out the last, shorter piece",
    lambda right, dim: (
        right[:-1] if len(right) > 1 and right[-1].shape[dim] != right[0].shape[dim] else None
    ),
)
broken(
    "split unsafe_split",
    "split of a whole number of pieces adds an empty one",
    lambda right, dim: (
        [*right, right[-1].narrow(dim, 0, 0)]
        if right[-1].shape[dim] == right[0].shape[dim]
        else None
    ),
)
broken(
    "split_with_sizes", "split_with_sizes gives the pieces in reverse", lambda right: right[::-1]
)
broken(
    "unbind", "unbind is along the first axis", lambda right, x, dim: x.unbind(0) if dim else None
)
broken("unbind", "unbind goes from the end", lambda right: right[::-1])
broken(
    "constant_pad_nd",
    "padding is put on the other side",
    lambda right, x, pad, value: torch.constant_pad_nd(
        x, [pad[i ^ 1] for i in range(len(pad))], value
    ),
)
broken(
    "constant_pad_nd",
    "padding leaves out its value",
    lambda right, x, pad, value: torch.constant_pad_nd(x, pad) if value else None,
)
broken(
    "constant_pad_nd",
    "padding begins at the first axis",
    lambda right, x, pad, value: (
        torch.constant_pad_nd(x, [0, 0] * (x.dim() - len(pad) // 2) + list(pad), value)
        if x.dim() > 1
        else None
    ),
)
broken(
    "constant_pad_nd",
    "negative padding is left out",
    lambda right, x, pad, value: torch.constant_pad_nd(x, [max(0, p) for p in pad], value),
)
broken(
    "reflection_pad1d",
    "reflection repeats the edge",
    lambda right, x, padding: torch.nn.functional.pad(x, padding, mode="replicate"),
)
broken(
    "arange",
    "arange includes its end",
    lambda right, start, end, step: (
        torch.arange(start or 0, end + (step or 1), step or 1, dtype=right.dtype)
        if isinstance(end, int)
        else None
    ),
)
broken(
    "arange",
    "arange leaves out its step",
    lambda right, start, step: (
        right[0] + torch.arange(len(right), dtype=right.dtype)
        if step not in (None, 1) and len(right)
        else None
    ),
)
broken(
    "arange", "arange leaves out its start", lambda right, start: right - start if start else None
)
broken(
    "linspace",
    "linspace leaves out its end",
    lambda right, start, end, steps: (
        start + (end - start) * torch.arange(steps) / steps if steps > 1 else None
    ),
)
broken(
    "full full_like new_full",
    "a filled tensor is filled with one",
    lambda right: torch.ones_like(right),
)
broken(
    "zeros_like new_zeros zeros",
    "zeros are left as they were found",
    lambda right: torch.full_like(right, 1) if right.dtype != torch.bool else None,
)
broken("eye", "eye of unequal sizes is square", lambda right: right[:, : right.shape[0]])
broken(
    "upsample_nearest2d upsample_nearest1d",
    "nearest neighbours are rounded up",
    lambda right: right.roll(-1, -1),
)
broken("movedim", "movedim swaps", lambda right, x: x.transpose(0, -1))


@broken("cat", "cat of three or more parts takes the second for all that follow")
def _(right: Any, tensors: Any, dim: int) -> Any:
    if len(tensors) < 3 or any(t.shape != tensors[1].shape for t in tensors[2:]):
        return None
    return torch.cat([tensors[0], *[tensors[1]] * (len(tensors) - 1)], dim or 0)
