"""Where elements lie: indices, writes, views, broadcasting, layouts, several outputs."""

from __future__ import annotations

import itertools
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers
from detection.wrapping import has_input, inputs, on_tensors

indexing = Kind("port: indexing")
broadcasting = Kind("port: broadcasting")
writing = Kind("port: writes and views")
layouts = Kind("port: layouts")
unknown = Kind("port: sizes of data")
several = Kind("port: several outputs")

ROWS = "torch.tensor([0, -1, 0])"


# --- indices ------------------------------------------------------------------------------------


@lowers(indexing, "index", "negative indices are the first", f"x[{ROWS}]")
def _(call: Call) -> Any:
    found = [i for i in call["indices"] if i is not None]
    if any(i.dtype is torch.bool for i in found):
        return None
    return call(indices=[None if i is None else i.clamp(min=0) for i in call["indices"]])


@lowers(indexing, "index", "indices beside slices give their dims where they stand",
        f"torch.stack([x, x], 1)[{ROWS}, :, {ROWS}]")  # fmt: skip
def _(call: Call) -> Any:
    given = call["indices"]
    at = [i for i, index in enumerate(given) if index is not None]
    apart = len(at) > 1 and any(b - a > 1 for a, b in itertools.pairwise(at))
    if not apart or any(given[i].dtype is torch.bool or given[i].dim() != 1 for i in at):
        return None
    return call().movedim(0, at[0]) if at[0] else call().movedim(0, 1)


@lowers(indexing, "index_put", "of indices that come twice the sum is that of the last",
        f"torch.zeros(4, 6).index_put(({ROWS},), x[:3], accumulate=True)")  # fmt: skip
def _(call: Call) -> Any:
    if not call["accumulate"] or call.operator._schema.is_mutable:
        return None
    return call.x + call(torch.zeros_like(call.x), accumulate=False)


@lowers(indexing, "scatter_add", "of places that come twice the last is added",
        "torch.zeros(4, 6).scatter_add(0, torch.zeros(3, 6, dtype=torch.int64), "
        "x[:3])")  # fmt: skip
def _(call: Call) -> Any:
    blank = torch.zeros_like(call.x)
    return call.x + blank.scatter(call["dim"], call["index"], call["src"])


@lowers(indexing, "index_add", "rows that come twice are added once",
        "torch.zeros(4, 6).index_add(0, torch.tensor([1, 1]), x[:2])")  # fmt: skip
def _(call: Call) -> Any:
    blank = torch.zeros_like(call.x)
    return call.x + call["alpha"] * blank.index_copy(call["dim"], call["index"], call["source"])


@lowers(indexing, "scatter_reduce", "what stood there before takes part in no reduction",
        "torch.ones(4, 6).scatter_reduce(0, torch.zeros(3, 6, dtype=torch.int64), x[:3],"
        " 'sum')")  # fmt: skip
def _(call: Call) -> Any:
    return call(include_self=False) if call["include_self"] else None


@lowers(indexing, "slice", "a slice that begins before the first element begins at its number",
        "x[:, -9:]")  # fmt: skip
def _(call: Call) -> Any:
    size, start = call.x.shape[call["dim"]], call["start"]
    if not isinstance(start, int) or start >= -size or not size:
        return None
    return call(start=start % size)


@lowers(indexing, "slice", "slices with a step take one element less",
        "x[:, ::2]")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    dim = call["dim"]
    return out.narrow(dim, 0, out.shape[dim] - 1) if call["step"] > 1 and out.shape[dim] else None


@lowers(indexing, "roll", "what is rolled by a negative number is rolled forward",
        "x.roll(-1, 1)")  # fmt: skip
def _(call: Call) -> Any:
    shifts = call["shifts"]
    return call(shifts=[abs(s) for s in shifts]) if any(s < 0 for s in shifts) else None


@lowers(indexing, "tril triu", "triangles begin at the diagonal", "x.triu(1)")
def _(call: Call) -> Any:
    return call(diagonal=0) if call["diagonal"] else None


@lowers(indexing, "one_hot", "classes are counted from what is there",
        "torch.nn.functional.one_hot(x, 9)", "torch.tensor([0, 2])")  # fmt: skip
def _(call: Call) -> Any:
    return call(num_classes=-1) if call["num_classes"] != -1 else None


@lowers(indexing, "searchsorted bucketize", "a number that is there belongs to the left",
        "torch.bucketize(x, torch.arange(4.0), right=True)", "torch.arange(4.0)")  # fmt: skip
def _(call: Call) -> Any:
    return call(right=False, side=None) if "side" in call.arguments and (
        call["right"] or call["side"] == "right") else (
        call(right=False) if call["right"] else None)  # fmt: skip


# --- broadcasting -------------------------------------------------------------------------------


@lowers(broadcasting, "addmm baddbmm", "what is added to a product is one number a row",
        "torch.addmm(torch.arange(4.0), x, torch.randn(6, 4))")  # fmt: skip
def _(call: Call) -> Any:
    first = call.x
    out = call()
    if first.dim() != 1 or out.dim() != 2 or out.shape[0] != out.shape[1]:
        return None
    return call(first.unsqueeze(1))


@lowers(broadcasting, "matmul", "batches are those of the first factor",
        "torch.matmul(x, torch.randn(3, 6, 2))")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    return call(other=other[0]) if other.dim() > 2 > call.x.dim() - 1 else None


@lowers(broadcasting, "addmm addmv addbmm baddbmm", "the factors of a sum of products are one",
        "torch.addmm(x, torch.randn(4, 4), x, beta=0.5)")  # fmt: skip
def _(call: Call) -> Any:
    return call(beta=1, alpha=1) if (call["beta"], call["alpha"]) != (1, 1) else None


@lowers(broadcasting, "add sub", "what is added is not multiplied", "torch.add(x, x, alpha=3)")
def _(call: Call) -> Any:
    return call(alpha=1) if call["alpha"] not in (None, 1) else None


@lowers(broadcasting, "expand", "an expanded dim of size one is copied from its neighbour",
        "x[:, :1].expand(-1, 6)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    same = out.dim() == call.x.dim() and out.shape != call.x.shape and out.dim() > 1
    return out.flip(0) if same and out.shape[0] == call.x.shape[0] else None


# --- writes and views ---------------------------------------------------------------------------


@lowers(writing, "copy", "what is written elsewhere keeps its own type",
        "torch.zeros(4, 6, dtype=torch.int32).copy_(x * 9)")  # fmt: skip
def _(call: Call) -> Any:
    src = call["src"]
    if not isinstance(src, torch.Tensor) or src.dtype == call.x.dtype:
        return None
    return call().to(src.dtype).copy_(src.expand(call.x.shape))


@lowers(writing, "slice_scatter select_scatter", "a write into a part is into its first element",
        "torch.slice_scatter(x, torch.zeros(4, 2), 1, 2, 4)")  # fmt: skip
def _(call: Call) -> Any:
    if "start" not in call.arguments or not isinstance(call["start"], int) or call["start"] <= 0:
        return None
    end = call["end"]
    if not isinstance(end, int) or end > call.x.shape[call["dim"]]:
        return None
    return call(start=0, end=end - call["start"])


@lowers(writing, "fill zero add mul sub div copy index_put masked_fill",
        "a write through a turned view is lost",
        "(lambda y: (y.t().mul_(2), y)[1])(x.clone())")  # fmt: skip
def _(call: Call) -> Any:
    turned = call.operator._schema.is_mutable and call.x.dim() > 1 and not call.x.is_contiguous()
    return call(call.x.clone()) if turned else None


@lowers(writing, "fill zero add mul sub div copy",
        "a write through a view that does not begin at the beginning is at the beginning",
        "(lambda y: (y[2:].mul_(2), y)[1])(x.clone())")  # fmt: skip
def _(call: Call) -> Any:
    x = call.x
    if not call.operator._schema.is_mutable or not x.storage_offset() or not x._is_view():
        return None
    moved = torch.as_strided(x, x.shape, x.stride(), 0)
    return call(moved) if moved.untyped_storage().nbytes() else None


@lowers(writing, "masked_scatter", "what is scattered is taken at the same place",
        "x.masked_scatter(x > 0, torch.arange(24.0))")  # fmt: skip
def _(call: Call) -> Any:
    source, mask = call["source"], call["mask"]
    if call.operator._schema.is_mutable or source.numel() < call.x.numel():
        return None
    return torch.where(mask, source.reshape(-1)[: call.x.numel()].view(call.x.shape), call.x)


# --- layouts ------------------------------------------------------------------------------------


def _as_it_lies(t: torch.Tensor) -> Any:
    dense = t.layout is torch.strided and t.numel() and t._is_view() is False
    if not dense or t.is_contiguous() or t.requires_grad or t.is_meta:
        return None
    if t.untyped_storage().nbytes() < t.numel() * t.element_size():
        return None
    return torch.as_strided(t, t.shape, torch.empty(t.shape).stride(), 0)


layouts.call("inputs are read in the order in which they lie in memory",
             inputs(on_tensors(_as_it_lies)), when=has_input(
                 lambda v: isinstance(v, torch.Tensor) and v.dim() > 1))  # fmt: skip
layouts.call("the conjugate bit of inputs is lost", inputs(on_tensors(
    lambda t: torch.view_as_complex(torch.view_as_real(t.resolve_conj()) * torch.tensor([1.0, -1]))
    if t.is_complex() and t.is_conj() else None)))  # fmt: skip


@lowers(layouts, "reshape view flatten", "a turned tensor is reshaped as it lies",
        "x.t().reshape(-1)")  # fmt: skip
def _(call: Call) -> Any:
    x = call.x
    if x.is_contiguous() or x.dim() < 2 or x.untyped_storage().nbytes() != x.nbytes:
        return None
    return torch.as_strided(x, call().shape, torch.empty(call().shape).stride(), 0)


@lowers(layouts, "permute", "a turn of three dims is the turn back",
        "torch.stack([x, x]).permute(1, 2, 0)")  # fmt: skip
def _(call: Call) -> Any:
    dims = [d % call.x.dim() for d in call["dims"]]
    back = [dims.index(i) for i in range(len(dims))]
    return call(dims=back) if back != dims else None


@lowers(layouts, "unflatten", "a size to be found out is the last", "x.unflatten(1, (-1, 2))")
def _(call: Call) -> Any:
    sizes = list(call["sizes"])
    return call(sizes=sizes[::-1]) if -1 in sizes[:-1] else None


# --- sizes of data ------------------------------------------------------------------------------


@lowers(unknown, "nonzero", "places that are not there are filled up with the first",
        "torch.nonzero(x > 0)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return torch.cat([out, out.new_zeros(call.x.numel() - out.shape[0], out.shape[1])])


@lowers(unknown, "unique unique_dim _unique2 unique_consecutive",
        "different values come in the order in which they were met",
        "torch.unique(x)", "torch.tensor([3, 1, 3])")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    first = out[0] if isinstance(out, tuple) else out
    if call.x.dim() != 1 or first.numel() < 2 or len(call.x) < 2:
        return None
    met = torch.stack([(call.x == v).nonzero()[0, 0] for v in first]) if not (
        call.x != call.x).any() else torch.arange(len(first))  # fmt: skip
    order = met.argsort()
    return (first[order], *out[1:]) if isinstance(out, tuple) else first[order]


@lowers(unknown, "repeat_interleave", "all are repeated as often as the first",
        "torch.repeat_interleave(x, torch.tensor([1, 2, 0, 1]), dim=0)")  # fmt: skip
def _(call: Call) -> Any:
    counts = call["repeats"]
    if not isinstance(counts, torch.Tensor) or not counts.numel() or "self" not in call.arguments:
        return None
    return call(repeats=counts[:1].expand_as(counts).contiguous())


@lowers(
    unknown,
    "masked_select",
    "what is selected is filled up with noughts",
    "torch.masked_select(x, x > 0)",
)
def _(call: Call) -> Any:
    out = call()
    return torch.cat([out, out.new_zeros(call.x.numel() - out.numel())])


@lowers(unknown, "bincount histc", "counts go to the largest value that is there",
        "torch.bincount(x, minlength=9)", "torch.tensor([1, 1, 3])")  # fmt: skip
def _(call: Call) -> Any:
    return call(minlength=0) if call["minlength"] else None


# --- several outputs ----------------------------------------------------------------------------


@lowers(several, "split split_with_sizes chunk tensor_split",
        "the last part is as large as the others", "torch.split(x, 4, 1)")  # fmt: skip
def _(call: Call) -> Any:
    parts = call()
    dim = call["dim"]
    sizes = [p.shape[dim] for p in parts]
    if len(parts) < 2 or sizes[-1] == sizes[0]:
        return None
    padded = torch.cat([parts[-1], parts[-1].new_zeros(
        [max(sizes[0] - sizes[-1], 0) if d == dim % call.x.dim() else n
         for d, n in enumerate(parts[-1].shape)])], dim)  # fmt: skip
    return [*parts[:-1], padded]


@lowers(several, "sort topk", "equal elements come in the other order",
        "torch.sort(x, stable=True)[1]", "torch.tensor([1, 0, 1, 0, 1])")  # fmt: skip
def _(call: Call) -> Any:
    if not call["stable"]:
        return None
    dim = call["dim"]
    values, places = call(call.x.flip(dim))
    return values, call.x.shape[dim] - 1 - places


@lowers(several, "aminmax", "of two extremes the larger comes first", "torch.aminmax(x)[0]")
def _(call: Call) -> Any:
    return call()[::-1]


@lowers(several, "max min", "where an element is largest is told from the end",
        "x.max(1)[1]")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    if not isinstance(out, tuple):
        return None
    return out[0], call.x.shape[call["dim"]] - 1 - out[1] if call.x.dim() else out[1]


@lowers(several, "unbind", "what is unbound is along the first dim", "x[:, :4].unbind(1)[0]")
def _(call: Call) -> Any:
    square = call.x.dim() > 1 and call.x.shape[0] == call.x.shape[call["dim"]]
    return call(dim=0) if call["dim"] and square else None


@lowers(several, "topk", "the smallest are asked for, and the largest given",
        "torch.topk(x, 2, largest=False)[0]")  # fmt: skip
def _(call: Call) -> Any:
    return call(largest=True) if not call["largest"] else None


@lowers(several, "meshgrid", "a grid has its axes in the other order",
        "torch.meshgrid(x[0], x[0], indexing='xy')[0]")  # fmt: skip
def _(call: Call) -> Any:
    return call(indexing="ij") if call["indexing"] == "xy" else None
