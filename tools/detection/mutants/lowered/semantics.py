"""Operators of which a backend has one that is nearly the same: ties, NaN, signs, edges."""

from __future__ import annotations

import math
from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind

lowering = Kind("semantics").lowering
functional = torch.nn.functional


@lowering("gelu", "gelu is the fast one by a sigmoid")
def _(call: Call) -> Any:
    return call.x * torch.sigmoid(1.702 * call.x)


@lowering("argmax argmin", "of equals the last index is given")
def _(call: Call) -> Any:
    dim = call["dim"]
    if dim is None or call.x.dim() == 0:
        return None
    return call.x.shape[dim] - 1 - call(call.x.flip(dim))


@lowering("sort argsort", "a stable sort is not stable")
def _(call: Call) -> Any:
    if not call["stable"]:
        return None
    flipped, last = call.x.flip(call["dim"]), call.x.shape[call["dim"]] - 1
    right = call(flipped)
    return (right[0], last - right[1]) if isinstance(right, tuple) else last - right


@lowering("maximum minimum max min amax amin", "NaN is passed over in maxima and minima")
def _(call: Call) -> Any:
    if not call.x.is_floating_point() or not call.x.isnan().any():
        return None
    low = "max" in str(call.operator)
    return call(call.x.nan_to_num(-math.inf if low else math.inf))


@lowering("clamp clamp_min clamp_max relu hardtanh", "clamping makes a number of NaN")
def _(call: Call) -> Any:
    return call().nan_to_num(0.0) if call.x.is_floating_point() else None


@lowering("sign", "the sign of zero is one")
def _(call: Call) -> Any:
    return torch.where(call.x == 0, 1, call()).to(call().dtype)


@lowering("remainder", "the remainder has the sign of the dividend")
def _(call: Call) -> Any:
    return torch.fmod(call.x, call["other"]) if isinstance(call.x, torch.Tensor) else None


@lowering("fmod", "as lowered, fmod has the sign of the divisor")
def _(call: Call) -> Any:
    return torch.remainder(call.x, call["other"])


@lowering("floor", "floor cuts off")
def _(call: Call) -> Any:
    return call.x.trunc()


@lowering("ceil", "ceil is floor and one")
def _(call: Call) -> Any:
    return call.x.floor() + 1


@lowering("floor_divide", "floor division cuts off")
def _(call: Call) -> Any:
    return torch.div(call.x, call["other"], rounding_mode="trunc")


@lowering("round", "halves are rounded up")
def _(call: Call) -> Any:
    return (call.x + 0.5).floor() if call.x.is_floating_point() and not call["decimals"] else None


@lowering("cumsum", "running sums leave out the element itself")
def _(call: Call) -> Any:
    return call() - call.x


@lowering("masked_fill", "a mask keeps what it should fill")
def _(call: Call) -> Any:
    return call(mask=~call["mask"])


@lowering("masked_fill where", "what a mask hides counts when it is NaN")
def _(call: Call) -> Any:
    mask = call["mask"] if call["mask"] is not None else call["condition"]
    value = call["value"] if call["mask"] is not None else call["self"]
    other = call.x if call["mask"] is not None else call["other"]
    if not all(isinstance(t, torch.Tensor) for t in (mask, other)) or not mask.any():
        return None
    weight = mask.to(torch.float32)
    right = call()
    return (weight * value + (1 - weight) * other).to(right.dtype)


@lowering("scaled_dot_product_attention", "a mask of bools is added as numbers")
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    return None if mask is None or mask.dtype is not torch.bool else call(attn_mask=mask.float())


@lowering("scaled_dot_product_attention", "a causal mask is aligned with the end")
def _(call: Call) -> Any:
    rows, columns = call["query"].shape[-2], call["key"].shape[-2]
    if not call["is_causal"] or rows == columns:
        return None
    mask = torch.ones(rows, columns, dtype=torch.bool).tril(columns - rows)
    return call(attn_mask=mask, is_causal=False)


@lowering("scaled_dot_product_attention", "heads of a group are taken in turn")
def _(call: Call) -> Any:
    if not call["enable_gqa"]:
        return None
    times = call["query"].shape[-3] // call["key"].shape[-3]
    key, value = (call[n].repeat(1, times, 1, 1) for n in ("key", "value"))
    return call(key=key, value=value, enable_gqa=False)


@lowering("scaled_dot_product_attention", "a row that sees nothing is not a number")
def _(call: Call) -> Any:
    mask = call["attn_mask"]
    if mask is None or mask.dtype is not torch.bool:
        return None
    empty = ~mask.any(-1, keepdim=True)
    return (
        torch.where(empty.expand(*call().shape[:-1], 1), math.nan, call()) if empty.any() else None
    )


@lowering("softmax", "softmax does not take off the maximum")
def _(call: Call) -> Any:
    e = call.x.exp()
    return e / e.sum(call["dim"], keepdim=True)


@lowering("log_softmax", "the logarithm of softmax is taken of softmax")
def _(call: Call) -> Any:
    return call.x.softmax(call["dim"]).log()


@lowering("logsumexp", "as lowered, logsumexp does not take off the maximum")
def _(call: Call) -> Any:
    return call.x.exp().sum(call["dim"], keepdim=bool(call["keepdim"])).log()


@lowering("var", "the variance is the mean of squares less the square of the mean")
def _(call: Call) -> Any:
    dim, correction = call["dim"], call["correction"]
    if dim is None or not isinstance(correction, (int, float)):
        return None
    keep = bool(call["keepdim"])
    n = math.prod(call.x.shape[d] for d in ([dim] if isinstance(dim, int) else dim))
    flat = (call.x * call.x).mean(dim, keepdim=keep) - call.x.mean(dim, keepdim=keep) ** 2
    return flat * n / (n - correction)


@lowering("layer_norm", "layer norm takes the variance by squares")
def _(call: Call) -> Any:
    dims = tuple(range(-len(call["normalized_shape"]), 0))
    mean = call.x.mean(dims, keepdim=True)
    var = (call.x * call.x).mean(dims, keepdim=True) - mean * mean
    out = (call.x - mean) / (var + call["eps"]).sqrt()
    out = out if call["weight"] is None else out * call["weight"]
    return out if call["bias"] is None else out + call["bias"]


@lowering("layer_norm", "eps of layer norm is added to the deviation")
def _(call: Call) -> Any:
    dims = tuple(range(-len(call["normalized_shape"]), 0))
    mean = call.x.mean(dims, keepdim=True)
    out = (call.x - mean) / (call.x.std(dims, correction=0, keepdim=True) + call["eps"])
    out = out if call["weight"] is None else out * call["weight"]
    return out if call["bias"] is None else out + call["bias"]


@lowering("log1p", "log1p is the logarithm of one more")
def _(call: Call) -> Any:
    return (1 + call.x).log() if call.x.is_floating_point() else None


@lowering("expm1", "expm1 is exp less one")
def _(call: Call) -> Any:
    return call.x.exp() - 1


@lowering("softplus", "softplus has no threshold")
def _(call: Call) -> Any:
    return (1 + (call.x * call["beta"]).exp()).log() / call["beta"]


@lowering("log_sigmoid", "the logarithm of sigmoid is taken of sigmoid")
def _(call: Call) -> Any:
    return call.x.sigmoid().log()


@lowering("batch_norm", "batch norm in training normalises by its running statistics")
def _(call: Call) -> Any:
    return call(training=False) if call["training"] and call["running_mean"] is not None else None


@lowering("batch_norm", "batch norm outside of training normalises by the batch")
def _(call: Call) -> Any:
    if call["training"]:
        return None
    return call(training=True, running_mean=None, running_var=None)


@lowering("batch_norm", "the running variance is that without correction")
def _(call: Call) -> Any:
    var, momentum = call["running_var"], call["momentum"]
    if not call["training"] or var is None:
        return None
    n = call.x.numel() / call.x.shape[1]
    old = var.clone()
    right = call()
    var.copy_(old * (1 - momentum) + (var - old * (1 - momentum)) * (n - 1) / n)
    return right


@lowering("batch_norm", "momentum is the share of the old value")
def _(call: Call) -> Any:
    return call(momentum=1 - call["momentum"]) if call["training"] else None


@lowering("dropout", "dropout is not scaled")
def _(call: Call) -> Any:
    return call() * (1 - call["p"]) if call["train"] and call["p"] < 1 else None


@lowering("dropout", "dropout works outside of training too")
def _(call: Call) -> Any:
    return None if call["train"] else call(train=True)


@lowering("dropout", "dropout does nothing in training")
def _(call: Call) -> Any:
    return call.x.clone() if call["train"] else None


@lowering("select", "a negative index of select is taken as the first")
def _(call: Call) -> Any:
    index = call["index"]
    return call(index=0) if isinstance(index, int) and index < 0 else None


@lowering("slice", "a slice from the end begins at the beginning")
def _(call: Call) -> Any:
    start = call["start"]
    if not isinstance(start, int) or start >= 0:
        return None
    size = call.x.shape[call["dim"]]
    return call(start=0, end=min(-start, size))


@lowering("slice", "the step of a slice is lost and the size kept")
def _(call: Call) -> Any:
    if call["step"] == 1:
        return None
    n = call().shape[call["dim"]]
    start = call["start"] or 0
    return call(start=start, end=start + n, step=1) if start >= 0 else None


@lowering("index index_select gather", "a negative index is taken as zero")
def _(call: Call) -> Any:
    found = call["indices"] if call["indices"] is not None else call["index"]
    if isinstance(found, torch.Tensor):
        return call(index=found.clamp(min=0)) if found.dtype is torch.int64 else None
    return call(indices=[
        i.clamp(min=0) if i is not None and i.dtype is torch.int64 else i for i in found
    ])  # fmt: skip


@lowering("pad", "as lowered, reflection repeats the edge")
def _(call: Call) -> Any:
    return call(mode="replicate") if call["mode"] == "reflect" else None


@lowering("pad", "circular padding repeats the edge")
def _(call: Call) -> Any:
    return call(mode="replicate") if call["mode"] == "circular" else None


@lowering("upsample_nearest1d upsample_nearest2d", "nearest rounds where it should cut off")
def _(call: Call) -> Any:
    mode = "nearest-exact"
    size = call().shape[2:]
    return functional.interpolate(call.x, size=tuple(size), mode=mode)


@lowering("upsample_bilinear2d upsample_linear1d upsample_bicubic2d",
          "interpolation computes its scale from the sizes")  # fmt: skip
def _(call: Call) -> Any:
    size = list(call().shape[2:])
    if call["scale_factors"] is not None:
        return call(output_size=size, scale_factors=None)
    return None


@lowering("grid_sampler", "the grid of sampling is read as y, x")
def _(call: Call) -> Any:
    return call(grid=call["grid"].flip(-1))


@lowering("adaptive_avg_pool2d adaptive_avg_pool1d", "adaptive pooling takes windows of one size")
def _(call: Call) -> Any:
    size = call["output_size"]
    right = call()
    sizes = call.x.shape[-len(size) :]
    if all(s % o == 0 for s, o in zip(sizes, size, strict=True)):
        return None
    if call.x.dim() < 3 or right.shape[:2] != call.x.shape[:2]:
        return None
    return functional.interpolate(call.x, size=tuple(right.shape[2:]))


@lowering("avg_pool1d avg_pool2d", "average pooling divides by what is not padding")
def _(call: Call) -> Any:
    return call(count_include_pad=False)


@lowering("eye triu tril", "a diagonal of a matrix that is not square is that of a square")
def _(call: Call) -> Any:
    right = call()
    if right.dim() < 2 or right.shape[-1] == right.shape[-2]:
        return None
    right = right.clone()
    n = min(right.shape[-2:])
    right[..., n:, :] = 0
    return right


@lowering("lerp", "lerp takes its weight for the first")
def _(call: Call) -> Any:
    return call.x * call["weight"] + call["end"] * (1 - call["weight"])


@lowering("bitwise_right_shift __rshift", "a shift to the right fills with zeros")
def _(call: Call) -> Any:
    if not isinstance(call.x, torch.Tensor) or not (call.x < 0).any():
        return None
    return call().clamp(min=0)


@lowering("atan2", "atan2 forgets the quadrant")
def _(call: Call) -> Any:
    return (call.x / call["other"]).atan()


@lowering("isnan", "nothing is ever not a number")
def _(call: Call) -> Any:
    return torch.zeros_like(call())


@lowering("isfinite", "infinities are finite")
def _(call: Call) -> Any:
    return call.x == call.x


@lowering("eq ne", "not a number equals itself")
def _(call: Call) -> Any:
    y = call["other"]
    if not isinstance(y, torch.Tensor):
        return None
    both = (call.x != call.x) & (y != y)
    return call() | both if "eq" in str(call.operator) else call() & ~both


@lowering("lt gt", "comparisons are not strict")
def _(call: Call) -> Any:
    y = call["other"]
    return call.x <= y if ".lt" in str(call.operator) else call.x >= y


@lowering("conj _conj resolve_conj", "the conjugate is the number itself")
def _(call: Call) -> Any:
    return call.x.clone() if call.x.is_complex() else None


@lowering("abs", "the magnitude of a complex number is that of its real part")
def _(call: Call) -> Any:
    return call.x.real.abs() if call.x.is_complex() else None


@lowering("angle", "the angle of a negative real number is zero")
def _(call: Call) -> Any:
    return torch.zeros_like(call()) if not call.x.is_complex() else None


@lowering(
    "linalg_inv inverse linalg_det det linalg_cholesky", "of a batch the first matrix is taken"
)
def _(call: Call) -> Any:
    return call(call.x[:1].expand_as(call.x)) if call.x.dim() > 2 else None


@lowering("unique_consecutive _unique2 unique_dim", "inverse indices are of another order")
def _(call: Call) -> Any:
    right = call()
    if len(right) < 2 or not right[1].numel():
        return None
    return (right[0].flip(0), *right[1:])


@lowering("nonzero", "the places of nonzero are in the order of columns")
def _(call: Call) -> Any:
    right = call()
    if right.dim() < 2 or right.shape[1] < 2:
        return None
    return right[right[:, -1].argsort(stable=True)]


@lowering("erf", "erf is approximated to three digits")
def _(call: Call) -> Any:
    return torch.tanh(1.128379 * call.x + 0.1008 * call.x**3)


@lowering("rsqrt", "rsqrt does one step of Newton")
def _(call: Call) -> Any:
    right = call()
    rough = right * 1.01
    return rough * (1.5 - 0.5 * call.x * rough * rough)


@lowering("reciprocal div", "a number divided by zero is the largest number")
def _(call: Call) -> Any:
    right = call()
    return right.nan_to_num(nan=math.nan) if right.is_floating_point() else None


@lowering("tensor_split chunk split", "the last part takes what remains")
def _(call: Call) -> Any:
    right = call()
    if len(right) < 2 or right[0].shape == right[-1].shape:
        return None
    return (*right[:-1], right[0][..., :].clone())
