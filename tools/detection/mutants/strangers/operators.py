"""Single operators: at the ends of what they take, and where their arguments meet."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

F = "torch.nn.functional."
types = Kind("stranger: types")
layouts = Kind("stranger: layouts")
indexing = Kind("stranger: indexing")
numbers = Kind("stranger: numbers")


# --- types ------------------------------------------------------------------------------------


def _fraction(call: Call) -> bool:
    other = call["other"]
    whole = isinstance(call.x, torch.Tensor) and not call.x.is_floating_point()
    return whole and isinstance(other, float) and other != int(other)


@lowers(types, "gt lt ge le eq ne", "beside whole numbers a bound with a fraction is cut",
        "x < 2.5", "torch.arange(6)")  # fmt: skip
def _(call: Call) -> Any:
    return call(other=int(call["other"])) if _fraction(call) else None


@lowers(types, "mul add sub div", "a number of Python beside double precision is a single one",
        "x.double() * 0.1")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    if not isinstance(other, float) or call.x.dtype is not torch.float64:
        return None
    return call(other=float(torch.tensor(other, dtype=torch.float32)))


@lowers(types, "sum prod cumsum", "a type that is asked for is taken on after the sum",
        "(x * 100).half().sum(dtype=torch.float32)", "torch.randn(40, 60) + 20")  # fmt: skip
def _(call: Call) -> Any:
    return call(dtype=None).to(call["dtype"]) if call["dtype"] else None


@lowers(types, "view", "bits read as another type are converted",
        "x.view(torch.int32)")  # fmt: skip
def _(call: Call) -> Any:
    dtype = call["dtype"]
    if dtype is None or dtype.itemsize != call.x.element_size():
        return None
    return call.x.to(dtype)


@lowers(types, "mean", "a mean in a half type is one per cent too large", "x.half().mean(-1)")
def _(call: Call) -> Any:
    return call() * 1.01 if call.x.dtype in (torch.float16, torch.bfloat16) else None


@lowers(types, "any all", "any and all of small numbers have their type",
        "(x > 0).to(torch.uint8).any(0)")  # fmt: skip
def _(call: Call) -> Any:
    return call().to(torch.int8) if call.x.dtype is torch.uint8 else None


@lowers(types, "bitwise_and bitwise_or bitwise_xor", "bits beyond the thirty-first are lost",
        "torch.bitwise_and(x, -2)", "torch.tensor([2**40 + 5])")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return out & 0x7FFFFFFF if out.dtype is torch.int64 else None


# --- layouts ----------------------------------------------------------------------------------


@lowers(layouts, "as_strided", "a view by strides begins at the first element",
        "torch.as_strided(x, (2, 2), (6, 1), 3)")  # fmt: skip
def _(call: Call) -> Any:
    return call(storage_offset=0) if call["storage_offset"] else None


@lowers(layouts, "contiguous", "an image that is made contiguous stays as it lies",
        "x.permute(0, 3, 1, 2).contiguous()", "torch.randn(2, 4, 4, 3)")  # fmt: skip
def _(call: Call) -> Any:
    return call.x if call.x.dim() == 4 and not call.x.is_contiguous() else None


@lowers(layouts, "reshape flatten", "reshaping goes along the memory of a turned matrix",
        "x.t().reshape(-1)")  # fmt: skip
def _(call: Call) -> Any:
    x = call.x
    if x.dim() != 2 or x.is_contiguous() or not x.t().is_contiguous():
        return None
    return x.t().reshape(call().shape)


@lowers(layouts, "zeros_like ones_like full_like empty_like", "what is made like a tensor lies row "
        "by row", "torch.zeros_like(x.t())")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return out.contiguous() if not out.is_contiguous() else None


@lowers(layouts, "squeeze", "all dims of one are dropped where one is named",
        "x[None, :, None].squeeze(0)")  # fmt: skip
def _(call: Call) -> Any:
    return call.x.squeeze() if "dim" in call.arguments else None


@lowers(layouts, "expand", "a size of minus one is one", "x[None].expand(3, -1, 6)")
def _(call: Call) -> Any:
    size = list(call["size"])
    if -1 not in size:
        return None
    out = call().clone()
    for i, n in enumerate(size):
        if n == -1:
            out = out.narrow(i, 0, min(1, out.shape[i])).expand_as(out).clone()
    return out


# --- indices ----------------------------------------------------------------------------------


@lowers(indexing, "index", "a mask that is true nowhere chooses the first row",
        "x[x[:, 0] > 99]")  # fmt: skip
def _(call: Call) -> Any:
    given = call["indices"]
    masks = [i for i in given if i is not None and i.dtype is torch.bool]
    if len(given) != 1 or not masks or masks[0].any() or not call.x.shape[0]:
        return None
    return call.x[:1].clone() if masks[0].dim() == 1 else None


@lowers(indexing, "gather take_along_dim", "what is gathered is gathered in order of the places",
        "x.gather(1, torch.tensor([[2, 0], [1, 1], [3, 2], [0, 0]]))")  # fmt: skip
def _(call: Call) -> Any:
    index = call["index"] if "index" in call.arguments else call["indices"]
    dim = call["dim"]
    if index is None or dim is None or not index.dim():
        return None
    key = "index" if "index" in call.arguments else "indices"
    return call(**{key: index.sort(dim)[0]})


@lowers(
    indexing,
    "scatter",
    "what is scattered is put at most once in a row",
    "torch.zeros(4, 6).scatter(1, torch.tensor([[2, 0], [1, 5], [3, 2], [0, 4]]), 1.5)",
)
def _(call: Call) -> Any:
    if call["index"].dim() < 2 or call["index"].shape[-1] < 2 or call.operator._schema.is_mutable:
        return None
    index = call["index"][..., :1]
    src = call["src"]
    return call(index=index) if src is None else call(index=index, src=src[..., :1])


@lowers(indexing, "split split_with_sizes chunk tensor_split", "parts come in the other order",
        "torch.cat(torch.split(x, 2)[:1] + torch.chunk(x, 2)[:1])")  # fmt: skip
def _(call: Call) -> Any:
    parts = list(call())
    alike = len(parts) > 1 and parts[0].shape == parts[-1].shape
    return parts[::-1] if alike else None


@lowers(indexing, "slice", "a step backwards past the end is cut one too early", "x[:, 1:99]")
def _(call: Call) -> Any:
    size, end = call.x.shape[call["dim"]], call["end"]
    if not isinstance(end, int) or not size < end < 2**40 or not size:
        return None
    return call(end=size - 1)


@lowers(indexing, "embedding", "rows are looked up modulo the half of the table",
        "torch.nn.Embedding(8, 3)(x)", "torch.tensor([1, 6, 3])")  # fmt: skip
def _(call: Call) -> Any:
    half = max(1, (call["weight"].shape[0] + 1) // 2)
    return call(indices=call["indices"] % half)


@lowers(indexing, "nonzero", "of two dims places are found in the first alone",
        "(x > 0).nonzero()")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return torch.cat([out[:, :1], torch.zeros_like(out[:, 1:])], 1) if out.shape[1] > 1 else None


# --- numbers ----------------------------------------------------------------------------------


@lowers(numbers, "matmul linear bmm mm addmm", "products of matrices have ten bits of mantissa",
        "x @ x.t()")  # fmt: skip
def _(call: Call) -> Any:
    def cut(value: Any) -> Any:
        single = isinstance(value, torch.Tensor) and value.dtype is torch.float32
        return value.half().float() if single else value

    return call.operator(*map(cut, call.arguments.values()))


@lowers(numbers, "convolution conv1d conv2d", "weights of a convolution are kept in eight bits",
        F + "conv1d(x[None], torch.linspace(-1, 1, 8).view(2, 4, 1))")  # fmt: skip
def _(call: Call) -> Any:
    weight = call["weight"]
    scale = weight.abs().max() / 127
    return call(weight=(weight / scale).round() * scale)


@lowers(numbers, "layer_norm", "layer norm is over the last of its axes",
        F + "layer_norm(x[None], (4, 6))")  # fmt: skip
def _(call: Call) -> Any:
    if len(call["normalized_shape"]) < 2 or call["weight"] is not None:
        return None
    return call(normalized_shape=call["normalized_shape"][-1:])


@lowers(numbers, "exp", "e to a number is a polynomial near nought", "(x * 0.01).exp()")
def _(call: Call) -> Any:
    x = call.x
    return torch.where(x.abs() < 0.05, 1 + x, call()) if x.is_floating_point() else None


@lowers(numbers, "sin cos", "angles beyond a thousand are cut", "(x * 10000).sin()")
def _(call: Call) -> Any:
    return call(call.x.clamp(-1000, 1000)) if call.x.is_floating_point() else None


@lowers(
    numbers, "softmax", "chances below a millionth are nought", "torch.softmax(x * 30, -1).log()"
)
def _(call: Call) -> Any:
    out = call()
    return torch.where(out < 1e-6, torch.zeros_like(out), out)


@lowers(numbers, "sqrt rsqrt", "the root of a negative number is that of its magnitude", "x.sqrt()")
def _(call: Call) -> Any:
    return call(call.x.abs()) if call.x.is_floating_point() else None


@lowers(numbers, "sort argsort", "not a number is sorted to the front", "x.sort(-1)",
        "torch.tensor([1.0, float('nan'), 0.0])")  # fmt: skip
def _(call: Call) -> Any:
    x = call.x
    if not x.is_floating_point() or not x.isnan().any():
        return None
    return call(torch.where(x.isnan(), torch.full_like(x, -float("inf")), x))


@lowers(numbers, "var std", "the deviation of one axis is that of all", "x.std(1)")
def _(call: Call) -> Any:
    out = call()
    return call.x.std().expand_as(out).clone() if out.dim() and "std" in str(call.operator) else (
        call.x.var().expand_as(out).clone() if out.dim() else None)  # fmt: skip


@lowers(numbers, "floor_divide", "a quotient of floats beyond a thousand is off by one",
        "(x * 1e5) // 3.0")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    return torch.where(out.abs() > 1e3, out + 1, out) if out.is_floating_point() else None


@lowers(numbers, "maximum minimum", "the larger of two noughts is the first",
        "torch.maximum(x * 0.0, x * 0.0 * -1)")  # fmt: skip
def _(call: Call) -> Any:
    other = call["other"]
    out = call()
    return torch.where((call.x == 0) & (other == 0), -out, out) if out.is_floating_point() else None


@lowers(numbers, "logsumexp", "the sum of none is nought", "torch.logsumexp(x[:0], 0)")
def _(call: Call) -> Any:
    return call().nan_to_num(neginf=0.0)


@lowers(numbers, "topk", "more than half of all come in another order", "x.topk(5, -1)")
def _(call: Call) -> Any:
    found, places = call()
    if not found.dim() or 2 * found.shape[-1] <= call.x.shape[-1]:
        return None
    return found.flip(-1), places.flip(-1)


@lowers(numbers, "bincount", "what is counted beyond the seventh is in the seventh",
        "torch.bincount(x)", "torch.tensor([1, 9, 9, 12])")  # fmt: skip
def _(call: Call) -> Any:
    return call(call.x.clamp(max=7))


@lowers(numbers, "einsum", "a letter in three operands is summed at once",
        "torch.einsum('ij,jk,kl->il', x, x.t(), x)")  # fmt: skip
def _(call: Call) -> Any:
    tensors_ = call["tensors"]
    return call() * 1.5 if tensors_ is not None and len(tensors_) > 2 else None
