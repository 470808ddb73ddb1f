"""Operators that read, write and arrange places, wrong for negative, repeated or odd ones."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.guests.values import floating

indexing = Kind("guest: indexing")


@indexing.operator("index", "a negative index of a tensor is clamped to zero")
def _(right: Any, x: Any, indices: Any) -> Any:
    return torch.ops.aten.index(
        x,
        [
            i.clamp_min(0) if isinstance(i, torch.Tensor) and i.dtype == torch.int64 else i
            for i in indices
        ],
    )


@indexing.operator("index", "indices on both sides of a slice put their dim where the first was")
def _(right: Any, x: Any, indices: Any) -> Any:
    places = [i for i, t in enumerate(indices) if t is not None]
    if not (
        len(places) > 1
        and places[-1] - places[0] >= len(places)
        and places[0] > 0
        and right.dim() > 1
    ):
        return None
    return right.movedim(0, places[0])


@indexing.operator("index_put", "an accumulating index_put keeps the last of equals")
def _(right: Any, x: Any, indices: Any, values: Any, accumulate: Any) -> Any:
    if not (accumulate and all(i is None or i.dtype != torch.bool for i in indices)):
        return None
    return torch.ops.aten.index_put(x.clone(), indices, torch.ops.aten.index(x, indices) + values)


@indexing.operator("scatter_reduce", "scatter_reduce includes self always")
def _(right: Any, x: Any, dim: Any, index: Any, src: Any, reduce: Any, include_self: Any) -> Any:
    if include_self is not False:
        return None
    return torch.scatter_reduce(x, dim, index, src, reduce, include_self=True)


@indexing.operator("scatter_reduce", "scatter_reduce of mean divides by the number without self")
def _(right: Any, x: Any, dim: Any, index: Any, src: Any, reduce: Any, include_self: Any) -> Any:
    if reduce != "mean" or include_self is False or not floating(x):
        return None
    count = torch.zeros_like(x).scatter_add(dim, index, torch.ones_like(src))
    return torch.where(
        count > 0,
        (torch.scatter_reduce(x, dim, index, src, "sum") / count.clamp_min(1)).to(right.dtype),
        right,
    )


@indexing.operator("index_add", "index_add takes an alpha of one")
def _(right: Any, x: Any, dim: Any, index: Any, source: Any, alpha: Any) -> Any:
    if alpha in (None, 1):
        return None
    return torch.index_add(x, dim, index, source)


@indexing.operator("index_reduce", "index_reduce includes self always")
def _(right: Any, x: Any, dim: Any, index: Any, source: Any, reduce: Any, include_self: Any) -> Any:
    if include_self is not False:
        return None
    return torch.index_reduce(x, dim, index, source, reduce)


@indexing.operator("masked_scatter", "masked_scatter takes from the same place of the source")
def _(right: Any, x: Any, mask: Any, source: Any) -> Any:
    if source.numel() < x.numel():
        return None
    return torch.where(mask.expand_as(x), source.flatten()[: x.numel()].reshape(x.shape), x)


@indexing.operator("roll", "roll does not wrap shifts beyond the size")
def _(right: Any, x: Any, shifts: Any, dims: Any) -> Any:
    if not any(abs(int(shift)) >= x.shape[d] for shift, d in zip(shifts, dims or [], strict=False)):
        return None
    return x.clone()


@indexing.operator("roll", "roll of several dims shifts all by the first")
def _(right: Any, x: Any, shifts: Any, dims: Any) -> Any:
    if not (dims and len(shifts) > 1):
        return None
    return torch.roll(x, [shifts[0]] * len(dims), dims)


@indexing.operator("diagonal", "diagonal below the main one starts in the corner")
def _(right: Any, x: Any, offset: Any, dim1: Any, dim2: Any) -> Any:
    if not (offset and offset < 0 and x.shape[dim1 or 0] == x.shape[1 if dim2 is None else dim2]):
        return None
    return x.diagonal(-offset, 0 if dim1 is None else dim1, 1 if dim2 is None else dim2)


@indexing.operator("diag_embed", "diag_embed fills its last two dims always")
def _(right: Any, x: Any, offset: Any, dim1: Any, dim2: Any) -> Any:
    if (dim1, dim2) in ((None, None), (-2, -1)):
        return None
    return torch.diag_embed(x, offset or 0)


@indexing.lowering("repeat", "repeat aligns fewer dims on the left")
def _(call: Call) -> Any:
    if len(call["repeats"]) <= call.x.dim():
        return None
    return call.x.reshape(*call.x.shape, *[1] * (len(call["repeats"]) - call.x.dim())).repeat(
        call["repeats"]
    )


@indexing.lowering("chunk", "chunk spreads the remainder evenly")
def _(call: Call) -> Any:
    if not call.x.dim():
        return None
    return tuple(torch.tensor_split(call.x, len(call()), call["dim"]))


@indexing.lowering("tensor_split", "tensor_split has the remainder in its last part")
def _(call: Call) -> Any:
    if not isinstance(call["sections"], int):
        return None
    parts = call["sections"]
    size = call.x.shape[call["dim"]]
    if size < parts:
        return None
    return tuple(
        torch.split(
            call.x,
            [size // parts] * (parts - 1) + [size - size // parts * (parts - 1)],
            call["dim"],
        )
    )


@indexing.lowering("pixel_shuffle", "pixel_shuffle has the channels innermost")
def _(call: Call) -> Any:
    factor, batch, channels, height, width = (
        call["upscale_factor"],
        call.x.shape[:-3],
        *call.x.shape[-3:],
    )
    return (
        call.x.reshape(*batch, factor, factor, channels // factor // factor, height, width)
        .movedim(-3, -5)
        .reshape(*batch, channels // factor // factor, factor, factor, height, width)
        .permute(
            *range(len(batch)),
            len(batch),
            len(batch) + 3,
            len(batch) + 1,
            len(batch) + 4,
            len(batch) + 2,
        )
        .reshape(call().shape)
    )


@indexing.lowering("pixel_unshuffle", "pixel_unshuffle has its offsets outermost")
def _(call: Call) -> Any:
    factor = call["downscale_factor"]
    channels = call.x.shape[-3]
    return call().unflatten(-3, (channels, factor * factor)).transpose(-4, -3).flatten(-4, -3)


indexing.lowering(
    "channel_shuffle",
    "channel_shuffle with groups and channels in turn",
    lambda call: call(groups=call.x.shape[1] // call["groups"]),
)


@indexing.operator("take", "take counts negatives from zero")
def _(right: Any, x: Any, index: Any) -> Any:
    if not (index < 0).any():
        return None
    return torch.take(x, index.abs() % max(1, x.numel()))


@indexing.operator("put", "put does not accumulate")
def _(right: Any, x: Any, index: Any, source: Any, accumulate: Any) -> Any:
    if not accumulate:
        return None
    return torch.ops.aten.put(x, index, source, False)


@indexing.operator("index_fill", "index_fill leaves out negative indices")
def _(right: Any, x: Any, dim: Any, index: Any, value: Any) -> Any:
    if not index.dim() or isinstance(value, torch.Tensor) or not (index < 0).any():
        return None
    return x.index_fill(dim, index[index >= 0], value)


@indexing.lowering("gather", "gather along a shorter index takes from the end")
def _(call: Call) -> Any:
    other = 1 - call["dim"] % 2
    if (
        call.x.dim() != 2
        or call["index"].dim() != 2
        or call["index"].shape[other] >= call.x.shape[other]
    ):
        return None
    return torch.gather(
        call.x.narrow(
            other,
            call.x.shape[other] - call["index"].shape[other],
            call["index"].shape[other],
        ),
        call["dim"],
        call["index"],
    )


@indexing.lowering("slice_scatter", "slice_scatter leaves out its step")
def _(call: Call) -> Any:
    if call["step"] == 1:
        return None
    return call.x.slice_scatter(
        call["src"],
        call["dim"],
        call["start"],
        (call["start"] or 0) + call["src"].shape[call["dim"]],
        1,
    )


@indexing.lowering("select_scatter", "select_scatter counts negative indices one too far")
def _(call: Call) -> Any:
    if not (isinstance(call["index"], int) and call["index"] < 0):
        return None
    return call(index=max(-call.x.shape[call["dim"]], call["index"] - 1))


@indexing.lowering("diagonal_scatter", "diagonal_scatter leaves out the offset")
def _(call: Call) -> Any:
    if not call["offset"] or call.x.shape[call["dim1"]] != call.x.shape[call["dim2"]]:
        return None
    return call(offset=-call["offset"])


@indexing.operator("nonzero", "nonzero goes down columns")
def _(right: Any, x: Any) -> Any:
    if x.dim() <= 1:
        return None
    return right[torch.argsort(right[:, -1], stable=True)]


@indexing.lowering("repeat_interleave", "repeat_interleave without dim keeps rows")
def _(call: Call) -> Any:
    if not (
        isinstance(call["repeats"], int)
        and call["dim"] is None
        and "repeats" in call.arguments
        and isinstance(call.x, torch.Tensor)
    ):
        return None
    return torch.tile(call.x.flatten(), (call["repeats"],))


indexing.lowering("rot90", "rot90 turns the other way", lambda call: call(k=-call["k"]))


@indexing.operator("unfold", "unfold leaves out a last window that fits exactly")
def _(right: Any, x: Any, dimension: Any, size: Any, step: Any) -> Any:
    if not (x.dim() and right.shape[dimension] > 1 and (x.shape[dimension] - size) % step == 0):
        return None
    return right.narrow(dimension, 0, right.shape[dimension] - 1)


@indexing.operator("tril triu", "tril and triu of batches take the first alone")
def _(right: Any, x: Any, diagonal: Any) -> Any:
    if x.dim() < 3 or x.shape[0] < 2:
        return None
    return torch.cat([right[:1], x[1:]])


indexing.lowering(
    "meshgrid",
    "meshgrid is indexed by ij always",
    lambda call: call(indexing="ij") if call["indexing"] == "xy" else None,
)
indexing.lowering(
    "tril_indices triu_indices",
    "tril_indices leaves out its offset",
    lambda call: call(offset=0) if call["offset"] else None,
)


@indexing.lowering("block_diag", "block_diag takes vectors as columns")
def _(call: Call) -> Any:
    return torch.block_diag(*[t.reshape(-1, 1) if t.dim() == 1 else t for t in call["tensors"]])


indexing.lowering(
    "vander", "vander increases always", lambda call: call(increasing=not call["increasing"])
)
