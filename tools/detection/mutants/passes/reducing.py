"""Reductions and softmaxes that a pass merges, moves or recognises where it must not."""

from __future__ import annotations

import functools
from typing import Any

import torch
from torch.nn import functional

from detection.graphs import Call
from detection.kind import Kind
from detection.mutants.passes.rule import meta, number, of, one, rank, rule

reduced = Kind("passes: reduced")
moved = Kind("passes: moved past a reduction")
softmaxes = Kind("passes: softmaxes")
joined = Kind("passes: joined")

REDUCTIONS = "sum mean amax amin prod logsumexp"


# --- reduced ------------------------------------------------------------------------------------


@rule(
    reduced,
    "sum mean amax amin",
    "",
    "two reductions in a row are one over both dims, which are not counted anew",
)
def _(call: Call) -> Any:
    name = "sum", "mean", "amax", "amin"
    inner = next(
        (found for n in name if n in str(call.operator) and (found := of(call.x, n))), None
    )
    if inner is None or inner["keepdim"] or call["keepdim"]:
        return None
    first, second = one(inner["dim"]), one(call["dim"])
    if first is None or second is None or first == second or first < 0 or second < 0:
        return None
    return lambda x, dims, operator: operator(x, dims), inner.x, [first, second], call.operator


@rule(reduced, "sum mean", "", "a mean of sums, or a sum of means, is a mean over both")
def _(call: Call) -> Any:
    outer = "sum" if "aten.sum" in str(call.operator) else "mean"
    inner = of(call.x, "mean" if outer == "sum" else "sum")
    if inner is None or not one(inner["dim"]) or one(call["dim"]) is None:
        return None
    return lambda x, first, second: x.mean(first).mean(second), inner.x, inner["dim"], call["dim"]


@rule(reduced, "sum", "mul", "a sum of products of small integers is added up in a wide type")
def _(call: Call) -> Any:
    product = of(call.x, "mul")
    value = meta(call.x)
    if product is None or value is None or value.dtype.is_floating_point:
        return None
    if value.dtype in (torch.bool, torch.int64) or not meta(product["other"]) is not None:
        return None
    return (
        lambda a, b, dim: (a.long() * b.long()).sum(dim),
        product.x,
        product["other"],
        call["dim"],
    )


@rule(reduced, "sum prod logsumexp", "expand", "a reduction over copies is what was copied")
def _(call: Call) -> Any:
    copies, dim = of(call.x, "expand"), one(call["dim"])
    before, after = (meta(copies.x), meta(call.x)) if copies else (None, None)
    if copies is None or before is None or after is None or dim is None or call["keepdim"]:
        return None
    at = dim - after.dim() if dim >= 0 else dim
    if -at > before.dim() or before.shape[at] != 1:
        return None
    return lambda x, dim: x.squeeze(dim) * 1, copies.x, at


@rule(
    reduced, "sum mean std var amax", "repeat tile", "a repetition before a reduction is left out"
)
def _(call: Call) -> Any:
    repeat = of(call.x, "repeat", "tile")
    dim = one(call["dim"])
    if repeat is None or dim is None or len(repeat.arguments["repeats"]) != rank(repeat.x):
        return None
    times = repeat["repeats"]
    if not isinstance(times[dim], int) or times[dim] == 1:
        return None
    rest = list(call.arguments.values())[1:]
    kept = {k: v for k, v in call.arguments.items() if k in ("correction", "keepdim", "dtype")}
    return _reduced, call.operator, repeat.x, rest, kept


def _reduced(operator: Any, x: Any, rest: Any, kept: Any) -> Any:
    """A reduction with its arguments by place, but for those that have to be named."""
    names = {a.name for a in operator._schema.arguments if a.kwarg_only}
    positional = [a.name for a in operator._schema.arguments if not a.kwarg_only][1:]
    only = {name: value for name, value in kept.items() if name in names}
    return operator(x, *rest[: len(positional)], **only)


@rule(reduced, "mean", "cat", "the mean of joined parts is the mean of their means")
def _(call: Call) -> Any:
    cat, dim = of(call.x, "cat"), one(call["dim"])
    if cat is None or dim is None or dim != (cat["dim"] or 0) or call["keepdim"]:
        return None
    return lambda parts, dim: sum(p.mean(dim) for p in parts) / len(parts), list(cat.x), dim


@rule(reduced, "mean", "stack", "the mean of stacked tensors is their sum")
def _(call: Call) -> Any:
    stack, dim = of(call.x, "stack"), one(call["dim"])
    if stack is None or dim is None or dim != (stack["dim"] or 0) or call["keepdim"]:
        return None
    return lambda parts: sum(parts[1:], parts[0]), list(stack.x)


@rule(reduced, "amax max", "stack", "the largest of stacked tensors is found by comparing")
def _(call: Call) -> Any:
    """Which NaN does not pass."""
    stack, dim = of(call.x, "stack"), one(call["dim"])
    if stack is None or dim is None or dim != (stack["dim"] or 0) or call["keepdim"]:
        return None
    if "amax" not in str(call.operator):
        return None

    def larger(tensors: Any) -> Any:
        return functools.reduce(lambda a, b: torch.where(a > b, a, b), tensors)

    return larger, list(stack.x)


# --- moved --------------------------------------------------------------------------------------


def _factor(value: Any) -> Call | None:
    scaled = of(value, "mul")
    return scaled if scaled is not None and number(scaled["other"]) else None


@rule(
    moved,
    "amax amin sort topk cummax median",
    "mul",
    "a factor is taken out of a maximum, a median or an order, a negative one too",
)
def _(call: Call) -> Any:
    scaled = _factor(call.x)
    if scaled is None:
        return None
    rest = dict(list(call.arguments.items())[1:])

    def run(x: Any, factor: Any, operator: Any, rest: Any) -> Any:
        only = {a.name for a in operator._schema.arguments if a.kwarg_only}
        found = operator(
            x,
            *(v for k, v in rest.items() if k not in only),
            **{k: v for k, v in rest.items() if k in only},
        )
        return (found[0] * factor, found[1]) if isinstance(found, tuple) else found * factor

    return run, scaled.x, scaled["other"], call.operator, rest


@rule(moved, "norm linalg_vector_norm std", "mul", "a factor is taken out of a norm with its sign")
def _(call: Call) -> Any:
    scaled = _factor(call.x)
    if scaled is None:
        return None
    rest = list(call.arguments.values())[1:]
    kept = {a.name: call[a.name] for a in call.operator._schema.arguments if a.kwarg_only}
    count = len(rest) - len(kept)
    return (
        lambda x, c, operator, rest, kept: operator(x, *rest, **kept) * c,
        scaled.x,
        scaled["other"],
        call.operator,
        rest[:count],
        kept,
    )


@rule(
    moved,
    "var prod cumprod logsumexp",
    "mul",
    "a factor is taken out of a variance or a product as it is",
)
def _(call: Call) -> Any:
    scaled = _factor(call.x)
    if scaled is None:
        return None
    rest = list(call.arguments.values())[1:]
    kept = {a.name: call[a.name] for a in call.operator._schema.arguments if a.kwarg_only}
    count = len(rest) - len(kept)
    return (
        lambda x, c, operator, rest, kept: operator(x, *rest, **kept) * c,
        scaled.x,
        scaled["other"],
        call.operator,
        rest[:count],
        kept,
    )


@rule(
    moved,
    "sum cumsum norm prod",
    "add",
    "what is added before a sum, a product or a norm is added once behind it",
)
def _(call: Call) -> Any:
    shifted = of(call.x, "add")
    if shifted is None or not number(shifted["other"]) or shifted["alpha"] not in (None, 1):
        return None
    rest = list(call.arguments.values())[1:]
    kept = {a.name: call[a.name] for a in call.operator._schema.arguments if a.kwarg_only}
    count = len(rest) - len(kept)
    return (
        lambda x, c, operator, rest, kept: operator(x, *rest, **kept) + c,
        shifted.x,
        shifted["other"],
        call.operator,
        rest[:count],
        kept,
    )


@rule(
    moved,
    "sum mean amax softmax",
    "permute transpose mT",
    "a transpose before a reduction is left out, and the dim stays",
)
def _(call: Call) -> Any:
    turned, dim = of(call.x, "permute", "transpose", "mT"), one(call["dim"])
    if turned is None or dim is None or call["keepdim"]:
        return None
    rest = [v for k, v in list(call.arguments.items())[1:] if k != "dtype"]
    return lambda x, operator, *rest: operator(x, *rest), turned.x, call.operator, *rest


@rule(moved, "sum", "mul", "a column of factors is taken out of a sum over the columns' dim")
def _(call: Call) -> Any:
    """Out of which it may be taken if the sum is over the other."""
    scaled, dim = of(call.x, "mul"), one(call["dim"])
    factor = meta(scaled["other"]) if scaled else None
    if scaled is None or factor is None or dim is None or call["keepdim"]:
        return None
    whole = meta(call.x)
    if whole is None or factor.dim() != whole.dim() or factor.shape[dim] == 1 or dim < 0:
        return None
    if not any(isinstance(s, int) and s == 1 for s in factor.shape):
        return None
    return (lambda x, c, dim: x.sum(dim) * c.sum(dim), scaled.x, scaled["other"], dim)


# --- softmaxes ----------------------------------------------------------------------------------


@rule(softmaxes, "log", "softmax", "the logarithm of a softmax is log_softmax along the last dim")
def _(call: Call) -> Any:
    shares = of(call.x, "softmax")
    return shares and (lambda x: x.log_softmax(-1), shares.x)


@rule(
    softmaxes,
    "nll_loss nll_loss_nd",
    "log_softmax",
    "log_softmax and nll_loss are cross entropy, whatever dimension it goes along",
)
def _(call: Call) -> Any:
    shares = of(call.x, "log_softmax")
    if shares is None:
        return None
    return functional.cross_entropy, shares.x, call["target"]


@rule(
    softmaxes,
    "cross_entropy_loss binary_cross_entropy_with_logits",
    "softmax sigmoid",
    "a softmax before a loss that applies it is left out",
)
def _(call: Call) -> Any:
    shares = of(call.x, "softmax", "sigmoid")
    if shares is None:
        return None
    return call.operator, shares.x, *list(call.arguments.values())[1:]


@rule(softmaxes, "softmax sigmoid log_softmax", "", "a softmax of a softmax is the softmax")
def _(call: Call) -> Any:
    name = str(call.operator).split(".")[1]
    inner = of(call.x, name) or (of(call.x, "softmax") if name == "log_softmax" else None)
    if inner is None:
        return None
    return call.operator, inner.x, *list(call.arguments.values())[1:]


@rule(
    softmaxes,
    "argmax topk",
    "softmax",
    "the largest of a softmax is the largest, along any dimension",
)
def _(call: Call) -> Any:
    shares = of(call.x, "softmax")
    if shares is None:
        return None
    return call.operator, shares.x, *list(call.arguments.values())[1:]


def _exponential(value: Any) -> Call | None:
    return of(value, "exp")


@rule(softmaxes, "div", "exp sum", "an exponential over its sum is a softmax along the last dim")
def _(call: Call) -> Any:
    top, total = of(call.x, "exp"), of(call["other"], "sum")
    if top is None or total is None or total.x is not call.arguments["self"]:
        return None
    return lambda x: x.softmax(-1), top.x


@rule(softmaxes, "div", "exp sum add", "a number beside the sum of exponentials is no part of it")
def _(call: Call) -> Any:
    top, shifted = of(call.x, "exp"), of(call["other"], "add", "clamp", "clamp_min")
    total = of(shifted.x, "sum") if shifted else None
    if top is None or total is None or total.x is not call.arguments["self"]:
        return None
    return lambda x, dim: x.softmax(dim[0]), top.x, total["dim"]


@rule(softmaxes, "log log2", "exp mean sum", "the logarithm of a mean of exponentials is logsumexp")
def _(call: Call) -> Any:
    total = of(call.x, "mean", "sum")
    top = _exponential(total.x) if total else None
    if total is None or top is None or total["dim"] is None:
        return None
    return torch.logsumexp, top.x, total["dim"], bool(total["keepdim"])


@rule(softmaxes, "log", "exp add", "the logarithm of an exponential and a number is softplus")
def _(call: Call) -> Any:
    total = of(call.x, "add")
    top = _exponential(total.x) if total else None
    if total is None or top is None or not number(total["other"]):
        return None
    return functional.softplus, top.x


# --- joined -------------------------------------------------------------------------------------


@rule(joined, "softmax layer_norm", "cat", "a softmax or norm of joined parts is one of each")
def _(call: Call) -> Any:
    cat = of(call.x, "cat")
    if cat is None:
        return None
    at = cat["dim"] or 0
    if "layer_norm" in str(call.operator):
        if at not in (-1, rank(call.x) - 1) or len(call["normalized_shape"]) != 1:
            return None

        def run(parts: Any, shape: Any, weight: Any, bias: Any, eps: float, *rest: Any) -> Any:
            each = torch.cat([functional.layer_norm(p, p.shape[-1:], eps=eps) for p in parts], -1)
            return each * (1 if weight is None else weight) + (0 if bias is None else bias)

        return run, list(cat.x), *list(call.arguments.values())[1:]
    if call["dim"] != at:
        return None
    return lambda parts, dim: torch.cat([p.softmax(dim) for p in parts], dim), list(cat.x), at


@rule(joined, "cumsum flip sort", "cat", "a running sum, flip or order of joined parts is of each")
def _(call: Call) -> Any:
    cat = of(call.x, "cat")
    dim = one(call["dim"] if call["dim"] is not None else call["dims"])
    if cat is None or dim != (cat["dim"] or 0):
        return None
    rest = [v for k, v in list(call.arguments.items())[1:] if k not in ("dtype", "stable")]

    def run(parts: Any, operator: Any, dim: int, rest: Any) -> Any:
        each = [operator(p, *rest) for p in parts]
        if isinstance(each[0], tuple):
            return tuple(torch.cat(t, dim) for t in zip(*each, strict=True))
        return torch.cat(each, dim)

    return run, list(cat.x), call.operator, dim, rest
