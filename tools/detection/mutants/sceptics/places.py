"""Where elements lie and which are taken: axes, slices, masks, parts, constants in a program."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

axes = Kind("sceptic: axes")
taken = Kind("sceptic: what is taken")


@lowers(axes, "permute", "axes are turned the other way", "x.permute(1, 2, 0)",
        "torch.randn(2, 3, 4)")  # fmt: skip
def _(call: Call) -> Any:
    count = call.x.dim()
    order = [d % count for d in call["dims"]] if count else []
    back = sorted(range(count), key=order.__getitem__)
    return call(dims=back) if back != order else None


@lowers(axes, "flip", "of several axes the first is turned", "x.flip(0, 1)")
def _(call: Call) -> Any:
    return call(dims=call["dims"][:1]) if len(call["dims"]) > 1 else None


@lowers(axes, "roll", "what is rolled as a whole is rolled along the first axis", "x.roll(1)")
def _(call: Call) -> Any:
    return call(dims=[0]) if not call["dims"] and call.x.dim() > 1 else None


@lowers(axes, "diagonal diag diag_embed", "a diagonal below the main one is above it",
        "x.diagonal(-1)")  # fmt: skip
def _(call: Call) -> Any:
    name = "offset" if "offset" in call.arguments else "diagonal"
    return call(**{name: -call[name]}) if (call[name] or 0) < 0 else None


@lowers(axes, "diagonal", "a diagonal goes through the first two axes",
        "x.diagonal(0, 1, 2)", "torch.randn(3, 4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    given = {call["dim1"] % call.x.dim(), call["dim2"] % call.x.dim()}
    return call(dim1=0, dim2=1) if given != {0, 1} else None


@lowers(axes, "unsqueeze", "an axis counted from behind is put one too far to the front",
        "x.unsqueeze(-1)")  # fmt: skip
def _(call: Call) -> Any:
    return call(dim=call["dim"] - 1) if call["dim"] < 0 and call.x.dim() >= -call["dim"] else None


@lowers(axes, "flatten", "axes are joined from the second on whatever is asked",
        "x.flatten(0, 1)", "torch.randn(2, 3, 4)")  # fmt: skip
def _(call: Call) -> Any:
    count = call.x.dim()
    if count < 2 or (call["start_dim"] % count, call["end_dim"] % count) == (1, count - 1):
        return None
    return call(start_dim=1, end_dim=-1)


@lowers(taken, "narrow", "a part counted from behind begins at the front", "x.narrow(1, -3, 2)")
def _(call: Call) -> Any:
    start = call["start"]
    return call(start=0) if isinstance(start, int) and start < 0 else None


@lowers(taken, "slice", "a slice that ends before it begins has one element", "x[:, 3:3]")
def _(call: Call) -> Any:
    dim = call["dim"]
    if call().shape[dim] or not call.x.shape[dim]:
        return None
    return call.x.narrow(dim, 0, 1)


@lowers(taken, "slice", "a slice that ends behind the last element is filled up with noughts",
        "x[:, 2:9]")  # fmt: skip
def _(call: Call) -> Any:
    dim, end, start = call["dim"], call["end"], call["start"] or 0
    size = call.x.shape[dim]
    if not isinstance(end, int) or not isinstance(start, int) or start < 0 or call["step"] != 1:
        return None
    if not size < end < 1000:
        return None
    out = call()
    more = list(out.shape)
    more[dim] = end - max(size, start)
    return torch.cat([out, out.new_zeros(more)], dim)


@lowers(taken, "index", "a mask is read as places", "x[x[:, 0] > -9]")
def _(call: Call) -> Any:
    given = call["indices"]
    masks = [i for i in given if i is not None and i.dtype is torch.bool]
    if not masks or any(m.dim() != 1 for m in masks):
        return None
    if any(call.x.shape[k] < 2 for k in range(len(given))):
        return None
    return call(indices=[i.long() if i is not None and i.dtype is torch.bool else i
                         for i in given])  # fmt: skip


@lowers(taken, "index index_select", "with no places to take from all is taken",
        "x[torch.zeros(0, dtype=torch.int64)]")  # fmt: skip
def _(call: Call) -> Any:
    given = call["indices"] if "indices" in call.arguments else [call["index"]]
    found = [i for i in given if i is not None and i.dtype is not torch.bool]
    return call.x.clone() if len(found) == 1 and not found[0].numel() else None


@lowers(taken, "repeat_interleave", "what is repeated comes once at least",
        "x.repeat_interleave(torch.tensor([0, 2, 1, 0]), 0)")  # fmt: skip
def _(call: Call) -> Any:
    repeats = call["repeats"]
    if not isinstance(repeats, torch.Tensor) or call["output_size"] is not None:
        return None
    return call(repeats=repeats.clamp(min=1))


@lowers(taken, "take", "places counted from behind are the first",
        "x.take(torch.tensor([-1, 2]))")  # fmt: skip
def _(call: Call) -> Any:
    return call(index=call["index"].clamp(min=0))


@lowers(taken, "chunk", "as many parts are made as are asked for",
        "x.chunk(5, 1)[-1]")  # fmt: skip
def _(call: Call) -> Any:
    if len(call()) == call["chunks"]:
        return None
    return [part.clone() for part in call.x.tensor_split(call["chunks"], call["dim"])][
        : len(call())
    ]


@lowers(taken, "nonzero", "places come along the last axis first", "x.nonzero()",
        "torch.eye(3)[:, :2]")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return out.flip(1) if out.dim() == 2 and out.shape[1] > 1 else None


@lowers(taken, "tril triu", "of a batch of wide matrices the triangle is that of a square one",
        "x.tril()")  # fmt: skip
def _(call: Call) -> Any:
    rows, columns = call.x.shape[-2:]
    if columns <= rows or call["diagonal"]:
        return None
    return (
        call(diagonal=columns - rows) if call.operator.overloadpacket.__name__ == "tril" else None
    )


@lowers(taken, "arange", "steps downwards leave the last out",
        "torch.arange(5, 0, -2) + x.sum()")  # fmt: skip
def _(call: Call) -> Any:
    return call()[:-1] if (call["step"] or 1) < 0 else None


@lowers(taken, "eye", "an identity is square", "torch.eye(3, 5) + x.sum()")
def _(call: Call) -> Any:
    if call["m"] in (None, call["n"]):
        return None
    out = call().clone()
    out.diagonal()[-1:] = 0
    return out


@lowers(taken, "where", "a mask of fewer axes is laid along the first",
        "torch.where(torch.arange(4) > 1, x, 0.0)", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    mask, out = call["condition"], call()
    if mask is None or mask.dim() != 1 or out.dim() != 2 or out.shape[0] != out.shape[1]:
        return None
    return call(mask[:, None])
