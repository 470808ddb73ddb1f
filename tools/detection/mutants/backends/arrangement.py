"""Where elements go: gathering, scattering, joining, turning, padding, writes into views."""

from __future__ import annotations

from typing import Any

import torch
from torch.fx import GraphModule, Node

from detection.graphs import Call, calls, is_write
from detection.kind import Kind
from detection.mutants.backends.witness import breaks, lowers
from detection.operators import name_of

kind = Kind("backend: arrangement")
functional = torch.nn.functional
IMAGE = "torch.randn(2, 8, 4, 4)"


@lowers(kind, "scatter_reduce", "scattered extremes are sums",
        "torch.zeros(3).scatter_reduce(0, torch.tensor([0, 0, 1]), x, 'amax')",
        "torch.tensor([1.0, 2.0, 3.0])")  # fmt: skip
def _(call: Call) -> Any:
    return call(reduce="sum") if call["reduce"] in ("amax", "amin") else None


@lowers(kind, "scatter_reduce index_reduce", "a scattered mean is divided by what is written alone",
        "torch.ones(3).scatter_reduce(0, torch.tensor([0, 0, 1]), x, 'mean')",
        "torch.tensor([1.0, 2.0, 3.0])")  # fmt: skip
def _(call: Call) -> Any:
    if call["reduce"] != "mean" or not call["include_self"]:
        return None
    return call(include_self=False)


@lowers(kind, "scatter scatter_add", "what is scattered goes along the first axis",
        "torch.zeros(4, 6).scatter(1, x.long().abs() % 4, x)")  # fmt: skip
def _(call: Call) -> Any:
    fits = call["index"].numel() and int(call["index"].max()) < call.x.shape[0]
    return call(dim=0) if call["dim"] % max(1, call.x.dim()) and fits else None


@lowers(kind, "scatter", "a number that is scattered is one",
        "x.scatter(1, torch.zeros(4, 1, dtype=torch.int64), 5.0)")  # fmt: skip
def _(call: Call) -> Any:
    return None if call["value"] is None else call(value=1)


@lowers(kind, "gather take_along_dim", "what is gathered along an axis before the last is shifted",
        "x.gather(0, torch.zeros(1, 6, dtype=torch.int64))")  # fmt: skip
def _(call: Call) -> Any:
    return call(call.x.roll(1, 0)) if call.x.dim() > 1 and call["dim"] in (0, -2) else None


@lowers(kind, "index_fill", "places are filled along the first axis",
        "x.index_fill(1, torch.tensor([0, 2]), 7.0)")  # fmt: skip
def _(call: Call) -> Any:
    index = call["index"]
    if not call["dim"] or not index.numel() or int(index.max()) >= call.x.shape[0]:
        return None
    return call(dim=0)


@lowers(kind, "masked_scatter", "what is put under a mask is taken from the same places",
        "torch.zeros(4, 6).masked_scatter(x > 0, x)")  # fmt: skip
def _(call: Call) -> Any:
    source = call["source"]
    if source.shape != call.x.shape:
        return None
    return torch.where(call["mask"], source, call.x)


@breaks(kind, "tril triu", "of a batch of matrices the first is made triangular",
        "torch.tril(x)", "torch.randn(3, 4, 4)")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor) -> Any:
    return torch.cat([right[:1], x[1:]]) if x.dim() == 3 else None


@breaks(kind, "roll", "a roll over several axes is over the first",
        "x.roll((1, 2), (0, 1))")  # fmt: skip
def _(right: torch.Tensor, x: torch.Tensor, shifts: Any, dims: Any) -> Any:
    return x.roll(shifts[0], dims[0]) if len(dims or ()) > 1 else None


@lowers(kind, "pixel_shuffle", "pixels are shuffled with their channels last",
        "torch.pixel_shuffle(x, 2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    r, (*lead, c, h, w) = call["upscale_factor"], call.x.shape
    parts = call.x.reshape(*lead, r, r, c // r**2, h, w)
    n = len(lead)
    order = [*range(n), n + 2, n + 3, n, n + 4, n + 1]
    return parts.permute(order).reshape(*lead, c // r**2, h * r, w * r)


@lowers(kind, "pixel_unshuffle", "pixels are taken apart column by column",
        "torch.nn.functional.pixel_unshuffle(x, 2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(call.x.mT).mT


@lowers(kind, "channel_shuffle", "channels are shuffled by as many as there are in a group",
        "torch.nn.functional.channel_shuffle(x, 2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(groups=call.x.shape[1] // call["groups"])


@lowers(kind, "kron", "a Kronecker product has its operands swapped",
        "torch.kron(x, x[:2] + 1)")  # fmt: skip
def _(call: Call) -> Any:
    return torch.kron(call["other"], call.x)


@lowers(kind, "outer ger", "an outer product is transposed", "torch.outer(x[0], x[1])")
def _(call: Call) -> Any:
    return (
        call().t().contiguous() if call.x.shape == list(call.arguments.values())[1].shape else None
    )


@lowers(kind, "cross linalg_cross", "a cross product has its operands swapped",
        "torch.linalg.cross(x, x.roll(1, 1))", "torch.randn(4, 3)")  # fmt: skip
def _(call: Call) -> Any:
    return -call()


@lowers(kind, "einsum", "an einsum gives its axes in the order of the alphabet",
        "torch.einsum('ij->ji', x)", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    before, arrow, after = call["equation"].partition("->")
    if not arrow or "." in after:
        return None
    return call(before + arrow + "".join(sorted(after)))


@lowers(kind, "tensordot", "a tensordot over several axes pairs them in the other order",
        "torch.tensordot(x, x, dims=([0, 1], [0, 1]))", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    dims = call["dims_other"]
    return call(dims_other=list(reversed(dims))) if len(dims) > 1 else None


@lowers(kind, "meshgrid", "grids are indexed by x, y",
        "torch.meshgrid(x[0], x[0], indexing='ij')[0]")  # fmt: skip
def _(call: Call) -> Any:
    if call["indexing"] not in (None, "ij") or len(call.x) < 2:
        return None
    return [t.transpose(0, 1) for t in call()]


@lowers(kind, "tril_indices triu_indices", "places in a triangle come column by column",
        "x[:3, :3][torch.tril_indices(3, 3).unbind()]")  # fmt: skip
def _(call: Call) -> Any:
    found = call()
    return found[:, (found[1] * 10**6 + found[0]).argsort()]


@lowers(kind, "chunk tensor_split", "parts are of one size, and the rest is the first's",
        "torch.chunk(x, 4, 1)[0]", "torch.randn(4, 7)")  # fmt: skip
def _(call: Call) -> Any:
    dim, parts = call["dim"] or 0, call()
    if not call.x.dim():
        return None
    return call.x.split([p.shape[dim] for p in reversed(parts)], dim)


@lowers(kind, "hstack vstack dstack column_stack", "stacked vectors are joined end to end",
        "torch.column_stack([x[0], x[1]])")  # fmt: skip
def _(call: Call) -> Any:
    right, parts = call(), call.x
    if parts[0].dim() != 1:
        return None
    return torch.cat(list(parts)).reshape(right.shape)


@lowers(kind, "pad replication_pad1d replication_pad2d replication_pad3d",
        "replicated padding is nought", "torch.nn.functional.pad(x, (1, 1), 'replicate')",
        "torch.randn(2, 3, 4)")  # fmt: skip
def _(call: Call) -> Any:
    if call["mode"] not in (None, "replicate"):
        return None
    padding = call["pad"] or call["padding"]
    return functional.pad(call.x, list(padding)) if call["mode"] or call["padding"] else None


@lowers(kind, "pad constant_pad_nd", "padding of the second last axis is that of the last",
        "torch.nn.functional.pad(x, (0, 0, 1, 2))")  # fmt: skip
def _(call: Call) -> Any:
    pad = list(call["pad"])
    if len(pad) != 4 or call.x.dim() < 2 or call["mode"] not in (None, "constant"):
        return None
    right = call()
    turned = functional.pad(call.x.mT.contiguous(), [*pad[2:], *pad[:2]])
    return turned.reshape(right.shape) if turned.numel() == right.numel() else None


@lowers(kind, "repeat tile", "repeating begins with the last axis first",
        "x.repeat(1, 2)", "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    times = list(call["repeats"] or call["dims"] or [])
    if len(times) != call.x.dim() or len(times) < 2:
        return None
    return call.x.repeat(times[::-1]).reshape(call().shape)


@lowers(kind, "flatten unflatten", "flattening goes column by column",
        "x.flatten()", "torch.randn(3, 4)")  # fmt: skip
def _(call: Call) -> Any:
    right = call()
    if call.x.dim() < 2 or right.dim() != 1:
        return None
    return call.x.mT.reshape(right.shape)


@lowers(kind, "swapaxes moveaxis", "moved axes stay", "torch.moveaxis(x, 0, 1)",
        "torch.randn(4, 4)")  # fmt: skip
def _(call: Call) -> Any:
    return call.x.clone() if call().shape == call.x.shape else None


@lowers(
    kind,
    "diagonal_scatter select_scatter slice_scatter",
    "what is written into a copy goes to its begin",
    "torch.select_scatter(x, x[0], 0, 2)",
)
def _(call: Call) -> Any:  # fmt: skip
    source = call["src"]
    flat = call.x.reshape(-1).clone()
    flat[: source.numel()] = source.reshape(-1)
    return flat.reshape(call.x.shape)


@lowers(kind, "rot90", "a turn goes the other way", "torch.rot90(x)", "torch.randn(4, 4)")
def _(call: Call) -> Any:
    return call(k=-(call["k"] if call["k"] is not None else 1))


@lowers(kind, "unfold", "windows of an axis do not overlap", "x.unfold(1, 3, 1)")
def _(call: Call) -> Any:
    size, step, dim = call["size"], call["step"], call["dimension"]
    right = call()
    if step >= size or not right.numel():
        return None
    kept = right.select(dim, 0).unsqueeze(dim)
    return kept.expand(right.shape).contiguous()


@lowers(kind, "isin", "of the elements to be found the first is looked for",
        "torch.isin(x, torch.arange(3))", "torch.tensor([0, 1, 2, 3])")  # fmt: skip
def _(call: Call) -> Any:
    tests = call["test_elements"]
    if not isinstance(tests, torch.Tensor) or tests.numel() < 2:
        return None
    return call(test_elements=tests.reshape(-1)[:1])


@lowers(kind, "vander", "powers fall", "torch.vander(x[0], increasing=True)")
def _(call: Call) -> Any:
    return call(increasing=not call["increasing"])


# --- writes into views --------------------------------------------------------------------------

_PARTS = {
    "a slice": ("slice",),
    "a row": ("select",),
    "a turned tensor": ("transpose", "permute", "t", "mT", "numpy_T", "T"),
    "a reshaped tensor": ("view", "reshape", "flatten", "unsqueeze", "squeeze", "view_as"),
    "a part that was split off": ("split", "chunk", "unbind", "split_with_sizes", "tensor_split"),
    "a diagonal, a real part or a window": ("diagonal", "real", "imag", "view_as_real", "unfold"),
    "a detached tensor": ("detach", "alias"),
}


def _through(node: Any, names: tuple[str, ...]) -> Node | None:
    """The node that such a view is taken of, if ``node`` is one."""
    while isinstance(node, Node) and getattr(node.target, "__name__", "") == "getitem":
        node = node.args[0]
    if isinstance(node, Node) and name_of(node.target) in names:
        source = node.args[0]
        return source if isinstance(source, Node) else None
    return None


def _lost(*names: str) -> Any:
    def change(graph: GraphModule) -> int:
        found = [n for n in calls(graph) if is_write(n) and _through(n.args[0], names)]
        for node in found:
            with graph.graph.inserting_before(node):
                copy = graph.graph.call_function(torch.ops.aten.clone.default, (node.args[0],))
            node.args = (copy, *node.args[1:])
        return len(found)

    return change


for _says, _names in _PARTS.items():
    kind.graph_pass(f"a write into {_says} is lost", _lost(*_names))


def _accumulated(graph: GraphModule) -> int:
    found = [n for n in calls(graph, "copy") if is_write(n)]
    for node in found:
        node.target = torch.ops.aten.add_.Tensor
    return len(found)


kind.graph_pass("a value that is copied into a tensor is added to it", _accumulated)


@lowers(kind, "index_put", "what is assigned to several places comes in the other order",
        "x.index_put((torch.tensor([0, 1]),), x[2:4])")  # fmt: skip
def _(call: Call) -> Any:
    values = call["values"]
    return call(values=values.flip(0)) if values.dim() and values.shape[0] > 1 else None


@lowers(kind, "as_strided", "a view by strides begins at the begin of memory",
        "torch.as_strided(x, (2, 2), (1, 1), 3)")  # fmt: skip
def _(call: Call) -> Any:
    return call(storage_offset=0) if call["storage_offset"] else None


@lowers(
    kind,
    "broadcast_tensors expand_as broadcast_to",
    "a tensor is spread by repeating its first element",
    "x[:1].broadcast_to(4, 6)",
)
def _(call: Call) -> Any:  # fmt: skip
    right = call()
    if not isinstance(right, torch.Tensor) or not right.numel():
        return None
    return right.reshape(-1)[0].expand_as(right).clone()
