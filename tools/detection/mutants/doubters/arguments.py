"""Arguments of operators that are seldom given, or given in another way than they mostly are."""

from __future__ import annotations

from typing import Any

import torch

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.backends.witness import lowers

F = "torch.nn.functional."
IMAGE = "torch.randn(2, 3, 6, 6)"
windows = Kind("doubter: windows")
rates = Kind("doubter: factors")
axes = Kind("doubter: axes")
asked = Kind("doubter: what is asked for")


def _unless(name: str, usual: Any) -> Any:
    """A lowering in which the argument is always what it mostly is."""

    def lowering(call: Call) -> Any:
        known = name in call.arguments and call[name] != usual
        return call(**{name: usual}) if known else None

    return lowering


# --- windows ------------------------------------------------------------------------------------


@lowers(windows, "max_pool2d max_pool1d max_pool3d", "windows of a maximum have no gaps",
        F + "max_pool2d(x, 2, dilation=2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    dilation = call["dilation"]
    if set(dilation) == {1}:
        return None
    size = call().shape
    out = call(dilation=[1] * len(dilation))
    for dim, n in enumerate(size):
        out = out.narrow(dim, 0, min(n, out.shape[dim]))
    return out.contiguous()


lowers(windows, "avg_pool2d avg_pool3d", "a mean over a window is by how much is in it",
       F + "avg_pool2d(x, 2, divisor_override=3)", IMAGE)(
    _unless("divisor_override", None))  # fmt: skip


@lowers(windows, "max_pool2d max_pool1d max_pool3d avg_pool2d avg_pool1d",
        "a last window that does not fit is filled with noughts",
        F + "avg_pool2d(x, 3, stride=2, ceil_mode=True)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    if not call["ceil_mode"]:
        return None
    fitting, out = call(ceil_mode=False), call().clone()
    if fitting.shape == out.shape:
        return None
    for dim in range(out.dim()):
        if fitting.shape[dim] < out.shape[dim]:
            out.select(dim, out.shape[dim] - 1).zero_()
    return out


@lowers(windows, "im2col", "parts of an image are taken without gaps",
        F + "unfold(x, 2, dilation=2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    if set(call["dilation"]) == {1}:
        return None
    return call(dilation=[1, 1])[..., : call().shape[-1]].contiguous()


@lowers(windows, "grid_sampler", "places in an image are counted from its corners",
        F + "grid_sample(x, x[:, :2].permute(0, 2, 3, 1), align_corners=False)",
        IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(align_corners=True) if not call["align_corners"] else None


@lowers(windows, "upsample_bilinear2d upsample_linear1d upsample_trilinear3d upsample_bicubic2d",
        "corners lie on corners whatever is asked",
        F + "interpolate(x, scale_factor=2, mode='bilinear')", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    return call(align_corners=True) if call["align_corners"] is False else None


@lowers(windows, "conv2d conv1d conv3d", "of several groups the channels come in turns",
        F + "conv2d(x.repeat(1, 2, 1, 1), torch.randn(4, 3, 3, 3), groups=2)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    groups, x = call["groups"], call.x
    if not isinstance(groups, int) or groups < 2 or x.shape[1] // groups < 2:
        return None
    turned = x.reshape(x.shape[0], -1, groups, *x.shape[2:]).transpose(1, 2)
    return call(turned.reshape(x.shape))


@lowers(windows, "group_norm", "groups of channels come in turns",
        F + "group_norm(x.repeat(1, 2, 1, 1), 3)", IMAGE)  # fmt: skip
def _(call: Call) -> Any:
    groups, x = call["num_groups"], call.x
    if groups < 2 or x.shape[1] == groups:
        return None
    order = torch.arange(x.shape[1]).reshape(-1, groups).t().flatten()
    return call(x[:, order])[:, order.argsort()]


# --- factors and bounds -------------------------------------------------------------------------

lowers(rates, "addcmul addcdiv", "a product that is added has the factor one",
       "torch.addcmul(x, x, x, value=0.5)")(_unless("value", 1))  # fmt: skip
lowers(rates, "index_add", "rows are added with the factor one",
       "x.index_add(0, torch.tensor([0, 2]), torch.ones(2, 6), alpha=2)")(
    _unless("alpha", 1))  # fmt: skip
lowers(rates, "softplus", "the bend of softplus is one", F + "softplus(x, beta=3)")(
    _unless("beta", 1))  # fmt: skip
lowers(rates, "layer_norm native_layer_norm group_norm batch_norm instance_norm",
       "what a norm adds is a hundred thousandth",
       F + "layer_norm(x * 1e-3, (6,), eps=1e-3)")(_unless("eps", 1e-5))  # fmt: skip
lowers(rates, "gelu", "a gelu is that of the normal distribution",
       F + "gelu(x, approximate='tanh')")(_unless("approximate", "none"))  # fmt: skip
lowers(rates, "leaky_relu", "the slope below nought is a hundredth", F + "leaky_relu(x, 0.2)")(
    _unless("negative_slope", 0.01))  # fmt: skip
lowers(rates, "elu", "an elu bends by one", F + "elu(x, 0.5)")(_unless("alpha", 1.0))  # fmt: skip
lowers(rates, "rsub sub add", "what is added or taken off has the factor one",
       "torch.sub(x, x.abs(), alpha=2)")(_unless("alpha", 1))  # fmt: skip
lowers(rates, "huber_loss", "a huber loss bends at one",
       F + "huber_loss(x * 3, x * 0, delta=2.0)")(_unless("delta", 1.0))  # fmt: skip
lowers(rates, "smooth_l1_loss", "a smooth loss bends at one",
       F + "smooth_l1_loss(x, x * 0, beta=0.5)")(_unless("beta", 1.0))  # fmt: skip
lowers(rates, "cross_entropy_loss", "labels are sharp",
       F + "cross_entropy(x, torch.tensor([0, 1, 2, 3]), label_smoothing=0.2)")(
    _unless("label_smoothing", 0.0))  # fmt: skip
lowers(rates, "triplet_margin_loss", "the margin is one",
       F + "triplet_margin_loss(x, x + 1, x - 1, margin=0.2)")(_unless("margin", 1.0))  # fmt: skip


@lowers(rates, "clamp", "where the bounds are turned round the lower one holds",
        "x.clamp(1.0, -1.0)")  # fmt: skip
def _(call: Call) -> Any:
    low, high = call["min"], call["max"]
    if low is None or high is None or call.operator._schema.is_mutable:
        return None
    return torch.maximum(torch.minimum(call.x, torch.as_tensor(high, dtype=call.x.dtype)),
                         torch.as_tensor(low, dtype=call.x.dtype))  # fmt: skip


# --- axes ---------------------------------------------------------------------------------------


@lowers(axes, "var std var_mean std_mean", "a correction is one or none",
        "x.var(0, correction=2)")  # fmt: skip
def _(call: Call) -> Any:
    correction = call["correction"]
    return call(correction=1) if correction is not None and correction > 1 else None


lowers(axes, "var std var_mean std_mean amax amin sum mean logsumexp prod argmax any all quantile "
       "linalg_vector_norm", "an axis that is reduced goes", "x.amax(1, keepdim=True)")(
    _unless("keepdim", False))  # fmt: skip


@lowers(axes, "cumsum cumprod logcumsumexp cummax cummin",
        "an axis counted from the end is the last", "x.cumsum(-2)")  # fmt: skip
def _(call: Call) -> Any:
    return call(dim=-1) if call.x.dim() > 1 and call["dim"] < -1 else None


@lowers(axes, "roll", "of several axes all roll as far as the first",
        "x.roll((1, 2), (0, 1))")  # fmt: skip
def _(call: Call) -> Any:
    shifts = call["shifts"]
    return call(shifts=[shifts[0]] * len(shifts)) if len(set(shifts)) > 1 else None


@lowers(axes, "linalg_cross", "a product of vectors is along the last axis",
        "torch.linalg.cross(x, x.flip(0), dim=0)", "torch.randn(3, 3)")  # fmt: skip
def _(call: Call) -> Any:
    dim = call["dim"] % call.x.dim()
    other = call["other"]
    last = call.x.dim() - 1
    same = call.x.shape[last] == 3 == other.shape[last]
    return call(dim=-1) if dim != last and same else None


@lowers(axes, "tril triu", "a diagonal below the main one is the main one", "x.tril(-1)")
def _(call: Call) -> Any:
    return call(diagonal=0) if call["diagonal"] < 0 else None


@lowers(axes, "stack", "parts are put together along a new first axis",
        "torch.stack([x, x + 1], -1)")  # fmt: skip
def _(call: Call) -> Any:
    out = call()
    dim = call["dim"] % out.dim()
    return call(dim=0).reshape(out.shape) if dim else None


@lowers(axes, "softmax _softmax log_softmax _log_softmax", "chances add up along the last axis",
        "x.softmax(0)")  # fmt: skip
def _(call: Call) -> Any:
    return (
        call(dim=-1) if call.x.dim() > 1 and call["dim"] % call.x.dim() < call.x.dim() - 1 else None
    )


# --- what is asked for --------------------------------------------------------------------------

lowers(asked, "searchsorted bucketize", "places are to the left of equal values",
       "torch.searchsorted(torch.arange(3.0), x.round(), right=True)",
       "torch.tensor([0.0, 1.0])")(_unless("right", False))  # fmt: skip
lowers(asked, "searchsorted", "a side that is named is the left one",
       "torch.searchsorted(torch.arange(3.0), x, side='right')",
       "torch.tensor([0.0, 1.0])")(_unless("side", "left"))  # fmt: skip
lowers(asked, "topk kthvalue", "the first are the largest", "x.topk(2, largest=False)[0]")(
    _unless("largest", True))  # fmt: skip
lowers(asked, "scatter_reduce index_reduce", "what was there is reduced too",
       "torch.ones(3).scatter_reduce(0, torch.tensor([0, 0, 1]), x[0, :3], 'sum', "
       "include_self=False)")(_unless("include_self", True))  # fmt: skip
lowers(asked, "argsort sort msort", "what is sorted rises", "x.sort(descending=True)[0]")(
    _unless("descending", False))  # fmt: skip
lowers(asked, "round", "what is rounded is whole", "x.round(decimals=1)")(
    _unless("decimals", 0))  # fmt: skip
lowers(asked, "meshgrid", "the first axis of a grid is down", "torch.meshgrid(x[0], x[:, 0], "
       "indexing='xy')[0]")(_unless("indexing", "ij"))  # fmt: skip
lowers(asked, "nll_loss cross_entropy_loss", "a class that is ignored is none",
       F + "cross_entropy(x, torch.tensor([0, 1, 2, 3]), ignore_index=2)")(
    _unless("ignore_index", -100))  # fmt: skip
lowers(asked, "linalg_solve linalg_solve_triangular triangular_solve",
       "an equation is solved from the left",
       "torch.linalg.solve(torch.eye(3) + 0.1 * torch.ones(3, 3).triu(), x, left=False)",
       "torch.randn(3, 3)")(_unless("left", True))  # fmt: skip


@lowers(asked, "bincount", "things are counted and not weighed",
        "x.bincount(weights=torch.tensor([0.5, 2.0, 1.0]))", "torch.tensor([1, 1, 0])")  # fmt: skip
def _(call: Call) -> Any:
    weights = call["weights"]
    return call(weights=None).to(call().dtype) if weights is not None else None


@lowers(asked, "repeat_interleave", "things that are repeated come one after the other as a whole",
        "x.repeat_interleave(2, 0)")  # fmt: skip
def _(call: Call) -> Any:
    times, dim = call["repeats"], call["dim"]
    if not isinstance(times, int) or dim is None or times < 2:
        return None
    return torch.cat([call.x] * times, dim)


@lowers(asked, "multinomial", "what was drawn may be drawn again",
        "torch.multinomial(x.abs() + 1, 5)")  # fmt: skip
def _(call: Call) -> Any:
    return call(replacement=True) if not call["replacement"] else None
